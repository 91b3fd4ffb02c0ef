/** Exits that meet a closed market (behaviour 21). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../../src/contract/operator/band.ts";
import { SESSION_QUERIES } from "../../../../src/contract/operator/session.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};
const MINUTE_MS = 60_000;
/** The world begins on a Monday at 09:00 UTC. */
const OPENS = "2026-01-05T09:40:00.000Z";

async function worldWithCalendar(to: string, resend: "query" | "idempotent" = "query"): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({
    startingPositions: { THYAO: 100 },
    fillShareMax: 0.5,
    cancelsMarketRest: true,
  });
  const world = await startWorld({ paper, settings: { resend } });
  const takes = ["market", "limit"] as const;
  const phases = [
    { name: "morning", from: "07:00", to, takes },
    { name: "day", from: "09:40", to: "15:00", takes },
  ];
  const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
  assert.ok(planned.ok);
  world.calendar = planned.value;
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, GROUP);
  return world;
}

async function planOf(world: TradingWorld): Promise<PlanView> {
  const [row] = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
  return (await world.query(QUERIES.readPlan, { id: row?.id ?? 0 })) as PlanView;
}

async function soldLots(world: TradingWorld): Promise<number> {
  return (await world.orders()).reduce((sum, order) => sum + order.filledQuantity, 0);
}

async function advanceTo(world: TradingWorld, time: string): Promise<void> {
  await world.time.advance(Date.parse(time) - world.time.nowMs());
}

describe("a stop-loss that fires while the market is closed", () => {
  test("is sent at once whatever the calendar says, and waits for the opening once the market does not take it", async () => {
    const world = await worldWithCalendar("08:00");
    world.isClosed = true;
    await world.tick("THYAO", 89);
    await world.time.advance(30 * MINUTE_MS);
    assert.equal(world.sent.length, 3, "and each quarter of an hour, as the calendar may be wrong");
    const [waits, ...others] = world.eventsOf("oco.waitsForSession");
    assert.deepEqual([waits?.until, others], [OPENS, []]);
    const { exit } = await planOf(world);
    assert.deepEqual([exit.state, exit.waitsForSession, exit.nextOrderDate], ["selling", true, OPENS]);
    world.isClosed = false;
    await advanceTo(world, "2026-01-05T09:45:00.000Z");
    assert.equal(await soldLots(world), 10);
    assert.equal((await planOf(world)).exit.waitsForSession, false);
  });

  test("is sold at once where the calendar is wrong and the market is open", async () => {
    const world = await worldWithCalendar("08:00");
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
    assert.ok((await soldLots(world)) > 0);
  });

  test("waits again after a restart, and no order is sent twice", async () => {
    for (const resend of ["query", "idempotent"] as const) {
      const world = await worldWithCalendar("08:00", resend);
      world.isClosed = true;
      await world.tick("THYAO", 89);
      await world.time.advance(10 * MINUTE_MS);
      await world.restart();
      await world.time.advance(10 * MINUTE_MS);
      assert.equal((await planOf(world)).exit.nextOrderDate, OPENS, resend);
      await advanceTo(world, "2026-01-05T09:39:59.500Z");
      const sentCount = world.sent.length;
      world.isClosed = false;
      await world.time.advance(600);
      assert.equal(world.sent[sentCount], world.sent[0], `${resend}: it is sent at the opening`);
      await world.tick("THYAO", 89);
      await world.time.advance(120_000);
      assert.equal(await soldLots(world), 10);
      assert.equal(new Set(world.sent).size, (await world.orders()).length);
    }
  });
});

/** A stop-loss that fires a second before the close, and whose rest is left after it. */
async function leftAtClose(): Promise<TradingWorld> {
  const world = await worldWithCalendar("09:10");
  await advanceTo(world, "2026-01-05T09:09:59.000Z");
  await world.tick("THYAO", 89);
  // The rest of the first order is reported after the close.
  await world.time.advance(30_000);
  assert.ok((await soldLots(world)) < 10);
  return world;
}

describe("an exit that is not sold at the close", () => {
  test("goes on with one order at the next opening, over a restart too, and tries it before", async () => {
    for (const isRestarted of [false, true]) {
      const world = await leftAtClose();
      world.isClosed = true;
      const sentCount = world.sent.length;
      const { exit } = await planOf(world);
      assert.deepEqual([exit.state, exit.waitsForSession, exit.nextOrderDate], ["waiting", true, OPENS]);
      if (isRestarted) await world.restart();
      await advanceTo(world, "2026-01-05T09:24:00.000Z");
      assert.equal(world.sent.length, sentCount);
      await advanceTo(world, "2026-01-05T09:39:59.000Z");
      const tried = world.sent.slice(sentCount);
      assert.equal(new Set(tried).size, 1, "one order is tried");
      assert.equal(world.eventsOf("oco.waitsForSession").length, 1);
      world.isClosed = false;
      await world.time.advance(1_400);
      assert.equal(world.sent[sentCount + tried.length], tried[0], "and sent at the opening");
      await world.tick("THYAO", 89);
      await world.time.advance(120_000);
      assert.equal((await planOf(world)).exit.soldQuantity, 10);
      assert.equal(await soldLots(world), 10);
    }
  });

  test("whose next try was due while no engine ran leaves at the floor once the market is open (behaviour 17.2)", async () => {
    const world = await leftAtClose();
    const bands = [{ symbol: "THYAO", floorPrice: 81, ceilingPrice: 120 }];
    await world.done(BAND_COMMANDS.write, { source: "operator", bands });
    const before = (await world.orders()).length;
    world.kill();
    // No timer of the engine that died runs.
    await advanceTo(world, "2026-01-05T09:45:00.000Z");
    await world.start();
    await world.time.advance(2_000);
    const [next] = (await world.orders()).slice(before);
    assert.deepEqual([next?.orderType, next?.price], [2, 81]);
  });

  test("is tried after a quarter of an hour where the calendar is wrong and the market is open", async () => {
    const world = await leftAtClose();
    const soldBefore = await soldLots(world);
    await advanceTo(world, "2026-01-05T09:26:00.000Z");
    assert.ok((await soldLots(world)) > soldBefore);
  });

  test("does not end by a refusal of what is tried while the market is closed", async () => {
    const world = await leftAtClose();
    const place = world.paper.place.bind(world.paper);
    world.paper.place = async () => ({ ok: false, code: "REJECTED", message: "the market is closed" });
    const sentCount = world.sent.length;
    await advanceTo(world, "2026-01-05T09:39:00.000Z");
    assert.equal(world.sent.length, sentCount + 1, "it was tried");
    assert.deepEqual(world.eventsOf("alarm.exitStopped"), []);
    const { exit } = await planOf(world);
    assert.deepEqual([exit.state, exit.waitsForSession, exit.nextOrderDate], ["waiting", true, OPENS]);
    assert.equal(world.eventsOf("oco.waitsForSession").length, 1);
    world.paper.place = place;
    await advanceTo(world, "2026-01-05T09:40:02.000Z");
    await world.tick("THYAO", 89);
    await world.time.advance(180_000);
    assert.equal(await soldLots(world), 10);
  });

  test("ends by a refusal while the market is open", async () => {
    const world = await leftAtClose();
    world.paper.place = async () => ({ ok: false, code: "REJECTED", message: "no such position" });
    await advanceTo(world, "2026-01-05T09:41:00.000Z");
    assert.equal(world.eventsOf("alarm.exitStopped").length, 1);
  });
});

test("the session of a symbol is its phase, and the next change (behaviour 21.7)", async () => {
  const world = await worldWithCalendar("09:10");
  const session = async () => (await world.query(SESSION_QUERIES.read, { symbol: "THYAO" })) as object | null;
  const both = ["market", "limit"];
  const shared = { symbol: "THYAO", mic: "XTST", nextPhase: "day" };
  const open = { ...shared, phase: "morning", takes: both, changeDate: "2026-01-05T09:10:00.000Z" };
  assert.deepEqual(await session(), open);
  await advanceTo(world, "2026-01-05T09:11:00.000Z");
  assert.deepEqual(await session(), { ...shared, phase: null, takes: [], changeDate: OPENS });
  world.calendar = undefined;
  assert.equal(await session(), null);
  const unknown = (await world.query(SESSION_QUERIES.read, { symbol: "NOSUCH" })) as { readonly code?: string };
  assert.equal(unknown.code, "NOT_FOUND");
});
