/**
 * Which prices reach a row, also if its stop-loss trails: then it lies between two bounds that hold for every behaviour
 * of the engine.
 */
import type { StreamTick } from "../world/tick-stream.ts";
import type { ChangeModel, GroupModel, RowModel, Touch, Trail } from "./model.ts";
import { gridDown } from "./naive-grid.ts";
import type { PlainRow } from "./plain-rows.ts";

/** A take-profit is reached at its price or over it, a stop-loss (index 0) at its price or under it. */
export function reaches({ levelMilli }: Pick<RowModel, "levelMilli">, index: number, milli: number): boolean {
  return index === 0 ? milli <= levelMilli : milli >= levelMilli;
}

/** A price may count for a stop-loss that trails. */
export function noteHigh({ trail }: GroupModel, milli: number): void {
  if (trail !== undefined) trail.highestMilli = Math.max(trail.highestMilli, milli);
}

/** Whether a price may reach a row, as the stop-loss may have been raised by the highest price there was. */
export function mayReach({ rows, trail }: GroupModel, index: number, milli: number): boolean {
  const row = rows[index];
  if (row === undefined) return false;
  if (reaches(row, index, milli)) return true;
  return index === 0 && trail !== undefined && milli <= trail.highestMilli - trail.distanceMilli;
}

/** Whether a stop-loss that trails may be at a level. */
export function isWithin(trail: Trail | undefined, row: RowModel | undefined, milli: number): boolean {
  if (trail === undefined || row === undefined) return false;
  return milli >= row.levelMilli && (milli === row.levelMilli || milli <= trail.highestMilli - trail.distanceMilli);
}

/** Whether a tick may reach a row, and whether it surely does. */
interface Reach {
  readonly mayReach: boolean;
  /** By the level that a change under way gives the row. */
  readonly mayReachNext: boolean;
  readonly isSure: boolean;
}

/**
 * Returns the reach of a tick over a row that can be changed and can trail. It is not sure in the millisecond of a change
 * that moves the row's level: the engine cannot order them and then compares the last price. Nor is it sure for a tick
 * that is read back after the clock was set: a raise of the stop-loss can have a later time.
 */
export function reachOf(
  group: GroupModel,
  index: number,
  tick: Pick<StreamTick, "milli">,
  { timeMs, isCaughtUp, steps }: { readonly timeMs: number; readonly isCaughtUp: boolean; readonly steps: number },
): Reach {
  const { change, trail, asked } = group;
  const row = group.rows[index];
  const next = change?.levels.get(index);
  const isReached = mayReach(group, index, tick.milli);
  if (row === undefined) return { mayReach: false, mayReachNext: false, isSure: false };
  const isNextReached = next === undefined ? isReached : reaches({ levelMilli: next }, index, tick.milli);
  // A tick that is read back may have come before the raise.
  const surelyMilli = isCaughtUp ? row.levelMilli : trail?.surelyMilli;
  const isOrdered = trail === undefined || !isCaughtUp || (asked.steps === steps && !trail.isDisordered);
  const isTrailed = index > 0 || surelyMilli === undefined || (isOrdered && tick.milli <= surelyMilli);
  const isBeside = next !== undefined && timeMs <= (change?.askedMs ?? 0);
  const isAsItWas = isReached && isNextReached && !isBeside && change?.removed !== index;
  return { mayReach: isReached, mayReachNext: isNextReached, isSure: isAsItWas && isTrailed };
}

/** A live price surely raises a stop-loss that needs no second one, unless it was fired before. */
export function raise({ trail, stopLossMayHaveFired }: GroupModel, milli: number): boolean {
  if (trail === undefined || trail.confirmTicks === 2 || stopLossMayHaveFired) return false;
  const raisedMilli = gridDown(Math.floor(milli / 10) * 10 - trail.distanceMilli);
  if (raisedMilli <= trail.surelyMilli) return false;
  trail.surelyMilli = raisedMilli;
  return true;
}

/** Whether a tick from before the group is given again with a time after it: the clock was set back in between. */
export function hasEarlierTick(
  { asked, createdAtMs }: GroupModel,
  again: Iterable<{ readonly sequence: number; readonly atMs: number }>,
  nowMs: number,
): boolean {
  for (const { sequence, atMs } of again) {
    if (sequence <= asked.sequence && Math.min(atMs, nowMs) > createdAtMs) return true;
  }
  return false;
}

/** Whether each level that a change moves is on the disk. */
export function changedLevels(group: GroupModel, change: ChangeModel, views: readonly PlainRow[]): boolean[] {
  const moved = [...change.levels].filter(([index, levelMilli]) => group.rows[index]?.levelMilli !== levelMilli);
  return moved.map(([index, levelMilli]) => Math.round((views[index]?.price ?? 0) * 1000) === levelMilli);
}

/** Whether a tick certainly came after the change that armed the row. */
export function isArmed({ armed }: RowModel, { sequence }: StreamTick): boolean {
  return armed === undefined || sequence > armed.knownSequence;
}

export function touchBy({ sequence, milli }: StreamTick, seenAs = 0): Touch {
  return { sequence, milli, seenAs, isAtCreation: false };
}

/** With the guard, a stop-loss whose take-profits may have sold everything before a tick may be closed. */
export function mayBeSoldOut({ hasGuard, rows }: GroupModel, sequence: number): boolean {
  const touched = rows.slice(1).filter(({ may }) => may.some((touch) => touch.sequence < sequence));
  return hasGuard && touched.reduce((sum, { quantity }) => sum + quantity, 0) >= (rows[0]?.quantity ?? 0);
}

/** Whether a group has the rows that were asked for. */
export function isAsAsked(group: GroupModel, views: readonly PlainRow[]): boolean {
  return (
    views.length === group.rows.length &&
    views.every(({ price, quantity, symbol, accountNumber }, index) => {
      const row = group.rows[index];
      const isOwn = symbol === group.owner.symbol && accountNumber === group.owner.accountNumber;
      const milli = Math.round(price * 1000);
      const isThere = row?.levelMilli === milli || (index === 0 && isWithin(group.trail, row, milli));
      return isOwn && row?.quantity === quantity && isThere;
    })
  );
}
