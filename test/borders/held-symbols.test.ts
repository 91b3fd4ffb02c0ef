/** A price that halves overnight fires no stop, in a real engine over real NATS and kill -9 (behaviour 16). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import type { ScriptedConnector } from "./support/connector.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "NIGHT";
const NIGHT_MS = 14 * 3_600_000;

natsSuite("a stop-loss whose symbol changes its base overnight", () => {
  let world: ScriptedWorld;
  let engines: ScriptedWorld["engines"];
  let connector: ScriptedWorld["connector"];
  let events: ScriptedWorld["events"];

  before(async () => {
    // The test publishes yesterday's prices today: their own times contain the night.
    const environment = { MAX_TICK_AGE_SECONDS: "0" };
    const place = (ask: Parameters<ScriptedConnector["accept"]>[0]) => world.connector.accept(ask, 2, ask.quantity);
    world = await ScriptedWorld.start(CODE, {}, place, environment);
    ({ engines, connector, events } = world);
  });
  after(async () => {
    await world.close();
  });

  async function price(symbol: string, value: number, agoMs = 0): Promise<void> {
    engines.nats.publish(`ticks.${symbol}`, JSON.stringify({ price: value, time: Date.now() - agoMs }));
    await engines.nats.flush();
  }

  /** A group under watch since yesterday evening's close of 100. */
  async function watched(symbol: string): Promise<number> {
    await price(symbol, 100, NIGHT_MS);
    const terms = {
      symbol,
      stopLossPrice: 90,
      stopLossQuantity: 100,
      takeProfitItems: [{ price: 150, quantity: 100 }],
    };
    const made = await engines.client.createGroup({ brokerageCode: CODE, accountNumber: "A1", ...terms }, symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
    return made.groupId;
  }

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);
  const sellsOf = (symbol: string): number[] =>
    connector.orders.filter((order) => order.symbol === symbol).map(({ quantity }) => quantity);
  const untilSold = (symbol: string) =>
    until(
      () => rowsOf(symbol),
      ([stopLoss]) => stopLoss?.status === 2,
    );
  const untilHeld = (symbol: string) =>
    until(
      async () => events,
      (told) => told.some((event) => event.type === "symbol.held" && event.symbol === symbol),
    );

  test("holds at half the close, over a kill -9, and sells by the last price once it is released", async () => {
    await watched("THYAO");
    await price("THYAO", 50);
    await untilHeld("THYAO");
    await engines.engine.end("SIGKILL");
    await price("THYAO", 49);
    await engines.startEngine();
    await price("THYAO", 48);
    await price("GARAN", 100, NIGHT_MS);
    assert.deepEqual(sellsOf("THYAO"), []);
    const released = await engines.client.command("symbols.release", { symbol: "THYAO" });
    assert.deepEqual(released.data, { isChanged: true });
    await untilSold("THYAO");
    assert.deepEqual(sellsOf("THYAO"), [100]);
  });

  test("holds where the engine is killed with the first price, and where that price came while none ran", async () => {
    for (const [symbol, isMissed] of [
      ["AKBNK", false],
      ["SISE", true],
    ] as const) {
      await watched(symbol);
      if (!isMissed) await price(symbol, 50);
      await engines.engine.end("SIGKILL");
      if (isMissed) await price(symbol, 50);
      await engines.startEngine();
      await price(symbol, 49);
      await untilHeld(symbol);
      assert.deepEqual([sellsOf(symbol), (await rowsOf(symbol))[0]?.status], [[], 1], symbol);
    }
  });

  test("a group that its owner released sells, and one near the close sells without a hold", async () => {
    const id = await watched("EREGL");
    await price("EREGL", 50);
    await untilHeld("EREGL");
    assert.equal((await engines.client.command("oco.release", { id })).data, true);
    await untilSold("EREGL");
    await watched("KCHOL");
    await price("KCHOL", 89);
    await untilSold("KCHOL");
    assert.deepEqual([sellsOf("EREGL"), sellsOf("KCHOL")], [[100], [100]]);
  });
});
