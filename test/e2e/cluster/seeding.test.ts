/** Engines whose copy ends before the log begins: they take the leader's rows, lead, and sell once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openJetStreamLog } from "../../../engine/cluster/log/stream/jetstream-log.ts";
import type { LogStream } from "../../../engine/cluster/log/stream/log-stream.ts";
import { loopTimers } from "../../../src/runtime/clock.ts";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

clusterSuite("a log that is cut behind its copies", () => {
  let world: ReplicatedWorld;
  let stream: LogStream;
  let orders = 0;
  let keys = 0;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: 1, environment: { LOG_RETENTION_MIB: "0" } });
    await world.startEngine("a");
    await world.whenLed("a", 1);
    const place = { connection: world.nats, timers: loopTimers, partition: 0, partitions: 1, replicas: 3 };
    stream = await openJetStreamLog({ ...place, newInstallation: () => assert.fail("there is a log") });
  });
  after(() => world.stop());

  /** Creates another group, which is refused until the engine has received the outcome of the last order. */
  const arm = async (): Promise<void> => {
    await world.calm();
    await world.until("another group is taken", () => {
      keys += 1;
      return world.createGroup(0, `group-${keys}`).then(
        () => true,
        () => false,
      );
    });
  };
  /** Arms a group and reaches it. */
  const sell = async (): Promise<void> => {
    await arm();
    world.publishTick(89);
    await untilSold();
  };
  const untilSold = async (): Promise<void> => {
    orders += 1;
    await world.until(`${orders} orders`, async () => (await world.orders(0)).length >= orders);
    const names = await world.orders(0);
    assert.equal(names.length, orders);
    assert.equal(new Set(names).size, orders, "each order has a name of its own");
  };
  /** Sells until the log no longer reaches back to its current end. */
  const untilCut = async (): Promise<void> => {
    const { lastSequence } = await stream.state();
    await world.until("the log is cut", async () => {
      await sell();
      return (await stream.state()).firstSequence > lastSequence;
    });
  };
  const untilSeeded = (name: string): Promise<void> =>
    world.until(`${name} is seeded`, () =>
      world.engine(name).output().includes("the copy of the partition was seeded"),
    );

  test("nothing is removed while no other engine has what it holds", async () => {
    await world.startEngine("b");
    await world.until("b follows", () => world.engine("b").output().includes("an engine claims the partition"));
    await world.endEngine("b", "SIGKILL");
    // The last report of b's copy counts until b is removed from the view.
    await world.viewOnce("b is gone", ({ engines }) => engines.every(({ engine }) => engine !== "b"));
    const { firstSequence } = await stream.state();
    await sell();
    await sell();
    assert.equal((await stream.state()).firstSequence, firstSequence);
  });

  test("it is cut once another engine holds it too; an engine that was away, and an empty one, are seeded", async () => {
    await world.startEngine("c");
    await untilCut();
    await world.startEngine("b");
    await untilSeeded("b");
    await world.startEngine("d");
    await untilSeeded("d");
    assert.doesNotMatch(world.engine("c").output(), /was seeded/);
  });

  test("those that were seeded lead when all others are gone, with all that was decided since", async () => {
    await sell();
    await arm();
    await Promise.all(["a", "c"].map((name) => world.endEngine(name, "SIGKILL")));
    world.publishTick(89);
    await untilSold();
    await sell();
  });
});
