/** A backup from which all engines continue: rows sold since are not sold twice, and every copy is of the new life. */
import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eachServerSuite } from "../../support/machine/nats-cluster.ts";
import { runProgram } from "../../support/machine/process.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

const TRIGGERED = 2;

eachServerSuite("engines that go on from a backup", (server) => {
  let world: ReplicatedWorld;

  before(async () => {
    world = await ReplicatedWorld.start({ server, partitions: 2 });
    await world.startEngine("a");
    await world.whenLed("a", 2);
  });
  after(() => world.stop());

  const beginLife = (name: string): ReturnType<typeof runProgram> =>
    runProgram("engine/entry/restore-cluster.ts", { ...world.environment, DATA_DIR: world.dataFolder(name) });
  const sold = async (count: number): Promise<void> => {
    for (const partition of [0, 1]) {
      await world.until(`${count} orders`, async () => (await world.orders(partition)).length >= count);
      const names = await world.orders(partition);
      assert.equal(names.length, count);
      assert.equal(new Set(names).size, count, "each order has a name of its own");
    }
  };
  const backUp = async (partition: number, folder: string): Promise<void> => {
    const envelope = { type: "operator.backup", userId: 1, requestId: "test", body: { folder } };
    await world.until(`a backup of partition ${partition}`, async () => {
      // No engine answers while the partition is handed over.
      const answer = await world.nats
        .request(`engine.${partition}.command`, JSON.stringify(envelope))
        .catch(() => null);
      return answer?.string().includes(`"done"`) === true;
    });
  };

  test("no new life begins while an engine runs", async () => {
    const { code, output } = await beginLife("a");
    assert.equal(code, 75, output);
    assert.match(output, /stop every engine first: a\.[a-z0-9]{10} run$/m);
  });

  test("from a backup, which is led by the engine that has it; another one is seeded", async () => {
    await world.startEngine("b");
    await world.whenLed("b", 1);
    await world.calm();
    for (const partition of [0, 1]) await world.createGroup(partition, "first");
    const backup = join(world.dataFolder("a"), "backups", "one");
    await world.endEngine("b", "SIGTERM");
    for (const partition of [0, 1]) await backUp(partition, backup);
    // Sold in the life that is lost: the brokerage knows.
    world.publishTick(89);
    await sold(1);
    await world.endEngine("a", "SIGTERM");
    for (const partition of [0, 1]) {
      const folder = join(world.dataFolder("a"), `partition-${partition}`);
      await rm(folder, { recursive: true });
      await cp(join(backup, `partition-${partition}`), folder, { recursive: true });
    }
    const { code, output } = await beginLife("a");
    assert.equal(code, 0, output);
    assert.match(output, /partition 1 continues from batch \d+, in life \d+/);
    await world.startEngine("a");
    await world.whenLed("a", 2);
    await world.startEngine("b");
    await world.whenLed("b", 1);
    assert.match(world.engine("b").output(), /the copy is of the life before a restore: set aside/);
    assert.match(world.engine("b").output(), /the copy of the partition was seeded/);
  });

  test("what it armed again is found sold, and what is made now is sold once, by whoever leads", async () => {
    await world.calm();
    world.publishTick(89);
    for (const partition of [0, 1]) {
      await world.until("the row is found sold", async () => {
        const rows = await world.clientOf(partition).rows("PAPER", world.accountOf(partition));
        return rows.some(({ status }) => status === TRIGGERED);
      });
    }
    await sold(1);
    await world.endEngine("a", "SIGKILL");
    await world.calm();
    for (const partition of [0, 1]) {
      let tries = 0;
      await world.until("another group is taken", () => {
        tries += 1;
        return world.createGroup(partition, `second-${tries}`).then(
          () => true,
          () => false,
        );
      });
    }
    world.publishTick(89);
    await sold(2);
  });
});
