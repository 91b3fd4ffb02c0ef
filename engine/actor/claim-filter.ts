/**
 * A filter of claims that may be held: a claim that it does not know has no holder.
 *
 * Owns: counts of claims by their hashes. Does not own: the holder of a claim (claims.ts).
 *
 * Nearly every new group asks for a free claim. Looking up an absent key is the most expensive part of making a group.
 * The filter answers from four megabytes for any number of claims; it may send some requests on needlessly.
 */

/** At a million claims about one free claim in seven is looked up needlessly. */
const COUNTERS = 4_194_304;
/** A counter that reached this never falls again: the excess is not known. */
const COUNT_MAX = 255;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class ClaimFilter {
  /** The number of claims of each counter; a claim has two counters. Made when the first claim is added. */
  #counts: Uint8Array | undefined;
  readonly #counters: number;

  /** `counters`: the size of the filter, a power of two; few are enough for few claims. */
  constructor(counters = COUNTERS) {
    this.#counters = counters;
  }

  /** Adds a claim. Must be called for every claim that is taken. */
  add(claim: string): void {
    this.#count(claim, 1);
  }

  /** Removes a claim. Must be called once for every claim that is released. */
  remove(claim: string): void {
    this.#count(claim, -1);
  }

  mayHold(claim: string): boolean {
    const counts = this.#counts;
    return counts !== undefined && this.#placesOf(claim).every((at) => counts[at] !== 0);
  }

  #count(claim: string, change: 1 | -1): void {
    this.#counts ??= new Uint8Array(this.#counters);
    for (const at of this.#placesOf(claim)) {
      const count = this.#counts[at] ?? 0;
      if (count !== COUNT_MAX) this.#counts[at] = Math.max(0, count + change);
    }
  }

  /** The second place uses bits that the first leaves out, mixed: two claims that share one place seldom share both. */
  #placesOf(claim: string): readonly [number, number] {
    const hash = hashOf(claim);
    const last = this.#counters - 1;
    return [hash & last, (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 9) & last];
  }
}

/** FNV-1a over the characters, 32 bits. */
function hashOf(claim: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < claim.length; index += 1) {
    hash = Math.imul(hash ^ claim.charCodeAt(index), FNV_PRIME);
  }
  return hash;
}
