/**
 * Pair orders: the open ones of a bot, and the history of an account.
 *
 * Invariants:
 * 1. History sorts newest first: its keys count time, then pair ids, down.
 * 2. Rows of open pairs are made once for each state of a pair: most events change one pair of many.
 */
import type { LevelPairView, PairHistoryItemView, WebhookPairView } from "../../src/contract/trading/bot.ts";
import type { Bot, ClosedPair } from "../../src/domain/bot/bot.ts";
import { type Leg, legStatus, type PairOrder } from "../../src/domain/bot/pair.ts";
import type { WebhookDetail } from "../../src/domain/bot/webhook-bot.ts";
import { formatTime, TIME_MAX_MS } from "../../src/domain/time.ts";
import type { ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";
import type { BotKind } from "./bots.ts";

/** Where the open pairs of a bot are listed, oldest first. */
export function pairListPrefix(userId: number, botId: number): string {
  return `pairs/${padded(userId)}/${padded(botId)}/`;
}

const HISTORIES: Readonly<Record<BotKind, string>> = { level: "pair-history", webhook: "webhook-pair-history" };

/** Where the closed pairs of an account's bots of a kind are listed, newest first. */
export function historyPrefix(kind: BotKind, userId: number, brokerageCode: string, accountNumber: string): string {
  return `${HISTORIES[kind]}/${padded(userId)}/${brokerageCode}/${encodeURIComponent(accountNumber)}/`;
}

/** Behaviour 6.3. */
export function levelPairView(botId: number, symbol: string, pair: PairOrder): LevelPairView {
  return { id: pair.pairId, systemId: botId, symbol, ...legFields(pair), description: pair.description };
}

/** A webhook bot's pair, as its owner sees it. */
export function webhookPairView(bot: Bot, detail: WebhookDetail, pair: PairOrder): WebhookPairView {
  const { symbol, algoName, period } = detail;
  const { botId: systemId, accountNumber } = bot;
  return { id: pair.pairId, systemId, symbol, algoName, period, accountNumber, ...legFields(pair) };
}

/** Rows by the pair they show: a pair never changes, it is replaced. */
const madeRows = new WeakMap<PairOrder, ViewRow>();

/** The row of an open pair. `viewOf` may depend on nothing but the pair and what stays the same for its whole life. */
export function pairRow(bot: Bot, pair: PairOrder, viewOf: () => object): ViewRow {
  const made = madeRows.get(pair);
  if (made !== undefined) return made;
  const row = { key: pairListPrefix(bot.userId, bot.botId) + padded(pair.pairId), json: JSON.stringify(viewOf()) };
  madeRows.set(pair, row);
  return row;
}

/** Makes the row of history of a pair that ended. Its `data` is what the chart keeps: a {@link ClosedPair}. */
export function keepPair(kind: BotKind) {
  return (bot: Bot, data: Readonly<Record<string, unknown>>): ViewRow =>
    historyRow(kind, bot, data as unknown as ClosedPair);
}

/** The row of history of a closed pair: a sold pair, or a pair whose buy failed, with the reason. */
function historyRow(kind: BotKind, bot: Bot, { symbol, pair, hourCount, profit }: ClosedPair): ViewRow {
  const { userId, botId, brokerageCode, accountNumber } = bot;
  const isSold = pair.sell.completedAtMs !== null;
  const item: PairHistoryItemView = {
    id: pair.pairId,
    systemId: botId,
    symbol,
    buyQuantity: pair.buy.quantity,
    buyOrderNo: pair.buy.orderNo,
    buyOrderDate: dateOf(pair.buy),
    sellQuantity: isSold ? pair.sell.quantity : 0,
    sellOrderNo: pair.sell.orderNo,
    sellOrderDate: dateOf(pair.sell),
    description: pair.description,
    hourCount,
    profit: Number(profit),
  };
  const closedAtMs = pair.sell.completedAtMs ?? pair.buy.sentAtMs ?? 0;
  const order = `${padded(TIME_MAX_MS - closedAtMs)}/${padded(Number.MAX_SAFE_INTEGER - pair.pairId)}`;
  return { key: historyPrefix(kind, userId, brokerageCode, accountNumber) + order, json: JSON.stringify(item) };
}

function legFields({ buy, sell }: PairOrder) {
  return {
    buyQuantity: buy.quantity,
    buyStatus: legStatus(buy),
    buyOrderNo: buy.orderNo,
    buyOrderDate: dateOf(buy),
    buyPrice: buy.averagePrice,
    sellQuantity: sell.quantity,
    sellStatus: legStatus(sell),
    sellOrderNo: sell.orderNo,
    sellOrderDate: dateOf(sell),
  };
}

/** When the order was asked for. */
function dateOf({ sentAtMs }: Leg): string | null {
  return sentAtMs === null ? null : formatTime(sentAtMs);
}
