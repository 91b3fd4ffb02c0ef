/** A power cut: every machine starts at its own time, and no operator has to start anything again. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clusterSuite, startNatsCluster } from "../../support/machine/nats-cluster.ts";
import { startProgram } from "../../support/machine/process.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

clusterSuite("an engine that starts before the nats-servers", () => {
  let world: ReplicatedWorld;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: 1, cluster: await startNatsCluster() });
  });
  after(() => world.stop());

  test("waits for the second of three, says so, and leads without another start", async () => {
    const [, second, third] = world.cluster.servers;
    assert.ok(second !== undefined && third !== undefined);
    await second.kill("SIGKILL");
    await third.kill("SIGKILL");
    const environment = { ...world.environment, ENGINE_NAME: "a", DATA_DIR: world.dataFolder("a") };
    const engine = await startProgram("engine/main.ts", environment, /"event":"servers\.silent"/);
    world.engines.set("a", engine);
    await second.restart();
    await world.whenLed("a", 1);
    assert.equal(engine.hasEnded(), false);
    assert.equal(engine.output().split("servers.silent").length - 1, 1, "one line a minute");
  });

  test("ends with a configuration's exit code once a server says that it does not sync", async () => {
    const unsynced = await startNatsCluster({ isSynced: false });
    try {
      const [first, ...others] = unsynced.servers;
      for (const server of others) await server.kill("SIGKILL");
      const environment = { ...world.environment, NATS_URL: first?.url ?? "", NATS_MONITOR_URLS: unsynced.monitorUrls };
      await assert.rejects(
        startProgram("engine/main.ts", { ...environment, DATA_DIR: world.dataFolder("b") }, /engine is ready/),
        /acknowledges what is not on disk yet/,
      );
    } finally {
      await unsynced.stop();
    }
  });
});
