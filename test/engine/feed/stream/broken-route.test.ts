/** The way between two of three real servers is cut; the engine is at the one, publishers are at the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { createTickFeed } from "../../../../engine/feed/feed.ts";
import { TICK_STREAM } from "../../../../engine/feed/stream/jetstream.ts";
import type { TickHole } from "../../../../engine/feed/stream/missed-ticks.ts";
import { connectNatsBus } from "../../../../src/bus/nats/bus.ts";
import { eachServerSuite, type NatsCluster, startNatsCluster } from "../../../support/machine/nats-cluster.ts";
import { RouteLinks } from "../../../support/machine/route-links.ts";
import { pause, until } from "../../../support/world/stack.ts";
import { copyTick, keptLog, knownSymbols, NO_LIMITS, realClock, realTimers, tickText } from "../support/ports.ts";

const ROUNDS = 3;
const ELECTIONS_MAX = 50;
/** Longer than a message takes between two servers of one machine. */
const SILENT_MS = 200;

/** Resolves with the server that leads both the stream and the cluster: the two others only follow. */
async function soleLeader(connection: NatsConnection, cluster: NatsCluster): Promise<string> {
  const manager = await connection.jetstreamManager();
  for (let tries = 0; tries < ELECTIONS_MAX; tries += 1) {
    const leader = (await manager.streams.info(TICK_STREAM)).cluster?.leader ?? "";
    const found: { meta_cluster?: { leader?: string } } = await (await fetch(`${cluster.server("n1").monitorUrl}/jsz`))
      .json()
      .then((value) => Object(value));
    if (leader !== "" && leader === found.meta_cluster?.leader) return leader;
    await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${TICK_STREAM}`).catch(() => undefined);
    await until(
      () =>
        manager.streams.info(TICK_STREAM).then(
          ({ cluster: now }) => now?.leader ?? "",
          () => "",
        ),
      (now) => now !== "",
    );
  }
  throw new Error("the stream and the cluster get no common leader");
}

eachServerSuite("the way between two of three servers is broken", (server) => {
  test("what is published at the other server is read back within seconds, and nothing is lost", async () => {
    const routes = new RouteLinks();
    const cluster = await startNatsCluster({ server, routes });
    const client = await connect({ servers: cluster.urls.split(",") });
    const ticks: string[] = [];
    const holes: TickHole[] = [];
    const ends: (() => Promise<void>)[] = [async () => routes.close(), () => cluster.stop(), () => client.close()];
    try {
      const manager = await client.jetstreamManager();
      const config = { name: TICK_STREAM, subjects: ["ticks", "ticks.>"], num_replicas: 3 };
      await manager.streams.add(config);
      const leader = await soleLeader(client, cluster);
      const [near, far] = cluster.servers.filter(({ name }) => name !== leader);
      assert.ok(near !== undefined && far !== undefined);
      const bus = await connectNatsBus({ servers: near.url, name: "engine", onError: () => undefined });
      const publisher = await connect({ servers: far.url });
      ends.push(
        () => publisher.close(),
        () => bus.drain(),
      );
      const feed = await createTickFeed({
        ...{ bus, connection: bus.connection, clock: realClock, steadyClock: realClock, timers: realTimers },
        ...{ ...NO_LIMITS, log: keptLog(), symbols: knownSymbols("A"), catchUpSeconds: 300, tickReplicas: 3 },
        onTick: (tick) => ticks.push(tickText(copyTick(tick))),
        onHole: (hole) => holes.push(hole),
      });
      ends.push(async () => feed.stop());
      await feed.start(null);
      const given = (text: string): Promise<boolean> => until(async () => ticks.includes(text), Boolean);
      /** Resolves once the tick is stored: its server may not know yet who leads the stream. */
      const publish = async (price: number): Promise<void> => {
        await publisher.jetstream().publish("ticks.A", JSON.stringify({ price }));
      };
      const passed: Uint8Array[] = [];
      bus.connection.subscribe("way", { callback: (_error, { data }) => passed.push(data) });
      /** The servers need not notice immediately that their way is cut. */
      const isCut = (): Promise<boolean> => {
        const isSilent = async (): Promise<boolean> => {
          const before = passed.length;
          publisher.publish("way");
          await publisher.flush();
          await pause(SILENT_MS);
          return passed.length === before;
        };
        return until(isSilent, Boolean);
      };
      for (let round = 1; round <= ROUNDS; round += 1) {
        await publish(1_000 + round);
        assert.ok(await given(`A ${1_000 + round}`), "it came live");
        routes.cut(near.name, far.name);
        assert.ok(await isCut(), "what is published at the other server does not arrive");
        await publish(500 + round);
        await publish(600 + round);
        assert.ok(await given(`A ${600 + round} caught up`), `round ${round}: it was read back`);
        assert.ok(ticks.includes(`A ${500 + round} caught up`));
        assert.ok(feed.unheardCount >= 2 * round);
        routes.mend(near.name, far.name);
        await until(async () => {
          await publish(2_000 + round);
          return ticks.includes(`A ${2_000 + round}`);
        }, Boolean);
      }
      const positionPasses = async (byCount: number): Promise<boolean> => {
        const position = feed.position() ?? 0;
        return until(async () => (feed.position() ?? 0) > position + byCount, Boolean);
      };
      assert.ok(await positionPasses(3), "what was published before the way was whole again is read back");
      const { unheardCount } = feed;
      assert.ok(await positionPasses(3));
      assert.deepEqual([feed.unheardCount, holes], [unheardCount, []], "nothing is read back without a need");
    } finally {
      for (const end of ends.reverse()) await end();
    }
  });
});
