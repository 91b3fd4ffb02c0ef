/**
 * The group of an entry that protects what is filled while its buy works (behaviour 24.7).
 *
 * Owns: when that group is made, and which facts of the buy it receives. Does not own: which rows the lots go to
 * (`oco/growth.ts`), the life of the buy (`setup-end.ts`).
 *
 * Invariants:
 * 1. The bought lots are read from the buy after each step, never summed up from news: news that comes twice, late or
 *    after a restart reaches the group once.
 * 2. Without a group each further fill tries again, and so does the end of the buy.
 */
import type { Market } from "./market/calendar.ts";
import type { GrownPlan } from "./oco/growth.ts";
import type { GroupPlan } from "./oco/oco-plan.ts";
import { isUnderWay } from "./order/execution.ts";
import { averagePriceOf } from "./order/order-number.ts";
import { type Result, refuse } from "./refusal.ts";
import { boughtBy, isConverting, missesExitAt, type PendingSetup, type Protection, planConversion } from "./setup.ts";
import type { SetupDecision } from "./setup-decision.ts";

export const NO_PRICE = "the brokerage reported no price of the fill";

interface Moment {
  readonly timeMs: number;
  /** Absent: not known. */
  readonly market?: Market | undefined;
}

/** Whether an entry that protects parts may still buy more. */
export function isBuyingPart({ entry, buy }: PendingSetup): boolean {
  return entry?.protection !== undefined && isUnderWay(buy);
}

/** Records the facts that the group has received; returns the same setup if it protects no parts. */
function withProtection(setup: PendingSetup, told: Partial<Protection>): PendingSetup {
  const { entry } = setup;
  if (entry?.protection === undefined) return setup;
  return { ...setup, entry: { ...entry, protection: { ...entry.protection, ...told } } };
}

/** Records the opened group; returns the same setup if it protects no parts. */
export function withGroup(setup: PendingSetup, groupId: number): PendingSetup {
  const { entry } = setup;
  if (entry?.protection === undefined) return setup;
  const { refusal: _, ...protection } = entry.protection;
  return { ...setup, entry: { ...entry, protection: { ...protection, groupId } } };
}

/** The group of what was bought, at its average price; refused (INVALID) with the reason why none can be made. */
export function planGroup(setup: PendingSetup, { timeMs, market }: Moment): Result<GroupPlan> {
  const price = averagePriceOf(setup.buy);
  return price === null ? refuse("INVALID", NO_PRICE) : planConversion(setup, price, timeMs, market?.calendar);
}

/** Adds a group of the bought lots to the decision. */
export function converting(decision: SetupDecision, group: GroupPlan, timeMs: number): SetupDecision {
  const { setup } = decision;
  const missed = missesExitAt(setup, timeMs) && { hasMissedExitAt: true as const };
  const fillPrice = averagePriceOf(setup.buy);
  return { ...decision, setup: { ...withProtection(setup, toldOf(setup)), fillPrice, ...missed }, group };
}

/** Notifies the owner that a part is not protected, and why. The same reason is not repeated. */
export function unprotected(decision: SetupDecision, reason: string): SetupDecision {
  const { setup, notices } = decision;
  const noted = { ...decision, setup: withProtection(setup, { ...toldOf(setup), refusal: reason }) };
  if (setup.entry?.protection?.refusal === reason) return noted;
  return { ...noted, notices: [...notices, { type: "setup.unprotected", message: reason }] };
}

/** Adds the new facts of the buy for the group, or opens it; returns the same decision if nothing is new. */
export function protect(decision: SetupDecision, moment: Moment): SetupDecision {
  const { setup } = decision;
  const protection = setup.entry?.protection;
  if (protection === undefined || decision.group !== null || isConverting(setup)) return decision;
  const told = toldOf(setup);
  const { groupId, bought, price, isBuying } = protection;
  if (told.bought === bought && told.price === price && told.isBuying === isBuying) return decision;
  const plan = planGroup(setup, moment);
  if (groupId !== null) {
    const { timeMs } = moment;
    const growth = { groupId, bought: told.bought, isBuying: told.isBuying, plan: grownPlan(plan), timeMs };
    return { ...decision, setup: withProtection(setup, told), growth };
  }
  if (setup.outcome !== null || told.bought === 0) return decision;
  return plan.ok ? converting(decision, plan.value, moment.timeMs) : unprotected(decision, plan.message);
}

function toldOf(setup: PendingSetup): Omit<Protection, "groupId"> {
  return { ...boughtBy(setup), price: averagePriceOf(setup.buy) };
}

function grownPlan(plan: Result<GroupPlan>): GrownPlan | null {
  if (!plan.ok) return null;
  const { stopLoss, takeProfits, ladder, growth } = plan.value;
  const tiered = takeProfits.map((level, index) => ({ ...level, tier: growth?.tiers?.[index] ?? index }));
  return { stopLoss, takeProfits: tiered, ...(ladder !== undefined && { ladder }) };
}
