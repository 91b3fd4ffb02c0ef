/** The model of a fleet: what is linear in it, and what is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedBy, type Fleet, type Prices } from "../../bench/model/fleet.ts";

const PRICES: Prices = {
  tickAtEngineUs: 0.5,
  tickAtServersUs: 50,
  deliveryAtServersUs: 0.5,
  triggerAtLeaderUs: 600,
  triggerAtCopyUs: 60,
  triggerAtServersUs: 300,
  rowBytes: 100,
  streamBytes: 10_000,
};
const ONE: Fleet = {
  ...{ machines: 1, enginesPerMachine: 1, ticksPerSecond: 0, copies: Number.POSITIVE_INFINITY },
  ...{ engineMemoryBytes: 1_000_000, edgeMemoryBytes: 1_000_000 },
};

test("one engine: its loop's share over the price of a trigger, its memory over that of a row", () => {
  const { triggersPerSecond, rows, streams, copyShare } = carriedBy(ONE, PRICES);
  assert.deepEqual([triggersPerSecond, rows, streams, copyShare], [1_000, 10_000, 100, 0]);
});

test("ticks take their share of every engine, however many there are", () => {
  for (const machines of [1, 10]) {
    const { tickShare } = carriedBy({ ...ONE, machines, ticksPerSecond: 600_000 }, PRICES);
    assert.equal(tickShare, 0.5);
  }
  assert.equal(carriedBy({ ...ONE, ticksPerSecond: 2_000_000 }, PRICES).triggersPerSecond, 0);
});

test("with a copy at every engine more engines bring triggers only up to the price of a copy, and no rows", () => {
  const many = carriedBy({ ...ONE, machines: 10_000 }, PRICES);
  assert.ok(many.triggersPerSecond < 10_000 && many.triggersPerSecond > 9_900);
  assert.equal(Math.round(many.rows), 10_000);
  assert.ok(many.copyShare > 0.99);
});

test("with one copy of each partition all grows with the machines", () => {
  const [ten, hundred] = [10, 100].map((machines) => carriedBy({ ...ONE, machines, copies: 1 }, PRICES));
  assert.ok(ten !== undefined && hundred !== undefined);
  for (const name of ["triggersPerSecond", "rows", "streams"] as const) {
    assert.ok(Math.abs(hundred[name] / ten[name] - 10) < 1e-9, name);
  }
});

test("servers keep each tick once and give it to every engine", () => {
  const busy = { ...ONE, ticksPerSecond: 10_000 };
  const { serverProcessors, triggersPerSecond } = carriedBy({ ...busy, machines: 102 }, PRICES);
  const ticks = (10_000 * (50 + 100 * 0.5)) / 1e6;
  assert.ok(Math.abs(serverProcessors - ticks - (triggersPerSecond * 300) / 1e6) < 1e-9);
});
