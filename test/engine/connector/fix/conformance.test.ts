/** The contract's conformance suite against the FIX connector, with QuickFIX's unmodified brokers and a careful one. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { Asker } from "../../../../engine/connector/conformance/asker.ts";
import { tryConnector } from "../../../../engine/connector/conformance/checks.ts";
import type { Verdict } from "../../../../engine/connector/conformance/report.ts";
import { fixConnector } from "../../../../engine/connector/fix/start.ts";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { openEpochFile } from "../../../../engine/connector/host/state/epoch-file.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { BookingBroker } from "./support/booking-broker.ts";
import { configFor } from "./support/fix-world.ts";
import { ScriptedPeer } from "./support/peer.ts";
import { QuickFixBroker, quickFixSuite } from "./support/quickfix.ts";
import { RecordedLog, throwing } from "./support/session-world.ts";

type Change = Parameters<typeof configFor>[2];

/** Runs the suite, restarts of the connector included. */
async function conform(port: number, folder: string, change: Change, price: number): Promise<Verdict> {
  const bus = createMemoryBus();
  const log = new RecordedLog();
  const start = async () => {
    const started = await fixConnector.open({
      ...{ settings: configFor(port, folder, change), clock: systemClock, steadyClock, timers: loopTimers, log },
      ...{ fatal: throwing, lastPriceOf: () => 100, mayCreate: true },
    });
    await untilTrue(() => started.session.isLive);
    const epochs = openEpochFile(join(folder, "epochs"));
    const stopServing = serveConnector(started.connector, { code: "ACME", bus, log, steadyClock, epochs });
    return { started, stopServing };
  };
  let running = await start();
  const stop = async () => {
    running.stopServing();
    await running.started.stop();
  };
  const verdict = await tryConnector({
    ...{ asker: new Asker(bus, "ACME", 20_000), userId: 1, accountNumber: undefined, epoch: Date.now() },
    trial: { symbol: "THYAO", quantity: 1, price },
    namePrefix: `conformance-${randomBytes(5).toString("hex")}`,
    restart: async () => {
      await stop();
      running = await start();
    },
    wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  });
  await stop();
  return verdict;
}

function assertQuery(verdict: Verdict): void {
  assert.equal(verdict.isConforming, true, JSON.stringify(verdict, null, 1));
  assert.equal(verdict.told, "query");
}

quickFixSuite("conformance", () => {
  test("executor over FIX 4.4, market orders as limits", async () => {
    const { path, remove } = await temporaryFolder();
    const broker = await QuickFixBroker.start("executor", path, "FIX.4.4");
    assertQuery(await conform(broker.port, path, { orders: { marketAs: "limitIOC" } }, 0));
    await broker.stop();
    await remove();
  });
  test("ordermatch over FIX 4.2, limit orders", async () => {
    const { path, remove } = await temporaryFolder();
    const broker = await QuickFixBroker.start("ordermatch", path, "FIX.4.2");
    assertQuery(await conform(broker.port, path, { session: { version: "FIX.4.2" } }, 10));
    await broker.stop();
    await remove();
  });
});

test("conformance: a broker that books whatever reaches it and answers questions", async () => {
  const { path, remove } = await temporaryFolder();
  const peer = await ScriptedPeer.start();
  const broker = new BookingBroker(peer, 1);
  assertQuery(await conform(peer.port, path, {}, 0));
  assert.deepEqual(broker.doubled, []);
  await peer.stop();
  await remove();
});
