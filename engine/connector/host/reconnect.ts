/**
 * A connection that is made again without end, with back-off.
 *
 * Owns: when to try, and giving up a try that takes too long. Does not own: the connection itself.
 */
import type { Cancel, Timers } from "../../../src/runtime/ports.ts";
import type { ReconnectSettings } from "./config-file.ts";

export class Reconnect {
  readonly #settings: ReconnectSettings;
  readonly #timers: Timers;
  readonly #connect: () => void;
  #waitMs: number;
  #cancelNext: Cancel = () => undefined;
  #isStopped = false;

  constructor(settings: ReconnectSettings, timers: Timers, connect: () => void) {
    this.#settings = settings;
    this.#timers = timers;
    this.#connect = connect;
    this.#waitMs = settings.reconnectMsMin;
  }

  /** Notes a successful try: the next series begins with the shortest wait. */
  succeeded(): void {
    this.#waitMs = this.#settings.reconnectMsMin;
  }

  /** Tries again after a while. `isRefused`: an early retry would only do harm. */
  later(isRefused: boolean): void {
    this.#cancelNext();
    if (this.#isStopped) return;
    const { reconnectMsMax, refusedMsMin } = this.#settings;
    const delayMs = isRefused ? Math.max(refusedMsMin, this.#waitMs) : this.#waitMs;
    this.#waitMs = Math.min(this.#waitMs * 2, reconnectMsMax);
    this.#cancelNext = this.#timers.after(delayMs, this.#connect);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }
}
