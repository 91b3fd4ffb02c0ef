/** The pairs of bots: open ones with what they would bring now, closed ones with what they brought. */

import { say } from "../language/say.ts";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { moneyText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, type ClosedPair, type Pair, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import type { BotKind } from "./draft.ts";
import { ProfitChart } from "./profit-chart.tsx";

const LEG_STATES = ["–", say("Sent"), say("Completed")] as const;
const COMPLETED = 2;
/** As many as one answer gives. */
const CLOSED_SHOWN = 100;

interface OpenPairsProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly bot: Bot;
  readonly kind: BotKind;
}

export function OpenPairs({ dashboard, account, bot, kind }: OpenPairsProps) {
  const changes = useStore(dashboard.botChanges);
  const query = new URLSearchParams({ brokerageCode: account.brokerageCode });
  const pairs = useReading(
    dashboard,
    () => dashboard.session.get<readonly Pair[]>(`/api/v1/${kind}/${bot.id}/pair-orders?${query}`),
    [bot.id, changes],
  );
  return (
    <Table
      title={say("Open pairs of {name}", { name: bot.name })}
      items={pairs.data}
      keyOf={({ id }) => id}
      empty={say("No pair is open.")}
      fault={pairs.fault}
      columns={[
        { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: say("Lots"), isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        {
          title: say("Bought"),
          view: ({ buyStatus, buyOrderDate }) => (
            <>
              {buyStatus === COMPLETED ? "" : `${LEG_STATES[buyStatus] ?? ""} `}
              <Time at={buyOrderDate} />
            </>
          ),
        },
        { title: say("At"), isNumber: true, view: ({ buyPrice }) => priceText(buyPrice) },
        { title: say("Would bring"), isNumber: true, view: (pair) => <Open dashboard={dashboard} pair={pair} /> },
        { title: say("Sold"), isMinor: true, view: ({ sellStatus }) => LEG_STATES[sellStatus] ?? "" },
        { title: say("Note"), isMinor: true, view: ({ description }) => description ?? "" },
      ]}
    />
  );
}

/** What a sale at the last price would bring. */
function Open({ dashboard, pair }: { readonly dashboard: DashboardState; readonly pair: Pair }) {
  const last = useStore(dashboard.price(pair.symbol));
  if (pair.buyPrice === null || last === undefined) return <>–</>;
  return <Profit amount={(last.price - pair.buyPrice) * pair.buyQuantity} />;
}

function Profit({ amount }: { readonly amount: number }) {
  return <span class={amount < 0 ? "down" : "up"}>{moneyText(amount)}</span>;
}

interface ClosedPairsProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly kind: BotKind;
  readonly title: string;
  /** Undefined: of all bots of the kind. */
  readonly bot: Bot | undefined;
}

export function ClosedPairs({ dashboard, account, kind, title, bot }: ClosedPairsProps) {
  const changes = useStore(dashboard.botChanges);
  const path = `/api/v1/${kind}/pair-orders/history?${queryOf(account)}&pageSize=${CLOSED_SHOWN}`;
  const history = useReading(
    dashboard,
    () => dashboard.session.get<{ readonly items: readonly ClosedPair[]; readonly totalCount: number }>(path),
    [path, changes],
  );
  const all = history.data?.items;
  const pairs = bot === undefined ? all : all?.filter(({ systemId }) => systemId === bot.id);
  const isCut = history.data !== undefined && history.data.totalCount > history.data.items.length;
  return (
    <Table
      title={title}
      items={pairs}
      keyOf={({ id }) => id}
      empty={isCut ? say("None of them is of this bot.") : say("No pair was closed yet.")}
      isLong
      fault={history.fault}
      above={
        <>
          {isCut && (
            <p class="hint">
              {say("Only the last {count} closed pairs of all bots of this kind are looked at.", {
                count: CLOSED_SHOWN,
              })}
            </p>
          )}
          {pairs !== undefined && pairs.length > 0 && <ProfitChart pairs={pairs} />}
        </>
      }
      columns={[
        { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: say("Lots"), isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        { title: say("Bought"), isMinor: true, view: ({ buyOrderDate }) => <Time at={buyOrderDate} /> },
        { title: say("Sold"), view: ({ sellOrderDate }) => <Time at={sellOrderDate} /> },
        { title: say("Hours"), isNumber: true, isMinor: true, view: ({ hourCount }) => quantityText(hourCount) },
        { title: say("Profit"), isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
        { title: say("Note"), isMinor: true, view: ({ description }) => description },
      ]}
    />
  );
}
