/** What every process is handed: clock, timers, log and the fatal end. Interfaces only. */

/** Wall clock, in epoch milliseconds. */
export interface Clock {
  nowMs(): number;
}

export type Cancel = () => void;

/** Timers and turns of the loop. */
export interface Timers {
  /** Runs `task` once after `delayMs`. */
  after(delayMs: number, task: () => void): Cancel;
  /** Runs `task` in a later turn of the loop, after what I/O is waiting. */
  soon(task: () => void): void;
}

/** Something cannot go on: the process, or what it hosts, must end now and recover by starting again. */
export type Fatal = (reason: string, cause: unknown) => void;

/** A structured log. No secret, no request body ever goes in. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
