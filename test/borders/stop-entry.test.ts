/** Stop entries over real processes whose engine is killed: each buys once, also by a price that no engine saw (24.11). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { SetupView } from "../../src/contract/trading/setup.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "STOPS";
/** The step at which the engine of a symbol's entry is killed. */
const STEPS = {
  THYAO: "while it waits",
  GARAN: "as its price comes",
  AKBNK: "before its price comes",
  ISCTR: "after its trigger was moved",
};

natsSuite("stop entries beside kill -9 of their engine", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, { timeoutMs: 300, settleMs: 1_000 }, (ask) =>
      world.connector.accept(ask, 2, ask.quantity),
    );
  });
  after(() => world.close());

  async function enter(symbol: string): Promise<number> {
    const body = {
      ...{ brokerageCode: CODE, accountNumber: "A1", symbol },
      entry: { orderType: 3, triggerPrice: 104, cashAmount: 1_050 },
      stopLossPercent: 10,
      takeProfitItems: [{ percent: 50, quantityPercent: 100 }],
    };
    const reply = await world.engines.client.command("setup.enter", body, `enter-${symbol}`);
    assert.ok(reply.ok, JSON.stringify(reply));
    return (reply.data as { setupId: number }).setupId;
  }

  /** Moves the trigger over the next price, and kills the engine once that is answered. */
  async function moveAndKill(symbol: string, id: number): Promise<void> {
    const { client } = world.engines;
    const reply = await client.command("setup.change", { id, change: { triggerPrice: 105 } }, `change-${symbol}`);
    assert.ok(reply.ok, JSON.stringify(reply));
    await restart();
    await world.engines.tick(symbol, 104.5);
    await until(
      () => client.query("prices.last", { symbols: [symbol] }),
      (last) => JSON.stringify(last).includes("104.5"),
    );
    const [waiting] = await client.records<SetupView>("setup.list", { brokerageCode: CODE, accountNumber: "A1" });
    assert.deepEqual([waiting?.entry?.triggerPrice, waiting?.entry?.triggeredPrice], [105, null]);
    assert.deepEqual(world.ordersOf(symbol), []);
    await world.engines.tick(symbol, 105);
  }

  async function restart(): Promise<void> {
    await world.engines.engine.end("SIGKILL");
    await world.engines.startEngine();
  }

  for (const [symbol, step] of Object.entries(STEPS)) {
    test(`killed ${step}: one buy, one group`, async () => {
      const { engines } = world;
      await engines.tick(symbol, 100);
      const id = await enter(symbol);
      if (symbol === "THYAO") await restart();
      if (symbol === "AKBNK") await engines.engine.end("SIGKILL");
      if (symbol === "ISCTR") await moveAndKill(symbol, id);
      else await engines.tick(symbol, 104.5);
      if (symbol === "GARAN") await restart();
      // It falls again before an engine is there.
      if (symbol === "AKBNK") {
        await engines.tick(symbol, 103);
        await engines.startEngine();
      }
      await world.untilTold(symbol, "setup.converted");
      const rows = await until(
        async () => (await engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol),
        (found) => found.length === 2,
      );
      assert.deepEqual(
        rows.map(({ quantity }) => quantity),
        [10, 10],
      );
      await restart();
      await engines.tick(symbol, 105);
      await engines.tick(symbol, 106);
      const own = () => world.ordersOf(symbol).map(({ quantity, buySell }) => [quantity, buySell]);
      // What the engine would do again it does before it answers the next command.
      await engines.client.rows(CODE, "A1");
      assert.deepEqual(own(), [[10, 1]]);
    });
  }
});
