import assert from "node:assert/strict";
import { test } from "node:test";
import { levelBotSellLevel, parsePercent, stopLossLevel, takeProfitLevel } from "../../../src/domain/price/percent.ts";
import { isOnGrid } from "../../../src/domain/price/tick-table.ts";
import type { Result } from "../../../src/domain/refusal.ts";
import fc from "../../support/property.ts";
import { gridUnder10000 } from "../naive-grid.ts";

function levelOf(result: Result<number>): number {
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.value;
}

function messageOf(result: Result<number>): string {
  assert.ok(!result.ok);
  assert.equal(result.code, "INVALID");
  return result.message;
}

/** A whole number of ten-thousandths or thousandths as the number with that decimal text. */
function unscaled(whole: number, decimals: number): number {
  const digits = String(whole).padStart(decimals + 1, "0");
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

/** The nearest grid price by a scan over all of them; the exact level comes in hundredths times `scale`. */
function scanNearest(exactScaled: bigint, scale: bigint, tie: "down" | "up"): number {
  let nearest = 0;
  let nearestDistance: bigint | undefined;
  for (const price of gridUnder10000) {
    const difference = BigInt(price) * scale - exactScaled;
    const distance = difference < 0n ? -difference : difference;
    const isNearer = nearestDistance === undefined || distance < nearestDistance;
    if (isNearer || (distance === nearestDistance && tie === "up")) {
      nearest = price;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Fill prices of up to four decimals: from 0.0101 to 5,000, low ones and band borders as often as high ones. */
const fillTenThousandths = fc.oneof(
  fc.integer({ min: 101, max: 2_500_000 }),
  fc.integer({ min: 101, max: 50_000_000 }),
  fc.constantFrom(...gridUnder10000.filter((price) => price > 1 && price <= 500_000)).map((price) => price * 100),
  fc
    .tuple(fc.constantFrom(20, 50, 100, 250, 500, 1000, 2500), fc.integer({ min: -2000, max: 2000 }))
    .map(([border, offset]) => border * 10_000 + offset),
);

const stopPercentThousandths = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 99_999 }));
const profitPercentThousandths = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 95_000 }));

test("a stop-loss is the grid price nearest to the exact level, found by a scan, but under the fill", () => {
  fc.assert(
    fc.property(fillTenThousandths, stopPercentThousandths, (fill, percent) => {
      // fill / 10^4 currency units x (100,000 - percent) / 10^5, in hundredths: scale 10^7.
      const exactScaled = BigInt(fill) * BigInt(100_000 - percent);
      const nearest = scanNearest(exactScaled, 10_000_000n, "down");
      const under = gridUnder10000.findLast((price) => price * 100 < fill);
      assert.ok(under !== undefined);
      const level = levelOf(stopLossLevel(unscaled(fill, 4), unscaled(percent, 3)));
      assert.equal(level, Math.min(nearest, under));
      assert.ok(isOnGrid(level) && level * 100 < fill);
    }),
    { numRuns: 400 },
  );
});

test("a take-profit is the grid price nearest to the exact level, found by a scan, but over the fill", () => {
  fc.assert(
    fc.property(fillTenThousandths, profitPercentThousandths, (fill, percent) => {
      const exactScaled = BigInt(fill) * BigInt(100_000 + percent);
      const nearest = scanNearest(exactScaled, 10_000_000n, "up");
      const over = gridUnder10000.find((price) => price * 100 > fill);
      assert.ok(over !== undefined);
      const level = levelOf(takeProfitLevel(unscaled(fill, 4), unscaled(percent, 3)));
      assert.equal(level, Math.max(nearest, over));
      assert.ok(isOnGrid(level) && level * 100 > fill);
    }),
    { numRuns: 400 },
  );
});

test("levels are in strict order for any fill with any decimals: stop-loss < fill < take-profit", () => {
  const fillPrice = fc.double({ min: 0.0100001, max: 90_000, noNaN: true });
  const percent = fc.double({ min: 1e-9, max: 99.999, noNaN: true });
  fc.assert(
    fc.property(fillPrice, percent, percent, (fill, stopPercent, profitPercent) => {
      const stopLoss = levelOf(stopLossLevel(fill, stopPercent));
      const takeProfit = levelOf(takeProfitLevel(fill, profitPercent));
      assert.ok(isOnGrid(stopLoss) && isOnGrid(takeProfit));
      assert.ok(stopLoss / 100 < fill && fill < takeProfit / 100);
    }),
    { numRuns: 5000 },
  );
});

test("20.00 with a stop-loss of 1 percent is 19.80, over the band border", () => {
  assert.equal(levelOf(stopLossLevel(20, 1)), 1980);
});

test("levels that cross a band border go to the nearest price of either band", () => {
  assert.equal(levelOf(takeProfitLevel(19.99, 0.05)), 2000);
  assert.equal(levelOf(takeProfitLevel(49.99, 0.01)), 5000);
  assert.equal(levelOf(takeProfitLevel(99.95, 0.04)), 10_000);
  assert.equal(levelOf(takeProfitLevel(99.95, 0.11)), 10_010);
  assert.equal(levelOf(stopLossLevel(250, 0.01)), 24_990);
  assert.equal(levelOf(stopLossLevel(250.25, 0.12)), 24_990);
  assert.equal(levelOf(stopLossLevel(2500, 0.01)), 249_900);
});

test("a tie goes away from the fill: the stop-loss down, the take-profit up", () => {
  // 25.00 - 0.04 % = 24.99, between 24.98 and 25.00; 25.00 + 0.04 % = 25.01, between 25.00 and 25.02.
  assert.equal(levelOf(stopLossLevel(25, 0.04)), 2498);
  assert.equal(levelOf(takeProfitLevel(25, 0.04)), 2502);
  // 10.00 - 0.15 % = 9.985 and 10.00 + 0.15 % = 10.015: ties that are not distorted by doubles.
  assert.equal(levelOf(stopLossLevel(10, 0.15)), 998);
  assert.equal(levelOf(takeProfitLevel(10, 0.15)), 1002);
});

test("a level that would round to the fill moves to the next grid price beyond it", () => {
  assert.equal(levelOf(stopLossLevel(20, 0.0001)), 1999);
  assert.equal(levelOf(takeProfitLevel(20, 0.0001)), 2002);
  assert.equal(levelOf(stopLossLevel(20.013, 0.0001)), 2000);
  assert.equal(levelOf(takeProfitLevel(20.013, 0.0001)), 2002);
  assert.equal(levelOf(stopLossLevel(19.995, 0.0001)), 1999);
  assert.equal(levelOf(takeProfitLevel(19.995, 0.0001)), 2000);
  assert.equal(levelOf(takeProfitLevel(0.01, 1)), 2);
  assert.equal(levelOf(takeProfitLevel(0.005, 1)), 1);
});

test("a stop-loss under 0.01 goes to 0.01, the nearest price there is", () => {
  assert.equal(levelOf(stopLossLevel(0.05, 99)), 1);
});

test("a level that is no price is refused, with what it was computed from", () => {
  assert.equal(
    messageOf(stopLossLevel(0.01, 1)),
    "stopLossPercent 1 from averagePrice 0.01 gives no price on the tick table",
  );
  assert.match(messageOf(stopLossLevel(0.005, 1)), /gives no price/);
  assert.match(messageOf(takeProfitLevel(9_999_997.5, 0.000001)), /gives no price/);
  assert.match(messageOf(takeProfitLevel(5_000_000, 100)), /gives no price/);
  assert.equal(levelOf(takeProfitLevel(5_000_000, 99.99995)), 999_999_750);
});

test("a stop-loss percent of 100 or more is refused", () => {
  assert.equal(messageOf(stopLossLevel(20, 100)), "stopLossPercent 100 is not below 100");
  assert.equal(messageOf(stopLossLevel(20, 1e9)), "stopLossPercent 1000000000 is not below 100");
});

test("a fill price that is no price is refused", () => {
  for (const fill of [0, -20, Number.NaN, Infinity, 1e300]) {
    assert.match(messageOf(stopLossLevel(fill, 1)), /^averagePrice .* is not a price from 0\.01 to 9999999$/);
    assert.match(messageOf(takeProfitLevel(fill, 1)), /^averagePrice /);
  }
});

test("a fill over 9,999,999 is a price: what counts is whether the level is one that a client could give", () => {
  assert.equal(levelOf(stopLossLevel(12_000_000, 20)), 960_000_000);
  assert.match(messageOf(stopLossLevel(12_000_000, 1)), /gives no price/);
  assert.match(messageOf(takeProfitLevel(12_000_000, 1)), /gives no price/);
});

test("a percent is greater than 0, below 100 for a stop-loss and at most 10,000 for a take-profit", () => {
  for (const value of [1e-7, 0.5, 3, 99.999999]) {
    assert.deepEqual(parsePercent(value, "percent", "stopLoss"), { ok: true, value });
  }
  for (const value of [1e-7, 100, 10_000]) {
    assert.deepEqual(parsePercent(value, "percent", "takeProfit"), { ok: true, value });
  }
  for (const kind of ["stopLoss", "takeProfit"] as const) {
    for (const value of [0, -0, -3, Number.NaN, -Infinity]) {
      assert.match(messageOf(parsePercent(value, "percent", kind)), /is not a percent greater than 0$/);
    }
    assert.ok(!parsePercent(Infinity, "percent", kind).ok);
  }
  assert.equal(messageOf(parsePercent(-0, "percent", "stopLoss")), "percent -0 is not a percent greater than 0");
  assert.equal(messageOf(parsePercent(100, "percent", "stopLoss")), "percent 100 is not below 100");
  assert.equal(messageOf(parsePercent(10_000.5, "percent", "takeProfit")), "percent 10000.5 is over 10000");
});

test("the level bot sells at the higher of gap and profit, rounded up to the grid", () => {
  assert.equal(levelOf(levelBotSellLevel(20, 0.5, 1)), 2050);
  assert.equal(levelOf(levelBotSellLevel(20, 0.1, 1)), 2020);
  assert.equal(levelOf(levelBotSellLevel(20, 0.001, 0)), 2002);
  assert.equal(levelOf(levelBotSellLevel(19.99, 0.011, 0)), 2002);
  assert.equal(levelOf(levelBotSellLevel(20, 0, 0)), 2000);
  assert.equal(levelOf(levelBotSellLevel(49.98, 0.01, 0)), 5000);
});

test("the level bot's sell level is the smallest grid price at or over both, found by a scan", () => {
  fc.assert(
    fc.property(fillTenThousandths, fc.nat(200_000), fc.nat(50_000), (fill, gap, profit) => {
      const gapScaled = BigInt(fill + gap) * 100_000n;
      const profitScaled = BigInt(fill) * BigInt(100_000 + profit);
      const exactScaled = gapScaled > profitScaled ? gapScaled : profitScaled;
      const expected = gridUnder10000.find((price) => BigInt(price) * 10_000_000n >= exactScaled);
      assert.equal(levelOf(levelBotSellLevel(unscaled(fill, 4), unscaled(gap, 4), unscaled(profit, 3))), expected);
    }),
    { numRuns: 2000 },
  );
});

test("the level bot's sell level is refused for what is no fill, gap, profit or price", () => {
  assert.match(messageOf(levelBotSellLevel(0, 1, 1)), /^averagePrice 0 /);
  assert.equal(messageOf(levelBotSellLevel(20, -1, 1)), "sellGap -1 is not a number of at least 0");
  assert.equal(messageOf(levelBotSellLevel(20, 1, Number.NaN)), "targetProfit NaN is not a number of at least 0");
  assert.match(messageOf(levelBotSellLevel(20, Infinity, 1)), /^sellGap Infinity /);
  assert.match(messageOf(levelBotSellLevel(20, 1e308, 1)), /give no price on the tick table$/);
  assert.match(messageOf(levelBotSellLevel(9_999_998, 0, 0)), /give no price on the tick table$/);
});

test("levels from a fill price are on the tick table that is asked for (3.6a)", () => {
  const levelOf = (result: ReturnType<typeof stopLossLevel>): number | undefined =>
    result.ok ? result.value : undefined;
  assert.deepEqual([levelOf(stopLossLevel(227.31, 3)), levelOf(stopLossLevel(227.31, 3, "CENT"))], [22_050, 22_049]);
  assert.deepEqual(
    [levelOf(takeProfitLevel(227.31, 3)), levelOf(takeProfitLevel(227.31, 3, "CENT"))],
    [23_410, 23_413],
  );
  assert.deepEqual(
    [levelOf(levelBotSellLevel(227.31, 1, 0)), levelOf(levelBotSellLevel(227.31, 1, 0, "CENT"))],
    [22_840, 22_831],
  );
});
