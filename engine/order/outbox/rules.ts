/**
 * The rules of the outbox from a brokerage's settings, and for a brokerage that is not configured (any more).
 */
import type { ResendPromise } from "../../../src/contract/trading/order.ts";
import type { Brokerage, Brokerages } from "../../ports/brokerage.ts";
import type { AttemptRules } from "./entry/entry.ts";

export interface BrokerageRules extends AttemptRules {
  /** How long an order may stay on its way under the promise of `query`. */
  readonly settleMs: number;
  readonly ordersPerMinute: number;
}

/** A brokerage that is not configured is unreachable: nothing is sent, so that only the waits matter. */
const ABSENT = { expiryMs: 10_000, settleMs: 20_000, ordersPerMinute: 60 };

/** Returns the rules of a brokerage; `absentPromise` applies if it is not configured. */
export function rulesOf(brokerages: Brokerages, code: string, absentPromise: ResendPromise): BrokerageRules {
  const settings = brokerages.find(code)?.settings;
  if (settings === undefined) return { ...ABSENT, promise: absentPromise };
  const { resend, expiryMs, settleMs, timeoutMs, ordersPerMinute } = settings;
  return { promise: resend, expiryMs, settleMs: settleMs ?? 2 * timeoutMs, ordersPerMinute };
}

const CALL_SPARE_MS = 2_000;

/** A longer call means that this process was suspended, not a late answer. A call can be two questions and an order. */
export function callMsMax(brokerage: Brokerage | undefined): number {
  return 3 * (brokerage?.settings.timeoutMs ?? 0) + CALL_SPARE_MS;
}
