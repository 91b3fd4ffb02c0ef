/** Money, positions and the day's orders of the account, as the brokerage tells them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Confirm } from "../part/confirm.tsx";
import { Profit, Share } from "../part/profit.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useSettled } from "../part/use-settled.ts";
import { averageText, moneyText, ORDER_STATES, priceText, quantityText } from "../part/words.ts";
import { marketValueOf, profitShareOf } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance, Holding, Order, Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { Doubts } from "./doubts.tsx";
import { Totals } from "./totals.tsx";
import { Trading } from "./trading.tsx";

const SETTLE_MS = 3_200;
/** Waiting and open: what can still be taken back. */
const OPEN_STATES: ReadonlySet<number> = new Set([0, 1]);

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: "Lots", isNumber: true, view: ({ quantity }) => quantityText(quantity) },
  {
    title: "Free to sell",
    isNumber: true,
    isMinor: true,
    view: ({ availableQuantity }) => quantityText(availableQuantity),
  },
  { title: "Average price", isNumber: true, isMinor: true, view: ({ averagePrice }) => averageText(averagePrice) },
  { title: "Last price", isNumber: true, view: ({ lastPrice }) => priceText(lastPrice) },
  { title: "Value", isNumber: true, isMinor: true, view: (position) => amountText(marketValueOf(position)) },
  { title: "Profit", isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
  {
    title: "Profit in percent",
    isNumber: true,
    isMinor: true,
    view: (position) => <Share share={profitShareOf(position)} />,
  },
];

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: "Time", isMinor: true, view: ({ createdDate }) => <Time at={createdDate} /> },
  { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: "Side", view: ({ buySell }) => (buySell === 1 ? "Buy" : "Sell") },
  { title: "Kind", isMinor: true, view: ({ orderType }) => (orderType === 1 ? "Market" : "Limit") },
  {
    title: "Lots",
    isNumber: true,
    view: ({ quantity, filledQuantity }) => `${quantityText(filledQuantity)} / ${quantityText(quantity)}`,
  },
  {
    title: "Price",
    isNumber: true,
    view: ({ price, averagePrice }) =>
      averagePrice === null || averagePrice === 0 ? priceText(price) : averageText(averagePrice),
  },
  { title: "State", view: ({ orderStatus }) => ORDER_STATES[orderStatus] ?? "Unknown" },
  { title: "Number", isMinor: true, view: ({ orderNo }) => orderNo },
];

function amountText(amount: number | undefined): string {
  return amount === undefined ? "–" : moneyText(amount);
}

interface PortfolioProps {
  readonly dashboard: DashboardState;
  /** Opens a new group for what is held. */
  readonly onProtect: (holding: Holding) => void;
}

export function Portfolio({ dashboard, onProtect }: PortfolioProps) {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [positions, setPositions] = useState<readonly Position[] | undefined>(undefined);
  const [orders, setOrders] = useState<readonly Order[] | undefined>(undefined);
  const [balance, setBalance] = useState<Balance | null | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState<string | undefined>(undefined);
  // What changes while it is read waits until that is done: it may take longer than the next change to come.
  const [isReading, setIsReading] = useState(false);
  const reason = useRef(changes);
  if (!isReading) reason.current = changes;
  useEffect(() => {
    if (account === undefined) return;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const asking = { account, isWanted: () => isWanted };
      const found = await dashboard.portfolio.positions(asking);
      if (isWanted) setPositions(found);
      const day = await dashboard.portfolio.dailyOrders(asking);
      if (isWanted && day !== undefined)
        setOrders(day.toSorted((left, right) => right.createdDate.localeCompare(left.createdDate)));
      const money = await dashboard.portfolio.balance(asking);
      if (isWanted) setBalance(money);
    };
    setIsReading(true);
    void dashboard
      .ask(read, { isWanted: () => isWanted, onFault: setFault })
      .then(() => isWanted && setIsReading(false));
    return () => {
      isWanted = false;
    };
  }, [dashboard, account, reason.current]);
  const cancel = async ({ orderNo, symbol }: Order): Promise<void> => {
    const body = { brokerageCode: account?.brokerageCode, accountNumber: account?.accountNumber, orderNo, symbol };
    setSaid(
      (await dashboard.attempt(() => dashboard.session.send("POST", "/api/v1/orders/cancel", body))) ??
        `The brokerage was asked to cancel order ${orderNo}.`,
    );
  };
  const protectColumn: Column<Position> = {
    title: "Protect",
    view: ({ symbol, availableQuantity }) =>
      availableQuantity > 0 && (
        <button
          type="button"
          aria-label={`Protect ${symbol}`}
          onClick={() => onProtect({ symbol, quantity: availableQuantity })}
        >
          Protect
        </button>
      ),
  };
  const cancelColumn: Column<Order> = {
    title: "Cancel",
    view: (order) =>
      OPEN_STATES.has(order.orderStatus) && (
        <Confirm title="Cancel order" yes="Yes, cancel it" onConfirm={() => void cancel(order)} />
      ),
  };
  return (
    <>
      <Doubts dashboard={dashboard} />
      <Totals balance={balance} positions={positions} />
      <Table
        title="Positions"
        columns={[...POSITION_COLUMNS, protectColumn]}
        items={positions}
        keyOf={({ symbol }) => symbol}
        empty="No position."
        fault={fault}
      />
      <Table
        title="Orders of the day"
        columns={[...ORDER_COLUMNS, cancelColumn]}
        above={
          said !== undefined && (
            <p role="status" class="said">
              {said}
            </p>
          )
        }
        items={orders}
        keyOf={({ orderNo }) => orderNo}
        empty="No order today."
      />
      <Trading dashboard={dashboard} />
    </>
  );
}
