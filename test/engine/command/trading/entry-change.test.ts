/** Changing the trigger and the expiry of an entry, over a partition and a paper brokerage (behaviour 24.13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const exits = { stopLossPercent: 3, takeProfitItems: [{ percent: 5, quantityPercent: 100 }] };
const stopEntry = { ...place, ...exits, symbol: "THYAO", entry: { orderType: 3, triggerPrice: 104, quantity: 10 } };
const limitEntry = { ...place, ...exits, symbol: "THYAO", entry: { orderType: 2, price: 100, quantity: 100 } };

async function worldAt(price: number): Promise<TradingWorld> {
  const world = await startWorld({});
  await world.tick("THYAO", price);
  return world;
}

async function enter(world: TradingWorld, body: object): Promise<number> {
  return ((await world.done("setup.enter", body)) as { setupId: number }).setupId;
}

const change = (world: TradingWorld, id: number, request: object, versions?: readonly number[]): Promise<Reply> =>
  world.command("setup.change", { id, change: request, ...(versions !== undefined && { versions }) });

function refusal(reply: Reply): string {
  return reply.ok ? "" : `${reply.code} ${reply.message}`;
}

const pendingOf = (world: TradingWorld) => world.query("setup.list", place) as Promise<SetupView[]>;
const buysOf = async (world: TradingWorld) => (await world.orders()).filter(({ buySell }) => buySell === 1);
const lotsBought = async (world: TradingWorld) => (await buysOf(world)).map(({ quantity }) => quantity);
const rowsOf = async (world: TradingWorld) =>
  ((await world.query("oco.list", place)) as OcoRowView[]).map(({ quantity }) => quantity);
const timeIn = (world: TradingWorld, ms: number): string => new Date(world.time.nowMs() + ms).toISOString();

describe("the trigger of a stop entry that waits", () => {
  test("moves up: the old level buys nothing, also after a kill, and the new one buys once", async () => {
    const world = await worldAt(100);
    const id = await enter(world, stopEntry);
    const reply = await change(world, id, { triggerPrice: 106, notes: "up" }, [1]);
    assert.ok(reply.ok);
    assert.equal(reply.message, "The pending OCO was changed; THYAO must rise to 106 before the entry buys");
    assert.deepEqual([reply.version, (reply.data as SetupView).entry?.triggerPrice], [2, 106]);
    assert.equal(world.eventsOf("setup.changed").length, 1);
    await world.tick("THYAO", 104.5);
    await world.restart();
    await world.tick("THYAO", 105.9);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 106);
    await world.time.advance(100);
    assert.deepEqual([await lotsBought(world), await rowsOf(world)], [[10], [10, 10]]);
  });

  test("that the last price has reached by then buys at once, and the answer states it", async () => {
    const world = await worldAt(100);
    const id = await enter(world, stopEntry);
    await world.tick("THYAO", 102.5);
    const reply = await change(world, id, { triggerPrice: 102 });
    assert.ok(reply.ok);
    assert.match(reply.message ?? "", /; THYAO is at 102\.5, at or over the trigger 102, so it buys immediately$/);
    assert.equal((reply.data as SetupView).entry?.triggeredPrice, 102.5);
    assert.equal(world.eventsOf("setup.triggered").length, 1);
    await world.restart();
    await world.tick("THYAO", 104);
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [10]);
  });

  for (const isKept of [true, false]) {
    test(`is moved and buys in one batch (${isKept ? "kept" : "lost"} at a kill)`, async () => {
      const world = await worldAt(100);
      const id = await enter(world, stopEntry);
      await world.tick("THYAO", 102.5);
      const { outbox } = world.partition;
      const submit = outbox.submit.bind(outbox);
      outbox.submit = (order) => {
        submit(order);
        queueMicrotask(() => world.kill(isKept));
      };
      const body = { id, change: { triggerPrice: 102 } };
      void world.partition.handleCommand({ type: "setup.change", userId: 7, requestId: "r", body });
      await world.time.turns();
      await world.start();
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), isKept ? [10] : []);
      await world.tick("THYAO", 104);
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), [10]);
    });
  }

  test("is newly armed: a missed price from before the change does not count, a later one does", async () => {
    for (const [isAfter, lots] of [
      [true, [10]],
      [false, []],
    ] as const) {
      const world = await worldAt(100);
      const id = await enter(world, stopEntry);
      if (isAfter) assert.ok((await change(world, id, { triggerPrice: 102 })).ok);
      await world.time.advance(100);
      const early = world.time.nowMs() - 50;
      if (!isAfter) assert.ok((await change(world, id, { triggerPrice: 102 })).ok);
      await world.restartMissing("THYAO", 103, early);
      await world.tick("THYAO", 101);
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), lots, `isAfter ${isAfter}`);
    }
  });

  test("cannot be moved once it was reached, nor while missed prices are read back", async () => {
    const world = await worldAt(100);
    const id = await enter(world, stopEntry);
    world.isCatchingUp = true;
    assert.match(refusal(await change(world, id, { triggerPrice: 110 })), /^UNAVAILABLE prices of THYAO/);
    assert.ok((await change(world, id, { notes: "x" })).ok);
    world.isCatchingUp = false;
    world.isClosed = true;
    await world.tick("THYAO", 104);
    const reached = await change(world, id, { triggerPrice: 110 });
    assert.match(refusal(reached), /^CONFLICT the trigger was reached already/);
    assert.equal((await pendingOf(world))[0]?.entry?.triggerPrice, 104);
  });

  test("is moved by one of a hundred clients with one version", async () => {
    const world = await worldAt(100);
    const id = await enter(world, stopEntry);
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => change(world, id, { triggerPrice: 105 + index }, [1])),
    );
    assert.equal(replies.filter(({ ok }) => ok).length, 1);
    assert.equal(replies.filter((reply) => refusal(reply).startsWith("PRECONDITION_FAILED")).length, 99);
    assert.equal((await pendingOf(world))[0]?.entry?.triggerPrice, 105);
  });

  test("under the last price waits while its symbol is held, and while trading is halted", async () => {
    const world = await worldAt(100);
    const id = await enter(world, stopEntry);
    await world.tick("THYAO", 102.5);
    void world.partition.decide(() => world.partition.holds.holdInTurn("THYAO", "split"));
    await world.time.turns();
    const held = await change(world, id, { triggerPrice: 102 });
    assert.match(held.message ?? "", /must rise to 102 .*; THYAO is held .* split$/);
    await world.done("trading.set", { scope: "user", state: "halted", reason: "pause" });
    void world.partition.decide(() => world.partition.holds.releaseInTurn("THYAO"));
    await world.time.turns();
    const halted = await change(world, id, { triggerPrice: 101 });
    assert.match(halted.message ?? "", /must rise to 101 .*; trading is halted: pause$/);
    assert.deepEqual(world.sent, []);
    await world.done("trading.set", { scope: "user", state: "active", reason: "on", confirm: "RESUME" });
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [10]);
  });
});

describe("the expiry of an entry", () => {
  test("moves: its buy is cancelled at the new moment, also after a restart", async () => {
    const world = await worldAt(105);
    const id = await enter(world, { ...limitEntry, entry: { ...limitEntry.entry, expiresAt: timeIn(world, 60_000) } });
    const expiresAt = timeIn(world, 120_000);
    assert.ok((await change(world, id, { expiresAt })).ok);
    assert.equal((await pendingOf(world))[0]?.entry?.expiresAt, expiresAt);
    await world.restart();
    await world.time.advance(100_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 1);
    await world.time.advance(22_000);
    assert.deepEqual([(await buysOf(world))[0]?.orderStatus, await pendingOf(world)], [3, []]);
  });

  test("is taken away by null, also once a part has its group, and given again", async () => {
    const world = await worldAt(105);
    const id = await enter(world, { ...limitEntry, entry: { ...limitEntry.entry, expiresAt: timeIn(world, 60_000) } });
    const [buy] = await buysOf(world);
    assert.ok(buy !== undefined);
    let known: OrderRecord = { ...buy, filledQuantity: 40, averagePrice: 100, orderStatus: 1 };
    world.paper.findOrder = () => Promise.resolve({ ok: true, data: known });
    world.paper.cancel = () => {
      known = { ...known, orderStatus: 3 };
      return Promise.resolve({ ok: true, data: known });
    };
    await world.tell(known);
    assert.deepEqual(await rowsOf(world), [40, 40]);
    assert.match(refusal(await change(world, id, { expiresAt: null, notes: "x" })), /^CONFLICT a part is filled/);
    assert.ok((await change(world, id, { brokerageCode: "PAPER", expiresAt: null })).ok);
    await world.time.advance(120_000);
    assert.equal((await pendingOf(world))[0]?.entry?.isEnding, false);
    assert.ok((await change(world, id, { expiresAt: timeIn(world, 1_000) })).ok);
    await world.time.advance(2_000);
    assert.deepEqual([await rowsOf(world), await pendingOf(world)], [[40, 40], []]);
  });

  test("that has passed while no engine ran cannot be moved before it is handled", async () => {
    const world = await worldAt(100);
    const id = await enter(world, { ...stopEntry, entry: { ...stopEntry.entry, expiresAt: timeIn(world, 60_000) } });
    world.kill();
    await world.time.advance(61_000);
    world.isCatchingUp = true;
    await world.start();
    assert.match(refusal(await change(world, id, { expiresAt: null })), /^CONFLICT the buy .* is being cancelled/);
    world.isCatchingUp = false;
    world.partition.onCaughtUp();
    await world.time.advance(1_000);
    assert.deepEqual([world.sent, await pendingOf(world)], [[], []]);
  });
});
