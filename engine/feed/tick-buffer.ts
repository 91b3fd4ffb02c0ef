/**
 * The ticks of one partition that comes to a running engine: it reads back what it missed while the feed is live for the
 * others.
 *
 * Owns: what waits for this partition meanwhile, and the judgement of what it reads back. Does not own: which range that
 * is (stream/catch-up.ts), the live feed.
 *
 * Invariants:
 * 1. What comes live waits from before the end of the range is taken until it has been read; then it goes on in order,
 *    as caught up.
 * 2. A tick that comes both ways is given twice. That is harmless, as with every range that is read back.
 */
import type { AcceptedTick, SessionPrices } from "../ports/price.ts";
import type { StoredAt } from "../ports/stream.ts";
import { type AcceptanceOptions, type AcceptedTickSink, TickAcceptance } from "./acceptance.ts";
import { type HeldTicks, isOfTicks } from "./live.ts";
import { LiveBuffer } from "./live-buffer.ts";
import { StreamCatchUp } from "./stream/catch-up.ts";
import type { CatchUpOptions } from "./stream/catch-up-options.ts";
import type { FeedMemory, TickHole } from "./stream/missed-ticks.ts";
import type { TickStream } from "./stream/tick-stream.ts";
import { TickIntake } from "./tick-intake.ts";

/** Where a partition stands that comes while the feed runs, as its head says. */
interface GateStart {
  readonly position: number | null;
  readonly storedAtMs: number;
  readonly memory: FeedMemory;
  /** A tick came since the gate was made that was not taken: what is taken counts as held from now on. */
  readonly lacksTick: boolean;
}

/** What a partition that comes is told. */
export interface GateOptions {
  readonly onTick: AcceptedTickSink;
  /** What was missed was given. */
  readonly onCaughtUp: () => void;
  /** See `CatchUpOptions.mayAct`. */
  readonly mayAct: () => boolean;
  /** Ticks were missed for good. It is logged already. */
  readonly onHole: (hole: TickHole) => void;
}

/** One partition's way to the ticks. */
export interface OpenTickBuffer {
  readonly isCatchingUp: boolean;
  /** A level of this symbol was armed while that is true. */
  onArmedMeanwhile(symbol: string): void;
  /** Takes what the feed hands to its own `onTick`. */
  take(tick: AcceptedTick, ownTimeMs: number): void;
  /** Reads back what was missed; until then what is taken waits. Resolves once the partition is live; does not reject. */
  catchUp(start: GateStart): Promise<void>;
  stop(): void;
}

interface GateFeed
  extends Omit<AcceptanceOptions, "onTick" | "kept">,
    Omit<CatchUpOptions, "live" | "stream" | "onMemory" | "onUnknownPast" | "onHole" | "mayAct"> {
  /** Undefined where nothing can be read back. */
  readonly stream: TickStream | undefined;
  /** Of the engine's own feed: to judge by what is read back before anything else is known. */
  readonly prices: SessionPrices;
  /** True while the engine's own feed is live: whatever comes, comes through it. */
  readonly isLive: () => boolean;
  readonly bufferCapacity: number;
  readonly countsEveryTick?: (symbol: string) => boolean;
}

interface TickGateOptions extends Omit<AcceptanceOptions, "onTick"> {
  /** How many live ticks wait before they are coalesced. */
  readonly bufferCapacity: number;
  /** See `LiveBuffer`. */
  readonly countsEveryTick?: (symbol: string) => boolean;
  readonly onTick: AcceptedTickSink;
  readonly onCaughtUp: () => void;
}

/** Where ticks wait for one partition. */
class TickGate implements HeldTicks {
  readonly #options: TickGateOptions;
  readonly #acceptance: TickAcceptance;
  readonly #intake: TickIntake;
  #waiting: LiveBuffer | undefined;
  #isHandingOn = false;
  #seenCount = 0;

  /** Closed: what is taken waits. */
  constructor(options: TickGateOptions) {
    this.#options = options;
    this.#acceptance = new TickAcceptance(options);
    this.#intake = new TickIntake(this.#acceptance);
    this.hold();
  }

  /** True until the last of the ticks that waited has been handed on. */
  get isCatchingUp(): boolean {
    return this.#waiting !== undefined || this.#isHandingOn;
  }

  onArmedMeanwhile(symbol: string): void {
    this.#waiting?.mark(symbol, this.#options.clock.nowMs());
  }

  get state(): "live" | "catchingUp" {
    return this.#waiting === undefined ? "live" : "catchingUp";
  }

  get seenCount(): number {
    return this.#seenCount;
  }

  get hasRefusedByClock(): boolean {
    return this.#acceptance.hasRefusedByClock;
  }

  forgetRefusedByClock(): void {
    this.#acceptance.forgetRefusedByClock();
  }

  /** It is given accepted ticks, not messages. */
  get heardCount(): undefined {
    return undefined;
  }

  /** Takes a tick that the engine's feed accepted. */
  take(tick: AcceptedTick, ownTimeMs: number): void {
    this.#seenCount += 1;
    if (this.#waiting === undefined) this.#options.onTick(tick, ownTimeMs);
    else this.#waiting.push({ symbol: tick.symbol, price: tick.price, ownTimeMs, atMs: tick.timeMs });
  }

  hold(): void {
    this.#acceptance.beginReadingBack();
    this.#waiting = new LiveBuffer(this.#options.bufferCapacity, this.#options.countsEveryTick);
  }

  release(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#acceptance.endReadingBack();
    this.#isHandingOn = true;
    try {
      waiting.drain(({ symbol, price, ownTimeMs, atMs }) => this.#acceptance.take(symbol, price, ownTimeMs, atMs));
    } finally {
      this.#isHandingOn = false;
    }
    this.#options.onCaughtUp();
  }

  takeCaughtUp(subject: string, data: Uint8Array, atMs: number, stored: StoredAt): void {
    if (isOfTicks(subject)) this.#intake.take({ subject, data }, atMs, stored);
  }

  /** The engine's feed takes the ticks. */
  open(): void {}

  close(): void {}
}

/**
 * A closed gate: what is taken waits until `catchUp` has read back what came before it. No level may be armed elsewhere
 * after it was made: when that was cannot be compared with what waits.
 */
export function openTickBuffer(options: GateFeed & GateOptions): OpenTickBuffer {
  const { stream, prices, isLive, steadyClock } = options;
  const kept = {
    last: (symbol: string) => prices.last(symbol),
    session: (symbol: string) => prices.session(symbol),
    changed: () => undefined,
  };
  const gate = new TickGate({ ...options, kept });
  let heldSinceMs = steadyClock.nowMs();
  const heldForMs = (): number => (isLive() ? steadyClock.nowMs() - heldSinceMs : 0);
  const reading = stream === undefined ? undefined : new StreamCatchUp({ ...options, heldForMs, live: gate, stream });
  let isStopped = false;
  return {
    get isCatchingUp() {
      return gate.isCatchingUp;
    },
    onArmedMeanwhile: (symbol) => gate.onArmedMeanwhile(symbol),
    take: (tick, ownTimeMs) => gate.take(tick, ownTimeMs),
    catchUp: async ({ position, storedAtMs, memory, lacksTick }) => {
      if (lacksTick) heldSinceMs = steadyClock.nowMs();
      await reading?.start(position, storedAtMs, memory);
      if (isStopped) return;
      // From here on the engine's feed alone tells how far the stream was applied.
      reading?.stop();
      gate.release();
    },
    stop: () => {
      isStopped = true;
      reading?.stop();
    },
  };
}
