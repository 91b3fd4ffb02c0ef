/**
 * The part of the log that one copy has read, and the claim that can follow.
 *
 * Owns: following, the time of each message received, the claim. Its invariants are those in replicated-log.ts.
 */

import { UserError } from "../../../src/runtime/user-error.ts";
import type { FollowedRecord, Leadership, LogFollower, LogStatus } from "../../ports/replica.ts";
import type { LogPorts } from "./leader-log.ts";
import { LogLeadership } from "./leadership.ts";
import { type Heard, msUntilClaim } from "./lease.ts";
import { appendFenced, Fenced } from "./stream/fenced-append.ts";
import { encodeFrame, FrameDamaged, NO_RECORD } from "./stream/frame.ts";
import { type LogEvent, LogHole, LogReader } from "./stream/log-reader.ts";
import type { StreamState } from "./stream/log-stream.ts";
import { pause } from "./stream/pause.ts";
import { frameAt, lastRecord, sequenceOf } from "./stream/record-location.ts";

/** Between checks of a log that is silent, unavailable or not read to its end. */
const LOOK_AGAIN_MS = 100;
const READ_ON_MS = 10;
/** How long before a claim is due it is announced: longer than two checks and longer than the preparation. */
const SOON_MS = 250;

export interface ReplicatedLogOptions extends LogPorts {
  /** The name of this engine; it is unique. */
  readonly owner: string;
  /** Returns a name that was never used before. */
  readonly newId: () => string;
}

/** A claim that is stored in the log. */
interface Claim {
  readonly epoch: number;
  readonly claimedAtMs: number;
  /** The previous leader, if it did not release the log. */
  readonly silenced: string | undefined;
}

export class LogReplica {
  readonly #options: ReplicatedLogOptions;
  readonly #position: number | undefined;
  readonly #follower: LogFollower;
  readonly #end = new AbortController();
  readonly #reader = new LogReader();
  /** The last message that was handed on completely, and the last record. */
  #sequence: number;
  #handed: number | undefined;
  #heard: Heard;
  #leader: string | undefined;
  #lagMessages: number | undefined;
  #trouble: string | undefined;
  #isSilent = false;
  /** The last message of the log when following began; undefined once everything up to it was handed on. */
  #goal: number | undefined;
  #wake: () => void = () => undefined;

  constructor(options: ReplicatedLogOptions, position: number | undefined, follower: LogFollower) {
    this.#options = options;
    this.#position = position;
    this.#follower = follower;
    // The log of a later life starts empty, at that sequence.
    this.#sequence = Math.max(0, options.stream.life - 1);
    this.#heard = { heardAtMs: this.#nowMs(), leaseMs: undefined, release: undefined, backAtMs: undefined };
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get standing(): LogStatus {
    return {
      epoch: this.#reader.epoch,
      leader: this.#leader,
      position: this.#handed ?? this.#position,
      lagMessages: this.#trouble === undefined ? this.#lagMessages : undefined,
      trouble: this.#trouble,
    };
  }

  end(): void {
    this.#end.abort(new Error("the log is not followed any more"));
  }

  /** Finds the place from which to continue reading, and starts. */
  async begin(): Promise<void> {
    const from = await this.#untilAnswered(() => this.#findPlace(), this.signal);
    this.#heard = { ...this.#heard, heardAtMs: this.#nowMs() };
    this.#tellCaughtUp(from - 1);
    this.#read(from).catch((error: unknown) => {
      if (this.signal.aborted) return;
      if (error instanceof LogHole) this.#follower.onHole(error.message);
      else this.#follower.onDamage(reasonOf(error));
      this.end();
    });
  }

  async claim(delayMs: number, signal: AbortSignal): Promise<Leadership> {
    for (;;) {
      signal.throwIfAborted();
      const state = await this.#whenDue(delayMs, signal);
      const claimedAtMs = this.#nowMs();
      if (state === undefined || msUntilClaim(this.#heard, this.#options.owner, delayMs, claimedAtMs) > 0) continue;
      // The copy can read its own claim before the claim is answered.
      const silenced = this.#leader;
      if (await this.#tryClaim(state.lastSequence, signal))
        return this.#lead({ epoch: state.lastSequence + 1, claimedAtMs, silenced });
    }
  }

  /** The place after which a claim is due; undefined: check again. */
  async #whenDue(delayMs: number, signal: AbortSignal): Promise<StreamState | undefined> {
    const waitMs = this.#msUntilClaim(delayMs);
    if (waitMs > 0) {
      await this.#pauseUntilReleased(Math.min(waitMs, LOOK_AGAIN_MS), signal);
      const { heardAtMs, leaseMs = 0 } = this.#heard;
      const isSilent = this.#nowMs() - heardAtMs > leaseMs / 2;
      if (!isSilent && this.#msUntilClaim(delayMs) > 0) return undefined;
    }
    // Also long before a claim is due: a log that was unavailable silenced its leader, which is owed some time
    // afterwards.
    const state = await this.#look();
    const leftMs = this.#msUntilClaim(delayMs);
    if (state !== undefined && leftMs <= SOON_MS) this.#tellSilence(true);
    if (leftMs > 0) return undefined;
    if (state?.lastSequence === this.#sequence) return state;
    await pause(this.#options.timers, state === undefined ? LOOK_AGAIN_MS : READ_ON_MS, signal);
    return undefined;
  }

  async #tryClaim(lastSequence: number, signal: AbortSignal): Promise<boolean> {
    const { owner, leaseMs, newId, timers } = this.#options;
    const place = { epoch: lastSequence + 1, leaseMs, number: this.#reader.position ?? NO_RECORD };
    const data = encodeFrame({ kind: "claim", ...place, owner });
    try {
      await appendFenced(this.#options, [{ expectedSequence: lastSequence, id: `claim-${newId()}`, data }], signal);
      return true;
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      await pause(timers, READ_ON_MS, signal);
      return false;
    }
  }

  #lead(claim: Claim): Leadership {
    return new LogLeadership({ ...this.#options, ...claim, lastSequence: this.#reader.position });
  }

  async #findPlace(): Promise<number> {
    const { stream } = this.#options;
    const { firstSequence, lastSequence } = await stream.state();
    this.#goal = lastSequence;
    const last = lastSequence === 0 ? undefined : await frameAt(stream, lastSequence);
    if (last !== undefined) {
      this.#heard = { ...this.#heard, leaseMs: last.leaseMs };
      const claim = last.kind === "release" ? undefined : await frameAt(stream, last.epoch);
      this.#leader = claim?.kind === "claim" ? claim.owner : undefined;
    }
    if (this.#position === undefined) return Math.max(1, firstSequence);
    const end = last === undefined ? undefined : lastRecord(last);
    if (end === undefined || end < this.#position) {
      throw new UserError(
        `this copy holds record ${this.#position}, and the log ${end === undefined ? "holds none" : `ends at ${end}`}: it is the log of another installation, or it has lost records`,
        { reason: "data" },
      );
    }
    return sequenceOf(stream, this.#position);
  }

  async #read(from: number): Promise<void> {
    const { stream } = this.#options;
    for await (const message of stream.follow(from, this.signal)) {
      const event = this.#reader.take(message);
      this.#hear(event);
      if (event?.kind === "record") await this.#hand(event.record);
      else if (event?.kind === "claim") this.#follower.onClaim({ epoch: event.epoch, owner: event.owner });
      this.#sequence = message.sequence;
      this.#lagMessages = message.pending;
      this.#tellCaughtUp(message.sequence);
      if (event?.kind === "release") this.#wake();
    }
  }

  #tellCaughtUp(sequence: number): void {
    if (this.#goal === undefined || sequence < this.#goal) return;
    this.#goal = undefined;
    this.#follower.onCaughtUp?.();
  }

  #tellSilence(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    this.#follower.onSilence?.(isSilent);
  }

  #hear(event: LogEvent | undefined): void {
    const isOwn = event?.kind === "claim" && event.owner === this.#options.owner;
    if (!isOwn) this.#tellSilence(false);
    const release = event?.kind === "release" ? { to: event.to } : undefined;
    this.#heard = { ...this.#heard, heardAtMs: this.#nowMs(), leaseMs: this.#reader.leaseMs, release };
    if (event?.kind === "claim") this.#leader = event.owner;
    else if (event?.kind === "release") this.#leader = undefined;
  }

  async #hand(record: FollowedRecord): Promise<void> {
    const { sequence } = record;
    if (this.#position !== undefined && sequence <= this.#position) {
      if (sequence < this.#position || this.#follower.owns(record)) return;
      throw new Error(
        `record ${sequence} of the log differs from the record of this copy: they are of different lives`,
      );
    }
    const before = this.#handed ?? this.#position;
    if (before !== undefined && sequence !== before + 1)
      throw new LogHole(`the log does not hold record ${before + 1} any more`);
    await this.#follower.onRecord(record);
    this.#handed = sequence;
  }

  /** The stream's state according to its leader; undefined while the leader does not answer. */
  async #look(): Promise<StreamState | undefined> {
    try {
      const state = await this.#options.stream.state();
      if (this.#trouble !== undefined) this.#heard = { ...this.#heard, backAtMs: this.#nowMs() };
      this.#trouble = undefined;
      return state;
    } catch (error) {
      this.#trouble = reasonOf(error);
      this.#tellSilence(false);
      return undefined;
    }
  }

  async #untilAnswered<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof UserError || error instanceof FrameDamaged) throw error;
        this.#trouble = reasonOf(error);
        await pause(this.#options.timers, LOOK_AGAIN_MS, signal);
      }
    }
  }

  #pauseUntilReleased(delayMs: number, signal: AbortSignal): Promise<void> {
    return pause(this.#options.timers, delayMs, signal, (wake) => {
      this.#wake = wake;
    });
  }

  #msUntilClaim(delayMs: number): number {
    return msUntilClaim(this.#heard, this.#options.owner, delayMs, this.#nowMs());
  }

  #nowMs(): number {
    return this.#options.steadyClock.nowMs();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
