/** A stop-loss that rises as take-profits are sold, at the paper brokerage (behaviour 20). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const LEVELS = {
  ...{ symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [
    { price: 110, quantity: 40 },
    { price: 120, quantity: 30 },
    { price: 130, quantity: 30 },
  ],
};
const LADDER = [
  { afterTakeProfits: 1, to: "entry", offset: 0.3 },
  { afterTakeProfits: 2, to: "previousTakeProfit" },
];

/** An account that holds 200 lots. */
async function holding(): Promise<TradingWorld> {
  const world = await startWorld();
  await give(world, 100);
  await world.order({ quantity: 200, orderType: 1 });
  return world;
}

async function running(more: object = { stopLossLadder: LADDER, entryPrice: 100.03 }) {
  const world = await holding();
  const { id } = (await world.done(COMMANDS.createGroup, { ...PLACE, ...LEVELS, ...more })) as OcoRowView;
  return { world, id };
}

/** Prices, each with the time in which what it sells counts. */
async function give(world: TradingWorld, ...values: readonly number[]): Promise<void> {
  for (const value of values) {
    await world.tick("THYAO", value);
    await world.time.advance(300);
  }
}

const stopOf = async (world: TradingWorld, id: number): Promise<OcoRowView> => {
  const [stop] = (await world.query(QUERIES.readGroup, { id })) as readonly OcoRowView[];
  assert.ok(stop !== undefined);
  return stop;
};

const planOf = async (world: TradingWorld, id: number): Promise<PlanView> =>
  (await world.query(QUERIES.readPlan, { id })) as PlanView;

const change = (world: TradingWorld, id: number, request: object): Promise<Reply> =>
  world.command(COMMANDS.changeGroup, { id, change: request });

const sells = async (world: TradingWorld): Promise<readonly number[]> =>
  (await world.orders()).filter(({ buySell }) => buySell === 2).map(({ quantity }) => quantity);

describe("a stop-loss on a ladder", () => {
  test("rises to the entry, then to the take-profit before, and sells there", async () => {
    const { world, id } = await running();
    await give(world, 110);
    assert.equal((await stopOf(world, id)).price, 100.3, "100.33 rounded down");
    await give(world, 120);
    assert.equal((await stopOf(world, id)).price, 110);
    assert.equal((await planOf(world, id)).ladder?.climbed, 2);
    assert.equal(world.eventsOf("oco.stopRaised").length, 2);
    await give(world, 110);
    assert.deepEqual(await sells(world), [40, 30, 100]);
  });

  test("keeps where it stands over a kill, and counts nothing twice", async () => {
    const { world, id } = await running();
    await give(world, 110);
    await world.restart();
    assert.equal((await stopOf(world, id)).price, 100.3);
    assert.ok((await change(world, id, { stopLossPrice: 95 })).ok);
    await give(world, 109, 108);
    await world.restart();
    await give(world, 107);
    assert.equal((await stopOf(world, id)).price, 95, "what its owner lowered stays lower");
    await give(world, 120);
    assert.equal((await stopOf(world, id)).price, 110);
  });

  test("rises before the next price, and prices that are read back from before the sale meet it where it was", async () => {
    const { world, id } = await running();
    await world.tick("THYAO", 110);
    assert.equal((await stopOf(world, id)).price, 90);
    const soldMs = world.time.nowMs();
    world.isCatchingUp = true;
    await world.time.advance(1_000);
    const price = livePrice(95);
    assert.ok(price !== undefined);
    world.partition.onTick({ symbol: "THYAO", price, timeMs: soldMs - 1, isCaughtUp: true });
    assert.equal((await stopOf(world, id)).price, 90, "not while prices are read back");
    world.isCatchingUp = false;
    await world.tick("THYAO", 100.2);
    assert.deepEqual(await sells(world), [40, 100]);
    assert.equal((await stopOf(world, id)).price, 100.3);
  });

  test("counts what was sold before a change gave it, and sells at once where the price is under it", async () => {
    const { world, id } = await running({});
    await give(world, 110, 101);
    const reply = await change(world, id, { stopLossLadder: [{ afterTakeProfits: 1, to: "entry" }], entryPrice: 105 });
    assert.ok(reply.ok);
    assert.deepEqual(await sells(world), [40, 100]);
    assert.equal((await stopOf(world, id)).price, 105);
  });

  test("ends by a change; a raise keeps the version, a change raises it", async () => {
    const { world, id } = await running();
    const { version } = await planOf(world, id);
    const same = await change(world, id, { stopLossLadder: LADDER });
    assert.ok(same.ok && same.version === version, "the same rungs change nothing");
    const ended = await change(world, id, { stopLossLadder: null });
    assert.ok(ended.ok && ended.version === version + 1);
    await give(world, 110);
    assert.equal((await stopOf(world, id)).price, 90);
    assert.equal((await planOf(world, id)).ladder, null);
  });

  test("together with a distance: the higher one counts", async () => {
    const { world, id } = await running({
      ...{ stopLossLadder: LADDER, entryPrice: 100 },
      stopLossTrailing: { distance: 15, confirmTicks: 1 },
    });
    await give(world, 110);
    assert.equal((await stopOf(world, id)).price, 100.3);
    await give(world, 118);
    // The stored row follows within a second (behaviour 19.8).
    await world.time.advance(1_000);
    assert.equal((await stopOf(world, id)).price, 103);
  });

  test("of a pending OCO leads to the fill", async () => {
    const world = await holding();
    const buy = await world.order({ price: 99, quantity: 100 });
    await world.done(COMMANDS.registerSetup, {
      ...{ ...PLACE, symbol: "THYAO", brokerOrderNo: buy.orderNo, stopLossPrice: 90, stopLossQuantity: 100 },
      ...{ takeProfitItems: LEVELS.takeProfitItems, stopLossLadder: [{ afterTakeProfits: 1, to: "entry" }] },
    });
    await give(world, 98.9);
    await world.time.advance(3_000);
    await give(world, 110);
    const [stop] = (await world.query(QUERIES.listGroups, PLACE)) as readonly OcoRowView[];
    const fill = (await world.orders()).find(({ orderNo }) => orderNo === buy.orderNo)?.averagePrice ?? 0;
    assert.equal(stop?.price, Math.floor(fill * 20) / 20);
  });

  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ stopLossLadder: [{ afterTakeProfits: 1, to: "entry" }] }, /^stopLossLadder\[0\]\.to entry needs entryPrice$/],
    [{ entryPrice: 100 }, /^entryPrice is of use with stopLossLadder only$/],
    [
      { stopLossLadder: [{ afterTakeProfits: 1, to: "previousTakeProfit" }] },
      /^stopLossLadder\[0\]\.to previousTakeProfit needs at least 2 take-profits$/,
    ],
    [
      { stopLossLadder: [{ afterTakeProfits: 4, to: "previousTakeProfit" }] },
      /^stopLossLadder\[0\]\.afterTakeProfits must be at most 3$/,
    ],
    [
      { stopLossLadder: [LADDER[1], LADDER[1]] },
      /^stopLossLadder\[1\]\.afterTakeProfits must be above the value of the rung before$/,
    ],
    [
      { stopLossLadder: [{ afterTakeProfits: 1, to: "entry" }], entryPrice: 110 },
      /^stopLossLadder\[0\] must lie under the take-profit after which it counts$/,
    ],
    [
      { stopLossLadder: [{ afterTakeProfits: 1, to: "entry", offset: 0.001 }], entryPrice: 100 },
      /^stopLossLadder\[0\]\.offset 0\.001 has more than two decimals$/,
    ],
  ];
  for (const [more, told] of wrong) {
    test(`${JSON.stringify(more)} is refused by field and rule, at a create and at a change`, async () => {
      const world = await holding();
      const refused = await world.command(COMMANDS.createGroup, { ...PLACE, ...LEVELS, ...more });
      assert.ok(!refused.ok);
      assert.deepEqual([refused.code, told.test(refused.message)], ["INVALID", true], refused.message);
      const { id } = (await world.done(COMMANDS.createGroup, { ...PLACE, ...LEVELS })) as OcoRowView;
      const unchanged = await change(world, id, more);
      assert.ok(!unchanged.ok);
      assert.match(unchanged.message, told);
    });
  }
});
