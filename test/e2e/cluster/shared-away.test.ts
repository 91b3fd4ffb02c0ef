/** No engine can lead the shared partition: the others are led, sell, and accept what they can judge without it. */
import assert from "node:assert/strict";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { readWitness, writeWitness } from "../../../engine/store/folder/witness.ts";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

const OTHER = 1;

clusterSuite("an engine that starts while nobody leads the shared partition", () => {
  let world: ReplicatedWorld;
  let witness: string;

  before(async () => {
    world = await ReplicatedWorld.start({ partitions: 2 });
    witness = join(world.dataFolder("a"), "partition-0", "witness.json");
    await mkdir(dirname(witness), { recursive: true });
  });
  after(() => world.stop());

  /** Makes the copy of the shared partition unfit to lead: its witness records a later batch. */
  const spoil = (installation: string): Promise<void> =>
    writeWitness(witness, { installation, batch: 1e9, tickPosition: null });

  const ask = async (kind: "command" | "query", type: string, body: object): Promise<string> => {
    const envelope = { type, userId: world.userOf(OTHER), requestId: "test", body };
    return (
      await world.nats.request(`engine.${OTHER}.${kind}`, JSON.stringify(envelope), { timeout: 10_000 })
    ).string();
  };

  test("where the symbols were never heard of: what must be judged by them is refused as not available", async () => {
    await spoil("otherother");
    await world.startEngine("a");
    await world.whenLed("a", 1);
    const notYet = /^\{"ok":false,"code":"UNAVAILABLE","message":"the symbols are not known yet/;
    assert.match(await ask("command", "oco.create", {}), notYet);
    assert.match(await ask("query", "health", {}), notYet);
    assert.match(await ask("command", "oco.cancel", { groupId: 1 }), /"code":"(NOT_FOUND|INVALID)"/);
    assert.match(await ask("query", "brokerages.list", {}), /^\{"ok":true/);
    await world.endEngine("a", "SIGTERM");
    await rm(dirname(witness), { recursive: true });
  });

  test("where they were: it watches and sells what it has, and takes what is new", async () => {
    await world.startEngine("a");
    await world.whenLed("a", 2);
    await world.calm();
    await world.createGroup(OTHER, "armed before");
    await world.endEngine("a", "SIGTERM");
    const { installation } = readWitness(witness) ?? assert.fail("no witness");
    await spoil(installation);
    world.publishTick(89);
    await world.startEngine("a");
    const sold = (count: number) => async (): Promise<boolean> => (await world.orders(OTHER)).length === count;
    await world.until("what was armed before is sold", sold(1));
    await world.createGroup(OTHER, "armed since");
    world.publishTick(88);
    await world.until("what is new is sold", sold(2));
    const [shared] = (await world.view()).partitions;
    assert.equal(shared?.leader, null, "nobody leads the shared partition");
  });
});
