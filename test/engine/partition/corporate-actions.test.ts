/** Corporate actions in a partition: once, before any price of the new base, over kills (behaviour 28). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { ACTION_COMMANDS, ACTION_QUERIES, type ActionView } from "../../../src/contract/operator/corporate-action.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
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

/** Passes the time, of which only the last second is run step by step. */
async function pass(world: TradingWorld, byMs: number): Promise<void> {
  world.time.stepClock(byMs - 1_000);
  await world.time.advance(1_000);
}

/** Gives the ticks that an engine reads back at its start, each with its price and its time. */
function readBack(world: TradingWorld, ticks: readonly (readonly [value: number, timeMs: number])[]) {
  return (partition: TradingWorld["partition"]): void => {
    world.isCatchingUp = true;
    for (const [value, timeMs] of ticks) {
      const price = livePrice(value);
      assert.ok(price !== undefined);
      world.prices.set("THYAO", { price, timeMs });
      world.position += 1;
      partition.onTick({ symbol: "THYAO", price, timeMs, isCaughtUp: true });
    }
  };
}

function caughtUp(world: TradingWorld): void {
  world.isCatchingUp = false;
  world.partition.onCaughtUp();
}

async function toMidnight(world: TradingWorld): Promise<void> {
  await pass(world, DAY_MS - (world.time.nowMs() % DAY_MS));
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

  for (const [name, isReadBack] of [
    ["while a price of the new base waits", false],
    ["and the last price of the day before is read back", true],
  ] as const) {
    test(`is applied once to each of many groups, wherever a kill comes, ${name}`, () => appliedToMany(isReadBack));
  }

  async function appliedToMany(isReadBack: boolean): Promise<void> {
    for (const turnCount of [0, 1, 2, 3, 4, 5, 6, 8, 10, 13]) {
      const { world, id } = await opened();
      const users = Array.from({ length: 140 }, (_, index) => 100 + index);
      const ids = new Map([[7, id]]);
      for (const userId of users) {
        const terms = { ...GROUP, accountNumber: `PAPER-${userId}` };
        const row = (await world.done(COMMANDS.createGroup, terms, { userId })) as OcoRowView;
        ids.set(userId, row.id);
      }
      await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
      await pass(world, DAY_MS - (world.time.nowMs() % DAY_MS) - 1);
      world.time.stepClock(1);
      if (isReadBack) world.partition.actions.passByClock();
      else world.give("THYAO", 50);
      for (let turn = 0; turn < turnCount; turn += 1) await world.time.turn();
      const eveMs = world.time.nowMs() - 1_000;
      await world.restart(turnCount % 2 === 0, isReadBack ? readBack(world, [[100, eveMs]]) : undefined);
      if (isReadBack) caughtUp(world);
      await world.time.advance(3_000);
      for (const [userId, groupId] of ids) {
        const plan = (await world.query(QUERIES.readPlan, { id: groupId }, { userId })) as PlanView;
        assert.deepEqual(
          plan.rows.map(({ price, quantity }) => [price, quantity]),
          ADJUSTED,
          `${turnCount} turns, group ${groupId}`,
        );
        assert.equal(plan.version, 2);
      }
      assert.deepEqual(world.sent, []);
    }
  }

  test("is applied before the first price of its day, also where that comes first", async () => {
    const { world, id } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await pass(world, DAY_MS - (world.time.nowMs() % DAY_MS) - 1);
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
    await pass(world, DAY_MS);
    await world.tick("THYAO", 50, 100);
    assert.equal(world.partition.holds.heldCount, 1);
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 0)));
    await world.time.advance(2_000);
    assert.deepEqual([await levelsOf(world, id), world.partition.holds.heldCount], [ADJUSTED, 0]);
    await world.tick("THYAO", 44.9);
    assert.equal(world.sent.length, 1);
  });

  test("entered late leaves a group of that day, and holds one whose levels the new price reaches", async () => {
    const { world, id } = await opened();
    await pass(world, DAY_MS);
    const ofToday = {
      ...GROUP,
      accountNumber: "PAPER-8",
      stopLossPrice: 40,
      takeProfitItems: [{ price: 70, quantity: 100 }],
    };
    const onNewBase = (await world.done(COMMANDS.createGroup, ofToday, { userId: 8 })) as OcoRowView;
    const onOldBase = { ...GROUP, accountNumber: "PAPER-9" };
    const old = (await world.done(COMMANDS.createGroup, onOldBase, { userId: 9 })) as OcoRowView;
    await world.tick("THYAO", 50, 100);
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 0)));
    await world.time.advance(2_000);
    assert.equal(world.partition.holds.heldCount, 0);
    assert.deepEqual(await levelsOf(world, id), ADJUSTED);
    const other = (await world.query(QUERIES.readPlan, { id: onNewBase.id }, { userId: 8 })) as PlanView;
    assert.deepEqual([other.rows[0]?.price, other.corporateActions.isHeld], [40, false]);
    const held = (await world.query(QUERIES.readPlan, { id: old.id }, { userId: 9 })) as PlanView;
    assert.deepEqual([held.rows[0]?.price, held.corporateActions.isHeld], [90, true]);
    await world.tick("THYAO", 46);
    assert.deepEqual(world.sent, []);
  });

  for (const isLate of [false, true]) {
    const when = isLate ? "late" : "ahead";
    test(`entered ${when}: the first price of the new base, read back after a kill, holds nothing`, async () => {
      const { world } = await opened();
      if (!isLate) await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
      await pass(world, DAY_MS);
      await world.tick("THYAO", 50, 100);
      const openedMs = world.time.nowMs();
      if (isLate) await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 0)));
      await world.time.advance(2_000);
      assert.equal(world.partition.holds.heldCount, 0);
      await world.restart(true, (partition) => {
        const [price, close] = [livePrice(50), livePrice(100)];
        assert.ok(price !== undefined);
        partition.onTick({ symbol: "THYAO", price, timeMs: openedMs, isCaughtUp: true, close });
      });
      await world.time.advance(1_000);
      assert.equal(world.partition.holds.heldCount, 0);
      await world.tick("THYAO", 44.9);
      assert.equal(world.sent.length, 1);
    });
  }

  test("of its day is compared again in a later session: another base holds the symbol", async () => {
    const { world } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await toMidnight(world);
    await world.tick("THYAO", 50, 100);
    await pass(world, 5 * 3_600_000);
    await world.tick("THYAO", 25, 50);
    assert.deepEqual([world.partition.holds.heldCount, world.sent], [1, []]);
  });

  test("moves every group before a price of the new base or a release counts, also more than one turn takes", async () => {
    const { world } = await opened();
    const users = Array.from({ length: 300 }, (_, index) => 100 + index);
    for (const userId of users) {
      await world.done(COMMANDS.createGroup, { ...GROUP, accountNumber: `PAPER-${userId}` }, { userId });
    }
    await pass(world, DAY_MS);
    await world.tick("THYAO", 50, 100);
    const adding = world.command(ACTION_COMMANDS.add, bonusOn(dateIn(world, 0)));
    world.give("THYAO", 49);
    assert.ok((await adding).ok);
    await world.time.advance(5_000);
    assert.deepEqual([world.sent, world.eventsOf("oco.adjusted").length], [[], users.length + 1]);
    assert.equal(world.eventsOf("symbol.released").length > 0, true);
  });

  test("is counted in its place among missed ticks: a dip before its day fires, a price after it does not", async () => {
    for (const [dip, sold] of [
      [89, 1],
      [91, 0],
    ] as const) {
      const { world } = await opened();
      await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
      await world.time.advance(1_000);
      const dipMs = world.time.nowMs() + 1_000;
      world.kill();
      await toMidnight(world);
      world.time.stepClock(DAY_MS / 2);
      const openMs = world.time.nowMs() - 60_000;
      const missed = [
        [dip, dipMs],
        [50, openMs],
      ] as const;
      await world.start(readBack(world, missed));
      caughtUp(world);
      await world.time.advance(5_000);
      assert.equal(world.sent.length, sold);
    }
  });

  test("refuses new levels of its symbol from midnight until all have followed", async () => {
    const { world } = await opened();
    await world.done(ACTION_COMMANDS.add, bonusOn(dateIn(world, 1)));
    await pass(world, DAY_MS - (world.time.nowMs() % DAY_MS) - 10);
    const creating = async () =>
      world.command(COMMANDS.createGroup, { ...GROUP, accountNumber: "PAPER-8" }, { userId: 8 });
    world.time.stepClock(20);
    const refused = await creating();
    assert.ok(!refused.ok && refused.code === "UNAVAILABLE", JSON.stringify(refused));
    await world.time.advance(2_000);
    assert.ok((await creating()).ok);
  });

  test("moves a pending OCO that a restart left in the store", async () => {
    const { world } = await opened();
    const { orderNo } = await world.order({ symbol: "GARAN", price: 80 });
    const place = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
    const setupId = (await world.done(COMMANDS.registerSetup, {
      ...{ ...place, symbol: "GARAN", brokerOrderNo: orderNo },
      ...{ stopLossQuantity: 10, stopLossPrice: 70, takeProfitItems: [{ quantity: 10, price: 90 }] },
    })) as number;
    await world.done(ACTION_COMMANDS.add, { ...bonusOn(dateIn(world, 1)), symbol: "GARAN" });
    await world.restart();
    await toMidnight(world);
    await world.time.advance(2_000);
    const found = world.partition.host.find("setup", setupId)?.context as PendingSetup | undefined;
    assert.deepEqual(found?.stopLoss, { quantity: 10, price: 3_500 });
    assert.deepEqual(found?.takeProfits, [{ quantity: 10, price: 4_500 }]);
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
    const changed = { actionId, isChanged: true, isImmediate: false };
    assert.deepEqual(await world.done(ACTION_COMMANDS.add, action), changed);
    assert.deepEqual(await world.done(ACTION_COMMANDS.add, action), { ...changed, isChanged: false });
    const codeOf = async (type: string, body: object) => {
      const reply = await world.command(type, body);
      return reply.ok ? "" : reply.code;
    };
    assert.equal(await codeOf(ACTION_COMMANDS.add, { ...action, ratio: 2 }), "CONFLICT");
    assert.equal(await codeOf(ACTION_COMMANDS.add, { ...action, symbol: "NOPE" }), "NOT_FOUND");
    assert.deepEqual(await world.done(ACTION_COMMANDS.remove, { actionId }), changed);
    assert.equal(await codeOf(ACTION_COMMANDS.remove, { actionId }), "NOT_FOUND");
    await world.done(ACTION_COMMANDS.add, action);
    await toMidnight(world);
    await world.time.advance(1_000);
    assert.equal(await codeOf(ACTION_COMMANDS.remove, { actionId }), "CONFLICT");
    const listed = (await world.query(ACTION_QUERIES.list, {})) as ActionView[];
    assert.deepEqual(
      listed.map(({ actionId: id, appliedDate }) => [id, appliedDate !== null]),
      [[actionId, true]],
    );
  });
});

function levelsBefore(): readonly (readonly number[])[] {
  return [
    [90, 100],
    [110, 40],
    [120, 60],
  ];
}
