/** The pairs of bots: open ones with what they would bring now, closed ones with what they brought. */
import type { Desk } from "../desk/desk.ts";
import { queryOf } from "../desk/desk.ts";
import type { Account, Bot, ClosedPair, Pair } from "../desk/model.ts";
import { useStore } from "../desk/store.ts";
import { Table } from "../part/table.tsx";
import { useReading } from "../part/use-reading.ts";
import { priceText, quantityText, timeText } from "../part/words.ts";
import type { BotKind } from "./draft.ts";
import { ProfitChart } from "./profit-chart.tsx";

const LEG_STATES = ["–", "Sent", "Completed"] as const;
/** As many as one answer gives. */
const CLOSED_SHOWN = 100;

interface OpenPairsProps {
  readonly desk: Desk;
  readonly account: Account;
  readonly bot: Bot;
  readonly kind: BotKind;
}

export function OpenPairs({ desk, account, bot, kind }: OpenPairsProps) {
  const changes = useStore(desk.botChanges);
  const query = new URLSearchParams({ brokerageCode: account.brokerageCode });
  const pairs = useReading(
    desk,
    () => desk.session.get<readonly Pair[]>(`/api/v1/${kind}/${bot.id}/pair-orders?${query}`),
    [bot.id, changes],
  );
  return (
    <Table
      title={`Open pairs of ${bot.name}`}
      items={pairs.data}
      keyOf={({ id }) => id}
      empty="No pair is open."
      fault={pairs.fault}
      columns={[
        { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: "Lots", isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        {
          title: "Bought",
          view: ({ buyStatus, buyOrderDate }) => `${LEG_STATES[buyStatus] ?? ""} ${timeText(buyOrderDate)}`,
        },
        { title: "At", isNumber: true, view: ({ buyPrice }) => priceText(buyPrice) },
        { title: "Would bring", isNumber: true, view: (pair) => <Open desk={desk} pair={pair} /> },
        { title: "Sold", view: ({ sellStatus }) => LEG_STATES[sellStatus] ?? "" },
        { title: "Note", view: ({ description }) => description ?? "" },
      ]}
    />
  );
}

/** What a sale at the last price would bring. */
function Open({ desk, pair }: { readonly desk: Desk; readonly pair: Pair }) {
  const last = useStore(desk.price(pair.symbol));
  if (pair.buyPrice === null || last === undefined) return <>–</>;
  return <Profit amount={(last.price - pair.buyPrice) * pair.buyQuantity} />;
}

function Profit({ amount }: { readonly amount: number }) {
  return <span class={amount < 0 ? "down" : "up"}>{priceText(amount)}</span>;
}

interface ClosedPairsProps {
  readonly desk: Desk;
  readonly account: Account;
  readonly kind: BotKind;
  readonly title: string;
  /** Undefined: of all bots of the kind. */
  readonly bot: Bot | undefined;
}

export function ClosedPairs({ desk, account, kind, title, bot }: ClosedPairsProps) {
  const changes = useStore(desk.botChanges);
  const path = `/api/v1/${kind}/pair-orders/history?${queryOf(account)}&pageSize=${CLOSED_SHOWN}`;
  const history = useReading(
    desk,
    async () => (await desk.session.get<{ readonly items: readonly ClosedPair[] }>(path)).items,
    [path, changes],
  );
  const pairs = bot === undefined ? history.data : history.data?.filter(({ systemId }) => systemId === bot.id);
  return (
    <Table
      title={title}
      items={pairs}
      keyOf={({ id }) => id}
      empty="No pair was closed yet."
      fault={history.fault}
      above={pairs !== undefined && pairs.length > 0 && <ProfitChart title="Profit" pairs={pairs} />}
      columns={[
        { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: "Lots", isNumber: true, view: ({ buyQuantity }) => quantityText(buyQuantity) },
        { title: "Bought", view: ({ buyOrderDate }) => timeText(buyOrderDate) },
        { title: "Sold", view: ({ sellOrderDate }) => timeText(sellOrderDate) },
        { title: "Hours", isNumber: true, view: ({ hourCount }) => quantityText(hourCount) },
        { title: "Profit", isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
        { title: "Note", view: ({ description }) => description },
      ]}
    />
  );
}
