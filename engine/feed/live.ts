/**
 * Ticks from the bus, as they arrive.
 *
 * Owns: the subscriptions, and waiting: while earlier ticks are read back, live ones are judged and kept in order. Does
 * not own: reading back (catch-up.ts), the effects of a tick.
 *
 * Invariants:
 * 1. While live, a message is decoded, judged and handed on inside the bus's call: no queue, no await.
 * 2. While held, nothing is handed on, and no accepted tick is lost except coalesced ones.
 * 3. Waiting ticks are handed on as caught up, at the moment they were seen: a level armed while they waited ignores
 *    them.
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

/** `disconnected`: no tick can arrive. `catchingUp`: live ticks wait for earlier ones. */
export type FeedState = "live" | "catchingUp" | "disconnected";

/** Live ticks that wait while earlier ones are read back, as catching up uses them. */
export interface HeldTicks {
  readonly state: FeedState;
  /** Live messages seen so far. */
  readonly seenCount: number;
  /**
   * Messages received so far on subjects that the tick stream stores; undefined if not every message arrives this way.
   */
  readonly heardCount: number | undefined;
  /** True while ticks that a wrong clock can have refused were not judged again. */
  readonly hasRefusedByClock: boolean;
  /** Forgets them: they are now read back, and judged by a right clock. */
  forgetRefusedByClock(): void;
  /** Starts to take ticks. `onTick` is called before each is taken, with the moment by the wall clock. */
  open(onTick?: (nowMs: number) => void): void;
  close(): void;
  /** Makes live ticks wait from now on. Waiting ticks are discarded: the stream also holds them, in their place. */
  hold(): void;
  /** Hands on the waiting ticks, in order, and goes live. */
  release(): void;
  /**
   * Takes a message read back from the stream, stored at `atMs` of our clock. Subjects without live ticks are left out.
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
  /** Called when every missed and every waiting tick has been handed on. */
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
  /** The number of other messages that the tick stream stores: marks. */
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

  /** True from when ticks can be missed until the last waiting tick has been handed on. */
  get isCatchingUp(): boolean {
    return this.#waiting !== undefined || this.#isHandingOn;
  }

  /** The number of ticks that wait for earlier ones. */
  get waitingCount(): number {
    return this.#waiting?.buffer.length ?? 0;
  }

  /** Notes that a level of this symbol was armed: of the waiting ticks, those from now count for it. */
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
   * Handles messages that are stored with the ticks and are not ticks: marks of engines. Another name with a dot is not
   * a symbol: its prices are counted and logged, because they would otherwise be missed silently.
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

/** Whether live ticks arrive on this subject. */
export function isOfTicks(subject: string): boolean {
  return subject === TICK_BATCH_SUBJECT || (subject.startsWith(PREFIX) && !subject.includes(".", PREFIX.length));
}
