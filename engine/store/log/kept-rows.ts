/**
 * Rows by their numbers, packed in memory: a tick that reaches a group must not wait for the disk, where a read costs what
 * deciding does, is held up while LevelDB frees a file, and makes LevelDB merge tables for being read.
 *
 * Owns: the bytes of rows, and where each lies. Does not own: which rows are kept, the rows on disk.
 *
 * A chunk is parted into units of 32 bytes; a row takes some of them in a line, the first two bytes of which say how long
 * it is. Rows that are gone leave their units to rows of as many. Neither rows nor places are objects: collecting garbage
 * would look at each of them.
 *
 * Invariant: `get` gives what was last set under a number, or undefined.
 */

const UNIT_BYTES = 32;
const CHUNK_UNITS = 32_768;
const LENGTH_BYTES = 2;
/** A longer row is not kept: it is read from the disk. */
export const KEPT_BYTES_MAX = 4_096;
/** Numbers that share an array of places. */
const PAGE_NUMBERS = 1_024;

interface Page {
  /** One more than the place of the row of each number; nought: there is none. */
  readonly places: Uint32Array;
  count: number;
}

export class KeptRows {
  readonly #chunks: Buffer[] = [];
  readonly #pages = new Map<number, Page>();
  /** Places that are free, by how many units they have. */
  readonly #free: number[][] = Array.from({ length: unitsOf(KEPT_BYTES_MAX) + 1 }, () => []);
  /** Of the newest chunk: units that were never used begin here. */
  #unused = CHUNK_UNITS;

  get(number: number): Uint8Array | undefined {
    const place = this.#placeOf(number);
    if (place === undefined) return undefined;
    const { chunk, at, length } = this.#lying(place);
    // A copy: what lies here is another row's after the next change.
    return Buffer.from(chunk.subarray(at, at + length));
  }

  set(number: number, row: Uint8Array): void {
    const before = this.#placeOf(number);
    const units = unitsOf(row.byteLength);
    const isKept = before !== undefined && units === unitsOf(this.#lying(before).length);
    if (!isKept) this.delete(number);
    if (row.byteLength > KEPT_BYTES_MAX) return;
    const place = isKept ? before : this.#take(units);
    const chunk = this.#chunks[Math.floor(place / CHUNK_UNITS)];
    const at = (place % CHUNK_UNITS) * UNIT_BYTES;
    chunk?.writeUInt16LE(row.byteLength, at);
    chunk?.set(row, at + LENGTH_BYTES);
    if (!isKept) this.#note(number, place);
  }

  delete(number: number): void {
    const place = this.#placeOf(number);
    if (place === undefined) return;
    this.#free[unitsOf(this.#lying(place).length)]?.push(place);
    const page = this.#pages.get(Math.floor(number / PAGE_NUMBERS));
    if (page === undefined) return;
    page.places[number % PAGE_NUMBERS] = 0;
    page.count -= 1;
    if (page.count === 0) this.#pages.delete(Math.floor(number / PAGE_NUMBERS));
  }

  #placeOf(number: number): number | undefined {
    const place = this.#pages.get(Math.floor(number / PAGE_NUMBERS))?.places[number % PAGE_NUMBERS] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  #note(number: number, place: number): void {
    const key = Math.floor(number / PAGE_NUMBERS);
    let page = this.#pages.get(key);
    if (page === undefined) {
      page = { places: new Uint32Array(PAGE_NUMBERS), count: 0 };
      this.#pages.set(key, page);
    }
    page.places[number % PAGE_NUMBERS] = place + 1;
    page.count += 1;
  }

  #lying(place: number): { readonly chunk: Buffer; readonly at: number; readonly length: number } {
    const chunk = this.#chunks[Math.floor(place / CHUNK_UNITS)] ?? Buffer.alloc(0);
    const at = (place % CHUNK_UNITS) * UNIT_BYTES;
    return { chunk, at: at + LENGTH_BYTES, length: chunk.readUInt16LE(at) };
  }

  #take(units: number): number {
    const free = this.#free[units]?.pop();
    if (free !== undefined) return free;
    if (this.#unused + units > CHUNK_UNITS) {
      const rest = CHUNK_UNITS - this.#unused;
      if (rest > 0) this.#free[rest]?.push((this.#chunks.length - 1) * CHUNK_UNITS + this.#unused);
      this.#chunks.push(Buffer.alloc(CHUNK_UNITS * UNIT_BYTES));
      this.#unused = 0;
    }
    const place = (this.#chunks.length - 1) * CHUNK_UNITS + this.#unused;
    this.#unused += units;
    return place;
  }
}

function unitsOf(byteCount: number): number {
  return Math.ceil((byteCount + LENGTH_BYTES) / UNIT_BYTES);
}
