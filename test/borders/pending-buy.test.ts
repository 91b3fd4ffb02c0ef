/** The buy of a pending OCO over real processes: what a brokerage reports of it is evidence, and no word is the end. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedConnector } from "./support/connector.ts";

const CODE = "BUYS";
const place = { brokerageCode: CODE, accountNumber: "A1" };

natsSuite("the buy of a pending OCO", () => {
  let world: EngineWorld;
  let connector: ScriptedConnector;
  const events: { readonly type: string; readonly setupId?: number }[] = [];

  before(async () => {
    const settings = { code: CODE, name: CODE, adapter: "gateway", resend: "query", ordersPerMinute: 100_000 };
    world = await EngineWorld.open({ brokerages: [settings] });
    connector = new ScriptedConnector(world.nats, {
      code: CODE,
      resend: "query",
      place: (ask) => connector.accept(ask, 1, 0),
    });
    world.nats.subscribe("events.*.>", { callback: (_, message) => void events.push(message.json()) });
    await world.startEngine();
  });
  after(async () => {
    connector.stop();
    await world.close();
  });

  type Order = (typeof connector.orders)[number];

  /** A limit buy at 100 that was placed by hand, and a pending OCO over it. */
  async function register(symbol: string, stopLossQuantity = 100): Promise<{ order: Order; message: string }> {
    const terms = { symbol, buySell: 1, orderType: 2, price: 100, accountNumber: "A1" };
    connector.accept({ clientOrderId: `hand-${symbol}`, quantity: 100, ...terms }, 1, 0);
    const order = connector.orders.at(-1) ?? assert.fail();
    const takeProfitItems = [{ quantity: 40, percent: 10 }];
    const body = {
      ...place,
      symbol,
      brokerOrderNo: order.orderNo,
      stopLossQuantity,
      stopLossPercent: 3,
      takeProfitItems,
    };
    const reply = await world.client.command("setup.register", body, `register-${symbol}`);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    return { order, message: String(reply.message ?? "") };
  }

  function tell(order: Order, change: Partial<Order>): void {
    Object.assign(order, change);
    world.nats.publish(`broker.${CODE}.updates`, JSON.stringify(order));
  }

  const typesOf = (symbol: string): string[] =>
    events.filter((event) => JSON.stringify(event).includes(`"${symbol}"`)).map(({ type }) => type);

  const untilTold = (symbol: string, type: string): Promise<string[]> =>
    until(
      async () => typesOf(symbol),
      (types) => types.includes(type),
    );

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await world.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);

  test("filled after it was reported as cancelled: its group is made, and its owner is told (behaviour 5.7)", async () => {
    const { order } = await register("THYAO");
    tell(order, { orderStatus: 3, filledQuantity: 0 });
    assert.ok((await untilTold("THYAO", "setup.removed")).includes("setup.removed"));
    tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    const types = await untilTold("THYAO", "setup.converted");
    assert.ok(types.includes("alarm.filledAfterEnd") && types.includes("setup.converted"), String(types));
    assert.deepEqual(
      (await rowsOf("THYAO")).map(({ price, quantity, status }) => [price, quantity, status]),
      [
        [97, 100, 1],
        [110, 40, 1],
      ],
    );
  });

  test("its number on an order of another symbol, or of another day, is another order (behaviour 13.1)", async () => {
    const { order } = await register("GARAN");
    for (const change of [
      { symbol: "AKBNK" },
      { clientOrderId: "other", createdDate: "2026-01-01T00:00:00Z", quantity: 7 },
    ]) {
      const stranger = { ...order, orderStatus: 2, filledQuantity: 7, averagePrice: 55, ...change };
      world.nats.publish(`broker.${CODE}.updates`, JSON.stringify(stranger));
    }
    tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    await untilTold("GARAN", "setup.converted");
    assert.deepEqual(
      (await rowsOf("GARAN")).map(({ price }) => price),
      [97, 110],
    );
    assert.ok(!typesOf("GARAN").includes("setup.conversionFailed"));
  });

  test("a limit buy at 100 that is reported as filled at 10,000 is asked for again, and nothing is sold (13.4)", async () => {
    const { order } = await register("ASELS");
    tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 10_000 });
    await until(
      async () => world.engine.output(),
      (output) => output.includes("impossiblePrice"),
    );
    assert.deepEqual(await rowsOf("ASELS"), []);
    Object.assign(order, { averagePrice: 99.5 });
    await untilTold("ASELS", "setup.converted");
    assert.deepEqual(
      (await rowsOf("ASELS")).map(({ status }) => status),
      [1, 1],
    );
  });

  test("a stop-loss of 150 lots over a buy of 100 is named, at registration and at conversion (behaviour 5.3a)", async () => {
    const { order, message } = await register("SISE", 150);
    assert.match(message, /the stop-loss sells 150 lots, and the order buys 100$/);
    tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 100 });
    await untilTold("SISE", "setup.converted");
    const converted = events.find(
      (event) => event.type === "setup.converted" && JSON.stringify(event).includes('"SISE"'),
    );
    assert.match(JSON.stringify(converted), /sells 150 lots/);
  });
});
