/** Measures of the exchange, from the trigger to the last lot (behaviour 23). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../../src/contract/operator/band.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import type { Effects } from "../../../../src/domain/market/measure.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [{ price: 110, quantity: 40 }],
};
const MINUTE_MS = 60_000;

async function opened(effects: Effects, resend: "query" | "idempotent" = "query"): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 200 } });
  const world = await startWorld({ paper, settings: { resend } });
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, GROUP);
  await set(world, effects);
  return world;
}

/** The measures of THYAO from now on; undefined: none is in force. */
async function set({ partition, time }: TradingWorld, effects: Effects | undefined): Promise<void> {
  const measures = effects === undefined ? [] : [{ restrictionType: 99, effects }];
  void partition.decide(() => partition.measures.replaceInTurn([{ symbol: "THYAO", measures }]));
  await time.advance(1);
}

async function setBand(world: TradingWorld, floorPrice: number): Promise<void> {
  const bands = [{ symbol: "THYAO", floorPrice, ceilingPrice: 120 }];
  await world.done(BAND_COMMANDS.write, { source: "operator", bands });
}

async function rowsOf(world: TradingWorld): Promise<OcoRowView[]> {
  return (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
}

async function ordersOf(world: TradingWorld): Promise<(readonly [number, number, number])[]> {
  return (await world.orders()).map(({ orderType, price, quantity }) => [orderType, price, quantity] as const);
}

describe("a symbol that takes no market orders", () => {
  test("sells a stop-loss and a take-profit with a limit at the floor", async () => {
    const world = await opened({ noMarket: true });
    await setBand(world, 81);
    await world.tick("THYAO", 111);
    await world.tick("THYAO", 89.9);
    const [row] = await rowsOf(world);
    const plan = (await world.query(QUERIES.readPlan, { id: row?.id ?? 0 })) as PlanView;
    assert.deepEqual(plan.restrictions, [
      { restrictionType: 99, restrictionTypeName: "Diger", effects: { noMarket: true } },
    ]);
    assert.deepEqual(await ordersOf(world), [
      [2, 81, 40],
      [2, 81, 100],
    ]);
    assert.deepEqual(world.eventsOf("alarm.measure"), []);
  });

  test("sells at market where no floor is known, and its owner is warned", async () => {
    const world = await opened({ noMarket: true });
    await world.tick("THYAO", 89.9);
    assert.deepEqual(
      (await world.orders()).map(({ orderType }) => orderType),
      [1],
    );
    assert.match(String(world.eventsOf("alarm.measure")[0]?.message), /its floor of today is not known/);
  });
});

describe("a symbol whose order book a measure closed", () => {
  for (const resend of ["query", "idempotent"] as const) {
    test(`sends nothing until the measure ends, over a restart too, and then one order (${resend})`, async () => {
      const world = await opened({ halted: true }, resend);
      await world.tick("THYAO", 89.9);
      await world.time.advance(MINUTE_MS);
      assert.equal(world.eventsOf("alarm.measure").length, 1);
      await world.restart();
      await world.time.advance(MINUTE_MS);
      assert.deepEqual(world.sent, []);
      assert.equal(world.eventsOf("alarm.measure").length, 2, "its owner is told again");
      await set(world, undefined);
      await world.tick("THYAO", 89.9);
      await world.time.advance(MINUTE_MS);
      assert.equal(world.sent.length, 1);
      const [row] = await rowsOf(world);
      assert.deepEqual([row?.status, (await world.orders()).map(({ filledQuantity }) => filledQuantity)], [2, [100]]);
    });
  }

  test("sends the order that waited at once after a restart during which the measure ended", async () => {
    const world = await opened({ halted: true });
    await world.tick("THYAO", 89.9);
    await world.restart();
    assert.deepEqual(world.sent, []);
    await set(world, undefined);
    await world.time.advance(1);
    assert.equal(world.sent.length, 1);
  });

  test("uses no place of the quota while it waits", async () => {
    const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 200 } });
    const world = await startWorld({ paper, settings: { resend: "query", ordersPerMinute: 1 } });
    await world.tick("THYAO", 100);
    await world.done(COMMANDS.createGroup, GROUP);
    await set(world, { halted: true });
    await world.tick("THYAO", 89.9);
    await set(world, undefined);
    await world.time.advance(1);
    assert.equal(world.sent.length, 1);
  });

  test("sends a client's order as ever", async () => {
    const world = await opened({ halted: true });
    const order = { ...ACCOUNT, symbol: "THYAO", orderType: 1, buySell: 2, price: 0, quantity: 1 };
    await world.done(COMMANDS.placeOrder, order);
    assert.equal(world.sent.length, 1);
  });

  test("waits for continuous trading where only the auctions are closed to it", async () => {
    const world = await opened({ noOpenClose: true });
    const takes = ["market", "limit"] as const;
    const phases = [
      { name: "auction", from: "08:00", to: "09:02", takes },
      { name: "continuous", from: "09:02", to: "15:00", takes },
    ];
    const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
    assert.ok(planned.ok);
    world.calendar = planned.value;
    await world.tick("THYAO", 89.9);
    await world.time.advance(MINUTE_MS);
    assert.deepEqual(world.sent, []);
    await world.time.advance(MINUTE_MS);
    assert.equal(world.sent.length, 1);
  });
});

describe("a symbol whose orders have a largest value", () => {
  test("is sold in orders under it, one after another, in one row", async () => {
    const world = await opened({ valueCap: 5_000 });
    await world.tick("THYAO", 89.9);
    for (let count = 0; count < 5; count += 1) {
      await world.time.advance(5);
      await world.tick("THYAO", 89.9);
    }
    assert.deepEqual(
      (await world.orders()).map(({ quantity, filledQuantity }) => [quantity, filledQuantity]),
      [
        [55, 55],
        [45, 45],
      ],
    );
    const [row] = await rowsOf(world);
    assert.deepEqual([row?.status, row?.triggerErrorMessage], [2, null]);
  });

  test("is sold to the last lot with more than a hundred orders", async () => {
    const world = await opened({ valueCap: 60 });
    for (let count = 0; count < 400; count += 1) {
      await world.tick("THYAO", 59);
      await world.time.advance(5);
    }
    assert.equal((await world.orders()).length, 100);
    const [row] = await rowsOf(world);
    const plan = (await world.query(QUERIES.readPlan, { id: row?.id ?? 0 })) as PlanView;
    assert.deepEqual([plan.exit.state, plan.exit.soldQuantity], ["sold", 100]);
  });
});

describe("a capped stop-loss of whose symbol no price is known", () => {
  /** The first order after a restart, as the clock fires the stop-loss. */
  async function firstOrder(hasBand: boolean): Promise<number | undefined> {
    const world = await opened({ valueCap: 5_500 });
    if (hasBand) await setBand(world, 81);
    const [row] = await rowsOf(world);
    const at = new Date(world.time.nowMs() + MINUTE_MS).toISOString();
    await world.done(COMMANDS.changeGroup, { id: row?.id ?? 0, change: { exit: { at } } });
    await world.restart();
    assert.equal(world.prices.size, 0);
    await world.time.advance(MINUTE_MS + 1_000);
    // Without a price the brokerage does not take it yet: it leaves as it was made.
    await world.tick("THYAO", 100);
    await world.time.advance(MINUTE_MS);
    return (await world.orders())[0]?.quantity;
  }

  test("is sold in orders that are under the cap at the ceiling of the day", async () => {
    assert.equal(await firstOrder(true), 45, "5,500 buys 45 lots at the ceiling of 120");
  });

  test("is sold in orders under the cap at the highest price that its group names, if no band is known", async () => {
    assert.equal(await firstOrder(false), 50, "at the take-profit of 110");
  });
});

describe("the owner of an active group", () => {
  test("is notified once of each change, over restarts, and of no change that is none", async () => {
    const world = await opened({ noMarket: true });
    await set(world, { noMarket: true });
    await world.time.advance(100);
    await world.restart();
    await set(world, { noMarket: true });
    assert.deepEqual(
      world.eventsOf("oco.restricted").map(({ effects }) => effects),
      [{ noMarket: true }],
    );
    await set(world, undefined);
    await world.time.advance(100);
    await world.restart();
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("oco.restricted").length, 1);
    assert.equal(world.eventsOf("oco.unrestricted").length, 1);
  });

  test("hears of the measures when a group is made, which is never refused for one", async () => {
    const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } }) });
    await world.tick("THYAO", 100);
    await set(world, { halted: true, noMarket: true });
    const reply = await world.command(COMMANDS.createGroup, GROUP);
    assert.ok(reply.ok);
    assert.match(reply.message ?? "", /under measures of its exchange \(noMarket, halted\)/);
  });
});

test("an order at the floor that the market did not take leaves at the floor that is known when it leaves", async () => {
  const world = await opened({ noMarket: true });
  await setBand(world, 81);
  world.isClosed = true;
  await world.tick("THYAO", 89.9);
  await world.time.advance(10);
  await setBand(world, 73);
  world.isClosed = false;
  await world.time.advance(2 * MINUTE_MS);
  const [order, ...others] = await ordersOf(world);
  assert.deepEqual([order, others], [[2, 73, 100], []]);
});

test("an order leaves at the floor if market orders are refused while its attempt is written, and once (behaviour 23.7)", async () => {
  const world = await opened({});
  await setBand(world, 81);
  world.isClosed = true;
  await world.tick("THYAO", 89.9);
  await world.time.advance(10);
  assert.equal(world.sent.length, 1);
  world.isClosed = false;
  world.writeMs = 400;
  const sendingCount = () => world.partition.outbox.stats().byState.sending ?? 0;
  for (let waited = 0; sendingCount() === 0 && waited < 100; waited += 1) await world.time.advance(100);
  assert.deepEqual([sendingCount(), world.sent.length], [1, 1], "its attempt is being written");
  await set(world, { noMarket: true });
  await world.time.advance(2_000);
  assert.equal(world.sent.length, 2);
  assert.deepEqual(await ordersOf(world), [[2, 81, 100]]);
});
