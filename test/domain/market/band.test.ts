import assert from "node:assert/strict";
import { test } from "node:test";
import { type BandRequest, planBand } from "../../../src/domain/market/band.ts";
import { isOnAnotherBase } from "../../../src/domain/market/base-price.ts";
import { type LivePrice, livePrice } from "../../../src/domain/price/price.ts";

// 01:00 of the next day in Istanbul.
const TERMS = { table: "BIST", zone: "Europe/Istanbul", nowMs: Date.UTC(2026, 2, 2, 22) } as const;
const RIGHT: BandRequest = { floorPrice: 270, ceilingPrice: 330, basePrice: 300 };

function price(value: number): LivePrice {
  return livePrice(value) ?? assert.fail(`${value} is a price`);
}

test("a band has floor, ceiling and base in hundredths, and is of the exchange's own day (behaviour 17.1)", () => {
  assert.deepEqual(planBand(RIGHT, TERMS), {
    ok: true,
    value: { floor: 27_000, ceiling: 33_000, base: 30_000, date: "2026-03-03" },
  });
  const given = planBand({ floorPrice: 270, ceilingPrice: 330, bandDate: "2026-03-09" }, TERMS);
  assert.deepEqual(given, { ok: true, value: { floor: 27_000, ceiling: 33_000, base: null, date: "2026-03-09" } });
});

test("what cannot be is refused with field and rule", () => {
  for (const [change, message] of [
    [
      { floorPrice: 330.25, ceilingPrice: 330.25, basePrice: undefined },
      /^floorPrice must be lower than ceilingPrice$/,
    ],
    [{ floorPrice: 340 }, /^floorPrice must be lower than ceilingPrice$/],
    [{ basePrice: 269.75 }, /^basePrice must lie from floorPrice to ceilingPrice$/],
    [{ basePrice: 330.25 }, /^basePrice must lie from floorPrice to ceilingPrice$/],
    [{ floorPrice: 270.1 }, /^floorPrice 270.1 /],
    [{ ceilingPrice: -1 }, /^ceilingPrice -1 /],
  ] as const) {
    const refused = planBand({ ...RIGHT, ...change }, TERMS);
    assert.match(refused.ok ? "" : refused.message, message);
  }
  const listed = planBand({ ...RIGHT, floorPrice: 340 }, TERMS, "bands[3].");
  assert.equal(listed.ok ? "" : listed.message, "bands[3].floorPrice must be lower than bands[3].ceilingPrice");
});

test("the guard lays the day's band around the last close (behaviour 16.2)", () => {
  const based = { floor: 9_000, ceiling: 11_000, base: 10_000 };
  const halved = { floor: 4_500, ceiling: 5_500, base: 5_000 };
  const bare = { floor: 9_000, ceiling: 11_000, base: null };
  const bareHalved = { floor: 4_500, ceiling: 5_500, base: null };
  for (const [close, first, band, expected, why] of [
    [100, 90, based, false, "at the floor"],
    [100, 89.99, based, true, "under the floor, though within 25 %"],
    [100, 110, based, false, "at the ceiling"],
    [100, 110.01, based, true, "over the ceiling"],
    [100, 50, halved, true, "the base was halved, and so was the price"],
    [100, 95, halved, false, "a price near the close on a band of another base"],
    [100, 90, bare, false, "in a band without a base"],
    [100, 89.5, bare, true, "outside a band without a base"],
    [100, 50, bareHalved, true, "a band without a base that does not hold the close"],
  ] as const) {
    assert.equal(isOnAnotherBase(price(close), price(first), 25, band), expected, why);
  }
});
