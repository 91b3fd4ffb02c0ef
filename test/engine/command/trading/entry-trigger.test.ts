/** Stop entries over a partition and a paper brokerage: when they buy, and that they buy once (behaviour 24.11). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld, type WorldOptions } from "../../../support/world/trading-world.ts";

const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const entry = {
  ...place,
  symbol: "THYAO",
  entry: { orderType: 3, triggerPrice: 104, quantity: 10 },
  stopLossPercent: 3,
  takeProfitItems: [{ percent: 5, quantityPercent: 100 }],
};

/** A world in which the last price is under the trigger. */
async function quiet(options: WorldOptions = {}): Promise<TradingWorld> {
  const world = await startWorld(options);
  await world.tick("THYAO", 100);
  return world;
}

async function wait(world: TradingWorld, change: object = {}, options = {}): Promise<number> {
  const { setupId } = (await world.done("setup.enter", { ...entry, ...change }, options)) as { setupId: number };
  return setupId;
}

const pendingOf = (world: TradingWorld) => world.query("setup.list", place) as Promise<SetupView[]>;
const buysOf = async (world: TradingWorld) => (await world.orders()).filter(({ buySell }) => buySell === 1);
const lotsBought = async (world: TradingWorld) => (await buysOf(world)).map(({ quantity }) => quantity);
const rowsOf = async (world: TradingWorld) =>
  ((await world.query("oco.list", place)) as OcoRowView[]).map(({ quantity }) => quantity);
const setState = (world: TradingWorld, state: string) =>
  world.done("trading.set", {
    scope: "user",
    state,
    reason: "pause",
    ...(state === "active" && { confirm: "RESUME" }),
  });

describe("a stop entry", () => {
  test("waits without an order, buys at market at its trigger, and its group follows", async () => {
    const world = await quiet();
    const reply = await world.command("setup.enter", entry);
    assert.ok(reply.ok);
    const { setupId, ...answer } = reply.data as { setupId: number };
    assert.deepEqual(answer, { orderNo: null, orderStatus: null, quantity: 10 });
    assert.equal(reply.message, "THYAO must rise to 104 before the entry buys");
    await world.tick("THYAO", 103.999);
    assert.deepEqual(world.sent, []);
    const [pending] = await pendingOf(world);
    const { entry: shown, brokerOrderNo } = pending ?? {};
    assert.deepEqual([shown?.orderType, shown?.triggerPrice, shown?.triggeredPrice], [3, 104, null]);
    assert.equal(brokerOrderNo, null);
    await world.tick("THYAO", 104);
    await world.time.advance(100);
    const [buy, ...others] = await buysOf(world);
    assert.deepEqual([buy?.orderType, buy?.quantity, others], [1, 10, []]);
    assert.deepEqual(await rowsOf(world), [10, 10]);
    assert.equal(world.eventsOf("setup.triggered").length, 1);
    assert.equal(world.eventsOf("setup.converted").length, 1);
    assert.deepEqual(await pendingOf(world), []);
    assert.equal(setupId > 0, true);
  });

  test("whose trigger the last price has reached buys at once, and its answer says so", async () => {
    const world = await quiet();
    await world.tick("THYAO", 104.5);
    const reply = await world.command("setup.enter", entry, { key: "k" });
    assert.equal(reply.ok && reply.message, "THYAO is at 104.5, at or over the trigger 104, so it buys immediately");
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [10]);
    // The key brings the first answer, and no second buy.
    assert.deepEqual(await world.command("setup.enter", entry, { key: "k" }), reply);
    assert.deepEqual(await lotsBought(world), [10]);
  });

  test("is sized at its trigger", async () => {
    const world = await quiet();
    await wait(world, { entry: { orderType: 3, triggerPrice: 104, cashAmount: 1_039 } });
    await world.tick("THYAO", 110);
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [9]);
  });

  test("with a level that its trigger reaches already is refused", async () => {
    const world = await quiet();
    const refusal = async (change: object) => (await world.command("setup.enter", { ...entry, ...change })).message;
    assert.match(
      String(await refusal({ stopLossPercent: undefined, stopLossPrice: 104 })),
      /lower than entry\.trigger/,
    );
    const takeProfitItems = [{ price: 104, quantity: 1 }];
    assert.match(String(await refusal({ takeProfitItems })), /higher than entry\.triggerPrice \(104\)/);
  });
});

describe("a kill of the engine of a stop entry leaves exactly one buy", () => {
  for (const isKept of [true, false]) {
    test(`while it waits, in the step that reaches its trigger (batch ${isKept ? "kept" : "lost"})`, async () => {
      const world = await quiet();
      await wait(world);
      const { outbox } = world.partition;
      const submit = outbox.submit.bind(outbox);
      outbox.submit = (order) => {
        submit(order);
        queueMicrotask(() => world.kill(isKept));
      };
      await world.time.advance(1);
      world.give("THYAO", 104);
      await world.time.turns();
      assert.deepEqual(world.sent, []);
      // What was not durable is read back from the stream.
      await world.start((partition) => {
        world.isCatchingUp = true;
        if (!isKept) world.give("THYAO", 104, true);
        world.isCatchingUp = false;
        partition.onCaughtUp();
      });
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), [10]);
      assert.deepEqual(await rowsOf(world), [10, 10]);
      await world.tick("THYAO", 104.5);
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), [10]);
    });
  }

  test("between the brokerage's taking and its answer", async () => {
    const world = await quiet();
    await wait(world);
    world.isMute = true;
    await world.tick("THYAO", 104);
    assert.equal(world.sent.length, 1);
    world.isMute = false;
    await world.restart();
    await world.time.advance(5_000);
    await world.tick("THYAO", 104.5);
    await world.time.advance(5_000);
    assert.deepEqual(await lotsBought(world), [10]);
    assert.deepEqual(await rowsOf(world), [10, 10]);
  });

  test("before it was durable: there is neither an entry nor a buy", async () => {
    const world = await quiet();
    void world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body: entry });
    await Promise.resolve();
    await world.restart();
    await world.tick("THYAO", 104);
    await world.time.advance(1_000);
    assert.deepEqual([await lotsBought(world), await pendingOf(world)], [[], []]);
  });

  test("a price that came while no engine ran is read back and counts; one from before the entry does not", async () => {
    for (const [isAfter, lots] of [
      [true, [10]],
      [false, []],
    ] as const) {
      const world = await quiet();
      if (isAfter) await wait(world);
      await world.time.advance(100);
      const early = world.time.nowMs() - 50;
      if (!isAfter) await wait(world);
      await world.restartMissing("THYAO", 104.2, early);
      await world.tick("THYAO", 101);
      await world.time.advance(5_000);
      assert.deepEqual(await lotsBought(world), lots, `isAfter ${isAfter}`);
    }
  });
});

describe("a stop entry that waits", () => {
  test("is removed at once, and its trigger sends nothing any more", async () => {
    const world = await quiet();
    const setupId = await wait(world);
    const reply = await world.command("setup.remove", { id: setupId, brokerageCode: "PAPER" });
    assert.deepEqual([reply.ok, reply.message], [true, undefined]);
    assert.equal(world.eventsOf("setup.removed")[0]?.isByOwner, true);
    await world.tick("THYAO", 105);
    await world.restart();
    await world.tick("THYAO", 105);
    assert.deepEqual([world.sent, await pendingOf(world)], [[], []]);
    await wait(world, { entry: { ...entry.entry, triggerPrice: 110 } });
  });

  test("has its exits changed, and keeps its trigger", async () => {
    const world = await quiet();
    const id = await wait(world);
    await world.done("setup.change", { id, change: { stopLossPercent: 2 } });
    const wrong = await world.command("setup.change", { id, change: { stopLossPrice: 104 } });
    assert.match(String(wrong.message), /lower than entry\.triggerPrice/);
    await world.restart();
    await world.tick("THYAO", 104);
    await world.time.advance(100);
    const rows = (await world.query("oco.list", place)) as OcoRowView[];
    const [buy] = await buysOf(world);
    assert.deepEqual([await lotsBought(world), rows.length], [[10], 2]);
    assert.ok(Number(rows[0]?.price) > Number(buy?.averagePrice) * 0.975);
  });

  for (const moment of ["dueDate", "expiresAt"]) {
    test(`ends at its ${moment}, also one that passed while no engine ran`, async () => {
      const world = await quiet();
      const at = new Date(world.time.nowMs() + 60_000).toISOString();
      await wait(world, moment === "dueDate" ? { dueDate: at } : { entry: { ...entry.entry, expiresAt: at } });
      world.kill();
      await world.time.advance(61_000);
      await world.start();
      await world.time.advance(1_000);
      await world.tick("THYAO", 105);
      assert.deepEqual([world.sent, await pendingOf(world)], [[], []]);
      assert.equal(world.eventsOf("setup.removed")[0]?.isByOwner, false);
    });
  }

  test("is held with its symbol, and compared with the last price at the release", async () => {
    const world = await quiet();
    await wait(world);
    void world.partition.decide(() => world.partition.holds.holdInTurn("THYAO", "split"));
    await world.time.turns();
    await world.tick("THYAO", 105);
    assert.deepEqual(world.sent, []);
    await world.restart();
    await world.tick("THYAO", 105);
    assert.deepEqual(world.sent, []);
    void world.partition.decide(() => world.partition.holds.releaseInTurn("THYAO"));
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [10]);
  });

  for (const state of ["reducing", "halted"]) {
    test(`does not buy while trading is ${state}, and is compared with the last price afterwards`, async () => {
      const world = await quiet();
      await wait(world);
      await setState(world, state);
      await world.tick("THYAO", 105);
      await world.restart();
      await world.tick("THYAO", 105);
      assert.deepEqual([world.sent, (await pendingOf(world)).length], [[], 1]);
      await setState(world, "active");
      await world.time.advance(100);
      assert.deepEqual(await lotsBought(world), [10]);
    });
  }

  test("does not buy by a price of a pause that is over", async () => {
    const world = await quiet();
    await wait(world);
    await setState(world, "halted");
    await world.tick("THYAO", 105);
    await world.tick("THYAO", 103);
    await setState(world, "active");
    await world.time.advance(100);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 104);
    await world.time.advance(100);
    assert.deepEqual(await lotsBought(world), [10]);
  });

  test("is ended by a flatten", async () => {
    const world = await quiet();
    await wait(world);
    const asked = world.partition.handleCommand({
      ...{ type: "trading.flatten", userId: 7, requestId: "r" },
      body: { ...place, confirm: "FLATTEN", reason: "enough" },
    });
    await world.time.advance(1_000);
    const reply = await asked;
    assert.ok(reply.ok, reply.message);
    const { left, removedSetups } = reply.data as { left: unknown[]; removedSetups: number };
    assert.deepEqual([left, removedSetups, await pendingOf(world)], [[], 1, []]);
  });
});

describe("the buy of a stop entry", () => {
  test("that the market does not take is tried for half a minute, then the entry is refused", async () => {
    const world = await quiet();
    await wait(world);
    world.isClosed = true;
    await world.tick("THYAO", 104);
    await world.time.advance(20_000);
    assert.equal((await pendingOf(world)).length, 1);
    await world.time.advance(20_000);
    assert.deepEqual(await pendingOf(world), []);
    assert.equal(world.eventsOf("setup.entryRefused").length, 1);
    world.isClosed = false;
    await world.tick("THYAO", 105);
    await world.time.advance(60_000);
    assert.deepEqual(await lotsBought(world), []);
  });

  test("that was not sent is taken back by its removal, and by a halt", async () => {
    for (const isHalt of [false, true]) {
      const world = await quiet({ settings: { ordersPerMinute: 1 } });
      await world.tick("GARAN", 100);
      await world.done("order.place", { ...place, symbol: "GARAN", quantity: 1, buySell: 1, orderType: 1, price: 0 });
      const sentBefore = world.sent.length;
      const id = await wait(world);
      await world.tick("THYAO", 104);
      if (isHalt) await setState(world, "reducing");
      else await world.done("setup.remove", { id, brokerageCode: "PAPER" });
      assert.equal(world.eventsOf(isHalt ? "setup.entryRefused" : "setup.removed").length, 1);
      await world.restart();
      await world.time.advance(120_000);
      assert.deepEqual([world.sent.length, await pendingOf(world)], [sentBefore, []]);
    }
  });
});
