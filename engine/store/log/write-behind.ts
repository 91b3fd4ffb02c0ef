/**
 * Writes waiting rows to disk: in slices, some time after the log contains them, and never in a commit's way.
 *
 * Owns: when a slice is due, the position of the store, the trimming of the log. Does not own: what waits.
 *
 * Invariants:
 * 1. One slice at a time, of a bounded size: to pass it on blocks the loop for less than two milliseconds.
 * 2. The position is written only after everything before it was synced, and the log is trimmed only up to a position
 *    that is synced itself.
 * 3. The waiting rows are bounded: a log that is ahead of the disk by `BYTES_MAX` waits for it. So is what is redone after
 *    a crash: the position follows at any load.
 * 4. The first failure is fatal: nothing is written after it.
 * 5. One sync is bounded: the disk has the log's records to sync at the same time.
 */

import type { Cancel, Fatal, Timers } from "../../../src/runtime/ports.ts";
import type { RowStore } from "../../ports/log.ts";
import { encodePosition, POSITION_KEY } from "./position.ts";
import type { WaitingRows } from "./waiting-rows.ts";

export interface Pace {
  /** A round looks for rows that have waited long enough. */
  readonly roundMs: number;
  /** Most rows of a trigger are written, written again and removed within a second: the disk receives few of them. */
  readonly roundsWaited: number;
  /** How seldom all is synced and the log is trimmed: as much of the log is redone after a crash. */
  readonly roundsBetweenPositions: number;
}

const USUAL_PACE: Pace = { roundMs: 250, roundsWaited: 4, roundsBetweenPositions: 16 };
const SLICE_ROWS = 400;
const SLICE_BYTES = 256 * 1024;
/** A sync of ten megabytes holds the log's own up for 20 ms, one of these for no longer than another record. */
const SLICES_SYNCED_TOGETHER = 4;
/** If rows come as fast as the disk takes them no round ends: the log must be trimmed anyway. */
const SLICES_BETWEEN_POSITIONS = 256;
/** More than this does not wait for its round. */
const HURRY_BYTES = 48 * 1024 * 1024;
const BYTES_MAX = 192 * 1024 * 1024;

interface WriteBehindOptions {
  readonly rows: RowStore;
  /** Forgets the records of the log up to this one. */
  readonly trim: (toSequence: number) => Promise<void>;
  readonly waiting: WaitingRows;
  /** The position in the store; undefined before the first. */
  readonly position: number | undefined;
  readonly timers: Timers;
  readonly fatal: Fatal;
  readonly pace?: Pace;
}

export class WriteBehind {
  readonly #options: WriteBehindOptions;
  readonly #pace: Pace;
  /** As written, and as certainly on disk. */
  #position: number;
  #syncedPosition: number;
  #round = 0;
  #positionRound = 0;
  #unsyncedSlices = 0;
  #slicesSincePosition = 0;
  #working: Promise<void> | undefined;
  #cancelRound: Cancel | undefined;
  #isRunning = false;
  #isDead = false;
  #whenRoom: (() => void)[] = [];
  readonly #whenFew = new Set<{ readonly bytesMax: number; readonly tell: (areFew: boolean) => void }>();

  constructor(options: WriteBehindOptions) {
    this.#options = options;
    this.#pace = options.pace ?? USUAL_PACE;
    this.#position = options.position ?? -1;
    this.#syncedPosition = this.#position;
  }

  /** Grows with time, while anything waits. */
  get round(): number {
    return this.#round;
  }

  get hasRoom(): boolean {
    return this.#options.waiting.byteCount < BYTES_MAX;
  }

  /** Resolves once there is room for another batch. */
  whenRoom(): Promise<void> {
    return new Promise((resolve) => this.#whenRoom.push(resolve));
  }

  /**
   * Resolves with true once no more than `bytesMax` wait: no row waits for its round until then. With false after
   * `withinMs`, as rows may come as fast as the disk takes them.
   */
  whenFewWait(bytesMax = HURRY_BYTES, withinMs?: number): Promise<boolean> {
    const { waiting, timers } = this.#options;
    if (waiting.byteCount <= bytesMax) return Promise.resolve(true);
    return new Promise((resolve) => {
      const asked = {
        bytesMax,
        tell: (areFew: boolean): void => {
          cancel();
          this.#whenFew.delete(asked);
          resolve(areFew);
        },
      };
      const cancel = withinMs === undefined ? () => undefined : timers.after(withinMs, () => asked.tell(false));
      this.#whenFew.add(asked);
      this.#follow();
    });
  }

  get #hasFew(): boolean {
    const { byteCount } = this.#options.waiting;
    for (const { bytesMax } of this.#whenFew) if (byteCount > bytesMax) return false;
    return byteCount <= HURRY_BYTES;
  }

  /** To be called whenever something more waits: the rows follow from the first time on. */
  start(): void {
    this.#isRunning = true;
    this.#follow();
  }

  #follow(): void {
    if (!this.#isRunning || this.#working !== undefined) return;
    if (!this.#hasFew) this.#work();
    else if (this.#cancelRound === undefined && !this.#isDone) this.#planRound();
  }

  /** Writes all waiting rows, and their position. Resolves once that is on disk. */
  async stop(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#isRunning = false;
    this.#cancelRound?.();
    await this.#working;
    if (!wasRunning || this.#isDead) return;
    await this.#writeSlices(() => Number.POSITIVE_INFINITY);
    await this.#writePosition();
    await this.#sync();
  }

  get #isDone(): boolean {
    return this.#options.waiting.isEmpty && this.#position === this.#options.waiting.lastSequence;
  }

  #planRound(): void {
    this.#cancelRound = this.#options.timers.after(this.#pace.roundMs, () => {
      this.#cancelRound = undefined;
      this.#round += 1;
      this.#work();
    });
  }

  #work(): void {
    if (this.#isDead || this.#working !== undefined) return;
    this.#working = this.#workOnce().then(
      () => {
        this.#working = undefined;
        this.#follow();
      },
      (cause: unknown) => {
        this.#isDead = true;
        this.#options.fatal("a write to the store failed", cause);
      },
    );
  }

  async #workOnce(): Promise<void> {
    await this.#writeSlices(() => (this.#hasFew ? this.#round - this.#pace.roundsWaited : Number.POSITIVE_INFINITY));
    if (this.#round - this.#positionRound >= this.#pace.roundsBetweenPositions) await this.#writePosition();
  }

  async #writeSlices(untilRound: () => number): Promise<void> {
    const { rows, waiting } = this.#options;
    for (;;) {
      const slice = waiting.cut(untilRound(), SLICE_ROWS, SLICE_BYTES);
      if (slice.operations.length === 0) return;
      await rows.writeUnsynced(slice.operations);
      waiting.finish(slice);
      if (this.hasRoom) for (const resolve of this.#whenRoom.splice(0)) resolve();
      for (const asked of [...this.#whenFew]) if (waiting.byteCount <= asked.bytesMax) asked.tell(true);
      this.#unsyncedSlices += 1;
      if (this.#unsyncedSlices >= SLICES_SYNCED_TOGETHER) await this.#sync();
      this.#slicesSincePosition += 1;
      if (this.#slicesSincePosition >= SLICES_BETWEEN_POSITIONS) await this.#writePosition();
    }
  }

  #sync(): Promise<void> {
    this.#unsyncedSlices = 0;
    return this.#options.rows.sync();
  }

  async #writePosition(): Promise<void> {
    const { rows, trim, waiting } = this.#options;
    this.#positionRound = this.#round;
    this.#slicesSincePosition = 0;
    // No slice is on its way here. What is written from now on belongs to records after this position.
    const { position } = waiting;
    const written = this.#position;
    await this.#sync();
    this.#syncedPosition = written;
    if (position > written) {
      await rows.writeUnsynced([{ type: "put", key: POSITION_KEY, value: encodePosition(position) }]);
      this.#position = position;
    }
    if (this.#syncedPosition >= 0) await trim(this.#syncedPosition);
  }
}
