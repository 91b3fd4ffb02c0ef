/**
 * A stop-loss that sells by the clock: at a moment, or some minutes before the close (behaviour 21.4).
 *
 * Owns: which times are valid, the moment that follows from them, firing at it. Does not own: how the order is sold
 * (`exit.ts`), deadlines (the engine).
 */
import { type Calendar, nextBeforeCloseMs } from "../market/calendar.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { parseTime } from "../time.ts";
import { type ExitPolicy, type ExitTimes, isDue, isOpen, type OcoGroup, stopLossOf, type TimedExit } from "./group.ts";
import { type Decision, fireStopLoss, unchanged } from "./oco.ts";

/** A client's `exit`; in a change null takes a time away. */
export interface ExitRequest {
  readonly stopLoss?: ExitPolicy | undefined;
  readonly at?: string | null | undefined;
  readonly beforeCloseMinutes?: number | null | undefined;
}

/** How often the clock is checked again while even stop-losses are halted. */
const HALTED_PAUSE_MS = 60_000;
const NO_TIMES: ExitTimes = { atMs: null, beforeCloseMinutes: null };

/**
 * Checks the times of an exit. `before`: the present times; an absent field keeps its time. Undefined if the request
 * gives no time; null if no time is left. Refuses (INVALID) an `exit` without a field, a moment that is not a time or
 * not in the future, and minutes before a close that no calendar has.
 */
export function planExitTimes(
  request: ExitRequest | null | undefined,
  nowMs: number,
  calendar: Calendar | undefined,
  before: ExitTimes = NO_TIMES,
): Result<ExitTimes | null | undefined> {
  if (!request) return accept(undefined);
  const { stopLoss, at, beforeCloseMinutes = before.beforeCloseMinutes } = request;
  if (at === undefined && request.beforeCloseMinutes === undefined) {
    if (stopLoss === undefined) return refuse("INVALID", "exit must name stopLoss, at or beforeCloseMinutes");
    return accept(undefined);
  }
  const atMs = at === undefined ? accept(before.atMs) : parseAt(at, nowMs);
  if (!atMs.ok) return atMs;
  if (beforeCloseMinutes !== null) {
    if (calendar === undefined) {
      return refuse(
        "INVALID",
        "exit.beforeCloseMinutes needs a trading calendar; the exchange of the symbol does not have one",
      );
    }
    if (nextBeforeCloseMs(calendar, nowMs, beforeCloseMinutes) === undefined) {
      return refuse(
        "INVALID",
        `exit.beforeCloseMinutes: the calendar ${calendar.mic} has no close in the next 60 days`,
      );
    }
  }
  return accept(atMs.value === null && beforeCloseMinutes === null ? null : { atMs: atMs.value, beforeCloseMinutes });
}

function parseAt(at: string | null, nowMs: number): Result<number | null> {
  if (at === null) return accept(null);
  const timeMs = parseTime(at, "exit.at");
  if (!timeMs.ok) return timeMs;
  if (!at.includes("T")) return refuse("INVALID", `exit.at ${at} must have a time of day`);
  return timeMs.value > nowMs ? timeMs : refuse("INVALID", "exit.at must be in the future");
}

/** When a stop-loss sells that is armed at `nowMs`: the earlier one of its times. */
export function timedExitOf(times: ExitTimes, nowMs: number, calendar: Calendar | undefined): TimedExit {
  const { atMs, beforeCloseMinutes } = times;
  const closeMs =
    beforeCloseMinutes === null || calendar === undefined
      ? undefined
      : nextBeforeCloseMs(calendar, nowMs, beforeCloseMinutes);
  const firesAtMs = atMs === null || closeMs === undefined ? (atMs ?? closeMs ?? null) : Math.min(atMs, closeMs);
  return { atMs, beforeCloseMinutes, firesAtMs };
}

/** The times without a moment that has passed. */
export function withoutPast(times: ExitTimes | undefined, nowMs: number): ExitTimes | undefined {
  if (times === undefined) return undefined;
  const { atMs, beforeCloseMinutes } = times;
  return { atMs: atMs !== null && atMs > nowMs ? atMs : null, beforeCloseMinutes };
}

/** When the stop-loss sells by the clock; null if it does not, or has fired. */
export function timedExitMs(group: OcoGroup): number | null {
  return isOpen(stopLossOf(group)) ? (group.timedExit?.firesAtMs ?? null) : null;
}

/** Fires the stop-loss if its time has come, unless even stop-losses are halted. Undefined if it has not. */
export function sellByTime(group: OcoGroup, timeMs: number, isHalted: boolean): Decision | undefined {
  const { timedExit } = group;
  const firesAtMs = timedExitMs(group);
  if (timedExit === undefined || firesAtMs === null || firesAtMs > timeMs || isDue(group, timeMs)) return undefined;
  if (isHalted) return unchanged({ ...group, timedExit: { ...timedExit, firesAtMs: timeMs + HALTED_PAUSE_MS } });
  return fireStopLoss(group, { price: null, timeMs });
}
