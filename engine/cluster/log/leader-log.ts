/**
 * The log as its leader sees it: a `CommitLog` that no other engine's append can follow.
 *
 * Owns: record numbers and their places in the stream, one append at a time, the end of the leadership. Does not own:
 * its start (log-replica.ts), when a beat is due (leadership.ts).
 *
 * Invariants:
 * 1. An append names the message that it follows; any other message at that place ends the leadership.
 * 2. After the leadership ends, nothing is appended.
 * 3. `lastSequence` is reported only after a quorum has the record.
 */

import { DualClock, type Moment } from "../../../src/runtime/moment.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { CommitLog, LogRecord } from "../../ports/log.ts";
import { appendFenced } from "./stream/fenced-append.ts";
import { encodeFrame, NO_RECORD, type Part, partsOf } from "./stream/frame.ts";
import { LogReader } from "./stream/log-reader.ts";
import type { LogStream } from "./stream/log-stream.ts";
import { purgeBehind } from "./stream/purge.ts";
import { firstRecord, sequenceOf } from "./stream/record-location.ts";

const PAGE_RECORDS = 256;
const PAGE_BYTES = 512 * 1024;

/** A message that is not a record. */
type Mark = { readonly kind: "beat" } | { readonly kind: "release"; readonly to?: string | undefined };

/** The parts that a log needs while it is followed, and while it is led. */
export interface LogPorts {
  readonly stream: LogStream;
  readonly leaseMs: number;
  readonly steadyClock: Clock;
  /**
   * The wall clock, because the steady clock can stop while the machine sleeps. Absent: the steady clock never stops
   * here.
   */
  readonly clock?: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** How many bytes of records that every copy has on disk are kept, for copies that are disconnected. */
  readonly keepBytes: number;
  /**
   * The record up to which all copies on other engines are on disk. Undefined: no such record, so nothing is removed.
   */
  readonly heldByOthers: () => number | undefined;
}

export interface LedLogOptions extends LogPorts {
  /** The sequence of the claim. */
  readonly epoch: number;
  /** When its append began. */
  readonly claimedAtMs: number;
  /** The last record before the claim; undefined: no record. */
  readonly lastSequence: number | undefined;
  readonly onProven: () => void;
  /** Called once when another engine leads, or when the log is damaged. */
  readonly onFenced: (reason: string) => void;
}

export class LeaderLog implements CommitLog {
  readonly #options: LedLogOptions;
  readonly #clocks: DualClock;
  readonly #end = new AbortController();
  /**
   * For a log with records from before the claim, it is looked up when the log is trimmed: a takeover does not wait for
   * it.
   */
  #first: number | undefined;
  #last: number | undefined;
  /** The last message of the stream. */
  #message: number;
  #proven: Moment;
  #isAppending = false;
  /** Appends in progress and in the queue. */
  #busy = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: LedLogOptions) {
    this.#options = options;
    this.#last = options.lastSequence;
    this.#message = options.epoch;
    const { steadyClock, clock = steadyClock } = options;
    this.#clocks = new DualClock({ clock, steadyClock });
    this.#proven = this.#clocks.at(options.claimedAtMs);
  }

  get firstSequence(): number | undefined {
    return this.#first;
  }

  get lastSequence(): number | undefined {
    return this.#last;
  }

  /** When the last acknowledged append began, by the steady clock. */
  get provenAtMs(): number {
    return this.#proven.steadyMs;
  }

  /** The age of that append in ms, by whichever clock reports more. */
  get provenForMs(): number {
    return this.#clocks.msSince(this.#proven);
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  async append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void> {
    if (this.#isAppending) throw new Error("the append before is on its way, or failed");
    if (this.#last !== undefined && this.#last !== expectedSequence) {
      throw new Error(`the log ends at ${this.#last}, not at ${expectedSequence}`);
    }
    if (records.length === 0) return;
    this.#isAppending = true;
    const { epoch, leaseMs } = this.#options;
    const parts = records.flatMap((record, index) =>
      partsOf(record, { epoch, leaseMs, number: expectedSequence + 1 + index }),
    );
    await this.#appendFrames(parts, () => {
      if (this.#last === undefined) this.#first = expectedSequence + 1;
      this.#last = expectedSequence + records.length;
    });
    this.#isAppending = false;
  }

  /** Appends a message that is not a record, after all appends that began before. */
  appendMark(mark: Mark): Promise<void> {
    return this.#appendFrames([mark], () => undefined);
  }

  async *readFrom(sequence: number): AsyncIterable<readonly LogRecord[]> {
    const { stream } = this.#options;
    if (this.#last === undefined || sequence > this.#last) return;
    const reader = new LogReader();
    let page: LogRecord[] = [];
    let pageBytes = 0;
    for await (const message of stream.follow(await sequenceOf(stream, sequence), this.#end.signal)) {
      const event = reader.take(message);
      if (event?.kind !== "record") continue;
      if (event.record.sequence >= sequence) page.push(event.record);
      pageBytes += event.record.bytes.byteLength;
      const isLast = event.record.sequence >= this.#last;
      if (isLast || page.length >= PAGE_RECORDS || pageBytes >= PAGE_BYTES) {
        yield page;
        page = [];
        pageBytes = 0;
      }
      if (isLast) return;
    }
  }

  /** Trims at a later time if the stream does not answer. */
  async trim(toSequence: number): Promise<void> {
    const { stream, keepBytes, log, heldByOthers } = this.#options;
    if (this.#last === undefined || this.hasEnded) return;
    const heldTo = Math.min(toSequence, heldByOthers() ?? -1, this.#last - 1);
    try {
      this.#first ??= await firstRecord(stream);
      if (this.#first === undefined || heldTo < this.#first) return;
      if (await purgeBehind(stream, heldTo, keepBytes)) this.#first = (await firstRecord(stream)) ?? heldTo + 1;
    } catch (error) {
      log.warn({ event: "log.notTrimmed", error }, "the log was not trimmed: it will be later");
    }
  }

  /** Ends all appending. */
  async close(): Promise<void> {
    this.#end.abort(new Error("the log was closed"));
  }

  #appendFrames(frames: readonly (Part | Mark)[], onAppended: () => void): Promise<void> {
    this.#busy += 1;
    const appended = this.#turn
      .then(() => this.#appendNow(frames))
      .then(onAppended)
      .finally(() => {
        this.#busy -= 1;
      });
    this.#turn = appended.catch(() => undefined);
    return appended;
  }

  async #appendNow(frames: readonly (Part | Mark)[]): Promise<void> {
    const { epoch, leaseMs, onProven, onFenced } = this.#options;
    this.#end.signal.throwIfAborted();
    const started = this.#clocks.now();
    const from = this.#message;
    const place = { epoch, leaseMs, number: this.#last ?? NO_RECORD };
    const appends = frames.map((frame, index) => ({
      expectedSequence: from + index,
      id: `${epoch}-${from + index + 1}`,
      data: encodeFrame({ ...place, ...frame }),
    }));
    try {
      await appendFenced(this.#options, appends, this.#end.signal);
    } catch (error) {
      if (!this.hasEnded) {
        this.#end.abort(error);
        onFenced(error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
    this.#message = from + frames.length;
    this.#proven = started;
    onProven();
  }
}
