/** An order to sell 100 THYAO, and what may be reported of it. */
import assert from "node:assert/strict";
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

/** What the brokerage answers to a question; undefined: nothing. */
export type Answer = (look: number, timeMs: number) => Evidence | undefined;

/** Waits until nothing more is asked; each question gets this answer. The moments of questions, and all facts. */
export function waitOut(from: Execution, answer: Answer) {
  let execution = from;
  const facts: Fact[] = [];
  const asked: number[] = [];
  while (execution.askAtMs !== null) {
    assert.ok(asked.length < 100, "the brokerage is asked for ever");
    const timeMs = execution.askAtMs;
    const step = play(execution, { type: "waited", timeMs });
    facts.push(...step.facts);
    ({ execution } = step);
    for (const { look } of ofType(step.facts, "lookUp")) {
      asked.push(timeMs - START_MS);
      const evidence = answer(look, timeMs);
      const told = evidence === undefined ? undefined : play(execution, evidence);
      facts.push(...(told?.facts ?? []));
      execution = told?.execution ?? execution;
    }
  }
  return { execution, facts, asked };
}
