/**
 * One of three real servers was away and is catching up itself, and consumers are made on it: nothing that is stored is
 * skipped.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { jetStreamTicks, TICK_STREAM } from "../../../../engine/feed/stream/jetstream.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { eachServerSuite, startNatsCluster } from "../../../support/machine/nats-cluster.ts";

/** Enough that a server needs several seconds to catch up, while consumers are made. */
const MISSED_COUNT = 150_000;
const MISSED_BYTES = 400;
const RANGE = 10;
const ROUNDS_MIN = 30;
/** A server may take minutes to report that it is current again. */
const ROUNDS_MAX = 1_000;

async function publishMissed(connection: NatsConnection): Promise<void> {
  const text = JSON.stringify({ price: 100, filling: "x".repeat(MISSED_BYTES) });
  const client = connection.jetstream();
  for (let count = 1; count <= MISSED_COUNT; count += 1) {
    // Waits for an answer now and then: without one, a stream whose queue is full drops messages.
    if (count % 2_000 === 0) await client.publish("ticks.A", text);
    else connection.publish("ticks.A", text);
  }
}

/** Whether every replica has what the leader has. */
async function isCurrent(manager: JetStreamManager): Promise<boolean> {
  const { cluster } = await manager.streams.info(TICK_STREAM);
  return (cluster?.replicas ?? []).every(({ current, offline }) => current && offline !== true);
}

eachServerSuite("the end of the tick stream, read while one server of three catches up", (server) => {
  test("is given in every reading, wherever its consumer is", async () => {
    const cluster = await startNatsCluster({ server, isSynced: false });
    const connection = await connect({ servers: cluster.urls.split(",") });
    try {
      const ticks = await jetStreamTicks({ connection, timers: loopTimers, keepSeconds: 600, replicas: 3 });
      await ticks.open();
      const manager = await connection.jetstreamManager();
      const { cluster: standing } = await manager.streams.info(TICK_STREAM);
      const behind = cluster.servers.find(
        ({ name, url }) => name !== standing?.leader && !url.endsWith(`:${connection.getServer().split(":").at(-1)}`),
      );
      assert.ok(behind !== undefined);
      await behind.kill("SIGKILL");
      await publishMissed(connection);
      await behind.restart();
      let rounds = 0;
      while (rounds < ROUNDS_MIN || (rounds < ROUNDS_MAX && !(await isCurrent(manager)))) {
        const { sequence: to } = await ticks.findEnd(() => undefined);
        const from = to - RANGE + 1;
        const given: number[] = [];
        await ticks.read({ from, to }, new AbortController().signal, ({ sequence }) => given.push(sequence));
        assert.deepEqual(
          given,
          Array.from({ length: RANGE }, (_, index) => from + index),
          `reading ${rounds}`,
        );
        rounds += 1;
      }
    } finally {
      await connection.close();
      await cluster.stop();
    }
  });
});
