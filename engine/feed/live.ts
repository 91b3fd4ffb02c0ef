/**
 * Ticks from the bus, as they come.
 *
 * Owns: the subscriptions, and waiting: while earlier ticks are read back, live ones are judged and kept in order.
 * Does not own: reading back (catch-up.ts), what a tick sets off.
 *
 * Invariants:
 * 1. While live, a message is decoded, judged and handed on inside the bus's call: no queue, no await.
 * 2. While held, nothing goes on, and nothing that was accepted is lost but what coalescing leaves out.
 * 3. Ticks that waited go on as caught up, at the moment they were seen: a level armed while they waited ignores them.
 */

import type { Bus, BusMessage, Unsubscribe } from "../../src/bus/port.ts";
import {
  ALL_TICKS_SUBJECT,
  DOTTED_TICKS_SUBJECT,
  TICK_BATCH_SUBJECT,
  TICK_MARK_SUBJECT,
  tickSubject,
} from "../../src/contract/subject.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { StoredAt } from "../ports/stream.ts";
import type { TickAcceptance } from "./acceptance.ts";
import { LiveBuffer } from "./live-buffer.ts";
import { TickIntake } from "./tick-intake.ts";

/** `disconnected`: no tick can come. `catchingUp`: live ticks wait for earlier ones. */
export type FeedState = "live" | "catchingUp" | "disconnected";

/** Live ticks that wait while earlier ones are read back, as catching up meets them. */
export interface HeldTicks {
  readonly state: FeedState;
  /** Live messages seen so far. */
  readonly seenCount: number;
  /** Messages received so far on subjects that the tick stream stores; undefined where not every one comes this way. */
  readonly heardCount: number | undefined;
  /** True while ticks that a wrong clock may have refused were not judged again. */
  readonly hasRefusedByClock: boolean;
  /** These are read back now, and judged by a clock that is right. */
  forgetRefusedByClock(): void;
  /** Starts to take ticks. `onTick` is called before each is taken, with the moment by the wall clock. */
  open(onTick?: (nowMs: number) => void): void;
  close(): void;
  /** From here on live ticks wait. What waits already is thrown away: the stream holds it too, in its place. */
  hold(): void;
  /** Hands on what waited, in order, and goes live. */
  release(): void;
  /**
   * Takes a message read back from the stream, stored at `atMs` of our clock. Subjects that live ticks do not have are
   * left out.
   */
  takeCaughtUp(subject: string, data: Uint8Array, atMs: number, stored: StoredAt): void;
}

interface LiveFeedOptions {
  readonly bus: Pick<Bus, "subscribe" | "status">;
  readonly clock: Clock;
  readonly acceptance: TickAcceptance;
  /** How many live ticks wait before they are coalesced. */
  readonly bufferCapacity: number;
  /** See `LiveBuffer`. */
  readonly countsEveryTick?: (symbol: string) => boolean;
  /** Everything that was missed, and everything that waited for it, has been handed on. */
  readonly onCaughtUp?: () => void;
}

interface Waiting {
  readonly acceptance: TickAcceptance;
  readonly intake: TickIntake;
  readonly buffer: LiveBuffer;
}

export class LiveFeed implements HeldTicks {
  readonly #options: LiveFeedOptions;
  readonly #intake: TickIntake;
  #waiting: Waiting | undefined;
  #isHandingOn = false;
  #seenCount = 0;
  /** Of other messages that the tick stream stores: marks. */
  #otherCount = 0;
  #onTick: (nowMs: number) => void = () => undefined;
  #subscriptions: Unsubscribe[] = [];

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#intake = new TickIntake(options.acceptance);
  }

  get state(): FeedState {
    if (this.#options.bus.status === "disconnected") return "disconnected";
    return this.#waiting === undefined ? "live" : "catchingUp";
  }

  /** True from when ticks may be missed until the last of those that waited has been handed on. */
  get isCatchingUp(): boolean {
    return this.#waiting !== undefined || this.#isHandingOn;
  }

  /** Ticks that wait for earlier ones. */
  get waitingCount(): number {
    return this.#waiting?.buffer.length ?? 0;
  }

  /** A level of this symbol was armed: of the ticks that wait those from now on count for it. */
  onArmedMeanwhile(symbol: string): void {
    this.#waiting?.buffer.mark(symbol, this.#options.clock.nowMs());
  }

  open(onTick: (nowMs: number) => void = () => undefined): void {
    this.#onTick = onTick;
    for (const subject of [tickSubject("*"), TICK_BATCH_SUBJECT]) {
      this.#subscriptions.push(
        this.#options.bus.subscribe(subject, (message) => this.#take(message), { readsInPlace: true }),
      );
    }
    this.#subscriptions.push(
      this.#options.bus.subscribe(DOTTED_TICKS_SUBJECT, ({ subject }) => this.#takeOther(subject)),
    );
  }

  /**
   * What is stored with the ticks and is none: marks of engines. Another name with a dot is no symbol: its prices are
   * counted and logged, as they would be missed in silence.
   */
  #takeOther(subject: string): void {
    const { acceptance, clock } = this.#options;
    this.#otherCount += 1;
    if (subject === TICK_MARK_SUBJECT) return;
    acceptance.refuseUnknown(subject.slice(PREFIX.length), Number.NaN, clock.nowMs());
  }

  close(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
  }

  hold(): void {
    const buffer = new LiveBuffer(this.#options.bufferCapacity, this.#options.countsEveryTick);
    this.#options.acceptance.beginReadingBack();
    const acceptance = this.#options.acceptance.fork(({ symbol, price, timeMs }, ownTimeMs) =>
      buffer.push({ symbol, price, ownTimeMs, atMs: timeMs }),
    );
    this.#waiting = { acceptance, intake: new TickIntake(acceptance), buffer };
  }

  release(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    const { acceptance } = this.#options;
    acceptance.endReadingBack();
    waiting.acceptance.counters.coalesced += waiting.buffer.coalescedCount;
    this.#isHandingOn = true;
    try {
      waiting.buffer.drain(({ symbol, price, ownTimeMs, atMs }) => acceptance.take(symbol, price, ownTimeMs, atMs));
    } finally {
      this.#isHandingOn = false;
    }
    acceptance.join(waiting.acceptance);
    this.#options.onCaughtUp?.();
  }

  takeCaughtUp(subject: string, data: Uint8Array, atMs: number, stored: StoredAt): void {
    if (isOfTicks(subject)) this.#intake.take({ subject, data }, atMs, stored);
  }

  get hasRefusedByClock(): boolean {
    return this.#options.acceptance.hasRefusedByClock;
  }

  forgetRefusedByClock(): void {
    this.#options.acceptance.forgetRefusedByClock();
  }

  get seenCount(): number {
    return this.#seenCount;
  }

  get heardCount(): number {
    return this.#seenCount + this.#otherCount;
  }

  #take(message: BusMessage): void {
    const nowMs = this.#options.clock.nowMs();
    this.#onTick(nowMs);
    const intake = this.#waiting?.intake ?? this.#intake;
    this.#seenCount += 1;
    intake.take(message, nowMs);
  }
}

const PREFIX = ALL_TICKS_SUBJECT.slice(0, -1);

/** Whether live ticks come on this subject. */
export function isOfTicks(subject: string): boolean {
  return subject === TICK_BATCH_SUBJECT || (subject.startsWith(PREFIX) && !subject.includes(".", PREFIX.length));
}
