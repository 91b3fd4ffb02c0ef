/** A connector that sets a limit by the last price hears the prices that the engine fires by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastPrices } from "../../../../../engine/connector/host/price/last-prices.ts";

const NOW_MS = 1_764_000_000_000;
const MINUTE_MS = 60_000;

function after(...messages: readonly (readonly [subject: string, value: unknown])[]) {
  let nowMs = NOW_MS;
  const prices = new LastPrices({ nowMs: () => nowMs });
  for (const [subject, value] of messages) prices.read(subject, Buffer.from(JSON.stringify(value)));
  return {
    of: (symbol: string, ageMs = 0) => {
      nowMs = NOW_MS + ageMs;
      return prices.of(symbol);
    },
  };
}

test("a price is heard alone, in an array, and in a batch of several symbols", () => {
  assert.equal(after(["ticks.THYAO", { price: 100 }]).of("THYAO"), 100);
  assert.equal(after(["ticks.THYAO", [{ price: 99 }, { price: 100 }]]).of("THYAO"), 100);
  const batch = [
    { symbol: "THYAO", price: 100, time: NOW_MS },
    { symbol: "GARAN", price: 130, time: NOW_MS },
  ];
  assert.deepEqual(
    ["THYAO", "GARAN"].map((symbol) => after(["ticks", batch]).of(symbol)),
    [100, 130],
  );
});

test("a malformed entry costs itself alone", () => {
  assert.equal(after(["ticks.THYAO", [{ price: 100 }, { price: -1 }, "?"]]).of("THYAO"), 100);
  assert.equal(after(["ticks.THYAO", { price: 100, symbol: "GARAN" }]).of("THYAO"), undefined);
});

test("an older price passes no newer one, and is none after a minute of its own time", () => {
  const yesterday = { price: 130, time: NOW_MS - 1_440 * MINUTE_MS };
  const messages = [
    ["ticks.THYAO", { price: 100, time: NOW_MS - 1_000 }] as const,
    ["ticks.THYAO", yesterday] as const,
  ];
  assert.equal(after(...messages).of("THYAO"), 100);
  assert.equal(after(["ticks.THYAO", yesterday]).of("THYAO"), undefined);
  assert.equal(after(...messages).of("THYAO", MINUTE_MS - 1_000), 100);
  assert.equal(after(...messages).of("THYAO", MINUTE_MS), undefined);
});

test("a clock that is ahead of ours makes no price younger than it is", () => {
  const prices = after(["ticks.THYAO", { price: 100, time: NOW_MS + 10 * MINUTE_MS }]);
  assert.equal(prices.of("THYAO", MINUTE_MS + 1), undefined);
});
