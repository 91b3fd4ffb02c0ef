// tier: full
/**
 * Two processes, two logs, one gateway: each order is sold once under every fault, and the judge notices each part of
 * the design that is taken away.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LogReader } from "../../../../engine/cluster/log/stream/log-reader.ts";
import type { StreamMessage } from "../../../../engine/cluster/log/stream/log-stream.ts";
import { decodeRecord } from "../../../../engine/store/log/log-record.ts";
import { mulberry32 } from "../../../support/random.ts";
import { HEAD } from "./model/model-engine.ts";
import { LEASE_MS, PARTITIONS, type Plants } from "./model/model-gateway.ts";
import { ModelWorld } from "./model/model-world.ts";

const SEEDS = Number(process.env.REPLICA_SEEDS ?? 8);
const ROUNDS = 8;
const SETTLED_MIN = 100;

/** Lets two processes live through faults, ends the faults, and returns what is wrong. */
async function live(seed: number, plants: Plants = {}): Promise<string[]> {
  const world = new ModelWorld(seed, plants);
  const random = mulberry32(seed + 1_000_000);
  for (const name of ["a", "b"]) world.start(name);
  for (let round = 0; round < ROUNDS; round += 1) {
    await world.time.advance(1_000 + random() * 4_000);
    await harm(world, random);
  }
  world.hasFaults = false;
  await world.time.advance(30_000);
  return judge(world);
}

/** Causes one fault: of a process, of one partition in it, or of a log; oftener of the leader. */
async function harm(world: ModelWorld, random: () => number): Promise<void> {
  const oneOf = <T>(things: readonly T[]): T => things[Math.floor(random() * things.length)] as T;
  const leaders = world.engines.filter(({ leads }) => leads);
  const victim = oneOf(leaders.length > 0 && random() < 0.75 ? leaders : world.engines);
  const process = world.processOf(victim);
  assert.ok(process !== undefined);
  const luck = random();
  if (luck < 0.2) world.kill(process);
  else if (luck < 0.5) {
    const forMs = random() * 3 * LEASE_MS;
    for (const engine of random() < 0.5 ? process.engines : [victim]) {
      world.harm(engine);
      engine.freeze(forMs);
    }
  } else if (luck < 0.7) victim.stopBeforeNextAct();
  else if (luck < 0.8) victim.giveUp();
  else {
    const stream = oneOf(world.streams);
    stream.isAway = true;
    await world.time.advance(random() * 2 * LEASE_MS);
    stream.isAway = false;
    stream.wake();
  }
}

async function judge(world: ModelWorld): Promise<string[]> {
  const faults = [...world.faults];
  for (const [name, count] of world.sales) if (count > 1) faults.push(`${name} was sold ${count} times`);
  for (const partition of PARTITIONS) faults.push(...(await judgePartition(world, partition)));
  return faults;
}

async function judgePartition(world: ModelWorld, partition: number): Promise<string[]> {
  const faults: string[] = [];
  const log = keysInLog(world, partition, faults);
  for (const engine of world.engines) {
    if (engine.partition !== partition) continue;
    const { name, standsAt, hole } = engine;
    if (hole !== undefined) faults.push(`${name} has a hole: ${hole}`);
    if (standsAt < log.length - 3) faults.push(`${name} holds ${standsAt} of ${log.length - 1} records`);
    const expected = log.slice(0, standsAt + 1).flat();
    const isSame = (await engine.keys()).join() === expected.sort().join();
    if (!isSame) faults.push(`the copy of ${name} is another one`);
  }
  const settled = log.flat().filter((key) => key.startsWith("sold "));
  for (const key of settled) {
    const name = `order-${partition}-${key.slice(5)}`;
    if (!world.sales.has(name)) faults.push(`${name} was never sold`);
  }
  if (settled.length < SETTLED_MIN) faults.push(`only ${settled.length} orders were settled`);
  return faults;
}

/** The keys that each record of the log adds, by its number. */
function keysInLog(world: ModelWorld, partition: number, faults: string[]): string[][] {
  const keys: string[][] = [[]];
  try {
    const reader = new LogReader();
    for (const message of world.streams[partition]?.messages ?? []) {
      const event = reader.take(message);
      if (event?.kind === "record") keys[event.record.sequence] = keysOf(event.record.bytes);
    }
  } catch (error) {
    faults.push(`the log is damaged: ${error}`);
  }
  return keys;
}

function keysOf(record: Uint8Array): string[] {
  const keys = decodeRecord(record).operations.map(({ key }) => key);
  return keys.filter((key) => key !== HEAD);
}

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
/** A planted fault shows in the first of these in which it matters. */
const SEARCHED = Math.max(SEEDS, 50);

describe("two processes over two logs, killed, frozen, stopped before they act, with logs that come and go", () => {
  for (const seed of seeds) {
    test(`sell each order once, keep the same copies, and lead only in turn: seed ${seed}`, async () => {
      assert.deepEqual(await live(seed), []);
    });
  }
});

describe("the judge notices", () => {
  const planted: [string, Plants, RegExp][] = [
    ["a copy that is written before the log", { isCopyFirst: true }, /another one|hole|records/],
    ["a gateway without a fence", { hasNoFence: true }, /was sold 2/],
    ["a gateway that does not count attempts", { hasNoAttempt: true }, /was sold 2/],
    ["a request that is repeated without looking", { isRepeatBlind: true }, /was sold 2/],
    ["an attempt that is asked back and let through when it arrives", { isRecallBarless: true }, /was sold 2/],
    ["claims under an id that was used before", { isClaimIdReused: true }, /the log is damaged|hole: /],
    ["a process that ends itself while a log is away", { isEndedByOutage: true }, /leads \d for no reason/],
    ["an epoch that is forgotten with a restart", { isEpochForgotten: true }, /hole: record \d+ is of epoch/],
    ["a partition that takes its process along when it is lost", { isEndedByFence: true }, /leads \d for no reason/],
  ];
  const notices = async (fault: RegExp, plants?: Plants): Promise<void> => {
    for (let seed = 1; seed <= SEARCHED; seed += 1) {
      if ((await live(seed, plants)).some((found) => fault.test(found))) return;
    }
    assert.fail(`in none of ${SEARCHED} seeds`);
  };
  for (const [name, plants, fault] of planted) test(name, () => notices(fault, plants));

  test("a release that counts although others followed it", async (t) => {
    const released = new WeakSet<LogReader>();
    const { take } = LogReader.prototype;
    t.mock.method(LogReader.prototype, "take", function (this: LogReader, message: StreamMessage) {
      const event = take.call(this, message);
      if (event?.kind === "release") released.add(this);
      return event?.kind === "beat" && released.has(this) ? { kind: "release", to: undefined } : event;
    });
    await notices(/leads \d for no reason|may act at once/);
  });
});
