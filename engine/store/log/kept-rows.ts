/**
 * Rows by their numbers, in memory: a tick that reaches a group must not wait for the disk, where a read costs what
 * deciding does, is held up while LevelDB frees a file, and makes LevelDB merge tables for being read.
 *
 * Owns: which number's row lies where. Does not own: which rows are kept, the rows on disk.
 *
 * Invariant: `get` gives what was last set under a number, or undefined.
 */
import { PackedBytes } from "./packed-bytes.ts";

/** Numbers that share an array of places. */
const PAGE_NUMBERS = 1_024;

interface Page {
  /** One more than the position of the row of each number; 0: absent. */
  readonly places: Uint32Array;
  count: number;
}

export class KeptRows {
  readonly #bytes = new PackedBytes();
  readonly #pages = new Map<number, Page>();

  get(number: number): Uint8Array | undefined {
    const place = this.#placeOf(number);
    return place === undefined ? undefined : this.#bytes.read(place);
  }

  /** A row that is too long is not kept. */
  set(number: number, row: Uint8Array | string): void {
    this.delete(number);
    const place = typeof row === "string" ? this.#bytes.packText(row) : this.#bytes.pack(row);
    if (typeof place !== "number") return;
    const key = Math.floor(number / PAGE_NUMBERS);
    let page = this.#pages.get(key);
    if (page === undefined) {
      page = { places: new Uint32Array(PAGE_NUMBERS), count: 0 };
      this.#pages.set(key, page);
    }
    page.places[number % PAGE_NUMBERS] = place + 1;
    page.count += 1;
  }

  delete(number: number): void {
    const place = this.#placeOf(number);
    const key = Math.floor(number / PAGE_NUMBERS);
    const page = this.#pages.get(key);
    if (place === undefined || page === undefined) return;
    this.#bytes.drop(place);
    page.places[number % PAGE_NUMBERS] = 0;
    page.count -= 1;
    if (page.count === 0) this.#pages.delete(key);
  }

  #placeOf(number: number): number | undefined {
    const place = this.#pages.get(Math.floor(number / PAGE_NUMBERS))?.places[number % PAGE_NUMBERS] ?? 0;
    return place === 0 ? undefined : place - 1;
  }
}
