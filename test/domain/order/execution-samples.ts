/** An order to sell 100 THYAO, and what may be reported of it. */
import type { Evidence, Fact } from "../../../src/domain/order/evidence.ts";
import { apply, beginExecution, type Execution, type ExecutionStep } from "../../../src/domain/order/execution.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import type { Wish } from "../../../src/domain/order/order-number.ts";

export const START_MS = 1_000_000;
export const wish: Wish = {
  clientOrderId: "life-r1",
  symbol: "THYAO",
  buySell: 2,
  quantity: 100,
  limitPrice: null,
  needsPrice: false,
  createdDate: null,
};

export function record(orderStatus: number, filledQuantity: number, changed: Partial<OrderNotice> = {}): OrderNotice {
  const averagePrice = filledQuantity === 0 ? 0 : 90;
  const named = { orderNo: "N1", clientOrderId: "life-r1", symbol: "THYAO", buySell: 2 } as const;
  return { ...named, orderStatus, filledQuantity, averagePrice, quantity: 100, ...changed };
}

export const opened = (changed: Partial<Wish> = {}): Execution =>
  beginExecution({ ...wish, ...changed }, "N1", 1, START_MS).execution;

export const reported = (told: OrderNotice, timeMs = START_MS): Evidence => ({
  type: "reported",
  record: told,
  timeMs,
});
export const lookedUp = (told: OrderNotice, look: number | null, timeMs = START_MS): Evidence => {
  return { type: "lookedUp", record: told, look, timeMs };
};

/** All facts of a sequence, and the execution after it. */
export function play(execution: Execution, ...evidence: readonly Evidence[]): ExecutionStep {
  const facts: Fact[] = [];
  let now = execution;
  for (const one of evidence) {
    const step = apply(now, one);
    facts.push(...step.facts);
    now = step.execution;
  }
  return { execution: now, facts };
}

export const ofType = <T extends Fact["type"]>(facts: readonly Fact[], type: T): Extract<Fact, { type: T }>[] =>
  facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
