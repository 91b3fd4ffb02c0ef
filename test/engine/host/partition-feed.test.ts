// tier: fast
/** What one partition knows of the feed that it shares. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TickFeed } from "../../../engine/feed/feed.ts";
import type { HostedFeed } from "../../../engine/host/hosted-partition.ts";
import { PartitionTickBuffer } from "../../../engine/host/partition-feed.ts";

test("a partition that gets no tick any more stands where it stood, however far the feed goes on", () => {
  let position = 100;
  const memory = { tickStream: "stream", ticksRefusedSinceMs: null };
  const gate = { isCatchingUp: false, take: () => undefined, catchUp: async () => undefined, stop: () => undefined };
  const feed = { openTickBuffer: () => gate } as unknown as TickFeed;
  const whole = { isCatchingUp: () => false, position: () => position, memory: () => memory } as unknown as HostedFeed;
  const own = new PartitionTickBuffer(feed, whole, { onHole: () => undefined, join: () => () => undefined });
  assert.deepEqual([own.feed.position(), own.feed.memory()], [100, memory]);
  own.close();
  position = 500;
  assert.deepEqual([own.feed.position(), own.feed.memory()], [null, undefined]);
});

test("what came unknown while it was not known what is armed is told where it is armed", async () => {
  const lacking: boolean[] = [];
  const come = async (...came: readonly string[]): Promise<void> => {
    const gate = {
      ...{ isCatchingUp: true, onArmedMeanwhile: () => undefined, take: () => undefined, stop: () => undefined },
      catchUp: async ({ lacksTick }: { lacksTick: boolean }) => void lacking.push(lacksTick),
    };
    let hasArmed = (_symbol: string): boolean => assert.fail("it never joined the feed");
    const own = new PartitionTickBuffer(
      { openTickBuffer: () => gate } as Pick<TickFeed, "openTickBuffer">,
      {} as HostedFeed,
      {
        onHole: () => undefined,
        join: ({ partition }) => {
          hasArmed = (symbol) => partition.hasArmed(symbol);
          return () => undefined;
        },
      },
    );
    for (const symbol of came) assert.equal(hasArmed(symbol), false);
    const partition = {
      ...{
        countsEveryTick: () => false,
        onCaughtUp: () => undefined,
        keepFeedMemory: () => undefined,
        onTicksLost: () => undefined,
      },
      hasArmed: (symbol: string) => symbol === "ARMED",
    };
    const head = { tickPosition: 1, tickStream: "stream", ticksRefusedSinceMs: null, writtenAtMs: 0 };
    await own.catchUp({ partition, mayAct: true, onTick: () => undefined }, head);
    assert.deepEqual([hasArmed("ARMED"), hasArmed("OTHER")], [true, false]);
  };
  await come();
  await come("OTHER", "ANOTHER");
  await come("OTHER", "ARMED");
  await come(...Array.from({ length: 2_000 }, (_, index) => `S${index}`));
  assert.deepEqual(lacking, [false, false, true, true], "too many to remember count as armed");
});

test("no order may leave before the partition is there, and then as it says", async () => {
  let mayAct = (): boolean => assert.fail("it never joined the feed");
  const gate = { isCatchingUp: true, take: () => undefined, catchUp: async () => undefined, stop: () => undefined };
  const feed = { openTickBuffer: () => gate } as unknown as TickFeed;
  const own = new PartitionTickBuffer(feed, {} as HostedFeed, {
    onHole: () => undefined,
    join: (taker) => {
      mayAct = () => taker.mayAct;
      return () => undefined;
    },
  });
  assert.equal(mayAct(), false);
  const partition = {
    ...{
      countsEveryTick: () => false,
      onCaughtUp: () => undefined,
      keepFeedMemory: () => undefined,
      onTicksLost: () => undefined,
    },
    hasArmed: () => false,
  };
  const taker = { partition, mayAct: true, onTick: () => undefined };
  await own.catchUp(taker, { tickPosition: 1, tickStream: "stream", ticksRefusedSinceMs: null, writtenAtMs: 0 });
  assert.equal(mayAct(), true);
  taker.mayAct = false;
  assert.equal(mayAct(), false);
});

test("that a level was armed meanwhile is told where ticks may wait: to the feed, and to the partition's own gate", () => {
  const told: string[] = [];
  const gate = { onArmedMeanwhile: (symbol: string) => told.push(`gate ${symbol}`) };
  const whole = { onArmedMeanwhile: (symbol: string) => told.push(`feed ${symbol}`) } as unknown as HostedFeed;
  const feed = { openTickBuffer: () => gate } as unknown as TickFeed;
  const own = new PartitionTickBuffer(feed, whole, { onHole: () => undefined, join: () => () => undefined });
  own.feed.onArmedMeanwhile("A");
  assert.deepEqual(told, ["feed A", "gate A"]);
});
