/** The daily loss of an account around a corporate action (behaviour 27.3 and 28.9). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import { ACTION_COMMANDS } from "../../../src/contract/operator/corporate-action.ts";
import { LIMITS_COMMANDS, LIMITS_QUERIES, type LimitsView } from "../../../src/contract/trading/limits.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const DAY_MS = 86_400_000;
const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };

/** An account that holds 100 lots at 100, may lose 1,000 a day, and has a split of 1 to 10 in so many days. */
async function opened(days: number): Promise<TradingWorld> {
  const world = await startWorld();
  await world.tick("THYAO", 100);
  await order(world, 1);
  await world.done(LIMITS_COMMANDS.set, { ...PLACE, maxDailyLoss: 1_000 });
  const exDate = new Date(world.time.nowMs() + days * DAY_MS).toISOString().slice(0, 10);
  await world.done(ACTION_COMMANDS.add, { symbol: "THYAO", type: "split", sharesBefore: 1, sharesAfter: 10, exDate });
  await world.time.advance(2_000);
  return world;
}

async function order(world: TradingWorld, buySell: 1 | 2): Promise<void> {
  const terms = { ...PLACE, symbol: "THYAO", quantity: 100, orderType: 1, price: 0 };
  await world.done(COMMANDS.placeOrder, { ...terms, buySell });
  await world.time.advance(2_000);
}

/** What is realised once 100 lots were sold at a price. */
async function soldAt(world: TradingWorld, price: number): Promise<number | null> {
  await world.tick("THYAO", price, 100);
  await order(world, 2);
  const { realisedToday } = (await world.query(LIMITS_QUERIES.read, PLACE)) as LimitsView;
  return realisedToday;
}

for (const isKept of [false, true]) {
  test(`a split is no loss, over a kill while it is applied (the disk ${isKept ? "kept" : "lost"} it)`, async () => {
    const world = await opened(1);
    world.time.stepClock(DAY_MS - (world.time.nowMs() % DAY_MS) - 1);
    world.time.stepClock(1);
    await world.time.turn();
    await world.restart(isKept);
    await world.time.advance(2_000);
    await world.restart(isKept);
    await world.time.advance(2_000);
    assert.equal(await soldAt(world, 9.9), -10);
    assert.deepEqual(world.eventsOf("alarm.lossLimit"), []);
  });
}

test("after a split that is entered on its day, sells of lots from before it neither gain nor lose", async () => {
  const world = await opened(0);
  assert.equal(await soldAt(world, 9.9), 0);
  await order(world, 1);
  assert.equal(await soldAt(world, 9.8), -10);
  assert.deepEqual(world.eventsOf("alarm.lossLimit"), []);
});
