/**
 * The common part of level bots and webhook bots: an owner, a switch, details by symbol, and pairs of orders.
 *
 * Owns: the numbering of pairs, the effect of an update on details that have open pairs. Does not own: the way of news
 * to its pair (`bot-orders.ts`), when to buy or sell (`level-bot.ts`, `webhook-bot.ts`), the orders of one pair
 * (`pair.ts`), valid requests (`bot-plan.ts`).
 *
 * Invariants:
 * 1. Pair ids are unique in the installation: bot id x 1,000,000 + a number that only grows.
 * 2. A pair remains with its detail until it is sold or its buy failed, also if the owner changes the bot.
 * 3. A detail that was taken out of the bot buys no more and leaves with its last pair.
 */
import { assert } from "../../assert.ts";
import type { Renamed } from "../market/rename.ts";
import { type Execution, type ExecutionStep, isUnderWay } from "../order/execution.ts";
import type { Amount } from "../price/amount.ts";
import type { Hundredths, LivePrice } from "../price/price.ts";
import { type PriceRange, placeOf } from "../price/price-range.ts";
import type { PairOrder, PairSubmit } from "./pair.ts";

/** A bot numbers at most this many pairs, and then buys no more. */
export const PAIR_NUMBER_MAX = 999_999;

/** Limits to the live price at which a bot orders; both ends may be traded at, null = no limit. */
export interface PriceLimits {
  readonly minBuyPrice: Hundredths | null;
  readonly maxBuyPrice: Hundredths | null;
  readonly minSellPrice: Hundredths | null;
  readonly maxSellPrice: Hundredths | null;
}

export interface BotDetail<P extends PairOrder = PairOrder> {
  readonly symbol: string;
  /** Lots that one buy buys. */
  readonly quantity: number;
  readonly limits: PriceLimits;
  /** True once the owner took the detail out while it had open pairs: they are still sold. */
  readonly isRemoved: boolean;
  readonly pairs: readonly P[];
}

/** Whose bot it is. */
export interface BotOwner {
  readonly botId: number;
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** An order of a pair that is over. Its brokerage is asked for it until nothing more can change about it. */
export interface PastOrder {
  /** The detail that the pair was of, by its key. */
  readonly detailKey: string;
  /** The price that caused its pair's buy. */
  readonly causePrice?: Hundredths | undefined;
  readonly execution: Execution;
  /** True if a sell signal waited for it: lots that it still buys are sold immediately. */
  readonly isSellKept: boolean;
}

export interface Bot<D extends BotDetail = BotDetail> extends BotOwner, Renamed {
  readonly version: 2;
  readonly name: string;
  /** The owner's switch: while it is off, nothing is ordered. */
  readonly isActive: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
  /** How often its owner has changed it; absent: never since versions are counted (behaviour 8.5). */
  readonly changes?: number;
  /** Null until its owner deletes it: from then on it does nothing any more. */
  readonly deletedAtMs: number | null;
  readonly lastPairNumber: number;
  readonly details: readonly D[];
  readonly pastOrders: readonly PastOrder[];
  /** The ids of corporate actions that have counted (behaviour 28.6). */
  readonly countedActions?: readonly string[];
}

/** The first state of every bot: without pairs, its details apart. */
export function newBot(
  { name, isActive }: Pick<Bot, "name" | "isActive">,
  { botId, userId, brokerageCode, accountNumber }: BotOwner,
  nowMs: number,
): Omit<Bot, "details"> {
  return {
    version: 2,
    botId,
    userId,
    brokerageCode,
    accountNumber,
    name,
    isActive,
    createdAtMs: nowMs,
    updatedAtMs: null,
    deletedAtMs: null,
    lastPairNumber: 0,
    pastOrders: [],
  };
}

type BotNoticeType =
  | "bot.updated"
  | "pair.bought"
  | "pair.buyFailed"
  | "pair.sellFailed"
  | "pair.sold"
  | "pair.leftOut"
  | "signal.deferred"
  | "signal.ignored"
  | "signal.unmatched";

/** An event that the owner receives. */
export interface BotNotice {
  readonly type: BotNoticeType;
  readonly symbol: string;
  /** The pair after the event: a pair that ended is no longer in the bot. */
  readonly pair?: PairOrder;
  readonly message?: string;
}

/** A pair that ended: it was sold, or its buy failed (then nothing was traded and the profit is zero). */
export interface ClosedPair {
  readonly symbol: string;
  readonly pair: PairOrder;
  readonly hourCount: number;
  readonly profit: Amount;
}

export interface BotDecision<B> {
  readonly bot: B;
  readonly orders: readonly PairSubmit[];
  readonly notices: readonly BotNotice[];
  readonly closed: readonly ClosedPair[];
  /** What became known of orders. */
  readonly told?: readonly ExecutionStep[];
}

/** A pair that is not closed, with the detail it belongs to. */
interface OpenPair<D extends BotDetail> {
  readonly detail: D;
  readonly pair: D["pairs"][number];
}

/** All pairs that are neither sold nor failed, by detail, in the order in which they were opened. */
export function openPairs<D extends BotDetail>(bot: Bot<D>): OpenPair<D>[] {
  return bot.details.flatMap((detail) => detail.pairs.map((pair) => ({ detail, pair })));
}

/** The fields that each change by the owner sets: one more change, now. */
export function ownersChange({ changes = 0 }: Pick<Bot, "changes">, timeMs: number) {
  return { changes: changes + 1, updatedAtMs: timeMs };
}

/** Whether a bot holds nothing and waits for nothing, so that its owner can delete it (behaviour 9.3). */
export function canDelete(bot: Bot): boolean {
  return bot.deletedAtMs === null && openPairs(bot).length === 0;
}

/** Deletes the bot: orders of pairs that are over are followed no more. Returns undefined if it has open pairs. */
export function deleteBot<B extends Bot>(bot: B, timeMs: number): BotDecision<B> | undefined {
  if (!canDelete(bot)) return undefined;
  const deleted = { ...bot, isActive: false, deletedAtMs: timeMs, pastOrders: [] };
  return { bot: deleted, orders: [], notices: [], closed: [] };
}

/** Every order of the bot of which more may become known, active or not. */
export function executionsOf(bot: Bot): Execution[] {
  const ofPairs = openPairs(bot).flatMap(({ pair }) => pair.executions);
  return [...ofPairs, ...bot.pastOrders.map(({ execution }) => execution)];
}

/** Whether the end of an order of the bot is not known yet. */
export function awaitsOrders(bot: Bot): boolean {
  return executionsOf(bot).some(isUnderWay);
}

/** Whether the bot has numbers left for new pairs. */
export function canNumberPair(bot: Bot): boolean {
  return bot.lastPairNumber < PAIR_NUMBER_MAX;
}

/** The pair that `open` makes under the bot's next number, and the bot that has given the number out. */
export function numberPair<B extends Bot>(
  bot: B,
  open: (pairId: number) => PairOrder,
): { readonly bot: B; readonly pair: PairOrder } {
  assert(canNumberPair(bot), `bot ${bot.botId} has numbers left`);
  const lastPairNumber = bot.lastPairNumber + 1;
  const pairId = bot.botId * (PAIR_NUMBER_MAX + 1) + lastPairNumber;
  assert(Number.isSafeInteger(pairId), `pair ${lastPairNumber} of bot ${bot.botId} has an exact id`);
  return { bot: { ...bot, lastPairNumber }, pair: open(pairId) };
}

/** The range of live prices at which a detail may buy. */
export function buyLimits({ limits }: Pick<BotDetail, "limits">): PriceRange {
  return { low: limits.minBuyPrice, high: limits.maxBuyPrice };
}

/** The range of live prices at which a detail may sell. */
export function sellLimits({ limits }: Pick<BotDetail, "limits">): PriceRange {
  return { low: limits.minSellPrice, high: limits.maxSellPrice };
}

/** Whether a price, undefined if it is not known, lies in a range. Without a limit, any price does. */
export function allows(range: PriceRange, price: LivePrice | undefined): boolean {
  if (price === undefined) return range.low === null && range.high === null;
  return placeOf(price, range) === "inside";
}

/** The details with one of them changed; a detail that was taken out leaves with its last pair. */
export function replaceDetail<D extends BotDetail>(details: readonly D[], old: D, changed: D): D[] {
  if (changed.isRemoved && changed.pairs.length === 0) return details.filter((detail) => detail !== old);
  return details.map((detail) => (detail === old ? changed : detail));
}

/** The pairs with one of them changed. */
export function replacePair<P extends PairOrder>(pairs: readonly P[], changed: P): P[] {
  return pairs.map((pair) => (pair.pairId === changed.pairId ? changed : pair));
}

/**
 * Merges the details after an update. A detail that remains keeps its pairs and its state. A removed detail is marked,
 * and remains while it has open pairs.
 */
export function mergeDetails<D extends BotDetail, T>(
  details: readonly D[],
  plans: readonly T[],
  steps: {
    readonly isSame: (detail: D, plan: T) => boolean;
    readonly change: (detail: D, plan: T) => D;
    readonly add: (plan: T) => D;
    readonly remove: (detail: D) => D;
  },
): D[] {
  const planned = plans.map((plan) => {
    const known = details.find((detail) => steps.isSame(detail, plan));
    return known === undefined ? steps.add(plan) : steps.change(known, plan);
  });
  const gone = details.filter((detail) => !plans.some((plan) => steps.isSame(detail, plan)));
  return [...planned, ...gone.filter((detail) => detail.pairs.length > 0).map(steps.remove)];
}
