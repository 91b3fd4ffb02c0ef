/** Fakes of the engine's ports, for tests of the feed. */
import type { AcceptedTick } from "../../../../engine/ports/price.ts";
import type { StoredAt } from "../../../../engine/ports/stream.ts";
import type { Clock, Log, Timers } from "../../../../src/runtime/ports.ts";

/** Time that moves only on demand. */
export class ManualTime implements Clock, Timers {
  #nowMs: number;
  #waiting: { readonly dueMs: number; readonly task: () => void }[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const waiting = { dueMs: this.#nowMs + delayMs, task };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
    };
  }

  soon(task: () => void): void {
    setImmediate(task);
  }

  /** How many timers are set. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Moves on, running what falls due at its moment; what it sets off is settled in between. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await settle();
    for (;;) {
      const [next] = this.#waiting.filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.task();
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
    await settle();
  }

  /** Moves the clock without running a timer, as a blocked loop does. */
  freeze(byMs: number): void {
    this.#nowMs += byMs;
  }
}

/** Runs promises and turns of the loop that wait for nothing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The machine's own time. */
export const realClock: Clock = { nowMs: () => Date.now() };

export const realTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (task) => void setImmediate(task),
};

interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

/** A log that keeps its lines. */
export function keptLog(): Log & { readonly lines: LogLine[]; messages(level: LogLine["level"]): string[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine["level"]) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    debug: keep("debug"),
    info: keep("info"),
    warn: keep("warn"),
    error: keep("error"),
    messages: (level) => lines.filter((line) => line.level === level).map(({ message }) => message),
  };
}

/** Accepts ticks of any age and any jump, and logs nothing. */
export const NO_LIMITS = {
  tickMovePercentMax: undefined,
  tickAgeMsMax: undefined,
  log: { debug() {}, info() {}, warn() {}, error() {} },
};

/** A place in the stream, by its own clock. */
export function storedAt(timeMs: number, sequence = 1): StoredAt {
  return { stream: "first", sequence, timeMs };
}

/** Symbols that are known. */
export function knownSymbols(...symbols: string[]): { isKnown(symbol: string): boolean } {
  const known = new Set(symbols);
  return { isKnown: (symbol) => known.has(symbol) };
}

/** A copy of a tick: the object that the feed hands out is reused. */
export function copyTick({ symbol, price, timeMs, isCaughtUp }: AcceptedTick): AcceptedTick {
  return { symbol, price, timeMs, isCaughtUp };
}

/** A tick as short text: `THYAO 101.5 caught up`. */
export function tickText({ symbol, price, isCaughtUp }: AcceptedTick): string {
  return `${symbol} ${price.value}${isCaughtUp ? " caught up" : ""}`;
}

export function bytes(value: unknown): Uint8Array {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
}
