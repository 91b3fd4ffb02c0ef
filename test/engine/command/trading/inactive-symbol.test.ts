/** A symbol that is taken out of trading: nothing new begins with it, and what exists continues. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../../src/contract/command.ts";
import { ACCOUNT, type Life, orderBody, refusalOf, startLife } from "../harness.ts";

const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
const limits = { maxBuyPrice: 0, minBuyPrice: 0, maxSellPrice: 0, minSellPrice: 0 };
const group = {
  ...place,
  symbol: "THYAO",
  stopLossPrice: 90,
  stopLossQuantity: 10,
  takeProfitItems: [{ price: 110, quantity: 10 }],
};
const setup = {
  ...place,
  symbol: "THYAO",
  brokerOrderNo: "X1",
  stopLossQuantity: 10,
  stopLossPercent: 3,
  takeProfitItems: [{ quantity: 10, percent: 5 }],
};
const levelBot = {
  ...place,
  name: "steps",
  isActive: true,
  levelBotDetails: [{ symbol: "THYAO", buyGap: 1, sellGap: 1, targetProfit: 0, profit: 0, ...limits }],
};
const webhookBot = {
  ...place,
  name: "listens",
  isActive: true,
  webhookBotDetails: [{ symbol: "THYAO", algoName: "MACD", period: "1H", quantity: 5, ...limits }],
};

async function withoutThyao(): Promise<Life> {
  const life = await startLife();
  life.inactiveSymbols.add("THYAO");
  return life;
}

test("no order, group, pending setup or running bot begins with it", async () => {
  const life = await withoutThyao();
  const begun: readonly (readonly [string, object])[] = [
    [COMMANDS.placeOrder, orderBody()],
    [COMMANDS.chainOrder, orderBody({ referenceOrderNo: "X1" })],
    [COMMANDS.createGroup, group],
    [COMMANDS.registerSetup, setup],
    [COMMANDS.createLevelBot, levelBot],
    [COMMANDS.createWebhookBot, webhookBot],
  ];
  for (const [type, body] of begun) {
    assert.equal(refusalOf(await life.command(type, body), "INVALID"), "symbol THYAO is not active", type);
  }
  const order = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 1, price: 0 };
  const batch = await life.command(COMMANDS.placeBatch, { ...place, items: [order, { ...order, symbol: "GARAN" }] });
  assert.ok(batch?.ok);
  const items = batch.data as readonly { readonly success: boolean; readonly message: string }[];
  assert.deepEqual([items[0]?.success, items[0]?.message], [false, "symbol THYAO is not active"]);
  assert.equal(items[1]?.success, true);
});

test("a bot that trades it can be kept and switched off, and not be switched on", async () => {
  const life = await startLife();
  const created = await life.command(COMMANDS.createLevelBot, levelBot);
  assert.ok(created?.ok);
  const { id } = created.data as { readonly id: number };
  life.inactiveSymbols.add("THYAO");
  const off = await life.command(COMMANDS.updateLevelBot, { id, bot: { ...levelBot, isActive: false } });
  assert.equal(off?.ok, true);
  const on = await life.command(COMMANDS.updateLevelBot, { id, bot: levelBot });
  assert.equal(refusalOf(on, "INVALID"), "symbol THYAO is not active");
});

test("a group that is there can be cancelled", async () => {
  const life = await startLife();
  const created = await life.command(COMMANDS.createGroup, group);
  assert.ok(created?.ok);
  life.inactiveSymbols.add("THYAO");
  const { groupId } = created.data as { readonly groupId: number };
  const cancelled = await life.command(COMMANDS.cancelGroup, { id: groupId, brokerageCode: "PAPER" });
  assert.equal(cancelled?.ok, true);
});
