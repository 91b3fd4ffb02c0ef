/**
 * The stored form of events: a row holds several, one line of JSON each, in the order of their sequence. Its first line
 * names their users, so that a search for one user's events can skip the others'.
 *
 * Owns: the two forms of a line. Does not own: when rows are written, published and removed (event-log.ts), the content
 * of an event (the kinds' projections).
 *
 * A line is the event as published on the bus, an object. If an actor's kind packs its context, the line is a list of
 * the values to render it from: `[sequence, timeMs, userId, type, kind, data, context]`. The context is left out if it
 * equals the previous line's. A sold stop-loss emits an event for every row of its group, and each rendered event
 * repeats the whole group.
 *
 * Invariant: reading an event returns the published bytes. So a kind that packs its context must keep its rendering of
 * stored events unchanged, as long as events are kept.
 */
import { z } from "zod";
import { assert } from "../../src/assert.ts";
import { formatTime } from "../../src/domain/time.ts";
import { textOf } from "../../src/runtime/json.ts";
import type { RenderSource } from "../ports/event.ts";

const SEPARATOR = "\n";
const LINE_FEED = SEPARATOR.charCodeAt(0);
const USER_SEPARATOR = ",";

/** An event that was emitted. */
export interface Emitted {
  readonly sequence: number;
  readonly timeMs: number;
  readonly userId: number;
  readonly type: string;
  readonly payload: object;
  readonly source: RenderSource | undefined;
}

/** An event on its way to clients. */
export interface Outgoing {
  readonly sequence: number;
  readonly userId: number;
  readonly type: string;
  /** The payload for the log line. */
  readonly payload: object;
  /** JSON, as clients receive it. */
  readonly text: string;
}

/** An event that was read back. */
export interface StoredEvent extends Pick<Outgoing, "sequence" | "userId" | "type"> {
  /** As clients receive it. */
  readonly message: object;
  /** Its JSON if it is rendered already. */
  readonly text?: string;
}

/** The place that is part of each event's id. */
export interface EventPlace {
  readonly installation: string;
  readonly partition: number;
}

/** The stored source of an actor's event, in place of its payload. */
interface StoredSource {
  readonly kind: string;
  readonly context: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Renders the payload of an actor's event of a type again. Throws if the stored source does not match. */
export type RenderPayload = (source: StoredSource, type: string) => object;

/** Returns the row of some events, and each event as published. */
export function encodeEventRow(
  events: readonly Emitted[],
  place: EventPlace,
): { readonly row: string; readonly outgoing: readonly Outgoing[] } {
  const lines: string[] = [[...new Set(events.map(({ userId }) => userId))].join(USER_SEPARATOR)];
  const outgoing: Outgoing[] = [];
  let lastContext: string | undefined;
  for (const [index, event] of events.entries()) {
    const context = event.source?.context;
    const isShared =
      context !== undefined && (context === lastContext || context === events[index + 1]?.source?.context);
    const { line, text } = encodeEvent(event, place, isShared, lastContext);
    lines.push(line);
    const { sequence, userId, type, payload } = event;
    outgoing.push({ sequence, userId, type, payload, text });
    lastContext = line === text ? undefined : context;
  }
  return { row: lines.join(SEPARATOR), outgoing };
}

/** A single event is stored in the shorter form: a group of many rows is longer than the event of one row. */
function encodeEvent(event: Emitted, place: EventPlace, isShared: boolean, lastContext: string | undefined) {
  const source = event.source === undefined ? undefined : lineOf(event, event.source, lastContext);
  const rendered = event.source?.json;
  const text = rendered === undefined ? JSON.stringify(messageOf(event, place)) : textAround(event, rendered, place);
  return { line: source === undefined || (!isShared && source.length >= text.length) ? text : source, text };
}

function messageOf(event: Omit<Emitted, "source">, place: EventPlace): object {
  const { sequence, timeMs, userId, type, payload } = event;
  return { id: idOf(event, place), sequence, time: formatTime(timeMs), userId, type, ...payload };
}

/** The JSON of `messageOf`, for a payload that is already JSON and has fields. */
function textAround(event: Emitted, payload: string, place: EventPlace): string {
  const { sequence, timeMs, userId, type } = event;
  const head = `{"id":"${idOf(event, place)}","sequence":${sequence},"time":"${formatTime(timeMs)}"`;
  return `${head},"userId":${userId},"type":"${type}",${payload.slice(1)}`;
}

function idOf({ sequence }: Pick<Emitted, "sequence">, { installation, partition }: EventPlace): string {
  return `${installation}-${partition}-${sequence}`;
}

function lineOf(event: Emitted, { kind, data, context }: RenderSource, lastContext: string | undefined): string {
  const line = JSON.stringify([event.sequence, event.timeMs, event.userId, event.type, kind, data]);
  return context === lastContext ? line : `${line.slice(0, -1)},${context}]`;
}

const whole = z.looseObject({ sequence: z.number().int(), userId: z.number().int(), type: z.string() });
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

/** Returns the users of a stored row's events. Reads only that line, as most rows in a search belong to others. */
export function usersOfRow(bytes: Uint8Array): readonly string[] {
  const end = bytes.indexOf(LINE_FEED);
  return textOf(bytes.subarray(0, end === -1 ? undefined : end)).split(USER_SEPARATOR);
}

const timedSchema = z.object({ time: z.iso.datetime() });

/** When the last event of a stored row happened; undefined if that cannot be read. */
export function rowTimeMs(bytes: Uint8Array): number | undefined {
  const text = textOf(bytes);
  try {
    const parsed: unknown = JSON.parse(text.slice(text.lastIndexOf(SEPARATOR) + 1));
    if (Array.isArray(parsed)) return z.number().parse(parsed[1]);
    return Date.parse(timedSchema.parse(parsed).time);
  } catch {
    return undefined;
  }
}

/** Decodes the events of a stored row, in order, as clients receive them. Throws if a line is not an event. */
export function decodeEventRow(bytes: Uint8Array, place: EventPlace, render: RenderPayload): readonly StoredEvent[] {
  const [users = "", ...lines] = textOf(bytes).split(SEPARATOR);
  assert(USERS.test(users), "a row of events names its users");
  let context: unknown;
  return lines.map((line): StoredEvent => {
    const parsed: unknown = JSON.parse(line);
    if (!Array.isArray(parsed)) {
      const { sequence, userId, type } = whole.parse(parsed);
      context = undefined;
      return { sequence, userId, type, message: parsed as object, text: line };
    }
    const [sequence, timeMs, userId, type, kind, data, ...rest] = unrendered.parse(parsed);
    if (rest.length > 0) context = rest[0];
    assert(rest.length <= 1 && context !== undefined, `the event ${sequence} contains its rendering context`);
    const payload = render({ kind, context, data }, type);
    const message = messageOf({ sequence, timeMs, userId, type, payload }, place);
    return { sequence, userId, type, message };
  });
}

const USERS = /^[0-9]+(,[0-9]+)*$/;
