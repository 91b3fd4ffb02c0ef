/** Entries that expire, that are sized by an amount, and whose cancel is refused (behaviour 24.3, 24.10, 24.12). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const entry = {
  ...place,
  symbol: "THYAO",
  entry: { orderType: 2, price: 100, quantity: 100 },
  stopLossPercent: 3,
  takeProfitItems: [{ percent: 5, quantityPercent: 100 }],
};

const pendingOf = (world: TradingWorld) => world.query("setup.list", place) as Promise<SetupView[]>;
const buysOf = async (world: TradingWorld) => (await world.orders()).filter(({ buySell }) => buySell === 1);
const rowsOf = async (world: TradingWorld) =>
  ((await world.query("oco.list", place)) as OcoRowView[]).map(({ quantity }) => quantity);

/** A world in which the price is over the entry, so that its limit order rests. */
async function quiet(): Promise<TradingWorld> {
  const world = await startWorld({});
  await world.tick("THYAO", 105);
  return world;
}

function expiring(world: TradingWorld, inMs = 60_000): object {
  return { entry: { ...entry.entry, expiresAt: new Date(world.time.nowMs() + inMs).toISOString() } };
}

const enter = (world: TradingWorld, change: object) =>
  world.done("setup.enter", { ...entry, ...change }) as Promise<{ setupId: number; quantity: number }>;

describe("an entry that expires", () => {
  test("has its buy cancelled, and shows when", async () => {
    const world = await quiet();
    const atMs = world.time.nowMs() + 60_000;
    await enter(world, expiring(world));
    assert.equal((await pendingOf(world))[0]?.entry?.expiresAt, new Date(atMs).toISOString());
    await world.time.advance(59_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 1);
    await world.time.advance(3_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 3);
    assert.deepEqual(await pendingOf(world), []);
    assert.equal(world.eventsOf("setup.removed")[0]?.isByOwner, false);
  });

  test("while no engine runs is cancelled at the next start", async () => {
    const world = await quiet();
    await enter(world, expiring(world));
    world.kill();
    await world.time.advance(61_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 1);
    await world.start();
    await world.time.advance(2_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 3);
    assert.deepEqual(await pendingOf(world), []);
  });

  test("before its buy was sent is taken back", async () => {
    const world = await startWorld({ settings: { ordersPerMinute: 1 } });
    await world.tick("GARAN", 100);
    await world.done("order.place", { ...place, symbol: "GARAN", quantity: 1, buySell: 1, orderType: 1, price: 0 });
    const sentBefore = world.sent.length;
    const body = { ...entry, ...expiring(world, 5_000) };
    const asked = world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body });
    await world.time.advance(6_000);
    const reply = await asked;
    assert.deepEqual([reply.ok, !reply.ok && reply.code], [false, "CONFLICT"]);
    await world.time.advance(120_000);
    assert.deepEqual([world.sent.length, await pendingOf(world)], [sentBefore, []]);
  });

  test("after a part was filled leaves the group of that part", async () => {
    const world = await quiet();
    await enter(world, expiring(world));
    const [buy] = await buysOf(world);
    assert.ok(buy !== undefined);
    let known: OrderRecord = { ...buy, filledQuantity: 40, averagePrice: 100, orderStatus: 1 };
    world.paper.findOrder = () => Promise.resolve({ ok: true, data: known });
    await world.tell(known);
    assert.deepEqual(await rowsOf(world), [40, 40]);
    world.paper.cancel = () => {
      known = { ...known, orderStatus: 3 };
      return Promise.resolve({ ok: true, data: known });
    };
    await world.time.advance(62_000);
    assert.deepEqual([await rowsOf(world), await pendingOf(world)], [[40, 40], []]);
    assert.equal(world.eventsOf("setup.converted").length, 1);
  });

  test("at a moment that is over, or is no time, is refused", async () => {
    const world = await quiet();
    for (const [expiresAt, message] of [
      ["2000-01-01", /^entry\.expiresAt must be in the future/],
      ["soon", /^entry\.expiresAt is not an ISO 8601 time/],
    ] as const) {
      const reply = await world.command("setup.enter", { ...entry, entry: { ...entry.entry, expiresAt } });
      assert.match(String(reply.message), message);
    }
    assert.deepEqual(world.sent, []);
  });

  test("whose cancel the brokerage refuses stays open and covered, and its owner is told once", async () => {
    const world = await quiet();
    await enter(world, expiring(world));
    const { cancel } = world.paper;
    world.paper.cancel = () => Promise.resolve({ ok: false, code: "REJECTED", message: "orders cannot be cancelled" });
    await world.time.advance(61_000);
    // It may have ended in that moment.
    assert.deepEqual(world.eventsOf("setup.cancelRefused"), []);
    await world.time.advance(10_000);
    const [told] = world.eventsOf("setup.cancelRefused");
    assert.match(String(told?.message), /refuses to cancel the buy, which stays open: orders cannot be cancelled/);
    await world.restart();
    await world.time.advance(60_000);
    assert.equal(world.eventsOf("setup.cancelRefused").length, 1);
    const [pending] = await pendingOf(world);
    assert.deepEqual([pending?.entry?.isEnding, pending?.orderMessage], [true, told?.message]);
    await world.tick("THYAO", 100);
    await world.time.advance(1_000);
    assert.deepEqual(await rowsOf(world), [100, 100]);
    world.paper.cancel = cancel;
  });
});

describe("an entry by an amount", () => {
  test("at market counts the last live price; one older than 60 s is none", async () => {
    const world = await quiet();
    const sized = { entry: { orderType: 1, cashAmount: 1_049.99 } };
    assert.equal((await enter(world, sized)).quantity, 9);
    await world.time.advance(100);
    assert.deepEqual(await rowsOf(world), [9, 9]);
    await world.tick("GARAN", 50);
    await world.time.advance(61_000);
    const old = await world.command("setup.enter", { ...entry, symbol: "GARAN", ...sized });
    assert.match(String(old.message), /^entry\.cashAmount needs a price of GARAN that is at most 60 s old/);
  });

  test("by risk to its stop-loss", async () => {
    const world = await quiet();
    const sized = { entry: { orderType: 2, price: 100, riskAmount: 100 } };
    assert.equal((await enter(world, sized)).quantity, 33);
    assert.deepEqual([(await pendingOf(world))[0]?.entry?.quantity, (await buysOf(world))[0]?.quantity], [33, 33]);
  });

  test("that is repeated under its key has the lots of the first request, whatever the price is by then", async () => {
    const world = await quiet();
    const body = { ...entry, entry: { orderType: 1, cashAmount: 1_050 } };
    const first = await world.command("setup.enter", body, { key: "k" });
    await world.tick("THYAO", 210);
    await world.restart();
    await world.tick("THYAO", 210);
    const again = await world.command("setup.enter", body, { key: "k" });
    assert.deepEqual(again, first);
    assert.equal(again.ok && (again.data as { quantity: number }).quantity, 10);
    assert.deepEqual(
      (await buysOf(world)).map(({ quantity }) => quantity),
      [10],
    );
  });
});
