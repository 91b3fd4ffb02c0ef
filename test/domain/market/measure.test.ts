import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areSameEffects,
  consequenceOf,
  defaultEffectsOf,
  lotsUnderCap,
  mergeEffects,
  sellTerms,
  textOfEffects,
} from "../../../src/domain/market/measure.ts";

test("each type has effects of its own; other has none", () => {
  const texts = [1, 2, 3, 4, 5, 6, 7, 8, 99].map((type) => textOfEffects(defaultEffectsOf(type)));
  const expected = ["noShort", "noCredit", "grossSettlement", "auctionOnly", "noCancel, noReduce", "noOpenClose"];
  assert.deepEqual(texts, [...expected, "valueCap", "halted", ""]);
});

test("measures together have the effects of each, and the smallest cap", () => {
  const merged = (...caps: (number | null)[]) => mergeEffects(caps.map((valueCap) => ({ effects: { valueCap } })));
  assert.deepEqual(
    [merged(5, 3), merged(null, 3), merged(3, null)].map(({ valueCap }) => valueCap),
    [3, 3, 3],
  );
  assert.deepEqual(merged(null), { valueCap: null });
  const both = mergeEffects([{ effects: { noMarket: true } }, { effects: { halted: true, valueCap: 9 } }]);
  assert.ok(areSameEffects(both, { valueCap: 9, halted: true, noMarket: true }));
  assert.ok(!areSameEffects(both, { halted: true, noMarket: true }));
  assert.deepEqual(mergeEffects([]), {});
});

test("a cap is a number of whole lots at a price, at least one; what is not known is no cap", () => {
  assert.equal(lotsUnderCap({ valueCap: 5_000 }, 89.9), 55);
  assert.equal(lotsUnderCap({ valueCap: 5_000 }, 5_001), 1);
  assert.equal(lotsUnderCap({ valueCap: 5_000 }, undefined), undefined);
  assert.equal(lotsUnderCap({ valueCap: null }, 89.9), undefined);
  assert.equal(lotsUnderCap({}, 89.9), undefined);
});

test("a sell has a limit at the floor where it asks for one or market orders are refused, and the floor is known (behaviour 23.3)", () => {
  for (const [effects, isAtFloor, floor, limit, isFloorMissing] of [
    [{}, false, 81, undefined, false],
    [{}, true, 81, 81, false],
    [{}, true, undefined, undefined, false],
    [{ noMarket: true }, false, 81, 81, false],
    [{ noMarket: true }, false, undefined, undefined, true],
    [{ noMarket: true }, true, undefined, undefined, true],
  ] as const) {
    assert.deepEqual(
      sellTerms(effects, isAtFloor, () => floor),
      { limit, isFloorMissing },
    );
  }
});

test("a floor that no sell asks for is not looked up: a trigger does not wait for it", () => {
  sellTerms({ halted: true }, false, () => assert.fail("it was looked up"));
});

test("a cap that is not known is said to be unknown", () => {
  assert.match(consequenceOf({ valueCap: null }), /is not known/);
  assert.match(consequenceOf({ valueCap: 5_000 }), /at most 5000$/);
});
