/** What a connector's words are worth: no word makes a second order of one sell, and none leaves its owner in the dark. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";
import { ScriptedConnector } from "./support/connector.ts";

const TIMEOUT_MS = 300;
const LYING = { ok: false, code: "UNAVAILABLE", message: "upstream timed out" };
const brokerage = (code: string, resend: string): object => {
  const times = { timeoutMs: TIMEOUT_MS, settleMs: 1_000, ordersPerMinute: 100_000 };
  return { code, name: code, adapter: "gateway", resend, ...times };
};

natsSuite("the words of a connector", () => {
  let world: EngineWorld;
  const connectors: ScriptedConnector[] = [];

  before(async () => {
    world = await EngineWorld.open({
      brokerages: [
        ...[brokerage("LIES", "none"), brokerage("SLOW", "idempotent"), brokerage("ENDS", "query")],
        ...[brokerage("PARTS", "query"), brokerage("WEAK", "idempotent"), brokerage("CANNOT", "query")],
      ],
      environment: { EXIT_POLICY: "once" },
    });
    await world.startEngine();
  });
  after(async () => {
    for (const connector of connectors) connector.stop();
    await world.close();
  });

  function connect(options: ConstructorParameters<typeof ScriptedConnector>[1]): ScriptedConnector {
    const connector = new ScriptedConnector(world.nats, options);
    connectors.push(connector);
    return connector;
  }

  /** A stop-loss that a price reaches, and two take-profits. */
  async function stop(code: string, symbol: string): Promise<void> {
    await world.nats.flush();
    const made = await world.client.createGroup(groupOf(code, "A1", symbol), `${code}-${symbol}`);
    assert.ok("groupId" in made, JSON.stringify(made));
    await world.tick(symbol, 89);
  }

  const rowsOf = (code: string): Promise<OcoRow[]> => world.client.rows(code, "A1");
  const statusesOf = (rows: readonly OcoRow[]): number[] => rows.map(({ status }) => status);

  async function untilStatuses(code: string, expected: readonly number[]): Promise<OcoRow[]> {
    return until(
      () => rowsOf(code),
      (rows) => String(statusesOf(rows)) === String(expected),
    );
  }

  test("UNAVAILABLE after the order was taken, behind the promise none: one order, and a person is called", async () => {
    const quarantined: unknown[] = [];
    world.nats.subscribe("events.*.order.quarantined", { callback: (_, message) => quarantined.push(message.json()) });
    const connector = connect({
      ...{ code: "LIES", resend: "none" },
      place: (ask) => {
        connector.accept(ask, 2, ask.quantity);
        return LYING;
      },
    });
    await stop("LIES", "THYAO");
    await until(
      async () => quarantined.length,
      (count) => count > 0,
    );
    await pause(3_000);
    assert.equal(connector.orders.length, 1);
    assert.deepEqual(statusesOf(await rowsOf("LIES")), [1, 1, 1]);
  });

  test("a repeat is REJECTED and the first is then accepted: the order is found, and nothing is sold twice", async () => {
    const connector = connect({
      ...{ code: "SLOW", resend: "idempotent" },
      place: async (ask, count) => {
        if (count > 1) return { ok: false, code: "REJECTED", message: "duplicate" };
        await pause(6 * TIMEOUT_MS);
        return connector.accept(ask, 2, ask.quantity);
      },
    });
    await stop("SLOW", "GARAN");
    await untilStatuses("SLOW", [2, 4, 4]);
    assert.equal(connector.orders.length, 1);
    await world.tick("GARAN", 121);
    await pause(500);
    assert.equal(connector.orders.length, 1);
  });

  test("an accepted sell that comes to nothing, told while the engine is dead, is as if it had been refused", async () => {
    const connector = connect({ code: "ENDS", resend: "query", place: (ask) => connector.accept(ask, 1, 0) });
    await stop("ENDS", "AKBNK");
    await untilStatuses("ENDS", [2, 4, 4]);
    await world.engine.end("SIGKILL");
    const [order] = connector.orders;
    assert.ok(order !== undefined);
    connector.end(order, 4, 0, false);
    await world.startEngine();
    const [stopLoss] = await untilStatuses("ENDS", [3, 1, 1]);
    assert.equal(stopLoss?.triggerErrorMessage, "halted");
    await world.tick("AKBNK", 111);
    await untilStatuses("ENDS", [3, 2, 1]);
    assert.equal(connector.orders.length, 2);
  });

  test("a sell that ends with a part filled stays Triggered, says how much was sold, and an event goes out", async () => {
    const told = new Promise((resolve) => {
      world.nats.subscribe("events.*.oco.sellIncomplete", {
        max: 1,
        callback: (_, message) => resolve(message.json()),
      });
    });
    const connector = connect({ code: "PARTS", resend: "query", place: (ask) => connector.accept(ask, 1, 0) });
    await stop("PARTS", "ASELS");
    await untilStatuses("PARTS", [2, 4, 4]);
    const [order] = connector.orders;
    assert.ok(order !== undefined);
    connector.end(order, 3, 4, true);
    const { row } = (await told) as { row: OcoRow };
    assert.deepEqual([row.status, row.triggerErrorMessage], [2, "4 of 10 sold: halted"]);
    assert.deepEqual(statusesOf(await rowsOf("PARTS")), [2, 4, 4]);
  });

  test("nothing is sent to a connector that promises less than the settings rely on", async () => {
    const connector = connect({
      code: "WEAK",
      resend: "query",
      place: (ask) => connector.accept(ask, 2, ask.quantity),
    });
    await stop("WEAK", "SISE");
    const said = await until(
      async () => world.engine.output(),
      (output) => output.includes("rely on resend idempotent of WEAK"),
    );
    assert.match(said, /rely on resend idempotent of WEAK, and its connector promises query/);
    await pause(2_000);
    assert.deepEqual(connector.places, []);
  });

  test("UNKNOWN to a look-up calls a person, and nothing is sent again", async () => {
    const connector = connect({ code: "CANNOT", resend: "query", place: () => LYING });
    const subscription = world.nats.subscribe("broker.CANNOT.findOrder", {
      callback: (_, message) => void message.respond(JSON.stringify({ ok: false, code: "UNKNOWN", message: "reset" })),
    });
    const called = new Promise((resolve) => {
      world.nats.subscribe("events.*.order.quarantined", { max: 1, callback: (_, message) => resolve(message.json()) });
    });
    connector.findsNothing = true;
    await stop("CANNOT", "KCHOL");
    assert.match(String(((await called) as { reason: string }).reason), /does not know the outcome: reset/);
    assert.equal(connector.places.length, 1);
    subscription.unsubscribe();
  });
});
