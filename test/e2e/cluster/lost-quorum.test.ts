/** The quorum of the log is lost and comes back, seen from an edge: not ready, nothing is sent, and all goes on afterwards. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { type Program, startProgram } from "../../support/machine/process.ts";
import { FailoverWorld } from "../../support/world/failover-world.ts";
import { until } from "../../support/world/stack.ts";

const SYMBOL = "THYAO";

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

clusterSuite("an edge before engines whose log has lost its quorum", () => {
  let world: FailoverWorld;
  let edge: Program;
  let url = "";

  const start = async (): Promise<void> => {
    world = await FailoverWorld.open();
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
    // The connection may have been to a server that is gone.
    await until(() => succeeds(world.tick(SYMBOL, 89)), Boolean);
    // Asked once more: the engine has had the tick for as long as that takes.
    await untilReadyIs(503);
    assert.deepEqual(world.ordersOf(SYMBOL), [], "what is not durable is not sent");
    await makeWhole();
    await untilReadyIs(200);
    await world.untilOrders(SYMBOL, 1);
    assert.deepEqual(world.doubled(), []);
  };

  test("two of three are gone: /ready says no, a stop that is reached waits, and is sold once they are back", async () => {
    await start();
    const gone = world.cluster.servers.slice(1);
    for (const server of gone) await server.kill("SIGKILL");
    await untilReadyIs(503);
    await sellsOnceAfter(() => Promise.all(gone.map((server) => server.restart())));
  });
});
