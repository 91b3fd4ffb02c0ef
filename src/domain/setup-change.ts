/**
 * Changes the plan of a registered setup in place: levels, quantities, due date, notes, exit, trailing, ladder,
 * corporate actions and position (behaviour 5.9), and of an entry its expiry and its trigger (24.13).
 *
 * Owns: which changes are valid, and the setup after a change. Does not own: versions and who may change (the command),
 * what the order's life changes (`setup-end.ts`).
 *
 * Invariants:
 * 1. Only a setup that waits for its order changes; its order, its id and its claim stay.
 * 2. The rules of a registration apply to the whole result, as the checks are the same.
 */
import type { Calendar } from "./market/calendar.ts";
import type { ActionPolicy } from "./market/corporate-action.ts";
import { type Ladder, withActionPolicy } from "./oco/group.ts";
import { type LadderRequest, planLadder, requestedRungs } from "./oco/ladder.ts";
import { checkQuantities, exitTerms, planTerms } from "./oco/oco-plan.ts";
import { type ExitRequest, planExitTimes } from "./oco/timed-exit.ts";
import { planTrailing, type TrailingRequest, termsOf } from "./oco/trailing.ts";
import { type Hundredths, priceToNumber } from "./price/price.ts";
import { parseQuantity } from "./price/quantity.ts";
import type { TickTable } from "./price/tick-table.ts";
import { accept, type Result, refuse } from "./refusal.ts";
import {
  checkFixedOrder,
  type Entry,
  isRegistered,
  type PendingSetup,
  planTier,
  type SetupPlan,
  type SetupRequest,
  type SetupTier,
  type TierFields,
} from "./setup.ts";
import { checkAround, passedMoment, planExpiry } from "./setup-entry.ts";
import { moveTrigger } from "./setup-trigger.ts";

/** What a client sends, already of the right shape; an absent field is unchanged. */
export interface SetupChangeRequest {
  readonly stopLossQuantity?: number | undefined;
  /** Replaces a price. */
  readonly stopLossPercent?: number | undefined;
  /** Replaces a percent. */
  readonly stopLossPrice?: number | undefined;
  /** The whole new list. */
  readonly takeProfitItems?: SetupRequest["takeProfitItems"] | undefined;
  readonly dueDate?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly exit?: ExitRequest | undefined;
  readonly stopLossTrailing?: TrailingRequest | null | undefined;
  readonly stopLossLadder?: LadderRequest["stopLossLadder"];
  readonly corporateActions?: ActionPolicy | undefined;
  readonly followPosition?: boolean | undefined;
  /** Of an entry; null: its buy is not cancelled any more. */
  readonly expiresAt?: string | null | undefined;
  /** Of a stop entry that waits. */
  readonly triggerPrice?: number | undefined;
}

/** The plan of a setup after a change, and of an entry its buy. */
export interface ChangedPlan extends SetupPlan {
  readonly entry?: Entry;
}

interface Terms {
  readonly nowMs: number;
  /** The symbol's current tick table. */
  readonly table: TickTable;
  readonly zone: string;
  /** Of its exchange; undefined: not known. */
  readonly calendar: Calendar | undefined;
}

/**
 * The plan of a setup after a change (behaviour 5.9). A refusal is INVALID and names field and rule, or a CONFLICT if the
 * setup converts or is over.
 */
export function planSetupChange(setup: PendingSetup, request: SetupChangeRequest, terms: Terms): Result<ChangedPlan> {
  if (!isRegistered(setup)) return refuse("CONFLICT", "the pending OCO does not wait for its order any more");
  if (setup.entry?.protection?.groupId && !changesExpiryAlone(request)) {
    const { groupId } = setup.entry.protection;
    return refuse("CONFLICT", `a part is filled and has its group ${groupId}; change that one`);
  }
  if (setup.entry !== undefined && request.stopLossQuantity !== undefined) {
    return refuse("INVALID", "stopLossQuantity of an entry is what it buys, and cannot be given");
  }
  const stopLoss = planStopLoss(setup, request, terms.table);
  if (!stopLoss.ok) return stopLoss;
  const takeProfits = planTakeProfits(setup, request.takeProfitItems, terms.table);
  if (!takeProfits.ok) return takeProfits;
  const quantities = checkQuantities(
    stopLoss.value.quantity,
    takeProfits.value.map(({ quantity }) => quantity),
  );
  if (!quantities.ok) return quantities;
  const order = checkFixedOrder(stopLoss.value, takeProfits.value);
  if (!order.ok) return order;
  const entry = planEntryChange(setup, request, terms);
  if (!entry.ok) return entry;
  const around = entry.value && checkAround(entry.value, { stopLoss: stopLoss.value, takeProfits: takeProfits.value });
  if (around !== undefined) return around;
  const { dueDate, notes } = request;
  const given = planTerms({ dueDate, notes }, terms.nowMs, terms.zone);
  if (!given.ok) return given;
  const trailing = planTrail(setup, request, terms.table);
  if (!trailing.ok) return trailing;
  const ladder = planRungs(setup, request, takeProfits.value.length, terms.table);
  if (!ladder.ok) return ladder;
  const times = planExitTimes(request.exit, terms.nowMs, terms.calendar, setup.exitTimes);
  if (!times.ok) return times;
  const exitTimes = times.value === undefined ? setup.exitTimes : times.value;
  const { exitPolicy = setup.exitPolicy } = exitTerms(request);
  const { followPosition = setup.followsPosition === true } = request;
  const hasNewLevels = stopLoss.value !== setup.stopLoss || takeProfits.value !== setup.takeProfits;
  return accept({
    stopLoss: stopLoss.value,
    takeProfits: takeProfits.value,
    dueAtMs: dueDate === undefined ? setup.dueAtMs : given.value.dueAtMs,
    notes: notes === undefined ? setup.notes : given.value.notes,
    tickTable: hasNewLevels ? terms.table : setup.tickTable,
    ...(exitPolicy !== undefined && { exitPolicy }),
    ...(exitTimes && { exitTimes }),
    ...trailing.value,
    ...(ladder.value !== undefined && { ladder: ladder.value }),
    ...(entry.value !== undefined && { entry: entry.value }),
    ...withActionPolicy(setup.corporate, request.corporateActions),
    ...(followPosition && { followsPosition: true as const }),
  });
}

/** While the buy continues for the group of a part, its expiry can change. */
function changesExpiryAlone({ expiresAt: _, ...others }: SetupChangeRequest): boolean {
  return Object.values(others).every((value) => value === undefined);
}

/** The entry of a setup after a change; undefined if another system placed its buy. */
function planEntryChange(
  setup: PendingSetup,
  { expiresAt, triggerPrice }: SetupChangeRequest,
  terms: Terms,
): Result<Entry | undefined> {
  const { entry } = setup;
  const trigger = triggerPrice === undefined ? accept(entry?.trigger) : moveTrigger(setup, triggerPrice, terms);
  if (!trigger.ok) return trigger;
  const moved = entry && trigger.value ? { ...entry, trigger: trigger.value } : entry;
  if (expiresAt === undefined) return accept(moved);
  if (moved === undefined) return refuse("INVALID", "expiresAt is only for an entry");
  if (moved.ending !== undefined || passedMoment(setup, terms.nowMs) !== undefined) {
    return refuse("CONFLICT", "the buy of the entry is being cancelled");
  }
  const expiry = planExpiry(expiresAt, "expiresAt", terms.nowMs, terms.zone);
  if (!expiry.ok) return expiry;
  const { expiresAtMs: _, ...others } = moved;
  return accept(expiry.value === undefined ? others : { ...others, expiresAtMs: expiry.value });
}

/** True if the change leaves the plan as it is. */
export function leavesSetup(setup: PendingSetup, plan: ChangedPlan): boolean {
  return canonical(setup) === canonical(plan);
}

/** The setup with another plan; undefined if it does not wait for its order any more. */
export function changeSetup(setup: PendingSetup, plan: ChangedPlan): PendingSetup | undefined {
  if (!isRegistered(setup)) return undefined;
  const {
    exitPolicy: _,
    exitTimes: __,
    trailing: ___,
    ladder: ____,
    corporate: _____,
    followsPosition: ______,
    ...rest
  } = setup;
  return { ...rest, ...plan, changes: (setup.changes ?? 0) + 1 };
}

/** A plan as text that is equal for equal plans. The tick table of unchanged levels does not count. */
function canonical(plan: ChangedPlan): string {
  const { stopLoss, takeProfits, dueAtMs, notes, exitPolicy, exitTimes, trailing, ladder, entry, corporate } = plan;
  const { followsPosition } = plan;
  const tier = ({ quantity, ...level }: SetupTier) => [quantity, level];
  return JSON.stringify([
    tier(stopLoss),
    takeProfits.map(tier),
    dueAtMs,
    notes,
    exitPolicy,
    exitTimes && [exitTimes.atMs, exitTimes.beforeCloseMinutes],
    trailing && termsOf(trailing),
    ladder && [
      ladder.tickTable,
      ladder.rungs.map(({ afterTakeProfits, to, offset }) => [afterTakeProfits, to, offset]),
    ],
    entry && [entry.expiresAtMs, entry.trigger?.level],
    corporate?.policy,
    followsPosition,
  ]);
}

function planStopLoss(setup: PendingSetup, request: SetupChangeRequest, table: TickTable): Result<SetupTier> {
  const { stopLossPercent: percent, stopLossPrice: price } = request;
  const { stopLoss } = setup;
  if (percent === undefined && price === undefined) {
    if (request.stopLossQuantity === undefined) return accept(stopLoss);
    const quantity = parseQuantity(request.stopLossQuantity, "stopLossQuantity");
    return quantity.ok ? accept({ ...stopLoss, quantity: quantity.value }) : quantity;
  }
  const fields = { quantity: "stopLossQuantity", percent: "stopLossPercent", price: "stopLossPrice" };
  const given = { quantity: request.stopLossQuantity ?? stopLoss.quantity, percent, price };
  return planLevel(given, fields, "stopLoss", table, [stopLoss]);
}

function planTakeProfits(
  { takeProfits }: PendingSetup,
  items: SetupChangeRequest["takeProfitItems"],
  table: TickTable,
): Result<readonly SetupTier[]> {
  if (items === undefined) return accept(takeProfits);
  const tiers: SetupTier[] = [];
  for (const [index, item] of items.entries()) {
    const field = `takeProfitItems[${index}]`;
    const fields = { quantity: `${field}.quantity`, percent: `${field}.percent`, price: `${field}.price` };
    const tier = planLevel(item, fields, "takeProfit", table, takeProfits);
    if (!tier.ok) return tier;
    tiers.push(tier.value);
  }
  return accept(tiers);
}

/** A price that the setup has already stays valid, also if the tick table of its symbol is another one now. */
function planLevel(
  given: SetupRequest["takeProfitItems"][number],
  fields: TierFields,
  kind: "stopLoss" | "takeProfit",
  table: TickTable,
  before: readonly SetupTier[],
): Result<SetupTier> {
  const kept = given.percent === undefined ? before.find((tier) => isAt(tier, given.price)) : undefined;
  if (kept === undefined) return planTier(given, fields, kind, table);
  const quantity = parseQuantity(given.quantity, fields.quantity);
  return quantity.ok ? accept({ ...kept, quantity: quantity.value }) : quantity;
}

function isAt(tier: SetupTier, price: number | null | undefined): tier is SetupTier & { readonly price: Hundredths } {
  return "price" in tier && priceToNumber(tier.price) === price;
}

function planTrail(
  { trailing }: PendingSetup,
  { stopLossTrailing }: SetupChangeRequest,
  table: TickTable,
): Result<Pick<SetupPlan, "trailing">> {
  if (stopLossTrailing === undefined) return accept(trailing === undefined ? {} : { trailing });
  if (stopLossTrailing === null) return accept({});
  const planned = planTrailing(stopLossTrailing, table);
  return planned.ok ? accept({ trailing: planned.value }) : planned;
}

/** The rungs count take-profits, so that a new list of those is held to rungs that stay, too. */
function planRungs(
  { ladder }: PendingSetup,
  { stopLossLadder, takeProfitItems }: SetupChangeRequest,
  takeProfitCount: number,
  table: TickTable,
): Result<Ladder | undefined> {
  if (stopLossLadder === undefined && takeProfitItems === undefined) return accept(ladder);
  const isKept = stopLossLadder === undefined;
  const rungs = isKept ? requestedRungs(ladder) : stopLossLadder;
  const planned = planLadder({ stopLossLadder: rungs }, { takeProfitCount, isEntryKnownLater: true, table });
  return planned.ok && isKept ? accept(ladder) : planned;
}
