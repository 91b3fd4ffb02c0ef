/**
 * The history of the tick stream that a place refers to.
 *
 * Owns: the name of that history, the newest mark, whether the stream is still the known one. Does not own: when to
 * check and the consequences (catch-up.ts), the comparisons by name (the actor host, level bots).
 *
 * A nats-server by default syncs its files every two minutes, and loses its last messages when its machine loses power.
 * The stream returns as the same one, with a lower last sequence, and reuses those sequences: their order no longer
 * means before and after. So every check stores a mark, and the next check asks for it. If its sequence is not reached,
 * or holds a message of another time, the stream was rewound. From then on it has another name, and earlier places
 * match none of its messages.
 *
 * A new life knows no mark. It detects a rewind only while the stream ends before the applied position. If the stream
 * has grown past that, the rewind is not detected.
 *
 * Invariants:
 * 1. Under one name a sequence identifies one message, as far as detected: no clock is compared for that.
 * 2. The result of a check counts once it is entered, in the turn in which the position moves: an abandoned check hides
 *    nothing from the next one.
 * 3. The name outlives a restart, through `FeedMemory`.
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { EndReading } from "./stream-clock.ts";
import type { TickStream, TickStreamState } from "./tick-stream.ts";

export interface EndAnswer extends Omit<EndReading, "stream"> {
  /** See `HeardAtEnd`; undefined where messages are not counted. */
  readonly heardBefore: number | undefined;
  readonly heardAfter: number | undefined;
}

/** A message of ours, by its place and the stream's own time. */
interface Mark {
  readonly sequence: number;
  readonly timeMs: number;
}

/** The result of one check of the stream. */
export interface StreamLook {
  readonly state: TickStreamState;
  /** Undefined if the stream reports that it takes nothing. */
  readonly end: EndAnswer | undefined;
  /** The newest mark when the check began. */
  readonly before: Mark | null;
  readonly isRewound: boolean;
}

interface Entered {
  /** The name of the messages that are read from now on. */
  readonly name: string;
  /** Earlier places do not refer to them. */
  readonly isOther: boolean;
}

interface StreamHistoryOptions {
  readonly stream: Pick<TickStream, "state" | "timeOf">;
  readonly clock: Clock;
}

/** The separator between the stream's creation time and, after a rewind, the start of this history. */
const SINCE = "#";

export class StreamIdentity {
  readonly #options: StreamHistoryOptions;
  #name: string | null = null;
  #mark: Mark | null = null;
  #storedAtMs: number | null = null;

  constructor(options: StreamHistoryOptions) {
    this.#options = options;
  }

  /** Distinguishes the histories of a stream; null until the stream was seen. */
  get name(): string | null {
    return this.#name;
  }

  /** When the start position was stored: it refers to no younger stream. */
  get storedAtMs(): number | null {
    return this.#storedAtMs;
  }

  /** Restores the state of the previous life. */
  resume(name: string | null, storedAtMs: number | null): void {
    this.#name = name;
    this.#storedAtMs = storedAtMs;
  }

  /** Checks the stream, after a mark that `findEnd` stores. Changes nothing. */
  async look(findEnd: () => Promise<EndAnswer | undefined>): Promise<StreamLook> {
    const before = this.#mark;
    const end = await findEnd();
    const state = await this.#options.stream.state();
    // A leader that was just elected can lack the last messages that the previous one stored.
    if (end !== undefined && state.lastSequence < end.sequence) throw new Error("the tick stream's leader lags behind");
    return { state, end, before, isRewound: before !== null && (await this.#isGone(before, state)) };
  }

  /** False if another check was entered since this one began: it can describe a stream that no longer exists. */
  isNewest({ before }: StreamLook): boolean {
    return before === this.#mark;
  }

  /** Makes the result effective from now on. `appliedTo`: the last sequence known to exist; 0 without one. */
  enter({ state, end, isRewound }: StreamLook, appliedTo: number): Entered {
    const isAnotherStream = this.#isAnotherStream(state);
    const isCut = isRewound || state.lastSequence < appliedTo;
    // It is only a name: by our clock if no mark gives the stream's time.
    const sinceMs = end?.timeMs ?? this.#options.clock.nowMs();
    let name = this.#name ?? state.created;
    if (isAnotherStream) name = state.created;
    else if (isCut) name = `${state.created}${SINCE}${sinceMs}`;
    this.#name = name;
    const isOther = isAnotherStream || isCut;
    if (isOther) this.#mark = null;
    if (end !== undefined && end.timeMs !== null) this.#mark = { sequence: end.sequence, timeMs: end.timeMs };
    return { name, isOther };
  }

  /** Whether the mark is missing. A mark that was removed, as by its age, proves nothing. */
  async #isGone({ sequence, timeMs }: Mark, { lastSequence }: TickStreamState): Promise<boolean> {
    if (sequence > lastSequence) return true;
    const foundMs = await this.#options.stream.timeOf(sequence);
    return foundMs !== undefined && foundMs !== timeMs;
  }

  /** True for any number of messages in it now. */
  #isAnotherStream({ created }: TickStreamState): boolean {
    if (this.#name !== null) return this.#name.split(SINCE)[0] !== created;
    return this.#storedAtMs !== null && Date.parse(created) > this.#storedAtMs;
  }
}
