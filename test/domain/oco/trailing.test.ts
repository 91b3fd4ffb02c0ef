/** A stop-loss that follows the price: terms, walks, and a naive twin that looks at every tick (behaviour 19). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type OcoGroup, stopLossOf } from "../../../src/domain/oco/group.ts";
import { planGroup } from "../../../src/domain/oco/oco-plan.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { planTrailing, type TrailingRequest, walkTicks } from "../../../src/domain/oco/trailing.ts";
import { type LiveTick, livePrice } from "../../../src/domain/price/price.ts";
import { isAtEntrance } from "../../../src/domain/price/price-range.ts";
import { groupFacts } from "../../../src/machine/group.ts";
import fc from "../../support/property.ts";
import { endOf, type TrailingEnd } from "../../support/trailing-twin.ts";

const OWNER = { userId: 1, brokerageCode: "PAPER", accountNumber: "A1", symbol: "ACME", hasOversellGuard: false };

function groupOf(stopLossPrice: number, stopLossTrailing: TrailingRequest): OcoGroup {
  const takeProfitItems = [{ price: 9_000, quantity: 10 }];
  const request = { stopLossPrice, stopLossQuantity: 10, takeProfitItems, stopLossTrailing };
  const plan = planGroup(request, 0);
  assert.ok(plan.ok, JSON.stringify(plan));
  return openGroup(plan.value, OWNER, [1, 2], 0);
}

function tickAt(value: number, timeMs: number, more: Partial<LiveTick> = {}): LiveTick {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return { symbol: "ACME", price, timeMs, isCaughtUp: false, ...more };
}

/** Gives ticks as the engine does: a window of them only if its highest or lowest price reaches a level. */
function walk(group: OcoGroup, values: readonly number[], windows: readonly number[] = []): TrailingEnd {
  let now = group;
  let from = 0;
  for (let window = 0; from < values.length; window += 1) {
    const ticks = values
      .slice(from, from + (windows[window] ?? 1))
      .map((value, index) => tickAt(value, from + index + 1));
    from += ticks.length;
    const levels = groupFacts(now).watches.filter(({ countsEveryTick }) => countsEveryTick === true);
    if (!ticks.some(({ price }) => levels.some((level) => isAtEntrance(price, level)))) continue;
    now = walkTicks(now, ticks, true)?.group ?? now;
  }
  const { price, triggeredPrice } = stopLossOf(now);
  return { stop: price / 100, firedAt: triggeredPrice };
}

describe("a stop-loss that trails", () => {
  const cases: readonly (readonly [string, number, TrailingRequest, readonly number[], TrailingEnd])[] = [
    ["a distance", 90, { distance: 5, confirmTicks: 1 }, [100, 104, 110, 106, 105], { stop: 105, firedAt: 105 }],
    [
      "5 % of 20.10: 19.10 does not fire",
      15,
      { distancePercent: 5, confirmTicks: 1 },
      [20.1, 19.1],
      { stop: 19.09, firedAt: null },
    ],
    [
      "5 % of 20.10: 19.09 fires",
      15,
      { distancePercent: 5, confirmTicks: 1 },
      [20.1, 19.09],
      { stop: 19.09, firedAt: 19.09 },
    ],
    [
      "an activation",
      90,
      { distance: 5, activationPrice: 108, confirmTicks: 1 },
      [100, 107, 102, 108, 103],
      { stop: 103, firedAt: 103 },
    ],
    [
      "before its activation",
      90,
      { distance: 5, activationPrice: 108, confirmTicks: 1 },
      [100, 107, 101],
      { stop: 90, firedAt: null },
    ],
    ["a step, not a whole one", 90, { distance: 5, step: 2, confirmTicks: 1 }, [100, 101], { stop: 95, firedAt: null }],
    ["a whole step", 90, { distance: 5, step: 2, confirmTicks: 1 }, [100, 101, 102], { stop: 97, firedAt: null }],
    ["one bad print", 90, { distance: 5 }, [100, 100, 120, 100], { stop: 95, firedAt: null }],
    ["two prices in a row", 90, { distance: 5 }, [100, 120, 121, 116, 115], { stop: 115, firedAt: 115 }],
    ["a fire is not delayed by a second tick", 90, { distance: 5 }, [100, 120, 121, 90], { stop: 115, firedAt: 90 }],
    [
      "a stop-loss above the distance",
      99,
      { distance: 5, confirmTicks: 1 },
      [100, 103, 105, 100],
      { stop: 100, firedAt: 100 },
    ],
  ];
  for (const [name, stopLossPrice, request, values, end] of cases) {
    test(`${name}: ${values.join(", ")}`, () => {
      assert.deepEqual(walk(groupOf(stopLossPrice, request), values), end);
      assert.deepEqual(walk(groupOf(stopLossPrice, request), values, [values.length]), end);
    });
  }

  test("ends as a twin ends that looks at every tick, however the ticks are divided", () => {
    const cents = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((hundredths) => hundredths / 100);
    const walks = fc
      .tuple(cents(1_500, 2_600), fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 60 }))
      .map(([start, moves]) => {
        let at = start;
        return moves.map((move) => {
          at = Math.max(0.5, at + move / 100);
          return Math.round(at * 1_000) / 1_000;
        });
      });
    fc.assert(
      fc.property(
        fc.record({
          values: walks,
          stopLossPrice: fc.constantFrom(14, 19.5, 20, 24),
          distance: fc.option(cents(1, 300), { nil: undefined }),
          percent: cents(1, 2_000),
          activationPrice: fc.option(fc.constantFrom(24.5, 25, 26), { nil: undefined }),
          step: fc.option(cents(1, 80), { nil: undefined }),
          confirmTicks: fc.constantFrom(1 as const, 2 as const),
          windows: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
        }),
        ({ values, stopLossPrice, distance, percent, activationPrice, step, confirmTicks, windows }) => {
          const request = {
            ...(distance === undefined ? { distancePercent: percent } : { distance }),
            ...{ activationPrice, step, confirmTicks },
          };
          const terms = planTrailing(request, "BIST");
          assert.ok(terms.ok);
          const wanted = endOf(stopLossPrice, terms.value, values);
          assert.deepEqual(walk(groupOf(stopLossPrice, request), values, windows), wanted);
          assert.deepEqual(walk(groupOf(stopLossPrice, request), values), wanted);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("the same print sent twice confirms nothing", () => {
    const group = groupOf(90, { distance: 5 });
    const prints = [1, 1, 1, 2].map((ownTimeMs, index) => tickAt(120, index + 1, { ownTimeMs }));
    const stops = prints.map(
      (_, index) => stopLossOf(walkTicks(group, prints.slice(0, index + 1), true)?.group ?? group).price,
    );
    assert.deepEqual(stops, [9_000, 9_000, 9_000, 11_500]);
  });

  test("ticks that are read back again, up to the one that raised it, do nothing", () => {
    const group = groupOf(90, { distance: 5, confirmTicks: 1 });
    const stored = (value: number, sequence: number): LiveTick =>
      tickAt(value, 50, { isCaughtUp: true, stored: { stream: "s", sequence, timeMs: 50 } });
    const raised = walkTicks(group, [stored(100, 6), stored(104, 7), stored(110, 8)], true);
    assert.ok(raised !== undefined);
    assert.equal(walkTicks(raised.group, [stored(104, 7), stored(110, 8)], true), undefined);
    const fired = walkTicks(raised.group, [stored(104, 7), stored(110, 8), stored(105, 9)], true);
    assert.deepEqual(
      fired?.sells.map(({ quantity }) => quantity),
      [10],
    );
  });

  test("a raise keeps the version, and its owner hears of one a minute at most", () => {
    let group = groupOf(90, { distance: 5, confirmTicks: 1, activationPrice: 98 });
    const told: string[] = [];
    for (const [value, timeMs] of [
      [100, 1_000],
      [101, 2_000],
      [102, 60_999],
      [103, 61_000],
    ] as const) {
      const decision = walkTicks(group, [tickAt(value, timeMs)], true);
      assert.equal(decision?.keepsVersion, true);
      told.push(decision?.notices.map(({ type }) => type).join(" ") ?? "");
      group = decision?.group ?? group;
    }
    assert.deepEqual(told, ["oco.trailingActivated oco.stopRaised", "", "", "oco.stopRaised"]);
  });

  test("while its trading is halted it rises and does not fire", () => {
    const group = groupOf(90, { distance: 5, confirmTicks: 1 });
    const raised = walkTicks(
      group,
      [100, 110, 104].map((value, index) => tickAt(value, index + 1)),
      false,
    );
    assert.equal(stopLossOf(raised?.group ?? group).price, 10_500);
    assert.deepEqual(raised?.sells, []);
  });
});

describe("terms of a trailing stop-loss", () => {
  const wrong: readonly (readonly [TrailingRequest, RegExp])[] = [
    [{}, /^stopLossTrailing must have either distance or distancePercent$/],
    [{ distance: 1, distancePercent: 1 }, /^stopLossTrailing must have either distance or distancePercent$/],
    [{ distance: 0.001 }, /^stopLossTrailing\.distance 0\.001 is not a price/],
    [{ distancePercent: 1.234 }, /^stopLossTrailing\.distancePercent 1\.234 is not a percent from 0\.01 to 99\.99/],
    [{ distancePercent: 100 }, /^stopLossTrailing\.distancePercent 100 is not a percent/],
    [{ distance: 1, activationPrice: 20.01 }, /^stopLossTrailing\.activationPrice 20\.01 is not a multiple of 0\.02$/],
    [
      { distance: 1, activationPrice: 19 },
      /^stopLossTrailing\.activationPrice 19 must be higher than stopLossPrice 20$/,
    ],
    [{ distance: 1, step: -1 }, /^stopLossTrailing\.step -1 is not a price/],
  ];
  for (const [stopLossTrailing, told] of wrong) {
    test(`${JSON.stringify(stopLossTrailing)} is refused by field and rule`, () => {
      const takeProfitItems = [{ price: 30, quantity: 1 }];
      const request = { stopLossPrice: 20, stopLossQuantity: 1, takeProfitItems, stopLossTrailing };
      const plan = planGroup(request, 0);
      assert.ok(!plan.ok);
      assert.equal(plan.code, "INVALID");
      assert.match(plan.message, told);
    });
  }
});
