// tier: real
/** The outcome of an order whose request, answer or both go wrong, against a server that plays Alpaca. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { BrokerReply } from "../../../../src/contract/trading/order.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { ACCOUNT, AlpacaWorld } from "./support/alpaca-world.ts";
import type { Fault } from "./support/server.ts";

const HOUR_MS = 3_600_000;
const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);

describe("an order to Alpaca", () => {
  let world: AlpacaWorld;
  beforeEach(async () => {
    world = await AlpacaWorld.make();
    await world.start();
  });
  afterEach(() => world.end());

  /** Places an order whose request meets the fault. */
  async function placeWith(fault: Fault): Promise<string> {
    world.server.fail("place", fault);
    return codeOf(await world.place("o1"));
  }

  test("is placed under our name, filled, and told with Alpaca's own number", async () => {
    const placed = await world.place("o1", { orderType: 2, price: 99.99 });
    assert.ok(placed.ok);
    await untilTrue(() => world.updates.some(({ orderStatus }) => orderStatus === 2));
    const { id } = world.server.orderOf("o1");
    const last = world.updates.at(-1);
    assert.deepEqual(
      [last?.orderNo, last?.clientOrderId, last?.accountNumber, last?.filledQuantity, last?.averagePrice, last?.price],
      [id, "o1", "PAPER1", 10, 100, 99.99],
    );
    assert.equal(placed.data.orderNo, id);
    const found = await world.find("o1");
    assert.equal(found.ok && found.data.orderStatus, 2);
  });

  test("goes under Alpaca's name of the symbol, and is told under ours", async () => {
    await world.place("o1", { symbol: "BRK_B" });
    await untilTrue(() => world.updates.length > 0);
    assert.equal(world.server.orderOf("o1").symbol, "BRK.B");
    assert.equal(world.updates[0]?.symbol, "BRK_B");
  });

  test("that Alpaca judged and refused is REJECTED, for ever, with Alpaca's words", async () => {
    const first = await world.place("o1", { quantity: 2_000_000 });
    assert.deepEqual(first, { ok: false, code: "REJECTED", message: "insufficient qty available for order" });
    world.server.fail("place", { status: 500, body: "" });
    await world.restart();
    assert.deepEqual(await world.place("o1", { quantity: 2_000_000 }), first);
    assert.equal(world.server.placed.length, 1);
  });

  test("whose key is refused is UNAUTHORIZED, and one over the limit NOT_SENT: neither left, both may go later", async () => {
    assert.equal(await placeWith({ status: 401, body: { code: 40_110_000, message: "no" } }), "UNAUTHORIZED");
    assert.equal(codeOf(await world.find("o1")), "NOT_FOUND");
    assert.equal(await placeWith({ status: 429, body: { code: 42_910_000, message: "rate limit" } }), "NOT_SENT");
    assert.equal(codeOf(await world.find("o1")), "NOT_FOUND");
    assert.equal(codeOf(await world.place("o1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  for (const [name, fault] of Object.entries({
    "the request is lost": "lost",
    "the answer is lost": "answerLost",
    "no answer comes": "hang",
    "a gateway fails before it": { status: 502, body: "<html>" },
    "a gateway fails after it": { status: 504, body: "<html>", isDone: true },
    "Alpaca fails after it": { status: 500, body: { code: 50_010_000, message: "internal" }, isDone: true },
    "somebody else's page comes back": { status: 403, body: "<html>denied</html>" },
    "Alpaca times out on it": { status: 408, body: { code: 40_810_000, message: "timeout" }, isDone: true },
    "the answer makes no sense": { status: 200, body: "what", isDone: true },
  } satisfies Record<string, Fault>)) {
    test(`is UNAVAILABLE when ${name}, and one order when it is repeated`, async () => {
      // A shown update would settle it: nothing but the repeat may.
      world.server.isMute = true;
      if (fault === "hang") await world.restart({ requestTimeoutSeconds: 0.3 });
      assert.equal(await placeWith(fault), "UNAVAILABLE");
      if (fault === "hang") await world.restart();
      assert.equal(codeOf(await world.place("o1")), "ok");
      assert.equal(codeOf(await world.place("o1")), "ok");
      assert.equal(world.server.orders.length, 1);
    });
  }

  test("that arrives after its repeat is refused as known, and is one order", async () => {
    assert.equal(await placeWith({ lateMs: 100 }), "UNAVAILABLE");
    assert.equal(codeOf(await world.place("o1")), "ok");
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(world.server.orders.length, 1);
  });

  test("that Alpaca says it knows is looked up; where it cannot be found nobody knows, and it is not refused", async () => {
    world.server.isMute = true;
    assert.equal(await placeWith("answerLost"), "UNAVAILABLE");
    const missing = { status: 404, body: { code: 40_410_000, message: "order not found" } };
    // Looked up before the repeat and after its refusal.
    world.server.fail("find", missing);
    world.server.fail("find", missing);
    const order = world.server.orderOf("o1");
    assert.equal(codeOf(await world.place("o1")), "UNAVAILABLE");
    const settled = await world.place("o1");
    assert.deepEqual(settled.ok && settled.data.orderNo, order.id);
  });

  test("with a price that Alpaca does not take is REJECTED though the number is that of a known name", async () => {
    const fault = { status: 422, body: { code: 40_010_001, message: "invalid limit_price 0.001" } };
    assert.equal(await placeWith(fault), "REJECTED");
  });

  test("is not refused for what an earlier attempt in doubt may have used up", async () => {
    assert.equal(await placeWith({ lateMs: 1_500 }), "UNAVAILABLE");
    assert.equal(
      await placeWith({ status: 403, body: { code: 40_310_000, message: "insufficient qty" } }),
      "UNAVAILABLE",
    );
    await untilTrue(() => world.server.orders.length === 1);
    assert.equal(codeOf(await world.place("o1")), "ok");
  });

  test("that another folder sent is looked up before its repeat is refused, and found by its name", async () => {
    world.server.isMute = true;
    assert.equal(await placeWith("answerLost"), "UNAVAILABLE");
    await world.restart({ folder: "another" });
    const found = await world.find("o1");
    assert.equal(found.ok && found.data.orderNo, world.server.orderOf("o1").id);
    const soldOut = { status: 403, body: { code: 40_310_000, message: "insufficient qty" } };
    world.server.fail("find", { status: 500, body: "" });
    assert.equal(await placeWith(soldOut), "UNAVAILABLE");
    assert.equal(codeOf(await world.place("o1")), "ok");
    await world.restart({ folder: "a third" });
    assert.equal(await placeWith(soldOut), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("that is refused is not REJECTED where Alpaca does not say that it has none", async () => {
    const soldOut = { status: 403, body: { code: 40_310_000, message: "insufficient qty" } };
    const limited = { status: 429, body: { code: 42_910_000, message: "rate limit" } };
    for (const [name, fault] of [["o1", "lost"] as const, ["o2", limited] as const]) {
      world.server.fail("find", fault);
      world.server.fail("place", soldOut);
      assert.equal(codeOf(await world.place(name)), "UNAVAILABLE");
    }
    world.aheadMs = 61_000;
    assert.equal(await placeWith(soldOut), "REJECTED");
  });

  test("of which nothing came is REJECTED once the attempt in doubt can no longer arrive", async () => {
    assert.equal(await placeWith("lost"), "UNAVAILABLE");
    world.aheadMs = 61_000;
    assert.equal(await placeWith({ status: 403, body: { code: 40_310_000, message: "insufficient qty" } }), "REJECTED");
  });

  test("is sent again within a day of its first attempt, and never after: then it is UNKNOWN", async () => {
    assert.equal(await placeWith("lost"), "UNAVAILABLE");
    world.aheadMs = 23 * HOUR_MS;
    assert.equal(await placeWith("lost"), "UNAVAILABLE");
    assert.equal(codeOf(await world.find("o1")), "UNAVAILABLE");
    world.aheadMs = 25 * HOUR_MS;
    assert.equal(codeOf(await world.place("o1")), "UNKNOWN");
    assert.equal(codeOf(await world.find("o1")), "UNKNOWN");
    assert.equal(world.server.placed.length, 2);
  });

  test("in doubt that Alpaca has after all is found, whatever its age", async () => {
    world.server.isMute = true;
    assert.equal(await placeWith("answerLost"), "UNAVAILABLE");
    world.aheadMs = 25 * HOUR_MS;
    const found = await world.find("o1");
    assert.equal(found.ok && found.data.orderNo, world.server.orderOf("o1").id);
    assert.equal(codeOf(await world.place("o1")), "ok");
  });

  test("under a name that another order has is not placed", async () => {
    await world.place("o1");
    assert.equal(codeOf(await world.place("o1", { quantity: 11 })), "UNAVAILABLE");
    assert.equal(codeOf(await world.place("o1", { buySell: 1 })), "UNAVAILABLE");
    assert.equal(world.server.placed.length, 1);
  });

  test("of somebody else's account is refused", async () => {
    assert.equal(codeOf(await world.place("o1", { userId: 2 })), "REJECTED");
    assert.equal(codeOf(await world.place("o1", { accountNumber: "OTHER" })), "REJECTED");
  });

  test("that rests is cancelled, and the answer waits for Alpaca's word", async () => {
    world.server.price = null;
    const placed = await world.place("o1", { orderType: 2, price: 500 });
    assert.ok(placed.ok);
    const cancelled = await world.cancel(placed.data.orderNo);
    assert.deepEqual(cancelled, { ok: true, data: { orderNo: placed.data.orderNo, orderStatus: 3 } });
    assert.equal(codeOf(await world.cancel(placed.data.orderNo)), "REJECTED");
  });

  test("whose cancellation comes too late is told so, and the fill stands", async () => {
    world.server.price = null;
    const placed = await world.place("o1", { orderType: 2, price: 500 });
    assert.ok(placed.ok);
    world.server.isMute = true;
    world.server.fill(world.server.orderOf("o1"), 10, 500);
    assert.equal(codeOf(await world.cancel(placed.data.orderNo)), "REJECTED");
  });

  test("whose cancellation is lost is UNAVAILABLE, and may be cancelled again", async () => {
    await world.restart({ answerTimeoutSeconds: 0.1 });
    world.server.price = null;
    const placed = await world.place("o1", { orderType: 2, price: 500 });
    assert.ok(placed.ok);
    world.server.fail("cancel", "lost");
    assert.equal(codeOf(await world.cancel(placed.data.orderNo)), "UNAVAILABLE");
    await world.restart();
    assert.equal(codeOf(await world.cancel(placed.data.orderNo)), "ok");
  });

  /** An order that rests. */
  async function resting(): Promise<string> {
    world.server.price = null;
    const placed = await world.place("o1", { orderType: 2, price: 500 });
    assert.ok(placed.ok);
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 1);
    return placed.data.orderNo;
  }
  const ends = () => world.updates.filter(({ orderStatus }) => orderStatus >= 3).map(({ endedBy }) => endedBy);

  test("whose end comes before the answer to its cancel request is its owner's end from the first record on", async () => {
    const orderNo = await resting();
    world.server.fail("cancel", { answerLateMs: 200 });
    const cancelling = world.cancel(orderNo);
    await untilTrue(() => world.server.orderOf("o1").status === "canceled");
    const daily = await world.started.connector.dailyOrders(ACCOUNT);
    assert.deepEqual(daily.ok && daily.data.map(({ orderStatus }) => orderStatus), [1]);
    assert.deepEqual(ends(), []);
    assert.equal(codeOf(await cancelling), "ok");
    assert.deepEqual(ends(), ["owner"]);
    const found = await world.find("o1");
    assert.equal(found.ok && found.data.endedBy, "owner");
  });

  test("whose cancel request was taken is its owner's end after a restart too", async () => {
    await world.restart({ answerTimeoutSeconds: 0.1 });
    const orderNo = await resting();
    world.server.isMute = true;
    world.server.fail("find", "lost");
    assert.equal(codeOf(await world.cancel(orderNo)), "UNAVAILABLE");
    await world.restart();
    const found = await world.find("o1");
    assert.deepEqual(found.ok && [found.data.orderStatus, found.data.endedBy], [3, "owner"]);
    await world.restart();
    const again = await world.find("o1");
    assert.equal(again.ok && again.data.endedBy, "owner");
  });

  for (const [name, fault] of Object.entries({
    "no cancel request was sent": undefined,
    "the cancel request was refused": { status: 422, body: { code: 42_210_000, message: "not cancelable" } },
    "the answer to the cancel request was lost": "lost",
  } satisfies Record<string, Fault | undefined>)) {
    test(`that Alpaca cancelled states nobody who did where ${name}`, async () => {
      await world.restart({ answerTimeoutSeconds: 0.1 });
      const orderNo = await resting();
      if (fault !== undefined) {
        world.server.fail("cancel", fault);
        assert.notEqual(codeOf(await world.cancel(orderNo)), "ok");
      }
      world.server.change(world.server.orderOf("o1"), "canceled", { status: "canceled" });
      await untilTrue(() => ends().length > 0);
      assert.deepEqual(ends(), [undefined]);
    });
  }

  test("that ends with its day is the exchange's end, and one that Alpaca refused the brokerage's", async () => {
    await resting();
    world.server.change(world.server.orderOf("o1"), "expired", { status: "expired" });
    await untilTrue(() => ends().length > 0);
    assert.deepEqual(ends(), ["exchange"]);
    await world.place("o2", { quantity: 2_000_000 });
    const refused = await world.find("o2");
    assert.deepEqual(refused.ok && [refused.data.orderStatus, refused.data.endedBy], [4, "brokerage"]);
  });

  const closed = {
    ...{ status: 422, body: { code: 42_210_000, message: "market orders are only allowed during market hours" } },
  };
  test("that the market does not take now is NOT_NOW, does not exist, and is taken later under its name", async () => {
    assert.equal(await placeWith(closed), "NOT_NOW");
    assert.equal(codeOf(await world.find("o1")), "NOT_FOUND");
    await world.restart();
    assert.equal(codeOf(await world.find("o1")), "NOT_FOUND");
    assert.deepEqual(world.updates, []);
    assert.equal(codeOf(await world.place("o1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("is not NOT_NOW while an earlier attempt in doubt may yet arrive", async () => {
    assert.equal(await placeWith("lost"), "UNAVAILABLE");
    assert.equal(await placeWith(closed), "UNAVAILABLE");
    world.aheadMs = 61_000;
    assert.equal(await placeWith(closed), "NOT_NOW");
  });

  test("that this connector never sent is neither found nor cancelled by name", async () => {
    assert.equal(codeOf(await world.find("other")), "NOT_FOUND");
    world.server.fail("find", "lost");
    assert.equal(codeOf(await world.find("other")), "UNAVAILABLE");
    assert.equal(codeOf(await world.cancel("other")), "NOT_FOUND");
  });

  test("that may have changed while the account's session is down is asked for, and told as it was only if it is over", async () => {
    world.server.price = null;
    await world.place("o1", { orderType: 2, price: 500 });
    world.server.account = { ...world.server.account, trade_suspended_by_user: true };
    world.server.cut();
    await untilTrue(() => !world.isUp);
    world.server.fail("find", "lost");
    assert.equal(codeOf(await world.find("o1")), "UNAVAILABLE");
    world.server.fill(world.server.orderOf("o1"), 10, 500);
    for (const fault of [undefined, "lost"] as const) {
      if (fault !== undefined) world.server.fail("find", fault);
      const found = await world.find("o1");
      assert.equal(found.ok && found.data.filledQuantity, 10);
    }
  });

  test("filled at a price that was not told is asked for (behaviour 5.2)", async () => {
    world.server.price = null;
    await world.place("o1", { orderType: 2, price: 500, buySell: 1 });
    const order = world.server.orderOf("o1");
    world.server.change(order, "fill", { status: "filled", filled_qty: "10", filled_avg_price: null });
    await untilTrue(() => world.updates.at(-1)?.orderStatus === 2);
    Object.assign(order, { filled_avg_price: "499.5" });
    const found = await world.find("o1");
    assert.equal(found.ok && found.data.averagePrice, 499.5);
  });

  test("placed elsewhere on the account is told, listed and found by its number, never under a fraction of a share", async () => {
    const { server } = world;
    const order = { ...(await placedElsewhere(world)), client_order_id: "from Alpaca's own app" };
    server.tell("new", order);
    server.tell("new", { ...order, qty: "0.5" });
    await untilTrue(() => world.updates.length > 0);
    assert.equal(world.updates[0]?.clientOrderId, "from Alpaca's own app");
    const found = await world.started.connector.findOrder({ ...ACCOUNT, orderNo: order.id });
    assert.equal(found.ok && found.data.quantity, 3);
    const unknown = await world.started.connector.findOrder({ ...ACCOUNT, orderNo: "nothing" });
    assert.equal(codeOf(unknown), "NOT_FOUND");
    const daily = await world.started.connector.dailyOrders(ACCOUNT);
    assert.deepEqual(daily.ok && daily.data.map(({ orderNo }) => orderNo), [order.id]);
    assert.ok(world.log.lines.some(({ message }) => /cannot read was ignored/.test(message)));
  });

  test("positions are Alpaca's, with the open orders where they are asked for", async () => {
    world.server.price = null;
    await world.place("o1", { orderType: 2, price: 500 });
    const positions = await world.started.connector.positions({ ...ACCOUNT, includeOrders: true });
    assert.ok(positions.ok);
    const [{ orders, ...position } = { orders: [] }] = positions.data;
    assert.deepEqual(position, {
      ...{ symbol: "AAPL", quantity: 25, availableQuantity: 20, averagePrice: 180.5, lastPrice: 190.25 },
      profit: 243.75,
    });
    assert.deepEqual(
      orders?.map(({ clientOrderId }) => clientOrderId),
      ["o1"],
    );
  });
});

/** An order on the server that the connector knows nothing of. */
async function placedElsewhere(world: AlpacaWorld) {
  const { server } = world;
  server.price = null;
  server.isMute = true;
  const headers = {
    "content-type": "application/json",
    "apca-api-key-id": "PKTEST",
    "apca-api-secret-key": "not so secret",
  };
  const body = JSON.stringify({ client_order_id: "elsewhere", symbol: "AAPL", qty: "3", side: "buy", type: "market" });
  await fetch(`${server.url}/v2/orders`, { method: "POST", headers, body });
  await untilTrue(() => server.orders[0]?.status === "new");
  server.isMute = false;
  return server.orderOf("elsewhere");
}
