/**
 * How long an engine lets others lead a partition that it claimed and could not lead.
 *
 * Each failure in a row doubles it, from one lease to a minute; a term that held ends it.
 */
import type { Cancel, Timers } from "../../../src/runtime/ports.ts";

const HELD_BACK_MS_MAX = 60_000;

interface HoldBackOptions {
  /** After the first failure. */
  readonly leaseMs: number;
  readonly timers: Pick<Timers, "after">;
  /** It holds back no longer. */
  readonly onOver: () => void;
}

export class ClaimBackoff {
  readonly #options: HoldBackOptions;
  #lastMs = 0;
  #isOn = false;
  #cancel: Cancel = () => undefined;

  constructor(options: HoldBackOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** The last one, in ms, counted from the failure. */
  get durationMs(): number {
    return this.#lastMs;
  }

  /** A term ended before it answered anybody. Returns for how many ms it holds back now. */
  fail(): number {
    const { leaseMs, timers, onOver } = this.#options;
    this.#lastMs = Math.min(HELD_BACK_MS_MAX, Math.max(leaseMs, this.#lastMs * 2));
    this.#isOn = true;
    this.#cancel();
    this.#cancel = timers.after(this.#lastMs, () => {
      this.#isOn = false;
      onOver();
    });
    return this.#lastMs;
  }

  /** A term held, or all ends. */
  reset(): void {
    this.#cancel();
    this.#lastMs = 0;
    this.#isOn = false;
  }
}
