/** Lots that were sold elsewhere are reported, and a group can shrink with them (behaviour 26.4, 26.5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import type { SellLedgerRule } from "../../../../src/domain/order/sell-ledger.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const PLACE = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const LEVELS = { symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 };
const takeProfitItems = [
  { price: 110, quantity: 60 },
  { price: 120, quantity: 40 },
];

/** A group of 100 lots whose position is known: two readings have passed. */
async function watched(sellLedger: SellLedgerRule, followPosition: boolean) {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } });
  const world = await startWorld({ paper, sellLedger });
  await world.tick("THYAO", 100);
  const body = { ...PLACE, ...LEVELS, takeProfitItems, followPosition };
  const { groupId } = (await world.done(COMMANDS.createGroup, body)) as OcoRowView;
  await readings(world);
  return { world, groupId };
}

/** Two readings of positions, 50 s apart. */
const readings = (world: TradingWorld) => world.time.advance(101_000);
const soldByHand = (world: TradingWorld, quantity: number) => world.order({ buySell: 2, orderType: 1, quantity });
const planOf = async (world: TradingWorld, id: number) => (await world.query(QUERIES.readPlan, { id })) as PlanView;
const quantitiesOf = async (world: TradingWorld, id: number) => {
  const { rows } = await planOf(world, id);
  return rows.map(({ status, quantity }) => (status === 1 ? quantity : 0));
};
const told = (world: TradingWorld) =>
  world.eventsOf("ledger.foreignSell").map(({ symbol, quantity, held }) => [symbol, quantity, held]);

test("a group that follows its position shrinks with a sell by hand, over a restart, and ends with the last lot", async () => {
  const { world, groupId } = await watched("warn", true);
  await soldByHand(world, 30);
  await world.time.advance(51_000);
  assert.deepEqual(await quantitiesOf(world, groupId), [100, 60, 40]);
  await readings(world);
  assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[70, 60, 10], [["THYAO", 30, 70]]]);
  const { version, followPosition } = await planOf(world, groupId);
  assert.deepEqual([version, followPosition, world.eventsOf("oco.changed").length], [2, true, 1]);
  await world.restart();
  await readings(world);
  await soldByHand(world, 70);
  await readings(world);
  assert.deepEqual(await quantitiesOf(world, groupId), [0, 0, 0]);
  assert.equal(world.eventsOf("oco.cancelled").length, 3);
});

test("lots that own orders sold are no fall, and a bought lot grows nothing", async () => {
  const { world, groupId } = await watched("warn", true);
  await world.tick("THYAO", 110);
  await world.time.advance(200_000);
  assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[100, 0, 40], []]);
  await world.order({ buySell: 1, orderType: 1, quantity: 50 });
  await world.time.advance(200_000);
  assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[100, 0, 40], []]);
});

test("a PATCH lets a group follow, or no longer follow", async () => {
  const { world, groupId } = await watched("warn", false);
  const change = (followPosition: boolean) =>
    world.done(COMMANDS.changeGroup, { id: groupId, change: { followPosition } });
  await change(true);
  assert.equal((await planOf(world, groupId)).followPosition, true);
  await readings(world);
  await change(false);
  await soldByHand(world, 30);
  await readings(world);
  await readings(world);
  assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[100, 60, 40], []]);
});

describe("a pending OCO or an entry with followPosition", () => {
  const percents = { stopLossPercent: 10, takeProfitItems: [{ percent: 10, quantity: 10 }] };
  const follows = async (world: TradingWorld, setupId: number) =>
    ((await world.query(QUERIES.readSetup, { id: setupId })) as SetupView).followPosition;
  const onlyGroup = (world: TradingWorld) => {
    const [converted] = world.eventsOf("setup.converted");
    return Number(converted?.groupId);
  };

  test("passes it to the group of a registered buy, over a restart, and that group shrinks", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const { orderNo: brokerOrderNo } = await world.order({ buySell: 1, orderType: 2, quantity: 10, price: 99 });
    const body = { ...PLACE, brokerOrderNo, symbol: "THYAO", stopLossQuantity: 10, ...percents };
    const setupId = (await world.done(COMMANDS.registerSetup, { ...body, followPosition: true })) as number;
    assert.equal(await follows(world, setupId), true);
    await world.restart();
    await world.tick("THYAO", 99);
    await readings(world);
    const groupId = onlyGroup(world);
    assert.deepEqual(
      [(await planOf(world, groupId)).followPosition, await quantitiesOf(world, groupId)],
      [true, [10, 10]],
    );
    await soldByHand(world, 4);
    await readings(world);
    assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[6, 6], [["THYAO", 4, 6]]]);
  });

  test("takes it back by a PATCH before the fill", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const entry = { orderType: 2, price: 99, quantity: 10 };
    const body = { ...PLACE, symbol: "THYAO", entry, ...percents, followPosition: true };
    const { setupId } = (await world.done(COMMANDS.enter, body)) as { setupId: number };
    assert.equal(await follows(world, setupId), true);
    await world.done(COMMANDS.changeSetup, { id: setupId, change: { followPosition: false } });
    assert.equal(await follows(world, setupId), false);
    await world.tick("THYAO", 99);
    await readings(world);
    assert.equal((await planOf(world, onlyGroup(world))).followPosition, false);
  });

  test("passes it to the group of an entry, which shrinks once the buy has ended", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const body = { ...PLACE, symbol: "THYAO", entry: { orderType: 1, quantity: 10 }, ...percents };
    await world.done(COMMANDS.enter, { ...body, followPosition: true });
    await readings(world);
    const groupId = onlyGroup(world);
    await soldByHand(world, 4);
    await readings(world);
    assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[6, 6], [["THYAO", 4, 6]]]);
  });
});

test("with refuse a sell by hand is reported for every group, and shrinks none that does not follow", async () => {
  const { world, groupId } = await watched("refuse", false);
  await soldByHand(world, 30);
  await readings(world);
  assert.deepEqual([await quantitiesOf(world, groupId), told(world)], [[100, 60, 40], [["THYAO", 30, 70]]]);
});
