/** Level bots and webhook bots: made, changed, switched, ended; their pairs, their profit, and how to send them signals. */
import { useEffect, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { commonCurrency, titleOf } from "../part/currency.ts";
import { Profit, ProfitAndShare } from "../part/profit.tsx";
import { Table } from "../part/table.tsx";
import { usePrices } from "../part/use-prices.ts";
import { useReading } from "../part/use-reading.ts";
import { moneyText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { BotForm } from "./bot-form.tsx";
import type { BotKind } from "./draft.ts";
import { ClosedPairs, OpenPairs } from "./pairs.tsx";
import { Plans } from "./plans.tsx";
import { readBot } from "./read-bot.ts";
import { Signals } from "./signals.tsx";
import { type BotTotals, inUseOf, netProfitOf, openWorthOf } from "./totals.ts";

const LEVELS_READ_EVERY_MS = 10_000;

/** The words that differ by kind. */
const TEXT = {
  "level-bots": {
    list: say("Level bots"),
    empty: say(
      "No level bot yet. A level bot buys each time its symbol falls by a gap, and sells each buy at its target.",
    ),
    make: say("New level bot"),
    rule: say(
      "A level bot has no stop-loss: it holds each buy until the price of its sale, at most 100 buys of a symbol.",
    ),
    closed: say("Closed trades of level bots"),
    pairs: say("Trades"),
    pairsOf: (name: string) => say("Trades of {name}", { name }),
  },
  "webhook-bots": {
    list: say("Webhook bots"),
    empty: say(
      "No webhook bot yet. A webhook bot buys and sells when an alert of TradingView, or a program of yours, calls its address.",
    ),
    make: say("New webhook bot"),
    rule: say("A webhook bot has no stop-loss: it holds a buy until its sell signal, at most one buy of each line."),
    closed: say("Closed trades of webhook bots"),
    pairs: say("Trades and signals"),
    pairsOf: (name: string) => say("Trades and signals of {name}", { name }),
  },
} as const;

export function Bots({ dashboard }: { readonly dashboard: DashboardState }) {
  const account = useStore(dashboard.account);
  return account === undefined ? null : (
    <>
      <BotsOfKind key={`level ${queryOf(account)}`} dashboard={dashboard} account={account} kind="level-bots" />
      <BotsOfKind key={`webhook ${queryOf(account)}`} dashboard={dashboard} account={account} kind="webhook-bots" />
    </>
  );
}

interface BotsOfKindProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly kind: BotKind;
}

function BotsOfKind({ dashboard, account, kind }: BotsOfKindProps) {
  const changes = useStore(dashboard.botChanges);
  /** Whose form is open. */
  const [edited, setEdited] = useState<Bot | "new" | undefined>(undefined);
  const [chosenId, setChosenId] = useState<number | undefined>(undefined);
  /** Whose address was made just now. */
  const [newAddressOf, setNewAddressOf] = useState<number | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const bots = useReading(
    dashboard,
    () => dashboard.session.get<readonly Bot[]>(`/api/v1/${kind}?${queryOf(account)}`),
    [account, changes],
  );
  const totals = useReading(
    dashboard,
    () => dashboard.session.get<readonly BotTotals[]>(`/api/v1/${kind}/pair-orders/totals?${queryOf(account)}`),
    [account, changes],
  );
  const hasLevels = kind === "level-bots" && bots.data?.some(({ isActive }) => isActive) === true;
  useEffect(() => {
    if (!hasLevels) return;
    // The level of the next buy rises with the price, and no event reports it.
    const timer = setInterval(totals.readAgain, LEVELS_READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasLevels, totals.readAgain]);
  const totalsOf = (bot: Bot): BotTotals | undefined => totals.data?.find(({ systemId }) => systemId === bot.id);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setFault(await dashboard.attempt(work));
    bots.readAgain();
  };
  const text = TEXT[kind];
  const currency = commonCurrency(dashboard, bots.data?.flatMap(symbolsOf) ?? []);
  const bot = bots.data?.find(({ id }) => id === chosenId);
  // A bot without a trade is explained without being asked for.
  const signalled = bot ?? bots.data?.find((one) => isUntraded(totalsOf(one)));
  const open = (next: Bot | "new"): void => dashboard.addressBar.leave(() => setEdited(next));
  const finish = (done: Bot | undefined): void => {
    setEdited(undefined);
    if (done === undefined) return;
    if (edited === "new") {
      setChosenId(done.id);
      setNewAddressOf(done.id);
    }
    bots.readAgain();
  };
  const rotate = ({ id }: Bot): Promise<void> =>
    act(async () => {
      await dashboard.session.send("POST", `/api/v1/webhook-bots/${id}/rotate-secret`);
      setNewAddressOf(id);
    });
  return (
    <>
      <Table
        title={text.list}
        items={bots.data}
        keyOf={({ id }) => id}
        empty={text.empty}
        fault={fault ?? bots.fault ?? totals.fault}
        tools={
          <button type="button" class="primary" onClick={() => open("new")}>
            {text.make}
          </button>
        }
        columns={[
          { title: say("Name"), view: ({ name }) => <strong>{name}</strong> },
          {
            title: say("State"),
            view: ({ isActive, isRunning }) => (
              <span class={isRunning ? "good" : ""}>
                {isRunning ? say("Running") : isActive ? say("Active") : say("Off")}
              </span>
            ),
          },
          {
            title: titleOf(say("Closed profit"), currency),
            isNumber: true,
            view: (shown) => <ClosedOf totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("Open profit"), currency),
            isNumber: true,
            view: (shown) => <OpenOf dashboard={dashboard} totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("Drawdown of closed trades"), currency),
            isNumber: true,
            view: (shown) => <DrawdownOf totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("Net"), currency),
            isNumber: true,
            view: (shown) => <NetOf dashboard={dashboard} totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("In use"), currency),
            isNumber: true,
            view: (shown) => inUseText(totalsOf(shown)),
          },
          {
            title: say("Actions"),
            isAction: true,
            view: (shown) => (
              <div class="tools">
                <button
                  type="button"
                  aria-label={text.pairsOf(shown.name)}
                  aria-expanded={chosenId === shown.id}
                  onClick={() => setChosenId(chosenId === shown.id ? undefined : shown.id)}
                >
                  {text.pairs}
                </button>
                <button
                  type="button"
                  aria-label={say("Change {name}", { name: shown.name })}
                  onClick={() => open(shown)}
                >
                  {say("Change")}
                </button>
                <button type="button" onClick={() => void act(() => switchBot(dashboard, account, kind, shown))}>
                  {shown.isActive ? say("Switch off") : say("Switch on")}
                </button>
                <Confirm
                  title={say("End bot")}
                  yes={say("Yes, end it")}
                  onConfirm={() => {
                    // What is gone is not read any more.
                    setChosenId(undefined);
                    void act(() => dashboard.session.send("DELETE", `/api/v1/${kind}/${shown.id}`));
                  }}
                />
              </div>
            ),
          },
        ]}
        below={(shown) => <Plans dashboard={dashboard} bot={shown} totals={totalsOf(shown)} />}
        above={bots.data !== undefined && bots.data.length > 0 && <p class="hint">{text.rule}</p>}
      />
      {edited !== undefined && (
        <BotForm
          key={edited === "new" ? edited : edited.id}
          {...{ dashboard, account, kind }}
          bot={edited === "new" ? undefined : edited}
          onDone={finish}
        />
      )}
      {signalled?.webhookUrl !== undefined && (
        <Signals
          key={signalled.id}
          bot={signalled}
          isNew={newAddressOf === signalled.id}
          isUntraded={isUntraded(totalsOf(signalled))}
          onRotate={() => void rotate(signalled)}
        />
      )}
      {bot !== undefined && <OpenPairs dashboard={dashboard} account={account} bot={bot} kind={kind} />}
      <ClosedPairs
        {...{ dashboard, account, kind, bot }}
        totals={bot === undefined ? totals.data : totals.data?.filter(isOf(bot))}
        title={bot === undefined ? text.closed : say("Closed trades of {name}", { name: bot.name })}
      />
    </>
  );
}

function isUntraded(totals: BotTotals | undefined): boolean {
  return totals?.closedCount === 0 && totals.openCount === 0;
}

function isOf(bot: Bot): (totals: BotTotals) => boolean {
  return ({ systemId }) => systemId === bot.id;
}

/** What a bot's closed trades brought. `totals` undefined: not read yet. */
function ClosedOf({ totals }: { readonly totals: BotTotals | undefined }) {
  if (totals === undefined) return <>–</>;
  return (
    <>
      <Profit amount={totals.profit} /> <span class="hint whole">· {countText(totals.closedCount)}</span>
    </>
  );
}

/** What a bot's open trades would bring at the last prices. `totals` undefined: not read yet. */
function OpenOf({ dashboard, totals }: { readonly dashboard: DashboardState; readonly totals: BotTotals | undefined }) {
  const priceOf = usePrices(dashboard, totals?.open.map(({ symbol }) => symbol) ?? []);
  if (totals === undefined || totals.openCount === 0) return <>–</>;
  const { profit, share, missing } = openWorthOf(totals, priceOf);
  return (
    <>
      <ProfitAndShare amount={profit} share={share} />{" "}
      <span class="hint">
        <span class="whole">· {countText(totals.openCount)}</span>
        {missing > 0 &&
          profit !== undefined &&
          ` ${say("({count} trades without a price are left out)", { count: missing })}`}
      </span>
    </>
  );
}

/** The largest fall of the running profit of a bot's closed trades. `totals` undefined: not read yet. */
function DrawdownOf({ totals }: { readonly totals: BotTotals | undefined }) {
  if (totals === undefined) return <>–</>;
  return <Profit amount={0 - totals.largestDrawdown} />;
}

/** The profit of a bot's closed and open trades together, at the last prices. */
function NetOf({ dashboard, totals }: { readonly dashboard: DashboardState; readonly totals: BotTotals | undefined }) {
  const priceOf = usePrices(dashboard, totals?.open.map(({ symbol }) => symbol) ?? []);
  return (
    <strong>
      <Profit amount={totals && netProfitOf(totals, priceOf)} />
    </strong>
  );
}

function inUseText(totals: BotTotals | undefined): string {
  const cost = totals && inUseOf(totals);
  return cost === undefined ? "–" : moneyText(cost);
}

function countText(count: number): string {
  return count === 1 ? say("1 trade") : say("{count} trades", { count: quantityText(count) });
}

/** Sends the whole bot as it is now, with the other switch than the shown one. */
async function switchBot({ session }: DashboardState, account: Account, kind: BotKind, shown: Bot): Promise<void> {
  const { brokerageCode, accountNumber } = account;
  const { data, version } = await readBot(session, kind, shown.id, account);
  const { name, levelBotDetails, webhookBotDetails } = data;
  const details = levelBotDetails === undefined ? { webhookBotDetails } : { levelBotDetails };
  const body = { brokerageCode, accountNumber, name, isActive: !shown.isActive, ...details };
  await session.send("PUT", `/api/v1/${kind}/${shown.id}`, body, { version });
}

function symbolsOf({ levelBotDetails, webhookBotDetails }: Bot): readonly string[] {
  return [...(levelBotDetails ?? []), ...(webhookBotDetails ?? [])].map(({ symbol }) => symbol);
}
