/** Twelve partitions over one to three engines: shared evenly, led again after a kill, and each order sent once meanwhile. */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";
import { until } from "../../support/world/stack.ts";

const PARTITIONS = 12;
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
/** A bound for what never comes, not a measure. */
const BALANCED_WITHIN_MS = 240_000;

clusterSuite("twelve partitions and one to three engines", () => {
  let world: ReplicatedWorld;
  let rounds = 0;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: PARTITIONS });
    await world.startEngine("a");
  });
  after(() => world.stop());

  /** How many partitions each engine leads; undefined while one of them is led by nobody. */
  const shares = async (): Promise<string | undefined> => {
    const { partitions, engines } = await world.view();
    if (partitions.some(({ leader }) => leader === null)) return undefined;
    return engines
      .filter(({ isEnding }) => !isEnding)
      .map(({ engine, leads }) => `${engine} ${leads}`)
      .join(", ");
  };

  /** A group in every partition, and a tick that fires all of them: each is sold once, whoever leads it by then. */
  const sellEverywhere = async (): Promise<void> => {
    rounds += 1;
    await world.calm();
    await Promise.all(ALL.map((partition) => world.createGroup(partition, `round-${rounds}`)));
    world.publishTick(89);
    for (const partition of ALL) {
      await world.until(
        `${rounds} orders of partition ${partition}`,
        async () => (await world.orders(partition)).length >= rounds,
      );
    }
  };

  /** Sells for as long as it takes until the partitions are shared so. */
  const sellUntil = async (wanted: string, context: TestContext): Promise<void> => {
    const startedMs = performance.now();
    let sharedMs: number | undefined;
    const selling = (async () => {
      const before = rounds;
      do await sellEverywhere();
      while (sharedMs === undefined);
      return rounds - before;
    })();
    const watching = (async () => {
      while ((await shares()) !== wanted) {
        const tookMs = performance.now() - startedMs;
        assert.ok(tookMs < BALANCED_WITHIN_MS, `not shared as ${wanted}, but ${await shares()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })().finally(() => {
      sharedMs = performance.now() - startedMs;
    });
    const [sold] = await Promise.all([selling, watching]);
    context.diagnostic(`${wanted}: after ${((sharedMs ?? 0) / 1_000).toFixed(1)} s, ${sold} rounds sold meanwhile`);
  };

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
    await world.endEngine("b", "SIGKILL");
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

  test("every order of every round was sent once, and no other", async () => {
    for (const partition of ALL) {
      const names = await world.orders(partition);
      assert.equal(names.length, rounds, `orders of partition ${partition}`);
      assert.equal(new Set(names).size, rounds, `each order of partition ${partition} has a name of its own`);
    }
  });

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
