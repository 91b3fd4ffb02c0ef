/**
 * The ticks of one partition that joins a running engine: it reads back its missed ticks while the feed is live for the
 * others.
 *
 * Owns: the ticks that wait for this partition during the read, and the judgement of ticks read back. Does not own:
 * which range that is (stream/catch-up.ts), the live feed.
 *
 * Invariants:
 * 1. Live ticks wait from before the end of the range is taken until it has been read; then they are handed on in
 *    order, as caught up.
 * 2. A tick that arrives both ways is handed on twice. That is harmless, as with every range that is read back.
 */
import type { FeedMemory } from "../ports/feed.ts";
import type { AcceptedTick, SessionPrices } from "../ports/price.ts";
import type { StoredAt } from "../ports/stream.ts";
import { type AcceptanceOptions, type AcceptedTickSink, TickAcceptance } from "./acceptance.ts";
import { type HeldTicks, isOfTicks } from "./live.ts";
import { LiveBuffer } from "./live-buffer.ts";
import { StreamCatchUp } from "./stream/catch-up.ts";
import type { CatchUpOptions } from "./stream/catch-up-options.ts";
import type { TickHole } from "./stream/missed-ticks.ts";
import type { TickStream } from "./stream/tick-stream.ts";
import { TickIntake } from "./tick-intake.ts";

/** The position, from its head, of a partition that joins while the feed runs. */
interface GateStart {
  readonly position: number | null;
  readonly storedAtMs: number;
  readonly memory: FeedMemory;
  /** Since the gate was made a tick arrived that was not taken: ticks count as held from now on. */
  readonly lacksTick: boolean;
}

/** The callbacks and settings of a partition that joins. */
export interface GateOptions {
  readonly onTick: AcceptedTickSink;
  /** Called when the missed ticks were handed on. */
  readonly onCaughtUp: () => void;
  /** See `CatchUpOptions.mayAct`. */
  readonly mayAct: () => boolean;
  /** Called when ticks were missed permanently. This is already logged. */
  readonly onHole: (hole: TickHole) => void;
}

/** One partition's access to the ticks. */
export interface OpenTickBuffer {
  readonly isCatchingUp: boolean;
  /** Notes a level of this symbol that was armed while that is true. */
  onArmedMeanwhile(symbol: string): void;
  /** Takes a tick that the feed passes to its own `onTick`. */
  take(tick: AcceptedTick, ownTimeMs: number): void;
  /** Reads missed ticks back; until then, ticks taken wait. Resolves once the partition is live; does not reject. */
  catchUp(start: GateStart): Promise<void>;
  stop(): void;
}

interface GateFeed
  extends Omit<AcceptanceOptions, "onTick" | "kept">,
    Omit<CatchUpOptions, "live" | "stream" | "onMemory" | "onUnknownPast" | "onHole" | "mayAct"> {
  /** Undefined if nothing can be read back. */
  readonly stream: TickStream | undefined;
  /** The prices of the engine's own feed: the first reference for judging ticks that are read back. */
  readonly prices: SessionPrices;
  /** True while the engine's own feed is live: every tick arrives through it. */
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

/** The buffer in which ticks wait for one partition. */
class TickGate implements HeldTicks {
  readonly #options: TickGateOptions;
  readonly #acceptance: TickAcceptance;
  readonly #intake: TickIntake;
  #waiting: LiveBuffer | undefined;
  #isHandingOn = false;
  #seenCount = 0;

  /** Starts closed: ticks taken wait. */
  constructor(options: TickGateOptions) {
    this.#options = options;
    this.#acceptance = new TickAcceptance(options);
    this.#intake = new TickIntake(this.#acceptance);
    this.hold();
  }

  /** True until the last waiting tick has been handed on. */
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

  /** It receives accepted ticks, not messages. */
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
 * Makes a closed gate: ticks taken wait until `catchUp` has read back the earlier ones. No level can be armed elsewhere
 * after it was made: its time could not be compared with the waiting ticks.
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
      // From here on the engine's feed alone decides how far the stream was applied.
      reading?.stop();
      gate.release();
    },
    stop: () => {
      isStopped = true;
      reading?.stop();
    },
  };
}
