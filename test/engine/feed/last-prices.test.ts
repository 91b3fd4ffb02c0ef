import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LastPrices, type PriceSlots } from "../../../engine/feed/last-prices.ts";
import { PriceFile } from "../../../engine/feed/price-file.ts";
import { keptLog, knownSymbols, ManualTime, NO_LIMITS, realClock, storedAt } from "./support/ports.ts";
import { Slots } from "./support/slots.ts";

const NOW_MS = 1_732_152_000_000;

function startLife(files: readonly PriceSlots[], tickMovePercentMax?: number) {
  const time = new ManualTime(NOW_MS);
  const log = keptLog();
  const kept = new LastPrices({ steadyClock: time, timers: time, log });
  const acceptance = new TickAcceptance({
    ...NO_LIMITS,
    tickMovePercentMax,
    symbols: knownSymbols("A", "B", ...Array.from({ length: 3_000 }, (_, index) => `S${index}`)),
    clock: time,
    kept,
    onTick: () => undefined,
  });
  kept.open(files);
  const offer = (symbol: string, price: number, ownTimeMs = Number.NaN, isCaughtUp = false): void => {
    acceptance.offer(
      acceptance.find(symbol) ?? assert.fail(),
      price,
      ownTimeMs,
      time.nowMs(),
      isCaughtUp ? storedAt(time.nowMs()) : undefined,
    );
  };
  return { time, log, kept, acceptance, offer };
}

test("the last price of a symbol and its moment survive, though nothing was said at the end", async () => {
  const slots = new Slots();
  const { offer, time } = startLife([slots]);
  offer("A", 99, NOW_MS - 7);
  offer("B", 12.345);
  offer("A", 101.5, NOW_MS - 3);
  await time.advance(0);
  const { acceptance } = startLife([slots]);
  assert.deepEqual([acceptance.last("A")?.price.value, acceptance.last("A")?.timeMs], [101.5, NOW_MS - 3]);
  assert.deepEqual([acceptance.last("B")?.price.value, acceptance.last("B")?.timeMs], [12.345, NOW_MS]);
});

test("what was read back makes no tick stale, and gives way to the first one", () => {
  const slots = new Slots();
  const first = startLife([slots]);
  first.offer("A", 99, NOW_MS);
  first.kept.flush();
  const { acceptance, offer } = startLife([slots]);
  offer("A", 95, NOW_MS - 2_000, true);
  assert.deepEqual([acceptance.counters.accepted, acceptance.counters.stale], [1, 0]);
  assert.equal(acceptance.last("A")?.price.value, 95);
});

test("a jump from the last price of the life before is held as any other", () => {
  const slots = new Slots();
  const first = startLife([slots]);
  first.offer("A", 100);
  first.kept.flush();
  const { acceptance, offer } = startLife([slots], 10);
  offer("A", 50);
  assert.equal(acceptance.counters.accepted, 0);
  assert.equal(acceptance.last("A")?.price.value, 100);
});

test("prices that may have been followed by lost ones are forgotten for good, newer ones are not", () => {
  const slots = new Slots();
  const first = startLife([slots]);
  first.offer("A", 100);
  first.offer("B", 200);
  first.kept.flush();
  const { acceptance, offer, kept } = startLife([slots]);
  kept.forget();
  assert.equal(acceptance.last("A"), undefined);
  offer("B", 201);
  kept.flush();
  const third = startLife([slots]).acceptance;
  assert.deepEqual([third.last("A"), third.last("B")?.price.value], [undefined, 201]);
});

test("many ticks in a row are one write, the next comes a pause later", async () => {
  const slots = new Slots();
  const { offer, time } = startLife([slots]);
  const before = slots.writes;
  for (let price = 1; price <= 1_000; price += 1) offer("A", price);
  await time.advance(0);
  assert.equal(slots.writes - before, 1);
  offer("A", 2);
  await time.advance(0);
  assert.equal(slots.writes - before, 1);
  await time.advance(5);
  assert.equal(slots.writes - before, 2);
  assert.equal(startLife([slots]).acceptance.last("A")?.price.value, 2);
});

test("more symbols than there was room for are kept too", () => {
  const slots = new Slots();
  const { offer, kept } = startLife([slots]);
  for (let index = 0; index < 3_000; index += 1) offer(`S${index}`, index + 1);
  kept.flush();
  const { acceptance } = startLife([slots]);
  assert.equal(acceptance.last("S0")?.price.value, 1);
  assert.equal(acceptance.last("S2999")?.price.value, 3_000);
});

test("of several files the newest price counts, and all goes on in the first", () => {
  const [one, two] = [new Slots(), new Slots()];
  const first = startLife([one]);
  first.offer("A", 1, NOW_MS - 10);
  first.offer("B", 2, NOW_MS - 10);
  first.kept.flush();
  const second = startLife([two]);
  second.offer("A", 3, NOW_MS - 5);
  second.kept.flush();
  const { acceptance } = startLife([one, two]);
  assert.deepEqual([acceptance.last("A")?.price.value, acceptance.last("B")?.price.value], [3, 2]);
  assert.equal(two.bytes.length, 0);
  assert.equal(startLife([one]).acceptance.last("A")?.price.value, 3);
});

test("a file that cannot be written is told of, and is not read back as if it were up to date", async () => {
  const folder = mkdtempSync(join(tmpdir(), "last-prices-"));
  try {
    const path = join(folder, "last-prices");
    const file = new PriceFile(path, realClock);
    const { offer, kept, log } = startLife([file]);
    offer("A", 5);
    kept.flush();
    file.close();
    assert.equal(startLife([new PriceFile(path, realClock)]).acceptance.last("A")?.price.value, 5);
    const slots = new Slots();
    const full = startLife([slots]);
    slots.isFull = true;
    full.offer("A", 6);
    full.kept.flush();
    assert.deepEqual(full.log.messages("error").length, 1);
    assert.deepEqual(log.messages("error"), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file of another run of the machine, or none, holds nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "last-prices-"));
  try {
    const path = join(folder, "last-prices");
    const { offer, kept } = startLife([new PriceFile(path, realClock)]);
    offer("A", 5);
    kept.flush();
    const bytes = readFileSync(path);
    bytes.write("another run", 10);
    writeFileSync(path, bytes);
    assert.equal(startLife([new PriceFile(path, realClock)]).acceptance.last("A"), undefined);
    writeFileSync(path, "damaged");
    assert.equal(startLife([new PriceFile(path, realClock)]).acceptance.last("A"), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
