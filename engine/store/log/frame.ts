/**
 * What one append writes to a file of the log.
 *
 * Owns: the frame, and finding frames again, also behind damage. Does not own: files, what records mean.
 *
 * Frame, little-endian, at a multiple of eight bytes: u64 mark, u64 xxh64 of what follows up to the frame's end, u64 number
 * of the first record, u32 count of the log's files, u32 count of records, u32 length of the rest, then for each record u32
 * length and its bytes.
 *
 * Invariant: what is read back is what was written as a whole, or no frame is found.
 */
import { hashOfBytes } from "../journal/set-hash.ts";

/** No text and no number that is likely elsewhere. */
const MARK = Buffer.from("\u00f5LOG\r\n\u001a\u00fe", "latin1");
const HASH_AT = 8;
const SEQUENCE_AT = 16;
const FILES_AT = 24;
const COUNT_AT = 28;
const LENGTH_AT = 32;
const HEADER_BYTES = 36;
const LENGTH_BYTES = 4;
const ALIGNMENT = 8;

interface Frame {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** How many files the log had when it was written. */
  readonly fileCount: number;
  /** Where it begins and where the next one may, in bytes from the file's start. */
  readonly at: number;
  readonly end: number;
}

/** Frames that follow one another without a gap, in numbers and in bytes. */
export interface Run {
  readonly frames: readonly Frame[];
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly end: number;
}

/** One frame of `records`, the first of which is number `firstSequence`; ready to be written. */
export function encodeFrame(firstSequence: number, records: readonly Uint8Array[], fileCount: number): Buffer {
  let length = 0;
  for (const record of records) length += LENGTH_BYTES + record.byteLength;
  const used = HEADER_BYTES + length;
  const frame = Buffer.allocUnsafe(aligned(used)).fill(0, used);
  MARK.copy(frame);
  frame.writeBigInt64LE(BigInt(firstSequence), SEQUENCE_AT);
  frame.writeUInt32LE(fileCount, FILES_AT);
  frame.writeUInt32LE(records.length, COUNT_AT);
  frame.writeUInt32LE(length, LENGTH_AT);
  let at = HEADER_BYTES;
  for (const record of records) {
    frame.writeUInt32LE(record.byteLength, at);
    frame.set(record, at + LENGTH_BYTES);
    at += LENGTH_BYTES + record.byteLength;
  }
  frame.writeBigUInt64LE(hashOfBytes(frame.subarray(SEQUENCE_AT, used)), HASH_AT);
  return frame;
}

/** The records of a frame of `bytes`; they share its memory. */
export function recordsOf(bytes: Buffer, { firstSequence, lastSequence, at }: Frame): Uint8Array[] {
  let recordAt = at + HEADER_BYTES;
  return Array.from({ length: lastSequence - firstSequence + 1 }, () => {
    const begin = recordAt + LENGTH_BYTES;
    recordAt = begin + bytes.readUInt32LE(recordAt);
    return bytes.subarray(begin, recordAt);
  });
}

/**
 * All runs of frames in a file's bytes, in their order. A file in use has one, which begins at 0; a second one follows
 * damage, or was left over when the file was used again.
 */
export function runsOf(bytes: Buffer): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at >= 0; ) {
    const frames: Frame[] = [];
    for (;;) {
      const last = frames.at(-1);
      const frame = frameAt(bytes, last?.end ?? at);
      if (frame === undefined || (last !== undefined && frame.firstSequence !== last.lastSequence + 1)) break;
      frames.push(frame);
    }
    const [first, last] = [frames[0], frames.at(-1)];
    if (first !== undefined && last !== undefined) {
      runs.push({ frames, firstSequence: first.firstSequence, lastSequence: last.lastSequence, end: last.end });
    }
    at = nextMark(bytes, last?.end ?? at + ALIGNMENT);
  }
  return runs;
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + HEADER_BYTES > bytes.length || MARK.compare(bytes, at, at + MARK.length) !== 0) return undefined;
  const used = at + HEADER_BYTES + bytes.readUInt32LE(at + LENGTH_AT);
  if (used > bytes.length) return undefined;
  if (bytes.readBigUInt64LE(at + HASH_AT) !== hashOfBytes(bytes.subarray(at + SEQUENCE_AT, used))) return undefined;
  const firstSequence = Number(bytes.readBigInt64LE(at + SEQUENCE_AT));
  return {
    firstSequence,
    lastSequence: firstSequence + bytes.readUInt32LE(at + COUNT_AT) - 1,
    fileCount: bytes.readUInt32LE(at + FILES_AT),
    at,
    end: aligned(used),
  };
}

/** Where from `from` on a frame may begin; -1 where none does. */
function nextMark(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(MARK, from);
  while (at >= 0 && at % ALIGNMENT !== 0) at = bytes.indexOf(MARK, at + 1);
  return at;
}

function aligned(byteCount: number): number {
  return Math.ceil(byteCount / ALIGNMENT) * ALIGNMENT;
}
