/** Orders of clients over real processes: each is followed until it is settled, over kills. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "CLIENTS";
const place = { brokerageCode: CODE, accountNumber: "A1" };

natsSuite("the orders of clients", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, {}, (ask) => {
      const answer = world.connector.accept(ask, 1, 0);
      // The order for SISE is taken, and its answer is lost.
      return ask.symbol === "SISE" ? undefined : answer;
    });
  });
  after(() => world.close());

  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];

  async function placeOrder(symbol: string): Promise<Order> {
    const body = { ...place, symbol, quantity: 100, buySell: 1, orderType: 2, price: 100 };
    const reply = await world.engines.client.command("order.place", body, `place-${symbol}`);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    return world.ordersOf(symbol)[0] ?? assert.fail();
  }

  /** The order of a symbol as its client is shown it, once `isRight` is true of it. */
  const untilShown = (symbol: string, isRight: (row: Record<string, unknown>) => boolean) =>
    until(
      async () => (await world.engines.client.records("orders.list", place)).find((row) => row.symbol === symbol),
      (row) => row !== undefined && isRight(row),
    ).then((row) => row ?? assert.fail());

  test("ended and filled after that: the lots count and its client is told (behaviour 13.7)", async () => {
    const order = await placeOrder("THYAO");
    world.tell(order, { orderStatus: 3, filledQuantity: 40, averagePrice: 99 });
    await untilShown("THYAO", ({ state }) => state === "ended");
    await world.engines.restartEngine();
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 99.5 });
    const shown = await untilShown("THYAO", ({ state }) => state === "settled");
    assert.deepEqual([shown.filledQuantity, shown.averagePrice], [100, 99.5]);
    await world.untilTold("THYAO", "alarm.filledAfterEnd");
  });

  test("replaced: it is one order of two numbers (behaviour 13.1)", async () => {
    const order = await placeOrder("GARAN");
    const replacement = { ...order, orderNo: "CLIENTS-R1" };
    world.tell(order, { orderStatus: 3, filledQuantity: 30, averagePrice: 99 });
    world.connector.orders.unshift(replacement);
    world.tell(replacement, { orderStatus: 1, filledQuantity: 0 });
    const shown = await untilShown("GARAN", ({ orderNo }) => orderNo === "CLIENTS-R1");
    assert.deepEqual(shown.orderNumbers, [order.orderNo, "CLIENTS-R1"]);
    world.tell(replacement, { orderStatus: 2, filledQuantity: 70, averagePrice: 100 });
    assert.equal((await untilShown("GARAN", ({ state }) => state === "settled")).filledQuantity, 100);
    assert.ok(world.typesOf("GARAN").includes("order.replaced"));
  });

  test("a kill -9 while its answer is on the way: the order is found by its name, sent once and followed", async () => {
    const body = { ...place, symbol: "SISE", quantity: 100, buySell: 1, orderType: 2, price: 100 };
    const lost = world.engines.client.command("order.place", body, "place-SISE").catch(() => undefined);
    await until(
      async () => world.ordersOf("SISE").length,
      (count) => count > 0,
    );
    await world.engines.restartEngine();
    const shown = await untilShown("SISE", ({ state }) => state === "open");
    assert.equal(shown.orderNo, world.ordersOf("SISE")[0]?.orderNo);
    world.tell(world.ordersOf("SISE")[0] ?? assert.fail(), { orderStatus: 2, filledQuantity: 100, averagePrice: 99 });
    await untilShown("SISE", ({ state }) => state === "settled");
    assert.equal(world.ordersOf("SISE").length, 1);
    await lost;
  });
});
