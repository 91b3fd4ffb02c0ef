/**
 * Which facts of an order its owner was notified of already. An order can have several followers of one user: a client's
 * order that he also registered as a pending OCO. Each of them learns the same fact; the owner hears of it once.
 *
 * Owns: how often each follower learnt a fact. Does not own: what a fact is, notifying.
 *
 * Invariants:
 * 1. A fact is news if its follower learnt it more often than each other follower did. So what one follower learns twice
 *    is told twice, and no follower's silence keeps another one's fact back.
 * 2. In memory only, and bounded: after a restart, or for an order of long ago, a fact can be told once more. None is lost,
 *    as the event of a fact is in one batch with the state of the follower that learnt it.
 */
import { LruCache } from "../../src/runtime/lru-cache.ts";

/** Facts that are remembered. */
const FACTS_MAX = 20_000;

export class ToldFacts {
  readonly #counts = new LruCache<string, Map<string, number>>(FACTS_MAX);

  /** Counts a fact of a follower; true if its owner is to be notified of it. */
  isNews(fact: string, follower: string): boolean {
    const counts = this.#counts.get(fact) ?? new Map<string, number>();
    const most = Math.max(0, ...counts.values());
    const count = (counts.get(follower) ?? 0) + 1;
    counts.set(follower, count);
    this.#counts.set(fact, counts);
    return count > most;
  }
}
