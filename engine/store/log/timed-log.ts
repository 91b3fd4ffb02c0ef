/** A log that reports how long its appends take, until they are durable. */
import { steadyClock } from "../../../src/runtime/clock.ts";
import type { CommitLog, LogRecord } from "../../ports/log.ts";

export class TimedLog implements CommitLog {
  readonly #log: CommitLog;
  #listener: (durationMs: number) => void = () => undefined;

  constructor(log: CommitLog) {
    this.#log = log;
  }

  get firstSequence(): number | undefined {
    return this.#log.firstSequence;
  }

  get lastSequence(): number | undefined {
    return this.#log.lastSequence;
  }

  /** Reports every append from here on. One listener. */
  onAppended(listener: (durationMs: number) => void): void {
    this.#listener = listener;
  }

  async append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void> {
    const startedAtMs = steadyClock.nowMs();
    await this.#log.append(expectedSequence, records);
    this.#listener(steadyClock.nowMs() - startedAtMs);
  }

  readFrom(sequence: number): AsyncIterable<readonly LogRecord[]> {
    return this.#log.readFrom(sequence);
  }

  trim(toSequence: number): Promise<void> {
    return this.#log.trim(toSequence);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
