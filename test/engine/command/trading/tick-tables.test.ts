/** Every command that takes a price takes the prices of the symbol's exchange, and no others (behaviour 3.6a). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../../src/contract/command.ts";
import { startWorld } from "../../../support/world/trading-world.ts";
import { levelBot, limits, place, webhookBot } from "./bots.ts";

/** A price on every cent that does not exist at Borsa Istanbul. */
const ODD = 227.31;

function bodiesOf(symbol: string): readonly (readonly [string, object])[] {
  const group = { ...place, symbol, stopLossQuantity: 10 };
  const bounds = { ...limits, minBuyPrice: ODD };
  return [
    [COMMANDS.createGroup, { ...group, stopLossPrice: ODD, takeProfitItems: [{ price: 240, quantity: 10 }] }],
    [COMMANDS.placeOrder, { ...place, symbol, quantity: 1, buySell: 1, orderType: 2, price: ODD }],
    [
      COMMANDS.registerSetup,
      { ...group, brokerOrderNo: "X1", stopLossPrice: ODD, takeProfitItems: [{ percent: 3, quantity: 10 }] },
    ],
    [COMMANDS.createLevelBot, { ...levelBot, levelBotDetails: [{ symbol, buyGap: 1, sellGap: 1, ...bounds }] }],
    [
      COMMANDS.createWebhookBot,
      { ...webhookBot, webhookBotDetails: [{ symbol, algoName: "MACD", period: "1H", quantity: 5, ...bounds }] },
    ],
  ];
}

test("a price on an odd cent is refused for a share of Borsa Istanbul, by group, order, setup and both bots", async () => {
  const world = await startWorld();
  for (const [type, body] of bodiesOf("THYAO")) {
    const reply = await world.command(type, body);
    assert.match(reply.ok ? "taken" : reply.message, /227\.31 is not a multiple of 0\.1$/, type);
  }
});

test("the same price is legal for a symbol whose exchange has a step of one cent", async () => {
  const world = await startWorld();
  world.centSymbols.add("THYAO");
  await world.tick("THYAO", 230);
  for (const [type, body] of bodiesOf("THYAO")) {
    const reply = await world.command(type, body);
    // The setup's order is missing: its prices were not the reason of the refusal.
    const isTaken = type === COMMANDS.registerSetup ? /brokerOrderNo/ : /^taken$/;
    assert.match(reply.ok ? "taken" : reply.message, isTaken, type);
  }
});

test("a level bot buys and sells on the steps of its symbol's exchange", async () => {
  const world = await startWorld();
  world.centSymbols.add("THYAO");
  await world.done(COMMANDS.createLevelBot, {
    ...levelBot,
    levelBotDetails: [{ symbol: "THYAO", buyGap: 0.03, sellGap: 0.01, quantity: 3, ...limits }],
  });
  for (const price of [227.34, 227.31, 227.32]) await world.tick("THYAO", price);
  const sides = (await world.orders()).map(({ buySell, averagePrice }) => [buySell, averagePrice]);
  assert.deepEqual(sides, [
    [1, 227.31],
    [2, 227.32],
  ]);
});
