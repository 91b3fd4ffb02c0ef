/** What every process is handed: clock, timers, log and the fatal end. Interfaces only. */
import type { LogEvent } from "./log-event/log-events.ts";

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

/** The process, or a part that it hosts, cannot continue: it must end now and recover by starting again. */
export type Fatal = (reason: string, cause: unknown) => void;

/** Fields of a line. `event` is its stable code, declared in log-event/log-events.ts with the severity of the line. */
export type LogFields<Event extends LogEvent = LogEvent> = {
  readonly event: Event;
  readonly [field: string]: unknown;
};

/** A structured log. Fields never contain a secret or a request body. */
export interface Log {
  debug(fields: LogFields<LogEvent<"debug">>, message: string): void;
  info(fields: LogFields<LogEvent<"info">>, message: string): void;
  warn(fields: LogFields<LogEvent<"warn">>, message: string): void;
  error(fields: LogFields<LogEvent<"error">>, message: string): void;
  /** Whether lines of the level are written at all; absent: all are. */
  isLevelEnabled?(level: "debug" | "info"): boolean;
}

/** The log of a process, which also has a fatal end. */
export interface ProcessLog extends Log {
  fatal(fields: LogFields<LogEvent<"fatal">>, message: string): void;
  /** A log whose lines all have these fields too. */
  child(fields: object): Log;
}
