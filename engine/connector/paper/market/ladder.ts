/**
 * The orders of one symbol that wait for a price.
 *
 * Owns which resting orders a price reaches, and in which order. Does not own the meaning of an order or a fill.
 *
 * Invariants:
 * 1. Each side is sorted by the first price that reaches an order (buys from the highest limit, sells from the lowest),
 *    equal limits by age. A price that reaches no order costs two comparisons, for any number of resting orders.
 * 2. Market orders with lots left to fill precede every limit: any price reaches them.
 */
import { BUY, MARKET } from "../../../../src/domain/order/order.ts";
import type { Hundredths, LivePrice } from "../../../../src/domain/price/price.ts";

/** The fields of an order that the ladder needs. They must not change while the order rests. */
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

/** Whether an order can fill at a live price: exact, so a buy at 20.00 is not reached by 20.001. */
export function isReached(order: Resting, price: LivePrice): boolean {
  if (order.orderType === MARKET) return true;
  return order.buySell === BUY ? price.ceil <= order.limit : price.floor >= order.limit;
}

/** Low ranks are first. */
function rankOf(order: Resting): number {
  if (order.orderType === MARKET) return Number.NEGATIVE_INFINITY;
  return order.buySell === BUY ? -order.limit : order.limit;
}

/** The present or future index of `order` in a sorted side. */
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
