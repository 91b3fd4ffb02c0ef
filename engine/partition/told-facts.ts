/**
 * The facts of an order that its owner was already notified of. An order can have several followers of one user: a
 * client's order that he also registered as a pending OCO. Each of them learns the same fact; the owner gets it once.
 *
 * Owns: how often each follower learnt a fact. Does not own: the meaning of a fact, notifying.
 *
 * Invariants:
 * 1. A fact is news if its follower learnt it more often than each other follower did. So a fact that one follower
 *    learns twice is reported twice, and a silent follower keeps back no fact of another.
 * 2. In memory only, and bounded: after a restart, or for an old order, a fact can be reported once more. None is lost,
 *    as the event of a fact is in one batch with the state of the follower that learnt it.
 */
import { LruCache } from "../../src/runtime/lru-cache.ts";

/** The most facts that are remembered. */
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
