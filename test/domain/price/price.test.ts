import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatPrice,
  fractionOf,
  LIVE_PRICE_MAX,
  livePrice,
  numberText,
  PRICE_MAX,
  PRICE_MIN,
  parsePrice,
  priceToNumber,
} from "../../../src/domain/price/price.ts";
import fc from "../../support/property.ts";

const RUNS = { numRuns: 20_000 };

/** Any double that is a legal live price, most of them with many decimals. */
const anyLivePrice = fc.oneof(
  fc.double({ min: Number.MIN_VALUE, max: 9_999_999, noNaN: true }),
  fc.double({ min: 0.001, max: 1000, noNaN: true }),
  fc.integer({ min: 1, max: PRICE_MAX }).map((hundredths) => hundredths / 100),
  fc.integer({ min: 1, max: 999_999_900 }).map((hundredThousandths) => hundredThousandths / 100_000),
);

/** The doubles next to whole hundredths, where arithmetic would go wrong first. */
const besideWholeHundredths = fc
  .tuple(fc.integer({ min: 1, max: PRICE_MAX - 1 }), fc.integer({ min: -4, max: 4 }))
  .map(([hundredths, steps]) => shiftDouble(hundredths / 100, steps));

function shiftDouble(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}

/** The decimal-text twin: the whole and the fractional digits of a number, written without an exponent. */
function plainDecimal(value: number): { whole: string; decimals: string } {
  const [significand = "", exponentText = "0"] = String(value).split("e");
  const [whole = "", decimals = ""] = significand.split(".");
  const exponent = Number(exponentText);
  assert.ok(exponent <= 0, "prices have no positive exponent");
  const digits = "0".repeat(-exponent) + whole;
  const cut = digits.length + exponent;
  return { whole: digits.slice(0, cut), decimals: digits.slice(cut) + decimals };
}

function livePriceByText(value: number): { floor: number; ceil: number } {
  const { whole, decimals } = plainDecimal(value);
  const floor = Number(whole + decimals.slice(0, 2).padEnd(2, "0"));
  return { floor, ceil: /[1-9]/.test(decimals.slice(2)) ? floor + 1 : floor };
}

function messageOf(value: number): string {
  const result = parsePrice(value, "price");
  assert.ok(!result.ok, `${numberText(value)} was accepted`);
  assert.equal(result.code, "INVALID");
  return result.message;
}

test("a price with at most two decimals is read as hundredths", () => {
  const cases: readonly (readonly [number, number])[] = [
    [0.01, 1],
    [0.1, 10],
    [1, 100],
    [19.99, 1999],
    [20.5, 2050],
    [123.45, 12345],
    [9_999_999, PRICE_MAX],
    [1.0, 100],
  ];
  for (const [value, hundredths] of cases)
    assert.deepEqual(parsePrice(value, "price"), { ok: true, value: hundredths });
});

test("a price with more than two decimals is refused by its shortest decimal text", () => {
  assert.equal(messageOf(0.1 + 0.2), "price 0.30000000000000004 has more than two decimals");
  assert.equal(messageOf(10.004), "price 10.004 has more than two decimals");
  assert.equal(messageOf(19.999), "price 19.999 has more than two decimals");
  assert.equal(messageOf(9_999_998.999), "price 9999998.999 has more than two decimals");
});

test("a price outside 0.01 to 9,999,999 is refused with the field, the value and the range", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0"],
    [-0, "-0"],
    [-0.01, "-0.01"],
    [-20, "-20"],
    [0.001, "0.001"],
    [0.005, "0.005"],
    [1e-7, "1e-7"],
    [Number("1e-400"), "0"],
    [Number("1e400"), "Infinity"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
    [Number.NaN, "NaN"],
    [9_999_999.01, "9999999.01"],
    [10_000_000, "10000000"],
    [1e21, "1e+21"],
  ];
  for (const [value, text] of cases)
    assert.equal(messageOf(value), `price ${text} is not a price from 0.01 to 9999999`);
});

test("every price round-trips through its number, its text and JSON", () => {
  fc.assert(
    fc.property(fc.integer({ min: PRICE_MIN, max: PRICE_MAX }), (hundredths) => {
      const value = priceToNumber(hundredths);
      assert.deepEqual(parsePrice(value, "price"), { ok: true, value: hundredths });
      assert.equal(formatPrice(hundredths), JSON.stringify(value));
      assert.match(formatPrice(hundredths), /^\d+(\.\d{0,1}[1-9])?$/);
      const { whole, decimals } = plainDecimal(value);
      assert.equal(Number(whole + decimals.padEnd(2, "0")), hundredths);
    }),
    RUNS,
  );
});

test("a price is written as the shortest decimal", () => {
  assert.equal(formatPrice(2000), "20");
  assert.equal(formatPrice(2050), "20.5");
  assert.equal(formatPrice(2002), "20.02");
  assert.equal(formatPrice(1), "0.01");
  assert.equal(formatPrice(PRICE_MAX), "9999999");
});

test("writing what is not an integer of hundredths is a bug, not a refusal", () => {
  for (const value of [20.5, -1, Number.NaN, PRICE_MAX + 1]) assert.throws(() => formatPrice(value), /hundredths/);
});

test("parsePrice accepts exactly the numbers whose decimal text has at most two decimals", () => {
  fc.assert(
    fc.property(fc.oneof(anyLivePrice, besideWholeHundredths), (value) => {
      const { whole, decimals } = plainDecimal(value);
      const hundredths = Number(whole + decimals.slice(0, 2).padEnd(2, "0"));
      const isPrice = decimals.length <= 2 && hundredths >= PRICE_MIN && hundredths <= PRICE_MAX;
      const result = parsePrice(value, "price");
      assert.equal(result.ok, isPrice);
      if (result.ok) assert.equal(result.value, hundredths);
    }),
    RUNS,
  );
});

test("a live price has the whole hundredths on either side, as its decimal text says", () => {
  fc.assert(
    fc.property(fc.oneof(anyLivePrice, besideWholeHundredths), (value) => {
      const live = livePrice(value);
      assert.deepEqual(live, { value, ...livePriceByText(value) });
    }),
    RUNS,
  );
});

test("a live price under, on and over whole hundredths is never rounded onto them", () => {
  assert.deepEqual(livePrice(20.02), { value: 20.02, floor: 2002, ceil: 2002 });
  assert.deepEqual(livePrice(20.0199999), { value: 20.0199999, floor: 2001, ceil: 2002 });
  assert.deepEqual(livePrice(20.0200001), { value: 20.0200001, floor: 2002, ceil: 2003 });
  assert.deepEqual(livePrice(0.1 + 0.2), { value: 0.30000000000000004, floor: 30, ceil: 31 });
});

test("a live price may lie under 0.01", () => {
  assert.deepEqual(livePrice(0.005), { value: 0.005, floor: 0, ceil: 1 });
  assert.deepEqual(livePrice(1e-7), { value: 1e-7, floor: 0, ceil: 1 });
  assert.deepEqual(livePrice(Number.MIN_VALUE), { value: Number.MIN_VALUE, floor: 0, ceil: 1 });
});

test("a live price over 9,999,999 lies over every level (behaviour 3.1)", () => {
  for (const value of [9_999_999.000001, 9_999_999.01, 10_000_000, 12_345_678.905, LIVE_PRICE_MAX]) {
    assert.deepEqual(livePrice(value), { value, floor: PRICE_MAX + 1, ceil: PRICE_MAX + 2 });
  }
});

test("zero, negative and non-finite numbers, and those over the highest, are no live prices", () => {
  for (const value of [0, -0, -1, Number.NaN, Infinity, -Infinity, 1e308, LIVE_PRICE_MAX + 0.01]) {
    assert.equal(livePrice(value), undefined);
  }
});

test("a fraction is the exact value of the decimal text", () => {
  assert.deepEqual(fractionOf(20), { numerator: 20n, denominator: 1n });
  assert.deepEqual(fractionOf(20.013), { numerator: 20013n, denominator: 1000n });
  assert.deepEqual(fractionOf(1e-7), { numerator: 1n, denominator: 10_000_000n });
  assert.deepEqual(fractionOf(1.5e21), { numerator: 1_500_000_000_000_000_000_000n, denominator: 1n });
  assert.deepEqual(fractionOf(-2.5), { numerator: -25n, denominator: 10n });
  for (const value of [Number.NaN, Infinity, -Infinity]) assert.equal(fractionOf(value), undefined);
});
