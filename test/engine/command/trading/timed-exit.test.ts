/** A stop-loss that sells by the clock, in an engine (behaviour 21.4). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import type { ReceiptView } from "../../../../src/contract/trading/receipt.ts";
import { TRADING_STATE_COMMANDS } from "../../../../src/contract/trading/trading-state.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const LEVELS = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 4 }] };
const GROUP = { ...ACCOUNT, symbol: "THYAO", ...LEVELS };
const HOUR_MS = 3_600_000;
/** The world begins at 09:00 UTC. */
const AT = "2026-01-05T09:10:00.000Z";

function calendarOf(to: string) {
  const phases = [{ name: "day", from: "07:00", to, takes: ["market", "limit"] as const }];
  const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
  assert.ok(planned.ok);
  return planned.value;
}

async function given(exit: object, fields: object = {}): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } }) });
  world.calendar = calendarOf("09:30");
  await world.tick("THYAO", 100);
  const row = (await world.done(COMMANDS.createGroup, { ...GROUP, exit, ...fields })) as OcoRowView;
  return { world, id: row.id };
}

async function advanceTo(world: TradingWorld, time: string): Promise<void> {
  await world.time.advance(Date.parse(time) - world.time.nowMs());
}

async function statuses(world: TradingWorld): Promise<number[]> {
  return ((await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[]).map(({ status }) => status);
}

const planOf = async (world: TradingWorld, id: number) => (await world.query(QUERIES.readPlan, { id })) as PlanView;

describe("exit.at", () => {
  test("sells the stop-loss at its moment and cancels the take-profits, once, and says that it was the time", async () => {
    const { world, id } = await given({ at: AT });
    const { exit } = await planOf(world, id);
    assert.deepEqual([exit.at, exit.beforeCloseMinutes, exit.sellDate, exit.reason], [AT, null, AT, null]);
    await advanceTo(world, "2026-01-05T09:09:59.500Z");
    assert.equal(world.sent.length, 0);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
    await world.time.advance(60_000);
    assert.deepEqual(await statuses(world), [2, 4]);
    const [triggered] = world.eventsOf("oco.triggered");
    assert.equal(triggered?.reason, "time");
    const fired = await planOf(world, id);
    assert.deepEqual([fired.exit.reason, fired.exit.sellDate], ["time", null]);
    const receipt = (await world.query(QUERIES.readReceipt, { id })) as ReceiptView;
    assert.deepEqual([receipt.tick, receipt.rule], [null, `stop-loss: its time ${AT} came`]);
    assert.equal(world.sent.length, 1);
  });

  test("sells at the start of an engine that was away at its moment, once", async () => {
    const { world } = await given({ at: AT });
    world.kill();
    await advanceTo(world, "2026-01-05T09:13:00.000Z");
    await world.start();
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
    await world.restart();
    await world.tick("THYAO", 80);
    await world.time.advance(1_000);
    assert.equal(new Set(world.sent).size, 1);
    assert.deepEqual(await statuses(world), [2, 4]);
  });

  test("sells once over a kill at its moment, whether or not the batch arrived", async () => {
    for (const isKept of [false, true]) {
      const { world } = await given({ at: AT });
      await advanceTo(world, AT);
      await world.restart(isKept);
      await world.time.advance(5_000);
      assert.equal(new Set(world.sent).size, 1);
      assert.equal((await world.orders()).length, 1);
    }
  });

  test("a price that comes first sells, and the moment then sells nothing", async () => {
    const { world, id } = await given({ at: AT });
    await world.tick("THYAO", 89);
    await world.time.advance(60_000);
    await advanceTo(world, "2026-01-05T09:12:00.000Z");
    assert.equal(world.sent.length, 1);
    assert.equal((await planOf(world, id)).exit.reason, "price");
  });

  test("a due date that comes first ends the group, and nothing is sold", async () => {
    const { world } = await given({ at: AT }, { dueDate: "2026-01-05T09:05:00Z" });
    await advanceTo(world, "2026-01-05T09:12:00.000Z");
    assert.equal(world.sent.length, 0);
    assert.deepEqual(await statuses(world), [4, 4]);
  });

  test("does not sell while even stop-losses are halted, and does once they are not", async () => {
    const { world } = await given({ at: AT });
    const halt = { scope: "user", reason: "test", state: "halted", includingStops: true };
    await world.done(TRADING_STATE_COMMANDS.set, halt);
    await advanceTo(world, "2026-01-05T09:12:00.000Z");
    assert.equal(world.sent.length, 0);
    await world.done(TRADING_STATE_COMMANDS.set, {
      ...{ scope: "user", reason: "test", state: "active", confirm: "RESUME" },
    });
    await world.time.advance(61_000);
    assert.equal(world.sent.length, 1);
  });

  test("is changed and taken away by PATCH, over a restart too", async () => {
    const { world, id } = await given({ at: AT });
    const later = "2026-01-05T09:20:00.000Z";
    await world.done(COMMANDS.changeGroup, { id, change: { exit: { at: later } } });
    assert.equal((await planOf(world, id)).exit.sellDate, later);
    await world.restart();
    await advanceTo(world, "2026-01-05T09:13:00.000Z");
    assert.equal(world.sent.length, 0);
    await world.done(COMMANDS.changeGroup, { id, change: { exit: { at: null } } });
    const { version, exit } = await planOf(world, id);
    assert.deepEqual([version, exit.at, exit.sellDate], [3, null, null]);
    await advanceTo(world, "2026-01-05T09:25:00.000Z");
    assert.equal(world.sent.length, 0);
    await world.tick("THYAO", 89);
    assert.equal(world.sent.length, 1, "its price still sells it");
  });
});

describe("exit.beforeCloseMinutes", () => {
  test("sells before the close of the exchange's calendar", async () => {
    const { world, id } = await given({ beforeCloseMinutes: 15 });
    assert.equal((await planOf(world, id)).exit.sellDate, "2026-01-05T09:15:00.000Z");
    await advanceTo(world, "2026-01-05T09:14:59.500Z");
    assert.equal(world.sent.length, 0);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
  });

  test("is a 400 without a calendar, at create and at PATCH", async () => {
    const { world, id } = await given({ at: AT });
    world.calendar = undefined;
    const message = "exit.beforeCloseMinutes needs a trading calendar; the exchange of the symbol does not have one";
    const exit = { beforeCloseMinutes: 15 };
    const created = await world.command(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN", exit });
    const changed = await world.command(COMMANDS.changeGroup, { id, change: { exit } });
    for (const reply of [created, changed]) {
      assert.deepEqual(reply.ok ? "" : [reply.code, reply.message], ["INVALID", message]);
    }
  });

  test("of a pending OCO counts from its fill", async () => {
    const { world } = await given({ at: AT });
    const order = await world.order({ symbol: "GARAN", price: 100, quantity: 10 });
    await world.done(COMMANDS.registerSetup, {
      ...{ ...ACCOUNT, symbol: "GARAN", brokerOrderNo: order.orderNo, ...LEVELS },
      exit: { beforeCloseMinutes: 15 },
    });
    // It fills after the moment of the first day.
    await advanceTo(world, "2026-01-05T09:16:00.000Z");
    await world.tick("GARAN", 100);
    await world.time.advance(5_000);
    const rows = (await world.query(QUERIES.listGroups, { ...ACCOUNT, symbol: "GARAN" })) as OcoRowView[];
    const { exit } = await planOf(world, rows.find(({ symbol }) => symbol === "GARAN")?.id ?? 0);
    assert.deepEqual([exit.beforeCloseMinutes, exit.sellDate], [15, "2026-01-06T09:15:00.000Z"]);
  });
});

describe("a pending OCO that converts after its exit.at (behaviour 21.5)", () => {
  async function registered(exit: object): Promise<{ world: TradingWorld }> {
    const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: {} }) });
    world.calendar = calendarOf("09:30");
    await world.tick("THYAO", 105);
    const order = await world.order({ price: 100, quantity: 10 });
    await world.done(COMMANDS.registerSetup, { ...GROUP, brokerOrderNo: order.orderNo, exit });
    return { world };
  }

  async function planOfGroup(world: TradingWorld): Promise<PlanView> {
    const [row] = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
    return planOf(world, row?.id ?? 0);
  }

  test("sells nothing at once: its group watches its levels, and its owner is told", async () => {
    const { world } = await registered({ at: AT });
    await advanceTo(world, "2026-01-05T09:15:00.000Z");
    await world.tick("THYAO", 100);
    await world.time.advance(HOUR_MS);
    assert.deepEqual([await statuses(world), world.sent], [[1, 1], []]);
    const { exit } = await planOfGroup(world);
    assert.deepEqual([exit.at, exit.sellDate], [null, null]);
    const message = `exit.at ${AT} had passed before the group was made, so it does not sell at that time`;
    assert.equal(world.eventsOf("setup.converted")[0]?.message, message);
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1, "and its stop-loss sells by its price");
  });

  test("the same where the order filled before, while no engine ran", async () => {
    const { world } = await registered({ at: AT });
    world.kill(true);
    const price = livePrice(100);
    assert.ok(price !== undefined);
    world.paper.onTick("THYAO", price, world.time.nowMs());
    await advanceTo(world, "2026-01-05T09:15:00.000Z");
    await world.start();
    await world.time.advance(HOUR_MS);
    assert.deepEqual([await statuses(world), world.sent], [[1, 1], []]);
    assert.match(String(world.eventsOf("setup.converted")[0]?.message), /^exit\.at .* had passed/);
  });

  test("beforeCloseMinutes counts all the same, and a moment that is to come", async () => {
    const { world } = await registered({ at: AT, beforeCloseMinutes: 10 });
    await advanceTo(world, "2026-01-05T09:15:00.000Z");
    await world.tick("THYAO", 100);
    await world.time.advance(1_000);
    assert.equal((await planOfGroup(world)).exit.sellDate, "2026-01-05T09:20:00.000Z");
    const early = await registered({ at: AT });
    await early.world.tick("THYAO", 100);
    await early.world.time.advance(1_000);
    assert.equal((await planOfGroup(early.world)).exit.sellDate, AT);
    assert.equal(early.world.eventsOf("setup.converted")[0]?.message, undefined);
  });
});
