import { isOfTicks } from "../../../../engine/feed/live.ts";
import {
  type EndPosition,
  type StoredTicks,
  StreamRefusal,
  type TickRange,
  type TickStream,
  type TickStreamState,
} from "../../../../engine/feed/stream/tick-stream.ts";
import type { BusMessage, BusStatus } from "../../../../src/bus/port.ts";
import { bytes, type ManualTime } from "./ports.ts";

/** A server in miniature: it stores published messages, and delivers them over a live connection. */
export class FakeServer implements TickStream {
  status: BusStatus = "connected";
  presence: "ready" | "absent" = "ready";
  failure: Error | undefined;
  /** Ticks are published at another server, from which none reaches this one; the stream stores them. */
  isRouteBroken = false;
  /** Its stream stores what else is published too. */
  isShared = false;
  /** Its stream takes nothing and reports that. */
  isFull = false;
  /** How far its clock is ahead. */
  aheadMs = 0;
  /** How long it takes to answer a probe, half of it on the way there. */
  markMs = 0;
  /** Delays a probe before it is stored. */
  beforeMark: () => Promise<void> = async () => undefined;
  created = "first";
  stored: StoredTicks[] = [];
  last = 0;
  readonly reads: TickRange[] = [];
  /** The last sequence that the server knows which ranges are read from: it may be catching up itself. */
  knownTo = Number.POSITIVE_INFINITY;
  /** The last sequence that the stream's leader knows: just after its election it may be catching up too. */
  leaderKnowsTo = Number.POSITIVE_INFINITY;
  /** Runs before each message that is read. */
  onRead: (sequence: number) => void = () => undefined;
  readonly #time: ManualTime;
  readonly #handlers: { readonly subject: string; readonly handler: (message: BusMessage) => void }[] = [];
  readonly #listeners: ((status: BusStatus) => void)[] = [];

  constructor(time: ManualTime) {
    this.#time = time;
  }

  /** `time`: by the tick's publisher; absent: it gives none. */
  publish(symbol: string, price: number, ageMs = 0, time?: number): void {
    const data = bytes({ price, ...(time === undefined ? {} : { time }) });
    const subject = `ticks.${symbol}`;
    if (!this.isFull) this.#store(subject, data, ageMs);
    if (!this.isRouteBroken) this.#deliver("ticks.*", subject, data);
  }

  #deliver(to: string, subject: string, data: Uint8Array): void {
    if (this.status !== "connected") return;
    for (const each of this.#handlers) if (each.subject === to) each.handler({ subject, data });
  }

  change(status: BusStatus): void {
    this.status = status;
    for (const listener of this.#listeners) listener(status);
  }

  subscribe(subject: string, handler: (message: BusMessage) => void): () => void {
    this.#handlers.push({ subject, handler });
    return () => undefined;
  }

  onStatus(listener: (status: BusStatus) => void): () => void {
    this.#listeners.push(listener);
    return () => undefined;
  }

  async open(): Promise<"ready" | "absent"> {
    if (this.failure !== undefined) throw this.failure;
    return this.presence;
  }

  async state(): Promise<TickStreamState> {
    if (this.failure !== undefined) throw this.failure;
    const firstSequence = this.stored[0]?.sequence ?? this.last + 1;
    return {
      firstSequence,
      lastSequence: Math.min(this.last, this.leaderKnowsTo),
      ...{ isShared: this.isShared, created: this.created },
    };
  }

  async timeOf(sequence: number): Promise<number | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.stored.find((each) => each.sequence === sequence)?.timeMs;
  }

  async findEnd(onStored: () => void): Promise<EndPosition> {
    if (this.failure !== undefined) throw this.failure;
    if (this.isFull) throw new StreamRefusal("maximum bytes exceeded");
    await this.beforeMark();
    this.#time.freeze(this.markMs / 2);
    this.#store("ticks._engine.mark", bytes(""), 0);
    this.#deliver("ticks.*.>", "ticks._engine.mark", bytes(""));
    this.#time.freeze(this.markMs / 2);
    onStored();
    return { sequence: this.last, timeMs: this.stored.at(-1)?.timeMs ?? null };
  }

  #store(subject: string, data: Uint8Array, ageMs: number): void {
    this.last += 1;
    const timeMs = Math.floor(this.#time.nowMs() - ageMs + this.aheadMs);
    this.stored.push({ sequence: this.last, subject, data, timeMs });
  }

  async firstSince({ from, to }: TickRange, timeMs: number): Promise<number> {
    if (this.failure !== undefined) throw this.failure;
    const found = this.stored.find((each) => each.sequence >= from && each.sequence <= to && each.timeMs >= timeMs);
    return found === undefined ? to + 1 : this.stored.some(({ sequence }) => sequence === from) ? found.sequence : from;
  }

  async firstTick(from: number): Promise<number | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.stored.find(({ sequence, subject }) => sequence >= from && isOfTicks(subject))?.sequence;
  }

  async read(range: TickRange, signal: AbortSignal, visit: (stored: StoredTicks) => void): Promise<void> {
    this.reads.push(range);
    for (const each of this.stored.filter(({ sequence }) => sequence >= range.from && sequence <= range.to)) {
      await Promise.resolve();
      this.onRead(each.sequence);
      signal.throwIfAborted();
      if (this.failure !== undefined) throw this.failure;
      if (this.knownTo < each.sequence) return;
      if (this.stored.includes(each)) visit(each);
    }
  }

  /** Loses its last messages, which were not on the disk, as by a power cut; it gives out their sequences again. */
  lose(count: number): void {
    this.last -= count;
    this.stored = this.stored.filter(({ sequence }) => sequence <= this.last);
  }

  purge(through: number): void {
    this.stored = this.stored.filter(({ sequence }) => sequence > through);
  }
}
