/**
 * One engine's time at the head of the log, from its claim on.
 *
 * Owns: the beats, whether it may act, its end. Does not own: what is appended (leader-log.ts).
 *
 * Invariants:
 * 1. `mayAct` is true only while the last acknowledged append began so lately that nobody else may claim yet.
 * 2. Once released, lost or closed it acts no more; of these only the loss is told.
 * 3. A leader that hears nothing holds back and goes on trying: the log decides whether it still leads.
 */
import type { Cancel } from "../../../src/runtime/ports.ts";
import type { Leadership } from "../../ports/replica.ts";
import { LeaderLog, type LedLogOptions } from "./leader-log.ts";
import { beatAfterMs, mayActAt } from "./lease.ts";

interface LeadershipOptions extends Omit<LedLogOptions, "onProven" | "onFenced"> {
  /** The leader before, where it did not release the log. */
  readonly silenced: string | undefined;
}

export class LogLeadership implements Leadership {
  readonly log: LeaderLog;
  readonly #options: LeadershipOptions;
  #cancelBeat: Cancel = () => undefined;
  #isReleasing = false;
  #lostFor: string | undefined;
  #waiting: (() => void)[] = [];
  #listeners: ((reason: string) => void)[] = [];

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.log = new LeaderLog({
      ...options,
      onProven: () => this.#tellWaiting(),
      onFenced: (reason) => this.#lose(reason),
    });
    this.#planBeat();
  }

  get epoch(): number {
    return this.#options.epoch;
  }

  get silenced(): string | undefined {
    return this.#options.silenced;
  }

  mayAct(): boolean {
    if (this.#isReleasing || this.log.hasEnded) return false;
    // A machine that slept has another leader by now, though its steady clock stood still.
    return mayActAt(0, this.#options.leaseMs, this.provenForMs);
  }

  get provenForMs(): number {
    return this.log.provenForMs;
  }

  whenMayAct(): Promise<void> {
    if (this.mayAct()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  onLost(listener: (reason: string) => void): void {
    if (this.#lostFor === undefined) this.#listeners.push(listener);
    else listener(this.#lostFor);
  }

  async release(to?: string): Promise<void> {
    if (this.#isReleasing || this.log.hasEnded) return;
    this.#isReleasing = true;
    this.#cancelBeat();
    try {
      await this.log.appendMark({ kind: "release", to });
    } catch {
      // Another engine leads already, or it was closed meanwhile.
    }
    await this.log.close();
  }

  #planBeat(): void {
    const { timers, leaseMs, steadyClock } = this.#options;
    const dueMs = Math.max(1, this.log.provenAtMs + beatAfterMs(leaseMs) - steadyClock.nowMs());
    this.#cancelBeat = timers.after(this.log.isBusy ? beatAfterMs(leaseMs) / 4 : dueMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const { steadyClock, leaseMs } = this.#options;
    const isDue = steadyClock.nowMs() - this.log.provenAtMs >= beatAfterMs(leaseMs);
    // What is on its way proves as much.
    if (isDue && !this.log.isBusy) await this.log.appendMark({ kind: "beat" }).catch(() => undefined);
    if (!this.log.hasEnded && !this.#isReleasing) this.#planBeat();
  }

  #tellWaiting(): void {
    if (!this.mayAct()) return;
    for (const go of this.#waiting.splice(0)) go();
  }

  #lose(reason: string): void {
    this.#cancelBeat();
    this.#lostFor = reason;
    for (const tell of this.#listeners.splice(0)) tell(reason);
  }
}
