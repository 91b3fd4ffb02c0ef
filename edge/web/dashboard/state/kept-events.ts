/**
 * Past events: live ones as they come, and stored ones, read backwards a piece at a time.
 *
 * Owns: which past events are read and how many are kept. Does not own: the stream of live ones (stream.ts), their words.
 *
 * The stream returns events from a place on, oldest first. A place is the id of an event, whose last part ascends: a
 * piece of the past lies between a smaller number and the start of the piece before. A request returns one page, and
 * ends when the service states up to which place that page goes.
 *
 * Invariants:
 * 1. An event is kept once, and the list is by time, the newest first.
 * 2. A piece is kept once all of it was read: if that fails, the next try reads it again.
 * 3. What is kept is bounded for each family, so that a busy bot pushes no group's event out.
 */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { familyOf, withEvent } from "../../../../src/event/family.ts";
import { type EventFrame, FrameReader } from "../../../../src/event/frames.ts";
import { say } from "../language/say.ts";
import { OneReading } from "./one-reading.ts";
import { asRequestFailed, RequestFailed, type Session } from "./session.ts";

/** Of each family. */
export const KEPT_MAX = 2_000;
/** Numbers that the first piece spans. Other users' numbers count, so a piece with few events makes the next wider. */
const FIRST_SPAN = 1_000;
const SPAN_MAX = 16_000;
const FEW = 50;
/** Of one call: a user with few events among many users' events asks again. */
const PIECES_MAX = 8;
const UNKNOWN_PLACE = 400;

/** An id up to its last part, and that part. */
interface Place {
  readonly before: string;
  readonly sequence: number;
}

interface Page {
  readonly events: readonly ToldEvent[];
  readonly through: Place;
  /** Whether the service states that events from the asked place on are no longer stored. */
  readonly isCut: boolean;
}

export interface PastState {
  /** Nothing from before what is listed is stored any more. */
  readonly isWhole: boolean;
  readonly isReading: boolean;
}

interface KeptEventsOptions extends Pick<Session, "open"> {
  /** Receives the list whenever it changes. */
  readonly onList: (list: readonly ToldEvent[]) => void;
  readonly onPast: (state: PastState) => void;
}

export class KeptEvents {
  readonly #options: KeptEventsOptions;
  readonly #reading = new OneReading();
  #list: readonly ToldEvent[] = [];
  #isWhole = false;
  /** Where the next piece ends. Undefined: now. */
  #end: Place | undefined;
  #span = FIRST_SPAN;

  constructor(options: KeptEventsOptions) {
    this.#options = options;
  }

  /** Whether the past was asked for. */
  get hasBegun(): boolean {
    return this.#end !== undefined;
  }

  /** Adds a live event. */
  hear(event: ToldEvent): void {
    if (!this.#list.some(({ id }) => id === event.id)) this.#keep(withEvent(this.#list, event, KEPT_MAX));
  }

  /** Reads earlier ones, until there are some that are wanted. Throws {@link RequestFailed} if they cannot be read. */
  readEarlier(isWanted: (type: string) => boolean): Promise<void> {
    return this.#reading.run(async () => {
      this.#tellPast(true);
      try {
        await this.#readEarlier(isWanted);
      } catch (error) {
        // After a restore the service does not know earlier places.
        if (error instanceof RequestFailed && error.status === UNKNOWN_PLACE) this.#end = undefined;
        throw error;
      } finally {
        this.#tellPast(false);
      }
    });
  }

  #keep(list: readonly ToldEvent[]): void {
    this.#list = list;
    this.#options.onList(list);
  }

  #tellPast(isReading: boolean): void {
    this.#options.onPast({ isReading, isWhole: this.#isWhole });
  }

  async #readEarlier(isWanted: (type: string) => boolean): Promise<void> {
    this.#end ??= (await this.#readPage(undefined)).through;
    let found = 0;
    for (let piece = 0; piece < PIECES_MAX && found < FEW && !this.#isWhole; piece += 1) {
      const { events, start, isFirst } = await this.#readPiece(this.#end);
      this.#keep(merge(this.#list, events));
      found += events.filter(({ type }) => isWanted(type)).length;
      if (events.length < FEW) this.#span = Math.min(SPAN_MAX, this.#span * 4);
      this.#end = start;
      this.#isWhole = isFirst;
    }
  }

  /** The events up to `end`, as far back as a piece goes. `isFirst`: nothing is stored before them. */
  async #readPiece(end: Place): Promise<{ events: readonly ToldEvent[]; start: Place; isFirst: boolean }> {
    const start = { ...end, sequence: Math.max(0, end.sequence - this.#span) };
    const events: ToldEvent[] = [];
    let isFirst = start.sequence === 0;
    for (let at = start; at.sequence < end.sequence; ) {
      const page = await this.#readPage(at);
      events.push(...page.events.filter(({ id }) => (placeOf(String(id))?.sequence ?? 0) <= end.sequence));
      isFirst ||= page.isCut;
      if (page.through.sequence <= at.sequence) throw new RequestFailed(0, say("The service gave no more events."));
      at = page.through;
    }
    return { events, start, isFirst };
  }

  /** `after` undefined: only the place that is now. */
  async #readPage(after: Place | undefined): Promise<Page> {
    const query = after === undefined ? "" : `?lastEventId=${after.before}${after.sequence}`;
    const reader = (await this.#options.open(`/api/v1/events${query}`)).getReader();
    const decoder = new TextDecoder();
    const frames = new FrameReader();
    const events: ToldEvent[] = [];
    let isCut = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new RequestFailed(0, say("The service did not give all of the events."));
        for (const frame of frames.take(decoder.decode(value, { stream: true }))) {
          const event = eventOf(frame);
          if (event?.type === "gap") isCut = true;
          else if (event !== undefined && frame.id !== undefined) events.push(event);
          const through = event === undefined && frame.id !== undefined ? placeOf(frame.id) : undefined;
          if (through !== undefined) return { events, through, isCut };
        }
      }
    } catch (error) {
      throw asRequestFailed(error);
    } finally {
      // The stream would continue with live events.
      void reader.cancel().catch(() => undefined);
    }
  }
}

function eventOf({ data }: EventFrame): ToldEvent | undefined {
  return data === undefined ? undefined : (JSON.parse(data) as ToldEvent);
}

/** Undefined if the text is not an event's id. */
export function placeOf(id: string): Place | undefined {
  const [, before, digits] = /^(.+-)([0-9]{1,16})$/.exec(id) ?? [];
  return before === undefined ? undefined : { before, sequence: Number(digits) };
}

/** `piece`: the oldest first. */
function merge(list: readonly ToldEvent[], piece: readonly ToldEvent[]): readonly ToldEvent[] {
  const known = new Set(list.map(({ id }) => id));
  const added = piece.filter(({ id }) => !known.has(id)).toReversed();
  const all = [...list, ...added].toSorted((left, right) => compare(String(right.time), String(left.time)));
  const counts = new Map<string, number>();
  return all.filter(({ type }) => {
    const count = (counts.get(familyOf(type)) ?? 0) + 1;
    counts.set(familyOf(type), count);
    return count <= KEPT_MAX;
  });
}

/** Of times as the service writes them: as text they are in their order. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
