/**
 * One engine's term as leader of the log, from its claim.
 *
 * Owns: the beats, whether the engine can act, the end of the term. Does not own: what is appended (leader-log.ts).
 *
 * Invariants:
 * 1. `mayAct` is true only if the last acknowledged append began so recently that no other engine can claim yet.
 * 2. Once released, lost or closed, it no longer acts; only the loss is reported.
 * 3. A leader that receives no answers holds back and keeps trying: the log decides whether it still leads.
 */
import type { Cancel } from "../../../src/runtime/ports.ts";
import type { Leadership } from "../../ports/replica.ts";
import { LeaderLog, type LedLogOptions } from "./leader-log.ts";
import { beatAfterMs, mayActAt } from "./lease.ts";

interface LeadershipOptions extends Omit<LedLogOptions, "onProven" | "onFenced"> {
  /** The previous leader, if it did not release the log. */
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
    // After the machine slept another engine leads, although this machine's steady clock stopped.
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
      // Another engine already leads, or the log was closed while the append ran.
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
    // An append in progress proves the same.
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
