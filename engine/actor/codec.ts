/**
 * Snapshots and quarantine rows as they are stored: JSON, checked on reading. The context is checked by its kind.
 */
import { z } from "zod";
import { type ActorEvent, isActorEvent } from "../../src/machine/actor-event.ts";
import { textOf } from "../../src/runtime/json.ts";
import type { StreamPlace } from "../ports/stream.ts";
import type { ActorKind } from "./kind.ts";
import { type LaterPlace, NO_LATER_PLACES } from "./later-place.ts";

const VIEW_HASH = /^[0-9a-f]{1,16}$/;

const snapshotSchema = z.strictObject({
  kind: z.enum(["group", "setup", "levelBot", "webhookBot", "clientOrder", "family", "priceAlert"]),
  state: z.string().min(1),
  context: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  /** The hash of the actor's one view row, in hexadecimal; absent without such a row, or if it is not known. */
  viewHash: z.string().regex(VIEW_HASH).exactOptional(),
  /** The place in the tick stream when the levels were armed: stream, sequence, how far its clock was ahead. */
  armedAt: z.tuple([z.string(), z.number(), z.number()]).exactOptional(),
  /** The same for levels that were armed later: each entry begins with the time of the arming. */
  armedLater: z
    .array(z.tuple([z.number(), z.string(), z.number(), z.number()]))
    .min(1)
    .exactOptional(),
});
type Stored = z.infer<typeof snapshotSchema>;

interface StoredSnapshot extends Pick<Stored, "kind" | "state" | "context"> {
  readonly viewHash: string | undefined;
  /** Null if it was not known. */
  readonly armedAt: StreamPlace | null;
  readonly armedLater: readonly LaterPlace[];
}

const typedSchema = z.looseObject({ type: z.string() });

/** Its fields are as our own decision stored them; its type must still be a type that actors take. */
const heldEventSchema = z.custom<ActorEvent>((event) => {
  const named = typedSchema.safeParse(event);
  return named.success && isActorEvent(named.data);
});

const quarantineRowSchema = z.strictObject({
  reason: z.string(),
  sinceMs: z.number(),
  /** Events since then, which the actor gets when it is released. */
  held: z.array(heldEventSchema),
});
export type QuarantineRow = z.infer<typeof quarantineRowSchema>;

/** Returns the stored form of a context: JSON. */
export function encodeContext(kind: ActorKind, context: object): string {
  return JSON.stringify(kind.pack?.(context) ?? context);
}

/** `context`: the result of `encodeContext`. The last parameter: the other values in a live actor's row. */
export function encodeSnapshot(
  kind: ActorKind,
  state: string,
  context: string,
  {
    viewHash,
    armedAt = null,
    armedLater = NO_LATER_PLACES,
  }: Partial<Omit<StoredSnapshot, "kind" | "state" | "context">> = {},
): string {
  const hash = viewHash === undefined ? "" : `,"viewHash":"${viewHash}"`;
  return `{"kind":"${kind.name}","state":${JSON.stringify(state)},"context":${context}${hash}${placeText(armedAt)}${laterText(armedLater)}}`;
}

/** Throws if the row, as bytes or as text, is not a snapshot. */
export function decodeSnapshot(row: Uint8Array | string): StoredSnapshot {
  const parsed = parse(row);
  const { kind, state, context, viewHash, armedAt, armedLater } = isSnapshot(parsed)
    ? parsed
    : snapshotSchema.parse(parsed);
  const place = armedAt === undefined ? null : { stream: armedAt[0], sequence: armedAt[1], aheadMs: armedAt[2] };
  return { kind, state, context, viewHash, armedAt: place, armedLater: armedLater?.map(laterPlace) ?? NO_LATER_PLACES };
}

function laterPlace([armedSinceMs, stream, sequence, aheadMs]: readonly [number, string, number, number]): LaterPlace {
  return { armedSinceMs, place: { stream, sequence, aheadMs } };
}

function laterText(later: readonly LaterPlace[]): string {
  if (later.length === 0) return "";
  const packed = later.map(({ armedSinceMs, place }) => [armedSinceMs, place.stream, place.sequence, place.aheadMs]);
  return `,"armedLater":${JSON.stringify(packed)}`;
}

function placeText(place: StreamPlace | null): string {
  return place === null ? "" : `,"armedAt":${JSON.stringify([place.stream, place.sequence, place.aheadMs])}`;
}

function isPlace(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 3) return false;
  return typeof value[0] === "string" && typeof value[1] === "number" && typeof value[2] === "number";
}

const KINDS: ReadonlySet<unknown> = new Set(snapshotSchema.shape.kind.options);
const FIELDS_MAX = Object.keys(snapshotSchema.shape).length;

/** A plain check without `armedLater`, as every wake-up reads a row. The schema judges a row that does not pass. */
function isSnapshot(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null) return false;
  const { kind, state, context, viewHash, armedAt }: Partial<Record<keyof Stored, unknown>> = value;
  const hasHash = typeof viewHash === "string" && VIEW_HASH.test(viewHash);
  return (
    Object.keys(value).length === FIELDS_MAX - 1 - (hasHash ? 0 : 1) - (isPlace(armedAt) ? 0 : 1) &&
    KINDS.has(kind) &&
    typeof state === "string" &&
    state !== "" &&
    typeof context === "object" &&
    context !== null
  );
}

/** Throws if the bytes are not a quarantine row. */
export function decodeQuarantineRow(bytes: Uint8Array): QuarantineRow {
  return quarantineRowSchema.parse(parse(bytes));
}

function parse(row: Uint8Array | string): unknown {
  return JSON.parse(typeof row === "string" ? row : textOf(row));
}
