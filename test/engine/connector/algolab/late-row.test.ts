/**
 * Orders that AlgoLab lists after a list proved them absent: NOT_FOUND is proven again, and orders that appear are
 * reported.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { BrokerReply } from "../../../../src/contract/trading/order.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { AlgolabWorld, SLOW_SETTLING } from "./support/algolab-world.ts";

const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);
const SELL = { symbol: "THYAO", side: "SELL", quantity: 10, price: 0, isMarket: true } as const;

describe("an AlgoLab order that appears after NOT_FOUND", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
  });
  afterEach(() => world.end());

  const lateLines = () => world.linesOf("order.appearedLate");
  const lists = () => world.askedCount("TodaysTransaction");

  /** Loses an order's request; the connector then answers NOT_FOUND. */
  async function loseOrder(name = "s-r1"): Promise<void> {
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place(name)), "UNAVAILABLE");
    assert.equal(codeOf(await world.settle(name)), "NOT_FOUND");
  }

  test("NOT_FOUND is proven anew by a new list each time, over a restart too", async () => {
    await world.start();
    await loseOrder();
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await world.restart();
        world.passSettling();
      }
      const before = lists();
      assert.equal(codeOf(await world.find("s-r1")), "NOT_FOUND");
      assert.equal(lists(), before + 1);
    }
  });

  test("a row that appears is the order: found, told, logged once, and not sent again", async () => {
    await world.start();
    await loseOrder();
    world.server.take(SELL);
    const found = await world.find("s-r1");
    assert(found.ok);
    assert.deepEqual([found.data.orderNo, found.data.clientOrderId, found.data.filledQuantity], ["000001", "s-r1", 10]);
    assert.equal(world.updates.at(-1)?.clientOrderId, "s-r1");
    assert.deepEqual(await world.place("s-r1"), {
      ok: true,
      data: { orderNo: "000001", orderStatus: 2, filledQuantity: 10, averagePrice: 90 },
    });
    await world.find("s-r1");
    assert.equal(lateLines().length, 1);
    assert.equal(world.server.orders.length, 1);
  });

  test("a row that appears is told without a look-up: the list is read until the day is over", async () => {
    await world.start({}, { pollMs: 20 });
    await loseOrder();
    world.server.take(SELL);
    await untilTrue(() => world.updates.some(({ clientOrderId }) => clientOrderId === "s-r1"));
  });

  test("a row that appears while the order waits to be sent again calls the order off", async () => {
    await world.start();
    await loseOrder();
    await world.restart({}, { requestIntervalMs: 150 });
    world.server.take(SELL);
    const before = lists();
    const read = world.started.connector.readOrders();
    await untilTrue(() => lists() > before);
    const placed = world.place("s-r1");
    await read;
    assert.deepEqual(await placed, {
      ok: true,
      data: { orderNo: "000001", orderStatus: 2, filledQuantity: 10, averagePrice: 90 },
    });
    assert.equal(world.server.orders.length, 1);
  });

  test("a row of the first attempt is told under the order's name when the second one was taken", async () => {
    await world.start();
    await loseOrder();
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    world.server.take(SELL);
    await world.started.connector.readOrders();
    await world.started.connector.readOrders();
    const late = world.updates.filter(({ orderNo }) => orderNo === "000002");
    assert.deepEqual(
      late.map(({ clientOrderId, filledQuantity }) => [clientOrderId, filledQuantity]),
      [["s-r1", 10]],
    );
    assert.equal(lateLines().length, 1);
    const own = await world.find("s-r1");
    assert(own.ok && own.data.orderNo === "000001");
  });

  test("a second attempt that was refused is no end: the first one's row is the order", async () => {
    await world.start();
    await loseOrder();
    world.server.fail("SendOrder", { refusal: "Yetersiz bakiye" });
    assert.equal(codeOf(await world.place("s-r1")), "REJECTED");
    world.server.take(SELL);
    const found = await world.find("s-r1");
    assert(found.ok);
    assert.deepEqual([found.data.orderNo, found.data.filledQuantity], ["000001", 10]);
  });

  test("a second attempt that was refused is told as refused once a settled list lacks the first one", async () => {
    await world.start({}, SLOW_SETTLING);
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    world.passSettling();
    assert.equal(codeOf(await world.settle("s-r1")), "NOT_FOUND");
    world.server.fail("SendOrder", { refusal: "Yetersiz bakiye" });
    assert.equal(codeOf(await world.place("s-r1")), "REJECTED");
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE");
    world.passSettling();
    const found = await world.settle("s-r1");
    assert(found.ok);
    assert.equal(found.data.orderStatus, 4);
  });

  test("both attempts in the list of a lost second answer are in doubt", async () => {
    await world.start();
    await loseOrder();
    world.server.fail("SendOrder", "answerLost");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    world.server.take(SELL);
    assert.equal(codeOf(await world.settle("s-r1")), "UNKNOWN");
  });

  test("a row that is left when each order in doubt has one is told, the older one", async () => {
    await world.start();
    await loseOrder();
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r2")), "UNAVAILABLE");
    const told = () => world.updates.filter(({ orderNo, clientOrderId }) => orderNo === "000002" && clientOrderId);
    world.server.take(SELL).timeMs -= 1_000;
    await world.started.connector.readOrders();
    assert.deepEqual(told(), [], "the order in doubt has the first claim");
    world.server.take(SELL);
    await world.started.connector.readOrders();
    assert.deepEqual(
      told().map(({ clientOrderId }) => clientOrderId),
      ["s-r1"],
    );
    assert.equal(codeOf(await world.find("s-r2")), "UNKNOWN");
  });

  test("the row of a limit order in doubt is not told as a market order that was sent again", async () => {
    await world.start();
    await loseOrder();
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r2", { orderType: 2, price: 95 });
    await world.settle("s-r2");
    const told = world.updates.filter(({ orderNo, clientOrderId }) => orderNo === "000002" && clientOrderId === "s-r1");
    assert.deepEqual(told, []);
  });

  test("the late row of a limit order is not taken for a market order in doubt", async () => {
    await world.start();
    world.server.fail("SendOrder", "lost");
    await world.place("s-r1", { orderType: 2, price: 95 });
    assert.equal(codeOf(await world.settle("s-r1")), "NOT_FOUND");
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r2")), "UNAVAILABLE");
    world.server.take({ ...SELL, price: 95, isMarket: false });
    const found = await world.find("s-r2");
    assert(!found.ok && found.code === "UNKNOWN");
    assert.match(found.message, /can also be s-r1/);
  });

  test("an absence of yesterday cannot be proven anew: UNKNOWN", async () => {
    await world.start();
    await loseOrder();
    world.aheadMs = 86_400_000;
    assert.equal(codeOf(await world.find("s-r1")), "UNKNOWN");
  });

  const passMidnight = (): void => {
    world.aheadMs = 86_400_000;
    world.server.clockAheadMs = 86_400_000;
  };
  const toldNumbers = () =>
    world.updates.filter(({ clientOrderId }) => clientOrderId === "s-r1").map(({ orderNo }) => orderNo);

  test("a row that appears after midnight is the order of before it: told, followed, and not sent again", async () => {
    await world.start();
    await loseOrder();
    passMidnight();
    const resting = world.server.take({ ...SELL, isMarket: true });
    Object.assign(resting, { filled: 4, status: "PARTIAL" });
    await world.started.connector.readOrders();
    assert.deepEqual(await world.place("s-r1"), { ok: true, data: { orderNo: "000001", orderStatus: 1 } });
    world.server.fill(resting, 6);
    const found = await world.find("s-r1");
    assert(found.ok);
    assert.deepEqual([found.data.orderNo, found.data.filledQuantity], ["000001", 10]);
    assert.equal(world.server.orders.length, 1);
    assert.equal(lateLines().length, 1);
    world.server.fail("SendOrder", "lost");
    await world.place("s-r2");
    assert.equal(codeOf(await world.settle("s-r2")), "NOT_FOUND", "numbers of before midnight are not missed");
  });

  for (const day of ["before", "after"]) {
    test(`a row of after midnight is told under the name of an order that was sent again ${day} it`, async () => {
      await world.start();
      await loseOrder();
      if (day === "after") passMidnight();
      assert.equal(codeOf(await world.place("s-r1")), "ok");
      passMidnight();
      world.server.take(SELL);
      await world.started.connector.readOrders();
      assert(toldNumbers().includes("000002"));
      assert.equal(lateLines().length, 1);
    });
  }

  test("right after midnight a row of the day before is that of the order which has its number", async () => {
    await world.start();
    await loseOrder();
    assert.equal(codeOf(await world.place("s-r2")), "ok");
    passMidnight();
    // AlgoLab's day ends later than ours.
    world.server.clockAheadMs = 0;
    await world.started.connector.readOrders();
    assert.deepEqual([toldNumbers(), lateLines().length], [[], 0]);
  });

  test("a list that lacks an accepted order of the day proves nothing, also after a restart", async () => {
    await world.start();
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r2");
    const all = world.server.orders.splice(0);
    await world.restart();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(codeOf(await world.find("s-r2")), "UNAVAILABLE");
    world.server.orders.push(...all);
    assert.equal(codeOf(await world.settle("s-r2")), "ok");
  });
});
