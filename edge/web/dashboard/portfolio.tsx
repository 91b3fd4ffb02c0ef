/** Positions and the day's orders of the account, as the brokerage tells them. */
import { useEffect, useState } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { Order, Position } from "./model.ts";
import { useStore } from "./store.ts";
import { type Column, Table } from "./table.tsx";
import { useReading } from "./use-reading.ts";
import { ORDER_STATES, priceText, quantityText, timeText } from "./words.ts";

/** The brokerage is asked at most once a second for each; some allow one in three. */
const SETTLE_MS = 3_200;

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: "Lots", isNumber: true, view: ({ quantity }) => quantityText(quantity) },
  { title: "Free to sell", isNumber: true, view: ({ availableQuantity }) => quantityText(availableQuantity) },
  { title: "Average price", isNumber: true, view: ({ averagePrice }) => priceText(averagePrice) },
  { title: "Last price", isNumber: true, view: ({ lastPrice }) => priceText(lastPrice) },
  {
    title: "Profit",
    isNumber: true,
    view: ({ profit }) => <span class={profit < 0 ? "down" : "up"}>{priceText(profit)}</span>,
  },
];

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: "Time", view: ({ createdDate }) => timeText(createdDate) },
  { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: "Side", view: ({ buySell }) => (buySell === 1 ? "Buy" : "Sell") },
  { title: "Kind", view: ({ orderType }) => (orderType === 1 ? "Market" : "Limit") },
  {
    title: "Lots",
    isNumber: true,
    view: ({ quantity, filledQuantity }) => `${quantityText(filledQuantity)} / ${quantityText(quantity)}`,
  },
  {
    title: "Price",
    isNumber: true,
    view: ({ price, averagePrice }) => priceText(averagePrice === null || averagePrice === 0 ? price : averagePrice),
  },
  { title: "State", view: ({ orderStatus }) => ORDER_STATES[orderStatus] ?? "Unknown" },
  { title: "Number", view: ({ orderNo }) => orderNo },
];

export function Portfolio({ desk }: { readonly desk: Desk }) {
  const account = useStore(desk.account);
  const changes = useSettled(useStore(desk.brokerageChanges));
  const body = { brokerageCode: account?.brokerageCode, accountNumber: account?.accountNumber };
  const ask = async <T,>(path: string, more: object): Promise<readonly T[]> =>
    account === undefined ? [] : (await desk.session.send<readonly T[]>("POST", path, { ...body, ...more })).data;
  const positions = useReading(desk, () => ask<Position>("/api/v1/accounts/positions", { includeOrders: false }), [
    account,
    changes,
  ]);
  const orders = useReading(desk, () => ask<Order>("/api/v1/accounts/daily-orders", {}), [account, changes]);
  const newestFirst = orders.data?.toSorted((left, right) => right.createdDate.localeCompare(left.createdDate));
  return (
    <>
      <Table
        title="Positions"
        columns={POSITION_COLUMNS}
        items={positions.data}
        keyOf={({ symbol }) => symbol}
        empty="No position."
        fault={positions.fault}
      />
      <Table
        title="Orders of the day"
        columns={ORDER_COLUMNS}
        items={newestFirst}
        keyOf={({ orderNo }) => orderNo}
        empty="No order today."
        fault={orders.fault}
      />
    </>
  );
}

/** Follows a value that may change many times a second, a little later and seldom. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
