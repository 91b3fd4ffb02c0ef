/**
 * The stored form of events: a row holds some, one line of JSON each, in the order of their sequence.
 *
 * Owns: the two forms of a line. Does not own: when rows are written, published and removed (event-log.ts), what an
 * event says (the kinds' projections).
 *
 * A line is the event as the bus gets it, an object. Or, where an actor's kind packs its context, a list of what it is
 * rendered from: `[sequence, timeMs, userId, type, kind, data, context]`, the context left out where it is that of the
 * line before. A stop-loss that was sold tells of every row of its group: rendered, each says all of the group again.
 */
import { z } from "zod";
import { assert } from "../../src/assert.ts";
import { eventSubject } from "../../src/contract/subject.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { EventSource } from "../ports.ts";

const SEPARATOR = "\n";

/** An event that was emitted. */
export interface Emitted {
  readonly sequence: number;
  readonly timeMs: number;
  readonly userId: number;
  readonly type: string;
  readonly payload: object;
  readonly source: EventSource | undefined;
}

/** An event as the bus gets it; text where it is rendered already. */
export interface Outgoing {
  readonly subject: string;
  readonly message: object | string;
}

/** Whose events they are: part of each one's id. */
export interface EventPlace {
  readonly installation: string;
  readonly partition: number;
}

/** What was stored of an actor's event in place of its payload. */
export interface StoredSource {
  readonly kind: string;
  readonly context: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Renders the payload of an actor's event of a type again. Throws where what was stored does not fit. */
export type RenderPayload = (source: StoredSource, type: string) => object;

/** The row of some events, and each as the bus gets it. */
export function encodeEventRow(
  events: readonly Emitted[],
  place: EventPlace,
): { readonly row: string; readonly outgoing: readonly Outgoing[] } {
  let lastContext: string | undefined;
  const lines: string[] = [];
  const outgoing = events.map((event): Outgoing => {
    const { source, userId, type } = event;
    const subject = eventSubject(userId, type);
    const message = messageOf(event, place);
    if (source === undefined) {
      const line = JSON.stringify(message);
      lines.push(line);
      lastContext = undefined;
      return { subject, message: line };
    }
    lines.push(lineOf(event, source, lastContext));
    lastContext = source.context;
    return { subject, message };
  });
  return { row: lines.join(SEPARATOR), outgoing };
}

function messageOf({ sequence, timeMs, userId, type, payload }: Omit<Emitted, "source">, place: EventPlace): object {
  const id = `${place.installation}-${place.partition}-${sequence}`;
  return { id, sequence, time: formatTime(timeMs), userId, type, ...payload };
}

function lineOf(event: Emitted, { kind, data, context }: EventSource, lastContext: string | undefined): string {
  const line = JSON.stringify([event.sequence, event.timeMs, event.userId, event.type, kind, data]);
  return context === lastContext ? line : `${line.slice(0, -1)},${context}]`;
}

const whole = z.looseObject({ userId: z.number().int(), type: z.string() });
const unrendered = z
  .tuple([
    z.number().int(),
    z.number().int(),
    z.number().int(),
    z.string(),
    z.string(),
    z.record(z.string(), z.unknown()),
  ])
  .rest(z.unknown());

/** The events of a stored row, in order, as the bus gets them. Throws where one is none. */
export function decodeEventRow(bytes: Uint8Array, place: EventPlace, render: RenderPayload): readonly Outgoing[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split(SEPARATOR);
  let context: unknown;
  return lines.map((line): Outgoing => {
    const parsed: unknown = JSON.parse(line);
    if (!Array.isArray(parsed)) {
      const { userId, type } = whole.parse(parsed);
      context = undefined;
      return { subject: eventSubject(userId, type), message: line };
    }
    const [sequence, timeMs, userId, type, kind, data, ...rest] = unrendered.parse(parsed);
    if (rest.length > 0) context = rest[0];
    assert(rest.length <= 1 && context !== undefined, `the event ${sequence} says what it is rendered from`);
    const payload = render({ kind, context, data }, type);
    return {
      subject: eventSubject(userId, type),
      message: messageOf({ sequence, timeMs, userId, type, payload }, place),
    };
  });
}
