/** Servers that stop syncing while an engine runs: its partitions are not ready until they can be trusted again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { clusterSuite, type NatsCluster, startNatsCluster } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";
import { until } from "../../support/world/stack.ts";

/** An engine asks the servers once a minute; the engine of this test asks every two seconds. */
const ASK_OFTEN = [
  "const every = globalThis.setInterval;",
  "globalThis.setInterval = (run, ms, ...rest) => every(run, ms === 60_000 ? 2_000 : ms, ...rest);",
].join("\n");
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ASK_OFTEN)}`;

clusterSuite("an engine whose servers are asked again", () => {
  let world: ReplicatedWorld;
  let isSyncing = true;
  const monitors: Server[] = [];

  /** Serves a server's own report, with `sync_always` false while the test wants it so. */
  const monitorOf = async (url: string): Promise<string> => {
    const monitor = createServer((_request, response) => {
      void fetch(`${url}/varz`)
        .then((answer) => answer.text())
        .then((text) => response.end(isSyncing ? text : text.replace(/"sync_always": *true/, `"sync_always": false`)));
    });
    monitors.push(monitor);
    monitor.listen(0, "127.0.0.1");
    await once(monitor, "listening");
    return `http://127.0.0.1:${(monitor.address() as AddressInfo).port}`;
  };

  before(async () => {
    const cluster: NatsCluster = await startNatsCluster();
    const urls = await Promise.all(cluster.servers.map(({ monitorUrl }) => monitorOf(monitorUrl)));
    world = await ReplicatedWorld.start({
      partitions: 1,
      cluster,
      environment: { NATS_MONITOR_URLS: urls.join(","), NODE_OPTIONS },
    });
    await world.startEngine("a");
    await world.whenLed("a", 1);
  });
  after(async () => {
    await world.stop();
    for (const monitor of monitors) monitor.close();
  });

  interface Health {
    readonly ok: boolean;
    readonly message?: string;
  }
  const untilHealth = (isSo: (health: Health) => boolean): Promise<Health> => until(health, isSo);
  /** A busy engine can lack processor time for longer than its lease, or than the request waits. */
  const health = async (): Promise<Health> => {
    const envelope = JSON.stringify({ type: "health", userId: null, requestId: "test", body: {} });
    try {
      return (await world.nats.request("engine.0.query", envelope, { timeout: 5_000 })).json();
    } catch {
      return { ok: false, message: "no answer" };
    }
  };

  /** Waits for a line, which is written a moment after the change that it reports. */
  const printed = async (line: RegExp): Promise<void> => {
    const output = async (): Promise<string> => world.engine("a").output();
    assert.match(await until(output, (text) => line.test(text)), line);
  };

  test("is not ready while they do not sync, says so in one line, and is again when they do", async () => {
    assert.equal((await untilHealth(({ ok }) => ok)).ok, true);
    isSyncing = false;
    const untrusted = /acknowledges what is not on disk yet: set sync_interval: always/;
    const bad = await untilHealth(({ ok, message = "" }) => !ok && untrusted.test(message));
    assert.match(bad.message ?? "", untrusted);
    await printed(/can no longer be trusted with the log: not ready/);
    isSyncing = true;
    assert.equal((await untilHealth(({ ok }) => ok)).ok, true);
    await printed(/can be trusted with the log again/);
  });
});
