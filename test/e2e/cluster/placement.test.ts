/** Twelve partitions over one to three engines: shared evenly, led again after a kill, and each order sent once. */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";
import { SellingRounds } from "../../support/world/selling-rounds.ts";
import { until } from "../../support/world/stack.ts";

const PARTITIONS = 12;
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

clusterSuite("twelve partitions and one to three engines", () => {
  let world: ReplicatedWorld;
  let selling: SellingRounds;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: PARTITIONS });
    await world.startEngine("a");
    selling = new SellingRounds(world, ALL);
  });
  after(() => world.stop());

  /** Returns how many partitions each engine leads; undefined while a partition has no leader. */
  const shares = async (): Promise<string | undefined> => {
    const { partitions, engines } = await world.view();
    if (partitions.some(({ leader }) => leader === null)) return undefined;
    return engines
      .filter(({ isEnding }) => !isEnding)
      .map(({ engine, leads }) => `${engine} ${leads}`)
      .join(", ");
  };

  /** Sells until the partitions are shared as wanted. */
  const sellUntil = (wanted: string, context: TestContext): Promise<void> =>
    selling.sellUntil(wanted, async () => (await shares()) === wanted, context);

  test("one leads all of them", (context) => sellUntil("a 12", context));

  test("two lead six each", async (context) => {
    await world.startEngine("b");
    await sellUntil("a 6, b 6", context);
  });

  test("three lead four each", async (context) => {
    await world.startEngine("c");
    await sellUntil("a 4, b 4, c 4", context);
  });

  test("what a killed one led is led again", async (context) => {
    const kill = (): Promise<void> => world.endEngine("b", "SIGKILL");
    await selling.sellThrough("a tick right after the kill", kill, context);
    await sellUntil("a 6, c 6", context);
    await world.viewOnce("it is told as takeovers", ({ engines }) =>
      engines.some(({ takeovers }) => takeovers.length > 0),
    );
  });

  test("its replacement with an empty disk gets its share", async (context) => {
    await world.startEngine("b2");
    await sellUntil("a 4, b2 4, c 4", context);
  });

  test("what one leads that is ended politely is handed over", async (context) => {
    const ending = world.endEngine("a", "SIGTERM");
    await sellUntil("b2 6, c 6", context);
    await ending;
  });

  test("every order of every round was sent once, and no other", () => selling.check());

  test("any engine tells of the servers and the copies", async () => {
    const { servers, faults, partitions } = await world.viewOnce("the copies are known", (view) =>
      view.partitions.every(({ epoch, copies }) => epoch !== null && copies.length === 1),
    );
    assert.deepEqual(
      servers.map(({ name, isSynced }) => [name, isSynced]),
      [
        ["n1", true],
        ["n2", true],
        ["n3", true],
      ],
    );
    assert.deepEqual(faults, []);
    for (const { leader, epoch, copies } of partitions) {
      assert.ok(epoch !== null && copies.every(({ engine }) => engine !== leader));
      assert.equal(copies.length, 1);
    }
    const clusterOf = async (): Promise<{ partitionCount: number; ledCount: number }> => {
      const answer = await world.clientOf(3).query("conditions", {});
      return (answer.data as { cluster: { partitionCount: number; ledCount: number } }).cluster;
    };
    const cluster = await until(clusterOf, ({ ledCount }) => ledCount === PARTITIONS);
    assert.deepEqual([cluster.partitionCount, cluster.ledCount], [PARTITIONS, PARTITIONS]);
  });
});
