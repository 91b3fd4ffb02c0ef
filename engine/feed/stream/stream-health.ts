/**
 * Whether the tick stream takes published messages.
 *
 * Owns: since when it does not, reporting that. Does not own: asking it (catch-up.ts), keeping it over a kill (the head
 * record, through the partitions).
 *
 * Live ticks reach the engine without the stream. But ticks that the stream does not take cannot be read back: an
 * engine that is killed or disconnected misses them permanently.
 *
 * Invariant: the reported time is not after the first tick that was not stored.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";

interface StreamIntakeOptions {
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** Called when `refusingSinceMs` has changed: store it. */
  readonly onChanged: () => void;
}

/** The longest time that the stream can be silent. */
const SILENT_MS = 3_000;
const TOLD_EVERY_MS = 60_000;

export class StreamHealth {
  readonly #options: StreamIntakeOptions;
  #refusingSinceMs: number | null = null;
  /** The latest known time at which it took nothing. */
  #refusedAtMs: number | null = null;
  /** When it certainly took published messages: by our clock, and by the steady one. */
  #taken: { readonly atMs: number; readonly steadyMs: number; readonly seenCount: number } | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: StreamIntakeOptions) {
    this.#options = options;
  }

  /** Since when, by our clock, ticks can be missing in the stream; null if none is missing. */
  get refusingSinceMs(): number | null {
    return this.#refusingSinceMs;
  }

  /** While ticks can be missing: until when, by our clock, the stream certainly took none; null if none is missing. */
  get refusedAtMs(): number | null {
    return this.#refusingSinceMs === null ? null : this.#refusedAtMs;
  }

  /**
   * Restores the state of the previous life: the stream has taken nothing since, and did not at `refusedAtMs`, when
   * that was stored.
   */
  resume(sinceMs: number, refusedAtMs = sinceMs): void {
    this.#refusedAtMs = Math.max(sinceMs, refusedAtMs);
    if (this.#refusingSinceMs === null || sinceMs < this.#refusingSinceMs) this.#refusingSinceMs = sinceMs;
  }

  /** Notes that it took a message. `seenCount`: live messages seen so far. */
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

  /**
   * Notes its report that it takes nothing. `knownMs`: the latest known time at which it did, if this life knows none.
   */
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
        "tick feed: the tick stream takes no ticks: ticks published during a restart now would be lost",
      );
    }
    if (isNew) onChanged();
  }

  /** Notes that it did not answer. If live ticks arrived for a while, this means that it takes nothing. */
  doubt(reason: string, seenCount: number): void {
    const taken = this.#taken;
    if (taken === null || seenCount === taken.seenCount) return;
    if (this.#options.steadyClock.nowMs() - taken.steadyMs >= SILENT_MS) this.refuse(reason);
  }
}
