/** Orders at the brokerage, with a way to cancel each order that can still fill. */
import { useState } from "preact/hooks";
import { BUY, MARKET } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { partOfBuy } from "../page/pending.tsx";
import { Confirm } from "../part/confirm.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { averageText, ORDER_STATES, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { isOpen, type Order, queryOf, type Setup } from "../state/model.ts";
import { useStore } from "../state/store.ts";

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: say("Time"), isMinor: true, view: ({ createdDate }) => <Time at={createdDate} /> },
  { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: say("Side"), view: (order) => sideOf(order) },
  { title: say("Type"), isMinor: true, view: (order) => typeOf(order) },
  { title: say("Lots"), isNumber: true, view: (order) => lotsOf(order) },
  { title: say("Price"), isNumber: true, view: (order) => priceOf(order) },
  { title: say("State"), view: (order) => stateOf(order) },
  { title: say("Order no."), isMinor: true, view: ({ orderNo }) => <span class="whole">{orderNo}</span> },
];

function sideOf({ buySell }: Order): string {
  return buySell === BUY ? say("Buy") : say("Sell");
}

function typeOf({ orderType }: Order): string {
  return orderType === MARKET ? say("Market") : say("Limit");
}

/** Filled lots, of all lots. */
function lotsOf({ quantity, filledQuantity }: Order): string {
  return `${quantityText(filledQuantity)} / ${quantityText(quantity)}`;
}

/** The average price of what is filled, else the limit. */
function priceOf({ price, averagePrice }: Order): string {
  if ((averagePrice ?? 0) > 0) return averageText(averagePrice ?? 0);
  return price > 0 ? priceText(price) : say("at market");
}

function stateOf({ orderStatus }: Order): string {
  return ORDER_STATES[orderStatus] ?? say("Unknown");
}

interface OrdersProps {
  readonly dashboard: DashboardState;
  readonly title: string;
  /** Undefined: not read yet. */
  readonly orders: readonly Order[] | undefined;
  readonly empty: string;
}

export function Orders({ dashboard, title, orders, empty }: OrdersProps) {
  const account = useStore(dashboard.account);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const isProtected = useProtected(dashboard, orders);
  const cancel = async ({ orderNo, symbol }: Order): Promise<void> => {
    const body = { brokerageCode: account?.brokerageCode, accountNumber: account?.accountNumber, orderNo, symbol };
    setSaid(
      (await dashboard.attempt(() => dashboard.session.send("POST", "/api/v1/orders/cancel", body))) ??
        say("The brokerage was asked to cancel order {number}.", { number: orderNo }),
    );
  };
  const buttonsOf = (order: Order) =>
    isOpen(order) && (
      <div class="tools row">
        {order.buySell === BUY && (
          <button type="button" onClick={() => dashboard.addressBar.go("pending", partOfBuy(order.orderNo))}>
            {isProtected(order) ? say("Change protection") : say("Protect this buy")}
          </button>
        )}
        <Confirm title={say("Cancel order")} yes={say("Yes, cancel it")} onConfirm={() => void cancel(order)} />
      </div>
    );
  const actions: Column<Order> = { title: say("Actions"), isAction: true, view: buttonsOf };
  return (
    <Table
      title={title}
      columns={orders?.some(isOpen) === true ? [...ORDER_COLUMNS, actions] : ORDER_COLUMNS}
      above={
        said !== undefined && (
          <p role="status" class="said">
            {said}
          </p>
        )
      }
      items={orders}
      isLong={true}
      keyOf={({ orderNo }) => orderNo}
      empty={empty}
      brief={(order) => (
        <>
          <span>
            <strong>{order.symbol}</strong> {sideOf(order)} {say("{lots} lots", { lots: lotsOf(order) })}
          </span>
          <span class="number">{priceOf(order)}</span>
          <span class="hint">
            {typeOf(order)} · <Time at={order.createdDate} />
          </span>
          <span>{stateOf(order)}</span>
          {isOpen(order) && <div class="whole-line">{buttonsOf(order)}</div>}
        </>
      )}
    />
  );
}

/** Returns whether an order has a pending OCO: false while that is not known, as its page finds the pending OCO anyway. */
function useProtected(dashboard: DashboardState, orders: readonly Order[] | undefined): (order: Order) => boolean {
  const account = useStore(dashboard.account);
  const changes = useStore(dashboard.setupChanges);
  const openBuys = (orders ?? []).filter((order) => isOpen(order) && order.buySell === BUY);
  const names = openBuys.map(({ orderNo }) => orderNo).join(",");
  const { data } = useReading(
    dashboard,
    async () =>
      account === undefined || names === ""
        ? []
        : dashboard.session.get<readonly Setup[]>(`/api/v1/oco-orders/pending?${queryOf(account)}`),
    [account, changes, names],
  );
  const numbers = new Set(data?.map(({ brokerOrderNo }) => brokerOrderNo));
  return ({ orderNo }) => numbers.has(orderNo);
}
