/**
 * A message of the log's stream.
 *
 * Owns: the frame. Does not own: the content of a record, what a frame means at its place (log-reader.ts).
 *
 * Little-endian: u64 xxh64 of the rest, u8 kind, u8 flags (1: last part), u16 part, u32 lease in milliseconds, u64
 * epoch, i64 number, and a body. Every frame has the lease, so a reader knows from any first message how long its
 * leader must be silent. The number is that record's number for a part, else the number of the last whole record
 * before; -1: no record. Numbers rise with the stream, so a binary search finds a record.
 *
 * Invariant: reading returns what was written, or throws `FrameDamaged`.
 */
import xxhash from "xxhash-wasm";
import { z } from "zod";

const { h64Raw } = await xxhash();

const KINDS = ["claim", "part", "beat", "release"] as const;
const HASH_BYTES = 8;
const HEADER_BYTES = 32;
const LAST_PART = 1;
/** A server accepts messages of 1 MiB by default. */
const PART_BYTES = 512 * 1024;

export const NO_RECORD = -1;

interface Place {
  /** The stream sequence of the claim under which it was appended. */
  readonly epoch: number;
  readonly leaseMs: number;
  readonly number: number;
}

export interface Part extends Place {
  readonly kind: "part";
  readonly part: number;
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

export type Frame =
  | Part
  | (Place & { readonly kind: "claim"; readonly owner: string })
  | (Place & { readonly kind: "beat" })
  | (Place & { readonly kind: "release"; readonly to?: string | undefined });

const claimSchema = z.strictObject({ owner: z.string().min(1) });
const releaseSchema = z.strictObject({ to: z.string().min(1).optional() });

/** A message whose bytes differ from the bytes written. */
export class FrameDamaged extends Error {
  override readonly name = "FrameDamaged";
}

/** Splits a record into as many parts as it needs. */
export function partsOf(record: Uint8Array, place: Place): Part[] {
  const count = Math.max(1, Math.ceil(record.byteLength / PART_BYTES));
  return Array.from({ length: count }, (_, part) => ({
    ...place,
    kind: "part",
    part,
    isLast: part === count - 1,
    bytes: record.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  }));
}

export function encodeFrame(frame: Frame): Uint8Array {
  const body = bodyOf(frame);
  const encoded = Buffer.allocUnsafe(HEADER_BYTES + body.byteLength);
  encoded[HASH_BYTES] = KINDS.indexOf(frame.kind) + 1;
  encoded[9] = frame.kind === "part" && frame.isLast ? LAST_PART : 0;
  encoded.writeUInt16LE(frame.kind === "part" ? frame.part : 0, 10);
  encoded.writeUInt32LE(frame.leaseMs, 12);
  encoded.writeBigUInt64LE(BigInt(frame.epoch), 16);
  encoded.writeBigInt64LE(BigInt(frame.number), 24);
  encoded.set(body, HEADER_BYTES);
  encoded.writeBigUInt64LE(h64Raw(encoded.subarray(HASH_BYTES)), 0);
  return encoded;
}

/** Throws {@link FrameDamaged} if the bytes are not a frame. A part shares the memory of `bytes`. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoded.byteLength < HEADER_BYTES) throw new FrameDamaged("it has no header");
  if (encoded.readBigUInt64LE(0) !== h64Raw(encoded.subarray(HASH_BYTES))) throw new FrameDamaged("its hash differs");
  const place = {
    epoch: Number(encoded.readBigUInt64LE(16)),
    leaseMs: encoded.readUInt32LE(12),
    number: Number(encoded.readBigInt64LE(24)),
  };
  const body = encoded.subarray(HEADER_BYTES);
  const kind = KINDS[encoded.readUInt8(HASH_BYTES) - 1];
  switch (kind) {
    case "part":
      return { ...place, kind, part: encoded.readUInt16LE(10), isLast: encoded[9] === LAST_PART, bytes: body };
    case "claim":
      return { ...place, kind, owner: parseBody(claimSchema, body).owner };
    case "beat":
      return { ...place, kind };
    case "release":
      return { ...place, kind, to: parseBody(releaseSchema, body).to };
    default:
      throw new FrameDamaged(`kind ${encoded[HASH_BYTES]} is not known: it was written by a newer version`);
  }
}

function bodyOf(frame: Frame): Uint8Array {
  switch (frame.kind) {
    case "part":
      return frame.bytes;
    case "claim":
      return Buffer.from(JSON.stringify({ owner: frame.owner }));
    case "beat":
      return new Uint8Array();
    case "release":
      return Buffer.from(JSON.stringify({ to: frame.to }));
  }
}

function parseBody<Value>(schema: z.ZodType<Value>, body: Buffer): Value {
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch (cause) {
    throw new FrameDamaged("its body cannot be read: it was written by a newer version", { cause });
  }
}
