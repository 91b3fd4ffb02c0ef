/** What every process is handed: clock, timers, log and the fatal end. Interfaces only. */

/** Wall clock, in epoch milliseconds. */
export interface Clock {
  nowMs(): number;
}

/** A wall clock that also measures durations. */
export interface MonotonicClock extends Clock {
  /** Milliseconds that never go back. */
  monotonicMs(): number;
}

export type Cancel = () => void;

/** Runs `task` once after `delayMs`, unless the returned function is called before. */
export type Schedule = (delayMs: number, task: () => void) => Cancel;

/** Timers and turns of the loop. */
export interface Timers {
  /** Runs `task` once after `delayMs`. */
  readonly after: Schedule;
  /** Runs `task` in a later turn of the loop, after what I/O is waiting. */
  soon(task: () => void): void;
}

/** Something cannot go on: the process, or what it hosts, must end now and recover by starting again. */
export type Fatal = (reason: string, cause: unknown) => void;

export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. Fields never contain a secret or a request body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of the level are written at all; absent: all are. */
  isLevelEnabled?(level: "debug" | "info"): boolean;
}
