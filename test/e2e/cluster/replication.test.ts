/** Engines that share partitions, over real servers: one dies, is frozen or ends, and every row is sold once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";
import { pause } from "../../support/world/stack.ts";

clusterSuite("two engines that share two partitions", () => {
  let world: ReplicatedWorld;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: 2 });
    await world.startEngine("a");
    await world.whenLed("a", 2);
  });
  after(() => world.stop());

  const sells = async (partition: number, count: number): Promise<void> => {
    await world.until(
      `${count} orders of partition ${partition}`,
      async () => (await world.orders(partition)).length >= count,
    );
    const names = await world.orders(partition);
    assert.equal(names.length, count);
    assert.equal(new Set(names).size, count, "each order has a name of its own");
  };

  test("the first leads both, and sells", async () => {
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "first");
    world.publishTick(89);
    for (const partition of [0, 1]) await sells(partition, 1);
  });

  test("a second one gets its share, and what it was given is sold once", async () => {
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "second");
    await world.startEngine("b");
    await world.whenLed("b", 1);
    world.publishTick(89);
    for (const partition of [0, 1]) await sells(partition, 2);
  });

  test("killed: the other one leads after the lease, and ticks of the gap are not missed", async () => {
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "third");
    await world.endEngine("a", "SIGKILL");
    world.publishTick(89);
    world.publishTick(95);
    for (const partition of [0, 1]) await sells(partition, 3);
  });

  test("its successor with an empty disk gets a copy from the log, and its share", async () => {
    await world.startEngine("c");
    await world.whenLed("c", 1);
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "fourth");
    world.publishTick(89);
    for (const partition of [0, 1]) await sells(partition, 4);
  });

  test("ended politely: handed over at once, and nothing is lost or doubled", async () => {
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "fifth");
    await world.endEngine("b", "SIGTERM");
    world.publishTick(89);
    for (const partition of [0, 1]) await sells(partition, 5);
  });

  test("frozen: the other one leads, and who wakes up sends nothing more", async () => {
    await world.startEngine("d");
    await world.whenLed("d", 1);
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "sixth");
    process.kill(world.engine("c").pid, "SIGSTOP");
    world.publishTick(89);
    for (const partition of [0, 1]) await sells(partition, 6);
    process.kill(world.engine("c").pid, "SIGCONT");
    await pause(2_000);
    for (const partition of [0, 1]) await sells(partition, 6);
  });
});
