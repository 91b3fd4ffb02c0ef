/**
 * What the edge is given from outside: time, timers, output.
 */

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds that never go back; for durations. */
  monotonicMs(): number;
}

/** Runs `task` once after `delayMs`, unless the returned function is called before. */
export type Schedule = (delayMs: number, task: () => void) => () => void;

export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. Fields never hold a request's body, a token or a key. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Whether lines of the level are written at all; absent: all are. */
  isLevelEnabled?(level: "info"): boolean;
}
