/** Sells under measures of the exchange, in a real engine over real NATS and kill -9 (behaviour 23). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BAND_COMMANDS } from "../../src/contract/operator/band.ts";
import { REFERENCE_COMMANDS } from "../../src/contract/operator/reference.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import type { ScriptedConnector } from "./support/connector.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "MEASURED";
const VALID_FROM = "2026-01-05T10:00:00+03:00";

natsSuite("a stop-loss whose symbol is under a measure", () => {
  let world: ScriptedWorld;
  let engines: ScriptedWorld["engines"];
  let connector: ScriptedWorld["connector"];
  let events: ScriptedWorld["events"];

  before(async () => {
    const place = (ask: Parameters<ScriptedConnector["accept"]>[0]) => world.connector.accept(ask, 2, ask.quantity);
    world = await ScriptedWorld.start(CODE, {}, place);
    ({ engines, connector, events } = world);
  });
  after(async () => {
    await world.close();
  });

  async function watched(symbol: string): Promise<void> {
    await engines.tick(symbol, 100);
    const takeProfitItems = [{ price: 110, quantity: 100 }];
    const terms = { symbol, stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems };
    const made = await engines.client.createGroup({ brokerageCode: CODE, accountNumber: "A1", ...terms }, symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
  }

  async function restrict(code: string, effects: object): Promise<number> {
    const restriction = { code, restrictionType: 99, validFrom: VALID_FROM, sourceRef: "test", effects };
    const written = await engines.client.command(REFERENCE_COMMANDS.writeRestrictions, { restrictions: [restriction] });
    const [id] = (written.data as { readonly ids: readonly number[] }).ids;
    assert.ok(id !== undefined, JSON.stringify(written));
    await untilTold("oco.restricted", code);
    return id;
  }

  const untilTold = (type: string, symbol: string) =>
    until(
      async () => events,
      (told) => told.some((event) => event.type === type && event.symbol === symbol),
    );
  const sellsOf = (symbol: string) =>
    connector.orders
      .filter((order) => order.symbol === symbol)
      .map(({ quantity, orderType, price }) => [quantity, orderType, price]);
  const untilSells = (symbol: string, count: number) =>
    until(
      async () => sellsOf(symbol),
      (sells) => sells.length === count,
    );

  test("is a limit at the floor where market orders are refused", async () => {
    await watched("THYAO");
    const bands = [{ symbol: "THYAO", floorPrice: 81, ceilingPrice: 120 }];
    await engines.client.command(BAND_COMMANDS.write, { source: "operator", bands });
    await restrict("THYAO", { noMarket: true });
    await engines.tick("THYAO", 89.9);
    await untilSells("THYAO", 1);
    assert.deepEqual(sellsOf("THYAO"), [[100, 2, 81]]);
  });

  test("waits while the order book is closed, over a kill -9, and is sold once when the measure ends", async () => {
    await watched("GARAN");
    const id = await restrict("GARAN", { halted: true });
    await engines.tick("GARAN", 89.9);
    await untilTold("alarm.measure", "GARAN");
    await engines.restartEngine();
    assert.deepEqual(sellsOf("GARAN"), []);
    await engines.client.command(REFERENCE_COMMANDS.endRestriction, { id, validTo: "2026-01-06T10:00:00+03:00" });
    await untilTold("oco.unrestricted", "GARAN");
    await untilSells("GARAN", 1);
    await engines.tick("GARAN", 89);
    assert.deepEqual(sellsOf("GARAN"), [[100, 1, 0]]);
    // What was published in the moment of a kill is published again, under the same id.
    const changes = events.filter(({ type, symbol }) => symbol === "GARAN" && type.endsWith("restricted"));
    const byId = new Map(changes.map(({ id, type }) => [id, type]));
    assert.deepEqual([...byId.values()], ["oco.restricted", "oco.unrestricted"]);
  });

  test("is sold in orders under a cap, in one row", async () => {
    await watched("AKBNK");
    await restrict("AKBNK", { valueCap: 5_000 });
    await engines.tick("AKBNK", 89.9);
    await untilSells("AKBNK", 2);
    assert.deepEqual(
      sellsOf("AKBNK").map(([quantity]) => quantity),
      [55, 45],
    );
  });
});
