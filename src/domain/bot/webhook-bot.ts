/**
 * The webhook bot: buys and sells on signals from outside (behaviour 9).
 *
 * Owns: valid webhook bots, which details a signal matches, and the effects of a signal, an answer of the brokerage and
 * an update. Does not own: how a signal arrives and how its repetition is recognised (its fingerprint), the orders of a
 * pair (`pair.ts`).
 *
 * Invariants:
 * 1. A detail has at most one open pair; a signal asks for at most one order.
 * 2. The same signal within 60 seconds counts once.
 * 3. Nothing is ordered while the bot is inactive, nor outside the price limits; a price that is not known is inside
 *    only if there are no limits.
 * 4. A sell signal that comes while the buy of its pair is in progress is kept, and acts once the buy has completed.
 *    The sell limits are judged by the price at the signal: an exit that was right then is done at any price. Switching
 *    the bot off forgets it.
 */

import { presentName, type Renaming } from "../market/rename.ts";
import { livePrice } from "../price/price.ts";
import type { TickTable } from "../price/tick-table.ts";
import { accept, type Result } from "../refusal.ts";
import {
  allows,
  type Bot,
  type BotDecision,
  type BotDetail,
  type BotNotice,
  type BotOwner,
  buyLimits,
  canNumberPair,
  mergeDetails,
  newBot,
  numberPair,
  ownersChange,
  replaceDetail,
  replacePair,
  sellLimits,
} from "./bot.ts";
import { askForOrders, type DetailReaction, type OrderRules, stepOrders } from "./bot-orders.ts";
import {
  type BotPlan,
  type DetailRequest,
  type DetailTerms,
  parseLabel,
  parseText,
  planBot,
  planTerms,
  type TableOf,
} from "./bot-plan.ts";
import {
  buyOrder,
  canSell,
  type OrderEvent,
  openPair,
  type PairOrder,
  type PairSubmit,
  sellOrder,
  startSell,
} from "./pair.ts";

/** The longest algorithm name and period, in characters. */
export const ALGO_NAME_LENGTH_MAX = 100;
export const PERIOD_LENGTH_MAX = 20;
/** A signal that comes again within this is ignored (behaviour 9.2). */
export const REPEAT_MS = 60_000;
/** The most signals remembered; well over the number that a bot can receive in a minute (behaviour 7.3). */
export const RECENT_SIGNALS_MAX = 256;

/** One element of `webhookBotDetails` as a client sends it, already of the right shape. */
export interface WebhookDetailRequest extends DetailRequest {
  readonly quantity: number;
  readonly algoName: string;
  readonly period: string;
}

/** A client's request to create or update a webhook bot. */
interface WebhookBotRequest {
  readonly name: string;
  readonly isActive: boolean;
  readonly webhookBotDetails: readonly WebhookDetailRequest[];
}

/** A valid detail. */
interface WebhookTerms extends DetailTerms {
  readonly algoName: string;
  readonly period: string;
}

export type WebhookBotPlan = BotPlan<WebhookTerms>;

/** At most one of `pairs`. */
export interface WebhookDetail extends BotDetail {
  /** When a sell signal came that waits for the buy of the pair; null if no signal waits. */
  readonly deferredSellAtMs: number | null;
  readonly algoName: string;
  readonly period: string;
}

export interface WebhookBot extends Bot<WebhookDetail> {
  /** Names the bot in its webhook address; shown to its owner only. */
  readonly webhookSecret: string;
  /** Signals of the last 60 seconds that matched, oldest first. */
  readonly recentSignals: readonly { readonly fingerprint: string; readonly timeMs: number }[];
}

/** The target of a signal. */
interface SignalTarget {
  readonly algoName: string;
  readonly period: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
}

export interface Signal extends SignalTarget {
  /** The signal's price, else the last live one, in currency units; null if neither is known. */
  readonly price: number | null;
  /** The same for a signal and its repetitions, different for any other. */
  readonly fingerprint: string;
  readonly timeMs: number;
}

/** Checks a request; the combination of symbol, algorithm and period must be unique. Refusals are INVALID. */
export function planWebhookBot(request: WebhookBotRequest, tableOf: TableOf = () => "BIST"): Result<WebhookBotPlan> {
  return planBot(request, request.webhookBotDetails, {
    field: "webhookBotDetails",
    keyFields: "symbol, algoName and period",
    keyOf: keyOfTarget,
    plan: (detail, field) => planWebhookTerms(detail, field, tableOf(detail.symbol), request.isActive),
  });
}

/** The bot of a plan, without pairs. `webhookSecret` is unique in the installation. */
export function createWebhookBot(
  plan: WebhookBotPlan,
  owner: BotOwner & { readonly webhookSecret: string },
  nowMs: number,
): WebhookBot {
  return {
    ...newBot(plan, owner, nowMs),
    webhookSecret: owner.webhookSecret,
    recentSignals: [],
    details: mergeTerms([], plan.details),
  };
}

/** `isRunning`: an active webhook bot always listens. */
export function isWebhookBotRunning(bot: WebhookBot): boolean {
  return bot.isActive;
}

/** How many details a signal matches, as reported to its sender: 0 while the bot is inactive. */
export function matchedCount(bot: WebhookBot, target: SignalTarget): number {
  return matchedDetails(bot, target).length;
}

/** Applies a signal; returns undefined if the bot is inactive or has received it before. */
export function hearSignal(bot: WebhookBot, signal: Signal): BotDecision<WebhookBot> | undefined {
  const matched = matchedDetails(bot, signal);
  if (matched.length === 0 && bot.isActive) return unmatched(bot, signal);
  const recent = bot.recentSignals.filter(({ timeMs }) => signal.timeMs - timeMs < REPEAT_MS);
  if (matched.length === 0 || recent.some(({ fingerprint }) => fingerprint === signal.fingerprint)) return undefined;
  const { fingerprint, timeMs } = signal;
  const recentSignals = [...recent, { fingerprint, timeMs }].slice(-RECENT_SIGNALS_MAX);
  let decision: BotDecision<WebhookBot> = { ...decided(bot), bot: { ...bot, recentSignals } };
  for (const detail of matched) {
    const next = signal.side === "buy" ? buy(decision.bot, detail, signal) : sell(decision.bot, detail, signal);
    decision = {
      bot: next.bot,
      orders: [...decision.orders, ...next.orders],
      notices: [...decision.notices, ...next.notices],
      closed: [],
    };
  }
  return decision;
}

function orderRules(timeMs: number): OrderRules<PairOrder, WebhookDetail, WebhookBot> {
  return {
    timeMs,
    keyOf: keyOfTarget,
    isSellKept: ({ deferredSellAtMs }) => deferredSellAtMs !== null,
    react: (bot, detail, { pair, outcome }) => {
      if (detail.deferredSellAtMs === null || outcome === "changed") return { detail, orders: [] };
      const settled = { ...detail, deferredSellAtMs: null };
      return outcome === "bought" && bot.isActive ? sellNow(settled, pair, timeMs) : { detail: settled, orders: [] };
    },
    hold: (bot, detail, pair, isSellKept) => {
      if (detail.pairs.length > 0) return undefined;
      const held = { ...detail, pairs: [pair] };
      return isSellKept && bot.isActive ? sellNow(held, pair, timeMs) : { detail: held, orders: [] };
    },
  };
}

/** The sell that waited for the buy. */
function sellNow(detail: WebhookDetail, pair: PairOrder, timeMs: number): DetailReaction<WebhookDetail> {
  const selling = startSell(pair, timeMs);
  const pairs = replacePair(detail.pairs, selling);
  return { detail: { ...detail, pairs }, orders: [sellOrder(selling, detail.symbol)] };
}

/** Applies an answer or news of an order, also while the bot is inactive; returns undefined if nothing changes. */
export function settleWebhookOrder(bot: WebhookBot, event: OrderEvent): BotDecision<WebhookBot> | undefined {
  return stepOrders(bot, event, orderRules(event.timeMs));
}

/** Returns the questions about orders that are due by now; undefined if no question is due. */
export function askForWebhookOrders(bot: WebhookBot, timeMs: number): BotDecision<WebhookBot> | undefined {
  return askForOrders(bot, orderRules(timeMs));
}

/** Moves the bot to another address; the former address leads nowhere. */
export function rotateSecret(bot: WebhookBot, webhookSecret: string, timeMs: number): BotDecision<WebhookBot> {
  return decided({ ...bot, webhookSecret, ...ownersChange(bot, timeMs) });
}

/**
 * Applies an owner's update. Open pairs remain. A detail that is taken out still sells its pair at its sell signal: the
 * owner is notified, as nothing shows the detail any more.
 */
export function updateWebhookBot(bot: WebhookBot, plan: WebhookBotPlan, timeMs: number): BotDecision<WebhookBot> {
  const merged = mergeTerms(bot.details, plan.details);
  const details = plan.isActive ? merged : merged.map((detail) => ({ ...detail, deferredSellAtMs: null }));
  const pastOrders = plan.isActive ? bot.pastOrders : bot.pastOrders.map((past) => ({ ...past, isSellKept: false }));
  const updated = {
    ...bot,
    name: plan.name,
    isActive: plan.isActive,
    details,
    pastOrders,
    ...ownersChange(bot, timeMs),
  };
  const known = new Set(bot.details.filter(({ isRemoved }) => isRemoved).map(keyOfTarget));
  const leftOut = details.filter((detail) => detail.isRemoved && !known.has(keyOfTarget(detail)));
  return { ...decided(updated), notices: leftOut.flatMap(leftOutNotices) };
}

function leftOutNotices({ symbol, algoName, period, pairs }: WebhookDetail): BotNotice[] {
  const message = `${algoName} ${period} was left out of the bot; its open pair is still sold at its sell signal`;
  return pairs.map((pair) => ({ type: "pair.leftOut", symbol, pair, message }));
}

/** A bot that is switched off keeps the labels that it was stored with: it receives no signal. */
function planWebhookTerms(
  detail: WebhookDetailRequest,
  field: string,
  table: TickTable,
  isActive: boolean,
): Result<WebhookTerms> {
  const terms = planTerms(detail, field, table);
  if (!terms.ok) return terms;
  const parse = isActive ? parseLabel : parseText;
  const algoName = parse(detail.algoName, `${field}.algoName`, ALGO_NAME_LENGTH_MAX);
  if (!algoName.ok) return algoName;
  const period = parse(detail.period, `${field}.period`, PERIOD_LENGTH_MAX);
  if (!period.ok) return period;
  return accept({ ...terms.value, algoName: algoName.value, period: period.value });
}

function matchedDetails(bot: WebhookBot, target: SignalTarget): WebhookDetail[] {
  if (!bot.isActive) return [];
  const key = keyOfTarget({ ...target, symbol: presentName(bot.renamed, target.symbol) });
  return bot.details.filter((detail) => keyOfTarget(detail) === key && (target.side === "sell" || !detail.isRemoved));
}

function buy(bot: WebhookBot, detail: WebhookDetail, signal: Signal): BotDecision<WebhookBot> {
  if (detail.pairs.length > 0) return ignored(bot, signal, "a pair is open already");
  if (!canNumberPair(bot)) return ignored(bot, signal, "the bot has no pair numbers left");
  if (!allows(buyLimits(detail), knownPrice(signal))) return ignored(bot, signal, outside(signal, "buy"));
  const numbered = numberPair(bot, (pairId) => openPair(pairId, detail.quantity, signal.timeMs));
  const changed = { ...detail, pairs: [numbered.pair] };
  return ordered(numbered.bot, detail, changed, buyOrder(numbered.pair, detail.symbol));
}

function sell(bot: WebhookBot, detail: WebhookDetail, signal: Signal): BotDecision<WebhookBot> {
  const [pair] = detail.pairs;
  if (pair === undefined) return ignored(bot, signal, "no pair is open");
  const isBought = pair.buy.completedAtMs !== null;
  if (detail.deferredSellAtMs !== null) return ignored(bot, signal, "a sell waits for the buy of the pair already");
  if (isBought && !canSell(pair)) return ignored(bot, signal, "the pair is being sold already");
  if (!allows(sellLimits(detail), knownPrice(signal))) return ignored(bot, signal, outside(signal, "sell"));
  if (!isBought) return deferred(bot, detail, pair, signal);
  const selling = startSell(pair, signal.timeMs);
  const changed = { ...detail, pairs: replacePair(detail.pairs, selling) };
  return ordered(bot, detail, changed, sellOrder(selling, detail.symbol));
}

function deferred(bot: WebhookBot, detail: WebhookDetail, pair: PairOrder, signal: Signal): BotDecision<WebhookBot> {
  const changed = { ...detail, deferredSellAtMs: signal.timeMs };
  const message = `sell signal ${signal.algoName} ${signal.period} is kept: it is done once the buy has completed`;
  return {
    ...decided({ ...bot, details: replaceDetail(bot.details, detail, changed) }),
    notices: [{ type: "signal.deferred", symbol: signal.symbol, pair, message }],
  };
}

/** Names how the nearest detail differs from the signal. */
function unmatched(bot: WebhookBot, signal: Signal): BotDecision<WebhookBot> {
  const { side, symbol, algoName, period } = signal;
  const differences = bot.details
    .filter(({ isRemoved }) => side === "sell" || !isRemoved)
    .map((detail) =>
      (["symbol", "algoName", "period"] as const).flatMap((field) =>
        detail[field] === signal[field] ? [] : [`${field} ${signal[field]} is not ${detail[field]}`],
      ),
    );
  const [nearest] = differences.sort((left, right) => left.length - right.length);
  const reason = nearest?.join(", ") ?? "the bot has no details";
  const message = `${side} signal ${algoName} ${period} matches no detail: ${reason}`;
  return { ...decided(bot), notices: [{ type: "signal.unmatched", symbol, message }] };
}

function knownPrice(signal: Signal): ReturnType<typeof livePrice> {
  return signal.price === null ? undefined : livePrice(signal.price);
}

function outside(signal: Signal, side: "buy" | "sell"): string {
  return signal.price === null ? "the price is not known" : `price ${signal.price} is outside the ${side} limits`;
}

function ignored(bot: WebhookBot, signal: Signal, reason: string): BotDecision<WebhookBot> {
  const message = `${signal.side} signal ${signal.algoName} ${signal.period} ignored: ${reason}`;
  return { ...decided(bot), notices: [{ type: "signal.ignored", symbol: signal.symbol, message }] };
}

function ordered(
  bot: WebhookBot,
  detail: WebhookDetail,
  changed: WebhookDetail,
  order: PairSubmit,
): BotDecision<WebhookBot> {
  return { ...decided({ ...bot, details: replaceDetail(bot.details, detail, changed) }), orders: [order] };
}

function mergeTerms(details: readonly WebhookDetail[], plans: readonly WebhookTerms[]): WebhookDetail[] {
  return mergeDetails<WebhookDetail, WebhookTerms>(details, plans, {
    isSame: (detail, terms) => keyOfTarget(detail) === keyOfTarget(terms),
    change: (detail, terms) => ({ ...detail, ...terms, isRemoved: false }),
    add: (terms) => ({ ...terms, isRemoved: false, deferredSellAtMs: null, pairs: [] }),
    remove: (detail) => ({ ...detail, isRemoved: true }),
  });
}

/** The key of a detail after a rename of its symbol. */
export function renamedTarget(key: string, { from, to }: Renaming): string {
  const before = JSON.stringify([from]).slice(0, -1);
  return key.startsWith(`${before},`) ? JSON.stringify([to]).slice(0, -1) + key.slice(before.length) : key;
}

function keyOfTarget({ symbol, algoName, period }: Omit<SignalTarget, "side">): string {
  return JSON.stringify([symbol, algoName, period]);
}

function decided(bot: WebhookBot): BotDecision<WebhookBot> {
  return { bot, orders: [], notices: [], closed: [] };
}
