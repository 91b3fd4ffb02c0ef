/** The pairs of bots: open ones with what they would bring now, closed ones with what they brought. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { familyOf } from "../../../../src/event/family.ts";
import { say } from "../language/say.ts";
import { Profit } from "../part/profit.tsx";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { ageText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, type ClosedPair, type Pair, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import type { BotKind } from "./draft.ts";
import { buyPricesOf, openProfitOf, pairProfitAt, sellPriceOf } from "./pair-worth.ts";
import { ProfitChart } from "./profit-chart.tsx";

const LEG_STATES = ["–", say("Sent"), say("Filled")] as const;
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
      title={say("Open trades of {name}", { name: bot.name })}
      items={pairs.data}
      keyOf={({ id }) => id}
      empty={say("No trade is open.")}
      isLong
      fault={pairs.fault}
      above={pairs.data !== undefined && pairs.data.length > 0 && <OpenSum dashboard={dashboard} pairs={pairs.data} />}
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
        { title: say("Buy price"), isNumber: true, view: ({ buyPrice }) => priceText(buyPrice) },
        {
          title: say("Profit if sold now"),
          isNumber: true,
          view: (pair) => <Open dashboard={dashboard} pair={pair} />,
        },
        { title: say("Sold"), isMinor: true, view: ({ sellStatus }) => LEG_STATES[sellStatus] ?? "" },
        { title: say("Note"), isMinor: true, view: ({ description }) => description ?? "" },
      ]}
    />
  );
}

interface OpenSumProps {
  readonly dashboard: DashboardState;
  readonly pairs: readonly Pair[];
}

/** The profit of all open pairs, at the last prices. */
function OpenSum({ dashboard, pairs }: OpenSumProps) {
  const symbols = [...new Set(pairs.map(({ symbol }) => symbol))];
  const [, setCount] = useState(0);
  useEffect(() => {
    const stops = symbols.map((symbol) => dashboard.price(symbol).subscribe(() => setCount((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [dashboard, symbols.join(" ")]);
  const { profit, missing } = openProfitOf(pairs, (symbol) => dashboard.price(symbol).value?.price);
  return (
    <p>
      {say("Profit if all are sold now")}{" "}
      <strong>
        <Profit amount={missing === pairs.length ? undefined : profit} />
      </strong>
      {missing > 0 && (
        <span class="hint"> {say("({count} trades without a price are left out)", { count: missing })}</span>
      )}
    </p>
  );
}

/** The profit of a sale at the last price. */
function Open({ dashboard, pair }: { readonly dashboard: DashboardState; readonly pair: Pair }) {
  const profit = pairProfitAt(pair, useStore(dashboard.price(pair.symbol))?.price);
  return <Profit amount={profit} />;
}

/** The prices at which pairs bought, from the events that the service keeps. `isAsked`: there are pairs. */
function useBuyPrices({ events, keptEvents }: DashboardState, isAsked: boolean): ReadonlyMap<number, number> {
  const told = useStore(events);
  useEffect(() => {
    if (!isAsked || keptEvents.hasBegun) return;
    // If it fails, older pairs have no prices.
    void keptEvents.readEarlier((type) => familyOf(type) === "bots").catch(() => undefined);
  }, [keptEvents, isAsked]);
  return useMemo(() => buyPricesOf(told), [told]);
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
  const buyPrices = useBuyPrices(dashboard, all !== undefined && all.length > 0);
  const pairs = bot === undefined ? all : all?.filter(({ systemId }) => systemId === bot.id);
  const isCut = history.data !== undefined && history.data.totalCount > history.data.items.length;
  return (
    <Table
      title={title}
      items={pairs}
      keyOf={({ id }) => id}
      empty={isCut ? say("None of them is of this bot.") : say("No trade has been closed yet.")}
      isLong
      fault={history.fault}
      above={
        <>
          {isCut && (
            <p class="hint">
              {say("Only the last {count} closed trades of all bots of this kind are looked at.", {
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
        { title: say("Buy price"), isNumber: true, view: ({ id }) => priceText(buyPrices.get(id)) },
        {
          title: say("Sell price"),
          isNumber: true,
          view: (pair) => priceText(sellPriceOf(pair, buyPrices.get(pair.id))),
        },
        { title: say("Held for"), isNumber: true, isMinor: true, view: heldText },
        { title: say("Profit"), isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
        { title: say("Note"), isMinor: true, view: ({ description }) => description },
      ]}
    />
  );
}

/** How long a pair was held, from the order of its buy to the order of its sell. */
function heldText({ buyOrderDate, sellOrderDate }: ClosedPair): string {
  return buyOrderDate === null || sellOrderDate === null
    ? "–"
    : ageText(Date.parse(sellOrderDate) - Date.parse(buyOrderDate));
}
