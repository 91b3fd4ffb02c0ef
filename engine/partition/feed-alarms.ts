/**
 * Faults of the feed that owners must know of: a clock by which right prices are refused.
 *
 * Owns: how long a fault lasts before it is reported, and how often. Does not own: the events (alarms.ts), the fault
 * itself, its log lines.
 */
import type { Cancel, Clock, Timers } from "../../src/runtime/ports.ts";

const CHECK_MS = 1_000;
/** A clock that is set at once is no alarm, and an engine of a cluster gives its partitions away within this time. */
const CLOCK_OFF_FOR_MS = 10_000;
const TOLD_EVERY_MS = 600_000;

interface FeedAlarmsOptions {
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** See `StreamClock.offMs`. Absent: no clock is compared. */
  readonly clockOffMs?: () => number | null;
  readonly onClockOff: (aheadMs: number) => void;
}

export class FeedAlarms {
  readonly #options: FeedAlarmsOptions;
  #offSinceMs: number | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: FeedAlarmsOptions) {
    this.#options = options;
  }

  /** Checks once a second until the returned function is called. */
  start(): Cancel {
    const { timers } = this.#options;
    const check = (): void => {
      this.#checkClock();
      cancel = timers.after(CHECK_MS, check);
    };
    let cancel = timers.after(CHECK_MS, check);
    return () => cancel();
  }

  #checkClock(): void {
    const { steadyClock, clockOffMs, onClockOff } = this.#options;
    const offMs = clockOffMs?.() ?? 0;
    const nowMs = steadyClock.nowMs();
    this.#offSinceMs = offMs === 0 ? null : (this.#offSinceMs ?? nowMs);
    if (this.#offSinceMs === null || nowMs - this.#offSinceMs < CLOCK_OFF_FOR_MS) return;
    if (nowMs - this.#toldAtMs < TOLD_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    onClockOff(offMs);
  }
}
