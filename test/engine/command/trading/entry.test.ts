/** Entries with exits from their buy to their group, over a partition and a paper brokerage (behaviour 24). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import type { SetupView } from "../../../../src/contract/trading/setup.ts";
import { ACCOUNT, startWorld, type TradingWorld, type WorldOptions } from "../../../support/world/trading-world.ts";

const place = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const entry = {
  ...place,
  symbol: "THYAO",
  entry: { orderType: 2, price: 100, quantity: 100 },
  protectPartial: false,
  stopLossPercent: 3,
  takeProfitItems: [
    { percent: 5, quantityPercent: 50 },
    { percent: 6, quantityPercent: 50 },
  ],
};

interface Entered {
  readonly setupId: number;
  readonly orderNo: string | null;
  readonly orderStatus: number | null;
  readonly quantity: number;
}

/** A world in which the price is over the entry, so that its limit order rests. */
async function quiet(options: WorldOptions = {}): Promise<TradingWorld> {
  const world = await startWorld(options);
  await world.tick("THYAO", 105);
  return world;
}

const enter = (world: TradingWorld, change: object = {}, options = {}) =>
  world.done("setup.enter", { ...entry, ...change }, options) as Promise<Entered>;
const rowsOf = (world: TradingWorld) => world.query("oco.list", place) as Promise<OcoRowView[]>;
const pendingOf = (world: TradingWorld) => world.query("setup.list", place) as Promise<SetupView[]>;
const buysOf = async (world: TradingWorld) => (await world.orders()).filter(({ buySell }) => buySell === 1);
const remove = (world: TradingWorld, setupId: number) =>
  world.command("setup.remove", { id: setupId, brokerageCode: "PAPER" });

async function levelsOf(world: TradingWorld): Promise<(readonly [number, number])[]> {
  return (await rowsOf(world)).map(({ price, quantity }) => [price, quantity] as const);
}

/** From now on the brokerage reports the buy with a change, independently of its book. */
function pretend(world: TradingWorld, record: OrderRecord, change: Partial<OrderRecord>): OrderRecord {
  const changed = { ...record, ...change };
  world.paper.findOrder = () => Promise.resolve({ ok: true, data: changed });
  return changed;
}

/** A buy of which the brokerage filled `filledQuantity` before it ended with `orderStatus`. */
async function endWith(world: TradingWorld, filledQuantity: number): Promise<OrderRecord> {
  const [buy] = await buysOf(world);
  assert.ok(buy !== undefined);
  const averagePrice = filledQuantity === 0 ? 0 : 100;
  const ended = pretend(world, buy, { filledQuantity, averagePrice, orderStatus: 3 });
  await world.tell(ended);
  await world.time.advance(1_000);
  return ended;
}

describe("an entry (behaviour 24.1, 24.3)", () => {
  test("is a buy at the brokerage, is listed with it, and becomes a group at its fill", async () => {
    const world = await quiet();
    const { setupId, orderNo, orderStatus, quantity: lots } = await enter(world);
    assert.equal(lots, 100);
    const [buy, ...others] = await buysOf(world);
    assert.deepEqual(others, []);
    assert.deepEqual([buy?.orderNo, buy?.quantity, buy?.price, buy?.orderType], [orderNo, 100, 100, 2]);
    assert.equal(orderStatus, 1);
    const [pending] = await pendingOf(world);
    assert.deepEqual([pending?.setupId, pending?.brokerOrderNo, pending?.stopLossQuantity], [setupId, orderNo, 100]);
    assert.deepEqual(pending?.entry, {
      ...{ orderType: 2, price: 100, triggerPrice: null, triggeredPrice: null, expiresAt: null },
      ...{ quantity: 100, filledQuantity: 0, averagePrice: null },
      ...{ protectPartial: false, groupId: null, isEnding: false },
    });
    assert.deepEqual(await levelsOf(world), []);
    await world.tick("THYAO", 100);
    await world.time.advance(100);
    assert.deepEqual(await levelsOf(world), [
      [97, 100],
      [105, 50],
      [106, 50],
    ]);
    assert.deepEqual(await pendingOf(world), []);
    assert.equal(world.eventsOf("setup.converted").length, 1);
    await world.tick("THYAO", 96.9);
    await world.time.advance(100);
    const sells = (await world.orders()).filter(({ buySell }) => buySell === 2);
    assert.deepEqual(
      sells.map(({ quantity }) => quantity),
      [100],
    );
  });

  test("at market with prices: the group follows the fill at once", async () => {
    const world = await quiet();
    await enter(world, {
      entry: { orderType: 1, quantity: 10 },
      stopLossPercent: undefined,
      stopLossPrice: 100,
      takeProfitItems: [{ price: 110, quantity: 4 }],
    });
    await world.time.advance(100);
    assert.deepEqual(await levelsOf(world), [
      [100, 10],
      [110, 4],
    ]);
  });

  test("is answered without a number once the client's time is over, and its buy is followed all the same", async () => {
    const world = await quiet({ settings: { resend: "query" } });
    world.isMute = true;
    const asked = world.partition.handleCommand({
      ...{ type: "setup.enter", userId: 7, requestId: "r", body: entry },
      idempotency: { key: "k", fingerprint: "print" },
    });
    await world.time.advance(30_000);
    const reply = await asked;
    assert.ok(reply.ok);
    const { setupId, ...order } = reply.data as Entered;
    assert.deepEqual(order, { orderNo: null, orderStatus: null, quantity: 100 });
    const [pending] = await pendingOf(world);
    assert.deepEqual([pending?.setupId, pending?.brokerOrderNo], [setupId, null]);
    world.isMute = false;
    await world.restart();
    await world.time.advance(30_000);
    assert.equal((await buysOf(world)).length, 1);
    assert.equal((await pendingOf(world))[0]?.brokerOrderNo, (await buysOf(world))[0]?.orderNo);
    // A repeat under the key returns the present state.
    assert.equal((await enter(world, {}, { key: "k" })).orderNo, (await buysOf(world))[0]?.orderNo);
  });

  for (const isKept of [true, false]) {
    test(`a kill before its buy is sent leaves ${isKept ? "exactly one buy" : "nothing"}`, async () => {
      const world = await quiet();
      const sentBefore = world.sent.length;
      const { outbox } = world.partition;
      const submit = outbox.submit.bind(outbox);
      outbox.submit = (order) => {
        submit(order);
        // The turn ends, and its batch is on its way to the disk.
        queueMicrotask(() => world.kill(isKept));
      };
      void world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body: entry });
      await world.time.turns();
      assert.equal(world.sent.length, sentBefore);
      await world.start();
      await world.time.advance(1_000);
      assert.equal((await buysOf(world)).length, isKept ? 1 : 0);
      assert.equal((await pendingOf(world)).length, isKept ? 1 : 0);
      await world.tick("THYAO", 100);
      await world.time.advance(100);
      assert.equal((await levelsOf(world)).length, isKept ? 3 : 0);
    });
  }

  test("a kill between the brokerage's taking and its answer: one buy, one group", async () => {
    const world = await quiet();
    world.isMute = true;
    void world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body: entry });
    await world.time.advance(10);
    assert.equal(world.sent.length, 1);
    world.isMute = false;
    await world.restart();
    await world.tick("THYAO", 100);
    await world.time.advance(5_000);
    assert.equal((await buysOf(world)).length, 1);
    assert.deepEqual((await levelsOf(world))[0], [97, 100]);
    assert.equal((await levelsOf(world)).length, 3);
  });
});

describe("a halt of trading while an entry is open (behaviour 18.2, 24.2)", () => {
  const halt = (world: TradingWorld) => world.done("trading.set", { scope: "user", state: "halted", reason: "pause" });

  test("its buy works on, and what it buys is protected", async () => {
    const world = await quiet();
    await enter(world);
    await halt(world);
    await world.tick("THYAO", 100);
    await world.time.advance(100);
    assert.deepEqual((await levelsOf(world))[0], [97, 100]);
    await world.tick("THYAO", 96.9);
    await world.time.advance(100);
    const sells = (await world.orders()).filter(({ buySell }) => buySell === 2);
    assert.deepEqual(
      sells.map(({ quantity }) => quantity),
      [100],
    );
  });

  test("its owner can still end it", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    await halt(world);
    assert.ok((await remove(world, setupId)).ok);
    await world.time.advance(2_000);
    assert.deepEqual([(await buysOf(world))[0]?.orderStatus, await pendingOf(world)], [3, []]);
  });

  for (const state of ["reducing", "halted"]) {
    test(`a buy that was not sent is taken back, also after a kill (${state})`, async () => {
      const world = await quiet({ settings: { ordersPerMinute: 1 } });
      await world.tick("GARAN", 100);
      await world.done("order.place", { ...place, symbol: "GARAN", quantity: 1, buySell: 1, orderType: 1, price: 0 });
      const sentBefore = world.sent.length;
      const asked = world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body: entry });
      await world.time.advance(100);
      assert.equal((await pendingOf(world)).length, 1);
      await world.done("trading.set", { scope: "user", state, reason: "pause" });
      const reply = await asked;
      assert.deepEqual([reply.ok, !reply.ok && reply.code], [false, "UNAVAILABLE"]);
      assert.match(String(reply.message), /pause/);
      assert.equal(world.eventsOf("setup.entryRefused").length, 1);
      await world.restart();
      await world.time.advance(120_000);
      assert.deepEqual([world.sent.length, await pendingOf(world)], [sentBefore, []]);
    });
  }
});

describe("an entry that is refused (behaviour 24.2)", () => {
  const refused = async (world: TradingWorld, change: object): Promise<string> => {
    const reply = await world.command("setup.enter", { ...entry, ...change });
    assert.ok(!reply.ok);
    return `${reply.code}: ${reply.message}`;
  };

  test("by a rule: nothing is sent and nothing is made", async () => {
    const world = await quiet();
    const percent = { percent: 5 };
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ protectPartial: "yes" }, /^INVALID: protectPartial/],
      [{ entry: { orderType: 2, quantity: 100 } }, /^INVALID: entry\.price is required/],
      [{ entry: { orderType: 2, price: 100.01, quantity: 100 } }, /^INVALID: entry\.price 100\.01/],
      [{ entry: { orderType: 1, price: 100, quantity: 100 } }, /^INVALID: entry\.price 100 of a market order/],
      [{ stopLossPrice: 97 }, /^INVALID: exactly one of stopLossPercent and stopLossPrice/],
      [{ stopLossPercent: undefined, stopLossPrice: 100 }, /^INVALID: stopLossPrice must be lower than entry\.price/],
      [
        { takeProfitItems: [{ price: 100, quantity: 1 }] },
        /takeProfitItems\[0\]\.price must be higher than entry\.price/,
      ],
      [{ takeProfitItems: [percent] }, /exactly one of takeProfitItems\[0\]\.quantity and/],
      [{ takeProfitItems: [{ ...percent, quantity: 1, quantityPercent: 1 }] }, /exactly one of takeProfitItems\[0\]/],
      [{ takeProfitItems: [{ ...percent, quantity: 101 }] }, /\(101\) must not be above/],
      [
        {
          takeProfitItems: [
            { ...percent, quantityPercent: 60 },
            { ...percent, quantityPercent: 60 },
          ],
        },
        /\(120\)/,
      ],
      [
        {
          takeProfitItems: [
            { ...percent, quantityPercent: 0.5 },
            { ...percent, quantityPercent: 50 },
          ],
        },
        /takeProfitItems\[0\]\.quantityPercent of 100 lots is less than one lot/,
      ],
      [{ symbol: "NONE" }, /symbol NONE is not known/],
    ];
    for (const [change, message] of cases) assert.match(await refused(world, change), message);
    assert.deepEqual([world.sent, await pendingOf(world)], [[], []]);
  });

  test("while an active group or another entry has the symbol", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    assert.match(await refused(world, {}), new RegExp(`INVALID: pending OCO ${setupId} is an entry of symbol THYAO`));
    await world.tick("THYAO", 100);
    await world.time.advance(100);
    assert.match(await refused(world, {}), /INVALID: an active OCO group already exists for symbol THYAO/);
    assert.equal(world.sent.length, 1);
  });

  test("while only sells are taken, and while trading is halted", async () => {
    const world = await quiet();
    for (const [state, code] of [
      ["reducing", "TRADING_REDUCING"],
      ["halted", "TRADING_HALTED"],
    ]) {
      await world.done("trading.set", { scope: "user", state, reason: "pause" });
      assert.match(await refused(world, {}), new RegExp(`^${code}`));
    }
    assert.deepEqual(world.sent, []);
  });

  test("by the brokerage: the entry is over, its symbol is free, and its key brings the refusal again", async () => {
    const world = await quiet();
    const { place: send } = world.paper;
    world.paper.place = () => Promise.resolve({ ok: false, code: "REJECTED", message: "no cash" });
    const body = { ...entry };
    const first = await world.command("setup.enter", body, { key: "k" });
    assert.deepEqual([first.ok, !first.ok && first.code], [false, "INVALID"]);
    world.paper.place = send.bind(world.paper);
    assert.deepEqual(await world.command("setup.enter", body, { key: "k" }), first);
    assert.deepEqual(await pendingOf(world), []);
    const [told] = world.eventsOf("setup.entryRefused");
    assert.equal(told?.message, "no cash");
    await enter(world);
  });

  test("because the market is closed: 409, and nothing is left", async () => {
    const world = await quiet();
    world.isClosed = true;
    assert.match(await refused(world, {}), /^NOT_NOW/);
    assert.deepEqual(await pendingOf(world), []);
  });

  test("its order cannot be registered a second time", async () => {
    const world = await quiet();
    const { setupId, orderNo } = await enter(world);
    const registration = {
      ...place,
      symbol: "THYAO",
      brokerOrderNo: orderNo,
      stopLossQuantity: 10,
      stopLossPercent: 3,
    };
    const reply = await world.command("setup.register", {
      ...{ ...registration, takeProfitItems: [{ quantity: 1, percent: 5 }] },
    });
    assert.equal(!reply.ok && reply.message, `brokerOrderNo is the buy of pending OCO ${setupId}, which has its exits`);
  });
});

describe("an entry that ends before it is filled (behaviour 24.3 to 24.5)", () => {
  test("its owner removes it: the buy is cancelled, nothing is left", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    const reply = await remove(world, setupId);
    assert.ok(reply.ok);
    assert.match(String(reply.message), /is being cancelled at the brokerage/);
    await world.time.advance(2_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 3);
    const [removed] = world.eventsOf("setup.removed");
    assert.equal(removed?.isByOwner, true);
    assert.deepEqual(await pendingOf(world), []);
    await enter(world);
  });

  test("a cancel without effect is asked for again, and a fill meanwhile is protected", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    let cancels = 0;
    world.paper.cancel = () => {
      cancels += 1;
      return Promise.resolve({ ok: false, code: "REJECTED", message: "the measure forbids it" });
    };
    await remove(world, setupId);
    await world.time.advance(25_000);
    assert.equal(cancels, 3);
    assert.equal((await pendingOf(world))[0]?.entry?.isEnding, true);
    await world.tick("THYAO", 100);
    await world.time.advance(100);
    assert.deepEqual((await levelsOf(world))[0], [97, 100]);
    await world.time.advance(30_000);
    assert.equal(cancels, 3);
  });

  test("what was filled before its end becomes a group, take-profits by their share", async () => {
    const world = await quiet();
    await enter(world, {
      takeProfitItems: [
        { percent: 5, quantity: 33 },
        { percent: 6, quantity: 33 },
      ],
    });
    await endWith(world, 41);
    assert.deepEqual(await levelsOf(world), [
      [97, 41],
      [105, 13],
      [106, 14],
    ]);
    const [converted, ...others] = world.eventsOf("setup.converted");
    assert.deepEqual([converted?.message, others], [undefined, []]);
  });

  test("a part so small that a take-profit gets no lot: the others have them", async () => {
    const world = await quiet();
    await enter(world);
    await endWith(world, 1);
    assert.deepEqual(await levelsOf(world), [
      [97, 1],
      [106, 1],
    ]);
  });

  test("its due date passes: the buy is cancelled", async () => {
    const world = await quiet();
    await enter(world, { dueDate: new Date(world.time.nowMs() + 60_000).toISOString() });
    await world.time.advance(62_000);
    assert.equal((await buysOf(world))[0]?.orderStatus, 3);
    const [removed] = world.eventsOf("setup.removed");
    assert.equal(removed?.isByOwner, false);
  });

  test("it is taken back before it was sent: the request is told so, and no order exists", async () => {
    const world = await quiet({ settings: { ordersPerMinute: 1 } });
    await world.tick("GARAN", 100);
    await world.done("order.place", { ...place, symbol: "GARAN", quantity: 1, buySell: 1, orderType: 1, price: 0 });
    const sentBefore = world.sent.length;
    const asked = world.partition.handleCommand({ type: "setup.enter", userId: 7, requestId: "r", body: entry });
    await world.time.advance(100);
    const [pending] = await pendingOf(world);
    assert.ok((await remove(world, pending?.setupId ?? 0)).ok);
    const reply = await asked;
    assert.deepEqual([reply.ok, !reply.ok && reply.code], [false, "CONFLICT"]);
    await world.time.advance(120_000);
    assert.equal(world.sent.length, sentBefore);
    assert.deepEqual(await pendingOf(world), []);
  });

  test("filled after it had ended with nothing: it becomes a group after all", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    await remove(world, setupId);
    await endWith(world, 0);
    assert.equal(world.eventsOf("setup.removed").length, 1);
    await endWith(world, 10);
    assert.deepEqual((await levelsOf(world))[0], [97, 10]);
    assert.equal(world.eventsOf("alarm.filledAfterEnd").length, 1);
  });

  test("filled after its group was made: the alarm tells of it, also after a restart, and no second group is made", async () => {
    const world = await quiet();
    await enter(world);
    await endWith(world, 40);
    await world.restart();
    await endWith(world, 50);
    assert.deepEqual((await levelsOf(world))[0], [97, 40]);
    const [alarm, ...others] = world.eventsOf("alarm.filledAfterEnd");
    assert.deepEqual([alarm?.quantity, others.length], [10, 0]);
    assert.equal(world.eventsOf("setup.converted").length, 1);
  });

  test("a group that came in between: none is made, and its owner is told", async () => {
    const world = await quiet();
    await enter(world);
    const group = { ...place, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 5 };
    await world.done("oco.create", { ...group, takeProfitItems: [{ price: 120, quantity: 5 }] });
    await world.tick("THYAO", 100);
    await world.time.advance(100);
    const [failed] = world.eventsOf("setup.conversionFailed");
    assert.match(String(failed?.message), /an active OCO group already exists/);
    assert.equal((await rowsOf(world)).length, 2);
  });

  test("a buy that the brokerage does not know any more: its owner gives it up, with what is known as filled", async () => {
    const world = await quiet();
    const { setupId } = await enter(world);
    const [buy] = await buysOf(world);
    assert.ok(buy !== undefined);
    await world.tell({ ...buy, filledQuantity: 30, averagePrice: 100 });
    world.paper.findOrder = () => Promise.resolve({ ok: false, code: "UNKNOWN", message: "" });
    await world.time.advance(60_000);
    assert.equal(world.eventsOf("setup.orderLost").length, 1);
    assert.ok((await remove(world, setupId)).ok);
    assert.deepEqual((await levelsOf(world))[0], [97, 30]);
    assert.deepEqual(await pendingOf(world), []);
  });
});

test("its due date passes while the brokerage does not know its buy: it is cancelled once it is found", async () => {
  const world = await quiet();
  await enter(world, { dueDate: new Date(world.time.nowMs() + 90_000).toISOString() });
  const find = world.paper.findOrder;
  world.paper.findOrder = () => Promise.resolve({ ok: false, code: "UNKNOWN", message: "" });
  await world.time.advance(100_000);
  assert.equal(world.eventsOf("setup.orderLost").length, 1);
  assert.equal((await buysOf(world))[0]?.orderStatus, 1);
  world.paper.findOrder = find;
  await world.time.advance(60_000);
  assert.equal((await buysOf(world))[0]?.orderStatus, 3);
  assert.deepEqual([await pendingOf(world), world.eventsOf("setup.removed").length], [[], 1]);
});

test("its exits are changed while it waits; its lots are not (behaviour 24.3)", async () => {
  const world = await quiet();
  const { setupId } = await enter(world);
  const change = (body: object) => world.command("setup.change", { id: setupId, change: body });
  const wrong = await change({ stopLossQuantity: 10 });
  assert.match(String(!wrong.ok && wrong.message), /stopLossQuantity of an entry/);
  const over = await change({ stopLossPrice: 100 });
  assert.match(String(!over.ok && over.message), /must be lower than entry\.price/);
  assert.ok((await change({ stopLossPrice: 90 })).ok);
  await world.tick("THYAO", 100);
  await world.time.advance(100);
  assert.deepEqual((await levelsOf(world))[0], [90, 100]);
});
