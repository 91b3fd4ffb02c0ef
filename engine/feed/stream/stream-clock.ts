/**
 * The clock of the tick stream, and where the stream stands, as far as they are known here.
 *
 * Owns: how far the stream's clock is ahead of ours, measured by probes of its end; telling when that is much. Does not own: when
 * to probe (catch-up.ts), what is judged by it (the actor host).
 *
 * A probe is stored between the question and its answer, so its time tells the stream's clock to within half of the way
 * there and back. From then on that clock is carried forward by the steady clock: a step of the wall clock shows at once
 * and moves nothing that is judged by the stream's clock.
 *
 * Invariant: a measurement gives way to one that is more certain by now, or that says that the stream's clock stepped.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import type { StreamPlace } from "../../ports/stream.ts";

/** A message that was stored to learn where the stream stands. */
export interface EndReading {
  /** Tells one stream from another of the same name. */
  readonly stream: string;
  readonly sequence: number;
  /** When it was stored, by the stream's clock; null where that is not known. */
  readonly timeMs: number | null;
  /** By our steady clock. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

interface Measured {
  readonly streamMs: number;
  readonly steadyMs: number;
  /** How far it may be off. */
  readonly errorMs: number;
}

interface StreamClockOptions {
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
}

/** Further apart is a warning and a figure. */
const AHEAD_MS_MAX = 250;
/** Ours is wrong if it is surely further apart: prices would be refused by it (behaviour 3.7a). */
const CLOCK_OFF_MS_MAX = 2_000;
/** How much a quartz may drift from another one, in ms a ms. */
const DRIFT = 0.000_5;
const TOLD_EVERY_MS = 60_000;

export class StreamClock {
  readonly #options: StreamClockOptions;
  #measured: Measured | undefined;
  #stream: string | null = null;
  #sequence: number | null = null;
  #toldAtMs: number | null = null;
  #offToldAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamClockOptions) {
    this.#options = options;
  }

  /** How far the stream's clock is ahead of ours, in ms; null before it was measured. */
  get aheadMs(): number | null {
    const nowMs = this.#streamNowMs();
    return nowMs === null ? null : Math.round(nowMs - this.#options.clock.nowMs());
  }

  /**
   * How far the stream's clock is ahead of ours if ours is surely wrong, in ms; 0 if that is not sure, null before it
   * was measured.
   */
  get offMs(): number | null {
    const { aheadMs } = this;
    const known = this.#measured;
    if (aheadMs === null || known === undefined) return null;
    const errorMs = known.errorMs + (this.#options.steadyClock.nowMs() - known.steadyMs) * DRIFT;
    return Math.abs(aheadMs) - errorMs > CLOCK_OFF_MS_MAX ? aheadMs : 0;
  }

  /** All of the stream up to here came before now; null where no stream is known. */
  place(): StreamPlace | null {
    const { aheadMs } = this;
    if (this.#stream === null || this.#sequence === null || aheadMs === null) return null;
    return { stream: this.#stream, sequence: this.#sequence, aheadMs };
  }

  /** A moment of the stream's clock as one of ours. */
  toOwn(streamMs: number): number {
    return streamMs - (this.aheadMs ?? 0);
  }

  read({ stream, sequence, timeMs, askedAtMs, answeredAtMs }: EndReading): void {
    this.#stream = stream;
    this.#sequence = sequence;
    if (timeMs === null) return;
    // Both clocks are read in whole milliseconds.
    const errorMs = (answeredAtMs - askedAtMs) / 2 + 1;
    const measured = { streamMs: timeMs, steadyMs: (askedAtMs + answeredAtMs) / 2, errorMs };
    if (this.#isBetter(measured, answeredAtMs)) this.#measured = measured;
    this.#tell(errorMs, answeredAtMs);
  }

  #isBetter(measured: Measured, nowMs: number): boolean {
    const known = this.#measured;
    if (known === undefined) return true;
    const knownErrorMs = known.errorMs + (nowMs - known.steadyMs) * DRIFT;
    const apartMs = Math.abs(known.streamMs - known.steadyMs - (measured.streamMs - measured.steadyMs));
    return measured.errorMs <= knownErrorMs || apartMs > measured.errorMs + knownErrorMs;
  }

  #streamNowMs(): number | null {
    const known = this.#measured;
    return known === undefined ? null : known.streamMs + (this.#options.steadyClock.nowMs() - known.steadyMs);
  }

  #tell(errorMs: number, nowMs: number): void {
    const { aheadMs } = this;
    if (aheadMs === null) return;
    const isApart = Math.abs(aheadMs) - errorMs > AHEAD_MS_MAX;
    if (!isApart) {
      if (this.#toldAtMs !== null) this.#options.log.info({ aheadMs }, "tick feed: the clocks agree again");
      this.#toldAtMs = null;
    } else if (this.offMs !== 0) {
      if (nowMs - this.#offToldAtMs < TOLD_EVERY_MS) return;
      this.#toldAtMs = nowMs;
      this.#offToldAtMs = nowMs;
      this.#options.log.error({ event: "clock.off", aheadMs }, `tick feed: ${describeClock(aheadMs)}`);
    } else if (this.#toldAtMs === null || nowMs - this.#toldAtMs >= TOLD_EVERY_MS) {
      this.#toldAtMs = nowMs;
      this.#options.log.warn(
        { aheadMs },
        "tick feed: the clocks of the nats-server and of this machine differ; synchronise both with NTP",
      );
    }
  }
}

/** A wrong clock as a sentence. `aheadMs`: how far the stream's clock is ahead of the engine's. */
export function describeClock(aheadMs: number): string {
  const way = aheadMs > 0 ? "behind" : "ahead of";
  return `the engine's clock is ${Math.abs(aheadMs)} ms ${way} that of the tick stream; synchronise both machines with NTP`;
}
