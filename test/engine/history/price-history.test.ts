/** The price history (behaviour 22): what it keeps over ends, faults and prices that come again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeMinute, keyOfMinute } from "../../../engine/history/minute-row.ts";
import { PriceHistory } from "../../../engine/history/price-history.ts";
import type { Store } from "../../../engine/ports/storage.ts";
import { type Bar, minuteBarOf } from "../../../src/domain/market/bars.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const MINUTE_MS = 60_000;

async function barsOf(slices: AsyncIterable<readonly Bar[]>): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  for await (const slice of slices) bars.push(...slice);
  return bars;
}

function world() {
  const time = new FakeTime();
  const disk = new MemoryDisk();
  const startMs = time.nowMs();
  const faults: object[] = [];
  const state = { isFull: false, life: 0 };
  const ignore = (): void => undefined;
  const log: Log = { debug: ignore, info: ignore, warn: ignore, error: (fields) => void faults.push(fields) };
  const begin = async (days = 30): Promise<PriceHistory> => {
    state.life += 1;
    const { life } = state;
    // A life that another one follows was killed, unless it ended.
    const after: FakeTime["after"] = (delayMs, task) => time.after(delayMs, () => void (life === state.life && task()));
    const open = async () => disk.open({ timers: time, failsNow: () => state.isFull });
    const history = new PriceHistory({
      open,
      days,
      clock: time,
      timers: { after, soon: (task) => time.soon(task) },
      log,
    });
    const started = history.start();
    await time.advance(10);
    await started;
    return history;
  };
  /** A price of THYAO so many seconds after the beginning. */
  const tick = (history: PriceHistory, second: number, value: number, symbol = "THYAO"): void =>
    history.onTick({ symbol, price: { value }, timeMs: startMs + second * 1_000 });
  const read = async (history: PriceHistory, symbol = "THYAO") => {
    const reading = barsOf(history.read(symbol, startMs - 100 * 86_400_000, startMs + 86_400_000));
    await time.advance(10);
    return (await reading).map(({ fromMs, open, high, low, close }) => [
      (fromMs - startMs) / MINUTE_MS,
      ...[open, high, low, close],
    ]);
  };
  const end = async (history: PriceHistory): Promise<void> => {
    const stopped = history.stop();
    await time.advance(100);
    await stopped;
  };
  return { time, disk, faults, state, begin, tick, read, end };
}

test("minutes are read while they run, once they ended, and after a polite end", async () => {
  const { time, disk, begin, tick, read, end } = world();
  const history = await begin();
  tick(history, 1, 10);
  tick(history, 30, 12);
  tick(history, 61, 11);
  const whole = [
    [0, 10, 12, 10, 12],
    [1, 11, 11, 11, 11],
  ];
  assert.deepEqual(await read(history), whole);
  await time.advance(70_000);
  assert.equal([...disk.entries.keys()].filter((key) => key.startsWith("b/THYAO/")).length, 1);
  assert.deepEqual(await read(history), whole);
  await end(history);
  const next = await begin();
  assert.deepEqual(await read(next), whole);
  tick(next, 90, 9);
  assert.deepEqual((await read(next)).at(-1), [1, 11, 11, 9, 9], "the minute goes on where it stood");
  await end(next);
});

test("prices that come again, late or out of order make no other bar", async () => {
  const { time, begin, tick, read, end } = world();
  const history = await begin();
  for (const [second, price] of [
    [1, 10],
    [20, 14],
    [50, 12],
    [70, 13],
  ] as const)
    tick(history, second, price);
  await time.advance(75_000);
  for (const [second, price] of [
    [1, 10],
    [20, 14],
    [50, 12],
    [70, 13],
  ] as const)
    tick(history, second, price);
  tick(history, 30, 8);
  await time.advance(75_000);
  assert.deepEqual(await read(history), [
    [0, 10, 14, 8, 12],
    [1, 13, 13, 13, 13],
  ]);
  await end(history);
});

test("after an end that was not polite the minute that was cut is a gap, never a wrong bar", async () => {
  const { time, begin, tick, read, end } = world();
  const history = await begin();
  tick(history, 1, 10);
  await time.advance(70_000);
  tick(history, 61, 99);
  // It is killed here; the prices from second 90 on are read back.
  const next = await begin();
  tick(next, 90, 11);
  tick(next, 100, 12);
  tick(next, 121, 13);
  await time.advance(200_000);
  assert.deepEqual(await read(next), [
    [0, 10, 10, 10, 10],
    [2, 13, 13, 13, 13],
  ]);
  await end(next);
});

test("a disk that takes nothing is logged once a minute, and what waited is written once it does", async () => {
  const { time, faults, state, begin, tick, read, end } = world();
  const history = await begin();
  tick(history, 1, 10);
  state.isFull = true;
  await time.advance(119_000);
  assert.equal(faults.length, 1);
  assert.equal((faults[0] as { event: string }).event, "history.fault");
  await time.advance(20_000);
  assert.equal(faults.length, 2);
  assert.deepEqual(await read(history), [[0, 10, 10, 10, 10]]);
  state.isFull = false;
  await time.advance(10_000);
  await end(history);
  const next = await begin();
  assert.deepEqual(await read(next), [[0, 10, 10, 10, 10]]);
  await end(next);
});

test("minutes older than the setting are removed, of every symbol", async () => {
  const { time, disk, begin, tick, end } = world();
  const history = await begin(1);
  for (const symbol of ["AKBNK", "THYAO", "TH"]) {
    tick(history, 1, 10, symbol);
    tick(history, 86_300, 11, symbol);
  }
  await time.advance(86_400_000 + 3_700_000);
  await end(history);
  const kept = [...disk.entries.keys()].filter((key) => key.startsWith("b/"));
  assert.deepEqual(kept.map((key) => key.split("/")[1]).sort(), ["AKBNK", "TH", "THYAO"]);
});

test("with 0 days nothing is kept or written", async () => {
  const { disk, begin, tick, read, end } = world();
  const history = await begin(0);
  tick(history, 1, 10);
  assert.deepEqual(await read(history), []);
  await end(history);
  assert.equal(disk.entries.size, 0);
});

test("a month of minutes is read in slices, and others have a turn after each (behaviour 22)", async () => {
  const time = new FakeTime();
  const minuteCount = 10_500;
  const rows = Array.from({ length: minuteCount }, (_, index) => {
    const bar = minuteBarOf(100 + index, time.nowMs() + index * MINUTE_MS);
    return [keyOfMinute("THYAO", bar.fromMs), encodeMinute(bar)] as const;
  });
  // One page, as LevelDB gives many rows together.
  const scan = async function* ({ keysOnly = false }) {
    yield keysOnly ? rows.slice(0, 1) : rows;
  };
  const store = { scan, read: () => new Uint8Array(), write: async () => undefined, close: async () => undefined };
  const fail = (): void => assert.fail("a fault");
  const log: Log = { debug: fail, info: fail, warn: fail, error: fail };
  let turnCount = 0;
  const soon = (task: () => void): void => {
    turnCount += 1;
    time.soon(task);
  };
  const timers = { after: (delayMs: number, task: () => void) => time.after(delayMs, task), soon };
  const open = async () => store as unknown as Store;
  const history = new PriceHistory({ open, days: 30, clock: time, timers, log });
  await history.start();
  // A bar that still runs, after the written ones.
  history.onTick({ symbol: "THYAO", price: { value: 7 }, timeMs: time.nowMs() + minuteCount * MINUTE_MS });
  const sizes: number[] = [];
  const closes: number[] = [];
  const reading = (async () => {
    for await (const slice of history.read("THYAO", 0, Number.MAX_SAFE_INTEGER)) {
      sizes.push(slice.length);
      closes.push(...slice.map(({ close }) => close));
    }
  })();
  await time.advance(100);
  await reading;
  assert.deepEqual([closes.length, closes[0], closes.at(-2), closes.at(-1)], [minuteCount + 1, 100, 10_599, 7]);
  assert.ok(Math.max(...sizes) <= 1_000, `slices of ${sizes.join(", ")}`);
  assert.ok(turnCount >= minuteCount / 1_000, `${turnCount} turns`);
});
