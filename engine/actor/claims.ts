/**
 * Claims: keys that no two live actors may hold.
 *
 * Owns: who holds which, in the journal. Does not own: what a claim is about (the charts' facts).
 *
 * Invariants:
 * 1. What the filter does not know of is held by nobody: it was told of every claim that the store held at the start and
 *    of every one taken since. Where there is no filter the journal is asked.
 * 2. A claim is taken only where it is free.
 */
import { assert } from "../../src/assert.ts";
import type { Journal } from "../ports/storage.ts";
import { claimKey } from "../table/keys.ts";
import type { ClaimFilter } from "./claim-filter.ts";

export class Claims {
  readonly #journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">;
  readonly #filter: ClaimFilter | undefined;

  /** `filter`: told of every claim that the store holds. */
  constructor(journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">, filter?: ClaimFilter) {
    this.#journal = journal;
    this.#filter = filter;
  }

  holderOf(claim: string): number | undefined {
    if (this.#filter?.mayHold(claim) === false) return undefined;
    const bytes = this.#journal.read(claimKey(claim));
    return bytes === undefined ? undefined : Number(Buffer.from(bytes).toString());
  }

  take(claim: string, holder: number): void {
    assert(this.holderOf(claim) === undefined, () => `claim ${claim} is free`);
    this.#filter?.add(claim);
    this.#journal.insert(claimKey(claim), String(holder));
  }

  /** Only its holder may let a claim go. */
  release(claim: string, holder: number): void {
    this.#filter?.remove(claim);
    const key = claimKey(claim);
    this.#journal.remove(this.#journal.rowOf(key, String(holder)));
  }
}
