/**
 * Which prices must, and which may, send the buy of a stop entry.
 *
 * Owns: the touches of one trigger. Does not own: what the buy becomes (`entry-checks.ts`).
 *
 * A price must send it if the entry was acknowledged before, its owner did not take it back, none of its moments had
 * passed and its symbol was not held. A price may send it from the moment on at which the entry was first asked for.
 */
import type { StreamTick } from "../world/tick-stream.ts";
import { isWaitingForPrice, type PlainSetup } from "./plain-rows.ts";

/** The oracle's knowledge of an entry when a price comes. */
interface Moment {
  readonly stored: PlainSetup | undefined;
  readonly wasTakenBack: boolean;
  /** The earliest of its moments; infinity: no moment. */
  readonly endsMs: number;
  readonly hold: "free" | "held" | "unsure";
  readonly hasSteppedClock: boolean;
}

export class TriggerModel {
  readonly #levelMilli: number;
  /** The last tick when it was first asked for, and when it was acknowledged. */
  #askedSequence: number | undefined;
  #knownSequence: number | undefined;
  mayHaveFired = false;
  /** The tick that must have sent the buy. */
  mustSequence: number | undefined;

  constructor(levelMilli: number) {
    this.#levelMilli = levelMilli;
  }

  /** The entry is asked for, maybe again. */
  ask(sequence: number, last: StreamTick | undefined): void {
    this.#askedSequence ??= sequence;
    if (last !== undefined && last.milli >= this.#levelMilli) this.mayHaveFired = true;
  }

  acknowledge(sequence: number): void {
    this.#knownSequence ??= sequence;
  }

  get isAcknowledged(): boolean {
    return this.#knownSequence !== undefined;
  }

  tick(tick: StreamTick, timeMs: number, isCaughtUp: boolean, moment: Moment): void {
    if (tick.milli < this.#levelMilli || this.#askedSequence === undefined) return;
    const { stored, wasTakenBack, endsMs, hold, hasSteppedClock } = moment;
    if (tick.sequence > this.#askedSequence || hasSteppedClock) this.mayHaveFired = true;
    if (stored === undefined || !isWaitingForPrice(stored) || wasTakenBack || hold !== "free") return;
    if (this.#knownSequence === undefined || tick.sequence <= this.#knownSequence) return;
    if (endsMs !== Number.POSITIVE_INFINITY && (hasSteppedClock || timeMs >= endsMs)) return;
    if (isCaughtUp && !isSurelyAfter(tick, stored, hasSteppedClock)) return;
    this.mustSequence ??= tick.sequence;
  }

  /** A start finds the entry as `stored`: a touch that was not durable counts if it is given again. */
  recover(
    stored: PlainSetup | undefined,
    position: number,
    missed: readonly StreamTick[],
    hasSteppedClock: boolean,
  ): void {
    const { mustSequence } = this;
    if (mustSequence === undefined || mustSequence <= position) return;
    if (stored === undefined || !isWaitingForPrice(stored)) return;
    const again = missed.find(({ sequence }) => sequence === mustSequence);
    if (again === undefined || !isSurelyAfter(again, stored, hasSteppedClock)) this.mustSequence = undefined;
  }
}

/** A tick that is read back is distinguished from earlier ticks by its time. */
function isSurelyAfter({ atMs }: StreamTick, { createdAtMs }: PlainSetup, hasSteppedClock: boolean): boolean {
  return !hasSteppedClock && atMs > createdAtMs;
}
