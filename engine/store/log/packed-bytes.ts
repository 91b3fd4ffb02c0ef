/**
 * Bytes that stay for a while, packed into chunks that are used again.
 *
 * A `Buffer` for each would be moved by V8 to where it collects seldom, and 64 MB of those begin a collection of
 * everything, which holds triggers up for 80 ms. Here neither bytes nor places are objects.
 *
 * Owns: where bytes lie. Does not own: whose they are.
 *
 * A chunk is parted into units of 32 bytes; a value takes some of them in a row, the first two bytes of which contain its
 * length. A dropped value leaves its units to bytes of the same number of units.
 *
 * Invariant: until it is dropped, what is packed is read as it was packed.
 */

import { assert } from "../../../src/assert.ts";

const UNIT_BYTES = 32;
const CHUNK_UNITS = 32_768;
/** The first chunk begins with so many and doubles while it is full: few rows need no more. */
const FIRST_UNITS = 512;
const LENGTH_BYTES = 2;
/** More bytes are kept as they are. */
export const PACKED_BYTES_MAX = 4_096;

/** The place of packed bytes, or bytes that are too many to be packed. */
export type Packed = number | Uint8Array;

export class PackedBytes {
  readonly #chunks: Buffer[] = [];
  /** Places that are free, by how many units they have. */
  readonly #free: number[][] = Array.from({ length: unitsOf(PACKED_BYTES_MAX) + 1 }, () => []);
  /** Of the newest chunk: units that were never used begin here, and end there. */
  #unused = CHUNK_UNITS;
  #end = CHUNK_UNITS;

  /** Of all chunks. */
  get byteCount(): number {
    return this.#chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  pack(bytes: Uint8Array): Packed {
    if (bytes.byteLength > PACKED_BYTES_MAX) return bytes;
    const place = this.#placeFor(bytes.byteLength);
    const { chunk, at } = this.#lying(place);
    chunk.set(bytes, at + LENGTH_BYTES);
    return place;
  }

  /** Packs the bytes of a text; undefined where they are too many. */
  packText(text: string): number | undefined {
    const byteCount = Buffer.byteLength(text);
    if (byteCount > PACKED_BYTES_MAX) return undefined;
    const place = this.#placeFor(byteCount);
    const { chunk, at } = this.#lying(place);
    chunk.write(text, at + LENGTH_BYTES, byteCount);
    return place;
  }

  /** A copy: what lies there is something else once it is dropped. */
  read(packed: Packed): Uint8Array {
    if (typeof packed !== "number") return packed;
    const { chunk, at } = this.#lying(packed);
    const begin = at + LENGTH_BYTES;
    return Buffer.from(chunk.subarray(begin, begin + chunk.readUInt16LE(at)));
  }

  lengthOf(packed: Packed): number {
    if (typeof packed !== "number") return packed.byteLength;
    const { chunk, at } = this.#lying(packed);
    return chunk.readUInt16LE(at);
  }

  drop(packed: Packed): void {
    if (typeof packed === "number") this.#free[unitsOf(this.lengthOf(packed))]?.push(packed);
  }

  #placeFor(byteCount: number): number {
    const place = this.#take(unitsOf(byteCount));
    const { chunk, at } = this.#lying(place);
    chunk.writeUInt16LE(byteCount, at);
    return place;
  }

  #lying(place: number): { readonly chunk: Buffer; readonly at: number } {
    const chunk = this.#chunks[Math.floor(place / CHUNK_UNITS)];
    assert(chunk !== undefined, "a place lies in a chunk");
    return { chunk, at: (place % CHUNK_UNITS) * UNIT_BYTES };
  }

  #take(units: number): number {
    const free = this.#free[units]?.pop();
    if (free !== undefined) return free;
    if (this.#unused + units > this.#end) this.#makeRoom();
    const place = (this.#chunks.length - 1) * CHUNK_UNITS + this.#unused;
    this.#unused += units;
    return place;
  }

  /** One call is enough for the longest bytes that are packed. */
  #makeRoom(): void {
    const [first] = this.#chunks;
    if (first !== undefined && this.#end < CHUNK_UNITS) {
      this.#end *= 2;
      const grown = Buffer.alloc(this.#end * UNIT_BYTES);
      grown.set(first);
      this.#chunks[0] = grown;
      return;
    }
    const rest = CHUNK_UNITS - this.#unused;
    if (rest > 0) this.#free[rest]?.push((this.#chunks.length - 1) * CHUNK_UNITS + this.#unused);
    this.#end = first === undefined ? FIRST_UNITS : CHUNK_UNITS;
    this.#chunks.push(Buffer.alloc(this.#end * UNIT_BYTES));
    this.#unused = 0;
  }
}

function unitsOf(byteCount: number): number {
  return Math.ceil((byteCount + LENGTH_BYTES) / UNIT_BYTES);
}
