/**
 * A group that takes over the lots of an entry as they are filled (behaviour 24.7).
 *
 * Owns: which rows the lots of a fill go to. Does not own: the levels of an entry (`setup.ts`), how a stop-loss is sold
 * (`exit.ts`).
 *
 * Invariants:
 * 1. The group receives totals, never differences: a total that is not above the known one brings no lots.
 * 2. Take-profits together have at most the lots that were bought, fired take-profits included.
 * 3. Lots of a stop-loss that has fired are sold by its exit; lots that are neither watched nor sold are reported.
 */
import { prorate } from "../price/quantity.ts";
import { changeGroup, type GroupChange } from "./change.ts";
import { pursue } from "./exit.ts";
import {
  CANCELLED,
  changeRows,
  type Growth,
  isOpen,
  isStopping,
  type Ladder,
  type OcoGroup,
  type OcoRow,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  TRIGGERED,
} from "./group.ts";
import { closeSoldOut, type Decision, isExitStopped, unchanged } from "./oco.ts";
import type { Tier } from "./oco-plan.ts";

/** Levels of all lots that were bought so far. */
export interface GrownPlan {
  readonly stopLoss: Tier;
  /** `tier`: the place in the entry. */
  readonly takeProfits: readonly (Tier & { readonly tier: number })[];
  readonly ladder?: Ladder;
}

/** The lots that an entry has bought so far. */
export interface Bought {
  readonly bought: number;
  /** False: nothing more is bought. */
  readonly isBuying: boolean;
  /** Null: no levels are known, or they are not in order. */
  readonly plan: GrownPlan | null;
  /** The ids of the rows that {@link lackingRows} counts. */
  readonly ids: readonly number[];
  readonly timeMs: number;
}

/** How many take-profits of a plan have no row yet. */
export function lackingRows({ growth }: OcoGroup, plan: GrownPlan | null): number {
  if (growth?.tiers === undefined || plan === null) return 0;
  return plan.takeProfits.length - growth.tiers.length;
}

/** Adds the lots that its entry has bought to the group; returns undefined for a group that does not grow. */
export function grow(group: OcoGroup, { bought, isBuying, plan, ids, timeMs }: Bought): Decision | undefined {
  const { growth } = group;
  if (growth === undefined) return undefined;
  const total = Math.max(growth.bought, bought);
  const known: Growth = { ...growth, bought: total, isBuying: growth.isBuying && isBuying };
  const taken = take({ ...group, growth: known }, total - growth.bought, plan, ids, timeMs);
  const closed = closeSoldOut(taken.group, timeMs);
  if (closed === taken.group) return taken;
  return { ...taken, group: closed, notices: [...taken.notices, { type: "oco.cancelled", row: STOP_LOSS }] };
}

function take(group: OcoGroup, lots: number, plan: GrownPlan | null, ids: readonly number[], timeMs: number): Decision {
  if (isOpen(group.rows[STOP_LOSS])) return spread(group, lots, plan, ids, timeMs);
  const stop = stopLossOf(group);
  if (lots === 0) return unchanged(group);
  const isFired = isStopping(group) || stop.status === TRIGGERED;
  if (!isFired || isExitStopped(group)) {
    const message = `${lots} lots were bought after the stop-loss was over: nothing watches them`;
    const noted = stop.status === CANCELLED ? group : addLots(group, lots, isFired ? lots : 0);
    return { ...unchanged(noted), notices: [{ type: "alarm.exitStopped", row: STOP_LOSS, message }] };
  }
  const message = `${lots} lots were bought after the stop-loss had fired, and are sold too`;
  return {
    ...unchanged(pursue(addLots(group, lots))),
    notices: [{ type: "oco.lateFill", row: STOP_LOSS, message }],
  };
}

function addLots(group: OcoGroup, lots: number, unsold = 0): OcoGroup {
  return changeRows(group, [STOP_LOSS], (row) => {
    return { ...row, quantity: row.quantity + lots, unsoldQuantity: row.unsoldQuantity + unsold };
  });
}

/** Lots of a stop-loss that is under watch. */
function spread(
  group: OcoGroup,
  lots: number,
  plan: GrownPlan | null,
  ids: readonly number[],
  timeMs: number,
): Decision {
  const { growth, dueAtMs, notes } = group;
  const tiers = growth?.tiers;
  const stop = stopLossOf(group);
  const grown = { price: stop.price, quantity: stop.quantity + lots };
  const isUntouched = group.rows.every(isOpen);
  let shared: Shared = { stopLoss: grown, changed: [], added: [] };
  if (tiers !== undefined && plan !== null) {
    shared = isUntouched ? asPlanned(group, tiers, plan) : { stopLoss: grown, ...shareOut(group, tiers, plan) };
  }
  const { stopLoss, changed, added, ladder } = shared;
  const isMoved = stopLoss.price !== stop.price || stopLoss.quantity !== stop.quantity;
  if (!isMoved && changed.length + added.length === 0) return unchanged(group);
  const change: GroupChange = {
    ...{ added, removed: [], dueAtMs, notes },
    changed: isMoved ? [{ row: STOP_LOSS, ...stopLoss }, ...changed] : changed,
    ...(ladder !== undefined && { ladder }),
  };
  const decision = changeGroup(group, { change, ids: ids.slice(0, added.length), timeMs }) ?? unchanged(group);
  if (growth === undefined || tiers === undefined) return decision;
  const kept = { ...growth, tiers: [...tiers, ...added.map(({ tier }) => tier)] };
  return { ...decision, group: { ...decision.group, growth: kept } };
}

interface Shared {
  readonly stopLoss: Tier;
  readonly changed: readonly (Tier & { readonly row: number })[];
  readonly added: readonly (Tier & { readonly tier: number })[];
  readonly ladder?: Ladder | undefined;
}

/**
 * Until a take-profit has fired, levels and lots follow from all bought lots. A stop-loss that trails keeps its level.
 */
function asPlanned(group: OcoGroup, tiers: readonly number[], plan: GrownPlan): Shared {
  const { price } = group.trailing === undefined ? plan.stopLoss : stopLossOf(group);
  const stopLoss = { price, quantity: plan.stopLoss.quantity };
  const added = plan.takeProfits.filter(({ tier }) => !tiers.includes(tier));
  const changed = plan.takeProfits.flatMap(({ tier, ...level }) => {
    const row = tiers.indexOf(tier) + 1;
    if (row === 0) return [];
    const was = rowAt(group, row);
    return was.price === level.price && was.quantity === level.quantity ? [] : [{ row, ...level }];
  });
  return { stopLoss, changed, added, ladder: plan.ladder };
}

function canFire(row: OcoRow): boolean {
  return isOpen(row);
}

/**
 * Afterwards levels do not change. The take-profits' share of all lots goes to the open take-profits, by their shares
 * of the plan.
 */
function shareOut(group: OcoGroup, tiers: readonly number[], plan: GrownPlan): Omit<Shared, "stopLoss"> {
  const over = group.rows.reduce((sum, row, index) => {
    return index === STOP_LOSS || canFire(row) ? sum : sum + row.quantity;
  }, 0);
  const pool = plan.takeProfits.reduce((sum, { quantity }) => sum + quantity, 0) - over;
  const open = plan.takeProfits.flatMap(({ tier, price, quantity: share }) => {
    const row = tiers.indexOf(tier) + 1;
    if (row === 0) return price > stopLossOf(group).price ? [{ row, tier, price, share, quantity: 0 }] : [];
    const { price: level, quantity } = rowAt(group, row);
    return isOpen(group.rows[row]) ? [{ row, tier, price: level, share, quantity }] : [];
  });
  let left = pool - open.reduce((sum, { quantity }) => sum + quantity, 0);
  if (open.length === 0 || left <= 0) return { changed: [], added: [] };
  const shares = open.map(({ share }) => share);
  const due = prorate(
    shares,
    pool,
    shares.reduce((sum, share) => sum + share, 0),
  );
  const grown = open.map((one, index) => {
    const isLast = index === open.length - 1;
    const more = isLast ? left : Math.min(left, Math.max(0, (due[index] ?? 0) - one.quantity));
    left -= more;
    return { ...one, more, quantity: one.quantity + more };
  });
  const withMore = grown.filter(({ more }) => more > 0);
  return {
    changed: withMore.filter(({ row }) => row > 0).map(({ row, price, quantity }) => ({ row, price, quantity })),
    added: withMore.filter(({ row }) => row === 0).map(({ tier, price, quantity }) => ({ tier, price, quantity })),
  };
}
