/** What comes too old, too early or too fast: ticks of another time, fills without a price, prices faster than bots wake. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EngineClient, type OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";
import { ScriptedConnector } from "./support/connector.ts";

const BOT_COUNT = 150;
const brokerage = (code: string): object => ({
  ...{ code, name: code, adapter: "gateway", resend: "idempotent", timeoutMs: 2_000, ordersPerMinute: 1_000_000 },
});

natsSuite("an engine that is told something at a wrong time", () => {
  let world: EngineWorld;
  const connectors: ScriptedConnector[] = [];

  before(async () => {
    world = await EngineWorld.open({ brokerages: ["OLD", "FILLS", "BOTS"].map(brokerage) });
    await world.startEngine();
  });
  after(async () => {
    for (const connector of connectors) connector.stop();
    await world.close();
  });

  async function connect(code: string): Promise<ScriptedConnector> {
    const place = (ask: Parameters<ScriptedConnector["accept"]>[0]) => connector.accept(ask, 2, ask.quantity);
    const connector: ScriptedConnector = new ScriptedConnector(world.nats, { code, resend: "idempotent", place });
    connectors.push(connector);
    await world.nats.flush();
    return connector;
  }

  const statuses = (rows: readonly OcoRow[]): string => rows.map(({ status }) => status).join();

  test("sells nothing by a tick in seconds, or of last year, and sells by the next right one", async () => {
    await connect("OLD");
    const made = await world.client.createGroup(groupOf("OLD", "A1", "GARAN"), "old");
    assert.ok("groupId" in made, JSON.stringify(made));
    for (const time of [Math.floor(Date.now() / 1_000), Date.now() - 365 * 86_400_000]) {
      world.nats.publish("ticks.GARAN", JSON.stringify({ price: 85, time }));
    }
    await world.nats.flush();
    await pause(1_000);
    assert.equal(statuses(await world.client.rows("OLD", "A1")), "1,1,1");
    await world.tick("GARAN", 85);
    const sold = await until(
      () => world.client.rows("OLD", "A1"),
      (rows) => statuses(rows) === "2,4,4",
    );
    assert.equal(statuses(sold), "2,4,4");
  });

  test("waits for the price of an order that is completed without one, and protects it then", async () => {
    const connector = await connect("FILLS");
    const buy = { accountNumber: "A1", clientOrderId: "b1", symbol: "THYAO", buySell: 1, orderType: 1, price: 0 };
    connector.accept({ ...buy, quantity: 10 }, 1, 0);
    const [order] = connector.orders;
    assert.ok(order !== undefined);
    const { orderNo } = order;
    Object.assign(order, { averagePrice: 0 });
    const body = {
      ...{ brokerageCode: "FILLS", accountNumber: "A1", symbol: "THYAO", brokerOrderNo: orderNo },
      ...{ stopLossQuantity: 10, stopLossPercent: 5, takeProfitItems: [{ percent: 5, quantity: 10 }] },
    };
    assert.equal((await world.client.command("setup.register", body, "late")).ok, true);
    connector.end(order, 2, 10, true);
    await world.nats.flush();
    await pause(1_000);
    assert.equal(statuses(await world.client.rows("FILLS", "A1")), "");
    Object.assign(order, { averagePrice: 100 });
    connector.end(order, 2, 10, true);
    const rows = await until(
      () => world.client.rows("FILLS", "A1"),
      (all) => all.length > 0,
    );
    assert.deepEqual(
      rows.map(({ price }) => price),
      [95, 105],
    );
  });

  test(`gives every one of ${BOT_COUNT} bots every tick, however fast they come`, async () => {
    const connector = await connect("BOTS");
    for (let userId = 101; userId <= 100 + BOT_COUNT; userId += 1) {
      const place = { brokerageCode: "BOTS", accountNumber: "A1", name: "dips", isActive: true };
      const body = { ...place, levelBotDetails: [{ symbol: "THYAO", buyGap: 1, sellGap: 50 }] };
      const made = await new EngineClient(world.nats, userId).command("levelBots.create", body, "bot");
      assert.equal(made.ok, true, JSON.stringify(made));
    }
    await world.tick("THYAO", 100);
    const seen = await until(
      () => world.client.query("prices.last", { symbols: ["THYAO"] }),
      (answer) => JSON.stringify(answer).includes('"price":100,'),
    );
    assert.match(JSON.stringify(seen), /"price":100,/);
    for (const price of [105, 110, 104.5]) world.nats.publish("ticks.THYAO", JSON.stringify({ price }));
    await world.nats.flush();
    // A busy machine may ask a second time for an order whose answer comes late: under the same name.
    const names = (): ReadonlySet<string> => new Set(connector.places.map(({ clientOrderId }) => clientOrderId));
    await until(
      async () => names().size,
      (count) => count >= BOT_COUNT,
    );
    assert.equal(names().size, BOT_COUNT);
  });
});
