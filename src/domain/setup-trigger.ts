/**
 * A stop entry: its buy is sent once the price has risen to its trigger (behaviour 24.11).
 *
 * Owns: what a valid trigger is, waiting for it, moving it, reaching it. Does not own: when a price counts (the watchbook),
 * the end of an entry and the buy after it was sent (`setup-entry.ts`).
 *
 * Invariants:
 * 1. Before the trigger is reached no order exists, so that an end needs no cancel.
 * 2. A trigger is reached once: the buy is asked for in the step that notes it.
 * 3. A trigger that was moved is newly armed: no price from before reaches it.
 */
import { numberText, priceToNumber } from "./price/price.ts";
import { parseGridPrice, type TickTable } from "./price/tick-table.ts";
import { accept, type Result, refuse } from "./refusal.ts";
import { type Entry, type EntryTrigger, type PendingSetup, STOP_ENTRY } from "./setup.ts";
import type { SetupDecision } from "./setup-decision.ts";

interface TriggerRequest {
  readonly orderType: number;
  readonly price?: number | undefined;
  /** In currency units. */
  readonly triggerPrice?: number | undefined;
}

/** The trigger of an entry; undefined for an entry without one. Refusals are INVALID. */
export function planTrigger(
  { orderType, price = 0, triggerPrice }: TriggerRequest,
  table: TickTable,
): Result<EntryTrigger | undefined> {
  if (orderType !== STOP_ENTRY) {
    if (triggerPrice === undefined) return accept(undefined);
    return refuse("INVALID", "entry.triggerPrice is only for a stop entry (orderType 3)");
  }
  if (triggerPrice === undefined) return refuse("INVALID", "entry.triggerPrice is required for a stop entry");
  if (!Object.is(price, 0)) {
    return refuse("INVALID", `entry.price ${numberText(price)} of a stop entry must be 0: it buys at market`);
  }
  const level = parseGridPrice(triggerPrice, "entry.triggerPrice", table);
  return level.ok ? accept({ level: level.value }) : level;
}

/** The trigger that an entry waits for; undefined if it waits for none. */
export function waitingTrigger({
  entry,
  outcome,
}: {
  readonly entry?: Pick<Entry, "trigger">;
  readonly outcome: PendingSetup["outcome"];
}): EntryTrigger | undefined {
  const trigger = entry?.trigger;
  return outcome === null && trigger?.reachedPrice === undefined ? trigger : undefined;
}

/**
 * The trigger of a stop entry at another price (behaviour 24.13); the same one if the price is the same. Refused as a
 * CONFLICT once it was reached, else as INVALID.
 */
export function moveTrigger(
  setup: PendingSetup,
  triggerPrice: number,
  { nowMs, table }: { readonly nowMs: number; readonly table: TickTable },
): Result<EntryTrigger> {
  if (setup.entry?.trigger === undefined) {
    return refuse("INVALID", "triggerPrice is only for a stop entry (orderType 3)");
  }
  const trigger = waitingTrigger(setup);
  if (trigger === undefined) return refuse("CONFLICT", "the trigger was reached already, and the buy was sent");
  // A price that it has already stays valid, also if the tick table of its symbol is another one now.
  if (priceToNumber(trigger.level) === triggerPrice) return accept(trigger);
  const level = parseGridPrice(triggerPrice, "triggerPrice", table);
  return level.ok ? accept({ level: level.value, armedAtMs: nowMs }) : level;
}

/**
 * The price has reached the trigger: the buy is to be sent. Undefined if the entry does not wait for it, or if the price
 * reached a trigger of before.
 */
export function reachTrigger(setup: PendingSetup, price: number): SetupDecision | undefined {
  const trigger = waitingTrigger(setup);
  if (trigger === undefined || setup.entry === undefined || price < priceToNumber(trigger.level)) return undefined;
  const entry = { ...setup.entry, trigger: { ...trigger, reachedPrice: price } };
  const notice = { type: "setup.triggered", message: null } as const;
  return { setup: { ...setup, entry }, group: null, notices: [notice], told: [], isBuying: true };
}
