/** The frame around every page: where we are, whose account, and whether prices and events flow. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { AlarmBar } from "./alarm-bar.tsx";
import { Bots } from "./bot/bots.tsx";
import { Conditions } from "./conditions.tsx";
import { Groups } from "./group/groups.tsx";
import { chooseLanguage } from "./language/choice.ts";
import { LanguageSwitch } from "./language/language-switch.tsx";
import { say } from "./language/say.ts";
import { Activity } from "./page/activity.tsx";
import { Alerts } from "./page/alerts.tsx";
import { Keys } from "./page/keys.tsx";
import { Pending } from "./page/pending.tsx";
import { Portfolio } from "./page/portfolio.tsx";
import { Dialog } from "./part/dialog.tsx";
import { Fault } from "./part/fault.tsx";
import { keepFocus } from "./part/keep-focus.ts";
import { useNarrow } from "./part/narrow.ts";
import { SchemeSwitch } from "./scheme-switch.tsx";
import { placeOf } from "./state/accounts.ts";
import type { DashboardState } from "./state/dashboard-state.ts";
import type { Account, Holding } from "./state/model.ts";
import { useStore } from "./state/store.ts";
import { useTabCounts } from "./tab-counts.ts";
import { Tabs } from "./tabs.tsx";
import type { TicketDraft } from "./trade/ticket-draft.ts";
import { Trade } from "./trade/trade.tsx";
import { TradingHead } from "./trading-head.tsx";

const PAGES = [
  { name: "groups", title: say("OCO groups"), view: Groups },
  { name: "trade", title: say("Trade"), view: Trade },
  { name: "portfolio", title: say("Portfolio"), view: Portfolio },
  { name: "pending", title: say("Pending"), view: Pending },
  { name: "bots", title: say("Bots"), view: Bots },
  { name: "activity", title: say("Activity"), view: Activity },
  { name: "alerts", title: say("Alerts"), view: Alerts },
] as const;

const OPERATOR_PAGES = [{ name: "keys", title: say("Users and keys"), view: Keys }] as const;

type PageName = (typeof PAGES | typeof OPERATOR_PAGES)[number]["name"];

export function Shell({
  dashboard,
  onSignOut,
}: {
  readonly dashboard: DashboardState;
  readonly onSignOut: () => void;
}) {
  const pages = [...PAGES, ...(dashboard.session.has("admin") ? OPERATOR_PAGES : [])];
  const { addressBar } = dashboard;
  const address = useStore(addressBar.address);
  const page = pages.find(({ name }) => name === address.page) ?? pages[0];
  const asked = useStore(addressBar.asked);
  const frame = useRef<HTMLDivElement>(null);
  /** The holding that the page of groups must protect. */
  const [holding, setHolding] = useState<Holding | undefined>(undefined);
  /** What the ticket has at first. */
  const [ticket, setTicket] = useState<TicketDraft | undefined>(undefined);
  /** Counts the changes of account. The first one to come changes nothing under the hand. */
  const [chosenCount, setChosenCount] = useState(0);
  const fault = useStore(dashboard.openingFault);
  const account = useStore(dashboard.account);
  // Before, anything that the user began on a page would be lost once the account is there.
  const isOpened = useStore(dashboard.areRowsKnown) || account !== undefined;
  useEffect(() => {
    void dashboard.open();
    return () => dashboard.close();
  }, [dashboard]);
  useEffect(() => (frame.current === null ? undefined : keepFocus(frame.current)), []);
  // A view begins at its top. What scrolls is the page on a phone, and the view itself otherwise.
  useLayoutEffect(() => {
    for (const part of frame.current?.querySelectorAll(".page, main") ?? []) part.scrollTo(0, 0);
  }, [page]);
  // A holding or a ticket is dropped once its form is left.
  useEffect(() => {
    if (address.part !== "new") setHolding(undefined);
    if (address.page !== "trade") setTicket(undefined);
  }, [address]);
  const protect = (held: Holding): void => {
    setHolding(held);
    addressBar.go("groups", "new");
  };
  const order = (draft: TicketDraft): void => {
    setTicket(draft);
    addressBar.go("trade");
  };
  const choose = (chosen: Account): void =>
    addressBar.leave(() => {
      setTicket(undefined);
      setChosenCount((count) => count + 1);
      // A group of the other account does not exist in this one.
      if (page !== undefined) addressBar.name(page.name, "");
      void dashboard.choose(chosen);
    });
  const View = page?.view;
  return (
    <div class="shell" ref={frame}>
      <button type="button" class="skip" onClick={() => document.getElementById("page")?.focus()}>
        {say("Skip to the page")}
      </button>
      <header>
        <h1 class="brand">Trading Developer API</h1>
        <AccountChoice dashboard={dashboard} onChoose={choose} />
        <Conditions dashboard={dashboard} />
        <TradingHead dashboard={dashboard} />
        <button type="button" class="quiet" aria-label={say("Sign out")} onClick={() => addressBar.leave(onSignOut)}>
          <span class="wide-only">{say("Sign out")}</span>
          <span class="narrow-only">{say("Sign out|short")}</span>
        </button>
      </header>
      <CountedTabs dashboard={dashboard} pages={pages} current={page?.name} />
      <AlarmBar alarms={dashboard.alarms} botNames={dashboard.botNames} />
      <div class="page">
        <main id="page" tabIndex={-1}>
          <Fault text={fault} />
          {isOpened && account === undefined && (
            <p class="warning" role="status">
              {say("No brokerage has given an account yet. They are asked again every few seconds.")}
            </p>
          )}
          {!isOpened && fault === undefined && <p class="empty">{say("Reading…")}</p>}
          {View !== undefined && isOpened && (
            // A page's state for one account is not valid for another.
            <View key={chosenCount} {...{ dashboard, holding, ticket }} onProtect={protect} onTicket={order} />
          )}
        </main>
        <footer>
          <a href="/docs" target="_blank" rel="noreferrer">
            API
          </a>
          <span>
            {say("Charts:")}{" "}
            <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
              TradingView Lightweight Charts
            </a>
          </span>
          <span class="grow" />
          <LanguageSwitch onChoose={(next) => addressBar.leave(() => chooseLanguage(next))} />
          <SchemeSwitch />
        </footer>
      </div>
      {asked !== undefined && (
        <Dialog
          title={say("Leave the form?")}
          yes={say("Leave it")}
          no={say("Stay here")}
          onYes={asked}
          onNo={() => addressBar.stay()}
        >
          <p>{say("What you typed is lost.")}</p>
        </Dialog>
      )}
    </div>
  );
}

interface CountedTabsProps {
  readonly dashboard: DashboardState;
  readonly pages: readonly { readonly name: PageName; readonly title: string }[];
  readonly current: PageName | undefined;
}

/** The tabs with their numbers. Drawn again with each count, and nothing else. */
function CountedTabs({ dashboard, pages, current }: CountedTabsProps) {
  const counts = useTabCounts(dashboard);
  return <Tabs pages={pages} counts={counts} current={current} onGo={(name) => dashboard.addressBar.go(name)} />;
}

/** The last digits of an account number, on a narrow screen. */
const SHOWN_DIGITS = 4;

interface AccountChoiceProps {
  readonly dashboard: DashboardState;
  readonly onChoose: (account: Account) => void;
}

function AccountChoice({ dashboard, onChoose }: AccountChoiceProps) {
  const accounts = useStore(dashboard.accounts);
  const account = useStore(dashboard.account);
  const isNarrow = useNarrow();
  const choose = (text: string): void => {
    const chosen = accounts[Number(text)];
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <label class="account">
      <span class="hidden">{say("Account")}</span>
      <select value={String(placeOf(accounts, account))} onChange={(event) => choose(event.currentTarget.value)}>
        {accounts.map(({ brokerageCode, number, name }, index) => (
          <option key={`${brokerageCode} ${number}`} value={String(index)}>
            {isNarrow ? `${brokerageCode} · …${number.slice(-SHOWN_DIGITS)}` : `${brokerageCode} · ${number} · ${name}`}
          </option>
        ))}
      </select>
    </label>
  );
}
