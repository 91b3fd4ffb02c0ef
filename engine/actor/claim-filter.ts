/**
 * Which claims may be held: what it does not know of is held by nobody.
 *
 * Owns: counts of claims by their hashes. Does not own: who holds a claim (claims.ts).
 *
 * Nearly every new group asks for a claim that is free, and to look up what is not there is the dearest part of making
 * one. The filter answers from four megabytes, whatever the number of claims; it may send some to the journal in vain.
 */

/** At a million claims about one free claim in seven is looked up in vain. */
const COUNTERS = 4_194_304;
/** A counter that got here never goes down again: how often it was passed is not known. */
const COUNT_MAX = 255;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class ClaimFilter {
  /** How many claims fall on each counter; two counters for each claim. Made when it is first told of one. */
  #counts: Uint8Array | undefined;
  readonly #counters: number;

  /** `counters`, a power of two: how large the filter is; few are enough for few claims. */
  constructor(counters = COUNTERS) {
    this.#counters = counters;
  }

  /** To be told of every claim that is taken, */
  add(claim: string): void {
    this.#count(claim, 1);
  }

  /** and of every one that is let go, once each. */
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

  /** The second comes from bits that the first leaves out, mixed: two claims that share one seldom share both. */
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
