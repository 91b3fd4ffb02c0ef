/**
 * Owns: reporting the progress of a long reading of a store, once a second. A short one is not reported.
 */
import type { Clock, Log } from "../../src/runtime/ports.ts";

const TELL_EVERY_MS = 1_000;

export class ReadingProgress {
  readonly #clock: Clock;
  readonly #log: Pick<Log, "info">;
  readonly #partition: number;
  readonly #startedMs: number;
  #toldMs: number;
  #rowCount = 0;

  /** Begins now, by a clock that never steps. */
  constructor(steadyClock: Clock, log: Pick<Log, "info">, partition: number) {
    this.#clock = steadyClock;
    this.#log = log;
    this.#partition = partition;
    this.#startedMs = steadyClock.nowMs();
    this.#toldMs = this.#startedMs;
  }

  /** So many rows more were read. */
  add(rowCount: number): void {
    this.#rowCount += rowCount;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#toldMs < TELL_EVERY_MS) return;
    this.#toldMs = nowMs;
    const seconds = Math.round((nowMs - this.#startedMs) / 1_000);
    this.#log.info(
      { event: "store.reading", partition: this.#partition, rowCount: this.#rowCount, seconds },
      "reading the store back",
    );
  }
}
