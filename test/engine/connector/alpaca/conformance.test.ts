/** The contract's conformance suite against the Alpaca connector, restarts included. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { Asker } from "../../../../engine/connector/conformance/asker.ts";
import { tryConnector } from "../../../../engine/connector/conformance/checks.ts";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { openEpochFile } from "../../../../engine/connector/host/state/epoch-file.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import { steadyClock } from "../../../../src/runtime/clock.ts";
import { AlpacaWorld } from "./support/alpaca-world.ts";

test("conformance: orders that rest, are filled in part, end, are cancelled or come to a closed market break no rule", async () => {
  const world = await AlpacaWorld.make();
  world.server.price = null;
  const bus = createMemoryBus();
  await world.start();
  const stopServing = serveConnector(world.started.connector, { code: "ALPACA", bus, log: world.log, steadyClock });
  const verdict = await tryConnector({
    ...{ asker: new Asker(bus, "ALPACA", 20_000), userId: 1, accountNumber: undefined, epoch: Date.now() },
    trial: { symbol: "AAPL", quantity: 2, price: 50 },
    namePrefix: `conformance-${randomBytes(5).toString("hex")}`,
    restart: undefined,
    provoke: async (what, { clientOrderId }) => {
      if (what === "fill") world.server.fill(world.server.orderOf(clientOrderId), 1, 50);
      else if (what === "exchangeEnd" || what === "dayEnd") {
        world.server.change(world.server.orderOf(clientOrderId), "expired", { status: "expired" });
      } else if (what === "brokerageEnd") {
        world.server.change(world.server.orderOf(clientOrderId), "rejected", { status: "rejected" });
      } else if (what === "cutDown") {
        world.server.change(world.server.orderOf(clientOrderId), "canceled", { status: "canceled" });
      } else if (what === "close") {
        const body = { code: 42_210_000, message: "market orders are only allowed during market hours" };
        world.server.fail("place", { status: 422, body });
      } else return what === "open";
      return true;
    },
    wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  });
  stopServing();
  await world.end();
  assert.equal(verdict.isConforming, true, JSON.stringify(verdict, null, 1));
  const texts = verdict.findings.map(({ type, text }) => `${type} ${text}`).join("\n");
  assert.match(texts, /held cut down: an order that lost its rest is over, with what was filled/);
  assert.match(texts, /held endedBy: an order that ended by a cancel request names owner/);
  assert.match(texts, /held endedBy: an order that ended by dayEnd names exchange/);
  assert.match(texts, /held endedBy: an order that ended by brokerageEnd names brokerage/);
  assert.match(texts, /held NOT_NOW: no order exists by that request/);
  assert.match(texts, /held NOT_NOW: the same clientOrderId is taken once the market takes orders/);
  assert.match(texts, /held records: none contradicts itself or another/);
});

test("conformance: the connector tells idempotent, and its answers support it, over a restart too", async () => {
  const world = await AlpacaWorld.make();
  const bus = createMemoryBus();
  const serve = () => {
    const epochs = openEpochFile(join(world.folder, "epochs"));
    return serveConnector(world.started.connector, { code: "ALPACA", bus, log: world.log, steadyClock, epochs });
  };
  await world.start();
  let stopServing = serve();
  const verdict = await tryConnector({
    ...{ asker: new Asker(bus, "ALPACA", 20_000), userId: 1, accountNumber: undefined, epoch: Date.now() },
    trial: { symbol: "AAPL", quantity: 1, price: 0 },
    namePrefix: `conformance-${randomBytes(5).toString("hex")}`,
    restart: async () => {
      stopServing();
      await world.restart();
      stopServing = serve();
    },
    wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  });
  stopServing();
  assert.equal(verdict.isConforming, true, JSON.stringify(verdict, null, 1));
  assert.deepEqual([verdict.told, verdict.supported, verdict.missing], ["idempotent", "idempotent", []]);
  await world.end();
});
