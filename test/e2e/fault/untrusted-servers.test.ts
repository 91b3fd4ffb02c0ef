/** Servers that stop syncing while an engine runs: its partitions are not ready until they can be trusted again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { clusterSuite, type NatsCluster, startNatsCluster } from "../../support/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/replicated-world.ts";
import { until } from "../../support/stack.ts";

clusterSuite("an engine whose servers are asked again", () => {
  let world: ReplicatedWorld;
  let isSyncing = true;
  const monitors: Server[] = [];

  /** What a server says of itself, but for what the test changes. */
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
    world = await ReplicatedWorld.start({ partitions: 1, cluster, environment: { NATS_MONITOR_URLS: urls.join(",") } });
    await world.startEngine("a");
    await world.whenLed("a", 1);
  });
  after(async () => {
    await world.stop();
    for (const monitor of monitors) monitor.close();
  });

  /** They are asked once a minute, which is about as long as one look waits. */
  const untilHealthIs = async (isOk: boolean): Promise<Awaited<ReturnType<typeof health>>> => {
    const first = await until(health, ({ ok }) => ok === isOk);
    return first.ok === isOk ? first : until(health, ({ ok }) => ok === isOk);
  };
  const health = async (): Promise<{ readonly ok: boolean; readonly message?: string }> => {
    const envelope = JSON.stringify({ type: "health", userId: null, requestId: "test", body: {} });
    return (await world.nats.request("engine.0.query", envelope, { timeout: 5_000 })).json();
  };

  /** Lines are written a moment after what they tell. */
  const printed = async (line: RegExp): Promise<void> => {
    const output = async (): Promise<string> => world.engine("a").output();
    assert.match(await until(output, (text) => line.test(text)), line);
  };

  test("is not ready while they do not sync, says so in one line, and is again when they do", async () => {
    assert.deepEqual(await health(), { ok: true, data: { isReady: true } });
    isSyncing = false;
    const bad = await untilHealthIs(false);
    assert.match(bad.message ?? "", /acknowledges what is not on disk yet: set sync_interval: always/);
    await printed(/can no longer be trusted with the log: not ready/);
    isSyncing = true;
    assert.equal((await untilHealthIs(true)).ok, true);
    await printed(/can be trusted with the log again/);
  });
});
