/** Everything that an account holds is sold once, and nothing else (behaviour 18.4). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Reply } from "../../../../src/contract/command.ts";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { describeEvent } from "../../../../src/contract/event/event-words.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { type Flattened, TRADING_STATE_COMMANDS } from "../../../../src/contract/trading/trading-state.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const FLATTEN = { ...ACCOUNT, reason: "a test", confirm: "FLATTEN" };
const LEVELS = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 40 }] };
const SYMBOLS = ["THYAO", "GARAN", "AKBNK"];
/** Longer than all looks together. */
const DONE_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function start(settings: object = {}): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 100, GARAN: 50 }, ...settings });
  const world = await startWorld({ paper, symbols: SYMBOLS });
  for (const symbol of SYMBOLS) await world.tick(symbol, 100);
  return world;
}

async function flatten(world: TradingWorld, body: object = FLATTEN): Promise<Reply> {
  let reply: Reply | undefined;
  const envelope = { type: TRADING_STATE_COMMANDS.flatten, userId: USER, requestId: "request", body };
  void world.partition.handleCommand(envelope).then((answer) => {
    reply = answer;
  });
  for (let passedMs = 0; passedMs < DONE_MS && reply === undefined; passedMs += 250) await world.time.advance(250);
  assert.ok(reply !== undefined, "it was not answered");
  return reply;
}

async function flattened(world: TradingWorld): Promise<Flattened> {
  const reply = await flatten(world);
  assert.ok(reply.ok, reply.ok ? "" : reply.message);
  return reply.data as Flattened;
}

async function held(world: TradingWorld): Promise<Record<string, number>> {
  const rows = (await world.query(QUERIES.listPositions, { ...ACCOUNT, includeOrders: false })) as {
    symbol: string;
    quantity: number;
  }[];
  return Object.fromEntries(rows.filter(({ quantity }) => quantity !== 0).map((row) => [row.symbol, row.quantity]));
}

async function sold(world: TradingWorld): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { symbol, buySell, filledQuantity } of await world.orders()) {
    if (buySell === 2) sums[symbol] = (sums[symbol] ?? 0) + filledQuantity;
  }
  return sums;
}

const group = (world: TradingWorld, symbol = "THYAO") =>
  world.done(COMMANDS.createGroup, { ...ACCOUNT, symbol, ...LEVELS });

/** Returns the statuses of groups that flatten did not make. */
async function statuses(world: TradingWorld): Promise<number[]> {
  const rows = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
  return rows.filter(({ notes }) => notes !== FLATTEN.reason).map(({ status }) => status);
}

/** The row of the sale that flatten made of a symbol. */
async function saleOf(world: TradingWorld, symbol = "THYAO"): Promise<OcoRowView> {
  const rows = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
  const sale = rows.findLast((row) => row.symbol === symbol && row.notes === FLATTEN.reason);
  assert.ok(sale !== undefined);
  return sale;
}

const planOf = async (world: TradingWorld, id: number) => (await world.query(QUERIES.readPlan, { id })) as PlanView;

/** The brokerage answers each order of THYAO with a failure until that is taken back. */
function failing(world: TradingWorld, code: "NOT_SENT" | "UNAUTHORIZED" | "REJECTED"): () => void {
  const place = world.paper.place.bind(world.paper);
  world.paper.place = (request) => {
    return request.symbol === "THYAO"
      ? Promise.resolve({ ok: false, code, message: `failed: ${code}` })
      : place(request);
  };
  return () => {
    world.paper.place = place;
  };
}

describe("an account that is flattened", () => {
  test("is halted, its orders and groups are cancelled, and each symbol is sold in one order", async () => {
    const world = await start();
    await group(world);
    const buy = await world.order({ symbol: "AKBNK", price: 80 });
    const done = await flattened(world);
    assert.deepEqual(done.orders.map(({ symbol, quantity }) => [symbol, quantity]).sort(), [
      ["GARAN", 50],
      ["THYAO", 100],
    ]);
    assert.deepEqual([done.left, done.cancelledOrders, done.cancelledGroups], [[], 1, 1]);
    await world.time.advance(1_000);
    assert.deepEqual(await held(world), {});
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
    assert.deepEqual(await statuses(world), [4, 4]);
    const cancelled = (await world.orders()).find(({ orderNo }) => orderNo === buy.orderNo);
    assert.equal(cancelled?.orderStatus, 3);
    const order = { ...ACCOUNT, symbol: "THYAO", quantity: 1, orderType: 1, price: 0, buySell: 1 };
    const refused = await world.command(COMMANDS.placeOrder, order);
    assert.equal(refused.ok ? "" : refused.code, "TRADING_HALTED");
  });

  test("cancels a group of a symbol that is not held, and does nothing more when it is asked again", async () => {
    const world = await start();
    await group(world, "AKBNK");
    const done = await flattened(world);
    assert.equal(done.cancelledGroups, 1);
    await world.time.advance(1_000);
    const again = await flattened(world);
    assert.deepEqual([again.orders, again.left], [[], []]);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("is left alone where the brokerage does not say what is held, and without the confirmation", async () => {
    const world = await start();
    await group(world);
    for (const wrong of [
      { ...FLATTEN, confirm: "flatten" },
      { ...ACCOUNT, reason: "x" },
    ]) {
      const reply = await flatten(world, wrong);
      assert.equal(reply.ok ? "" : reply.message.startsWith("confirm"), true);
    }
    const foreign = await flatten(world, { ...FLATTEN, accountNumber: "PAPER-8" });
    assert.equal(foreign.ok ? "" : foreign.code, "FORBIDDEN");
    world.paper.positions = async () => ({ ok: false, code: "UNAVAILABLE", message: "away" });
    const reply = await flatten(world);
    assert.match(reply.ok ? "" : `${reply.code} ${reply.message}`, /^UNAVAILABLE .* nothing was done$/);
    await world.tick("THYAO", 110);
    assert.equal(world.sent.length, 1, "trading goes on");
  });

  test("sells no lot twice when its stop-loss fires in between, and says that it is being sold", async () => {
    const world = await start();
    await group(world);
    const read = world.paper.positions.bind(world.paper);
    let isFirst = true;
    world.paper.positions = async (request) => {
      const answer = await read(request);
      if (!isFirst) return answer;
      isFirst = false;
      world.isMute = true;
      world.give("THYAO", 89);
      queueMicrotask(() => {
        world.isMute = false;
      });
      return answer;
    };
    const done = await flattened(world);
    assert.deepEqual(
      done.orders.map(({ symbol }) => symbol),
      ["GARAN"],
    );
    await world.time.advance(60_000);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("sells no lot twice when it is asked for twice at once", async () => {
    const world = await start();
    await group(world);
    const replies = await Promise.all([flatten(world), flatten(world)]);
    for (const reply of replies) assert.ok(reply.ok);
    await world.time.advance(60_000);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("sells no lot twice when it is asked again while a slow brokerage answers from before the first sale", async () => {
    for (let offsetMs = 250; offsetMs <= 8_000; offsetMs += 1_250) {
      const world = await start();
      const read = world.paper.positions.bind(world.paper);
      world.paper.positions = async (request) => {
        const answer = await read(request);
        return new Promise((resolve) => void world.time.after(5_000, () => resolve(answer)));
      };
      const first = flatten(world);
      await world.time.advance(offsetMs);
      const replies = [await flatten(world), await first];
      for (const reply of replies) assert.ok(reply.ok);
      await world.time.advance(60_000);
      assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 }, `${offsetMs} ms later`);
      assert.equal(world.sent.length, 2, `${offsetMs} ms later`);
    }
  });

  test("waits for a cancel that the brokerage took and carries out later", async () => {
    const world = await start();
    await world.order({ symbol: "THYAO", buySell: 2, price: 150, quantity: 100 });
    const cancel = world.paper.cancel.bind(world.paper);
    world.paper.cancel = async (request) => {
      world.time.after(700, () => void cancel(request));
      return { ok: true, data: { orderNo: request.orderNo, orderStatus: 1 } };
    };
    const done = await flattened(world);
    assert.deepEqual(done.left, []);
    await world.time.advance(1_000);
    assert.deepEqual(await held(world), {});
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("names the rest of a symbol that an order sells which could not be cancelled, at every look", async () => {
    const world = await start();
    await group(world);
    await world.order({ symbol: "THYAO", buySell: 2, price: 150, quantity: 40 });
    const buy = await world.order({ symbol: "AKBNK", price: 80 });
    const cancel = world.paper.cancel.bind(world.paper);
    world.paper.cancel = async (request) => {
      if (request.symbol === "THYAO") return { ok: false, code: "REJECTED", message: "no cancels now" };
      world.time.after(700, () => void cancel(request));
      return { ok: true, data: { orderNo: buy.orderNo, orderStatus: 1 } };
    };
    const done = await flattened(world);
    const reason = "open orders that could not be cancelled sell it";
    assert.deepEqual(done.left, [{ symbol: "THYAO", quantity: 40, reason }]);
    assert.deepEqual(await sold(world), { THYAO: 60, GARAN: 50 });
  });

  test("emits its result once, with what is left and why, also where its client has given up", async () => {
    const world = await start();
    await world.order({ symbol: "THYAO", buySell: 2, price: 150, quantity: 40 });
    world.paper.cancel = async () => ({ ok: false, code: "REJECTED", message: "no cancels now" });
    const read = world.paper.positions.bind(world.paper);
    // Two questions of 20 s: the answer comes after 40 s.
    world.paper.positions = (request) =>
      new Promise((resolve) => void world.time.after(20_000, () => resolve(read(request))));
    const done = await flattened(world);
    const [told, ...others] = world.eventsOf("account.flattened");
    const { brokerageCode, accountNumber, orders, left, cancelledOrders, cancelledGroups, removedSetups, message } =
      told ?? {};
    assert.deepEqual([others, { brokerageCode, accountNumber }], [[], ACCOUNT]);
    assert.deepEqual({ orders, left, cancelledOrders, cancelledGroups, removedSetups }, done);
    assert.equal(message, "not sold: 40 THYAO (open orders that could not be cancelled sell it)");
    assert.equal(describeEvent(told ?? {}), `account flattened, symbols that are sold: 2: ${message}`);
  });

  test("emits what it did where the brokerage ceases to say what is held", async () => {
    const world = await start();
    const read = world.paper.positions.bind(world.paper);
    let readCount = 0;
    world.paper.positions = async (request) => {
      readCount += 1;
      return readCount === 1 ? read(request) : { ok: false, code: "UNAVAILABLE", message: "away" };
    };
    const reply = await flatten(world);
    const [told, ...others] = world.eventsOf("account.flattened");
    assert.deepEqual([reply.ok ? "" : reply.message, told?.orders, others], [told?.message, [], []]);
  });

  for (const hasNames of [true, false]) {
    test(`leaves the order of a stop-loss alone whose answer is on its way (the brokerage shows names: ${hasNames})`, async () => {
      const world = await start({ fillShareMax: 0.3 });
      await group(world);
      const { paper } = world;
      const [place, read] = [paper.place.bind(paper), paper.dailyOrders.bind(paper)];
      paper.place = async (request) => {
        const answer = await place(request);
        return new Promise((resolve) => void world.time.after(20_000, () => resolve(answer)));
      };
      if (!hasNames) {
        paper.dailyOrders = async (request) => {
          const answer = await read(request);
          return answer.ok
            ? { ...answer, data: answer.data.map((order) => ({ ...order, clientOrderId: null })) }
            : answer;
        };
      }
      await world.tick("THYAO", 89.9);
      const done = await flattened(world);
      assert.deepEqual(
        done.left.map(({ symbol, reason }) => [symbol, reason]),
        [["THYAO", "it is being sold already"]],
      );
      assert.equal(done.cancelledOrders, 0);
      for (let count = 0; count < 60; count += 1) {
        await world.tick("THYAO", 89.9);
        await world.tick("GARAN", 100);
        await world.time.advance(1_000);
      }
      assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
    });
  }

  test("asks again for a cancel that did not reach the brokerage", async () => {
    const world = await start();
    await world.order({ symbol: "THYAO", buySell: 2, price: 150, quantity: 100 });
    const cancel = world.paper.cancel.bind(world.paper);
    let askedCount = 0;
    world.paper.cancel = async (request) => {
      askedCount += 1;
      return askedCount < 3 ? { ok: false, code: "UNAVAILABLE", message: "away" } : cancel(request);
    };
    const done = await flattened(world);
    assert.deepEqual([done.left, done.cancelledOrders, askedCount], [[], 1, 3]);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("cancels an order that left before trading was halted and comes up only afterwards", async () => {
    const world = await start();
    const read = world.paper.positions.bind(world.paper);
    let readCount = 0;
    world.paper.positions = async (request) => {
      const answer = await read(request);
      readCount += 1;
      // Once the first look has read the orders.
      if (readCount > 1) return answer;
      const terms = { symbol: "THYAO", quantity: 100, buySell: 2, orderType: 2, price: 150 } as const;
      await world.paper.place({ userId: USER, accountNumber: "PAPER-7", clientOrderId: "late", ...terms });
      return answer;
    };
    const done = await flattened(world);
    assert.deepEqual([done.left, done.cancelledOrders], [[], 1]);
    await world.time.advance(1_000);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("takes back a take-profit that waits for the market, and sells its lots with the others", async () => {
    const world = await start();
    await group(world);
    world.isClosed = true;
    await world.tick("THYAO", 111);
    await world.time.advance(10);
    assert.equal(world.sent.length, 1);
    const done = await flattened(world);
    assert.deepEqual([done.left, done.orders.map(({ quantity }) => quantity)], [[], [50, 100]]);
    world.isClosed = false;
    await world.time.advance(HOUR_MS);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
  });

  test("leaves a pending OCO whose buy is open: what it buys is watched, and it is named", async () => {
    const world = await start();
    const buy = await world.order({ symbol: "AKBNK", price: 80, quantity: 10 });
    const levels = { stopLossQuantity: 10, stopLossPercent: 5, takeProfitItems: [{ quantity: 10, percent: 5 }] };
    await world.done(COMMANDS.registerSetup, { ...ACCOUNT, symbol: "AKBNK", brokerOrderNo: buy.orderNo, ...levels });
    world.paper.cancel = async () => ({ ok: false, code: "UNAVAILABLE", message: "away" });
    const done = await flattened(world);
    const reason = "an open order that could not be cancelled buys it";
    assert.deepEqual([done.left[0], done.removedSetups], [{ symbol: "AKBNK", quantity: 10, reason }, 0]);
    await world.tick("AKBNK", 79);
    assert.deepEqual(await statuses(world), [1, 1], "its group watches what was bought");
  });

  test("sells by no reading from before a group that was made meanwhile", async () => {
    const world = await start();
    const read = world.paper.positions.bind(world.paper);
    let readCount = 0;
    world.paper.positions = async (request) => {
      const answer = await read(request);
      readCount += 1;
      if (readCount === 2) {
        const body = { ...ACCOUNT, symbol: "THYAO", ...LEVELS };
        void world.partition.handleCommand({ type: COMMANDS.createGroup, userId: USER, requestId: "other", body });
      }
      return answer;
    };
    const done = await flattened(world);
    assert.equal(done.cancelledGroups, 1);
    await world.tick("THYAO", 80);
    await world.time.advance(60_000);
    assert.deepEqual(await sold(world), { THYAO: 100, GARAN: 50 });
    assert.equal(world.sent.length, 2);
  });

  test("is watched or sold after a kill at any moment, and sold once when it is asked again", async () => {
    for (const isKept of [false, true]) {
      for (let turns = 1; turns < 40; turns += 1) {
        const world = await start();
        await group(world);
        const envelope = { type: TRADING_STATE_COMMANDS.flatten, userId: USER, requestId: "request", body: FLATTEN };
        void world.partition.handleCommand(envelope);
        for (let turn = 0; turn < turns; turn += 1) await world.time.turn();
        await world.restart(isKept);
        await world.time.advance(60_000);
        const left = (await held(world)).THYAO ?? 0;
        if (left > 0) assert.deepEqual(await statuses(world), [1, 1], `after ${turns} turns it is held and watched`);
        await flattened(world);
        await world.time.advance(60_000);
        assert.deepEqual(
          [await sold(world), await held(world)],
          [{ THYAO: 100, GARAN: 50 }, {}],
          `after ${turns} turns`,
        );
      }
    }
  });
});

describe("the sale of a symbol of a flattened account (behaviour 18.5)", () => {
  test("goes on while the brokerage is not reached or asks for a login, over a restart, and sells once", async () => {
    for (const code of ["NOT_SENT", "UNAUTHORIZED"] as const) {
      const world = await start();
      await group(world);
      const recover = failing(world, code);
      await flattened(world);
      await world.time.advance(4 * HOUR_MS);
      assert.deepEqual([await held(world), await statuses(world)], [{ THYAO: 100 }, [4, 4]]);
      const told = world.eventsOf("oco.exitContinues").length;
      assert.deepEqual([told, world.eventsOf("alarm.exitStopped")], [1, []], "its owner hears of it once");
      await world.restart();
      recover();
      await world.time.advance(2 * MINUTE_MS);
      assert.deepEqual([await held(world), await sold(world)], [{}, { THYAO: 100, GARAN: 50 }], code);
      const { id, status, triggerErrorMessage } = await saleOf(world);
      assert.deepEqual([status, triggerErrorMessage], [2, null]);
      const { exit } = await planOf(world, id);
      assert.deepEqual([exit.state, exit.reason, exit.soldQuantity], ["sold", "flatten", 100]);
    }
  });

  test("sells what the exchange leaves, whatever the price, and fires by no price", async () => {
    const world = await start({ fillShareMax: 0.5, cancelsMarketRest: ["PAPER-7"] });
    await flattened(world);
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await world.tick("THYAO", 100 - minutes);
      await world.tick("GARAN", 100 + minutes);
      await world.time.advance(MINUTE_MS);
    }
    assert.deepEqual([await held(world), await sold(world)], [{}, { THYAO: 100, GARAN: 50 }]);
    assert.ok((await planOf(world, (await saleOf(world)).id)).orders.length > 1);
    assert.equal(world.eventsOf("oco.triggered")[0]?.reason, "flatten");
    assert.equal((await saleOf(world)).triggeredPrice, null);
  });

  test("waits for a market that does not take it", async () => {
    const world = await start();
    world.isClosed = true;
    await flattened(world);
    await world.time.advance(4 * HOUR_MS);
    assert.deepEqual(await held(world), { THYAO: 100, GARAN: 50 });
    world.isClosed = false;
    await world.time.advance(2 * MINUTE_MS);
    assert.deepEqual([await held(world), await sold(world)], [{}, { THYAO: 100, GARAN: 50 }]);
  });

  test("ends by its owner's stop-exit", async () => {
    const world = await start();
    const recover = failing(world, "NOT_SENT");
    await flattened(world);
    await world.time.advance(HOUR_MS);
    await world.done(COMMANDS.stopExit, { id: (await saleOf(world)).id });
    recover();
    await world.time.advance(HOUR_MS);
    assert.deepEqual(await held(world), { THYAO: 100 });
    assert.equal((await saleOf(world)).status, 3);
    assert.equal(world.eventsOf("oco.exitStopped").length, 1);
  });

  test("ends with an alarm where the brokerage refuses it, and a repeat sells it", async () => {
    const world = await start();
    const recover = failing(world, "REJECTED");
    await flattened(world);
    await world.time.advance(MINUTE_MS);
    assert.deepEqual(
      world.eventsOf("alarm.exitStopped").map(({ message }) => message),
      ["failed: REJECTED"],
    );
    assert.equal(world.eventsOf("oco.triggerFailed")[0]?.reason, "flatten");
    recover();
    assert.deepEqual(
      (await flattened(world)).orders.map(({ symbol }) => symbol),
      ["THYAO"],
    );
    await world.time.advance(MINUTE_MS);
    assert.deepEqual([await held(world), await sold(world)], [{}, { THYAO: 100, GARAN: 50 }]);
  });

  test("is not sold again by a repeat, also while it waits for the market and nothing of it is followed", async () => {
    const world = await start({ fillShareMax: 0.5, cancelsMarketRest: ["PAPER-7"] });
    const phases = [{ name: "day", from: "12:00", to: "19:00", takes: ["market", "limit"] as const }];
    const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
    assert.ok(planned.ok);
    world.calendar = planned.value;
    // Half of it is sold, and the market is closed by the calendar.
    await flattened(world);
    world.isClosed = true;
    await world.time.advance(2 * HOUR_MS);
    assert.deepEqual(await held(world), { THYAO: 50, GARAN: 25 });
    const again = await flattened(world);
    assert.deepEqual([again.orders, again.left.map(({ symbol }) => symbol).sort()], [[], ["GARAN", "THYAO"]]);
    world.isClosed = false;
    for (let hours = 0; hours < 5; hours += 1) {
      await world.time.advance(HOUR_MS);
      for (const symbol of SYMBOLS) await world.tick(symbol, 100);
    }
    assert.deepEqual([await held(world), await sold(world)], [{}, { THYAO: 100, GARAN: 50 }]);
  });
});
