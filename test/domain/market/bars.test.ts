/** Bars (behaviour 22), against a twin that keeps every price. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  BAR_INTERVALS,
  type BarInterval,
  joinMinutes,
  type MinuteBar,
  minuteBarOf,
  minuteOf,
  periodOf,
  preferOwn,
  sumUp,
} from "../../../src/domain/market/bars.ts";

interface Price {
  readonly timeMs: number;
  readonly price: number;
}

const ZONES = ["Europe/Istanbul", "America/New_York", "UTC"];
/** The clocks of New York go forward on this day. */
const START_MS = Date.UTC(2026, 2, 7);

/** Prices of different moments, in order of time. */
const prices = fc
  .uniqueArray(fc.integer({ min: 0, max: 4 * 86_400_000 }), { minLength: 1, maxLength: 60 })
  .chain((times) =>
    fc.tuple(
      ...[...times]
        .sort((left, right) => left - right)
        .map((offsetMs) => fc.integer({ min: 1, max: 500 }).map((price) => ({ timeMs: START_MS + offsetMs, price }))),
    ),
  );

function minutesOf(all: readonly Price[]): MinuteBar[] {
  const minutes = new Map<number, MinuteBar>();
  for (const { price, timeMs } of all) {
    const bar = minuteBarOf(price, timeMs);
    const known = minutes.get(bar.fromMs);
    minutes.set(bar.fromMs, known === undefined ? bar : joinMinutes(known, bar));
  }
  return [...minutes.values()].sort((left, right) => left.fromMs - right.fromMs);
}

/** The twin: groups the prices themselves. */
function naive(all: readonly Price[], interval: BarInterval, zone: string) {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  const lengthMs = { "1m": 60_000, "5m": 300_000, "15m": 900_000, "1h": 3_600_000, "1d": 0 }[interval];
  const nameOf = ({ timeMs }: Price): string =>
    interval === "1d" ? format.format(timeMs) : String(Math.floor(timeMs / lengthMs));
  return [...new Set(all.map(nameOf))].map((name) => {
    const inside = all.filter((one) => nameOf(one) === name).map(({ price }) => price);
    return [inside[0], Math.max(...inside), Math.min(...inside), inside.at(-1)];
  });
}

test("bars summed up from minutes are those of the prices themselves", () => {
  fc.assert(
    fc.property(prices, fc.constantFrom(...BAR_INTERVALS), fc.constantFrom(...ZONES), (all, interval, zone) => {
      const sums = sumUp(minutesOf(all), interval, zone);
      assert.deepEqual(
        sums.map(({ open, high, low, close }) => [open, high, low, close]),
        naive(all, interval, zone),
      );
      for (const { fromMs } of sums) assert.equal(periodOf(fromMs, interval, zone), fromMs);
    }),
  );
});

test("prices that come again, or in another order, make the same minutes", () => {
  const withOrder = prices.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
  );
  fc.assert(fc.property(withOrder, ([all, again]) => assert.deepEqual(minutesOf(again), minutesOf(all))));
});

test("a day is one of the exchange's zone, also where clocks change", () => {
  assert.equal(
    periodOf(Date.parse("2026-03-02T21:30:00Z"), "1d", "Europe/Istanbul"),
    Date.parse("2026-03-02T21:00:00Z"),
  );
  assert.equal(
    periodOf(Date.parse("2026-03-08T20:00:00Z"), "1d", "America/New_York"),
    Date.parse("2026-03-08T05:00:00Z"),
  );
  assert.equal(
    periodOf(Date.parse("2026-03-09T12:00:00Z"), "1d", "America/New_York"),
    Date.parse("2026-03-09T04:00:00Z"),
  );
});

test("where two sources have a bar of a period, the own one counts", () => {
  const bar = (fromMs: number, price: number) => ({ fromMs, open: price, high: price, low: price, close: price });
  const joined = preferOwn([bar(120_000, 2), bar(180_000, 2)], [bar(60_000, 1), bar(120_000, 1)]);
  assert.deepEqual(
    joined.map(({ fromMs, close }) => [fromMs, close]),
    [
      [60_000, 1],
      [120_000, 2],
      [180_000, 2],
    ],
  );
});

test("a moment belongs to the minute that it begins", () => {
  assert.deepEqual([minuteOf(59_999), minuteOf(60_000)], [0, 60_000]);
});
