/** The buy of a pending OCO over real processes: what a brokerage reports of it is evidence, and no word is the end. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "BUYS";
const place = { brokerageCode: CODE, accountNumber: "A1" };

natsSuite("the buy of a pending OCO", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE);
  });
  after(() => world.close());

  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];

  /** A limit buy at 100 that was placed by hand, and a pending OCO over it. */
  async function register(symbol: string, stopLossQuantity = 100): Promise<{ order: Order; message: string }> {
    const terms = { symbol, buySell: 1, orderType: 2, price: 100, accountNumber: "A1" };
    world.connector.accept({ clientOrderId: `hand-${symbol}`, quantity: 100, ...terms }, 1, 0);
    const order = world.connector.orders.at(-1) ?? assert.fail();
    const takeProfitItems = [{ quantity: 40, percent: 10 }];
    const body = {
      ...place,
      symbol,
      brokerOrderNo: order.orderNo,
      stopLossQuantity,
      stopLossPercent: 3,
      takeProfitItems,
    };
    const reply = await world.engines.client.command("setup.register", body, `register-${symbol}`);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    return { order, message: String(reply.message ?? "") };
  }

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await world.engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);

  test("filled after it was reported as cancelled: its group is made, and its owner is told (behaviour 5.7)", async () => {
    const { order } = await register("THYAO");
    world.tell(order, { orderStatus: 3, filledQuantity: 0 });
    await world.untilTold("THYAO", "setup.removed");
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    const types = await world.untilTold("THYAO", "setup.converted");
    assert.ok(types.includes("alarm.filledAfterEnd"), String(types));
    assert.deepEqual(
      (await rowsOf("THYAO")).map(({ price, quantity, status }) => [price, quantity, status]),
      [
        [97, 100, 1],
        [110, 40, 1],
      ],
    );
  });

  test("its number on an order of another symbol, name, day or side is another order (behaviour 13.1)", async () => {
    const { order } = await register("GARAN");
    const strangers = [
      { symbol: "AKBNK", averagePrice: 51 },
      { clientOrderId: "other", averagePrice: 52 },
      { clientOrderId: "", createdDate: "2026-01-01T00:00:00Z", averagePrice: 53 },
      { buySell: 2, averagePrice: 54 },
    ];
    for (const change of strangers) {
      const stranger = { ...order, orderStatus: 2, filledQuantity: 100, ...change };
      world.engines.nats.publish(`broker.${CODE}.updates`, JSON.stringify(stranger));
    }
    // A stranger that was taken for the order would have made its group, or ended the pending OCO, by now.
    await until(
      async () => world.engines.engine.output().split('"otherOrder"').length,
      (parts) => parts > strangers.length,
    );
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    await world.untilTold("GARAN", "setup.converted");
    assert.deepEqual(
      (await rowsOf("GARAN")).map(({ price }) => price),
      [97, 110],
    );
    assert.ok(!world.typesOf("GARAN").includes("setup.conversionFailed"));
  });

  test("a limit buy at 100 that is reported as filled at 10,000 is asked for again, and nothing is sold (13.4)", async () => {
    const { order } = await register("ASELS");
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 10_000 });
    await until(
      async () => world.engines.engine.output(),
      (output) => output.includes("impossiblePrice"),
    );
    assert.deepEqual(await rowsOf("ASELS"), []);
    Object.assign(order, { averagePrice: 99.5 });
    await world.untilTold("ASELS", "setup.converted");
    assert.deepEqual(
      (await rowsOf("ASELS")).map(({ status }) => status),
      [1, 1],
    );
  });

  test("a stop-loss of 150 lots over a buy of 100 is named, at registration and at conversion (behaviour 5.3a)", async () => {
    const { order, message } = await register("SISE", 150);
    assert.match(message, /the stop-loss sells 150 lots, and the order buys 100$/);
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    await world.untilTold("SISE", "setup.converted");
    const converted = world.events.find(
      (event) => event.type === "setup.converted" && JSON.stringify(event).includes('"SISE"'),
    );
    assert.match(JSON.stringify(converted), /sells 150 lots/);
  });
});
