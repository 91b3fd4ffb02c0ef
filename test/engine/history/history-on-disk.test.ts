/** The price history over a real store (behaviour 22.1, 22.3). */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PriceHistory } from "../../../engine/history/price-history.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import type { Bar } from "../../../src/domain/market/bars.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";

test("bars are read again, unchanged, from the files of the life before", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "history-"));
  t.after(() => rm(folder, { recursive: true }));
  const log = { debug: fail, info: fail, warn: fail, error: fail };
  const open = () => openLevelStore(join(folder, "price-history-0"), true);
  const begin = async (): Promise<PriceHistory> => {
    const history = new PriceHistory({ open, days: 30, clock: systemClock, timers: loopTimers, log });
    await history.start();
    return history;
  };
  const fromMs = Date.UTC(2026, 2, 2, 9);
  const before = await begin();
  for (const [second, value] of [
    [3, 10.05],
    [20, 12.5],
    [59, 11],
  ] as const) {
    before.onTick({ symbol: "THYAO", price: { value }, timeMs: fromMs + second * 1_000 });
  }
  await before.stop();
  const later = await begin();
  const bars: Bar[] = [];
  for await (const slice of later.read("THYAO", fromMs, fromMs + 60_000)) bars.push(...slice);
  const [bar, ...others] = bars;
  const prices = { open: 10.05, high: 12.5, low: 10.05, close: 11 };
  assert.deepEqual(bar, { fromMs, ...prices, openMs: fromMs + 3_000, closeMs: fromMs + 59_000 });
  assert.equal(others.length, 0);
  await later.stop();
});

function fail(_fields: object, message: string): void {
  assert.fail(message);
}
