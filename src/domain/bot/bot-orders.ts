/**
 * The orders of a bot: finds the pair of an order, changes the bot, and reports what became known.
 *
 * Owns: the way of an answer, of news and of a wait's end to the pair; orders of pairs that are over. Does not own: the
 * effect on the pair (`pair.ts`), the reaction of a kind of bot (`OrderRules`).
 *
 * Invariants:
 * 1. A pair that is over leaves its detail and becomes a row of history, once.
 * 2. Its orders are followed until nothing more can change about them. Lots that one of them buys later are held by a
 *    new pair (behaviour 13.7).
 */
import type { Fact } from "../order/evidence.ts";
import { apply, type Execution, type ExecutionStep } from "../order/execution.ts";
import { BUY } from "../order/order.ts";
import { executionMeant, hear } from "../order/order-news.ts";
import { orderNoOf } from "../order/order-number.ts";
import {
  type Bot,
  type BotDecision,
  type BotDetail,
  type BotNotice,
  type ClosedPair,
  canNumberPair,
  executionsOf,
  numberPair,
  type PastOrder,
  replaceDetail,
  replacePair,
} from "./bot.ts";
import {
  answerPair,
  hoursHeld,
  isNamedAfter,
  type OrderEvent,
  openLatePair,
  type PairOrder,
  type PairOutcome,
  type PairStep,
  type PairSubmit,
  pairProfit,
  stepPair,
} from "./pair.ts";

/** The most orders of ended pairs that a bot follows: beyond that, the oldest are given up. */
export const PAST_ORDERS_MAX = 100;

/** The reaction of a detail to a step of one of its pairs. */
export interface DetailReaction<D> {
  readonly detail: D;
  readonly orders: readonly PairSubmit[];
}

/** The rules that a kind of bot adds, at a moment. */
export interface OrderRules<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>> {
  readonly timeMs: number;
  readonly keyOf: (detail: D) => string;
  /** The detail with the pair changed or, once it is over, taken out. */
  readonly react: (bot: B, detail: D, step: { readonly pair: P; readonly outcome: PairOutcome }) => DetailReaction<D>;
  /** Whether a sell signal waits for the buy of the detail's pair. */
  readonly isSellKept: (detail: D) => boolean;
  /** The detail with a pair that holds lots bought late; undefined if it can hold no more pairs. */
  readonly hold: (bot: B, detail: D, pair: PairOrder, isSellKept: boolean) => DetailReaction<D> | undefined;
}

/** Applies an answer of the brokerage or news of an order; returns undefined if nothing changes. */
export function stepOrders<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  bot: B,
  event: OrderEvent,
  rules: OrderRules<P, D, B>,
): BotDecision<B> | undefined {
  if (event.type === "orderPlaced" || event.type === "orderRefused") {
    const found = findPair<P, D>(bot, (pair) => isNamedAfter(pair, event.name));
    const step = found && answerPair(found.pair, found.detail.symbol, event);
    return step && afterStep(bot, found.detail, found.pair, step, rules);
  }
  const execution = executionMeant(executionsOf(bot), event);
  return execution && onExecution(bot, execution, hear(execution, event), rules);
}

/** Returns the questions that are due by now; undefined if no question is due. */
export function askForOrders<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  bot: B,
  rules: OrderRules<P, D, B>,
): BotDecision<B> | undefined {
  const { timeMs } = rules;
  let decision: BotDecision<B> | undefined;
  for (const execution of executionsOf(bot)) {
    if (execution.askAtMs === null || execution.askAtMs > timeMs) continue;
    const step = onExecution(decision?.bot ?? bot, execution, apply(execution, { type: "waited", timeMs }), rules);
    if (step !== undefined) decision = decision === undefined ? step : joined(decision, step);
  }
  return decision;
}

/** When an order of the bot is to be asked for; null while none is. */
export function nextAskMs(bot: Bot): number | null {
  let nextMs: number | null = null;
  for (const { askAtMs } of executionsOf(bot)) {
    if (askAtMs !== null && (nextMs === null || askAtMs < nextMs)) nextMs = askAtMs;
  }
  return nextMs;
}

/** Two decisions, one after the other. */
function joined<B>(first: BotDecision<B>, second: BotDecision<B>): BotDecision<B> {
  return {
    bot: second.bot,
    orders: [...first.orders, ...second.orders],
    notices: [...first.notices, ...second.notices],
    closed: [...first.closed, ...second.closed],
    told: [...(first.told ?? []), ...(second.told ?? [])],
  };
}

function findPair<P extends PairOrder, D extends BotDetail<P>>(bot: Bot<D>, isMeant: (pair: P) => boolean) {
  for (const detail of bot.details) {
    const pair = detail.pairs.find(isMeant);
    if (pair !== undefined) return { detail, pair };
  }
  return undefined;
}

function onExecution<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  bot: B,
  execution: Execution,
  step: ExecutionStep,
  rules: OrderRules<P, D, B>,
): BotDecision<B> | undefined {
  const found = findPair<P, D>(bot, (pair) => pair.executions.includes(execution));
  if (found !== undefined) {
    const pairStep = stepPair(found.pair, execution, step, rules.timeMs);
    return pairStep && afterStep(bot, found.detail, found.pair, pairStep, rules);
  }
  const past = bot.pastOrders.find((order) => order.execution === execution);
  if (past === undefined || (step.execution === execution && step.facts.length === 0)) return undefined;
  return onPastOrder(bot, past, step, rules);
}

function afterStep<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  bot: B,
  detail: D,
  was: P,
  step: PairStep<P>,
  rules: OrderRules<P, D, B>,
): BotDecision<B> {
  const { pair, outcome, told } = step;
  const isOver = outcome === "sold" || outcome === "buyFailed";
  const pairs = isOver ? detail.pairs.filter((open) => open !== was) : replacePair(detail.pairs, pair);
  const reaction = rules.react(bot, { ...detail, pairs }, step);
  const { causePrice } = pair;
  const isSellKept = outcome === "buyFailed" && rules.isSellKept(detail);
  const past = { detailKey: rules.keyOf(detail), isSellKept, ...(causePrice !== undefined && { causePrice }) };
  const ended = isOver ? pair.executions.map((execution) => ({ ...past, execution })) : [];
  const pastOrders = [...bot.pastOrders, ...ended].slice(-PAST_ORDERS_MAX);
  return {
    bot: { ...bot, details: replaceDetail(bot.details, detail, reaction.detail), pastOrders },
    orders: reaction.orders,
    notices: noticesOf(detail.symbol, step),
    closed: isOver ? [closedPair(detail.symbol, pair)] : [],
    told: told === null ? [] : [told],
  };
}

function onPastOrder<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  bot: B,
  past: PastOrder,
  step: ExecutionStep,
  rules: OrderRules<P, D, B>,
): BotDecision<B> {
  const { execution } = step;
  const pastOrders = bot.pastOrders.flatMap((order) => {
    if (order !== past) return [order];
    return execution.phase === "settled" ? [] : [{ ...order, execution }];
  });
  const told = step.facts.length === 0 ? [] : [step];
  const known: BotDecision<B> = { bot: { ...bot, pastOrders }, orders: [], notices: [], closed: [], told };
  const late = step.facts.find((fact) => fact.type === "filledAfterEnd");
  if (late === undefined || execution.buySell !== BUY) return known;
  return holdLate(known, past, late, rules);
}

/** Lots that no pair can hold are only reported (`alarm.filledAfterEnd`). */
function holdLate<P extends PairOrder, D extends BotDetail<P>, B extends Bot<D>>(
  decision: BotDecision<B>,
  { detailKey, execution, isSellKept, causePrice }: PastOrder,
  { quantity, price }: Extract<Fact, { type: "filledAfterEnd" }>,
  rules: OrderRules<P, D, B>,
): BotDecision<B> {
  const { bot } = decision;
  const detail = bot.details.find((one) => rules.keyOf(one) === detailKey);
  if (detail === undefined || !canNumberPair(bot)) return decision;
  const numbered = numberPair(bot, (pairId) =>
    openLatePair(pairId, { quantity, price, orderNo: orderNoOf(execution), causePrice }, rules.timeMs),
  );
  const held = rules.hold(numbered.bot, detail, numbered.pair, isSellKept);
  if (held === undefined) return decision;
  const details = replaceDetail(bot.details, detail, held.detail);
  const notice: BotNotice = { type: "pair.bought", symbol: detail.symbol, pair: numbered.pair };
  return { ...decision, bot: { ...numbered.bot, details }, orders: held.orders, notices: [notice] };
}

function noticesOf<P extends PairOrder>(symbol: string, { pair, outcome }: PairStep<P>): BotNotice[] {
  switch (outcome) {
    case "changed":
      return [];
    case "bought":
    case "sold":
      return [{ type: `pair.${outcome}`, symbol, pair }];
    case "buyFailed":
    case "sellFailed":
      return [{ type: `pair.${outcome}`, symbol, pair, message: pair.description }];
  }
}

function closedPair(symbol: string, pair: PairOrder): ClosedPair {
  return { symbol, pair, hourCount: hoursHeld(pair), profit: pairProfit(pair) };
}
