/**
 * Snapshots and poison records as they are stored: JSON, checked on reading. The context is checked by its kind.
 */
import { z } from "zod";

const snapshotSchema = z.strictObject({
  kind: z.enum(["group", "setup", "levelBot", "webhookBot", "family"]),
  state: z.string().min(1),
  context: z.record(z.string(), z.unknown()),
});
export type StoredSnapshot = z.infer<typeof snapshotSchema>;

const poisonSchema = z.strictObject({
  reason: z.string(),
  sinceMs: z.number(),
  /** Events that came since, to be given to the actor when it is released. */
  held: z.array(z.looseObject({ type: z.string() })),
});
export type Poison = z.infer<typeof poisonSchema>;

export function encodeSnapshot(kind: string, state: string, context: object): string {
  return JSON.stringify({ kind, state, context });
}

/** Throws where the bytes are not a snapshot. */
export function decodeSnapshot(bytes: Uint8Array): StoredSnapshot {
  const parsed = parse(bytes);
  return isSnapshot(parsed) ? parsed : snapshotSchema.parse(parsed);
}

const KINDS: ReadonlySet<unknown> = new Set(snapshotSchema.shape.kind.options);
const FIELDS = Object.keys(snapshotSchema.shape).length;

/** The plain form of the schema: every wake-up reads one. What it does not tell is for the schema to judge. */
function isSnapshot(value: unknown): value is StoredSnapshot {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== FIELDS) return false;
  const { kind, state, context }: Partial<Record<keyof StoredSnapshot, unknown>> = value;
  return (
    KINDS.has(kind) &&
    typeof state === "string" &&
    state !== "" &&
    typeof context === "object" &&
    context !== null &&
    !Array.isArray(context)
  );
}

/** Throws where the bytes are not a poison record. */
export function decodePoison(bytes: Uint8Array): Poison {
  return poisonSchema.parse(parse(bytes));
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
