import assert from "node:assert/strict";
import { test } from "node:test";
import { livePrice } from "../../../src/domain/price/price.ts";
import {
  type Approach,
  entranceOf,
  isAtEntrance,
  type PriceRange,
  placeOf,
} from "../../../src/domain/price/price-range.ts";
import fc from "../../support/property.ts";

const end = fc.option(fc.integer({ min: 100, max: 130 }));
const range: fc.Arbitrary<PriceRange> = fc.record({ low: end, high: end });
const price = fc.integer({ min: 950, max: 1_350 }).map((tenths) => {
  const read = livePrice(Number((tenths / 1_000).toFixed(3)));
  assert.ok(read !== undefined);
  return read;
});
const approach = fc.constantFrom<Approach>("under", "over");

test("both ends belong to the range, and off-grid prices are not rounded into it", () => {
  const at = (value: number) => {
    const read = livePrice(value);
    assert.ok(read !== undefined);
    return placeOf(read, { low: 1_000, high: 1_100 });
  };
  assert.deepEqual([9.99, 9.999, 10, 11, 11.001, 11.01].map(at), [
    "under",
    "under",
    "inside",
    "inside",
    "over",
    "over",
  ]);
});

test("watching one end misses no price inside: a path of prices gets in exactly when one lies inside", () => {
  fc.assert(
    fc.property(range, approach, fc.array(price, { minLength: 1, maxLength: 20 }), (given, start, prices) => {
      let from = start;
      const isEmpty = given.low !== null && given.high !== null && given.low > given.high;
      for (const one of prices) {
        // Checks a newly armed level against the price immediately, as the host does.
        for (let turn = 0; turn < 3; turn += 1) {
          const entrance = entranceOf(given, from);
          if (entrance === undefined || !isAtEntrance(one, entrance)) break;
          const place = placeOf(one, given);
          if (place === "inside") return assert.ok(!isEmpty);
          assert.ok(turn < 2, "a price outside settles on one end");
          from = place;
        }
        const isInside = !isEmpty && placeOf(one, given) === "inside";
        assert.ok(!isInside || (given.low === null && given.high === null), "an inside price was noticed");
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a price that stays outside on its side reaches nothing", () => {
  fc.assert(
    fc.property(range, price, price, (given, first, second) => {
      const place = placeOf(first, given);
      fc.pre(place !== "inside" && placeOf(second, given) === place);
      const entrance = entranceOf(given, place);
      assert.ok(entrance === undefined || !isAtEntrance(second, entrance));
    }),
  );
});
