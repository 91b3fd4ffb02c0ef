/** Engines with REPLICATION=off and =on on one bus: whichever comes second is refused, with both named. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PRESENCE_SUBJECT } from "../../../src/contract/subject.ts";
import { EXIT_CODES } from "../../../src/runtime/user-error.ts";
import { clusterSuite, startNatsCluster } from "../../support/machine/nats-cluster.ts";
import { startNatsServer } from "../../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram } from "../../support/machine/process.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

clusterSuite("both forms of engines on one bus", () => {
  let world: ReplicatedWorld;
  let single: Program | undefined;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: 1, cluster: await startNatsCluster() });
  });
  after(async () => {
    await single?.end("SIGKILL");
    await world.stop();
  });

  const off = (): Record<string, string> => {
    const { NATS_MONITOR_URLS: _monitors, ...environment } = world.environment;
    return { ...environment, REPLICATION: "off", DATA_DIR: world.dataFolder("single") };
  };
  const on = (): Record<string, string> => ({
    ...world.environment,
    ENGINE_NAME: "a",
    DATA_DIR: world.dataFolder("a"),
  });

  test("one with REPLICATION=on is refused while one with off runs", async () => {
    single = await startProgram("engine/main.ts", off(), /engine is ready/);
    const { code, output } = await runProgram("engine/main.ts", on());
    assert.equal(code, EXIT_CODES.unavailable, output);
    assert.match(
      output,
      new RegExp(`REPLICATION is on at engine a and off at engine .+, process ${single.pid}, on the same NATS`),
    );
  });

  test("one with REPLICATION=off that hears one with on later is not ready until that has gone", async () => {
    const found = /"event":"engine\.otherForm".*off at engine .+ and on at engine late\.1/;
    const word = Buffer.from(JSON.stringify({ engine: "late.1", isEnding: false }));
    const client = world.clientOf(0);
    await world.until("the engine logs the other form", () => {
      world.nats.publish(PRESENCE_SUBJECT, word);
      return found.test(single?.output() ?? "");
    });
    const notReady = await client.query("health", {});
    assert.equal(notReady.code, "UNAVAILABLE");
    assert.match(String(notReady.message), /on at engine late\.1/);
    await world.until("the engine is ready again", async () => (await client.query("health", {})).ok === true);
    await single?.end("SIGTERM");
  });

  test("one with REPLICATION=off is refused while one with on runs, and by its log once it has ended", async () => {
    await world.startEngine("a");
    await world.whenLed("a", 1);
    const running = await runProgram("engine/main.ts", off());
    assert.equal(running.code, EXIT_CODES.unavailable, running.output);
    assert.match(
      running.output,
      /REPLICATION is off at engine .+, process \d+ and on at engine a\.\w+, on the same NATS servers/,
    );
    await world.endEngine("a", "SIGTERM");
    const ended = await runProgram("engine/main.ts", off());
    assert.equal(ended.code, EXIT_CODES.configuration, ended.output);
    assert.match(ended.output, /the nats-servers hold stream JOURNAL_0, a log of engines with REPLICATION=on/);
  });

  test("one with REPLICATION=off says of a replica's folder what it is, on a server of its own", async () => {
    const server = await startNatsServer();
    try {
      const environment = { ...off(), NATS_URL: server.url, DATA_DIR: world.dataFolder("a") };
      const { code, output } = await runProgram("engine/main.ts", environment);
      assert.equal(code, EXIT_CODES.configuration, output);
      assert.match(output, /is a replica of engines that share partitions .* nothing is damaged\. Set REPLICATION=on/);
    } finally {
      await server.stop();
    }
  });
});
