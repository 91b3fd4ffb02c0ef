/**
 * The replicated log of a partition, as its host sees it: several engines keep a copy, one of them leads. Interfaces
 * only.
 *
 * A position is the number of a record, as in `log.ts`, and also the number of its batch. The places of records in
 * their stream are internal to the log.
 */
import type { CommitLog, LogRecord } from "./log.ts";

/** A record and the leader that appended it. */
export interface FollowedRecord extends LogRecord {
  readonly epoch: number;
}

/** The keeper of a copy. Called in the log's order. */
export interface LogFollower {
  /**
   * Whether the copy was made from this record, whose number is the copy's position. Called first, if the log still
   * contains it.
   */
  owns(record: FollowedRecord): boolean;
  /**
   * The next record, whole and undamaged, without a gap after the one before. The log waits for the returned promise
   * before the next.
   */
  onRecord(record: FollowedRecord): Promise<void> | undefined;
  /** Called once: all records of the log at the start of following were handed on. */
  onCaughtUp?(): void;
  /**
   * True: a claim can be due within moments, the log answers, and its records were handed on, except messages that a
   * call with false reports. False: a message was received since, or the log is away.
   */
  onSilence?(isSilent: boolean): void;
  /** An engine leads from here on: later records carry its epoch. */
  onClaim(claim: { readonly epoch: number; readonly owner: string }): void;
  /** The record that had to come next is not in the log any more. Nothing follows: the copy must be seeded. */
  onHole(reason: string): void;
  /** The log is damaged, or is not this copy's log, or the follower did not take its records. Nothing follows. */
  onDamage(reason: string): void;
}

/** The state of a copy, for readiness, figures and operators. */
export interface LogStatus {
  /** The epoch of the last claim that was read; undefined before the first. */
  readonly epoch: number | undefined;
  /** The engine that made it; undefined too once it was released. */
  readonly leader: string | undefined;
  /** The last record that was handed on; undefined before the first. */
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
   * Hands on every record after `position` (undefined: from the first on), until it is ended, also while servers come
   * and go. Resolves once reading began. One follower at a time. Rejects if the log cannot be this copy's log.
   */
  follow(position: number | undefined, follower: LogFollower): Promise<() => void>;
  /**
   * Waits until leading is allowed: the log is read to its end and answers. Its leader was silent for its whole lease
   * and `delayMs` on top by the steady clock, or released it in the log's last record. Then claims it, again and again
   * until that succeeds. Resolves once everything before the claim was handed to the follower, which gets nothing more.
   * Rejects with the reason of `signal` once that is aborted. Needs a follower.
   */
  claim(delayMs: number, signal: AbortSignal): Promise<Leadership>;
  /** Ends following; the connection is the caller's. */
  close(): Promise<void>;
}

/** The time from a claim to its end: only its leader appends. */
export interface Leadership {
  /** Higher than every earlier leader's epoch. */
  readonly epoch: number;
  /** The leader before, which had fallen silent; undefined: it released the log, or did not exist. */
  readonly silenced: string | undefined;
  /**
   * Its append is refused once another engine leads, and repeated while its outcome is not known. Closing it ends the
   * leadership without a message: the next leader waits for the end of the lease.
   */
  readonly log: CommitLog;
  /** Whether no other engine can lead now. Everything that leaves the process checks this right before. */
  mayAct(): boolean;
  /** How many ms ago the last acknowledged append began, by the clock that shows more. */
  readonly provenForMs: number;
  /** Resolves immediately, or as soon as it can act again; never after the leadership was lost. */
  whenMayAct(): Promise<void>;
  /** Calls the listener once another engine leads, or the log is damaged: every append fails from then on. */
  onLost(listener: (reason: string) => void): void;
  /**
   * Ends the leadership in the log's last record, so that the engine named `to`, or any, can lead immediately. Appends
   * fail after it.
   */
  release(to?: string): Promise<void>;
}
