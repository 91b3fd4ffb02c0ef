/**
 * The judgement over bots at the end of a world: every order has a rule that asked for it, a bot holds what the
 * brokerage sold it, and its realised profit follows from its fills.
 */

import type { Hearing } from "../client/signals.ts";
import { type AskedOrder, type BotModel, buyName, deletedBot, isInside, storedBot } from "../oracle/bot-model.ts";
import { INSTALLATION } from "../oracle/plain-name.ts";
import type { PlainBot, PlainLevelDetail, PlainPair } from "../oracle/plain-rows.ts";
import type { Ending } from "./ending.ts";

const ORDER_REJECTED = 4;
const REPEAT_MS = 60_000;

/** The brokerage's deals for one pair. */
interface Dealt {
  readonly symbol: string;
  bought: number;
  sold: number;
  /** Lots of these that were filled after the end of their order. */
  lateBought: number;
  lateSold: number;
  /** Proceeds of the sells less the cost of the buys, in thousandths. */
  profitMilli: number;
}

/** Judges every bot; adds to `known` the names of orders that a bot asked for. */
export function checkBots(ending: Ending, known: Set<string>): void {
  for (const bot of ending.bots.bots) {
    const deleted = deletedBot(ending.disk, bot);
    const stored = storedBot(ending.disk, bot) ?? deleted;
    if (deleted !== undefined) checkDeleted(ending, bot, deleted);
    else if (bot.deletion === "acknowledged") ending.report.violate(`bot-${bot.number} was deleted and lives on`);
    if (stored === undefined) {
      if (bot.isAcknowledged) ending.report.violate(`bot-${bot.number} was acknowledged and is lost`);
      continue;
    }
    const asked = [...ending.bots.orders.values()].filter((order) => order.bot === bot);
    const dealt = new Map<number, Dealt>();
    for (const order of asked) {
      known.add(`${INSTALLATION}-${order.name}`);
      checkOrder(ending, order, dealt);
      if (!ending.hasSteppedClock) checkReason(ending, order);
    }
    checkPairs(ending, bot, stored, dealt);
    if (bot.kind === "levelBot") {
      checkProfit(ending, bot, stored, dealt);
      // Late fills of a deleted bot's orders belong to no bot.
      if (deleted === undefined && !ending.hasSteppedClock) checkLots(ending, bot, stored, dealt);
    } else {
      checkKeptSells(ending, bot, stored);
      if (!ending.hasSteppedClock) checkRepeats(ending, bot, asked);
    }
  }
}

/** A bot ends only if its owner asked for that, and without a pair. */
function checkDeleted({ disk, report }: Ending, bot: BotModel, { details }: PlainBot): void {
  if (bot.deletion === "none") report.violate(`bot-${bot.number} was deleted and nobody asked for it`);
  if (storedBot(disk, bot) !== undefined) report.violate(`bot-${bot.number} was deleted and lives on`);
  if (details.some(({ pairs }) => pairs.length > 0)) report.violate(`bot-${bot.number} was deleted with a pair open`);
}

/**
 * A sell that a bot kept is done once the buy has completed, even if the engine died in between; a bot that is
 * switched off forgets it.
 */
function checkKeptSells({ report, signals }: Ending, bot: BotModel, stored: PlainBot): void {
  for (const { pairId, versionCount } of signals.keptSells.filter((kept) => kept.bot === bot)) {
    const wasSwitchedOff = bot.versions.slice(versionCount).some(({ isActive }) => !isActive);
    const pair = stored.details.flatMap(({ pairs }) => pairs).find((one) => one.pairId === pairId);
    const isForgotten = pair !== undefined && pair.buy.completedAtMs !== null && pair.sellAttempts === 0;
    if (isForgotten && !wasSwitchedOff) report.violate(`the sell that was kept for pair ${pairId} was forgotten`);
  }
}

/** Checks that at most one order of a name exists, and that it is the order that was asked for. */
function checkOrder({ report, exchanges }: Ending, asked: AskedOrder, dealt: Map<number, Dealt>): void {
  const { bot, name, symbol, side, quantity, pairId } = asked;
  const all = exchanges.get(bot.owner.brokerageCode)?.orders.get(`${INSTALLATION}-${name}`) ?? [];
  const orders = all.filter(({ record }) => record.orderStatus !== ORDER_REJECTED);
  if (orders.length > 1) report.violate(`${name} of bot-${bot.number} exists ${orders.length} times`);
  for (const { request, record, lateQuantity } of orders) {
    const isOwn = request.userId === bot.owner.userId && request.accountNumber === bot.owner.accountNumber;
    const isSame = request.symbol === symbol && request.buySell === (side === "buy" ? 1 : 2);
    if (!isOwn || !isSame || request.orderType !== 1 || request.quantity !== quantity) {
      report.violate(`${name} of bot-${bot.number} is another order than was asked for`);
    }
    const pair = dealt.get(pairId) ?? { symbol, bought: 0, sold: 0, lateBought: 0, lateSold: 0, profitMilli: 0 };
    dealt.set(pairId, pair);
    const { filledQuantity, averagePrice } = record;
    const milli = Math.round(averagePrice * 1000) * filledQuantity;
    if (side === "buy") {
      pair.bought += filledQuantity;
      pair.lateBought += lateQuantity;
    } else {
      pair.sold += filledQuantity;
      pair.lateSold += lateQuantity;
    }
    pair.profitMilli += side === "buy" ? -milli : milli;
  }
}

/** Some price that the engine knew then lies inside the limits of a version of the bot, and asks for the order. */
function checkReason({ report, levelWatch, signals }: Ending, order: AskedOrder): void {
  const { bot, symbol, side, atMs, name } = order;
  const live = levelWatch.pricesAt(symbol, atMs);
  const heard = bot.kind === "levelBot" ? [] : hearingsOf(signals.hearings, order);
  const named = heard.flatMap(({ content, moments }) => {
    if (content.price !== null) return [Math.round(content.price * 1000)];
    return moments.flatMap((heardMs) => levelWatch.pricesAt(symbol, heardMs));
  });
  if (bot.kind === "webhookBot" && heard.length === 0) report.violate(`${name} has no signal that asked for it`);
  const prices = bot.kind === "levelBot" ? live : named;
  const terms = bot.versions.flatMap(({ details }) => details.filter((detail) => detail.symbol === symbol));
  const isAllowed = terms.some(({ minBuyPrice, maxBuyPrice, minSellPrice, maxSellPrice }) => {
    const [low, high] = side === "buy" ? [minBuyPrice, maxBuyPrice] : [minSellPrice, maxSellPrice];
    return (low === 0 && high === 0) || prices.some((milli) => isInside(milli, low, high));
  });
  if (!isAllowed) report.violate(`${name} of bot-${bot.number} was asked for outside every price limit`);
  if (bot.kind !== "levelBot" || side !== "buy") return;
  const highest = levelWatch.highestUntil(symbol, atMs);
  if (!prices.some((milli) => milli < highest)) report.violate(`${name} was bought where no price had fallen`);
}

/** The sent signals that may have asked for an order. */
function hearingsOf(hearings: readonly Hearing[], { bot, symbol, side, target, atMs, sinceMs }: AskedOrder): Hearing[] {
  return hearings.filter(({ bot: heardBy, content, moments }) => {
    const isTarget = `${content.algoName}/${content.period}` === target && content.symbol === symbol;
    return heardBy === bot && isTarget && content.side === side && moments.some((ms) => ms >= sinceMs && ms <= atMs);
  });
}

/**
 * Of two signals of one identity that came within a minute, at most one was acted on. A kept exit is acted on later
 * than it came.
 */
function checkRepeats({ report, signals }: Ending, bot: BotModel, asked: readonly AskedOrder[]): void {
  const acted = new Map<string, { readonly order: AskedOrder; readonly heardAtMs: number }>();
  for (const order of [...asked].sort((left, right) => left.atMs - right.atMs)) {
    const heard = hearingsOf(signals.hearings, order);
    const identities = new Set(heard.map(({ identity }) => identity));
    const moments = heard.flatMap((hearing) => hearing.moments.filter((ms) => ms >= order.sinceMs && ms <= order.atMs));
    const [identity] = identities;
    // If two signals have one instant, an observer cannot know which of them was acted on.
    if (identity === undefined || identities.size > 1) continue;
    const before = acted.get(identity);
    const heardAtMs = Math.max(...moments);
    if (before !== undefined && Math.abs(heardAtMs - before.heardAtMs) < REPEAT_MS) {
      report.violate(
        `signal ${identity} to bot-${bot.number} was acted on twice: ${before.order.name} and ${order.name}`,
      );
    }
    acted.set(identity, { order, heardAtMs });
  }
}

/** Open pairs hold what the brokerage sold to the bot; closed pairs hold nothing, and are in the history once. */
function checkPairs(ending: Ending, bot: BotModel, stored: PlainBot, dealt: ReadonlyMap<number, Dealt>): void {
  const { report, disk, quarantined } = ending;
  const open = new Map(stored.details.flatMap(({ pairs }) => pairs.map((pair) => [pair.pairId, pair])));
  const history = disk.pairHistory(stored.botId);
  for (let number = 1; number <= stored.lastPairNumber; number += 1) {
    const pairId = stored.botId * 1_000_000 + number;
    const pair = open.get(pairId);
    const dealing = dealt.get(pairId);
    const { bought, sold, profitMilli } = dealing ?? { bought: 0, sold: 0, profitMilli: 0 };
    const rows = history.filter(({ id }) => id === pairId);
    const what = `pair ${pairId} of bot-${bot.number}`;
    if (pair !== undefined) {
      report.count(`${bot.kind}s: pairs open at the end`);
      if (rows.length > 0) report.violate(`${what} is open and in the history`);
      if (isHoldingLate(pair)) report.count(`${bot.kind}s: pairs of late fills`);
      else if (!isUnsettled(pair, quarantined)) checkHeld(ending, pair, bought - sold, what);
      continue;
    }
    report.count(`${bot.kind}s: pairs closed`);
    if (rows.length === 1 && rows.every(({ buyOrderDate }) => buyOrderDate === null)) continue;
    if (dealing !== undefined && dealing.lateBought + dealing.lateSold > 0) {
      checkLate(ending, dealing, rows.length, what);
      continue;
    }
    if (bought !== sold) report.violate(`${what} is closed, bought ${bought} and sold ${sold}`);
    if (rows.length !== 1) report.violate(`${what} is in the history ${rows.length} times`);
    const isShown = rows.every(({ sellQuantity, buyQuantity, profit }) => {
      const isProfitRight = Math.round(profit * 1000) === profitMilli;
      return sellQuantity === sold && isProfitRight && (bought === 0 || buyQuantity === bought);
    });
    if (!isShown) report.violate(`${what} bought ${bought} and sold ${sold}, its history says ${JSON.stringify(rows)}`);
  }
  for (const pairId of dealt.keys()) {
    if (pairId > stored.botId * 1_000_000 + stored.lastPairNumber) report.violate(`pair ${pairId} was never numbered`);
  }
}

/** Whether a pair holds what an order of an earlier pair bought after its end. */
function isHoldingLate({ buy }: PlainPair): boolean {
  return buy.sentAtMs === null;
}

/** More was sold than bought only by fills after the end of a sell. */
function checkLate({ report }: Ending, { bought, sold, lateSold }: Dealt, rowCount: number, what: string): void {
  report.count("bots: pairs with late fills");
  if (sold - bought > lateSold)
    report.violate(`${what} is closed, bought ${bought} and sold ${sold}, ${lateSold} late`);
  if (rowCount !== 1) report.violate(`${what} is in the history ${rowCount} times`);
}

/**
 * Checks symbols that a level bot always had. No bought lot is forgotten, at any time of its fill, and the bot holds no
 * lot that does not exist, except lots sold after the end of a pair. A clock that steps ends the hour of asking too
 * early.
 */
function checkLots(
  { report, quarantined }: Ending,
  bot: BotModel,
  stored: PlainBot,
  dealt: ReadonlyMap<number, Dealt>,
) {
  for (const { symbol, pairs } of stored.details) {
    if (bot.leftOut.has(symbol) || pairs.some((pair) => isUnsettled(pair, quarantined))) continue;
    const dealings = [...dealt.values()].filter((one) => one.symbol === symbol);
    const sumOf = (lots: (one: Dealt) => number): number => dealings.reduce((sum, one) => sum + lots(one), 0);
    const owned = sumOf(({ bought, sold }) => bought - sold);
    const held = pairs.reduce((sum, { buy, soldQuantity }) => sum + buy.quantity - soldQuantity, 0);
    const lateSold = sumOf((one) => one.lateSold);
    if (owned > held || held > owned + lateSold) {
      report.violate(`bot-${bot.number} holds ${held} ${symbol}, its orders ${owned}, ${lateSold} sold late`);
    }
  }
}

function checkHeld({ report }: Ending, pair: PlainPair, held: number, what: string): void {
  const isWaiting = pair.buy.completedAtMs === null || pair.sell.sentAtMs !== null;
  if (isWaiting) report.violate(`${what} waits for an order that has ended, or that nobody sends`);
  else if (pair.buy.quantity - pair.soldQuantity !== held) {
    report.violate(`${what} holds ${pair.buy.quantity - pair.soldQuantity}, the brokerage says ${held}`);
  }
}

/** Whether an order of the pair waits for a person. */
function isUnsettled(pair: PlainPair, quarantined: ReadonlySet<string>): boolean {
  const name = pair.buy.completedAtMs === null ? buyName(pair) : `p${pair.pairId}s${pair.sellAttempts}`;
  return quarantined.has(`${INSTALLATION}-${name}`);
}

/** The realised profit of a symbol is the sum over its pairs in the history. */
function checkProfit({ report }: Ending, bot: BotModel, stored: PlainBot, dealt: ReadonlyMap<number, Dealt>): void {
  const open = new Set(stored.details.flatMap(({ pairs }) => pairs.map(({ pairId }) => pairId)));
  for (const detail of stored.details) {
    const isLate = [...dealt.values()].some((one) => one.symbol === detail.symbol && one.lateBought + one.lateSold > 0);
    if (bot.leftOut.has(detail.symbol) || isLate) continue;
    let sum = 0;
    for (const [pairId, { symbol, profitMilli }] of dealt) {
      if (symbol === detail.symbol && !open.has(pairId)) sum += profitMilli;
    }
    const realised = Math.round(Number((detail as PlainLevelDetail).realisedProfit) * 1000);
    if (realised !== sum) {
      report.violate(
        `bot-${bot.number} realised ${realised / 1000} with ${detail.symbol}, its fills say ${sum / 1000}`,
      );
    }
    if (sum !== 0) report.count("level bots: symbols with a profit or a loss");
  }
}
