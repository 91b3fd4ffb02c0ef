/** Helpers that the tests of both bots share: their bodies, and how they are created, signalled and read. */

import assert from "node:assert/strict";
import { queryHandlers } from "../../../../engine/query/queries.ts";
import type { Reply } from "../../../../src/contract/command.ts";
import { WEBHOOK_PATH, type WebhookBotRow } from "../../../../src/contract/trading/bot.ts";
import { ACCOUNT, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

export const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
export const limits = { maxBuyPrice: 0, minBuyPrice: 0, maxSellPrice: 0, minSellPrice: 0 };
export const levelBot = {
  ...place,
  name: "Falls and rises",
  isActive: true,
  levelBotDetails: [{ symbol: "THYAO", buyGap: 1, sellGap: 2, targetProfit: 0, profit: 0, quantity: 3, ...limits }],
};
export const webhookBot = {
  ...place,
  name: "Listens",
  isActive: true,
  webhookBotDetails: [{ symbol: "THYAO", algoName: "MACD", period: "1H", quantity: 5, ...limits }],
};
export const buySignal = { algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy" };
export const sellSignal = { ...buySignal, side: "sell" };

export interface Pair {
  readonly id: number;
  readonly buyStatus: number;
  readonly sellStatus: number;
}

export async function createLevel(world: TradingWorld, change: object = {}): Promise<number> {
  const created = (await world.done("levelBots.create", { ...levelBot, ...change })) as { id: number };
  return created.id;
}

export async function createWebhook(world: TradingWorld, change: object = {}): Promise<{ id: number; secret: string }> {
  const created = (await world.done("webhookBots.create", { ...webhookBot, ...change })) as WebhookBotRow;
  return { id: created.id, secret: created.webhookPath.slice(WEBHOOK_PATH.length) };
}

let bodyCount = 0;

/** Sends a signal with a body of its own, unless `bodyHash` is given. */
export function signal(world: TradingWorld, secret: string, given: object, bodyHash?: string): Promise<Reply> {
  bodyCount += 1;
  const body = { webhookSecret: secret, signal: given, bodyHash: bodyHash ?? `body ${bodyCount}` };
  return world.commandOfNobody("webhook.signal", body);
}

/** The answer that shows a bot, with its version. */
export async function readBot(world: TradingWorld, kind: "level" | "webhook", id: number): Promise<Reply> {
  const answer = await queryHandlers.get(`${kind}Bots.get`)?.(world.partition.context, USER, {
    id,
    brokerageCode: "PAPER",
  });
  assert.ok(answer !== undefined && !(answer instanceof Uint8Array));
  return answer;
}

export async function pairsOf(world: TradingWorld, kind: "level" | "webhook", id: number): Promise<Pair[]> {
  return (await world.query(`${kind}Bots.pairs`, { id, brokerageCode: "PAPER" })) as Pair[];
}

export async function historyOf(world: TradingWorld, change: object = {}) {
  const data = await world.query("levelBots.history", { ...place, page: 1, pageSize: 10, ...change });
  return data as { items: { id: number; description: string; sellOrderNo: string | null }[]; totalCount: number };
}

/** Anchor at 100, a buy at 99, a sell at 101. */
export async function tradeOnce(world: TradingWorld): Promise<void> {
  await world.tick("THYAO", 100);
  await world.tick("THYAO", 99);
  await world.tick("THYAO", 101);
}
