/** Reading on in a log over real servers, one of which dies with all that the reader has of it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { appendFenced } from "../../../../../engine/cluster/log/stream/fenced-append.ts";
import { logName, openJetStreamLog } from "../../../../../engine/cluster/log/stream/jetstream-log.ts";
import type { LogStream, StreamMessage } from "../../../../../engine/cluster/log/stream/log-stream.ts";
import { loopTimers } from "../../../../../src/runtime/clock.ts";
import { createLog } from "../../../../../src/runtime/log.ts";
import { clusterSuite, type NatsCluster, startNatsCluster } from "../../../../support/machine/nats-cluster.ts";
import { until } from "../../../../support/world/stack.ts";

const TRIES_MAX = 100;

clusterSuite("reading on in a log", () => {
  let cluster: NatsCluster;
  const connections: NatsConnection[] = [];

  before(async () => {
    cluster = await startNatsCluster();
  });
  after(async () => {
    for (const connection of connections) await connection.close();
    await cluster.stop();
  });

  /** Over a connection to the first of the servers, for as long as it lives. */
  const open = async (urls: readonly string[]): Promise<{ stream: LogStream; connection: NatsConnection }> => {
    const servers = [...urls];
    const connection = await connect({ servers, noRandomize: true, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    connections.push(connection);
    const place = { connection, timers: loopTimers, partition: 0, partitions: 1, replicas: 3 };
    return { stream: await openJetStreamLog({ ...place, newInstallation: () => "testtestte" }), connection };
  };

  const append = async (stream: LogStream, expectedSequence: number): Promise<void> => {
    const options = { stream, timers: loopTimers, log: createLog({ level: "silent" }, "test") };
    const data = Buffer.from(`message ${expectedSequence + 1}`);
    await appendFenced(options, [{ expectedSequence, id: data.toString(), data }], new AbortController().signal);
  };

  test("goes on without the server that it was connected to and that had its consumer", async () => {
    const urls = cluster.servers.map(({ url }) => url);
    const [dying] = cluster.servers;
    assert.ok(dying !== undefined);
    const reader = await open(urls);
    const { stream: writer } = await open(urls.slice(1));
    await append(writer, 0);
    const manager = await reader.connection.jetstreamManager({ checkAPI: false });
    let messages: StreamMessage[] = [];
    let end = new AbortController();
    const isNear = async (): Promise<boolean> => {
      const consumers = await manager.consumers.list(logName(0, 0)).next();
      return consumers.length > 0 && consumers.every(({ cluster: place }) => place?.leader === dying.name);
    };
    for (let tries = 1; ; tries += 1) {
      const found: StreamMessage[] = [];
      messages = found;
      end = new AbortController();
      const { signal } = end;
      void (async () => {
        for await (const message of reader.stream.follow(1, signal)) found.push(message);
      })();
      await until(
        async () => found.length,
        (count) => count === 1,
      );
      if (await isNear()) break;
      assert.ok(tries < TRIES_MAX, "a consumer on every server in turn");
      end.abort();
    }
    await dying.kill("SIGKILL");
    await append(writer, 1);
    await until(
      async () => messages.length,
      (count) => count >= 2,
    );
    end.abort();
    assert.deepEqual(
      messages.map(({ sequence, data }) => [sequence, Buffer.from(data).toString()]),
      [
        [1, "message 1"],
        [2, "message 2"],
      ],
    );
  });
});
