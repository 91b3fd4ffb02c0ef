/** Prices that a careful reader must not act on, or must, over real processes and kill -9 (behaviour 3.2 and 3.4). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { pause, until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "PRICES";
/** Long enough for an order that must not leave. */
const QUIET_MS = 1_500;

natsSuite("a price", () => {
  let world: ScriptedWorld;

  before(async () => {
    const environment = { MAX_TICK_MOVE_PERCENT: "10" };
    world = await ScriptedWorld.start(CODE, {}, (ask) => world.connector.accept(ask, 2, ask.quantity), environment);
  });
  after(() => world.close());

  /** One message, with the time of the print. */
  async function print(subject: string, price: number, time: number): Promise<void> {
    world.engines.nats.publish(`ticks.${subject}`, JSON.stringify({ price, time }));
    await world.engines.nats.flush();
  }

  async function arm(symbol: string, terms: object): Promise<void> {
    const group = { brokerageCode: CODE, accountNumber: "A1", symbol, stopLossQuantity: 100, ...terms };
    const made = await world.engines.client.createGroup(group, symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
  }

  const STOP_AT_90 = { stopLossPrice: 90, takeProfitItems: [{ price: 200, quantity: 100 }] };

  const statusesOf = async (symbol: string): Promise<string> =>
    (await world.engines.client.rows(CODE, "A1"))
      .filter((row: OcoRow) => row.symbol === symbol)
      .map(({ status }) => status)
      .join();

  async function untilStatuses(symbol: string, expected: string): Promise<void> {
    const found = await until(
      () => statusesOf(symbol),
      (statuses) => statuses === expected,
    );
    assert.equal(found, expected);
  }

  async function sellsNothing(symbol: string): Promise<void> {
    await pause(QUIET_MS);
    assert.equal(await statusesOf(symbol), "1,1");
    assert.deepEqual(world.ordersOf(symbol), []);
  }

  test("that jumps is not confirmed by the same print sent again, nor read back after a kill -9 (behaviour 3.4)", async () => {
    const now = Date.now();
    await print("THYAO", 100, now);
    await arm("THYAO", STOP_AT_90);
    for (let count = 0; count < 3; count += 1) await print("THYAO", 80, now + 1);
    await sellsNothing("THYAO");
    await world.engines.restartEngine();
    await print("THYAO", 80, now + 1);
    await sellsNothing("THYAO");
    await print("THYAO", 80, now + 2);
    await untilStatuses("THYAO", "2,4");
    assert.equal(world.ordersOf("THYAO").length, 1);
  });

  test("under a subject with a dot, such as ticks.THYAO.E, is of an unknown symbol and is logged (behaviour 3.2)", async () => {
    await print("GARAN", 100, Date.now());
    await arm("GARAN", STOP_AT_90);
    for (let count = 0; count < 3; count += 1) await print("GARAN.E", 95 - count, Date.now());
    for (let count = 0; count < 3; count += 1) await print("GARAN.E", 89 - count, Date.now());
    await sellsNothing("GARAN");
    const log = await until(
      async () => world.engines.engine.output(),
      (output) => output.includes("GARAN.E"),
    );
    assert.match(log, /GARAN\.E/);
    await world.engines.restartEngine();
    await sellsNothing("GARAN");
    for (const price of [95, 89.5]) await print("GARAN", price, Date.now());
    await untilStatuses("GARAN", "2,4");
  });

  test("above 9,999,999, the highest level, reaches take-profits and no stop-loss, once (behaviour 3.1)", async () => {
    await print("AKBNK", 9_990_000, Date.now());
    await arm("AKBNK", { stopLossPrice: 9_000_000, takeProfitItems: [{ price: 9_999_997.5, quantity: 100 }] });
    await print("AKBNK", 10_000_000.5, Date.now());
    await untilStatuses("AKBNK", "1,2");
    await world.engines.restartEngine();
    await untilStatuses("AKBNK", "1,2");
    assert.equal(world.ordersOf("AKBNK").length, 1);
  });
});
