/**
 * The replicated log of a partition, as its host meets it: several engines keep a copy, one of them leads. Interfaces only.
 *
 * A position is the number of a record, as in `log.ts`, and that is the number of its batch: where the records lie
 * in the stream that holds them is the log's own business.
 */
import type { CommitLog, LogRecord } from "./log.ts";

/** A record and the leader that appended it. */
export interface FollowedRecord extends LogRecord {
  readonly epoch: number;
}

/** Who keeps a copy. Called in the log's order. */
export interface LogFollower {
  /** Whether the copy was made of this record, which has the number that it stands at. Asked first, if the log still holds it. */
  owns(record: FollowedRecord): boolean;
  /** The next record, whole and undamaged, without a gap after the one before. What it returns is waited for before the next. */
  onRecord(record: FollowedRecord): Promise<void> | undefined;
  /** Once: all that the log held when following began was handed on. */
  onCaughtUp?(): void;
  /**
   * True: a claim may be due within moments, the log answers, and what it holds was handed on but for what is told with
   * false. False: something was heard since, or the log is away.
   */
  onSilence?(isSilent: boolean): void;
  /** An engine leads from here on: what follows carries its epoch. */
  onClaim(claim: { readonly epoch: number; readonly owner: string }): void;
  /** The record that had to come next is not in the log any more. Nothing follows: the copy must be seeded. */
  onHole(reason: string): void;
  /** The log is damaged, or not the one that this copy is of, or what it holds was not taken. Nothing follows. */
  onDamage(reason: string): void;
}

/** How a copy stands, for readiness, figures and operators. */
export interface LogStatus {
  /** Of the last claim that was read; undefined while none was. */
  readonly epoch: number | undefined;
  /** Who made it; undefined too once it was released. */
  readonly leader: string | undefined;
  /** The last record that was handed on; undefined while none was. */
  readonly position: number | undefined;
  /** How many messages of the log are still to be read; undefined while the log does not answer. */
  readonly lagMessages: number | undefined;
  /** Why the log does not answer; undefined while it does. */
  readonly trouble: string | undefined;
}

export interface ReplicatedLog {
  /** The name of the installation that the log was made for: every copy of the partition carries it. */
  readonly installation: string;
  /** 0, or the name of the restore with which this log began: a later one has a higher name. */
  readonly life: number;
  readonly standing: LogStatus;
  /**
   * Hands on every record after `position` (undefined: from the first on), for as long as it is not ended, also while
   * servers come and go. Resolves once reading began. One follower at a time. Rejects where the log cannot be what this
   * copy is of.
   */
  follow(position: number | undefined, follower: LogFollower): Promise<() => void>;
  /**
   * Waits until leading is allowed: the log is read to its end and answers, and its leader was silent for its whole lease
   * and `delayMs` on top by the steady clock, or released it in the log's last record. Then claims it, again and again
   * until that succeeds; resolves once everything before the claim was handed to the follower, who gets nothing more.
   * Rejects with the reason of `signal` once that is aborted. Needs a follower.
   */
  claim(delayMs: number, signal: AbortSignal): Promise<Leadership>;
  /** Ends following; the connection is the caller's. */
  close(): Promise<void>;
}

/** From a claim to its end: the only one that appends. */
export interface Leadership {
  /** Higher than that of every leader before. */
  readonly epoch: number;
  /** The leader before, which had fallen silent; undefined: it gave the log up, or there was none. */
  readonly silenced: string | undefined;
  /**
   * Its append is refused once another engine leads, and repeated for as long as it is not known what became of it. To
   * close it ends the leadership without a word: the next leader waits for the end of the lease.
   */
  readonly log: CommitLog;
  /** Whether no other engine can lead now. What leaves the process asks this right before. */
  mayAct(): boolean;
  /** How many ms ago the last append began that was acknowledged, by the clock that says longer. */
  readonly provenForMs: number;
  /** Resolves at once, or as soon as it is so again; never after the leadership was lost. */
  whenMayAct(): Promise<void>;
  /** Told once that another engine leads, or that the log is damaged: every append fails from then on. */
  onLost(listener: (reason: string) => void): void;
  /** Ends the leadership in the log's last record, so that the engine named `to`, or any, may lead at once. Appends fail after it. */
  release(to?: string): Promise<void>;
}
