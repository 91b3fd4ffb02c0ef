/** A connector that sets a limit by the last price receives the prices that the engine fires by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastPrices } from "../../../engine/connector/host/price/last-prices.ts";
import { subscribeTicks } from "../../../engine/feed/subscribe-ticks.ts";
import { createMemoryBus } from "../../../src/bus/memory/bus.ts";

const NOW_MS = 1_764_000_000_000;
const MINUTE_MS = 60_000;

/** Returns the known last price, so long after these messages. */
async function after(...messages: readonly (readonly [subject: string, value: unknown])[]) {
  let nowMs = NOW_MS;
  const prices = new LastPrices({ nowMs: () => nowMs });
  const bus = createMemoryBus();
  subscribeTicks(bus, (symbol, price, timeMs) => prices.hear(symbol, price, timeMs));
  for (const [subject, value] of messages) bus.publish(subject, Buffer.from(JSON.stringify(value)));
  await bus.flush();
  await bus.drain();
  return (symbol: string, ageMs = 0): number | undefined => {
    nowMs = NOW_MS + ageMs;
    return prices.of(symbol);
  };
}

test("a price is heard alone, in an array, and in a batch of several symbols", async () => {
  assert.equal((await after(["ticks.THYAO", { price: 100 }]))("THYAO"), 100);
  assert.equal((await after(["ticks.THYAO", [{ price: 99 }, { price: 100 }]]))("THYAO"), 100);
  const batch = [
    { symbol: "THYAO", price: 100, time: NOW_MS },
    { symbol: "GARAN", price: 130, time: NOW_MS },
  ];
  const priceOf = await after(["ticks", batch]);
  assert.deepEqual([priceOf("THYAO"), priceOf("GARAN")], [100, 130]);
});

test("a malformed entry costs itself alone", async () => {
  assert.equal((await after(["ticks.THYAO", [{ price: 100 }, { price: -1 }, "?"]]))("THYAO"), 100);
  assert.equal((await after(["ticks.THYAO", { price: 100, symbol: "GARAN" }]))("THYAO"), undefined);
});

test("an older price passes no newer one, and is none after a minute of its own time", async () => {
  const yesterday = { price: 130, time: NOW_MS - 1_440 * MINUTE_MS };
  const recent = { price: 100, time: NOW_MS - 1_000 };
  const priceOf = await after(["ticks.THYAO", recent], ["ticks.THYAO", yesterday]);
  assert.equal(priceOf("THYAO"), 100);
  assert.equal(priceOf("THYAO", MINUTE_MS - 1_000), 100);
  assert.equal(priceOf("THYAO", MINUTE_MS), undefined);
  assert.equal((await after(["ticks.THYAO", yesterday]))("THYAO"), undefined);
});

test("a price with a time ahead of the clock is none, as for the engine, and keeps no right one out", async () => {
  const ahead = ["ticks.THYAO", { price: 100, time: NOW_MS + 10 * MINUTE_MS }] as const;
  assert.equal((await after(ahead))("THYAO"), undefined);
  assert.equal((await after(ahead, ["ticks.THYAO", { price: 101, time: NOW_MS }]))("THYAO"), 101);
  assert.equal((await after(["ticks.THYAO", { price: 100, time: NOW_MS + 4_000 }]))("THYAO"), 100, "clocks drift");
});

test("a price that a clock saw which was set back since is not fresh, and the next one counts", () => {
  let nowMs = NOW_MS;
  const prices = new LastPrices({ nowMs: () => nowMs });
  prices.hear("THYAO", 100, Number.NaN);
  nowMs = NOW_MS - 10 * MINUTE_MS;
  assert.equal(prices.of("THYAO"), undefined);
  prices.hear("THYAO", 90, nowMs);
  assert.equal(prices.of("THYAO"), 90);
});
