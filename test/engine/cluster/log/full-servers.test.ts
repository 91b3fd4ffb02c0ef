/** Servers that take nothing, full or without a quorum: the leader reports it, acts on nothing, and loses nothing. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, test } from "node:test";
import { connect } from "nats";
import { StreamLog } from "../../../../engine/cluster/log/replicated-log.ts";
import { openJetStreamLog } from "../../../../engine/cluster/log/stream/jetstream-log.ts";
import { loopTimers, steadyClock } from "../../../../src/runtime/clock.ts";
import type { Log } from "../../../../src/runtime/ports.ts";
import { type ClusterOptions, clusterSuite, startNatsCluster } from "../../../support/machine/nats-cluster.ts";
import { until } from "../../../support/world/stack.ts";

const RECORD_BYTES = 400_000;

/** Leads a log on servers of its own. */
async function leadLog(options: ClusterOptions) {
  const cluster = await startNatsCluster(options);
  const connection = await connect({
    servers: cluster.urls.split(","),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  });
  const place = { connection, timers: loopTimers, partition: 0, partitions: 1, replicas: 3 };
  const stream = await openJetStreamLog({ ...place, newInstallation: () => "testtestte" });
  const lines: string[] = [];
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const keep = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
    tell();
  };
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  const own = { stream, owner: "a", leaseMs: 1_000, steadyClock, timers: loopTimers, log, newId: randomUUID };
  const replicated = new StreamLog({ ...own, keepBytes: 0, heldByOthers: () => undefined });
  const nothing = { owns: () => true, onRecord: () => undefined, onClaim: () => undefined };
  await replicated.follow(undefined, { ...nothing, onHole: assert.fail, onDamage: assert.fail });
  const leadership = await replicated.claim(0, new AbortController().signal);
  leadership.onLost((reason) => lines.push(`lost ${reason}`));
  let count = 0;
  return {
    ...{ cluster, leadership, lines, told },
    count: () => count,
    append: async (): Promise<void> => {
      await leadership.log.append(count - 1, [Buffer.alloc(RECORD_BYTES, count)]);
      count += 1;
    },
    untilHeldBack: async (): Promise<void> => {
      const isHeldBack = await until(
        async () => !leadership.mayAct() && lines.some((line) => line.startsWith("the log takes nothing")),
        (now) => now,
      );
      assert.ok(isHeldBack, lines.join("\n"));
      assert.equal(lines.length, 1, lines.join("\n"));
    },
    stop: async (): Promise<void> => {
      await leadership.log.close();
      await connection.close();
      await cluster.stop();
    },
  };
}

clusterSuite("servers that take nothing", () => {
  let world: Awaited<ReturnType<typeof leadLog>>;
  afterEach(() => world.stop());

  test("full: one line that says why, nothing more is durable, and nobody acts", async () => {
    world = await leadLog({ fileStoreBytes: 8_000_000 });
    const { append, told, untilHeldBack, lines, leadership, count } = world;
    let waiting = append();
    while ((await Promise.race([waiting.then(() => "stored"), told.then(() => "told")])) === "stored")
      waiting = append();
    waiting.catch(() => undefined);
    await untilHeldBack();
    assert.match(lines[0] ?? "", /resource|storage|as a full disk makes it/);
    assert.equal(leadership.log.lastSequence, count() - 1);
  });

  test("two of three frozen: nothing is acknowledged, and it is stored once when they go on", async () => {
    world = await leadLog({});
    const { cluster, append, untilHeldBack, lines, leadership, count } = world;
    await append();
    const frozen = cluster.servers.slice(1);
    for (const { pid } of frozen) process.kill(pid, "SIGSTOP");
    let isDurable = false;
    const appended = append().then(() => {
      isDurable = true;
    });
    await untilHeldBack();
    assert.equal(isDurable, false);
    for (const { pid } of frozen) process.kill(pid, "SIGCONT");
    await appended;
    await leadership.whenMayAct();
    assert.match(lines.at(-1) ?? "", /^the log takes what was decided again/);
    const found: number[] = [];
    for await (const page of leadership.log.readFrom(0)) for (const { bytes } of page) found.push(bytes[0] ?? -1);
    assert.deepEqual(
      found,
      Array.from({ length: count() }, (_, index) => index),
    );
  });
});
