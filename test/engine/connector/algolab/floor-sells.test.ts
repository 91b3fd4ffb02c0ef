/** Triggered sells of a symbol of which AlgoLab takes no market order. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { AlgolabWorld } from "./support/algolab-world.ts";

describe("AlgoLab refuses market orders of a symbol", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
    world.server.limitOnly.add("THYAO");
    await world.start();
  });
  afterEach(() => world.end());
  const sent = () =>
    world.server.asked.filter(({ name }) => name === "SendOrder").map(({ body }) => `${body.pricetype} ${body.price}`);

  test("a triggered sell leaves at the day's floor, and the next one of the day at once", async () => {
    const placed = await world.place("s-r1");
    assert.deepEqual(placed, { ok: true, data: { orderNo: "000001", orderStatus: 1 } });
    assert.deepEqual(sent(), ["piyasa ", "limit 81"]);
    assert.equal(world.linesOf("order.sentAtFloor").length, 1);
    const [order] = world.server.orders;
    assert(order !== undefined);
    world.server.fill(order, 10, 89);
    const found = await world.find("s-r1");
    assert(found.ok);
    assert.deepEqual([found.data.orderStatus, found.data.filledQuantity, found.data.averagePrice], [2, 10, 89]);
    assert.equal((await world.place("s-r2")).ok, true);
    assert.deepEqual(sent(), ["piyasa ", "limit 81", "limit 81"]);
    assert.equal(world.server.orders.length, 2);
  });

  test("the floor of a triggered sell is asked for before clients' orders that wait", async () => {
    await world.restart({}, { requestIntervalMs: 400 });
    const before = world.server.asked.length;
    const clients = [1, 2, 3].map((index) => world.place(`c-${index}`, { orderType: 2, price: 95, quantity: index }));
    assert.equal((await world.place("s-r1")).ok, true);
    const names = world.server.asked.slice(before).map(({ name, body }) => `${name} ${body.lot ?? ""}`);
    const sell = names.indexOf("SendOrder 10");
    assert.deepEqual(names.slice(sell), ["SendOrder 10", "GetEquityInfo ", "SendOrder 10"]);
    await Promise.all(clients);
  });

  test("one whose answer at the floor is lost is found, and not sent again", async () => {
    await world.place("s-r1");
    world.server.fail("SendOrder", "answerLost");
    const placed = await world.place("s-r2");
    assert.equal(!placed.ok && placed.code, "UNAVAILABLE");
    const found = await world.settle("s-r2");
    assert.equal(found.ok && found.data.orderNo, "000002");
    assert.equal(world.server.orders.length, 2);
  });

  test("without a floor, and for a client's order, the answer is NOT_NOW", async () => {
    const byClient = await world.place("c-1");
    assert.equal(!byClient.ok && byClient.code, "NOT_NOW");
    world.server.fail("GetEquityInfo", { status: 502, text: "" });
    const triggered = await world.place("s-r1");
    assert.equal(!triggered.ok && triggered.code, "NOT_NOW");
    assert.equal(world.server.orders.length, 0);
  });
});
