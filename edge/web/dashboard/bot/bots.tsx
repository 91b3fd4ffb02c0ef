/** Level bots and webhook bots: made, changed, switched, ended; their pairs, their profit, and how to send them signals. */
import { useEffect, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { commonCurrency, titleOf } from "../part/currency.ts";
import { Profit, ProfitAndShare } from "../part/profit.tsx";
import { Table } from "../part/table.tsx";
import { usePrices } from "../part/use-prices.ts";
import { moneyText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { BotForm } from "./bot-form.tsx";
import { BotSums } from "./bot-sums.tsx";
import { DrawdownNow } from "./closed-sums.tsx";
import type { BotKind } from "./draft.ts";
import { ClosedPairs, OpenPairs } from "./pairs.tsx";
import { Plans } from "./plans.tsx";
import { readBot } from "./read-bot.ts";
import { Signals } from "./signals.tsx";
import { type BotTotals, countText, inUseOf, netProfitOf, openWorthOf, symbolsOf } from "./totals.ts";
import { useBots } from "./use-bots.ts";

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
    <BotsOfAccount key={queryOf(account)} dashboard={dashboard} account={account} />
  );
}

interface AccountProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
}

function BotsOfAccount({ dashboard, account }: AccountProps) {
  const kinds = [useKind(dashboard, account, "level-bots"), useKind(dashboard, account, "webhook-bots")];
  const isRead = kinds.every(({ bots, totals }) => bots !== undefined && totals !== undefined);
  const totals = kinds.flatMap((one) => one.totals ?? []);
  const bots = kinds.flatMap((one) => one.bots ?? []);
  return (
    <>
      {isRead && totals.length > 0 && <BotSums {...{ dashboard, bots, totals }} />}
      {kinds.map((one) => (
        <BotsOfKind key={one.kind} {...{ dashboard, account }} of={one} />
      ))}
      {kinds.map((one) => (one.isExplained && one.bot !== undefined ? <SignalsOf key={one.kind} of={one} /> : null))}
      {kinds.map(({ kind, bot, isAsked }) =>
        bot === undefined ? null : <OpenPairs key={kind} {...{ dashboard, account, bot, kind, isAsked }} />,
      )}
      {kinds.map((one) => (
        <ClosedPairs
          key={one.kind}
          {...{ dashboard, account, kind: one.kind, bots: one.bots, bot: one.bot }}
          totals={one.bot === undefined ? one.totals : one.totals?.filter(isOf(one.bot))}
          title={one.bot === undefined ? TEXT[one.kind].closed : say("Closed trades of {name}", { name: one.bot.name })}
        />
      ))}
      {kinds.map((one) => (one.isExplained && one.bot !== undefined ? null : <SignalsOf key={one.kind} of={one} />))}
    </>
  );
}

type BotsAndChoice = ReturnType<typeof useKind>;

/** The bots of a kind, the bot whose trades are in view, and what is done with bots of the list. */
function useKind(dashboard: DashboardState, account: Account, kind: BotKind) {
  const reading = useBots(dashboard, account, kind);
  const { bots, totals, readAgain } = reading;
  const [chosenId, setChosenId] = useState<number | undefined>(undefined);
  const [isAsked, setIsAsked] = useState(false);
  const askFor = (id: number | undefined): void => {
    setIsAsked(true);
    setChosenId(id);
  };
  /** Whose address was made just now. */
  const [newAddressOf, setNewAddressOf] = useState<number | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const isKnown = totals !== undefined;
  // At first the trades of one bot are in view without a press.
  useEffect(
    () => setChosenId((before) => before ?? totals?.find(({ openCount }) => openCount > 0)?.systemId),
    [isKnown],
  );
  const totalsOf = (bot: Bot): BotTotals | undefined => totals?.find(({ systemId }) => systemId === bot.id);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setFault(await dashboard.attempt(work));
    readAgain();
  };
  const rotate = ({ id }: Bot): Promise<void> =>
    act(async () => {
      await dashboard.session.send("POST", `/api/v1/webhook-bots/${id}/rotate-secret`);
      setNewAddressOf(id);
    });
  const bot = bots?.find(({ id }) => id === chosenId);
  // A bot without a trade is explained without being asked for.
  const signalled = bot ?? bots?.find((one) => isUntraded(totalsOf(one)));
  const isExplained = isUntraded(signalled && totalsOf(signalled));
  return {
    ...{
      ...reading,
      fault: fault ?? reading.fault,
      kind,
      chosenId,
      setChosenId,
      isAsked,
      askFor,
      newAddressOf,
      setNewAddressOf,
    },
    ...{ totalsOf, act, rotate, bot, signalled, isExplained },
  };
}

interface BotsOfKindProps extends AccountProps {
  readonly of: BotsAndChoice;
}

function BotsOfKind({ dashboard, account, of }: BotsOfKindProps) {
  const { kind, bots, readAgain, totalsOf, act, chosenId, setChosenId, askFor, setNewAddressOf } = of;
  /** Whose form is open. */
  const [edited, setEdited] = useState<Bot | "new" | undefined>(undefined);
  const text = TEXT[kind];
  const currency = commonCurrency(dashboard, bots?.flatMap(symbolsOf) ?? []);
  const open = (next: Bot | "new"): void => dashboard.addressBar.leave(() => setEdited(next));
  const finish = (done: Bot | undefined): void => {
    setEdited(undefined);
    if (done === undefined) return;
    if (edited === "new") {
      setChosenId(done.id);
      setNewAddressOf(done.id);
    }
    readAgain();
  };
  const buttonsOf = (shown: Bot) => (
    <div class="tools">
      <button
        type="button"
        aria-label={text.pairsOf(shown.name)}
        aria-expanded={chosenId === shown.id}
        onClick={() => askFor(chosenId === shown.id ? undefined : shown.id)}
      >
        {text.pairs}
      </button>
      <button type="button" aria-label={say("Change {name}", { name: shown.name })} onClick={() => open(shown)}>
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
  );
  return (
    <>
      <Table
        title={text.list}
        items={bots}
        keyOf={({ id }) => id}
        empty={text.empty}
        fault={of.fault}
        tools={
          <button type="button" class="primary" onClick={() => open("new")}>
            {text.make}
          </button>
        }
        columns={[
          { title: say("Name"), view: ({ name }) => <strong>{name}</strong> },
          { title: say("State"), view: (shown) => <StateOf bot={shown} /> },
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
            title: titleOf(say("Net"), currency),
            isNumber: true,
            view: (shown) => <NetOf dashboard={dashboard} totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("Drawdown now"), currency),
            isNumber: true,
            view: (shown) => <DrawdownNow dashboard={dashboard} totals={totalsOf(shown)} />,
          },
          {
            title: titleOf(say("In use"), currency),
            isNumber: true,
            view: (shown) => inUseText(totalsOf(shown)),
          },
          { title: say("Actions"), isAction: true, view: buttonsOf },
        ]}
        brief={(shown) => (
          <>
            <span>
              <strong>{shown.name}</strong> <StateOf bot={shown} />
            </span>
            <span>
              <span class="hint">{say("Net")}</span> <NetOf dashboard={dashboard} totals={totalsOf(shown)} />
              {currency !== undefined && <span class="unit"> {currency}</span>}
            </span>
            <span class="hint">{say("Closed profit")}</span>
            <span>
              <ClosedOf totals={totalsOf(shown)} />
            </span>
            <span class="hint">{say("Open profit")}</span>
            <span>
              <OpenOf dashboard={dashboard} totals={totalsOf(shown)} />
            </span>
            <span class="hint">{say("Drawdown now")}</span>
            <span>
              <DrawdownNow dashboard={dashboard} totals={totalsOf(shown)} />
            </span>
            <div class="whole-line">{buttonsOf(shown)}</div>
          </>
        )}
        below={(shown) => <Plans {...{ dashboard, bot: shown, totals: totalsOf(shown) }} onReached={of.readTotals} />}
        above={bots !== undefined && bots.length > 0 && <p class="hint">{text.rule}</p>}
      />
      {edited !== undefined && (
        <BotForm
          key={edited === "new" ? edited : edited.id}
          {...{ dashboard, account, kind }}
          bot={edited === "new" ? undefined : edited}
          onDone={finish}
        />
      )}
    </>
  );
}

/** How signals are sent to the chosen bot, or to a bot without a trade. */
function SignalsOf({ of: { signalled, newAddressOf, isExplained, rotate } }: Pick<BotsOfKindProps, "of">) {
  if (signalled?.webhookUrl === undefined) return null;
  return (
    <Signals
      key={signalled.id}
      bot={signalled}
      isNew={newAddressOf === signalled.id}
      isUntraded={isExplained}
      onRotate={() => void rotate(signalled)}
    />
  );
}

function isUntraded(totals: BotTotals | undefined): boolean {
  return totals?.closedCount === 0 && totals.openCount === 0;
}

function isOf(bot: Bot): (totals: BotTotals) => boolean {
  return ({ systemId }) => systemId === bot.id;
}

function StateOf({ bot: { isActive, isRunning } }: { readonly bot: Bot }) {
  const text = isRunning ? say("Running") : isActive ? say("Active") : say("Off");
  return <span class={isRunning ? "good" : "hint"}>{text}</span>;
}

interface TotalsProps {
  readonly dashboard: DashboardState;
  readonly totals: BotTotals | undefined;
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
function OpenOf({ dashboard, totals }: TotalsProps) {
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

/** The profit of a bot's closed and open trades together, at the last prices. */
function NetOf({ dashboard, totals }: TotalsProps) {
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

/** Sends the whole bot as it is now, with the other switch than the shown one. */
async function switchBot({ session }: DashboardState, account: Account, kind: BotKind, shown: Bot): Promise<void> {
  const { brokerageCode, accountNumber } = account;
  const { data, version } = await readBot(session, kind, shown.id, account);
  const { name, levelBotDetails, webhookBotDetails } = data;
  const details = levelBotDetails === undefined ? { webhookBotDetails } : { levelBotDetails };
  const body = { brokerageCode, accountNumber, name, isActive: !shown.isActive, ...details };
  await session.send("PUT", `/api/v1/${kind}/${shown.id}`, body, { version });
}
