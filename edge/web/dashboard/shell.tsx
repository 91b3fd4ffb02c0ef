/** The frame around every page: where we are, whose account, and whether prices and events flow. */
import { useEffect, useState } from "preact/hooks";
import { AlarmBar } from "./alarm-bar.tsx";
import { Bots } from "./bot/bots.tsx";
import { Conditions } from "./conditions.tsx";
import { Groups } from "./group/groups.tsx";
import { Activity } from "./page/activity.tsx";
import { Alerts } from "./page/alerts.tsx";
import { Keys } from "./page/keys.tsx";
import { Pending } from "./page/pending.tsx";
import { Portfolio } from "./page/portfolio.tsx";
import { placeOf } from "./state/accounts.ts";
import type { DashboardState } from "./state/dashboard-state.ts";
import type { Account, Holding } from "./state/model.ts";
import { useStore } from "./state/store.ts";

const PAGES = [
  { name: "groups", title: "OCO groups", view: Groups },
  { name: "portfolio", title: "Portfolio", view: Portfolio },
  { name: "pending", title: "Pending", view: Pending },
  { name: "bots", title: "Bots", view: Bots },
  { name: "activity", title: "Activity", view: Activity },
  { name: "alerts", title: "Alerts", view: Alerts },
] as const;

const OPERATOR_PAGES = [{ name: "keys", title: "Users and keys", view: Keys }] as const;

export function Shell({
  dashboard,
  onSignOut,
}: {
  readonly dashboard: DashboardState;
  readonly onSignOut: () => void;
}) {
  const pages = [...PAGES, ...(dashboard.session.has("admin") ? OPERATOR_PAGES : [])];
  const [pageName, setPageName] = useState<string>(pages[0]?.name ?? "");
  /** What the page of groups is to protect. */
  const [holding, setHolding] = useState<Holding | undefined>(undefined);
  /** Counts the changes of account. The first one to come changes nothing under the hand. */
  const [chosenCount, setChosenCount] = useState(0);
  const fault = useStore(dashboard.openingFault);
  const account = useStore(dashboard.account);
  // Before, whatever somebody began on a page would be gone once the account is there.
  const isOpened = useStore(dashboard.areRowsKnown) || account !== undefined;
  useEffect(() => {
    void dashboard.open();
    return () => dashboard.close();
  }, [dashboard]);
  const open = (name: string): void => {
    setPageName(name);
    setHolding(undefined);
  };
  const protect = (held: Holding): void => {
    setPageName("groups");
    setHolding(held);
  };
  const choose = (chosen: Account): void => {
    setHolding(undefined);
    setChosenCount((count) => count + 1);
    void dashboard.choose(chosen);
  };
  const page = pages.find(({ name }) => name === pageName);
  const View = page?.view;
  return (
    <div class="shell">
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header>
        <h1 class="brand">Trading Developer API</h1>
        <AccountChoice dashboard={dashboard} onChoose={choose} />
        <Conditions dashboard={dashboard} />
        <button type="button" class="quiet" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <nav aria-label="Pages">
        {pages.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-current={name === pageName ? "page" : undefined}
            onClick={() => open(name)}
          >
            {title}
          </button>
        ))}
      </nav>
      <AlarmBar alarms={dashboard.alarms} botNames={dashboard.botNames} />
      <main id="page" tabIndex={-1}>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {isOpened && account === undefined && (
          <p class="warning" role="status">
            No brokerage has given an account yet. They are asked again every few seconds.
          </p>
        )}
        {!isOpened && fault === undefined && <p class="empty">Reading…</p>}
        {View !== undefined && isOpened && (
          // What a page knows of one account is nothing to another.
          <View key={chosenCount} dashboard={dashboard} holding={holding} onProtect={protect} />
        )}
      </main>
      <footer>
        <a href="/docs">API</a>
        <span>
          Charts by{" "}
          <a href="https://www.tradingview.com/" rel="noreferrer">
            TradingView
          </a>{" "}
          Lightweight Charts
        </span>
      </footer>
    </div>
  );
}

interface AccountChoiceProps {
  readonly dashboard: DashboardState;
  readonly onChoose: (account: Account) => void;
}

function AccountChoice({ dashboard, onChoose }: AccountChoiceProps) {
  const accounts = useStore(dashboard.accounts);
  const account = useStore(dashboard.account);
  const choose = (text: string): void => {
    const chosen = accounts[Number(text)];
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <label class="account">
      <span class="hidden">Account</span>
      <select value={String(placeOf(accounts, account))} onChange={(event) => choose(event.currentTarget.value)}>
        {accounts.map(({ brokerageCode, number, name }, index) => (
          <option key={`${brokerageCode} ${number}`} value={String(index)}>
            {brokerageCode} · {number} · {name}
          </option>
        ))}
      </select>
    </label>
  );
}
