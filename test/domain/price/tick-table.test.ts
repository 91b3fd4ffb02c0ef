import assert from "node:assert/strict";
import { test } from "node:test";
import { PRICE_MAX } from "../../../src/domain/price/price.ts";
import {
  checkOnGrid,
  incrementAt,
  isOnGrid,
  nextDown,
  nextUp,
  parseGridPrice,
  roundDownToGrid,
  roundToGrid,
  roundUpToGrid,
  tickTableOf,
} from "../../../src/domain/price/tick-table.ts";
import fc from "../../support/property.ts";
import { gridTexts, gridUnder10000 } from "../naive-grid.ts";

const LAST = 999_999_750;

function isAccepted(value: number): boolean {
  return parseGridPrice(value, "price").ok;
}

test("the increment of each band holds from its first to its last price", () => {
  const bands: readonly (readonly [number, number, number])[] = [
    [1, 1999, 1],
    [2000, 4999, 2],
    [5000, 9999, 5],
    [10_000, 24_999, 10],
    [25_000, 49_999, 25],
    [50_000, 99_999, 50],
    [100_000, 249_999, 100],
    [250_000, PRICE_MAX, 250],
  ];
  for (const [first, last, increment] of bands) {
    assert.equal(incrementAt(first), increment);
    assert.equal(incrementAt(last), increment);
  }
});

test("at the band borders exactly the multiples of the band's increment are accepted", () => {
  const legal = [
    0.01, 19.98, 19.99, 20, 20.02, 49.98, 50, 50.05, 99.95, 100, 100.1, 249.9, 250, 250.25, 499.75, 500, 500.5, 999.5,
    1000, 1001, 2499, 2500, 2502.5, 9_999_997.5,
  ];
  const illegal = [
    0, 0.001, 0.005, -0.01, 19.995, 20.01, 49.99, 50.02, 50.01, 99.96, 99.99, 100.05, 249.95, 249.99, 250.1, 499.5001,
    499.9, 500.25, 999.75, 1000.5, 2499.5, 2501, 2502, 9_999_998, 9_999_999, 10_000_000,
  ];
  for (const value of legal) assert.ok(isAccepted(value), `${value} is on the grid`);
  for (const value of illegal) assert.ok(!isAccepted(value), `${value} is off the grid`);
});

test("all 12,500 legal prices up to 10,000 are accepted, every other hundredth is refused", () => {
  const legal = new Set(gridTexts);
  assert.equal(legal.size, 12_500);
  let acceptedCount = 0;
  for (let hundredths = 0; hundredths <= 1_000_000; hundredths += 1) {
    const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
    const isLegal = legal.has(text);
    if (isAccepted(Number(text)) !== isLegal) assert.fail(`${text} should be ${isLegal ? "accepted" : "refused"}`);
    if (isLegal) acceptedCount += 1;
  }
  assert.equal(acceptedCount, 12_500);
});

test("between two neighbouring legal prices nothing is accepted", () => {
  for (const hundredths of gridUnder10000) {
    for (const offset of [0.001, 0.25, 0.5, 0.999]) assert.ok(!isAccepted((hundredths + offset) / 100));
  }
});

test("a refusal names the field, the price and the increment", () => {
  assert.deepEqual(parseGridPrice(20.01, "stopLossPrice"), {
    ok: false,
    code: "INVALID",
    message: "stopLossPrice 20.01 is not a multiple of 0.02",
  });
  assert.deepEqual(checkOnGrid(250_100, "takeProfitItems[0].price"), {
    ok: false,
    code: "INVALID",
    message: "takeProfitItems[0].price 2501 is not a multiple of 2.5",
  });
  assert.deepEqual(checkOnGrid(0, "price"), {
    ok: false,
    code: "INVALID",
    message: "price 0 is not a price from 0.01 to 9999999",
  });
  assert.deepEqual(checkOnGrid(2002, "price"), { ok: true, value: 2002 });
});

test("stepping up and down walks every grid price once, over all band borders", () => {
  for (const [index, hundredths] of gridUnder10000.entries()) {
    const following = gridUnder10000[index + 1];
    if (following === undefined) continue;
    assert.equal(nextUp(hundredths), following);
    assert.equal(nextDown(following), hundredths);
  }
});

test("the neighbours of an off-grid price are the grid prices around it", () => {
  assert.equal(nextUp(2001), 2002);
  assert.equal(nextDown(2001), 2000);
  assert.equal(nextUp(4999), 5000);
  assert.equal(nextDown(4999), 4998);
  assert.equal(nextUp(0), 1);
});

test("past the ends of the grid there is no neighbour", () => {
  assert.equal(nextDown(1), undefined);
  assert.equal(nextDown(0), undefined);
  assert.equal(nextUp(LAST), undefined);
  assert.equal(nextUp(PRICE_MAX), undefined);
  assert.equal(nextDown(PRICE_MAX), LAST);
  assert.equal(nextDown(PRICE_MAX + 100_000), LAST);
  assert.ok(isOnGrid(LAST));
});

test("a fraction of a hundredth is not on the grid", () => {
  assert.ok(!isOnGrid(2000.5));
  assert.ok(!isOnGrid(Number.NaN));
  assert.ok(!isOnGrid(0));
});

test("rounding finds what a scan over all grid prices finds", () => {
  const denominator = fc.integer({ min: 1, max: 1000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), denominator, fc.nat(999), (whole, parts, part) => {
      const exact = { numerator: BigInt(whole * parts + (part % parts)), denominator: BigInt(parts) };
      const scaled = whole * parts + (part % parts);
      const below = gridUnder10000.findLast((price) => price * parts <= scaled);
      const above = gridUnder10000.find((price) => price * parts >= scaled);
      assert.equal(roundDownToGrid(exact), below);
      assert.equal(roundUpToGrid(exact), above);
      assert.ok(below !== undefined && above !== undefined);
      const downDistance = scaled - below * parts;
      const upDistance = above * parts - scaled;
      assert.equal(roundToGrid(exact, "down"), downDistance <= upDistance ? below : above);
      assert.equal(roundToGrid(exact, "up"), upDistance <= downDistance ? above : below);
    }),
    { numRuns: 2000 },
  );
});

test("every midpoint of two neighbours is a tie that goes where it is told", () => {
  for (const [index, below] of gridUnder10000.entries()) {
    const above = gridUnder10000[index + 1];
    if (above === undefined) continue;
    const middle = { numerator: BigInt(below + above), denominator: 2n };
    assert.equal(roundToGrid(middle, "down"), below);
    assert.equal(roundToGrid(middle, "up"), above);
  }
});

test("rounding at the ends: under 0.01 goes to 0.01, over the last grid price to that one, beyond the range nowhere", () => {
  assert.equal(roundToGrid({ numerator: 1n, denominator: 1000n }, "down"), 1);
  assert.equal(roundDownToGrid({ numerator: 1n, denominator: 1000n }), undefined);
  assert.equal(roundUpToGrid({ numerator: 1n, denominator: 1000n }), 1);
  assert.equal(roundToGrid({ numerator: BigInt(PRICE_MAX), denominator: 1n }, "up"), LAST);
  assert.equal(roundUpToGrid({ numerator: BigInt(LAST) * 2n + 1n, denominator: 2n }), undefined);
  for (const numerator of [0n, -5n, BigInt(PRICE_MAX) + 1n]) {
    assert.equal(roundToGrid({ numerator, denominator: 1n }, "up"), undefined);
  }
});

test("an exchange of the US has a step of one cent at every price, every other that of Borsa Istanbul (3.6a)", () => {
  for (const exchange of ["NASDAQ", "nyse", "ARCA", "XNAS", "XNYS", "OTC"]) assert.equal(tickTableOf(exchange), "CENT");
  for (const exchange of ["BIST", "XIST", "LSE", ""]) assert.equal(tickTableOf(exchange), "BIST");
});

test("on every cent each whole number of hundredths is a price, and its neighbours are one cent away", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: PRICE_MAX - 1 }), (price) => {
      assert.ok(isOnGrid(price, "CENT") && parseGridPrice(price / 100, "price", "CENT").ok);
      assert.deepEqual([nextDown(price, "CENT"), nextUp(price, "CENT")], [price - 1, price + 1]);
      const exact = { numerator: BigInt(price) * 10n + 4n, denominator: 10n };
      const rounded = [roundDownToGrid(exact, "CENT"), roundToGrid(exact, "up", "CENT"), roundUpToGrid(exact, "CENT")];
      assert.deepEqual(rounded, [price, price, price + 1]);
    }),
  );
  assert.ok(isOnGrid(PRICE_MAX, "CENT") && !isOnGrid(PRICE_MAX));
  assert.deepEqual(parseGridPrice(0.0001, "price", "CENT").ok, false);
});
