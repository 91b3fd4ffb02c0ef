/**
 * A copy that follows its log, and claims the partition when it is its turn.
 *
 * Owns: how long it lets other engines claim first, which log events end the copy. Does not own: when a claim is
 * allowed (the log), the rows (replica-folder.ts), leading (replica.ts).
 *
 * Invariants:
 * 1. A copy that is not read yet lets ready engines claim first, because it could not lead before it is read. It claims
 *    anyway if no other engine does for long.
 * 2. A waiting claim is not restarted without a reason: a claim in flight would be lost.
 */
import type { Log } from "../../../src/runtime/ports.ts";
import type { Leadership, LogFollower, ReplicatedLog } from "../../ports/replica.ts";
import { CopyBehind, StoreRefused } from "../../store/refused.ts";
import type { ReplicaFolder } from "./replica-folder.ts";
import type { WarmStandby } from "./warm-standby.ts";

/** Longer than most copies take to be read. */
export const UNREAD_DELAY_MS = 10_000;

interface CandidateOptions {
  readonly partition: number;
  readonly replicated: Pick<ReplicatedLog, "follow" | "claim">;
  readonly copy: Pick<ReplicaFolder, "owns" | "position">;
  readonly ready: Pick<WarmStandby, "follow" | "read" | "isRead">;
  /** Whether the copy should still be followed. */
  readonly isWanted: () => boolean;
  /** How long a ready copy currently lets other engines claim first, in ms. */
  readonly claimDelayMs: () => number;
  /** See `LogFollower`. */
  readonly onSilence: (isSilent: boolean) => void;
  readonly log: Log;
}

/** A claim that waits. */
interface Waiting {
  readonly delayMs: number;
  readonly end: AbortController;
}

export class Candidate {
  readonly #options: CandidateOptions;
  #waiting: Waiting | undefined;
  #fail: (reason: Error) => void = () => undefined;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /** Follows until the partition is claimed. Rejects if the copy cannot be followed, or is no longer wanted. */
  async claim(): Promise<Leadership> {
    const { replicated, copy } = this.#options;
    const failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    failed.catch(() => undefined);
    const stopFollowing = await replicated.follow(copy.position, this.#follower());
    try {
      for (;;) {
        const leadership = await this.#claimUnlessReconsidered(failed);
        if (leadership !== undefined) return leadership;
      }
    } catch (error) {
      this.#waiting?.end.abort();
      stopFollowing();
      throw error;
    }
  }

  /** Checks the delay again: a waiting claim starts over if its delay has changed. */
  reconsider(): void {
    if (this.#waiting === undefined) return;
    const { delayMs, end } = this.#waiting;
    if (!this.#options.isWanted() || delayMs !== this.#delayMs()) end.abort();
  }

  async #claimUnlessReconsidered(failed: Promise<never>): Promise<Leadership | undefined> {
    const { replicated, isWanted } = this.#options;
    if (!isWanted()) throw new Error("the copy is kept no longer");
    const waiting = { delayMs: this.#delayMs(), end: new AbortController() };
    this.#waiting = waiting;
    const { delayMs, end } = waiting;
    try {
      return await Promise.race([replicated.claim(delayMs, end.signal), failed]);
    } catch (error) {
      if (end.signal.aborted && isWanted()) return undefined;
      throw error;
    }
  }

  #delayMs(): number {
    const { claimDelayMs, ready } = this.#options;
    return claimDelayMs() + (ready.isRead ? 0 : UNREAD_DELAY_MS);
  }

  async #read(): Promise<void> {
    await this.#options.ready.read();
    this.reconsider();
  }

  #follower(): LogFollower {
    const { partition, copy, ready, onSilence, log } = this.#options;
    const refuse = (error: unknown): never => {
      if (error instanceof StoreRefused) this.#fail(error);
      throw error;
    };
    return {
      owns: (record) => copy.owns(record),
      onRecord: (record) => {
        try {
          return ready.follow(record)?.catch(refuse);
        } catch (error) {
          return refuse(error);
        }
      },
      onCaughtUp: () => void this.#read().catch((error) => this.#fail(error)),
      onSilence,
      onClaim: ({ epoch, owner }) =>
        log.info({ event: "leader.claimed", partition, epoch, owner }, "an engine claims the partition"),
      onHole: (reason) => this.#fail(new CopyBehind(reason)),
      onDamage: (reason) =>
        this.#fail(new StoreRefused(`${reason}: this copy must be made again, from a backup or from nothing`)),
    };
  }
}
