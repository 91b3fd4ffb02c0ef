/** Faults of the feed are reported once they last, and not again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FeedAlarms, type Silence } from "../../../engine/partition/feed-alarms.ts";
import type { LastPrice, SymbolIntake } from "../../../engine/ports/price.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { testFeed } from "../../support/world/test-feed.ts";

function setUp() {
  const time = new FakeTime();
  const watchbook = new PartitionWatchbook();
  const feed = { offMs: null as number | null, areTicksComing: true };
  const intakes = new Map<string, SymbolIntake>();
  const last = new Map<string, LastPrice>();
  const clockTold: number[] = [];
  const silences: (readonly [Silence, readonly string[]])[] = [];
  const alarms = new FeedAlarms({
    ...{ clock: time, steadyClock: time, timers: time, watchbook },
    feed: testFeed({
      prices: { last: (symbol) => last.get(symbol) },
      watch: {
        clockOffMs: () => feed.offMs,
        areTicksComing: () => feed.areTicksComing,
        intakeOf: (symbol) => intakes.get(symbol) ?? { acceptedMs: null, refused: null },
      },
    }),
    onClockOff: (aheadMs) => clockTold.push(aheadMs),
    onSilent: (silence, symbols) => silences.push([silence, symbols]),
  });
  const watch = (symbol: string) => ({ symbol, side: "below", level: 9_000, watch: 0 }) as const;
  return {
    ...{ time, feed, intakes, last, clockTold, silences, alarms },
    arm: (symbol: string) => watchbook.arm(1, watch(symbol)),
    disarm: (symbol: string) => watchbook.disarm(1, watch(symbol)),
    /** A price a second is refused, from now on. */
    refuse: async (symbol: string, seconds: number) => {
      const acceptedMs = intakes.get(symbol)?.acceptedMs ?? null;
      const firstMs = time.nowMs();
      for (let second = 0; second < seconds; second += 1) {
        intakes.set(symbol, { acceptedMs, refused: { firstMs, lastMs: time.nowMs() } });
        await time.advance(1_000);
      }
    },
    accept: (symbol: string) => intakes.set(symbol, { acceptedMs: time.nowMs(), refused: null }),
  };
}

test("a wrong clock is reported once it has lasted ten seconds, and then every ten minutes (behaviour 3.7a)", async () => {
  const { time, feed, clockTold, alarms } = setUp();
  const stop = alarms.start();
  await time.advance(60_000);
  feed.offMs = 7_000;
  await time.advance(9_000);
  feed.offMs = 0;
  await time.advance(5_000);
  assert.deepEqual(clockTold, [], "it was right again soon");
  feed.offMs = -7_000;
  await time.advance(12_000);
  assert.deepEqual(clockTold, [-7_000]);
  await time.advance(580_000);
  assert.equal(clockTold.length, 1);
  await time.advance(20_000);
  assert.equal(clockTold.length, 2);
  stop();
  await time.advance(1_200_000);
  assert.equal(clockTold.length, 2);
});

test("a price that moved too far and waits for a minute to be confirmed is told once, also while nothing else trades (behaviour 3.10)", async () => {
  const { time, feed, intakes, silences, alarms, arm, accept } = setUp();
  arm("A");
  accept("A");
  const stop = alarms.start();
  const intake = { acceptedMs: time.nowMs(), refused: null };
  intakes.set("A", { ...intake, unconfirmedMs: time.nowMs() });
  await time.advance(50_000);
  assert.deepEqual(silences, []);
  feed.areTicksComing = false;
  await time.advance(120_000);
  assert.deepEqual(silences, [["unconfirmed", ["A"]]]);
  assert.deepEqual(alarms.armedPrices().silent, { refused: 0, none: 0, unconfirmed: 1 });
  feed.areTicksComing = true;
  accept("A");
  await time.advance(2_000);
  intakes.set("A", { ...intake, unconfirmedMs: time.nowMs() });
  await time.advance(62_000);
  assert.equal(silences.length, 2, "the next one is another one");
  stop();
});

test("a symbol whose prices are refused for a minute is silent, once until one counts (behaviour 3.10)", async () => {
  const { time, silences, alarms, arm, refuse, accept } = setUp();
  arm("A");
  accept("A");
  alarms.start();
  await refuse("A", 59);
  assert.deepEqual(silences, []);
  await refuse("A", 75);
  assert.deepEqual(silences, [["refused", ["A"]]]);
  assert.deepEqual(alarms.armedPrices(), { silent: { refused: 1, none: 0, unconfirmed: 0 }, oldestAgeMs: 134_000 });
  accept("A");
  await time.advance(2_000);
  assert.deepEqual(alarms.armedPrices(), { silent: { refused: 0, none: 0, unconfirmed: 0 }, oldestAgeMs: 2_000 });
  await refuse("A", 75);
  assert.equal(silences.length, 2);
});

test("a market that closes is not silent: nothing of it is refused for long, and it had prices before", async () => {
  const { time, silences, alarms, arm, refuse, accept, last } = setUp();
  for (const symbol of ["A", "B"]) arm(symbol);
  accept("A");
  last.set("B", { price: { value: 1, floor: 100, ceil: 100 }, timeMs: 0 });
  alarms.start();
  await refuse("A", 5);
  await time.advance(3_600_000);
  assert.deepEqual(silences, []);
});

test("a symbol of which no price comes is silent a minute after a level of it is armed, not after a restart", async () => {
  const { time, silences, alarms, arm, disarm } = setUp();
  arm("OLD");
  alarms.start();
  await time.advance(5_000);
  for (const symbol of ["NEW", "GONE"]) arm(symbol);
  await time.advance(59_000);
  disarm("GONE");
  assert.deepEqual(silences, []);
  await time.advance(5_000);
  assert.deepEqual(silences, [["none", ["NEW"]]]);
  await time.advance(600_000);
  assert.equal(silences.length, 1);
});

test("a feed that is silent as a whole says nothing of its symbols", async () => {
  const { time, feed, silences, alarms, arm, refuse } = setUp();
  feed.areTicksComing = false;
  alarms.start();
  for (const symbol of ["A", "B"]) arm(symbol);
  await refuse("A", 90);
  assert.deepEqual(silences, []);
  feed.areTicksComing = true;
  await time.advance(1_000);
  assert.deepEqual(silences, [
    ["refused", ["A"]],
    ["none", ["B"]],
  ]);
});
