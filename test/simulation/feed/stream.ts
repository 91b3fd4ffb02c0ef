/**
 * A server in a simulated world: it delivers and stores by a clock of its own, is full at times, and drops repeated
 * ids.
 */
import { isOfTicks } from "../../../engine/feed/live.ts";
import {
  type EndPosition,
  type StoredTicks,
  StreamRefusal,
  type TickRange,
  type TickStream,
  type TickStreamState,
} from "../../../engine/feed/stream/tick-stream.ts";
import type { BusMessage, BusStatus } from "../../../src/bus/port.ts";
import type { Random } from "../world/random.ts";
import type { VirtualTime } from "../world/virtual-time.ts";

/** A request's way there, or back, takes up to this long. */
export const WAY_MS_MAX = 2;

export class SimulatedStream implements TickStream {
  readonly status: BusStatus = "connected";
  readonly #time: VirtualTime;
  readonly #random: Random;
  /** Its clock is ahead of true time by this, and goes faster by this share. */
  readonly #aheadMs: number;
  readonly #drift: number;
  readonly #duplicateWindowMs: number;
  readonly #stored: StoredTicks[] = [];
  readonly #ids = new Map<string, number>();
  isFull = false;
  /** Marks stored so far. */
  markCount = 0;
  /** The last published tick reached the engine's server. */
  isDelivered = true;
  #isRouteBroken = false;
  #markHandler: ((message: BusMessage) => void) | undefined;
  /** Planted: the server that ranges are read from is asked whether their end exists, not the stream's leader. */
  asksLagging = false;
  /**
   * How many of the last messages are unknown to the server that ranges are read from, and to the leader, for a while.
   */
  #laggingBy = 0;
  #leaderLagsBy = 0;
  /** The connected life of now, if any. */
  handler: ((message: BusMessage) => void) | undefined;

  constructor(time: VirtualTime, random: Random, duplicateWindowMs: number) {
    this.#time = time;
    this.#random = random;
    this.#aheadMs = random.pick([0, 0, -3_000, -1_000, 1_000, 3_000]);
    this.#drift = random.pick([0, 1e-5, -1e-5]);
    this.#duplicateWindowMs = duplicateWindowMs;
  }

  /** Delivers to the listener; returns whether it was stored as well. */
  publish(subject: string, text: string, id: string | undefined): boolean {
    const data = Buffer.from(text);
    const isStored = !this.isFull && !this.#isRepeated(id);
    if (isStored) this.#store(subject, data);
    this.isDelivered = !this.#isRouteBroken;
    if (this.isDelivered) this.handler?.({ subject, data });
    return isStored;
  }

  subscribe(subject: string, handler: (message: BusMessage) => void): () => void {
    if (subject === "ticks.*") this.handler = handler;
    if (subject === "ticks.*.>") this.#markHandler = handler;
    return () => undefined;
  }

  onStatus(): () => void {
    return () => undefined;
  }

  async open(): Promise<"ready"> {
    await this.#way();
    return "ready";
  }

  async state(): Promise<TickStreamState> {
    await this.#way();
    const lastSequence = Math.max(0, this.#stored.length - this.#leaderLagsBy);
    return { firstSequence: 1, lastSequence, isShared: false, created: "2026-01-01T00:00:00Z" };
  }

  async timeOf(sequence: number): Promise<number | undefined> {
    await this.#way();
    if (this.asksLagging && sequence > this.#stored.length - this.#laggingBy) return undefined;
    return this.#stored[sequence - 1]?.timeMs;
  }

  async findEnd(onStored: () => void): Promise<EndPosition> {
    await this.#way();
    if (this.isFull) throw new StreamRefusal("maximum bytes exceeded");
    const mark = { subject: "ticks._engine.mark", data: Buffer.alloc(0) };
    this.#markHandler?.(mark);
    this.markCount += 1;
    const { sequence, timeMs } = this.#store(mark.subject, mark.data);
    await this.#way();
    onStored();
    return { sequence, timeMs };
  }

  async firstSince({ from, to }: TickRange, timeMs: number): Promise<number> {
    await this.#way();
    const found = this.#stored.slice(from - 1, to).find((stored) => stored.timeMs >= timeMs);
    return found?.sequence ?? to + 1;
  }

  async firstTick(from: number): Promise<number | undefined> {
    await this.#way();
    return this.#stored.slice(from - 1).find(({ subject }) => isOfTicks(subject))?.sequence;
  }

  async read({ from, to }: TickRange, signal: AbortSignal, visit: (stored: StoredTicks) => void) {
    const known = this.#stored.slice(0, Math.max(0, this.#stored.length - this.#laggingBy));
    for (const stored of known.slice(from - 1, to)) {
      if (this.#random.chance(0.2)) await this.#way();
      signal.throwIfAborted();
      visit(stored);
    }
  }

  /** The route from the publishers' server to the engine's is broken for so long; both reach the stream's leader. */
  breakRoute(forMs: number): void {
    this.#isRouteBroken = true;
    this.#time.after(forMs, () => {
      this.#isRouteBroken = false;
    });
  }

  /** A server comes back, and a leader was elected that does not know all: both catch up after a while. */
  lag(): void {
    this.#laggingBy = this.#random.whole(0, 20);
    this.#leaderLagsBy = this.#random.whole(0, 5);
    this.#time.after(this.#random.whole(0, 1_500), () => {
      this.#laggingBy = 0;
      this.#leaderLagsBy = 0;
    });
  }

  /** By its own clock. */
  nowMs(): number {
    const trueMs = this.#time.steadyClock.nowMs();
    return Math.floor(Date.UTC(2026, 0, 5, 9) + trueMs * (1 + this.#drift) + this.#aheadMs);
  }

  #store(subject: string, data: Uint8Array): StoredTicks {
    const stored = { sequence: this.#stored.length + 1, subject, data, timeMs: this.nowMs() };
    this.#stored.push(stored);
    return stored;
  }

  #isRepeated(id: string | undefined): boolean {
    if (id === undefined) return false;
    const nowMs = this.#time.steadyClock.nowMs();
    const beforeMs = this.#ids.get(id);
    if (beforeMs !== undefined && nowMs - beforeMs < this.#duplicateWindowMs) return true;
    this.#ids.set(id, nowMs);
    return false;
  }

  #way(): Promise<void> {
    return new Promise((resolve) => this.#time.after(this.#random.whole(0, WAY_MS_MAX), resolve));
  }
}
