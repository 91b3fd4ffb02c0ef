/**
 * More engines than copies: each partition has its copies on different machines, lost copies are made again after an
 * engine dies, and each order is sent once throughout.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";
import { SellingRounds } from "../../support/world/selling-rounds.ts";

const PARTITIONS = 4;
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const MACHINES: Readonly<Record<string, string>> = { a: "first", b: "first", c: "second" };

clusterSuite("four partitions, each at two of three engines on two machines", () => {
  let world: ReplicatedWorld;
  let selling: SellingRounds;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: PARTITIONS, environment: { REPLICAS: "2" } });
    for (const name of Object.keys(MACHINES)) await start(name);
    selling = new SellingRounds(world, ALL);
  });
  after(() => world.stop());

  const start = (name: string) => world.startEngine(name, { ENGINE_MACHINE: MACHINES[name] ?? name });

  /** Whether each partition is led and has a single copy that follows. */
  const areCopied = async (isSafe: (leader: string, copy: string) => boolean): Promise<boolean> => {
    const { partitions } = await world.view();
    return partitions.every(({ leader, copies }) => {
      const [copy, ...others] = copies;
      if (leader === null || copy === undefined || others.length > 0) return false;
      return copy.lagRecords !== null && isSafe(leader, copy.engine);
    });
  };
  const areApart = (leader: string, copy: string): boolean => MACHINES[leader] !== MACHINES[copy];
  const hasPart = (name: string, partition: number, part: string): boolean =>
    existsSync(join(world.dataFolder(name), `partition-${partition}`, part));
  /** Waits for the folders: an engine reports that it drops a copy before it puts the folder aside. */
  const whenKeptOnce = (): Promise<void> =>
    world.until("one engine of the first machine keeps each partition", () =>
      ALL.every((partition) => ["a", "b"].filter((name) => hasPart(name, partition, "store")).length === 1),
    );

  test("leader and copy are on different machines, and the third engine has none", async (context: TestContext) => {
    await selling.sellUntil("copied on both machines", () => areCopied(areApart), context);
    await whenKeptOnce();
    for (const partition of ALL) assert.ok(hasPart("c", partition, "store"), "the only one of its machine");
  });

  test("where a machine dies the others lead, and have the copies", async (context) => {
    await world.endEngine("c", "SIGKILL");
    await selling.sellUntil(
      "copied by those that are left",
      () => areCopied((...names) => !names.includes("c")),
      context,
    );
  });

  test("once it is back, copies are apart again, and what is kept no longer lies aside", async (context) => {
    await start("c");
    await selling.sellUntil("copied on both machines", () => areCopied(areApart), context);
    await whenKeptOnce();
    for (const partition of ALL) {
      const [kept, left] = ["store", "store.left"].map((part) =>
        ["a", "b"].filter((name) => hasPart(name, partition, part)),
      );
      assert.deepEqual([...(kept ?? []), ...(left ?? [])].sort(), ["a", "b"], `partition ${partition}`);
    }
  });

  test("where both engines of a machine die at once the other machine leads all", async (context) => {
    await Promise.all(["a", "b"].map((name) => world.endEngine(name, "SIGKILL")));
    const leads = async (): Promise<boolean> => (await world.view()).partitions.every(({ leader }) => leader === "c");
    await selling.sellUntil("all led by the third", leads, context);
  });

  test("every order of every round was sent once, and no other", () => selling.check());
});
