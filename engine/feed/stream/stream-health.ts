/**
 * Whether the tick stream takes what is published.
 *
 * Owns: since when it does not, telling that. Does not own: asking it (catch-up.ts), keeping it over a kill (the head
 * record, through the partitions).
 *
 * Live ticks reach the engine without the stream. But those that it does not take cannot be read back: whoever is killed
 * or cut off then misses them for good.
 *
 * Invariant: what is told begins no later than the first tick that was not stored.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";

interface StreamIntakeOptions {
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** What `refusingSinceMs` says has changed: to be kept. */
  readonly onChanged: () => void;
}

/** How long the stream may say nothing. */
const SILENT_MS = 3_000;
const TOLD_EVERY_MS = 60_000;

export class StreamHealth {
  readonly #options: StreamIntakeOptions;
  #refusingSinceMs: number | null = null;
  /** When it took nothing at the latest, as far as is known. */
  #refusedAtMs: number | null = null;
  /** When it certainly took what was published: by our clock, and by the steady one. */
  #taken: { readonly atMs: number; readonly steadyMs: number; readonly seenCount: number } | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamIntakeOptions) {
    this.#options = options;
  }

  /** Since when, by our clock, ticks may be missing in the stream; null where none is. */
  get refusingSinceMs(): number | null {
    return this.#refusingSinceMs;
  }

  /** While ticks may be missing: until when, by our clock, the stream certainly took none; null if none is missing. */
  get refusedAtMs(): number | null {
    return this.#refusingSinceMs === null ? null : this.#refusedAtMs;
  }

  /** What a life before left: the stream has taken nothing since, and did not at `refusedAtMs`, when that was stored. */
  resume(sinceMs: number, refusedAtMs = sinceMs): void {
    this.#refusedAtMs = Math.max(sinceMs, refusedAtMs);
    if (this.#refusingSinceMs === null || sinceMs < this.#refusingSinceMs) this.#refusingSinceMs = sinceMs;
  }

  /** It took a message. `seenCount`: live messages seen so far. */
  take(seenCount: number): void {
    const { clock, steadyClock, log, onChanged } = this.#options;
    this.#taken = { atMs: clock.nowMs(), steadyMs: steadyClock.nowMs(), seenCount };
    if (this.#refusingSinceMs === null) return;
    const since = new Date(this.#refusingSinceMs).toISOString();
    log.info({ event: "tickStream.storing", since }, "tick feed: the tick stream takes ticks again");
    this.#refusingSinceMs = null;
    this.#toldAtMs = Number.NEGATIVE_INFINITY;
    onChanged();
  }

  /** It said that it takes nothing. `knownMs`: till when it did at the latest known of, where this life knows nothing. */
  refuse(reason: string, knownMs: number | null = null): void {
    const { clock, steadyClock, log, onChanged } = this.#options;
    const isNew = this.#refusingSinceMs === null;
    this.#refusedAtMs = clock.nowMs();
    this.#refusingSinceMs ??= this.#taken?.atMs ?? knownMs ?? clock.nowMs();
    const nowMs = steadyClock.nowMs();
    if (nowMs - this.#toldAtMs >= TOLD_EVERY_MS) {
      this.#toldAtMs = nowMs;
      const since = new Date(this.#refusingSinceMs).toISOString();
      log.error(
        { event: "tickStream.notStoring", reason, since },
        "tick feed: the tick stream takes no ticks: those of a restart now would be lost",
      );
    }
    if (isNew) onChanged();
  }

  /** It did not answer: that it takes nothing is concluded where live ticks came for a while. */
  doubt(reason: string, seenCount: number): void {
    const taken = this.#taken;
    if (taken === null || seenCount === taken.seenCount) return;
    if (this.#options.steadyClock.nowMs() - taken.steadyMs >= SILENT_MS) this.refuse(reason);
  }
}
