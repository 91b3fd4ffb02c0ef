/** The first price of a session carries the close before it (behaviour 16.2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LastPrices, type PriceSlots } from "../../../engine/feed/last-prices.ts";
import { keptLog, knownSymbols, ManualTime, NO_LIMITS, storedAt } from "./support/ports.ts";
import { Slots } from "./support/slots.ts";

const NOW_MS = 1_732_152_000_000;
const HOUR_MS = 3_600_000;

/** A process; `closes` are what its ticks carried, one for each. */
function startLife(slots: PriceSlots, nowMs = NOW_MS) {
  const time = new ManualTime(nowMs);
  const kept = new LastPrices({ steadyClock: time, timers: time, log: keptLog() });
  const closes: (number | undefined)[] = [];
  const acceptance = new TickAcceptance({
    ...NO_LIMITS,
    symbols: knownSymbols("A"),
    clock: time,
    kept,
    onTick: ({ close }) => void closes.push(close?.value),
  });
  kept.open([slots]);
  const offer = (price: number, storedMs?: number): void =>
    acceptance.offer(
      acceptance.find("A") ?? assert.fail(),
      price,
      Number.NaN,
      storedMs ?? time.nowMs(),
      storedMs === undefined ? undefined : storedAt(storedMs),
    );
  return { time, kept, acceptance, closes, offer };
}

test("the first tick after four hours carries the last price before, the others carry none", async () => {
  const { time, offer, closes } = startLife(new Slots());
  offer(100);
  offer(101);
  await time.advance(4 * HOUR_MS - 1);
  offer(102);
  await time.advance(4 * HOUR_MS);
  offer(50);
  offer(51);
  assert.deepEqual(closes, [undefined, undefined, undefined, 102, undefined]);
});

test("the close is known over a restart", () => {
  const slots = new Slots();
  const evening = startLife(slots);
  evening.offer(100);
  evening.kept.flush();
  const morning = startLife(slots, NOW_MS + 14 * HOUR_MS);
  morning.offer(50);
  morning.offer(51);
  assert.deepEqual(morning.closes, [100, undefined]);
});

test("a first price that is read back after a kill carries the close again, what came after it does not", async () => {
  const slots = new Slots();
  const evening = startLife(slots);
  evening.offer(100);
  evening.kept.flush();
  const openMs = NOW_MS + 14 * HOUR_MS;
  const morning = startLife(slots, openMs);
  morning.offer(50);
  morning.kept.flush();
  const again = startLife(slots, openMs + 1_000);
  again.offer(50, openMs);
  again.offer(51, openMs + 500);
  assert.deepEqual(again.closes, [100, undefined]);
  const later = startLife(slots, openMs + 2_000);
  later.offer(51, openMs + 500);
  assert.deepEqual(later.closes, [undefined], "its session had begun before");
});

test("no close is told where none is known, nor of a price that was lost", () => {
  const { offer, closes, acceptance } = startLife(new Slots());
  offer(100);
  assert.deepEqual(closes, [undefined]);
  assert.equal(acceptance.session("A"), undefined);
});

test("a live tick that waits while missed ones are read back carries the close once it is given", async () => {
  const { time, acceptance, offer, closes } = startLife(new Slots());
  offer(100);
  await time.advance(5 * HOUR_MS);
  const waiting: number[] = [];
  const fork = acceptance.fork(({ price }) => void waiting.push(price.value));
  const state = fork.find("A") ?? assert.fail();
  fork.offer(state, 50, Number.NaN, time.nowMs());
  for (const value of waiting)
    acceptance.take("A", { value, floor: value * 100, ceil: value * 100 }, Number.NaN, time.nowMs());
  assert.deepEqual(closes, [undefined, 100]);
});
