/** Corporate actions in a partition: once, before any price of the new base, over kills (behaviour 23). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { ACTION_COMMANDS, ACTION_QUERIES } from "../../../src/contract/operator/corporate-action.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const DAY_MS = 86_400_000;
const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber: "PAPER-7", symbol: "THYAO" },
  ...{ stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [
    { price: 110, quantity: 40 },
    { price: 120, quantity: 60 },
  ],
};
const ADJUSTED = [
  [45, 200],
  [55, 80],
  [60, 120],
];

const dateIn = (world: TradingWorld, days: number): string =>
  new Date(world.time.nowMs() + days * DAY_MS).toISOString().slice(0, 10);
const bonusOn = (exDate: string) => ({ symbol: "THYAO", type: "bonus", ratio: 1, exDate });
const planOf = async (world: TradingWorld, id: number) => (await world.query(QUERIES.readPlan, { id })) as PlanView;
const levelsOf = async (world: TradingWorld, id: number) =>
  (await planOf(world, id)).rows.map(({ price, quantity }) => [price, quantity]);

async function opened(terms: object = {}): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 1_000 } }) });
  await world.tick("THYAO", 100);
  const row = (await world.done(COMMANDS.createGroup, { ...GROUP, ...terms })) as OcoRowView;
  return { world, id: row.id };
}

async function toMidnight(world: TradingWorld): Promise<void> {
  await world.time.advance(DAY_MS - (world.time.nowMs() % DAY_MS));
}

describe("a corporate action", () => {
  test("moves levels at the beginning of its day, once, and the first price of the new base fires none", async () => {
    const { world, id } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await world.time.advance(1_000);
    assert.deepEqual(await levelsOf(world, id), levelsBefore());
    await toMidnight(world);
    await world.time.advance(1_000);
    assert.deepEqual(await levelsOf(world, id), ADJUSTED);
    assert.equal(world.eventsOf("oco.adjusted").length, 1);
    await world.tick("THYAO", 50, 100);
    await world.time.advance(5_000);
    assert.deepEqual([world.sent, world.eventsOf("symbol.held")], [[], []]);
    await world.restart();
    await world.time.advance(5_000);
    assert.deepEqual(await levelsOf(world, id), ADJUSTED);
    await world.tick("THYAO", 44.9);
    assert.equal(world.sent.length, 1);
  });

  for (const isKept of [false, true]) {
    test(`is applied once where a kill comes while it is applied (the disk ${isKept ? "kept" : "lost"} it)`, async () => {
      const { world, id } = await opened();
      await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
      await toMidnight(world);
      await world.restart(isKept);
      await world.time.advance(2_000);
      await world.restart(isKept);
      await world.time.advance(2_000);
      assert.deepEqual(await levelsOf(world, id), ADJUSTED);
      assert.deepEqual(world.sent, []);
    });
  }

  test("is applied before the first price of its day, also where that comes first", async () => {
    const { world, id } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await world.time.advance(DAY_MS - (world.time.nowMs() % DAY_MS) - 1);
    await world.tick("THYAO", 50, 100);
    await world.tick("THYAO", 44);
    await world.time.advance(2_000);
    assert.deepEqual((await levelsOf(world, id)).slice(0, 1), ADJUSTED.slice(0, 1));
    assert.equal(world.sent.length, 1, "a price that waited counts");
  });

  test("a wrong one holds the symbol", async () => {
    const { world } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await toMidnight(world);
    await world.time.advance(1_000);
    await world.tick("THYAO", 99, 100);
    await world.time.advance(5_000);
    assert.deepEqual([world.sent, world.eventsOf("symbol.held").length], [[], 1]);
  });

  test("entered late releases the hold that it explains", async () => {
    const { world, id } = await opened();
    await world.time.advance(DAY_MS);
    await world.tick("THYAO", 50, 100);
    assert.equal(world.partition.holds.heldCount, 1);
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 0)));
    await world.time.advance(2_000);
    assert.deepEqual([await levelsOf(world, id), world.partition.holds.heldCount], [ADJUSTED, 0]);
    await world.tick("THYAO", 44.9);
    assert.equal(world.sent.length, 1);
  });

  test("with the policy hold lets nothing fire until the owner releases the group", async () => {
    const { world, id } = await opened({ corporateActions: "hold" });
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await toMidnight(world);
    await world.time.advance(1_000);
    await world.tick("THYAO", 50);
    assert.deepEqual(world.sent, []);
    assert.equal((await planOf(world, id)).corporateActions.isHeld, true);
    await world.done(COMMANDS.releaseGroup, { id, brokerageCode: "PAPER" });
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
  });

  test("is refused where it is entered twice with other terms, unknown, or removed too late", async () => {
    const { world } = await opened();
    const action = bonusOn(dateIn(world, 1));
    const actionId = `THYAO-bonus-${action.exDate}`;
    assert.deepEqual(await world.done(ACTION_COMMANDS.add, action), { actionId, isChanged: true });
    assert.deepEqual(await world.done(ACTION_COMMANDS.add, action), { actionId, isChanged: false });
    const codeOf = async (type: string, body: object) => {
      const reply = await world.command(type, body);
      return reply.ok ? "" : reply.code;
    };
    assert.equal(await codeOf(ACTION_COMMANDS.add, { ...action, ratio: 2 }), "CONFLICT");
    assert.equal(await codeOf(ACTION_COMMANDS.add, { ...action, symbol: "NOPE" }), "NOT_FOUND");
    assert.deepEqual(await world.done(ACTION_COMMANDS.remove, { actionId }), { actionId, isChanged: true });
    assert.equal(await codeOf(ACTION_COMMANDS.remove, { actionId }), "NOT_FOUND");
    await world.done(ACTION_COMMANDS.add, action);
    await toMidnight(world);
    await world.time.advance(1_000);
    assert.equal(await codeOf(ACTION_COMMANDS.remove, { actionId }), "CONFLICT");
    assert.ok(await world.query(ACTION_QUERIES.list, {}));
  });
});

function levelsBefore(): readonly (readonly number[])[] {
  return [
    [90, 100],
    [110, 40],
    [120, 60],
  ];
}
