/** Levels and quantities after a corporate action, held to a naive twin that counts through all grid prices (behaviour 28.3). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ActionRequest,
  adjustedQuantity,
  adjustedStop,
  adjustedTakeProfits,
  type CorporateAction,
  planAction,
} from "../../../src/domain/market/corporate-action.ts";
import fc from "../../support/property.ts";
import { gridUnder10000 } from "../naive-grid.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const EX = { symbol: "ACME", exDate: "2026-03-03" } as const;

interface Case {
  readonly request: ActionRequest;
  /** The factor of prices as two whole numbers. */
  readonly price: readonly [bigint, bigint];
  readonly shares: readonly [bigint, bigint];
  /** Hundredths of a hundredth that are deducted from the stop-loss alone. */
  readonly cash?: bigint;
}

const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
const cases: fc.Arbitrary<Case> = fc.oneof(
  fc
    .tuple(whole(1, 20), whole(1, 20))
    .filter(([before, after]) => before !== after)
    .map(([sharesBefore, sharesAfter]): Case => {
      const [before, after] = [BigInt(sharesBefore), BigInt(sharesAfter)];
      const request = { ...EX, type: "split" as const, sharesBefore, sharesAfter };
      return { request, price: [before, after], shares: [after, before] };
    }),
  whole(1, 1_000).map((percent): Case => {
    const [old, now] = [100n, BigInt(100 + percent)];
    return { request: { ...EX, type: "bonus", ratio: percent / 100 }, price: [old, now], shares: [now, old] };
  }),
  fc.tuple(whole(1, 300), whole(1, 500), whole(1, 500)).map(([percent, subscription, more]): Case => {
    const [ratio, close] = [BigInt(percent), BigInt(subscription + more)];
    const request = {
      ...{ ...EX, type: "rights" as const, ratio: percent / 100 },
      ...{ subscriptionPrice: subscription, closePrice: subscription + more },
    };
    // (P + r s) / ((1 + r) P), with r in percent.
    return { request, price: [100n * close + ratio * BigInt(subscription), (100n + ratio) * close], shares: [1n, 1n] };
  }),
  whole(1, 500_000).map((cash): Case => {
    const request = { ...EX, type: "dividend" as const, cash: cash / 10_000 };
    return { request, price: [1n, 1n], shares: [1n, 1n], cash: BigInt(cash) };
  }),
);

function planned(request: ActionRequest): CorporateAction {
  const action = planAction(request, NOW_MS, "Europe/Istanbul");
  assert.ok(action.ok, JSON.stringify(action));
  return action.value;
}

function naiveStop(price: number, { price: [numerator, denominator], cash = 0n }: Case): number {
  const fits = (level: number) =>
    BigInt(level) * denominator * 100n <= BigInt(price) * numerator * 100n - cash * denominator;
  return gridUnder10000.findLast(fits) ?? 1;
}

function naiveTakeProfits(prices: readonly number[], stop: number, { price }: Case): readonly (number | undefined)[] {
  const [numerator, denominator] = price;
  const levels: (number | undefined)[] = [];
  for (const [place, before] of prices.entries()) {
    const last = levels.at(-1);
    const isSame = place > 0 && before === prices[place - 1];
    const floor = last ?? stop;
    const level = gridUnder10000.find(
      (candidate) => candidate > floor && BigInt(candidate) * denominator >= BigInt(before) * numerator,
    );
    levels.push(isSame ? last : level);
  }
  return levels;
}

describe("levels and quantities after a corporate action are those of a naive twin", () => {
  const gridPrice = fc.constantFrom(...gridUnder10000.filter((price) => price >= 100 && price <= 40_000));

  test("stop-losses, take-profits and lots", () => {
    fc.assert(
      fc.property(cases, fc.array(gridPrice, { minLength: 2, maxLength: 6 }), whole(1, 100_000), (one, some, lots) => {
        const [stop = 0, ...takeProfits] = some.sort((left, right) => left - right);
        const action = planned(one.request);
        const adjusted = adjustedStop(stop, action, "BIST");
        assert.equal(adjusted, naiveStop(stop, one));
        assert.ok(adjusted !== undefined);
        const expected = naiveTakeProfits(takeProfits, adjusted, one);
        if (!expected.includes(undefined)) {
          assert.deepEqual(adjustedTakeProfits(takeProfits, adjusted, action, "BIST"), expected);
        }
        const [numerator, denominator] = one.shares;
        assert.equal(adjustedQuantity(lots, action), Number((BigInt(lots) * numerator) / denominator));
      }),
    );
  });
});
