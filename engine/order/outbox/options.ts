/** What an outbox is made from. */
import type { MeasureWait } from "../../../src/domain/market/measure.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Inbox } from "../../ports/actor.ts";
import type { Brokerages } from "../../ports/brokerage.ts";
import type { OnOutcome, OutboxOrder } from "../../ports/order.ts";
import type { Journal } from "../../ports/storage.ts";
import type { Sender } from "./calls.ts";

export interface OutboxOptions {
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly brokerages: Brokerages;
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping, for waits and quotas. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly sender: Sender;
  /** From 0 to below 1: spreads re-tries. */
  readonly random: () => number;
  readonly onOutcome: OnOutcome;
  /** Called for every attempt that leaves. */
  readonly onSent?: (clientOrderId: string) => void;
  /** Called inside the turn that stores the quarantine. The order stays in flight until it is released. */
  readonly onQuarantine: (order: OutboxOrder, reason: string) => void;
  /** Called inside a turn when the market does not take a triggered order now, once an order and start. */
  readonly onPostponed: (order: OutboxOrder, reason: string) => void;
  /** The ms until the market opens for an order that it does not take now; undefined: it is open, or unknown. */
  readonly opensInMs?: (order: OutboxOrder) => number | undefined;
  /** Why a measure keeps an order back now; undefined or absent: none does. */
  readonly waitOf?: (order: OutboxOrder) => MeasureWait | undefined;
  /** The symbol, kind and limit of an order when it is sent now; absent: as submitted. */
  readonly termsOf?: (order: OutboxOrder) => Pick<OutboxOrder, "symbol" | "orderType" | "price">;
  /** Whether two names are of one symbol, which was renamed; absent: none was. */
  readonly isSameSymbol?: ((left: string, right: string) => boolean) | undefined;
  /** Called inside a turn when a measure keeps an order back, and again each hour and after each start. */
  readonly onHeld?: (order: OutboxOrder, reason: string) => void;
  /** Called inside a turn when an order begins to wait for the market to open, once a wait. */
  readonly onWaitsForSession?: (order: OutboxOrder, untilMs: number) => void;
}
