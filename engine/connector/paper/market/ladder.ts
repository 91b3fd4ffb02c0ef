/**
 * The orders of one symbol that wait for a price.
 *
 * Owns which resting orders a price reaches, and in which order. Does not own what an order is or what a fill does.
 *
 * Invariants:
 * 1. Each side is sorted: first whom a price reaches first (buys from the highest limit, sells from the lowest), equal
 *    limits by age. A price that reaches nobody costs two comparisons, however many orders rest.
 * 2. Market orders with lots left to fill stand before every limit: any price reaches them.
 */
import { BUY, MARKET } from "../../../../src/domain/order/order.ts";
import type { Hundredths, LivePrice } from "../../../../src/domain/price/price.ts";

/** What the ladder must know of an order. It must not change while the order rests. */
export interface Resting {
  readonly sequence: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly limit: Hundredths;
}

/** One symbol's resting orders. */
export class Ladder<Order extends Resting> {
  readonly #buys: Order[] = [];
  readonly #sells: Order[] = [];

  get isEmpty(): boolean {
    return this.#buys.length === 0 && this.#sells.length === 0;
  }

  add(order: Order): void {
    const side = this.#sideOf(order);
    side.splice(positionOf(side, order), 0, order);
  }

  remove(order: Order): void {
    const side = this.#sideOf(order);
    const position = positionOf(side, order);
    if (side[position] === order) side.splice(position, 1);
  }

  /** Whether `price` reaches any order. */
  reaches(price: LivePrice): boolean {
    const [buy] = this.#buys;
    const [sell] = this.#sells;
    return (buy !== undefined && isReached(buy, price)) || (sell !== undefined && isReached(sell, price));
  }

  /** The orders that `price` reaches: buys before sells, each side in its order. A copy, safe to fill from. */
  reachedBy(price: LivePrice): Order[] {
    const reached: Order[] = [];
    for (const order of this.#buys) {
      if (!isReached(order, price)) break;
      reached.push(order);
    }
    for (const order of this.#sells) {
      if (!isReached(order, price)) break;
      reached.push(order);
    }
    return reached;
  }

  #sideOf(order: Order): Order[] {
    return order.buySell === BUY ? this.#buys : this.#sells;
  }
}

/** Whether an order may fill at a live price: exact, so a buy at 20.00 is not reached by 20.001. */
export function isReached(order: Resting, price: LivePrice): boolean {
  if (order.orderType === MARKET) return true;
  return order.buySell === BUY ? price.ceil <= order.limit : price.floor >= order.limit;
}

/** Low ranks come first. */
function rankOf(order: Resting): number {
  if (order.orderType === MARKET) return Number.NEGATIVE_INFINITY;
  return order.buySell === BUY ? -order.limit : order.limit;
}

/** Where `order` stands, or would stand, in a sorted side. */
function positionOf(side: readonly Resting[], order: Resting): number {
  const rank = rankOf(order);
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = side[middle];
    if (other === undefined) break;
    const otherRank = rankOf(other);
    if (otherRank < rank || (otherRank === rank && other.sequence < order.sequence)) low = middle + 1;
    else high = middle;
  }
  return low;
}
