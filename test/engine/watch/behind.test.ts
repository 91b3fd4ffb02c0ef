/** Stop-losses that are raised in rounds fire as if each tick were given immediately (behaviour 19.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import { stopLossOf } from "../../../src/domain/oco/group.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import fc from "../../support/property.ts";
import { FIRST, movedBy, priceMove, TrailingWorld, termsOfGroups } from "../../support/world/trailing-world.ts";

const BY_5 = { distance: 5, confirmTicks: 1 } as const;
const tick = priceMove.map((by) => ({ type: "tick" as const, by }));
const time = fc.record({ type: fc.constant("time" as const), byMs: fc.constantFrom(1, 300, 1_000) });
const read = fc.record({ type: fc.constant("read" as const), pick: fc.nat(11) });
const busy = fc.record({ type: fc.constant("busy" as const), pieces: fc.constantFrom(1, 40) });
const gap = fc.record({
  ...{ type: fc.constantFrom("kill" as const, "reconnect" as const), isKept: fc.boolean() },
  earlier: fc.constantFrom(0, 0, 3, 40),
  missed: fc.array(priceMove, { maxLength: 6 }),
});

/** Counts the walks of groups through ticks. */
function countWalks({ world }: TrailingWorld): () => number {
  let count = 0;
  const { host } = world.partition;
  const { deliverTicks } = host;
  host.deliverTicks = (...given) => {
    count += 1;
    deliverTicks.apply(host, given);
  };
  return () => count;
}

describe("stop-losses that are raised in rounds", () => {
  test("end in a random walk where a naive twin puts them", async () => {
    const move = fc.oneof(
      { weight: 21, arbitrary: tick },
      { weight: 3, arbitrary: time },
      { weight: 2, arbitrary: read },
      { weight: 2, arbitrary: busy },
    );
    await fc.assert(
      fc.asyncProperty(termsOfGroups, fc.array(move, { maxLength: 120, size: "max" }), async (requests, moves) => {
        const groups = await TrailingWorld.start(requests);
        const { world } = groups;
        for (const one of moves) {
          if (one.type === "tick") groups.give(movedBy(groups.last, one.by));
          else if (one.type === "time") await world.time.advance(one.byMs);
          else if (one.type === "busy") {
            for (let piece = 0; piece < one.pieces; piece += 1) world.partition.inbox.enqueue(() => undefined);
          } else {
            await world.time.turns();
            groups.compare(one.pick);
          }
        }
        await world.time.turns();
        groups.compareAll();
      }),
      { numRuns: 40 },
    );
  });

  test("end there over kills and reconnects at any moment, and sell once", async () => {
    const move = fc.oneof(
      { weight: 24, arbitrary: tick },
      { weight: 3, arbitrary: time },
      { weight: 1, arbitrary: read },
      { weight: 1, arbitrary: busy },
      { weight: 3, arbitrary: gap },
    );
    await fc.assert(
      fc.asyncProperty(
        ...[termsOfGroups, fc.array(move, { maxLength: 120, size: "max" }), fc.constantFrom(0, 2, 700)],
        async (requests, moves, writeMs) => {
          const groups = await TrailingWorld.start(requests);
          const { world } = groups;
          world.writeMs = writeMs;
          for (const one of moves) {
            // Of the ticks of one millisecond a restart cannot know which came first (19.4).
            await world.time.advance(1);
            if (one.type === "tick") groups.give(movedBy(groups.last, one.by));
            else if (one.type === "time") await world.time.advance(one.byMs);
            else if (one.type === "busy") {
              for (let piece = 0; piece < one.pieces; piece += 1) world.partition.inbox.enqueue(() => undefined);
            } else if (one.type === "read") {
              await world.time.turns();
              groups.compare(one.pick);
            } else {
              if (one.type === "kill") world.kill(one.isKept);
              for (const by of one.missed) {
                await world.time.advance(1);
                groups.miss(movedBy(groups.last, by));
              }
              await world.time.advance(1);
              if (one.type === "kill") await groups.start(one.earlier);
              else groups.reconnect(one.earlier);
            }
          }
          await world.time.advance(5_000);
          groups.compareAll();
          const fired = groups.ids.filter((id) => stopLossOf(groups.groupOf(id)).triggeredPrice !== null);
          assert.equal(new Set(world.sent).size, fired.length);
          assert.equal(
            (await Promise.all(groups.ids.map((_, index) => world.orders(index + 1)))).flat().length,
            fired.length,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("are written once a second, whatever the number of ticks, and fire immediately", async () => {
    const requests = Array.from({ length: 150 }, (_, index) => ({
      distance: 1 + (index % 50) / 10,
      confirmTicks: 1 as const,
    }));
    const groups = await TrailingWorld.start(requests);
    const { world, ids } = groups;
    await world.time.advance(2_000);
    const walks = countWalks(groups);
    for (let index = 1; index <= 500; index += 1) {
      groups.give(FIRST + index / 10);
      await world.time.advance(1);
    }
    assert.equal(walks(), ids.length, "the first tick begins a round, and the others wait for the next");
    groups.give(149);
    const fired = ids.filter((id) => stopLossOf(groups.groupOf(id)).triggeredPrice !== null);
    assert.equal(fired.length, requests.filter(({ distance }) => distance <= 1).length);
    assert.equal(world.partition.outbox.pending().length, fired.length, "in the call that brought their price");
    groups.compareAll();
  });

  test("keep the stored position of the ticks before the ticks that they lack", async () => {
    const groups = await TrailingWorld.start([BY_5]);
    const { world, ids } = groups;
    const [id = 0] = ids;
    await world.time.advance(2_000);
    const before = world.position;
    for (const value of [104, 106, 110]) {
      await world.time.advance(1);
      groups.give(value);
      await world.time.turns();
    }
    const { changeGroup } = COMMANDS;
    world.partition.journal.writeHead();
    await world.time.turns();
    assert.equal(world.partition.journal.head.tickPosition, before + 1, "104 began a round of its own");
    await world.time.advance(1_000);
    world.partition.journal.writeHead();
    await world.time.turns();
    assert.equal(world.partition.journal.head.tickPosition, before + 3, "the next round gave it the others");
    groups.give(112);
    assert.ok((await world.command(changeGroup, { id, change: { notes: "x" } }, { userId: 1 })).ok);
    assert.equal(world.partition.journal.head.tickPosition, before + 4, "a change gave it the tick");
  });

  test("get what they lack before a restart could no longer read it back", async () => {
    const groups = await TrailingWorld.start([BY_5]);
    const { world, ids } = groups;
    await world.time.advance(2_000);
    groups.give(104);
    groups.give(110);
    assert.ok(!world.partition.walk.isIdle);
    // The stream is another one from here on.
    world.partition.keepFeedMemory();
    await world.time.turns();
    assert.ok(world.partition.walk.isIdle);
    world.kill();
    await world.start();
    assert.equal(stopLossOf(groups.groupOf(ids[0] ?? 0)).price, 10_500);
  });

  test("are raised by each tick immediately if no restart would read it back", async () => {
    const groups = await TrailingWorld.start([BY_5, BY_5]);
    const { world } = groups;
    await world.time.advance(2_000);
    const walks = countWalks(groups);
    world.isPositionKnown = false;
    for (const value of [104, 106, 110]) groups.give(value);
    assert.equal(walks(), 6);
    assert.ok(world.partition.walk.isIdle);
  });

  test("take no tick that is read back a second time for one that came after the raise", async () => {
    const groups = await TrailingWorld.start([BY_5]);
    const { world } = groups;
    await world.time.advance(2_000);
    for (const value of [104, 103, 110]) {
      await world.time.advance(1);
      groups.give(value);
    }
    groups.reconnect(2);
    await world.time.turns();
    assert.deepEqual(world.sent, [], "103 came before the high that made it a price under the stop-loss");
    groups.compareAll();
  });

  test("that get their ticks during a read-back take no tick from before the raise for a later one", async () => {
    const groups = await TrailingWorld.start([BY_5]);
    const { world, ids } = groups;
    const [id = 0] = ids;
    await world.time.advance(2_000);
    groups.give(104);
    await world.time.advance(1);
    world.streamPlace = { stream: "s", sequence: 8, aheadMs: 0 };
    groups.give(110);
    world.streamPlace = { stream: "s", sequence: 9, aheadMs: 0 };
    // The connection is lost, and the round is due while the stream is read back.
    world.isCatchingUp = true;
    await world.time.advance(1_000);
    world.kill();
    world.isCatchingUp = false;
    const readBack = async (sequence: number): Promise<number | null> => {
      const price = livePrice(104);
      assert.ok(price !== undefined);
      // By the stream's clock it came later.
      const timeMs = world.time.nowMs();
      await world.restart(false, (partition) => {
        const stored = { stream: "s", sequence, timeMs };
        partition.onTick({ symbol: "THYAO", price, timeMs, isCaughtUp: true, stored });
        partition.onCaughtUp();
      });
      return stopLossOf(groups.groupOf(id)).triggeredPrice;
    };
    assert.equal(await readBack(8), null);
    assert.equal(stopLossOf(groups.groupOf(id)).price, 10_500);
    assert.equal(await readBack(9), 104);
  });
});
