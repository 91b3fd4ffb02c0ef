/**
 * What wakes actors: price levels, deadlines and followed orders of one partition.
 *
 * Owns: who waits for what. Does not own: waking them (the partition), and why they wait (their facts).
 *
 * Invariants:
 * 1. In memory only. It is made again from the actors' facts at every start.
 * 2. A level or deadline that was handed out is no longer held: the caller that wakes the actor arms it again if
 *    needed.
 * 3. Rounds of asking walk the orders that need an answer: settled orders, which are kept for a day, cost nothing.
 */
import { assert } from "../../src/assert.ts";
import type { FollowedOrder, Watch } from "../../src/machine/effect.ts";
import type { Watchbook } from "../ports/actor.ts";
import { DeadlineQueue } from "./deadline-queue.ts";
import { PriceIndex } from "./price-index.ts";
import { numberOf } from "./raise-number.ts";
import type { ReachedBuffer } from "./reached-buffer.ts";

/** An order of one number and account, as each of its followers has it: one may ask for it, another need nothing more. */
interface Followed {
  readonly accountNumber: string;
  /** Mostly one. */
  readonly followers: Follower[];
}

interface Follower {
  readonly owner: number;
  order: FollowedOrder;
}

/** The orders of a brokerage that need its answer. */
interface Asking {
  /** A follower does not know the end yet. */
  readonly open: Set<Followed>;
  /** The end is known to all followers, and not settled for one of them. */
  readonly ended: Set<Followed>;
}

/** The fields of a record that identify its order. */
type OrderAddress = Pick<FollowedOrder, "brokerageCode" | "accountNumber" | "orderNo" | "clientOrderId"> & {
  readonly replaces?: string | null | undefined;
};

export class PartitionWatchbook implements Watchbook {
  /** Levels that are reached once. */
  readonly prices = new PriceIndex();
  /** Levels of actors that count every tick, under the numbers of `raise-number.ts`. */
  readonly everyTick = new PriceIndex("uint32");
  readonly deadlines = new DeadlineQueue();
  /** By brokerage and order number: the followed orders of that number, mostly one, each with its followers. */
  readonly #followers = new Map<string, Map<string, Followed[]>>();
  /** By brokerage; kept by `#index`. */
  readonly #asking = new Map<string, Asking>();
  /** By name: followers of the order, under any number that it has by now. Names are unique in the installation. */
  readonly #named = new Map<string, number[]>();

  arm(owner: number, watch: Watch): void {
    const index = this.#indexOf(watch);
    index.arm(index.symbolNumber(watch.symbol), watch.side, watch.level, owner, numberOf(watch));
  }

  disarm(owner: number, watch: Watch): boolean {
    const index = this.#indexOf(watch);
    return index.disarm(index.symbolNumber(watch.symbol), watch.side, watch.level, owner, numberOf(watch));
  }

  setDeadline(owner: number, timeMs: number): void {
    this.deadlines.set(timeMs, owner);
  }

  clearDeadline(owner: number, timeMs: number): void {
    this.deadlines.remove(timeMs, owner);
  }

  follow(owner: number, order: FollowedOrder): void {
    const { brokerageCode, orderNo } = order;
    const ofBrokerage = this.#followers.get(brokerageCode) ?? new Map<string, Followed[]>();
    this.#followers.set(brokerageCode, ofBrokerage);
    const numbered = ofBrokerage.get(orderNo) ?? [];
    ofBrokerage.set(orderNo, numbered);
    let followed = inAccount(numbered, order);
    if (followed === undefined) {
      followed = { accountNumber: order.accountNumber, followers: [] };
      numbered.push(followed);
    }
    const known = followerOf(followed, owner);
    if (known === undefined) followed.followers.push({ owner, order });
    // A brokerage may use a number again for the same owner: the order that needs an answer is asked for.
    else if (isSameOrder(known.order, order) || order.isQuiet !== true) known.order = order;
    this.#index(brokerageCode, followed);
    if (!order.clientOrderId) return;
    const named = this.#named.get(order.clientOrderId);
    if (named === undefined) this.#named.set(order.clientOrderId, [owner]);
    else if (!named.includes(owner)) named.push(owner);
  }

  unfollow(owner: number, order: FollowedOrder): void {
    const { brokerageCode, orderNo, clientOrderId } = order;
    if (clientOrderId) this.#forgetName(clientOrderId, owner);
    const ofBrokerage = this.#followers.get(brokerageCode);
    const numbered = ofBrokerage?.get(orderNo);
    const followed = inAccount(numbered, order);
    if (ofBrokerage === undefined || numbered === undefined || followed === undefined) return;
    const known = followerOf(followed, owner);
    if (known === undefined || !isSameOrder(known.order, order)) return;
    followed.followers.splice(followed.followers.indexOf(known), 1);
    this.#index(brokerageCode, followed);
    if (followed.followers.length > 0) return;
    numbered.splice(numbered.indexOf(followed), 1);
    if (numbered.length === 0) ofBrokerage.delete(orderNo);
  }

  #forgetName(name: string, owner: number): void {
    const named = this.#named.get(name);
    const at = named?.indexOf(owner) ?? -1;
    if (named === undefined || at < 0) return;
    named.splice(at, 1);
    if (named.length === 0) this.#named.delete(name);
  }

  /** The followers of an order by its number, its name or the number that it replaced, in a copy. */
  followersOf(order: OrderAddress): number[] {
    const ofBrokerage = this.#followers.get(order.brokerageCode);
    const numbered = inAccount(ofBrokerage?.get(order.orderNo), order)?.followers;
    const replaced = order.replaces ? inAccount(ofBrokerage?.get(order.replaces), order)?.followers : undefined;
    const named = order.clientOrderId ? this.#named.get(order.clientOrderId) : undefined;
    const [only] = numbered ?? [];
    if (only !== undefined && numbered?.length === 1 && replaced === undefined) {
      // Of nearly every order: one actor follows it, under its number and its name.
      if (named?.length === 1 && named[0] === only.owner) return [only.owner];
    }
    const owners = [...(numbered ?? []), ...(replaced ?? [])].map(({ owner }) => owner);
    return [...new Set([...owners, ...(named ?? [])])];
  }

  /** The followed orders of a number at a brokerage, of any account, in a copy. */
  numbered(brokerageCode: string, orderNo: string): FollowedOrder[] {
    return (this.#followers.get(brokerageCode)?.get(orderNo) ?? []).map(mostAsking);
  }

  #index(brokerageCode: string, followed: Followed): void {
    const asking = this.#asking.get(brokerageCode) ?? { open: new Set(), ended: new Set() };
    this.#asking.set(brokerageCode, asking);
    const isFollowed = followed.followers.length > 0;
    const isOpen = isFollowed && mostAsking(followed).isQuiet !== true;
    const isEnded = isFollowed && !isOpen && mostAsking(followed).isSettled !== true;
    if (isOpen) asking.open.add(followed);
    else asking.open.delete(followed);
    if (isEnded) asking.ended.add(followed);
    else asking.ended.delete(followed);
  }

  /**
   * Yields the orders of a brokerage that need its answer, one by one, with orders that are added during the walk and
   * without orders that are removed. `withEnded`: also orders whose end is known and not settled (behaviour 13.5).
   */
  *asking(brokerageCode: string, withEnded: boolean): Generator<FollowedOrder> {
    const asking = this.#asking.get(brokerageCode);
    if (asking === undefined) return;
    for (const one of asking.open) yield mostAsking(one);
    for (const one of withEnded ? asking.ended : []) yield mostAsking(one);
  }

  /** Every followed order of a brokerage, settled ones too: a walk over all of them. */
  *followed(brokerageCode: string): Generator<FollowedOrder> {
    for (const numbered of this.#followers.get(brokerageCode)?.values() ?? []) {
      for (const one of [...numbered]) if (one.followers.length > 0) yield mostAsking(one);
    }
  }

  /** The actors that follow orders of a user's account, each once, by id. */
  ownersIn(place: Pick<FollowedOrder, "userId" | "brokerageCode" | "accountNumber">): number[] {
    const ofBrokerage = this.#followers.get(place.brokerageCode);
    const isOfAccount = ({ userId, accountNumber }: FollowedOrder): boolean =>
      userId === place.userId && accountNumber === place.accountNumber;
    return ownersOf(ofBrokerage === undefined ? [] : [ofBrokerage], isOfAccount);
  }

  /** The actors that follow an order in doubt, each once, by id. */
  ownersInDoubt(): number[] {
    return ownersOf(this.#followers.values(), ({ isInDoubt }) => isInDoubt === true);
  }

  /** Levels armed. */
  get armedCount(): number {
    return this.prices.size + this.everyTick.size;
  }

  /** Takes out all levels that a price reaches and that are reached once; returns how many. */
  collect(symbol: string, floor: number, ceil: number, into: ReachedBuffer): number {
    const number = this.prices.find(symbol);
    return number === undefined ? 0 : collectFrom(this.prices, number, floor, ceil, into);
  }

  /** As `collect`, for the levels of actors that count every tick, by the number of the symbol among theirs. */
  collectEveryTick(symbolNumber: number, floor: number, ceil: number, into: ReachedBuffer): number {
    return collectFrom(this.everyTick, symbolNumber, floor, ceil, into);
  }

  /** The number of a symbol of which such a level was armed since the start. */
  everyTickNumber(symbol: string): number | undefined {
    return this.everyTick.find(symbol);
  }

  /** Whether such a level of the symbol was armed since the start. */
  countsEveryTick(symbol: string): boolean {
    return this.everyTickNumber(symbol) !== undefined;
  }

  symbolsOfEveryTick(): Iterable<string> {
    return this.everyTick.symbols();
  }

  #indexOf({ countsEveryTick }: Watch): PriceIndex {
    return countsEveryTick === true ? this.everyTick : this.prices;
  }
}

function collectFrom(index: PriceIndex, number: number, floor: number, ceil: number, into: ReachedBuffer): number {
  return index.isReached(number, floor, ceil) ? index.collect(number, floor, ceil, into) : 0;
}

function inAccount(
  numbered: readonly Followed[] | undefined,
  { accountNumber }: Pick<FollowedOrder, "accountNumber">,
): Followed | undefined {
  for (const followed of numbered ?? NONE) if (followed.accountNumber === accountNumber) return followed;
  return undefined;
}

const NONE: readonly Followed[] = [];

function followerOf({ followers }: Followed, owner: number): Follower | undefined {
  for (const follower of followers) if (follower.owner === owner) return follower;
  return undefined;
}

/** Whether two orders of one owner and number are one: names decide. */
function isSameOrder({ clientOrderId: name }: FollowedOrder, { clientOrderId: other }: FollowedOrder): boolean {
  return (name ?? null) === (other ?? null);
}

/** The order as the follower has it that needs an answer most; there is a follower. */
function mostAsking({ followers }: Followed): FollowedOrder {
  const [first] = followers;
  assert(first !== undefined, "a followed order has a follower");
  if (followers.length === 1) return first.order;
  const orders = followers.map(({ order }) => order);
  const asking = orders.find(({ isQuiet }) => isQuiet !== true) ?? orders.find(({ isSettled }) => isSettled !== true);
  return asking ?? first.order;
}

/** The followers of orders that `isMeant` accepts, each once, by id. */
function ownersOf(
  ofBrokerages: Iterable<ReadonlyMap<string, readonly Followed[]>>,
  isMeant: (order: FollowedOrder) => boolean,
): number[] {
  const found = new Set<number>();
  for (const ofBrokerage of ofBrokerages) {
    for (const numbered of ofBrokerage.values()) {
      for (const { followers } of numbered) {
        for (const { owner, order } of followers) if (isMeant(order)) found.add(owner);
      }
    }
  }
  return [...found].sort((left, right) => left - right);
}
