/** When a price is stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastPrices } from "../../../../../engine/connector/paper/market/last-prices.ts";
import { FakeTime } from "../../../../support/machine/fake-time.ts";
import { priceOf } from "../harness.ts";

function setUp() {
  const time = new FakeTime();
  const puts: string[] = [];
  const journal = {
    put: (key: string, text: string) => void puts.push(`${key} ${text}`),
    remove: (key: string) => void puts.push(`${key} removed`),
  };
  const prices = new LastPrices({ last: () => undefined }, journal, time);
  return { time, puts, prices };
}

test("the first price of a symbol is put at once, later ones together every five seconds", async () => {
  const { time, puts, prices } = setUp();
  prices.keep("THYAO", priceOf(100), 1);
  assert.deepEqual(puts, ['price!THYAO {"value":100,"timeMs":1}']);
  for (let timeMs = 2; timeMs <= 50; timeMs += 1) prices.keep("THYAO", priceOf(100 + timeMs), timeMs);
  await time.advance(4_999);
  assert.equal(puts.length, 1);
  await time.advance(1);
  assert.deepEqual(puts.slice(1), ['price!THYAO {"value":150,"timeMs":50}']);
  await time.advance(60_000);
  assert.equal(puts.length, 2);
});

test("closing puts what changed", () => {
  const { puts, prices } = setUp();
  prices.keep("THYAO", priceOf(100), 1);
  prices.keep("THYAO", priceOf(101), 2);
  prices.close();
  assert.deepEqual(puts.slice(1), ['price!THYAO {"value":101,"timeMs":2}']);
});
