/**
 * Changes a running group in place: levels, quantities, take-profits, due date, notes and exit (behaviour 15).
 *
 * Owns: which changes are valid, and the group after a change. Does not own: versions and who may change (the command),
 * the check of newly armed levels against the last price (the engine).
 *
 * Invariants:
 * 1. A row keeps its index for life: new rows follow behind all others, rows that are left out become Cancelled.
 * 2. A row in flight is neither changed nor left out. While the stop-loss is in flight, or a sell of it is not settled,
 *    nothing is changed.
 * 3. A row is newly armed if its level changed, as is a failed stop-loss that is Active again; every other row keeps
 *    its arming.
 */
import { assert } from "../../assert.ts";
import type { Calendar } from "../market/calendar.ts";
import type { ActionPolicy } from "../market/corporate-action.ts";
import { formatPrice, type Hundredths, priceToNumber } from "../price/price.ts";
import { parseQuantity } from "../price/quantity.ts";
import { parseGridPrice, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { canRearm, rearmStopLoss } from "./exit.ts";
import {
  ACTIVE,
  CANCELLED,
  type ExitPolicy,
  exitPolicyOf,
  type Growth,
  isOpen,
  isStopping,
  type Ladder,
  newRow,
  type OcoGroup,
  type OcoRow,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  type TimedExit,
  TRIGGER_FAILED,
  TRIGGERED,
  type Trailing,
  type TrailingTerms,
  withActionPolicy,
} from "./group.ts";
import { checkRungs, climb, type LadderRequest, planLadder, requestedRungs } from "./ladder.ts";
import { type Decision, isStopLossSelling, type Notice, soldQuantityOf } from "./oco.ts";
import { checkQuantities, exitTerms, planTerms, type Tier } from "./oco-plan.ts";
import { type ExitRequest, planExitTimes, timedExitOf, withoutPast } from "./timed-exit.ts";
import { beginTrailing, checkActivation, planTrailing, type TrailingRequest, termsOf } from "./trailing.ts";

/** The most rows of a group, ended rows included (behaviour 15.4). */
export const ROWS_MAX = 500;

/** A client's request, already of the right shape; an absent field is unchanged. */
export interface ChangeRequest extends LadderRequest {
  readonly stopLossPrice?: number | undefined;
  readonly stopLossQuantity?: number | undefined;
  /** The whole new list of open take-profits. */
  readonly takeProfitItems?: readonly ChangedItem[] | undefined;
  readonly dueDate?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly exit?: ExitRequest | undefined;
  /** Null: the stop-loss no longer moves from now on. */
  readonly stopLossTrailing?: TrailingRequest | null | undefined;
  readonly followPosition?: boolean | undefined;
  readonly corporateActions?: ActionPolicy | undefined;
}

interface ChangedItem {
  readonly id?: number | undefined;
  readonly price: number;
  readonly quantity: number;
}

/** A valid change of a group, as a difference. */
export interface GroupChange {
  readonly changed: readonly ChangedRow[];
  readonly added: readonly Tier[];
  /** Indexes of rows that become Cancelled. */
  readonly removed: readonly number[];
  readonly dueAtMs: number | null;
  readonly notes: string | null;
  /** How the stop-loss is sold from now on; absent: as before. */
  readonly exitPolicy?: ExitPolicy;
  /** When the stop-loss sells by the clock from now on; null: never; absent: as before. */
  readonly timedExit?: TimedExit | null;
  /** How the stop-loss follows the price from now on; null: not at all; absent: as before. */
  readonly trailing?: TrailingTerms | null;
  /** True: a failed stop-loss is Active again, newly armed. */
  readonly rearms?: true;
  /** Null: the stop-loss rises by no take-profit from now on; absent: as before. */
  readonly ladder?: Ladder | null;
  /** Whether it shrinks with its position from now on; absent: as before. */
  readonly followsPosition?: boolean;
  /** Whether levels follow corporate actions from now on; absent: as before. */
  readonly actionPolicy?: ActionPolicy;
}

interface ChangedRow extends Tier {
  readonly row: number;
}

/** A change and what it needs: ids of the added rows, in their order. */
export interface ChangeRequested {
  readonly change: GroupChange;
  readonly ids: readonly number[];
  readonly timeMs: number;
}

interface Terms {
  readonly nowMs: number;
  readonly table: TickTable;
  readonly zone: string;
  /** The calendar of the symbol's exchange; absent: not known. */
  readonly calendar?: Calendar | undefined;
}

/**
 * Checks a change against the present group (behaviour 15). A refusal is INVALID and names field and rule, or a
 * CONFLICT if a sell is in progress or a row is not Active any more.
 */
export function planChange(group: OcoGroup, request: ChangeRequest, terms: Terms): Result<GroupChange> {
  if (isStopping(group) || isStopLossSelling(group) || group.exit?.pursuit !== undefined) {
    return refuse("CONFLICT", "the stop-loss is being sold, so the group cannot be changed now");
  }
  if (!group.rows.some(isActiveRow)) return refuse("INVALID", "the group has no Active row that can be changed");
  const asksToRearm = request.stopLossPrice !== undefined && stopLossOf(group).status === TRIGGER_FAILED;
  const rearms = asksToRearm && canRearm(group);
  if (asksToRearm && !rearms) {
    return refuse("CONFLICT", "an order of the stop-loss is not settled yet, so it cannot be set Active again now");
  }
  const stopLoss = planStopLoss(group, rearms, request, terms.table);
  if (!stopLoss.ok) return stopLoss;
  const takeProfits = planTakeProfits(group, request.takeProfitItems, terms.table);
  if (!takeProfits.ok) return takeProfits;
  const { changed, added, removed } = takeProfits.value;
  const order = checkOrder(group, stopLoss.value, takeProfits.value);
  if (!order.ok) return order;
  const { dueDate, notes } = request;
  const given = planTerms({ dueDate, notes }, terms.nowMs, terms.zone);
  if (!given.ok) return given;
  const isOpenAfter = isOpen(stopLossOf(group)) || rearms;
  const trailing = planTrail(isOpenAfter, request, stopLoss.value.price, terms.table);
  if (!trailing.ok) return trailing;
  const ladder = planRungs(group, isOpenAfter, request, takeProfits.value, terms.table);
  if (!ladder.ok) return ladder;
  const timedExit = planTimes(group, rearms, request, terms);
  if (!timedExit.ok) return timedExit;
  const hasStopLossChanged = rearms || !isSameTier(stopLossOf(group), stopLoss.value);
  return accept({
    changed: hasStopLossChanged ? [{ row: STOP_LOSS, ...stopLoss.value }, ...changed] : changed,
    added,
    removed,
    dueAtMs: dueDate === undefined ? group.dueAtMs : given.value.dueAtMs,
    notes: notes === undefined ? group.notes : given.value.notes,
    ...exitTerms(request),
    ...trailing.value,
    ...ladder.value,
    ...(rearms && { rearms }),
    ...timedExit.value,
    ...(request.followPosition !== undefined && { followsPosition: request.followPosition }),
    ...(request.corporateActions !== undefined && { actionPolicy: request.corporateActions }),
  });
}

function planTimes(
  group: OcoGroup,
  rearms: boolean,
  { exit }: ChangeRequest,
  { nowMs, calendar }: Terms,
): Result<Pick<GroupChange, "timedExit">> {
  // A stop-loss that is Active again does not sell immediately because of a moment that has passed.
  const before = rearms ? withoutPast(group.timedExit, nowMs) : group.timedExit;
  const times = planExitTimes(exit, nowMs, calendar, before);
  if (!times.ok) return times;
  if (times.value === undefined) {
    return accept(rearms && before !== undefined ? { timedExit: timedExitOf(before, nowMs, calendar) } : {});
  }
  if (!rearms && !isOpen(stopLossOf(group))) {
    return refuse("CONFLICT", "the stop-loss is not Active, so exit.at and exit.beforeCloseMinutes cannot be changed");
  }
  return accept({ timedExit: times.value === null ? null : timedExitOf(times.value, nowMs, calendar) });
}

/** Rungs count the take-profits that are sold or can still be; an entry that is not given remains. */
function planRungs(
  group: OcoGroup,
  isOpenAfter: boolean,
  request: ChangeRequest,
  plan: TakeProfitPlan,
  table: TickTable,
): Result<Pick<GroupChange, "ladder">> {
  const { stopLossLadder, entryPrice = group.ladder?.entryPrice } = request;
  if (stopLossLadder === undefined && request.entryPrice === undefined) return accept({});
  if (stopLossLadder === null && request.entryPrice === undefined) return accept({ ladder: null });
  if (!isOpenAfter) {
    return refuse("CONFLICT", "the stop-loss is not Active, so stopLossLadder cannot be changed");
  }
  const changed = new Map(plan.changed.map(({ row, price }) => [row, price] as const));
  const counted = group.rows.flatMap((row, index) => {
    const counts = index !== STOP_LOSS && row.status !== CANCELLED && !plan.removed.includes(index);
    return counts ? [{ price: changed.get(index) ?? row.price, quantity: row.quantity }] : [];
  });
  const takeProfits = [...counted, ...plan.added].sort((left, right) => left.price - right.price);
  const rungs = stopLossLadder === undefined ? requestedRungs(group.ladder) : stopLossLadder;
  const terms = { takeProfitCount: takeProfits.length, isEntryKnownLater: false, table };
  const ladder = planLadder({ stopLossLadder: rungs, entryPrice }, terms);
  if (!ladder.ok) return ladder;
  const checked = checkRungs(ladder.value, takeProfits);
  if (!checked.ok) return checked;
  return accept({ ladder: ladder.value ?? null });
}

function planTrail(
  isOpenAfter: boolean,
  { stopLossTrailing }: ChangeRequest,
  stopLoss: Hundredths,
  table: TickTable,
): Result<Pick<GroupChange, "trailing">> {
  if (stopLossTrailing === undefined) return accept({});
  if (!isOpenAfter) {
    return refuse("CONFLICT", "the stop-loss is not Active, so stopLossTrailing cannot be changed");
  }
  if (stopLossTrailing === null) return accept({ trailing: null });
  const trailing = planTrailing(stopLossTrailing, table);
  if (!trailing.ok) return trailing;
  const activation = checkActivation(trailing.value, stopLoss);
  return activation.ok ? accept({ trailing: trailing.value }) : activation;
}

/** True if the change leaves everything as it is. */
export function changesNothing(group: OcoGroup, change: GroupChange): boolean {
  const hasRows = change.changed.length + change.added.length + change.removed.length > 0;
  const { dueAtMs, notes, exitPolicy = exitPolicyOf(group), trailing, ladder } = change;
  const hasTerms = dueAtMs !== group.dueAtMs || notes !== group.notes || exitPolicy !== exitPolicyOf(group);
  const { timedExit, followsPosition = group.followsPosition === true } = change;
  if (followsPosition !== (group.followsPosition === true)) return false;
  const { policy = "adjust" } = group.corporate ?? {};
  if ((change.actionPolicy ?? policy) !== policy) return false;
  const hasTimes = timedExit !== undefined && !isSameTimes(timedExit, group.timedExit);
  if (hasRows || hasTerms || hasTimes || (ladder !== undefined && !isSameLadder(ladder, group.ladder))) return false;
  return trailing === undefined || isSameTrailing(trailing, group.trailing);
}

/** Applies a change that `planChange` accepted; returns undefined if it does not fit the group any more. */
export function changeGroup(before: OcoGroup, { change, ids, timeMs }: ChangeRequested): Decision | undefined {
  if (change.rearms === true && !canRearm(before)) return undefined;
  const group = change.rearms === true ? rearmStopLoss(before, timeMs) : before;
  const { changed, added, removed, dueAtMs, notes, exitPolicy = exitPolicyOf(group) } = change;
  const touched = [...changed.map(({ row }) => row), ...removed];
  if (isStopping(group) || !touched.every((row) => isOpen(group.rows[row]))) return undefined;
  assert(ids.length === added.length, "one id for each added row");
  const rows = [...group.rows];
  const armed: number[] = [];
  for (const { row, price, quantity } of changed) {
    const was = rowAt(group, row);
    if (was.price !== price) armed.push(row);
    rows[row] = { ...was, price, quantity, updatedAtMs: timeMs };
  }
  for (const row of removed) rows[row] = { ...rowAt(group, row), status: CANCELLED, updatedAtMs: timeMs };
  for (const [place, tier] of added.entries()) {
    const id = ids[place];
    assert(id !== undefined, "one id for each added row");
    armed.push(rows.length);
    rows.push(newRow(id, tier));
  }
  const kept = (group.armings ?? []).filter(([row]) => isActiveRow(rows[row]) && !armed.includes(row));
  const armings = [...kept, ...armed.map((row) => [row, timeMs] as const)];
  const {
    armings: _,
    trailing: __,
    ladder: was,
    timedExit: timesBefore,
    growth,
    followsPosition: followed,
    corporate,
    ...rest
  } = group;
  const follows = change.followsPosition ?? followed === true;
  const timedExit = change.timedExit === undefined ? timesBefore : change.timedExit;
  const trailing = trailingAfter(group, change);
  const ladder = change.ladder === undefined ? was : change.ladder;
  const after: OcoGroup = {
    ...rest,
    rows,
    dueAtMs,
    notes,
    ...(armings.length > 0 && { armings }),
    ...(exitPolicy !== exitPolicyOf(group) && { exit: { ...group.exit, stopLoss: exitPolicy } }),
    ...(trailing !== undefined && { trailing }),
    ...(ladder && { ladder }),
    ...(timedExit && { timedExit }),
    ...(follows && { followsPosition: true as const }),
    ...withActionPolicy(corporate, change.actionPolicy),
    ...(growth !== undefined && { growth: changesPlan(change) ? withoutTiers(growth) : growth }),
  };
  const notices: Notice[] = [{ type: "oco.changed", row: STOP_LOSS }];
  // A new ladder counts earlier sales.
  const climbed = change.ladder === undefined ? undefined : climb(after, timeMs);
  return { group: climbed?.group ?? after, sells: [], notices: [...notices, ...(climbed?.notices ?? [])] };
}

function changesPlan({ changed, added, removed, ladder }: GroupChange): boolean {
  return ladder !== undefined || changed.length + added.length + removed.length > 0;
}

/** The rows keep the levels of a change: lots that are bought later go to the stop-loss alone (behaviour 24.7). */
export function withoutTiers({ tiers: _, ...growth }: Growth): Growth {
  return growth;
}

function isSameTimes(left: TimedExit | null, right: TimedExit | undefined): boolean {
  if (left === null || right === undefined) return left === null && right === undefined;
  const { atMs, beforeCloseMinutes, firesAtMs } = left;
  return atMs === right.atMs && beforeCloseMinutes === right.beforeCloseMinutes && firesAtMs === right.firesAtMs;
}

function isSameLadder(left: Ladder | null, right: Ladder | undefined): boolean {
  if (left === null || right === undefined) return left === null && right === undefined;
  const termsOfLadder = ({ rungs, entryPrice, tickTable }: Ladder) => JSON.stringify([rungs, entryPrice, tickTable]);
  return termsOfLadder(left) === termsOfLadder(right);
}

/**
 * Seen prices count for the terms and the stop-loss of then: if one of them is different now, the trailing starts
 * again.
 */
function trailingAfter({ trailing: was, rows }: OcoGroup, change: GroupChange): Trailing | undefined {
  const { trailing, changed, rearms = false } = change;
  const terms = trailing === undefined ? was : trailing;
  if (!terms) return undefined;
  const isMoved = changed.some(({ row, price }) => row === STOP_LOSS && price !== rows[STOP_LOSS]?.price);
  return trailing === undefined && was !== undefined && !isMoved && !rearms ? was : beginTrailing(termsOf(terms));
}

function isSameTrailing(left: TrailingTerms | null, right: Trailing | undefined): boolean {
  if (left === null || right === undefined) return left === null && right === undefined;
  return JSON.stringify(termsOf(left)) === JSON.stringify(termsOf(right));
}

function isActiveRow(row: OcoRow | undefined): boolean {
  return row?.status === ACTIVE;
}

function isSameTier(left: Tier, right: Tier): boolean {
  return left.price === right.price && left.quantity === right.quantity;
}

/** The stop-loss as it will be. */
function planStopLoss(group: OcoGroup, rearms: boolean, request: ChangeRequest, table: TickTable): Result<Tier> {
  const row = stopLossOf(group);
  const { stopLossPrice, stopLossQuantity } = request;
  const price = stopLossPrice === undefined ? accept(row.price) : planPrice(row, stopLossPrice, "stopLossPrice", table);
  if (!price.ok) return price;
  const quantity =
    stopLossQuantity === undefined ? accept(row.quantity) : parseQuantity(stopLossQuantity, "stopLossQuantity");
  if (!quantity.ok) return quantity;
  const tier = { price: price.value, quantity: quantity.value };
  if (!rearms && isSameTier(row, tier)) return accept(tier);
  if (!rearms && !isOpen(row)) return refuse("CONFLICT", notActiveText(row));
  const sold = soldQuantityOf(group, ({ status }) => status === TRIGGERED);
  if (group.hasOversellGuard && tier.quantity <= sold) {
    return refuse("INVALID", `stopLossQuantity must be above what the take-profits have sold (${sold})`);
  }
  return accept(tier);
}

function notActiveText({ status }: OcoRow): string {
  const way = status === TRIGGER_FAILED ? "; stopLossPrice sets it Active again while a take-profit is Active" : "";
  return `the stop-loss is not Active, so stopLossPrice and stopLossQuantity cannot be changed${way}`;
}

/** An unchanged price remains valid, also if the tick table of its symbol is another one now. */
function planPrice(row: OcoRow | undefined, price: number, field: string, table: TickTable): Result<Hundredths> {
  if (row !== undefined && priceToNumber(row.price) === price) return accept(row.price);
  return parseGridPrice(price, field, table);
}

type TakeProfitPlan = Pick<GroupChange, "changed" | "added" | "removed">;
const UNCHANGED: TakeProfitPlan = { changed: [], added: [], removed: [] };

function planTakeProfits(
  group: OcoGroup,
  items: ChangeRequest["takeProfitItems"],
  table: TickTable,
): Result<TakeProfitPlan> {
  if (items === undefined) return accept(UNCHANGED);
  if (items.length === 0) return refuse("INVALID", "takeProfitItems must have at least 1 element");
  const changed: ChangedRow[] = [];
  const added: Tier[] = [];
  const named = new Set<number>();
  for (const [place, item] of items.entries()) {
    const field = `takeProfitItems[${place}]`;
    const index = item.id === undefined ? accept(undefined) : indexOf(group, item.id, `${field}.id`);
    if (!index.ok) return index;
    const row = index.value === undefined ? undefined : rowAt(group, index.value);
    const price = planPrice(row, item.price, `${field}.price`, table);
    if (!price.ok) return price;
    const quantity = parseQuantity(item.quantity, `${field}.quantity`);
    if (!quantity.ok) return quantity;
    const tier = { price: price.value, quantity: quantity.value };
    if (row === undefined || index.value === undefined) {
      added.push(tier);
      continue;
    }
    if (named.has(index.value)) return refuse("INVALID", `${field}.id ${row.id} is named twice`);
    named.add(index.value);
    if (isSameTier(row, tier)) continue;
    if (row.isInFlight) return inFlight(row, "changed");
    changed.push({ row: index.value, ...tier });
  }
  const removed: number[] = [];
  for (const [index, row] of group.rows.entries()) {
    if (index === STOP_LOSS || row.status !== ACTIVE || named.has(index)) continue;
    if (row.isInFlight) return inFlight(row, "left out");
    removed.push(index);
  }
  if (group.rows.length + added.length > ROWS_MAX) {
    return refuse("INVALID", `takeProfitItems would give the group more than ${ROWS_MAX} rows; make a new group`);
  }
  return accept({ changed, added, removed });
}

function indexOf(group: OcoGroup, id: number, field: string): Result<number> {
  const index = group.rows.findIndex((row) => row.id === id);
  if (index <= STOP_LOSS) return refuse("INVALID", `${field} ${id} is not a take-profit of this group`);
  if (rowAt(group, index).status === ACTIVE) return accept(index);
  return refuse("CONFLICT", `${field} ${id} is not Active any more`);
}

function inFlight(row: OcoRow, what: string): Result<never> {
  return refuse("CONFLICT", `take-profit ${row.id} is being sold and cannot be ${what}`);
}

/** Quantities (open and in flight) within the stop-loss, and each open take-profit above it. */
function checkOrder(group: OcoGroup, stopLoss: Tier, { changed, added, removed }: TakeProfitPlan): Result<void> {
  const changedTiers = new Map(changed.map(({ row, ...tier }) => [row, tier] as const));
  const open: Tier[] = [...added];
  const inFlight: Tier[] = [];
  for (const [index, row] of group.rows.entries()) {
    if (index === STOP_LOSS || row.status !== ACTIVE || removed.includes(index)) continue;
    if (row.isInFlight) inFlight.push(row);
    else open.push(changedTiers.get(index) ?? row);
  }
  const quantities = [...open, ...inFlight].map(({ quantity }) => quantity);
  const counted = quantities.length === 0 ? accept(undefined) : checkQuantities(stopLoss.quantity, quantities);
  if (!counted.ok) return counted;
  const under = open.find(({ price }) => price <= stopLoss.price);
  if (under === undefined) return accept(undefined);
  return refuse(
    "INVALID",
    `takeProfitItems price ${formatPrice(under.price)} must be higher than stopLossPrice ${formatPrice(stopLoss.price)}`,
  );
}
