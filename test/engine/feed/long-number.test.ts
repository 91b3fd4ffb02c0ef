/** A price written with more digits than a double holds reaches the levels that its decimal reaches, and no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTicks } from "../../../engine/feed/decode.ts";
import { parseJsonExactly } from "../../../engine/feed/long-number.ts";
import { livePrice, PRICE_MAX } from "../../../src/domain/price/price.ts";
import fc from "../../support/property.ts";
import { bytes } from "./support/ports.ts";

function priceOf(text: string): number {
  const prices: number[] = [];
  decodeTicks(bytes(`{"price":${text}}`), "A", (_symbol, price) => prices.push(price));
  assert.equal(prices.length, 1, text);
  return prices[0] ?? Number.NaN;
}

function sidesOf(text: string): readonly [floor: number, ceil: number] | undefined {
  const price = livePrice(priceOf(text));
  return price && [price.floor, price.ceil];
}

test("a price just beside a level neither reaches it from under nor from over", () => {
  for (const [text, floor, ceil] of [
    ["399.99999999999999999", 39_999, 40_000],
    ["399.99999999999999", 39_999, 40_000],
    ["400.00000000000000000001", 40_000, 40_001],
    ["39999999999999999999e-17", 39_999, 40_000],
    ["3.9999999999999999999E+2", 39_999, 40_000],
    ["0.00000399999999999999999999e+8", 39_999, 40_000],
    ["0.0099999999999999999999", 0, 1],
    [`1.1${"0".repeat(200)}1`, 110, 111],
  ] as const) {
    assert.deepEqual(sidesOf(text), [floor, ceil], text);
  }
  assert.deepEqual(sidesOf("9999999.0000000000001"), [PRICE_MAX + 1, PRICE_MAX + 2], "over the highest level");
});

test("a whole number of hundredths is what it is, however many zeros it is written with", () => {
  for (const text of [
    "400.00000000000000000000",
    "40000000000000000000e-17",
    "000400".slice(3),
    `4e${"0".repeat(30)}2`,
  ]) {
    assert.equal(priceOf(text), 400, text);
  }
});

test("what a program prints of a double is that double", () => {
  for (const [text, value] of [
    ["100.10000000000001", 100.10000000000001],
    ["0.30000000000000004", 0.1 + 0.2],
    ["1.1000000000000001", 1.1],
    ["100.09999999999999", 100.1],
    ["1.100000000000000088817841970012523233890533447265625", 1.1],
    ["33.333333333333333333333333333", 100 / 3],
  ] as const) {
    assert.equal(priceOf(text), value, text);
  }
  const digitCount = fc.integer({ min: 15, max: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_900 }), digitCount, (hundredths, digits) => {
      assert.equal(priceOf((hundredths / 100).toPrecision(digits)), hundredths / 100);
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 9_999_999, noNaN: true }), (value) => {
      assert.equal(priceOf(String(value)), value);
    }),
  );
});

test("the sides of any long decimal are those of its digits", () => {
  const tail = fc.oneof(
    fc.string({ unit: fc.constantFrom("0", "9", "5"), minLength: 18, maxLength: 40 }),
    fc.tuple(fc.constantFrom("0", "9"), fc.nat(9)).map(([digit, last]) => digit.repeat(30) + last),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_899 }), tail, (hundredths, decimals) => {
      const digits = String(hundredths).padStart(3, "0");
      const ceil = hundredths + (/[1-9]/.test(decimals) ? 1 : 0);
      assert.deepEqual(sidesOf(`${digits.slice(0, -2)}.${digits.slice(-2)}${decimals}`), [hundredths, ceil]);
    }),
  );
});

test("every entry of an array counts, and what is no price is left as JSON.parse reads it", () => {
  const text =
    '[{"price":399.99999999999999999,"id":12345678901234567890},{"price":400,"note":"399.99999999999999999"}]';
  const value = 400 * (1 - Number.EPSILON);
  assert.deepEqual(parseJsonExactly(text), [
    { price: value, id: 12_345_678_901_234_567_000 },
    { price: 400, note: "399.99999999999999999" },
  ]);
  assert.deepEqual(parseJsonExactly('{"a\\"1":"\\\\","b":399.99999999999999999}'), { 'a"1': "\\", b: value });
  for (const wrong of [
    "399.99999999999999999.",
    "0399.99999999999999999",
    "39999999999999999999e-17.5",
    "3.9.999999999999999999",
  ]) {
    assert.throws(() => parseJsonExactly(wrong), SyntaxError, wrong);
  }
});
