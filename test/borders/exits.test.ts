/** A stop-loss is sold to its last lot although its engine is killed between its orders (behaviour 14). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";
import { type Ask, ScriptedConnector } from "./support/connector.ts";

const brokerage = (code: string): object => {
  const times = { timeoutMs: 300, settleMs: 1_000, ordersPerMinute: 100_000 };
  return { code, name: code, adapter: "gateway", resend: "query", ...times };
};

natsSuite("an engine that is killed during an exit", () => {
  let world: EngineWorld;
  const connectors: ScriptedConnector[] = [];

  before(async () => {
    world = await EngineWorld.open({ brokerages: [brokerage("DEAF"), brokerage("MUTE")] });
    await world.startEngine();
  });
  after(async () => {
    for (const connector of connectors) connector.stop();
    await world.close();
  });

  function connect(
    code: string,
    place: (connector: ScriptedConnector, ask: Ask) => ReturnType<ScriptedConnector["accept"]> | undefined,
  ) {
    const connector: ScriptedConnector = new ScriptedConnector(world.nats, {
      ...{ code, resend: "query" },
      place: (ask) => place(connector, ask),
    });
    connectors.push(connector);
    return connector;
  }

  /** A stop-loss of ten lots that a price reaches: its first order is open. */
  async function stop(code: string, symbol: string): Promise<void> {
    await world.nats.flush();
    const made = await world.client.createGroup(groupOf(code, "A1", symbol), `${code}-${symbol}`);
    assert.ok("groupId" in made, JSON.stringify(made));
    await world.tick(symbol, 89);
    await untilRow(code, ({ status }) => status === 2);
  }

  async function untilRow(code: string, isMet: (stopLoss: OcoRow) => boolean): Promise<void> {
    await until(
      () => world.client.rows(code, "A1"),
      ([stopLoss]) => stopLoss !== undefined && isMet(stopLoss),
    );
  }

  function untilOrders(connector: ScriptedConnector, expected: number): Promise<number> {
    return until(
      async () => connector.orders.length,
      (count) => count === expected,
    );
  }

  const soldBy = (connector: ScriptedConnector): number =>
    connector.orders.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);

  test("after its first order ended: exactly one second order for what is left", async () => {
    const connector = connect("DEAF", (own, ask) =>
      own.orders.length === 0 ? own.accept(ask, 1, 0) : own.accept(ask, 2, ask.quantity),
    );
    await stop("DEAF", "THYAO");
    await world.engine.end("SIGKILL");
    const [first] = connector.orders;
    assert.ok(first !== undefined);
    connector.end(first, 3, 4, false);
    await world.startEngine();
    await untilOrders(connector, 2);
    await untilRow("DEAF", ({ triggerErrorMessage }) => triggerErrorMessage === null);
    await world.restartEngine();
    await untilRow("DEAF", ({ status }) => status === 2);
    assert.deepEqual(
      connector.orders.map(({ quantity }) => quantity),
      [10, 6],
    );
    assert.match(connector.orders[1]?.clientOrderId ?? "", /-n2$/);
    assert.equal(soldBy(connector), 10);
    assert.equal(connector.places.length, 2);
  });

  test("after its second order was taken and not answered: it is found, and no third order leaves", async () => {
    const connector = connect("MUTE", (own, ask) => {
      const answer = own.accept(ask, 1, 0);
      return own.orders.length === 2 ? undefined : answer;
    });
    await stop("MUTE", "GARAN");
    const [first] = connector.orders;
    assert.ok(first !== undefined);
    connector.end(first, 3, 4, true);
    await untilOrders(connector, 2);
    await world.restartEngine();
    const second = connector.orders[1];
    assert.ok(second !== undefined);
    connector.end(second, 2, 6, true);
    await untilRow("MUTE", ({ triggerErrorMessage }) => triggerErrorMessage === null);
    assert.equal(connector.orders.length, 2);
    assert.equal(soldBy(connector), 10);
  });
});
