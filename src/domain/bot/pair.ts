/**
 * A pair order: one buy and the sell of what it bought. Every bot trades in pairs.
 *
 * Owns: how the outcomes of its orders change a pair. Does not own: judging the brokerage's reports
 * (`order/execution.ts`), when to buy or to sell (the bots), the numbers of pairs (`bot.ts`), sending.
 *
 * Invariants:
 * 1. At most one order of a pair has an end that is not known. A sell is sent only for lots that were bought and not
 *    sold yet.
 * 2. Every order has a name of its own: `p<pairId>b` for the buy, `p<pairId>s<attempt>` for each try to sell. Pair ids
 *    are unique in the installation, so the names are.
 * 3. A brokerage's report that is repeated, late, or about an order of another pair changes nothing.
 * 4. Sold lots count once their order has ended, and lots that are filled after that count, too (behaviour 13.7).
 */
import { assert } from "../../assert.ts";
import { type Adjustment, adjustedDown, adjustedQuantity, adjustedValue } from "../market/corporate-action.ts";
import type { Fact } from "../order/evidence.ts";
import {
  beginExecution,
  doubtText,
  type Execution,
  type ExecutionStep,
  isQuiet,
  isUnderWay,
} from "../order/execution.ts";
import { BUY, type BuySell, isUndone, ORDER_REJECTED, SELL } from "../order/order.ts";
import type { OrderNews, OrderPlaced, OrderRefused } from "../order/order-news.ts";
import { averagePriceOf, filledQuantityOf, orderNoOf } from "../order/order-number.ts";
import { type Amount, amountOf, minus, NO_AMOUNT, plus } from "../price/amount.ts";
import { type Hundredths, PRICE_MIN } from "../price/price.ts";
import { QUANTITY_MAX } from "../price/quantity.ts";

/** `buyStatus` and `sellStatus`: no order known at the brokerage yet, sent, completed (behaviour 6.3). */
const NONE_YET = 0;
const SENT = 1;
const DONE = 2;
type LegStatus = typeof NONE_YET | typeof SENT | typeof DONE;

type Ended = Extract<Fact, { type: "ended" }>;

const UNCLEAR = "the brokerage reports the order as ended, without what was filled or its price: it is asked again";

/** One of the two orders of a pair. */
export interface Leg {
  /** Lots ordered, or to be ordered; once completed, lots filled. */
  readonly quantity: number;
  /** When the order was asked for; null before that, and if the pair holds lots that an earlier pair's order bought. */
  readonly sentAtMs: number | null;
  /** Null until the brokerage took the order. */
  readonly orderNo: string | null;
  readonly completedAtMs: number | null;
  /** Average fill price in currency units; null until completed, and if the brokerage gave no price. */
  readonly averagePrice: number | null;
}

export interface PairOrder {
  readonly pairId: number;
  /** The live price that caused the buy, rounded down; absent: of a webhook bot, or stored by an older edition. */
  readonly causePrice?: Hundredths | undefined;
  readonly buy: Leg;
  readonly sell: Leg;
  /** Sells asked for so far. */
  readonly sellAttempts: number;
  /** Lots that ended sells sold. */
  readonly soldQuantity: number;
  /** The part of these lots whose price the brokerage did not report. */
  readonly unpricedQuantity: number;
  /** The proceeds of the other lots. */
  readonly soldAmount: Amount;
  /** Why something did not go as it should; empty if all is well. */
  readonly description: string;
  /** Its orders that the brokerage took and of which more may become known, oldest first. */
  readonly executions: readonly Execution[];
}

/** An event of an actor's orders. */
export type OrderEvent = OrderPlaced | OrderRefused | OrderNews;

/** The meaning of an event for a pair. `bought`: it holds lots to be sold. `buyFailed` and `sold` end it. */
export type PairOutcome = "changed" | "bought" | "buyFailed" | "sellFailed" | "sold";

/** Lots that a buy bought after its pair was over; `price` is the average of the whole order. */
interface LateFill {
  readonly quantity: number;
  readonly price: number | null;
  readonly orderNo: string;
  readonly causePrice?: Hundredths | undefined;
}

export interface PairStep<P extends PairOrder> {
  readonly pair: P;
  readonly outcome: PairOutcome;
  /** What became known of its order. */
  readonly told: ExecutionStep | null;
}

/** A market order of a pair that must leave. */
export interface PairSubmit {
  readonly name: string;
  readonly symbol: string;
  readonly buySell: BuySell;
  readonly quantity: number;
}

/** A new pair whose buy is asked for now. */
export function openPair(pairId: number, quantity: number, timeMs: number, causePrice?: Hundredths): PairOrder {
  const leg: Leg = { quantity, sentAtMs: null, orderNo: null, completedAtMs: null, averagePrice: null };
  return {
    pairId,
    ...(causePrice !== undefined && { causePrice }),
    buy: { ...leg, sentAtMs: timeMs },
    sell: leg,
    sellAttempts: 0,
    soldQuantity: 0,
    unpricedQuantity: 0,
    soldAmount: NO_AMOUNT,
    description: "",
    executions: [],
  };
}

/** A pair that holds what an order of an earlier pair bought after that one was over. */
export function openLatePair(pairId: number, fill: LateFill, timeMs: number): PairOrder {
  const { quantity, price, orderNo, causePrice } = fill;
  const pair = openPair(pairId, quantity, timeMs, causePrice);
  const buy = { ...pair.buy, sentAtMs: null, orderNo, completedAtMs: timeMs, averagePrice: price };
  return { ...pair, buy, description: "the order was filled after its end had been reported" };
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

/** True once the buy is completed and while no sell is in progress or done. */
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

/**
 * Applies the brokerage's answer to an order of a pair; returns undefined if the pair waits for no order of that name.
 */
export function answerPair<P extends PairOrder>(
  pair: P,
  symbol: string,
  event: OrderPlaced | OrderRefused,
): PairStep<P> | undefined {
  const isBuy = awaitsBuyAnswer(pair, event.name);
  if (!isBuy && !awaitsSellAnswer(pair, event.name)) return undefined;
  if (event.type === "orderRefused") return isBuy ? failBuy(pair, event.message) : failSell(pair, event.message);
  const { clientOrderId = null, orderNo, orderStatus, quantity, timeMs } = event;
  const wish = { clientOrderId, symbol, buySell: isBuy ? BUY : SELL, quantity, limitPrice: null } as const;
  const begun = beginExecution({ ...wish, needsPrice: true, createdDate: null }, orderNo, orderStatus, timeMs);
  const leg = isBuy ? { buy: { ...pair.buy, orderNo } } : { sell: { ...pair.sell, orderNo } };
  const placed = { ...pair, ...leg, executions: [...pair.executions, begun.execution] };
  return { pair: placed, outcome: "changed", told: begun.facts.length === 0 ? null : begun };
}

/** Whether an answer to an order of this name may be meant for the pair. */
export function isNamedAfter({ pairId }: PairOrder, name: string): boolean {
  return Number(/^p(\d+)/.exec(name)?.[1]) === pairId;
}

/** Applies news of an order to its pair; returns undefined if nothing changes and nothing is reported. */
export function stepPair<P extends PairOrder>(
  pair: P,
  execution: Execution,
  step: ExecutionStep,
  timeMs: number,
): PairStep<P> | undefined {
  const now = step.execution;
  if (now === execution && step.facts.length === 0) return undefined;
  let known = { pair: counted(pair, execution, now), outcome: "changed" as PairOutcome };
  for (const fact of step.facts) {
    const { pair: next, outcome } = onFact(known.pair, now, fact, timeMs);
    known = { pair: next, outcome: outcome === "changed" ? known.outcome : outcome };
  }
  return { ...known, told: step.facts.length === 0 ? null : step };
}

/**
 * A pair whose lots a corporate action changes; undefined if no lot is left of it. A pair with an order that is not
 * settled does not change (behaviour 28.6).
 */
export function adjustPair<P extends PairOrder>(pair: P, { action, sinceMs }: Adjustment): P | undefined {
  const { buy, sell, soldQuantity, executions, causePrice } = pair;
  const isTrading = buy.completedAtMs === null || sell.sentAtMs !== null || executions.some(isUnderWay);
  const isOnNewBase = sinceMs !== null && (buy.completedAtMs ?? 0) >= sinceMs;
  if (isTrading || isOnNewBase) return pair;
  const left = adjustedQuantity(leftOf(pair), action);
  const quantity = adjustedQuantity(soldQuantity, action) + left;
  if (left < 1 || quantity > QUANTITY_MAX) return undefined;
  const averagePrice = buy.averagePrice === null ? null : adjustedValue(buy.averagePrice, action);
  return {
    ...pair,
    ...(causePrice !== undefined && { causePrice: Math.max(PRICE_MIN, adjustedDown(causePrice, action)) }),
    buy: { ...buy, quantity, averagePrice },
    sell: { ...sell, quantity: left },
    soldQuantity: quantity - left,
    unpricedQuantity: adjustedQuantity(pair.unpricedQuantity, action),
  };
}

/**
 * The profit of a sold pair: the proceeds of its sells less the cost of its buy, exactly. Lots whose price the
 * brokerage did not report are left out. Zero for a buy that failed.
 */
export function pairProfit({ buy, soldAmount, unpricedQuantity }: PairOrder): Amount {
  if (buy.averagePrice === null) return NO_AMOUNT;
  return minus(soldAmount, amountOf(buy.averagePrice, Math.max(0, buy.quantity - unpricedQuantity)));
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

/** The pair with the present state of one of its orders, and with the lots of a sell added to its sum of sold lots. */
function counted<P extends PairOrder>(pair: P, before: Execution, after: Execution): P {
  const executions = pair.executions.flatMap((known) => {
    if (known !== before) return [known];
    return after.phase === "settled" ? [] : [after];
  });
  const listed = { ...pair, executions };
  if (after.buySell === BUY) return { ...listed, buy: numbered(pair.buy, before, after) };
  const [was, is] = [saleOf(before), saleOf(after)];
  return {
    ...listed,
    sell: numbered(pair.sell, before, after),
    soldQuantity: pair.soldQuantity + is.quantity - was.quantity,
    unpricedQuantity: pair.unpricedQuantity + is.unpricedQuantity - was.unpricedQuantity,
    soldAmount: minus(plus(pair.soldAmount, is.amount), was.amount),
  };
}

/** A replaced order has a new number. */
function numbered(leg: Leg, before: Execution, after: Execution): Leg {
  return leg.orderNo === orderNoOf(before) ? { ...leg, orderNo: orderNoOf(after) } : leg;
}

/** The lots that a sell sold, once its end is known. */
function saleOf(execution: Execution) {
  const sale = { quantity: 0, unpricedQuantity: 0, amount: NO_AMOUNT };
  if (!isQuiet(execution)) return sale;
  for (const { filledQuantity, averagePrice } of execution.orders) {
    sale.quantity += filledQuantity;
    if (averagePrice === null) sale.unpricedQuantity += filledQuantity;
    else sale.amount = plus(sale.amount, amountOf(averagePrice, filledQuantity));
  }
  return sale;
}

interface Known<P> {
  readonly pair: P;
  readonly outcome: PairOutcome;
}

function onFact<P extends PairOrder>(pair: P, execution: Execution, fact: Fact, timeMs: number): Known<P> {
  const isBuy = execution.buySell === BUY;
  switch (fact.type) {
    case "ended":
      return isBuy ? endBuy(pair, execution, fact, timeMs) : endSell(pair, execution, fact, timeMs);
    case "filledAfterEnd":
      return isBuy ? hold(pair, execution, timeMs) : countLateSale(pair, execution, timeMs);
    case "inDoubt":
      return { pair: { ...pair, description: doubtText(execution) ?? "" }, outcome: "changed" };
    case "found":
      return { pair: { ...pair, description: "" }, outcome: "changed" };
    case "contradicted":
      return { pair: execution.phase === "unclear" ? { ...pair, description: UNCLEAR } : pair, outcome: "changed" };
    default:
      return { pair, outcome: "changed" };
  }
}

/** Ends a buy, also after a partial fill: its lots are there to be sold. */
function endBuy<P extends PairOrder>(pair: P, execution: Execution, fact: Ended, timeMs: number): Known<P> {
  return fact.filled === 0 ? failBuy(pair, endText(fact)) : hold(pair, execution, timeMs);
}

/** Holds bought lots, late fills included, for a sell. */
function hold<P extends PairOrder>(pair: P, execution: Execution, timeMs: number): Known<P> {
  const quantity = filledQuantityOf(execution);
  const completedAtMs = pair.buy.completedAtMs ?? timeMs;
  const bought = { ...pair, buy: { ...pair.buy, quantity, completedAtMs, averagePrice: averagePriceOf(execution) } };
  const held = isSelling(pair) ? bought : { ...bought, sell: { ...pair.sell, quantity: leftOf(bought) } };
  return { pair: { ...held, description: "" }, outcome: "bought" };
}

function endSell<P extends PairOrder>(pair: P, execution: Execution, fact: Ended, timeMs: number): Known<P> {
  const left = leftOf(pair);
  if (left <= 0) return sold(pair, execution, timeMs);
  const ended = endText(fact);
  const reason = fact.filled === 0 ? ended : `${ended} with ${left} of ${pair.sell.quantity} unsold`;
  const rest = { ...pair, sell: { ...pair.sell, quantity: left } };
  if (fact.rest > 0) return failSell(rest, reason);
  // The order is done, and more was bought while it was under way.
  const sell = { ...rest.sell, sentAtMs: null, orderNo: null };
  return {
    pair: { ...rest, sell, description: `${left} lots that were bought late are to be sold` },
    outcome: "bought",
  };
}

/** Counts lots of a sell that had already ended: the next sell is smaller, or not needed. */
function countLateSale<P extends PairOrder>(pair: P, execution: Execution, timeMs: number): Known<P> {
  if (isSelling(pair)) return { pair, outcome: "changed" };
  const left = leftOf(pair);
  if (left <= 0) return sold(pair, execution, timeMs);
  return { pair: { ...pair, sell: { ...pair.sell, quantity: left } }, outcome: "changed" };
}

/** Counts all sells of the pair: together they sold the lots of the buy. */
function sold<P extends PairOrder>(pair: P, execution: Execution, timeMs: number): Known<P> {
  const { soldQuantity: quantity, unpricedQuantity } = pair;
  const orderNo = orderNoOf(execution);
  const sentAtMs = pair.sell.sentAtMs ?? timeMs;
  const sell = { quantity, sentAtMs, orderNo, completedAtMs: timeMs, averagePrice: averagePriceOf(execution) };
  const description =
    unpricedQuantity === 0
      ? ""
      : `the brokerage reported no price for ${unpricedQuantity} lots: the profit leaves them out`;
  return { pair: { ...pair, sell, description }, outcome: "sold" };
}

function isSelling({ sell }: PairOrder): boolean {
  return sell.sentAtMs !== null;
}

/** Lots bought that ended sells have not sold; negative if they sold more. */
function leftOf({ buy, soldQuantity }: PairOrder): number {
  return buy.quantity - soldQuantity;
}

function failBuy<P extends PairOrder>(pair: P, reason: string): PairStep<P> {
  return { pair: { ...pair, description: `buy failed: ${reason}` }, outcome: "buyFailed", told: null };
}

/** The pair stays open: it may sell again. */
function failSell<P extends PairOrder>(pair: P, reason: string): PairStep<P> {
  const sell = { ...pair.sell, sentAtMs: null, orderNo: null };
  return { pair: { ...pair, sell, description: `sell failed: ${reason}` }, outcome: "sellFailed", told: null };
}

function endText({ orderStatus, message }: Ended): string {
  if (!isUndone({ orderStatus })) return "the order ended";
  const ended = orderStatus === ORDER_REJECTED ? "the brokerage rejected the order" : "the order was cancelled";
  return message ? `${ended}: ${message}` : ended;
}
