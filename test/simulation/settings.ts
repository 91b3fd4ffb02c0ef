/**
 * What differs from world to world: what its brokerages promise and how often what goes wrong.
 */
import { type BrokerageSettings, brokerageSettingsSchema } from "../../src/contract/order.ts";
import type { Trouble } from "./exchange.ts";
import type { Random } from "./random.ts";

export const PROMISES = ["idempotent", "expiry", "query", "none"] as const;
export type Promised = (typeof PROMISES)[number];

/** From a calm world to a wild one. */
export function troubleOf(random: Random): Trouble {
  const level = random.pick([0, 0.3, 1, 2]);
  const share = (): number => random.next() * level * 0.2;
  return {
    lostRequest: share(),
    lostReply: share(),
    lateAccept: share(),
    unreachable: share(),
    rejected: share() / 2,
    unauthorized: share() / 4,
    nonsense: share(),
    slow: share(),
  };
}

/** A brokerage that is named after what it promises. */
export function settingsOf(resend: Promised, random: Random): BrokerageSettings {
  const timeoutMs = random.pick([1_000, 3_000]);
  return brokerageSettingsSchema.parse({
    code: resend,
    name: resend,
    adapter: "gateway",
    resend,
    timeoutMs,
    settleMs: timeoutMs * random.whole(2, 4),
    expiryMs: timeoutMs * 3,
    ordersPerMinute: random.pick([30, 60, 500]),
  });
}
