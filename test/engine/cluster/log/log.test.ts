/** The replicated log keeps what every log keeps: over a model of its stream, and over real servers. */
import { after, before, describe } from "node:test";
import { connect, type NatsConnection } from "nats";
import { openJetStreamLog } from "../../../../engine/cluster/log/stream/jetstream-log.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { eachServerSuite, type NatsCluster, startNatsCluster } from "../../../support/machine/nats-cluster.ts";
import { describeLog } from "../../store/log/log-conformance.ts";
import { logPlace } from "./model/log-place.ts";
import { ModelStream } from "./model/model-stream.ts";

describe("the replicated log", () => {
  describeLog("replicated, over a model of its stream", () => logPlace(async () => new ModelStream()));

  eachServerSuite("a replicated log over three servers", (server) => {
    let cluster: NatsCluster;
    let connection: NatsConnection;
    let partition = 0;

    before(async () => {
      cluster = await startNatsCluster({ server });
      connection = await connect({ servers: cluster.urls.split(",") });
    });
    after(async () => {
      await connection.close();
      await cluster.stop();
    });

    describeLog(`replicated, nats-server of ${server.suite}`, () =>
      logPlace(() => {
        partition += 1;
        const newInstallation = (): string => "testtestte";
        return openJetStreamLog({
          connection,
          timers: loopTimers,
          partition,
          partitions: 64,
          newInstallation,
          replicas: 3,
        });
      }),
    );
  });
});
