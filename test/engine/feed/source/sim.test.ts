import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { z } from "zod";
import { SimulatedMarket, startSimulatedFeed } from "../../../../engine/feed/source/sim.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import { isOnGrid } from "../../../../src/domain/price/tick-table.ts";
import { keptLog, ManualTime, settle } from "../support/ports.ts";

const symbols = [
  { symbol: "A", startPrice: 100 },
  { symbol: "B", startPrice: 19.99 },
  { symbol: "C", startPrice: 0.01 },
];

const fixture = z
  .array(z.object({ symbol: z.string(), startPrice: z.number() }))
  .parse(JSON.parse(readFileSync(new URL("../../../../fixtures/symbols.json", import.meta.url), "utf8")));

function walk(seed: number, count: number) {
  const market = new SimulatedMarket(symbols, seed);
  return Array.from({ length: count }, () => market.next());
}

test("the same seed gives the same prices, another one others", () => {
  assert.deepEqual(walk(7, 500), walk(7, 500));
  assert.notDeepEqual(walk(7, 500), walk(8, 500));
});

test("prices stay on the tick grid, between half and twice the start, and reach every symbol", () => {
  const market = new SimulatedMarket(fixture, 1);
  const starts = new Map(fixture.map(({ symbol, startPrice }) => [symbol, Math.round(startPrice * 100)]));
  const seen = new Map<string, Set<number>>();
  for (let count = 0; count < 100_000; count += 1) {
    const { symbol, price } = market.next();
    const start = starts.get(symbol);
    assert.ok(start !== undefined && isOnGrid(price) && price * 2 >= start && price <= start * 2);
    seen.set(symbol, (seen.get(symbol) ?? new Set()).add(price));
  }
  assert.equal(seen.size, fixture.length);
  for (const prices of seen.values()) assert.ok(prices.size > 5);
});

test("a start price off the grid is refused", () => {
  assert.throws(() => new SimulatedMarket([{ symbol: "A", startPrice: 20.01 }], 1), /startPrice of A 20.01/);
});

async function run(speed: number, forMs: number) {
  const time = new ManualTime(1_000);
  const bus = createMemoryBus();
  const messages: { readonly subject: string; readonly text: string }[] = [];
  bus.subscribe("ticks.*", ({ subject, data }) => messages.push({ subject, text: Buffer.from(data).toString() }));
  const feed = startSimulatedFeed({ bus, clock: time, timers: time, log: keptLog(), symbols, seed: 1, speed });
  await time.advance(forMs);
  await settle();
  return { time, feed, messages };
}

test("ticks go out on their symbols' subjects with the present time, 20 a second at speed 1", async () => {
  const { messages, feed } = await run(1, 5_000);
  assert.equal(messages.length, 100);
  assert.match(messages[0]?.text ?? "", /^\{"price":[\d.]+,"time":1050\}$/);
  assert.ok(messages.every(({ subject }) => /^ticks\.[ABC]$/.test(subject)));
  feed.stop();
});

test("speed multiplies the pace; at 0 nothing is published", async () => {
  const fast = await run(10, 1_000);
  assert.equal(fast.messages.length, 200);
  fast.feed.stop();
  const silent = await run(0, 10_000);
  assert.equal(silent.messages.length, 0);
  silent.feed.stop();
});

test("after the process stood still the market makes up for a second at most", async () => {
  const { messages, feed, time } = await run(1, 1_000);
  time.freeze(60_000);
  await time.advance(50);
  assert.ok(messages.length <= 20 + 21);
  feed.stop();
});

test("a stopped market publishes nothing more and sets no timer", async () => {
  const { messages, feed, time } = await run(1, 1_000);
  feed.stop();
  feed.stop();
  await time.advance(5_000);
  assert.equal(messages.length, 20);
  assert.equal(time.waitingCount, 0);
});
