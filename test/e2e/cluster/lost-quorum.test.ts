/**
 * The log accepts nothing for a while, without its quorum or on full servers, seen from an edge: not ready, nothing is
 * sent or accepted, and everything resumes by itself afterwards.
 */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { NatsError } from "nats";
import { type ClusterOptions, clusterSuite } from "../../support/machine/nats-cluster.ts";
import { type Program, startProgram } from "../../support/machine/process.ts";
import { FailoverWorld } from "../../support/world/failover-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const SYMBOL = "THYAO";
const LATER_SYMBOL = "GARAN";
const STORE_BYTES = 24_000_000;
const FILLING_BYTES = 500_000;
const FILLINGS_MAX = 200;
/** The error code of JetStream for insufficient resources. */
const IS_FULL = 10_023;
const TAKES_NOTHING = "the log takes nothing";

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

clusterSuite("an edge before engines whose log takes nothing", () => {
  let world: FailoverWorld;
  let edge: Program;
  let url = "";

  const start = async (options: ClusterOptions = {}): Promise<void> => {
    world = await FailoverWorld.open(options);
    await world.startEngine("a");
    await world.untilLed();
    edge = await startProgram("edge/main.ts", { NATS_URL: world.cluster.urls, PORT: "0" }, /the edge listens/);
    url = /"url":"(http:\/\/[^"]+)"/.exec(edge.output())?.[1] ?? "";
    await untilReadyIs(200);
    await world.create(SYMBOL);
    await world.tick(SYMBOL, 100);
  };
  afterEach(async () => {
    await edge?.end("SIGKILL");
    await world?.close();
  });

  const untilReadyIs = async (status: number): Promise<void> => {
    const ask = async (): Promise<number> => (await fetch(`${url}/ready`)).status;
    assert.equal(await until(ask, (now) => now === status), status, world.engine("a").output());
  };

  const sellsOnceAfter = async (makeWhole: () => Promise<unknown>): Promise<void> => {
    // Connections may have been to a stopped server. No engine receives a tick that is published before the engine is
    // connected again: the stream takes none now.
    const isHeard = await until(
      () => succeeds(world.nats.request("engine.0.query", "{}", { timeout: 1_000 })),
      Boolean,
    );
    assert.ok(isHeard, "the engine is connected to a server that is left");
    await until(() => succeeds(world.tick(SYMBOL, 89)), Boolean);
    let isMade = false;
    const made = world.create(LATER_SYMBOL).then(() => {
      isMade = true;
    });
    const toldCount = async (): Promise<number> => world.engine("a").output().split(TAKES_NOTHING).length - 1;
    assert.equal(await until(toldCount, (count) => count > 0), 1, "one line says so");
    // A second check: until its answer the engine has had time to act on the tick.
    await untilReadyIs(503);
    assert.deepEqual(world.ordersOf(SYMBOL), [], "what is not durable is not sent");
    assert.equal(isMade, false, "what is not durable is not accepted");
    await makeWhole();
    await untilReadyIs(200);
    await world.untilOrders(SYMBOL, 1);
    await made;
    assert.equal(await toldCount(), 1, "one line says so");
    await world.tick(LATER_SYMBOL, 89);
    await world.untilOrders(LATER_SYMBOL, 1);
    assert.deepEqual(world.doubled(), []);
  };

  test("two of three are gone: /ready says no, a stop that is reached waits, and is sold once they are back", async () => {
    await start();
    const gone = world.cluster.servers.slice(1);
    for (const server of gone) await server.kill("SIGKILL");
    await untilReadyIs(503);
    await sellsOnceAfter(() => Promise.all(gone.map((server) => server.restart())));
  });

  /** Fills every server. Returns the function that makes room again. */
  const fill = async (): Promise<() => Promise<void>> => {
    const manager = await world.nats.jetstreamManager({ checkAPI: false });
    const client = world.nats.jetstream();
    await manager.streams.add({ name: "FILLING", subjects: ["filling"], num_replicas: 3 });
    let isFull = false;
    for (let count = 0; !isFull && count < FILLINGS_MAX; count += 1) {
      const refusal = await client.publish("filling", Buffer.alloc(FILLING_BYTES)).catch((error: unknown) => error);
      isFull = refusal instanceof NatsError && refusal.api_error?.err_code === IS_FULL;
      if (refusal instanceof Error) await pause(50);
    }
    assert.ok(isFull, "the servers say that they are full");
    return async () => {
      const isGone = await until(() => succeeds(manager.streams.delete("FILLING")), Boolean);
      assert.ok(isGone, "what fills the servers is gone");
    };
  };

  test("the servers are full: the same, and all goes on once they have room again", async () => {
    await start({ fileStoreBytes: STORE_BYTES });
    const makeRoom = await fill();
    await untilReadyIs(503);
    await sellsOnceAfter(makeRoom);
  });
});
