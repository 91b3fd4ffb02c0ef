/** The contract's conformance suite against the AlgoLab connector, in both classes, restarts included. */
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
import { AlgolabWorld } from "./support/algolab-world.ts";

for (const [manualTrading, promise] of [
  [false, "query"],
  [true, "none"],
] as const) {
  test(`conformance: with manualTrading ${manualTrading} the connector tells ${promise}, over a restart too`, async () => {
    const world = await AlgolabWorld.make();
    const bus = createMemoryBus();
    const serve = () => {
      const epochs = openEpochFile(join(world.folder, "epochs"));
      return serveConnector(world.started.connector, { code: "ALGOLAB", bus, log: world.log, steadyClock, epochs });
    };
    await world.start({ manualTrading });
    let stopServing = serve();
    const verdict = await tryConnector({
      ...{ asker: new Asker(bus, "ALGOLAB", 20_000), userId: 1, accountNumber: undefined, epoch: Date.now() },
      trial: { symbol: "THYAO", quantity: 1, price: 0 },
      namePrefix: `conformance-${randomBytes(5).toString("hex")}`,
      restart: async () => {
        stopServing();
        await world.restart({ manualTrading });
        stopServing = serve();
      },
      wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
    });
    stopServing();
    assert.equal(verdict.isConforming, true, JSON.stringify(verdict, null, 1));
    assert.equal(verdict.told, promise);
    await world.end();
  });
}
