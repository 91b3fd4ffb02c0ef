/**
 * Claims: keys that no two live actors may hold.
 *
 * Owns: the holder of each claim, in the journal. Does not own: the meaning of a claim (the charts' facts).
 *
 * Invariants:
 * 1. A claim that the filter does not know has no holder: the filter gets every claim that the store contained at the
 *    start, and every claim taken since. Without a filter the journal is asked.
 * 2. A claim is taken only if it is free.
 */
import { assert } from "../../src/assert.ts";
import type { Journal } from "../ports/storage.ts";
import { claimKey } from "../table/keys.ts";
import type { ClaimFilter } from "./claim-filter.ts";

export class Claims {
  readonly #journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">;
  readonly #filter: ClaimFilter | undefined;

  /** `filter`: contains every claim of the store. */
  constructor(journal: Pick<Journal, "read" | "insert" | "remove" | "rowOf">, filter?: ClaimFilter) {
    this.#journal = journal;
    this.#filter = filter;
  }

  holderOf(claim: string): number | undefined {
    if (this.#filter?.mayHold(claim) === false) return undefined;
    const bytes = this.#journal.read(claimKey(claim));
    return bytes === undefined ? undefined : Number(Buffer.from(bytes).toString());
  }

  /** Throws if an actor with these claims before a step would take a claim after it that another one holds. */
  requireFree(before: readonly string[], after: readonly string[]): void {
    for (const claim of after) {
      if (before.includes(claim)) continue;
      const holder = this.holderOf(claim);
      if (holder !== undefined) throw new Error(`${claim} is taken by actor ${holder}`);
    }
  }

  take(claim: string, holder: number): void {
    assert(this.holderOf(claim) === undefined, () => `claim ${claim} is free`);
    this.#filter?.add(claim);
    this.#journal.insert(claimKey(claim), String(holder));
  }

  /** Releases a claim. Only its holder may do so. */
  release(claim: string, holder: number): void {
    this.#filter?.remove(claim);
    const key = claimKey(claim);
    this.#journal.remove(this.#journal.rowOf(key, String(holder)));
  }
}
