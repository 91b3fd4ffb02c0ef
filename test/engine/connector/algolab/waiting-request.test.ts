/**
 * Requests that wait for their slot: the checks that are repeated when a request leaves, and the day to which a number
 * belongs.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { istanbulDayMs } from "../../../../engine/connector/algolab/protocol.ts";
import { FenceKeeper } from "../../../../engine/connector/host/fence.ts";
import { GuardedOrders } from "../../../../engine/connector/host/order-gate.ts";
import type { BrokerReply, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { steadyClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { RecordedLog } from "../fix/support/session-world.ts";
import { ACCOUNT, AlgolabWorld, SLOW_SETTLING } from "./support/algolab-world.ts";

const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);
const DAY_MS = 86_400_000;
const SELL = { symbol: "THYAO", side: "SELL", quantity: 10, price: 95, isMarket: false } as const;
const RESTING = { orderType: 2, price: 95 } as const;
const cancelOf = (orderNo: string, change: object = {}) => ({ ...ACCOUNT, orderNo, symbol: "THYAO", ...change });

describe("a request that waits for its slot at AlgoLab", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
  });
  afterEach(() => world.end());

  /** The connector's orders behind a gate whose process can be paused. */
  function gate() {
    const standstill = { count: 0 };
    const guarded = new GuardedOrders(world.started.connector, {
      ...{ fence: new FenceKeeper(steadyClock), resend: () => "query", log: new RecordedLog(), steadyClock },
      arrive: () => {
        const arrivedAfter = standstill.count;
        return () => standstill.count !== arrivedAfter;
      },
    });
    return { guarded, standstill };
  }
  const orderOf = (clientOrderId: string, epoch: number): PlaceRequest => ({
    ...{ ...ACCOUNT, clientOrderId, symbol: "THYAO", quantity: 10, price: 0 },
    ...{ buySell: 2, orderType: 1, fence: { partition: 0, epoch, attempt: 1 } },
  });

  test("does not leave once its process stood still, or a later leader was heard, and was certainly not sent", async () => {
    await world.start({}, { requestIntervalMs: 400 });
    const { guarded, standstill } = gate();
    const waiting = guarded.place(orderOf("s-r1", 1));
    standstill.count += 1;
    assert.equal(codeOf(await waiting), "NOT_SENT");
    const ofEarlierLeader = guarded.place(orderOf("s-r2", 1));
    assert(guarded.raiseEpoch({ partition: 0, epoch: 2 }).ok);
    assert.equal(codeOf(await ofEarlierLeader), "FENCED");
    for (const name of ["s-r1", "s-r2"]) assert.equal(codeOf(await world.find(name)), "NOT_FOUND");
    assert.equal(world.askedCount("SendOrder"), 0);
    assert.equal(codeOf(await guarded.place(orderOf("s-r1", 2))), "ok");
    const number = world.server.orders[0]?.number ?? "";
    const cancelling = guarded.cancel(cancelOf(number));
    standstill.count += 1;
    assert.equal(codeOf(await cancelling), "NOT_SENT");
    assert.equal(world.askedCount("DeleteOrder"), 0);
  });

  test("is given up before its engine calls a person, where orders are also placed by hand", async () => {
    await world.start({ manualTrading: true }, { requestIntervalMs: 500 });
    void world.started.connector.dailyOrders(ACCOUNT);
    const waiting = world.place("s-r1");
    // As if the machine had slept for a minute.
    world.aheadMs = 60_000;
    assert.equal(codeOf(await waiting), "NOT_SENT");
    assert.equal(world.server.orders.length, 0);
  });

  test("a wall clock that is set on proves no order away", async () => {
    await world.start({}, SLOW_SETTLING);
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    world.aheadMs = SLOW_SETTLING.settleMs + 1;
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE");
    await world.restart({}, SLOW_SETTLING);
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE", "a restart proves it no sooner");
    world.steadyAheadMs = SLOW_SETTLING.settleMs + 1;
    assert.equal(codeOf(await world.find("s-r1")), "NOT_FOUND");
  });

  /** `s-old` is open at the end of its day; the next day AlgoLab gives its number to another order. */
  async function toNextDay(): Promise<void> {
    await world.start();
    assert.equal(codeOf(await world.place("s-old", RESTING)), "ok");
    world.server.beginDay();
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
  }

  test("a cancel of yesterday's order never reaches the order that has its number today", async () => {
    await toNextDay();
    assert.equal(codeOf(await world.place("s-new", RESTING)), "ok");
    const { connector } = world.started;
    for (const change of [{ clientOrderId: "s-old" }, {}, { clientOrderId: "s-other" }])
      assert.equal(codeOf(await connector.cancel(cancelOf("000001", change))), "REJECTED", JSON.stringify(change));
    assert.equal(world.askedCount("DeleteOrder"), 0);
    const cancelled = await connector.cancel(cancelOf("000001", { clientOrderId: "s-new" }));
    assert.deepEqual(cancelled, { ok: true, data: { orderNo: "000001", orderStatus: 3 } });
  });

  test("a cancel that waits over midnight does not leave", async () => {
    await world.start({}, { requestIntervalMs: 400 });
    assert.equal(codeOf(await world.place("s-old", RESTING)), "ok");
    const cancelling = world.started.connector.cancel(cancelOf("000001", { clientOrderId: "s-old" }));
    world.server.beginDay();
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
    world.server.take(SELL);
    assert.equal(codeOf(await cancelling), "REJECTED");
    assert.equal(world.server.orders[0]?.status, "WAITING");
  });

  test("an order that was placed by hand today is cancelled, unless an open one of another day had its number", async () => {
    await toNextDay();
    world.server.take(SELL);
    world.server.take(SELL);
    const { connector } = world.started;
    assert.equal(codeOf(await connector.cancel(cancelOf("000001"))), "REJECTED");
    assert.equal(codeOf(await connector.cancel(cancelOf("000002", { symbol: "GARAN" }))), "REJECTED");
    assert.equal(codeOf(await connector.cancel(cancelOf("000002"))), "ok");
    assert.deepEqual(
      world.server.orders.map(({ status }) => status),
      ["WAITING", "DELETED"],
    );
  });

  test("a look-up of yesterday's number is UNKNOWN, whoever has it today", async () => {
    await toNextDay();
    world.server.take(SELL);
    const { connector } = world.started;
    const asked = { ...ACCOUNT, orderNo: "000001" };
    const createdDate = new Date().toISOString();
    assert.equal(codeOf(await connector.findOrder({ ...asked, createdDate })), "UNKNOWN");
    assert.equal(codeOf(await connector.findOrder(asked)), "ok");
  });

  test("an order whose name is older than yesterday's order of the same number keeps its number over a restart", async () => {
    await world.start();
    world.server.fail("SendOrder", { refusal: "Seans dışı emir" });
    assert.equal(codeOf(await world.place("s-new", RESTING)), "NOT_NOW");
    assert.equal(codeOf(await world.place("s-old", RESTING)), "ok");
    world.server.beginDay();
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
    assert.equal(codeOf(await world.place("s-new", RESTING)), "ok");
    await world.restart();
    const [order] = world.server.orders;
    assert(order !== undefined);
    world.server.fill(order, 10, 95);
    const found = await world.find("s-new");
    assert.equal(found.ok && found.data.filledQuantity, 10);
  });

  test("a list that was asked for before midnight and came after it gives no order another's row", async () => {
    await world.start({}, SLOW_SETTLING);
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r1", RESTING)), "UNAVAILABLE");
    assert.equal(codeOf(await world.place("s-r2", RESTING)), "ok");
    world.server.fail("TodaysTransaction", { answerLateMs: 300 });
    const before = world.askedCount("TodaysTransaction");
    const asked = world.find("s-r1");
    await untilTrue(() => world.askedCount("TodaysTransaction") > before);
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
    assert.equal(codeOf(await asked), "UNAVAILABLE");
    assert.equal(codeOf(await world.find("s-r1")), "UNKNOWN");
  });

  test("a row of after midnight can be that of an order that left before it, and is given to no other", async () => {
    await world.start();
    const toMidnightMs = DAY_MS - istanbulDayMs(Date.now());
    world.aheadMs = toMidnightMs - 5_000;
    world.server.clockAheadMs = toMidnightMs + 5_000;
    world.server.fail("SendOrder", "answerLost");
    assert.equal(codeOf(await world.place("s-r1", RESTING)), "UNAVAILABLE");
    world.aheadMs = toMidnightMs + 5_000;
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r2")), "UNAVAILABLE");
    assert.equal(codeOf(await world.settle("s-r2")), "UNKNOWN");
  });

  test("a clock that steps over midnight while an order is on its way gives the order's row to no other", async () => {
    await world.start();
    world.server.fail("SendOrder", { lateMs: 150 });
    assert.equal(codeOf(await world.place("s-r1", RESTING)), "UNAVAILABLE");
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r2")), "UNAVAILABLE");
    await untilTrue(() => world.server.orders.length === 1);
    assert.equal(codeOf(await world.settle("s-r2")), "UNKNOWN");
  });

  test("a machine whose date is wrong takes no row that was there before for the order", async () => {
    world.server.clockAheadMs = DAY_MS;
    world.server.take(SELL);
    await world.start();
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r1", RESTING)), "UNAVAILABLE");
    assert.equal(codeOf(await world.settle("s-r1")), "NOT_FOUND");
  });

  test("a number that came after midnight for an order of before it is not taken for another's: that one is in doubt", async () => {
    await world.start();
    world.server.fail("SendOrder", { answerLateMs: 1_000 });
    const placing = world.place("s-r1", RESTING);
    await untilTrue(() => world.server.orders.length === 1);
    world.aheadMs = DAY_MS;
    world.server.clockAheadMs = DAY_MS;
    // AlgoLab took it after midnight, by its own clock.
    const [order] = world.server.orders;
    assert(order !== undefined);
    order.timeMs += DAY_MS;
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r2", RESTING)), "UNAVAILABLE");
    assert.equal(codeOf(await world.find("s-r2")), "UNAVAILABLE", "its answer can still arrive");
    assert.equal(codeOf(await placing), "ok");
    assert.equal(codeOf(await world.settle("s-r2")), "UNKNOWN");
  });
});
