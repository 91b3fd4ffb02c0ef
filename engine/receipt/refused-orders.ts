/**
 * Orders that their brokerage refused, so that a fill that it reports for one of them afterwards is not lost
 * (behaviour 13.7).
 *
 * Owns: which orders of this life were refused, and what was reported of them since. Does not own: sells of groups, whose
 * receipts are durable.
 */
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import { rowIdOfSell } from "../../src/domain/oco/sell-name.ts";
import { beginExecution, type Execution, type ExecutionStep } from "../../src/domain/order/execution.ts";
import { ORDER_OPEN } from "../../src/domain/order/order.ts";
import { hear, type OrderUpdated } from "../../src/domain/order/order-news.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { OrderName, OutboxOrder } from "../ports/order.ts";

/** The most refused orders that are remembered: the oldest are forgotten. */
const ORDERS_MAX = 10_000;

interface Refused {
  readonly order: OutboxOrder;
  /** Undefined: nothing was reported of it. */
  readonly execution: Execution | undefined;
}

export class RefusedOrders {
  readonly #orders = new LruCache<string, Refused>(ORDERS_MAX);

  /** Notes a refused order. */
  note(order: OutboxOrder): void {
    if (rowIdOfSell(order.clientOrderId) === undefined) this.#orders.set(keyOf(order), { order, execution: undefined });
  }

  /** Judges a record of an order that no actor follows. Returns undefined if no order of its name was refused. */
  hear(
    brokerageCode: string,
    record: OrderRecord,
    news: OrderUpdated,
  ): { readonly order: OutboxOrder; readonly step: ExecutionStep } | undefined {
    const { clientOrderId } = record;
    const key = clientOrderId === null ? undefined : keyOf({ brokerageCode, clientOrderId });
    const known = key === undefined ? undefined : this.#orders.get(key);
    if (key === undefined || known === undefined) return undefined;
    const { order } = known;
    const step = hear(known.execution ?? refusedExecution(order, record.orderNo, news), news);
    this.#orders.set(key, { order, execution: step.execution });
    return { order, step };
  }
}

/** Its end was the refusal: every fill comes after it. */
function refusedExecution(order: OutboxOrder, orderNo: string, { timeMs, look }: OrderUpdated): Execution {
  const { clientOrderId, symbol, buySell, quantity } = order;
  const terms = { limitPrice: null, needsPrice: false, createdDate: null };
  const { execution } = beginExecution(
    { clientOrderId, symbol, buySell, quantity, ...terms },
    orderNo,
    ORDER_OPEN,
    timeMs,
  );
  const orders = execution.orders.map((number) => ({ ...number, isEnded: true }));
  return { ...execution, orders, phase: "ended", lookCount: look ?? 0 };
}

function keyOf({ brokerageCode, clientOrderId }: OrderName): string {
  return `${brokerageCode}/${clientOrderId}`;
}
