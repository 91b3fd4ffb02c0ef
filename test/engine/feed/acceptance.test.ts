import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { copyTick, keptLog, knownSymbols, ManualTime, storedAt, tickText } from "./support/ports.ts";

const NOW_MS = 1_732_152_000_000;
const NONE = Number.NaN;

function setUp(tickMovePercentMax?: number, tickAgeMsMax?: number) {
  const ticks: AcceptedTick[] = [];
  const time = new ManualTime(NOW_MS);
  const log = keptLog();
  const acceptance = new TickAcceptance({
    symbols: knownSymbols("A", "B"),
    clock: time,
    log,
    tickMovePercentMax,
    tickAgeMsMax,
    onTick: (tick) => ticks.push(copyTick(tick)),
  });
  const offer = (price: number, ownTimeMs = NONE, atMs = NOW_MS, isCaughtUp = false, symbol = "A"): void => {
    const state = acceptance.find(symbol);
    assert.ok(state !== undefined);
    acceptance.offer(state, price, ownTimeMs, atMs, isCaughtUp ? storedAt(atMs) : undefined);
  };
  return { ticks, time, log, acceptance, offer, counters: acceptance.counters };
}

test("an accepted tick is handed on with its exact price and becomes the last price", () => {
  const { ticks, acceptance, offer } = setUp();
  assert.equal(acceptance.last("A"), undefined);
  offer(101.505, NOW_MS - 10);
  assert.deepEqual(ticks, [
    { symbol: "A", price: { value: 101.505, floor: 10_150, ceil: 10_151 }, timeMs: NOW_MS, isCaughtUp: false },
  ]);
  assert.deepEqual(acceptance.last("A"), { price: ticks[0]?.price, timeMs: NOW_MS - 10 });
  assert.equal(acceptance.last("B"), undefined);
  assert.equal(acceptance.lastSeenMs, NOW_MS);
});

test("prices that are none are refused and change nothing", () => {
  const { ticks, acceptance, offer, counters } = setUp();
  const wrong = [0, -0, -1, NONE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308];
  for (const price of wrong) offer(price, NOW_MS);
  assert.equal(counters.invalidPrice, wrong.length);
  assert.deepEqual(ticks, []);
  assert.equal(acceptance.last("A"), undefined);
});

test("an unknown symbol has no state, and asking for it leaves none behind", () => {
  const { acceptance } = setUp();
  assert.equal(acceptance.find("C"), undefined);
  assert.equal(acceptance.find("a"), undefined);
  assert.equal(acceptance.find("A")?.symbol, "A");
});

test("a tick older than the last accepted of its symbol is stale, an equally old one is not", () => {
  const { ticks, offer, counters } = setUp();
  offer(10, NOW_MS - 100);
  offer(11, NOW_MS - 101);
  offer(12, NOW_MS - 100);
  offer(13, NOW_MS - 500, NOW_MS, false, "B");
  assert.deepEqual(ticks.map(tickText), ["A 10", "A 12", "B 13"]);
  assert.equal(counters.stale, 1);
});

test("a tick that claims to be from the future makes the right ones that follow no older", () => {
  const { ticks, acceptance, offer, counters } = setUp();
  offer(10, NOW_MS + 4_000);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS);
  offer(9, NOW_MS + 1, NOW_MS + 2);
  assert.deepEqual(ticks.map(tickText), ["A 10", "A 9"]);
  assert.equal(counters.stale, 0);
});

test("a live tick whose own time lies too long before its arrival is refused, one at the limit is not", () => {
  const { ticks, offer, counters } = setUp(undefined, 60_000);
  offer(10, Math.floor(NOW_MS / 1_000));
  offer(11, NOW_MS - 60_001);
  offer(12, NOW_MS - 60_000);
  offer(13, NONE);
  assert.deepEqual(ticks.map(tickText), ["A 12", "A 13"]);
  assert.equal(counters.tooOld, 2);
});

test("a tick that is read back is too old by when the stream stored it, not by when it is read", () => {
  const { ticks, offer, counters } = setUp(undefined, 60_000);
  offer(10, NOW_MS - 299_000, NOW_MS - 240_000, true);
  offer(11, NOW_MS - 301_000, NOW_MS - 240_000, true);
  assert.deepEqual(ticks.map(tickText), ["A 10 caught up"]);
  assert.equal(counters.tooOld, 1);
});

test("each reason is told when it begins, then once a minute with how often it came, with symbol and times", () => {
  const { time, log, acceptance, offer } = setUp(undefined, 60_000);
  for (let count = 0; count < 3; count += 1) offer(10, 1_732_152_000);
  offer(10, NOW_MS + 9_000, NOW_MS, false, "B");
  acceptance.refuseMalformed("A", NOW_MS);
  const reasons = () =>
    log.lines.map(({ fields }) => `${Reflect.get(fields, "reason")} ${Reflect.get(fields, "count")}`);
  assert.deepEqual(reasons(), ["tooOld 1", "future 1", "malformed 1"]);
  const { symbol, tickTime: own, arrived } = (log.lines[0]?.fields ?? {}) as Record<string, string>;
  assert.deepEqual([symbol, own, arrived], ["A", "1970-01-21T01:09:12.000Z", "2024-11-21T01:20:00.000Z"]);
  time.freeze(59_999);
  offer(10, 1_732_152_000);
  time.freeze(1);
  offer(10, 1_732_152_000);
  assert.deepEqual(reasons().slice(3), ["tooOld 4"]);
  time.freeze(-3_600_000);
  offer(10, 0);
  assert.equal(log.lines.length, 5, "a clock that was set back silences nothing");
});

test("a fork shares the lines of its origin", () => {
  const { log, acceptance, offer, counters } = setUp();
  offer(0);
  const fork = acceptance.fork(() => undefined);
  fork.refuseUnknown("C", NONE, NOW_MS);
  fork.offer(fork.find("A") ?? assert.fail(), 0, NONE, NOW_MS);
  assert.equal(log.lines.length, 2);
  acceptance.join(fork);
  assert.deepEqual([counters.invalidPrice, counters.unknownSymbol], [2, 1]);
});

test("without a limit a tick from yesterday is accepted when it is the symbol's first, and is as old as it says", () => {
  const { ticks, acceptance, offer } = setUp();
  offer(10, NOW_MS - 86_400_000);
  assert.equal(ticks[0]?.timeMs, NOW_MS);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS - 86_400_000);
});

test("a tick more than 5 s in the future is refused, one at 5 s is accepted and counts as of its arrival", () => {
  const { ticks, offer, counters } = setUp();
  offer(10, NOW_MS + 5_001);
  offer(11, NOW_MS + 5_000);
  assert.equal(counters.future, 1);
  assert.deepEqual(
    ticks.map(({ price, timeMs }) => [price.value, timeMs]),
    [[11, NOW_MS]],
  );
});

test("a tick without a time counts as now and is never stale", () => {
  const { ticks, acceptance, offer, counters } = setUp();
  offer(10, NONE, NOW_MS + 3_000);
  offer(11, NONE, NOW_MS);
  assert.deepEqual(ticks.map(tickText), ["A 10", "A 11"]);
  assert.equal(ticks[1]?.timeMs, NOW_MS);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS + 3_000, "times of a symbol never fall");
  offer(12, NOW_MS - 1);
  assert.equal(counters.stale, 1);
});

test("after a tick without a time one with an older time is stale", () => {
  const { offer, counters } = setUp();
  offer(10, NONE, NOW_MS);
  offer(11, NOW_MS - 1, NOW_MS);
  assert.deepEqual([counters.accepted, counters.stale], [1, 1]);
});

test("after the clock stepped back, what it said while it was ahead makes no right tick stale", () => {
  const hourMs = 3_600_000;
  const { ticks, acceptance, offer, counters } = setUp();
  offer(10, NONE, NOW_MS + hourMs);
  offer(11, NOW_MS - 2, NOW_MS);
  offer(12, NOW_MS - 1, NOW_MS);
  offer(13, NOW_MS - 2, NOW_MS);
  assert.deepEqual(ticks.map(tickText), ["A 10", "A 11", "A 12"]);
  assert.equal(counters.stale, 1, "among them order counts as ever");
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS - 1);
  assert.equal(acceptance.lastSeenMs, NOW_MS, "the feed is as old as its last tick, by the clock as it is now");
});

test("the same holds for ticks that waited while earlier ones were read back", () => {
  const { ticks, acceptance, offer } = setUp();
  offer(10, NONE, NOW_MS + 3_600_000);
  const price = livePrice(11);
  assert.ok(price !== undefined);
  acceptance.take("A", price, NOW_MS - 2, NOW_MS);
  acceptance.take("A", price, NOW_MS - 3, NOW_MS);
  assert.equal(ticks.length, 2);
});

test("a tick that the stream stored at a time that is not yet counts now, and how old its price is nobody knows", () => {
  const { ticks, acceptance, offer } = setUp();
  const aheadMs = NOW_MS + 3_600_000;
  offer(10, NONE, aheadMs, true);
  assert.deepEqual(
    ticks.map(({ timeMs }) => timeMs),
    [NOW_MS],
  );
  assert.deepEqual([acceptance.last("A")?.timeMs, acceptance.lastSeenMs], [aheadMs, NOW_MS]);
  offer(11, NOW_MS - 10, NOW_MS - 9, true);
  assert.deepEqual(ticks.map(tickText), ["A 10 caught up", "A 11 caught up"]);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS - 10, "the next one tells its age again");
});

test("a clock of the server that is a little ahead makes no live tick stale after a catch-up", () => {
  const { ticks, acceptance, offer } = setUp();
  offer(10, NONE, NOW_MS + 3_000, true);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS);
  offer(11, NOW_MS, NOW_MS);
  assert.deepEqual(ticks.map(tickText), ["A 10 caught up", "A 11"]);
});

test("a tick that waited counts when it was seen, though the clock was set back since", () => {
  const { ticks, acceptance } = setUp();
  const price = livePrice(11);
  assert.ok(price !== undefined);
  acceptance.take("A", price, NONE, NOW_MS + 2_000);
  assert.equal(ticks[0]?.timeMs, NOW_MS + 2_000);
  assert.equal(acceptance.lastSeenMs, NOW_MS);
});

test("a tick that was held counts when it was seen, though the clock was set back before it is confirmed", () => {
  const { ticks, offer } = setUp(10);
  offer(100, NONE, NOW_MS);
  offer(80, NONE, NOW_MS + 10);
  offer(81, NONE, NOW_MS - 2_000);
  assert.deepEqual(
    ticks.map(({ price, timeMs }) => [price.value, timeMs]),
    [
      [100, NOW_MS],
      [80, NOW_MS + 10],
      [81, NOW_MS - 2_000],
    ],
  );
});

test("after the clock stepped back a tick without a time tells the age of the price again", () => {
  const { acceptance, offer } = setUp();
  offer(10, NONE, NOW_MS + 3_600_000);
  offer(11, NONE, NOW_MS);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS);
});

test("a tick that was read back before does not make its price younger, nor the last one older", () => {
  const { acceptance, offer } = setUp();
  offer(10, NONE, NOW_MS - 1_000);
  offer(9, NONE, NOW_MS - 9_000, true);
  assert.equal(acceptance.last("A")?.timeMs, NOW_MS - 1_000);
});

test("a caught-up tick counts at the moment handed in, whatever its own time, and is not stale for being old", () => {
  const { ticks, offer } = setUp();
  offer(10, NOW_MS - 60_000, NOW_MS - 59_000, true);
  offer(11, NONE, NOW_MS - 58_000, true);
  offer(12, NOW_MS - 57_500, NOW_MS - 58_000, true);
  assert.deepEqual(
    ticks.map(({ timeMs, isCaughtUp }) => [timeMs, isCaughtUp]),
    [
      [NOW_MS - 59_000, true],
      [NOW_MS - 58_000, true],
      [NOW_MS - 58_000, true],
    ],
  );
});

test("without a limit any move is accepted", () => {
  const { ticks, offer } = setUp();
  offer(10);
  offer(0.01);
  offer(9_999_999);
  assert.equal(ticks.length, 3);
});

test("a tick that moves as far as the limit passes, one beyond it is held and changes nothing", () => {
  const { ticks, acceptance, offer, counters } = setUp(10);
  offer(100);
  offer(110);
  offer(99);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 110", "A 99"]);
  offer(88);
  assert.equal(acceptance.last("A")?.price.value, 99);
  assert.equal(counters.accepted, 3);
});

test("a held tick is confirmed by a near one and applied before it, as caught up at the moment it was seen", () => {
  const { ticks, acceptance, offer, counters } = setUp(10);
  offer(100, NOW_MS);
  offer(80, NOW_MS + 1, NOW_MS + 1);
  offer(85, NOW_MS + 5, NOW_MS + 5);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 80 caught up", "A 85"]);
  assert.deepEqual(
    ticks.slice(1).map(({ timeMs }) => timeMs),
    [NOW_MS + 1, NOW_MS + 5],
  );
  assert.equal(acceptance.last("A")?.price.value, 85);
  assert.deepEqual([counters.accepted, counters.outlier], [3, 0]);
});

test("a held tick that the next one does not confirm is dropped, and the next one judged for itself", () => {
  const { ticks, offer, counters } = setUp(10);
  offer(100);
  offer(1);
  offer(101);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 101"]);
  assert.equal(counters.outlier, 1);
  offer(10_100);
  offer(50);
  offer(51);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 101", "A 50 caught up", "A 51"]);
  assert.equal(counters.outlier, 2);
});

test("a refused tick neither confirms nor drops a held one", () => {
  const { ticks, offer, counters } = setUp(10);
  offer(100, NOW_MS);
  offer(50, NOW_MS);
  offer(100, NOW_MS - 1);
  offer(-1, NOW_MS);
  offer(100, NOW_MS + 9_000);
  offer(50, NOW_MS + 1);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 50 caught up", "A 50"]);
  assert.deepEqual([counters.stale, counters.invalidPrice, counters.future, counters.outlier], [1, 1, 1, 0]);
});

test("a held tick that is sent again with its price and its time confirms nothing and stays held (behaviour 3.4)", () => {
  const { ticks, offer, counters } = setUp(10);
  offer(100, NOW_MS);
  offer(50, NOW_MS + 1);
  offer(50, NOW_MS + 1);
  offer(50, NOW_MS + 1);
  assert.deepEqual(ticks.map(tickText), ["A 100"]);
  assert.equal(counters.outlier, 2);
  offer(51, NOW_MS + 2);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 50 caught up", "A 51"]);
});

test("symbols are held apart", () => {
  const { ticks, offer } = setUp(10);
  offer(100);
  offer(50);
  offer(50, NONE, NOW_MS, false, "B");
  assert.deepEqual(ticks.map(tickText), ["A 100", "B 50"]);
});

test("a fork judges from what its origin knows and leaves it unchanged", () => {
  const { ticks, acceptance, offer, counters } = setUp(10);
  offer(100, NOW_MS);
  const forked: string[] = [];
  const fork = acceptance.fork((tick) => forked.push(tickText(tick)));
  const state = fork.find("A");
  assert.ok(state !== undefined);
  fork.offer(state, 99, NOW_MS - 1, NOW_MS);
  fork.offer(state, 105, NOW_MS + 1, NOW_MS);
  fork.offer(state, 5, NOW_MS + 2, NOW_MS);
  assert.deepEqual(forked, ["A 105"]);
  assert.deepEqual(ticks.map(tickText), ["A 100"]);
  assert.equal(acceptance.last("A")?.price.value, 100);
  assert.deepEqual([counters.accepted, counters.stale], [1, 0]);
});

test("what a fork accepted, refused and holds comes back to its origin", () => {
  const { ticks, acceptance, offer, counters } = setUp(10);
  offer(100, NOW_MS);
  const fork = acceptance.fork(() => undefined);
  const state = fork.find("A");
  assert.ok(state !== undefined);
  fork.offer(state, 0, NONE, NOW_MS);
  fork.offer(state, 50, NOW_MS + 2, NOW_MS);
  const price = livePrice(105);
  assert.ok(price !== undefined);
  acceptance.take("A", price, NOW_MS + 1, NOW_MS + 7);
  acceptance.take("A", price, NOW_MS, NOW_MS + 8);
  acceptance.join(fork);
  offer(50, NOW_MS + 3, NOW_MS + 9);
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 105 caught up", "A 50 caught up", "A 50"]);
  assert.deepEqual([counters.accepted, counters.invalidPrice, counters.stale], [4, 1, 1]);
});

test("what is read back is judged in the stream's order: a live tick that overtook it makes it no older", () => {
  const { ticks, acceptance, offer, counters } = setUp();
  const readBack = (price: number, ownTimeMs: number): void => {
    const state = acceptance.find("A") ?? assert.fail();
    acceptance.offer(state, price, ownTimeMs, NOW_MS, { stream: "s", sequence: ownTimeMs, timeMs: NOW_MS });
  };
  offer(100, NOW_MS - 10);
  acceptance.beginReadingBack();
  readBack(89, NOW_MS - 30);
  readBack(95, NOW_MS - 20);
  readBack(91, NOW_MS - 25);
  readBack(100, NOW_MS - 10);
  acceptance.endReadingBack();
  assert.deepEqual(ticks.map(tickText), ["A 100", "A 89 caught up", "A 95 caught up", "A 100 caught up"]);
  assert.deepEqual([counters.stale, acceptance.last("A")?.timeMs], [1, NOW_MS - 10]);
});

test("where nothing of a symbol was read back its live ticks are judged by its last one, as before", () => {
  const { ticks, acceptance, offer, counters } = setUp();
  offer(100, NOW_MS - 10);
  acceptance.beginReadingBack();
  acceptance.endReadingBack();
  offer(89, NOW_MS - 20);
  assert.deepEqual([ticks.length, counters.stale], [1, 1]);
});

test("a move is judged by the price before ticks were lost, though that is no longer the last", () => {
  const { ticks, acceptance, offer } = setUp(10);
  offer(100);
  acceptance.forgetLast();
  assert.equal(acceptance.last("A"), undefined);
  offer(10);
  assert.deepEqual(ticks.map(tickText), ["A 100"]);
  offer(10);
  assert.equal(acceptance.last("A")?.price.value, 10, "a second one confirms it");
});
