/**
 * The clock of the tick stream, and the end of the stream, as far as they are known here.
 *
 * Owns: reading that clock from probes of the stream's end; reporting when it is far from ours. Does not own: when to
 * probe (catch-up.ts), the judgements that use it (the actor host).
 */
import { errorOf, MeasuredClock } from "../../../src/runtime/measured-clock.ts";
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import type { StreamPlace } from "../../ports/stream.ts";

/** A message that was stored to learn the end of the stream. */
export interface EndReading {
  /** Distinguishes streams of the same name. */
  readonly stream: string;
  readonly sequence: number;
  /** When it was stored, by the stream's clock; null if not known. */
  readonly timeMs: number | null;
  /** By our steady clock. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

interface StreamClockOptions {
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
}

/** A larger difference is logged as a warning and reported in the metrics. */
const AHEAD_MS_MAX = 250;
const TOLD_EVERY_MS = 60_000;

export class StreamClock {
  readonly #options: StreamClockOptions;
  readonly #measured: MeasuredClock;
  #stream: string | null = null;
  #sequence: number | null = null;
  #toldAtMs: number | null = null;
  #offToldAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamClockOptions) {
    this.#options = options;
    this.#measured = new MeasuredClock(options.clock, options.steadyClock);
  }

  /** How far the stream's clock is ahead of ours, in ms; null before it was measured. */
  get aheadMs(): number | null {
    return this.#measured.aheadMs;
  }

  /**
   * How far the stream's clock is ahead of ours if ours is certainly wrong, in ms: prices would be refused by it
   * (behaviour 3.7a); 0 if that is not certain, null before it was measured.
   */
  get offMs(): number | null {
    return this.#measured.offMs;
  }

  /** A place in the stream before which everything is earlier than now; null if no stream is known. */
  place(): StreamPlace | null {
    const { aheadMs } = this;
    if (this.#stream === null || this.#sequence === null || aheadMs === null) return null;
    return { stream: this.#stream, sequence: this.#sequence, aheadMs };
  }

  /** Converts a moment of the stream's clock to our clock. */
  toOwn(streamMs: number): number {
    return streamMs - (this.aheadMs ?? 0);
  }

  read({ stream, sequence, timeMs, askedAtMs, answeredAtMs }: EndReading): void {
    this.#stream = stream;
    this.#sequence = sequence;
    if (timeMs === null) return;
    const reading = { timeMs, askedAtMs, answeredAtMs };
    this.#measured.read(reading);
    this.#tell(errorOf(reading), answeredAtMs);
  }

  #tell(errorMs: number, nowMs: number): void {
    const { aheadMs } = this;
    if (aheadMs === null) return;
    const isApart = Math.abs(aheadMs) - errorMs > AHEAD_MS_MAX;
    if (!isApart) {
      if (this.#toldAtMs !== null)
        this.#options.log.info({ event: "clock.right", aheadMs }, "tick feed: the clocks agree again");
      this.#toldAtMs = null;
    } else if (this.offMs !== 0) {
      if (nowMs - this.#offToldAtMs < TOLD_EVERY_MS) return;
      this.#toldAtMs = nowMs;
      this.#offToldAtMs = nowMs;
      this.#options.log.error({ event: "clock.off", aheadMs }, `tick feed: ${describeClock(aheadMs)}`);
    } else if (this.#toldAtMs === null || nowMs - this.#toldAtMs >= TOLD_EVERY_MS) {
      this.#toldAtMs = nowMs;
      this.#options.log.warn(
        { event: "clock.apart", aheadMs },
        "tick feed: the clocks of the nats-server and of this machine differ; synchronise both with NTP",
      );
    }
  }
}

/** Describes a wrong clock as a sentence. `aheadMs`: how far the stream's clock is ahead of the engine's. */
export function describeClock(aheadMs: number): string {
  const way = aheadMs > 0 ? "behind" : "ahead of";
  return `the engine's clock is ${Math.abs(aheadMs)} ms ${way} the clock of the tick stream; synchronise both machines with NTP`;
}
