/** Servers that take nothing, full or without a quorum: the leader says so, acts on nothing, and loses nothing. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import type { Leadership } from "../../../engine/ports/replica.ts";
import { openJetStreamLog } from "../../../engine/replica/jetstream-log.ts";
import type { LogStream } from "../../../engine/replica/log-stream.ts";
import { StreamLog } from "../../../engine/replica/replicated-log.ts";
import { loopTimers, steadyClock } from "../../../src/runtime/clock.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { clusterSuite, type NatsCluster, startNatsCluster } from "../../support/nats-cluster.ts";
import { until } from "../../support/stack.ts";

const RECORD_BYTES = 400_000;

clusterSuite("servers that take nothing", () => {
  let cluster: NatsCluster;
  let connection: NatsConnection;
  let stream: LogStream;
  let leadership: Leadership;
  let count = 0;
  const lines: string[] = [];
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });

  before(async () => {
    cluster = await startNatsCluster({ fileStoreBytes: 8_000_000 });
    connection = await connect({ servers: cluster.urls.split(","), maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    const place = { connection, timers: loopTimers, partition: 0, partitions: 1, replicas: 3 };
    stream = await openJetStreamLog({ ...place, newInstallation: () => "testtestte" });
    const keep = (fields: object, message: string): void => {
      lines.push(`${message} ${JSON.stringify(fields)}`);
      tell();
    };
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
    const own = { stream, owner: "a", leaseMs: 1_000, steadyClock, timers: loopTimers, log, newId: randomUUID };
    const replicated = new StreamLog({ ...own, keepBytes: 0, heldByOthers: () => undefined });
    const nothing = { owns: () => true, onRecord: () => undefined, onClaim: () => undefined };
    await replicated.follow(undefined, { ...nothing, onHole: assert.fail, onDamage: assert.fail });
    leadership = await replicated.claim(0, new AbortController().signal);
    leadership.onLost((reason) => lines.push(`lost ${reason}`));
  });
  after(async () => {
    await leadership.log.close();
    await connection.close();
    await cluster.stop();
  });

  const append = async (): Promise<void> => {
    await leadership.log.append(count - 1, [Buffer.alloc(RECORD_BYTES, count % 256)]);
    count += 1;
  };
  const untilHeldBack = async (): Promise<void> => {
    const isHeldBack = await until(
      async () => !leadership.mayAct() && lines.some((line) => line.startsWith("the log takes nothing")),
      (now) => now,
    );
    assert.ok(isHeldBack, lines.join("\n"));
  };
  const stored = async (): Promise<number[]> => {
    const found: number[] = [];
    for await (const page of leadership.log.readFrom(0)) {
      for (const { bytes } of page) found.push(bytes[0] ?? -1);
    }
    return found;
  };

  test("full: one line with the servers' reason, nothing is durable, and all goes on once there is room", async () => {
    let waiting = append();
    while ((await Promise.race([waiting.then(() => "stored"), told.then(() => "told")])) === "stored")
      waiting = append();
    const before = count;
    await untilHeldBack();
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0] ?? "", /resource|storage|bytes/);
    assert.equal(count, before);
    // As an operator who gives them room.
    await stream.purge((await stream.state()).lastSequence - 4);
    await waiting;
    await leadership.whenMayAct();
    assert.match(lines.at(-1) ?? "", /the log takes what was decided again/);
    assert.equal(leadership.log.lastSequence, count - 1);
  });

  test("two of three frozen: nothing is acknowledged, and it is stored once when they go on", async () => {
    lines.length = 0;
    await stream.purge((await stream.state()).lastSequence);
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
    const found = await stored();
    assert.equal(found.filter((first) => first === (count - 1) % 256).length, 1);
    assert.ok(!lines.some((line) => line.startsWith("lost")));
  });
});
