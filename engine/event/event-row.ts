/**
 * The stored form of events: a row holds some, one line of JSON each, in the order of their sequence. Its first line
 * names their users, so that whoever looks for one user's events need not read the others'.
 *
 * Owns: the two forms of a line. Does not own: when rows are written, published and removed (event-log.ts), what an
 * event says (the kinds' projections).
 *
 * A line is the event as the bus gets it, an object. Or, where an actor's kind packs its context, a list of what it is
 * rendered from: `[sequence, timeMs, userId, type, kind, data, context]`, the context left out where it is that of the
 * line before. A stop-loss that was sold tells of every row of its group: rendered, each says all of the group again.
 *
 * Invariant: an event that is read back is what was published, to the byte. So a kind that packs its context must go on
 * rendering what is stored as it did, as long as events are kept.
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
  /** Its payload at least: what it is told by in words. */
  readonly payload: object;
  /** As clients get it: JSON. */
  readonly text: string;
}

/** An event that was read back. */
export interface StoredEvent extends Pick<Outgoing, "sequence" | "userId" | "type"> {
  /** As clients get it. */
  readonly message: object;
  /** Its JSON where that is rendered already. */
  readonly text?: string;
}

/** Whose events they are: part of each one's id. */
export interface EventPlace {
  readonly installation: string;
  readonly partition: number;
}

/** What was stored of an actor's event in place of its payload. */
interface StoredSource {
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

/** One alone is stored in the shorter form: a group of many rows is longer than what is said of one of them. */
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

/** The JSON of `messageOf`, of a payload that is JSON already and has fields. */
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

/** Whose events a stored row holds: no more is read than says so, as most rows that are looked through are of others. */
export function usersOfRow(bytes: Uint8Array): readonly string[] {
  const end = bytes.indexOf(LINE_FEED);
  return textOf(bytes.subarray(0, end === -1 ? undefined : end)).split(USER_SEPARATOR);
}

/** When the last event of a stored row happened; undefined where that cannot be read. */
export function rowTimeMs(bytes: Uint8Array): number | undefined {
  const text = textOf(bytes);
  try {
    const parsed: unknown = JSON.parse(text.slice(text.lastIndexOf(SEPARATOR) + 1));
    if (Array.isArray(parsed)) return z.number().parse(parsed[1]);
    return Date.parse(z.object({ time: z.iso.datetime() }).parse(parsed).time);
  } catch {
    return undefined;
  }
}

/** The events of a stored row, in order, as clients get them. Throws where one is none. */
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
    assert(rest.length <= 1 && context !== undefined, `the event ${sequence} says what it is rendered from`);
    const payload = render({ kind, context, data }, type);
    const message = messageOf({ sequence, timeMs, userId, type, payload }, place);
    return { sequence, userId, type, message };
  });
}

const USERS = /^[0-9]+(,[0-9]+)*$/;
