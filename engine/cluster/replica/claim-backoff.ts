/**
 * How long an engine lets others lead a partition that it claimed and could not lead.
 *
 * Each failure in a row doubles the time, from one lease to a minute; a successful term resets it.
 */
import type { Cancel, Timers } from "../../../src/runtime/ports.ts";

const HELD_BACK_MS_MAX = 60_000;

interface HoldBackOptions {
  /** The time after the first failure. */
  readonly leaseMs: number;
  readonly timers: Pick<Timers, "after">;
  /** Called when the engine no longer holds back. */
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

  /** The last hold-back in ms, from the failure. */
  get durationMs(): number {
    return this.#lastMs;
  }

  /** Records a term that ended before it answered a client. Returns for how many ms it now holds back. */
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

  /** Resets after a successful term, or at the end. */
  reset(): void {
    this.#cancel();
    this.#lastMs = 0;
    this.#isOn = false;
  }
}
