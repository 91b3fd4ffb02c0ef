/**
 * A batch as the log holds it.
 *
 * Owns: the frame. Does not own: what keys and values mean, where records are kept.
 *
 * Frame, little-endian: u8 kind (1 first record of a log, 2 batch), u64 xxh64 of the rest, then for each row u8 (1 put,
 * 0 removal), u16 length of the key, u32 length of the value, key, value.
 *
 * Invariant: what is read back is what was written, or `RecordDamaged` is thrown.
 */

import type { Delete, Put } from "../../ports/storage.ts";
import { hashOfBytes } from "../journal/set-hash.ts";

const KIND_FIRST = 1;
const KIND_BATCH = 2;
const PUT = 1;
const REMOVAL = 0;
const HEADER_BYTES = 9;
const ROW_HEADER_BYTES = 7;
const KEY_BYTES_MAX = 0xffff;

/** The content of a record. */
interface Batch {
  /** True for the record that a log begins with: it contains the whole state. */
  readonly isFirst: boolean;
  readonly operations: readonly (Put | Delete)[];
}

/** A record whose bytes differ from the written ones. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
}

/** Throws on a key that is longer than any that this program makes. */
export function encodeRecord({ isFirst, operations }: Batch): Uint8Array {
  let byteCount = HEADER_BYTES;
  for (const operation of operations) {
    byteCount += ROW_HEADER_BYTES + Buffer.byteLength(operation.key);
    if (operation.type === "put") byteCount += operation.value.byteLength;
  }
  const record = Buffer.allocUnsafe(byteCount);
  record[0] = isFirst ? KIND_FIRST : KIND_BATCH;
  let at = HEADER_BYTES;
  for (const operation of operations) {
    const keyBytes = record.write(operation.key, at + ROW_HEADER_BYTES);
    if (keyBytes > KEY_BYTES_MAX) throw new Error(`a key of ${keyBytes} bytes`);
    const valueAt = at + ROW_HEADER_BYTES + keyBytes;
    const valueBytes = operation.type === "put" ? operation.value.byteLength : 0;
    record[at] = operation.type === "put" ? PUT : REMOVAL;
    record.writeUInt16LE(keyBytes, at + 1);
    record.writeUInt32LE(valueBytes, at + 3);
    if (operation.type === "put") record.set(operation.value, valueAt);
    at = valueAt + valueBytes;
  }
  record.writeBigUInt64LE(hashOfBytes(record.subarray(HEADER_BYTES)), 1);
  return record;
}

/** Throws {@link RecordDamaged} where the bytes are no record. The values share the memory of `bytes`. */
export function decodeRecord(bytes: Uint8Array): Batch {
  const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = record[0];
  if (record.byteLength < HEADER_BYTES || (kind !== KIND_FIRST && kind !== KIND_BATCH)) {
    throw new RecordDamaged("it has no header");
  }
  if (record.readBigUInt64LE(1) !== hashOfBytes(record.subarray(HEADER_BYTES))) {
    throw new RecordDamaged("its hash differs");
  }
  const operations: (Put | Delete)[] = [];
  for (let at = HEADER_BYTES; at < record.byteLength; ) {
    const keyAt = at + ROW_HEADER_BYTES;
    const valueAt = keyAt + record.readUInt16LE(at + 1);
    const end = valueAt + record.readUInt32LE(at + 3);
    const key = record.toString("utf8", keyAt, valueAt);
    operations.push(
      record[at] === PUT ? { type: "put", key, value: record.subarray(valueAt, end) } : { type: "del", key },
    );
    at = end;
  }
  return { isFirst: kind === KIND_FIRST, operations };
}
