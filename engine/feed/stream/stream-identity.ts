/**
 * Which history of the tick stream a place speaks of.
 *
 * Owns: the name of that history, the newest mark, whether the stream is still the one that was known. Does not own: when
 * to look and what follows (catch-up.ts), what is compared by the name (the actor host, level bots).
 *
 * A nats-server that syncs its files seldom, every two minutes unless it is told otherwise, loses its last messages when
 * its machine loses power. The stream comes back as the same one, with a lower last sequence, and gives those sequences
 * out again: what they say of before and after is no longer true. So every look stores a mark, and the next one asks for
 * it: where its sequence is not reached, or holds a message of another time, the stream was rewound. From then on it has
 * another name, and places of before match none of its messages.
 *
 * A life that begins knows no mark. It sees that the stream was rewound only while that ends before what was applied:
 * where it has grown past that meanwhile, nobody notices.
 *
 * Invariants:
 * 1. Under one name a sequence stands for one message, as far as was noticed: no clock is compared for that.
 * 2. What a look found counts once it is entered, in the turn in which the position moves: a look that is given up hides
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

/** What one look at the stream found. */
export interface StreamLook {
  readonly state: TickStreamState;
  /** Undefined where the stream says that it takes nothing. */
  readonly end: EndAnswer | undefined;
  /** The newest mark when the look began. */
  readonly before: Mark | null;
  readonly isRewound: boolean;
}

interface Entered {
  /** Of the messages that are read from now on. */
  readonly name: string;
  /** Places of before say nothing of them. */
  readonly isOther: boolean;
}

interface StreamHistoryOptions {
  readonly stream: Pick<TickStream, "state" | "timeOf">;
  readonly clock: Clock;
}

/** Between when the stream was created and since when it has this history, where it was rewound. */
const SINCE = "#";

export class StreamIdentity {
  readonly #options: StreamHistoryOptions;
  #name: string | null = null;
  #mark: Mark | null = null;
  #storedAtMs: number | null = null;

  constructor(options: StreamHistoryOptions) {
    this.#options = options;
  }

  /** Tells one history of a stream from another; null until the stream was seen. */
  get name(): string | null {
    return this.#name;
  }

  /** When the position that was started from was stored: it speaks of no stream that is younger. */
  get storedAtMs(): number | null {
    return this.#storedAtMs;
  }

  /** What a life before left. */
  resume(name: string | null, storedAtMs: number | null): void {
    this.#name = name;
    this.#storedAtMs = storedAtMs;
  }

  /** Looks at the stream, behind a mark that `findEnd` stores. Changes nothing. */
  async look(findEnd: () => Promise<EndAnswer | undefined>): Promise<StreamLook> {
    const before = this.#mark;
    const end = await findEnd();
    const state = await this.#options.stream.state();
    // A leader that was just elected may not know yet what the one before it stored.
    if (end !== undefined && state.lastSequence < end.sequence) throw new Error("the tick stream's leader lags behind");
    return { state, end, before, isRewound: before !== null && (await this.#isGone(before, state)) };
  }

  /** False where another look was entered since this one began: it may tell of a stream that is no more. */
  isNewest({ before }: StreamLook): boolean {
    return before === this.#mark;
  }

  /** What was found holds from now on. `appliedTo`: the last sequence known to have been there; 0 where none is. */
  enter({ state, end, isRewound }: StreamLook, appliedTo: number): Entered {
    const isAnotherStream = this.#isAnotherStream(state);
    const isCut = isRewound || state.lastSequence < appliedTo;
    // It is a name only: by our clock where no mark tells the stream's.
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

  /** A mark that was removed, as by its age, says nothing. */
  async #isGone({ sequence, timeMs }: Mark, { lastSequence }: TickStreamState): Promise<boolean> {
    if (sequence > lastSequence) return true;
    const foundMs = await this.#options.stream.timeOf(sequence);
    return foundMs !== undefined && foundMs !== timeMs;
  }

  /** However many messages it holds by now. */
  #isAnotherStream({ created }: TickStreamState): boolean {
    if (this.#name !== null) return this.#name.split(SINCE)[0] !== created;
    return this.#storedAtMs !== null && Date.parse(created) > this.#storedAtMs;
  }
}
