/**
 * The orders that can still change, indexed by every search key.
 *
 * Owns the search of waiting or open orders: by number, account, symbol and reference. Does not own changes to them. An
 * order is removed before its status changes, and added again under the new one.
 */
import { ORDER_OPEN, ORDER_WAITING } from "../../../../src/domain/order/order.ts";
import type { LivePrice } from "../../../../src/domain/price/price.ts";
import { Ladder } from "./ladder.ts";
import type { PaperOrder } from "./order.ts";

export class LiveOrders {
  readonly #byNumber = new Map<string, PaperOrder>();
  readonly #byAccount = new Map<string, Set<PaperOrder>>();
  /** Open orders by symbol. */
  readonly #ladders = new Map<string, Ladder<PaperOrder>>();
  /** Waiting orders by the number of the order that they wait for, oldest first. */
  readonly #waiting = new Map<string, PaperOrder[]>();

  get size(): number {
    return this.#byNumber.size;
  }

  find(orderNo: string): PaperOrder | undefined {
    return this.#byNumber.get(orderNo);
  }

  /** The account's orders, oldest first. */
  ofAccount(accountNumber: string): PaperOrder[] {
    return [...(this.#byAccount.get(accountNumber) ?? [])].sort((one, other) => one.sequence - other.sequence);
  }

  /** The waiting and open orders of a symbol, oldest first. */
  ofSymbol(symbol: string): PaperOrder[] {
    const orders = [...this.#byNumber.values()].filter((order) => order.symbol === symbol);
    return orders.sort((one, other) => one.sequence - other.sequence);
  }

  /** Whether a price of `symbol` reaches any open order. One look-up if no order of the symbol is open. */
  isReached(symbol: string, price: LivePrice): boolean {
    return this.#ladders.get(symbol)?.reaches(price) ?? false;
  }

  /** The open orders of `symbol` that a price reaches, in the order in which they fill. A copy. */
  reachedBy(symbol: string, price: LivePrice): PaperOrder[] {
    return this.#ladders.get(symbol)?.reachedBy(price) ?? [];
  }

  /** The orders that wait for this one, oldest first. A copy. */
  waitingFor(orderNo: string): PaperOrder[] {
    return [...(this.#waiting.get(orderNo) ?? [])];
  }

  add(order: PaperOrder): void {
    this.#byNumber.set(order.orderNo, order);
    listOf(this.#byAccount, order.accountNumber, () => new Set<PaperOrder>()).add(order);
    if (order.status === ORDER_OPEN) listOf(this.#ladders, order.symbol, () => new Ladder<PaperOrder>()).add(order);
    else listOf<PaperOrder[]>(this.#waiting, order.referenceOrderNo ?? "", () => []).push(order);
  }

  remove(order: PaperOrder): void {
    this.#byNumber.delete(order.orderNo);
    const ofAccount = this.#byAccount.get(order.accountNumber);
    ofAccount?.delete(order);
    if (ofAccount?.size === 0) this.#byAccount.delete(order.accountNumber);
    if (order.status === ORDER_WAITING) this.#removeWaiting(order);
    else this.#removeOpen(order);
  }

  #removeWaiting(order: PaperOrder): void {
    const referenceOrderNo = order.referenceOrderNo ?? "";
    const others = this.waitingFor(referenceOrderNo).filter((other) => other !== order);
    if (others.length > 0) this.#waiting.set(referenceOrderNo, others);
    else this.#waiting.delete(referenceOrderNo);
  }

  #removeOpen(order: PaperOrder): void {
    const ladder = this.#ladders.get(order.symbol);
    ladder?.remove(order);
    if (ladder?.isEmpty) this.#ladders.delete(order.symbol);
  }
}

function listOf<List>(lists: Map<string, List>, key: string, make: () => List): List {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = make();
  lists.set(key, made);
  return made;
}
