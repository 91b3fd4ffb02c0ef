/**
 * Claims: keys that no two live actors may hold.
 *
 * Owns: who holds which, in the journal. Does not own: what a claim is about (the charts' facts).
 *
 * Invariants:
 * 1. What the filter does not know of is held by nobody: it was told of every claim that the store held at the start and
 *    of every one taken since. Until it was, the journal is asked.
 * 2. A claim is taken only where it is free.
 *
 * Nearly every new group asks for a claim that is free, and to look up what is not there is the dearest part of making
 * one. The filter answers from four megabytes, whatever the number of claims; it may send some to the journal in vain.
 */
import { assert } from "../../src/assert.ts";
import type { Journal } from "../ports/storage.ts";
import { claimKey } from "../table/keys.ts";

/** At a million claims about one free claim in seven is looked up in vain. */
const COUNTERS = 4_194_304;
/** A counter that got here never goes down again: how often it was passed is not known. */
const COUNT_MAX = 255;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class Claims {
  readonly #journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">;
  /** How many claims fall on each counter; two counters for each claim. Made when it is first told of one. */
  #counts: Uint8Array | undefined;
  #isComplete = false;
  readonly #counters: number;

  /** `counters`, a power of two: how large the filter is; few are enough for a journal of few claims. */
  constructor(journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">, counters = COUNTERS) {
    this.#journal = journal;
    this.#counters = counters;
  }

  /** At start: a claim that the store holds. */
  recover(claim: string): void {
    this.#count(claim, 1);
  }

  /** The start has told of every claim there is. */
  completeRecovery(): void {
    this.#isComplete = true;
  }

  holderOf(claim: string): number | undefined {
    if (this.#isComplete && !this.#mayBeHeld(claim)) return undefined;
    const bytes = this.#journal.read(claimKey(claim));
    return bytes === undefined ? undefined : Number(Buffer.from(bytes).toString());
  }

  take(claim: string, holder: number): void {
    assert(this.holderOf(claim) === undefined, `claim ${claim} is free`);
    this.#count(claim, 1);
    this.#journal.insert(claimKey(claim), String(holder));
  }

  /** Only its holder may let a claim go. */
  release(claim: string, holder: number): void {
    this.#count(claim, -1);
    const key = claimKey(claim);
    this.#journal.remove(this.#journal.rowOf(key, String(holder)));
  }

  #mayBeHeld(claim: string): boolean {
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
