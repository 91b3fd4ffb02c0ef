/**
 * What wakes actors: price levels, deadlines and followed orders of one partition.
 *
 * Owns: who waits for what. Does not own: waking them (the partition), and why they wait (their facts).
 *
 * Invariants:
 * 1. In memory only. It is made again from the actors' facts at every start.
 * 2. A level or deadline that was handed out is no longer held: whoever wakes the actor arms it again where it must.
 */
import type { FollowedOrder, Watch } from "../../src/machine/effect.ts";
import type { Watchbook } from "../ports.ts";
import { DeadlineQueue } from "./deadline-queue.ts";
import { PriceIndex } from "./price-index.ts";
import type { ReachedBuffer } from "./reached-buffer.ts";

export class PartitionWatchbook implements Watchbook {
  readonly prices = new PriceIndex();
  readonly deadlines = new DeadlineQueue();
  readonly #followers = new Map<string, { readonly order: FollowedOrder; readonly owners: Set<number> }>();

  arm(owner: number, watch: Watch): void {
    this.prices.arm(this.prices.symbolNumber(watch.symbol), watch.side, watch.level, owner, watch.watch);
  }

  disarm(owner: number, watch: Watch): boolean {
    return this.prices.disarm(this.prices.symbolNumber(watch.symbol), watch.side, watch.level, owner, watch.watch);
  }

  setDeadline(owner: number, timeMs: number): void {
    this.deadlines.set(timeMs, owner);
  }

  clearDeadline(owner: number, timeMs: number): void {
    this.deadlines.remove(timeMs, owner);
  }

  follow(owner: number, order: FollowedOrder): void {
    const key = followKey(order);
    const followed = this.#followers.get(key);
    if (followed === undefined) this.#followers.set(key, { order, owners: new Set([owner]) });
    else followed.owners.add(owner);
  }

  unfollow(owner: number, order: FollowedOrder): void {
    const key = followKey(order);
    const followed = this.#followers.get(key);
    followed?.owners.delete(owner);
    if (followed?.owners.size === 0) this.#followers.delete(key);
  }

  /** Who follows an order, in a copy: waking one may change the followers. */
  followersOf(order: Omit<FollowedOrder, "userId">): number[] {
    if (this.#followers.size === 0) return [];
    return [...(this.#followers.get(followKey(order))?.owners ?? [])];
  }

  /** Every followed order, one by one: those that come or go meanwhile are counted as they come. */
  *followed(): Generator<FollowedOrder> {
    for (const { order } of this.#followers.values()) yield order;
  }

  /** Takes out all levels that a price reaches; returns how many. */
  collect(symbol: string, floor: number, ceil: number, into: ReachedBuffer): number {
    const number = this.prices.find(symbol);
    if (number === undefined || !this.prices.isReached(number, floor, ceil)) return 0;
    return this.prices.collect(number, floor, ceil, into);
  }
}

function followKey({ brokerageCode, accountNumber, orderNo }: Omit<FollowedOrder, "userId">): string {
  // The length keeps two pairs apart that read the same when joined.
  return `${brokerageCode}/${accountNumber.length}/${accountNumber}/${orderNo}`;
}
