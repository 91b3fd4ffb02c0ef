/**
 * A message server that is frozen and wakes delivers what was written to it meanwhile: an order that was looked up, said
 * not to exist and sent again is not placed a second time.
 *
 * Two servers: the engine speaks to one, which is frozen with an order in its socket; the engine is started again on the
 * other one, and settles that order with the connector.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { failed } from "../../engine/connector/host/connector.ts";
import { serveConnector } from "../../engine/connector/host/serve.ts";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { PlaceRequest } from "../../src/contract/trading/order.ts";
import { steadyClock } from "../../src/runtime/clock.ts";
import { CountingConnector } from "../support/brokerage/counting-connector.ts";
import { EngineClient } from "../support/client/engine-client.ts";
import { freePorts } from "../support/machine/free-ports.ts";
import { natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { startProgram, temporaryFolder } from "../support/machine/process.ts";
import { ENGINE_USER, groupOf } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";

const READY = /engine is ready/;
/** Turned away so often, an order is next sent in 800 ms or more: time to freeze the server before. */
const TURNED_AWAY = 4;
/** One for each try to freeze the server in that time. */
const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS"];
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Turns away the first requests. */
class CarelessConnector extends CountingConnector {
  turnedAway = 0;

  override async place(request: PlaceRequest): ReturnType<CountingConnector["place"]> {
    if (this.turnedAway >= TURNED_AWAY) return super.place(request);
    this.turnedAway += 1;
    return failed("NOT_SENT", "no session");
  }
}

natsSuite("a frozen message server", () => {
  test("what it delivers late, after a look-up said NOT_FOUND, is not placed", async (t) => {
    const [portOfFirst = 0, portOfSecond = 0] = await freePorts(2);
    const cluster = (name: string, own: number, other: number): string =>
      `server_name: ${name}\ncluster { name: c, no_advertise: true, listen: "127.0.0.1:${own}", routes: ["nats-route://127.0.0.1:${other}"] }`;
    const first = await startNatsServer({ configuration: cluster("first", portOfFirst, portOfSecond) });
    t.after(() => first.stop());
    const second = await startNatsServer({ configuration: cluster("second", portOfSecond, portOfFirst) });
    t.after(() => second.stop());
    const folder = await temporaryFolder();
    t.after(() => folder.remove());
    const settings = { code: "ACME", name: "Acme", adapter: "gateway", resend: "query", timeoutMs: 300, settleMs: 600 };
    await writeFile(join(folder.path, "brokerages.json"), JSON.stringify([settings]));
    const environment = (url: string): Record<string, string> => ({
      NATS_URL: url,
      BROKERAGES_FILE: join(folder.path, "brokerages.json"),
      DATA_DIR: join(folder.path, "data"),
    });

    const bus = await connectNatsBus({ servers: second.url, name: "connector", onError: () => undefined });
    t.after(() => bus.drain());
    const connector = new CarelessConnector(["A1"]);
    serveConnector(connector, { code: "ACME", bus, log: SILENT, steadyClock });
    const nats = await connect({ servers: second.url });
    t.after(() => nats.close());
    const arrived: PlaceRequest[] = [];
    nats.subscribe("broker.ACME.place", { callback: (_, message) => arrived.push(message.json<PlaceRequest>()) });
    await nats.flush();

    const old = await startProgram("engine/main.ts", environment(first.url), READY);
    t.after(() => old.end("SIGKILL"));
    const client = new EngineClient(nats, ENGINE_USER);
    const ordersOf = (symbol: string): number => connector.orders.filter((order) => order.symbol === symbol).length;
    /** How many tries to place an order the engine has told of as failed. */
    const failuresOf = (clientOrderId: string): number =>
      old
        .output()
        .split("\n")
        .filter((line) => line.includes("an order was not placed") && line.includes(clientOrderId)).length;

    /** Sells, and freezes the first server before the order is sent for the last time. False: it was not in time. */
    const freezeBeforeOrder = async (symbol: string): Promise<boolean> => {
      const made = await client.createGroup(groupOf("ACME", "A1", symbol), symbol);
      assert.ok("groupId" in made, JSON.stringify(made));
      connector.turnedAway = 0;
      nats.publish(`ticks.${symbol}`, JSON.stringify({ price: 89 }));
      while (connector.turnedAway < TURNED_AWAY) await pause(10);
      await first.kill("SIGSTOP");
      // The order is written to the frozen server meanwhile, and not answered: one more failure than requests.
      const name = arrived.at(-1)?.clientOrderId ?? "";
      const isHeld = (): boolean =>
        failuresOf(name) > arrived.filter(({ clientOrderId }) => clientOrderId === name).length;
      // What the other server had by then arrives, or is still between the two.
      const isInTime = await until(
        async () => (ordersOf(symbol) > 0 ? false : isHeld() || undefined),
        (known) => known !== undefined,
      );
      assert.ok(isInTime !== undefined, old.output());
      if (!isInTime) await first.kill("SIGCONT");
      return isInTime;
    };
    let sold: string | undefined;
    for (const symbol of SYMBOLS) {
      if (!(await freezeBeforeOrder(symbol))) continue;
      sold = symbol;
      break;
    }
    assert.ok(sold !== undefined, "the server was frozen in time");
    const symbol = sold;
    const before = arrived.length;
    await old.end("SIGKILL");
    assert.equal(arrived.length, before);

    const next = await startProgram("engine/main.ts", environment(second.url), READY);
    t.after(() => next.end("SIGKILL"));
    await until(
      async () => Math.min(ordersOf(symbol), arrived.length - before),
      (count) => count === 1,
    );
    const settled = arrived.length;
    await first.kill("SIGCONT");
    await until(
      async () => arrived.length,
      (count) => count > settled,
    );
    await pause(1_000);
    assert.equal(ordersOf(symbol), 1, "the order that came late was placed too");
    const attempts = arrived.map(({ fence }) => fence?.attempt ?? 0);
    assert.ok(Math.max(...attempts.slice(settled)) < Math.max(...attempts), `what came late is older: ${attempts}`);
    // The dead engine's word that it runs the partition comes late too; the one that lives asks back and goes on.
    assert.equal(next.hasEnded(), false, next.output());
    const rows = (await client.rows("ACME", "A1")).filter((row) => row.symbol === symbol);
    assert.deepEqual(
      rows.map(({ status }) => status),
      [2, 4, 4],
    );
  });
});
