/**
 * A pair order: one buy and the sell of what it bought. Every bot trades in pairs.
 *
 * Owns: how the two orders of a pair go on with what the brokerage says. Does not own: when to buy or to sell (the
 * bots), the numbers of pairs (`bot.ts`), sending.
 *
 * Invariants:
 * 1. At most one order of a pair is unsettled, and a sell is sent only for what was bought and not sold yet.
 * 2. Every order has a name of its own: `p<pairId>b` for the buy, `p<pairId>s<attempt>` for each try to sell. Pair ids
 *    are unique in the installation, so the names are.
 * 3. What the brokerage says twice, late, or about an order that is not the pair's changes nothing.
 */
import { assert } from "../../assert.ts";
import {
  BUY,
  type BuySell,
  type Fill,
  fillOf,
  isEnded,
  isUndone,
  ORDER_REJECTED,
  type OrderNotice,
  SELL,
} from "../order/order.ts";
import { type Amount, amountOf, minus, NO_AMOUNT, plus } from "../price/amount.ts";
import { numberText } from "../price/price.ts";

/** `buyStatus` and `sellStatus`: no order known at the brokerage yet, sent, completed (behaviour 6.3). */
const NONE_YET = 0;
const SENT = 1;
const DONE = 2;
type LegStatus = typeof NONE_YET | typeof SENT | typeof DONE;

/** One of the two orders of a pair. */
export interface Leg {
  /** Lots ordered, or to be ordered; once completed, lots filled. */
  readonly quantity: number;
  /** When the order was asked for; null while none is. */
  readonly sentAtMs: number | null;
  /** Null until the brokerage took the order. */
  readonly orderNo: string | null;
  readonly completedAtMs: number | null;
  /** Average fill price in currency units; null until completed. */
  readonly averagePrice: number | null;
}

export interface PairOrder {
  readonly pairId: number;
  readonly buy: Leg;
  readonly sell: Leg;
  /** Sells asked for so far. */
  readonly sellAttempts: number;
  /** Lots that sells sold which ended before they were filled, and what those brought. */
  readonly soldQuantity: number;
  readonly soldAmount: Amount;
  /** Why something did not go as it should; empty when all is well. */
  readonly description: string;
}

/** What happens to the orders of an actor. */
export type OrderEvent =
  | { readonly type: "orderPlaced"; readonly name: string; readonly orderNo: string; readonly timeMs: number }
  | { readonly type: "orderRefused"; readonly name: string; readonly message: string; readonly timeMs: number }
  | { readonly type: "orderUpdated"; readonly record: OrderNotice; readonly timeMs: number };

/** What an event meant for a pair. `buyFailed` and `sold` end it. */
export type PairOutcome = "changed" | "bought" | "buyFailed" | "sellFailed" | "sold";

export interface PairStep<P extends PairOrder> {
  readonly pair: P;
  readonly outcome: PairOutcome;
}

/** A market order of a pair that must leave. */
export interface PairSubmit {
  readonly name: string;
  readonly symbol: string;
  readonly buySell: BuySell;
  readonly quantity: number;
}

/** A new pair whose buy is asked for now. */
export function openPair(pairId: number, quantity: number, timeMs: number): PairOrder {
  const leg: Leg = { quantity, sentAtMs: null, orderNo: null, completedAtMs: null, averagePrice: null };
  return {
    pairId,
    buy: { ...leg, sentAtMs: timeMs },
    sell: leg,
    sellAttempts: 0,
    soldQuantity: 0,
    soldAmount: NO_AMOUNT,
    description: "",
  };
}

/** The order that a new pair asks for. */
export function buyOrder(pair: PairOrder, symbol: string): PairSubmit {
  return { name: buyName(pair), symbol, buySell: BUY, quantity: pair.buy.quantity };
}

/** The order that `startSell` asks for. */
export function sellOrder(pair: PairOrder, symbol: string): PairSubmit {
  return { name: sellName(pair), symbol, buySell: SELL, quantity: pair.sell.quantity };
}

/** The code that clients see for a leg. */
export function legStatus(leg: Leg): LegStatus {
  if (leg.completedAtMs !== null) return DONE;
  return leg.orderNo === null ? NONE_YET : SENT;
}

/** True once the buy is completed and while no sell is on its way or done. */
export function canSell(pair: PairOrder): boolean {
  return pair.buy.completedAtMs !== null && pair.sell.sentAtMs === null;
}

/** The pair with a sell of all it holds asked for now. */
export function startSell<P extends PairOrder>(pair: P, timeMs: number): P {
  assert(canSell(pair), `pair ${pair.pairId} sells once`);
  return {
    ...pair,
    sell: { ...pair.sell, sentAtMs: timeMs },
    sellAttempts: pair.sellAttempts + 1,
    description: "",
  };
}

/** The numbers of the orders whose updates the pair waits for. */
export function followedOrderNos(pair: PairOrder): string[] {
  return [pair.buy, pair.sell].flatMap((leg) =>
    leg.orderNo === null || leg.completedAtMs !== null ? [] : [leg.orderNo],
  );
}

/** The pair that an order event is about; undefined where it is none of `pairs`. */
export function pairOfEvent<P extends PairOrder>(pairs: readonly P[], event: OrderEvent): P | undefined {
  if (event.type === "orderUpdated") {
    return pairs.find((pair) => followedOrderNos(pair).includes(event.record.orderNo));
  }
  const pairId = Number(/^p(\d+)/.exec(event.name)?.[1]);
  return pairs.find((pair) => pair.pairId === pairId);
}

/** What an order event changes in a pair; undefined where it means nothing to it. */
export function stepPair<P extends PairOrder>(pair: P, symbol: string, event: OrderEvent): PairStep<P> | undefined {
  if (event.type === "orderUpdated") return update(pair, symbol, event.record, event.timeMs);
  const isBuy = awaitsBuyAnswer(pair, event.name);
  if (!isBuy && !awaitsSellAnswer(pair, event.name)) return undefined;
  if (event.type === "orderRefused") return isBuy ? failBuy(pair, event.message) : failSell(pair, event.message);
  const { orderNo } = event;
  const placed = isBuy ? { ...pair, buy: { ...pair.buy, orderNo } } : { ...pair, sell: { ...pair.sell, orderNo } };
  return { pair: placed, outcome: "changed" };
}

/** What a sold pair earned: what its sells brought less what its buy cost, exactly. Zero for a buy that failed. */
export function pairProfit(pair: PairOrder): Amount {
  const { buy } = pair;
  if (buy.averagePrice === null) return NO_AMOUNT;
  return minus(pair.soldAmount, amountOf(buy.averagePrice, buy.quantity));
}

/** Whole hours between the completed buy and the completed sell (behaviour 8.2); 0 while one is missing. */
export function hoursHeld(pair: PairOrder): number {
  const { buy, sell } = pair;
  if (buy.completedAtMs === null || sell.completedAtMs === null) return 0;
  return Math.max(0, Math.floor((sell.completedAtMs - buy.completedAtMs) / 3_600_000));
}

function buyName(pair: PairOrder): string {
  return `p${pair.pairId}b`;
}

function sellName(pair: PairOrder): string {
  return `p${pair.pairId}s${pair.sellAttempts}`;
}

function awaitsBuyAnswer(pair: PairOrder, name: string): boolean {
  return pair.buy.orderNo === null && name === buyName(pair);
}

function awaitsSellAnswer(pair: PairOrder, name: string): boolean {
  return pair.sell.sentAtMs !== null && pair.sell.orderNo === null && name === sellName(pair);
}

function update<P extends PairOrder>(
  pair: P,
  symbol: string,
  notice: OrderNotice,
  timeMs: number,
): PairStep<P> | undefined {
  const leg = notice.buySell === BUY ? pair.buy : pair.sell;
  const isOurs = leg.orderNo === notice.orderNo && leg.completedAtMs === null && notice.symbol === symbol;
  if (!isOurs || !isEnded(notice) || !isNamedAs(pair, notice)) return undefined;
  const fill = fillOf(notice, leg.quantity);
  if (fill === undefined) return awaitBetterRecord(pair, notice);
  if (notice.buySell === BUY) return fill === null ? failBuy(pair, endOf(notice)) : buyCompleted(pair, fill, timeMs);
  if (fill === null) return failSell(pair, endOf(notice));
  return fill.quantity < leg.quantity ? soldInPart(pair, fill, notice) : sellCompleted(pair, fill, timeMs);
}

/** A brokerage that mixes its orders up may tell of another one under this one's number. */
function isNamedAs(pair: PairOrder, { clientOrderId, buySell }: OrderNotice): boolean {
  // The life's name stands before it, and the row may add to it.
  return !clientOrderId || `${clientOrderId}-`.includes(`-${buySell === BUY ? buyName(pair) : sellName(pair)}-`);
}

/** A guessed fill would put levels and profit wrong: the pair waits, and says for what. */
function awaitBetterRecord<P extends PairOrder>(pair: P, notice: OrderNotice): PairStep<P> | undefined {
  const given = `quantity ${numberText(notice.filledQuantity)} at price ${numberText(notice.averagePrice)}`;
  const description = `the brokerage reports the order as ended with a filled ${given}`;
  return pair.description === description ? undefined : { pair: { ...pair, description }, outcome: "changed" };
}

/** Also for a buy that ended filled in part: what it bought is there to be sold. */
function buyCompleted<P extends PairOrder>(pair: P, fill: Fill, timeMs: number): PairStep<P> {
  const { quantity, price } = fill;
  const buy = { ...pair.buy, quantity, completedAtMs: timeMs, averagePrice: price };
  return { pair: { ...pair, buy, sell: { ...pair.sell, quantity }, description: "" }, outcome: "bought" };
}

function sellCompleted<P extends PairOrder>(pair: P, fill: Fill, timeMs: number): PairStep<P> {
  const { quantity, price } = fill;
  const sold = { ...bookSale(pair, fill), description: "" };
  const sell = { ...pair.sell, completedAtMs: timeMs, averagePrice: price };
  // Earlier sells of a part count as well: together they sold what the buy bought.
  return { pair: { ...sold, sell: { ...sell, quantity: pair.soldQuantity + quantity } }, outcome: "sold" };
}

function soldInPart<P extends PairOrder>(pair: P, fill: Fill, notice: OrderNotice): PairStep<P> {
  const left = pair.sell.quantity - fill.quantity;
  return failSell(
    { ...bookSale(pair, fill), sell: { ...pair.sell, quantity: left } },
    `${endOf(notice)} with ${left} of ${pair.sell.quantity} unsold`,
  );
}

function bookSale<P extends PairOrder>(pair: P, { quantity, price }: Fill): P {
  const soldAmount = plus(pair.soldAmount, amountOf(price, quantity));
  return { ...pair, soldQuantity: pair.soldQuantity + quantity, soldAmount };
}

function failBuy<P extends PairOrder>(pair: P, reason: string): PairStep<P> {
  return { pair: { ...pair, description: `buy failed: ${reason}` }, outcome: "buyFailed" };
}

/** The pair stays open: it may sell again. */
function failSell<P extends PairOrder>(pair: P, reason: string): PairStep<P> {
  const sell = { ...pair.sell, sentAtMs: null, orderNo: null };
  return { pair: { ...pair, sell, description: `sell failed: ${reason}` }, outcome: "sellFailed" };
}

function endOf(notice: OrderNotice): string {
  if (!isUndone(notice)) return "the order ended";
  const ended = notice.orderStatus === ORDER_REJECTED ? "the brokerage rejected the order" : "the order was cancelled";
  return notice.message ? `${ended}: ${notice.message}` : ended;
}
