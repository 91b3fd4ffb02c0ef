// tier: real
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { jetStreamTicks, TICK_STREAM } from "../../../../engine/feed/stream/jetstream.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { clusterSuite, type NatsCluster, startNatsCluster } from "../../../support/machine/nats-cluster.ts";

clusterSuite("the stream of ticks on three servers", () => {
  let cluster: NatsCluster;
  let connection: NatsConnection;

  before(async () => {
    cluster = await startNatsCluster();
    connection = await connect({ servers: cluster.urls.split(",") });
  });
  after(async () => {
    await connection.close();
    await cluster.stop();
  });

  const replicas = async (): Promise<number> => {
    const manager = await connection.jetstreamManager();
    return (await manager.streams.info(TICK_STREAM)).config.num_replicas;
  };

  test("is held by as many as are asked for, also where it was made with one, and never by fewer again", async () => {
    for (const [asked, held] of [
      [1, 1],
      [3, 3],
      [1, 3],
    ] as const) {
      const ticks = await jetStreamTicks({ connection, timers: loopTimers, keepSeconds: 60, replicas: asked });
      assert.equal(await ticks.open(), "ready");
      assert.equal(await replicas(), held);
    }
  });
});
