/**
 * A frozen message server that resumes delivers the messages that it received before: an order that was looked up,
 * answered with NOT_FOUND and sent again is not placed a second time.
 *
 * Two servers: the engine speaks to one, which is frozen with an order in its socket; the engine is started again on the
 * other one, and settles that order with the connector.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { serveConnector } from "../../engine/connector/host/serve.ts";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { PlaceRequest } from "../../src/contract/trading/order.ts";
import { steadyClock } from "../../src/runtime/clock.ts";
import { CountingConnector } from "../support/brokerage/counting-connector.ts";
import { EngineClient } from "../support/client/engine-client.ts";
import { freePorts } from "../support/machine/free-ports.ts";
import { natsSuite, startNatsServer } from "../support/machine/nats-server.ts";
import { startProgram, stoppingAt, temporaryFolder } from "../support/machine/process.ts";
import { ENGINE_USER, groupOf } from "../support/world/engine-world.ts";
import { pause, until } from "../support/world/stack.ts";

const READY = /engine is ready/;
const SYMBOL = "THYAO";
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

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
    const connector = new CountingConnector(["A1"]);
    serveConnector(connector, { code: "ACME", bus, log: SILENT, steadyClock });
    const nats = await connect({ servers: second.url });
    t.after(() => nats.close());
    const arrived: PlaceRequest[] = [];
    nats.subscribe("broker.ACME.place", { callback: (_, message) => arrived.push(message.json<PlaceRequest>()) });
    await nats.flush();

    // The engine stops itself right before it writes the order; once resumed, it writes to a server that is frozen.
    const stopFile = join(folder.path, "stop");
    await writeFile(stopFile, "");
    const stopping = { ...environment(first.url), ...stoppingAt("send", stopFile) };
    const old = await startProgram("engine/main.ts", stopping, READY);
    t.after(() => old.end("SIGKILL"));
    const client = new EngineClient(nats, ENGINE_USER);
    const made = await client.createGroup(groupOf("ACME", "A1", SYMBOL), "group");
    assert.ok("groupId" in made, JSON.stringify(made));
    nats.publish(`ticks.${SYMBOL}`, JSON.stringify({ price: 89 }));
    const isAtOrder = await until(
      async () => !existsSync(stopFile),
      (isGone) => isGone,
    );
    assert.ok(isAtOrder, old.output());
    await first.kill("SIGSTOP");
    const hasSentInVain = await until(
      async () => {
        // Repeated: the file is removed a moment before the engine stops.
        process.kill(old.pid, "SIGCONT");
        return /"code":"UNAVAILABLE".*an order was not placed/.test(old.output());
      },
      (isTold) => isTold,
    );
    assert.ok(hasSentInVain, old.output());
    await old.end("SIGKILL");
    assert.equal(arrived.length, 0);

    const next = await startProgram("engine/main.ts", environment(second.url), READY);
    t.after(() => next.end("SIGKILL"));
    await until(
      async () => Math.min(connector.orders.length, arrived.length),
      (count) => count === 1,
    );
    const settled = arrived.length;
    await first.kill("SIGCONT");
    await until(
      async () => arrived.length,
      (count) => count > settled,
    );
    await pause(1_000);
    assert.equal(connector.orders.length, 1, "the order that came late was placed too");
    const attempts = arrived.map(({ fence }) => fence?.attempt ?? 0);
    assert.ok(Math.max(...attempts.slice(settled)) < Math.max(...attempts), `what came late is older: ${attempts}`);
    // The dead engine's announcement that it runs the partition is late, too; the live engine checks and continues.
    assert.equal(next.hasEnded(), false, next.output());
    const rows = await client.rows("ACME", "A1");
    assert.deepEqual(
      rows.map(({ status }) => status),
      [2, 4, 4],
    );
  });
});
