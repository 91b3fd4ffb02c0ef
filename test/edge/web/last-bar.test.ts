/** How the dashboard's chart extends the bars of the service by prices (behaviour 22). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { barWith } from "../../../edge/web/dashboard/group/last-bar.ts";

const BAR = { open: 10, high: 12, low: 9, close: 11 };

test("a price of the last period extends its bar, a later price begins the next one, an older price is left out", () => {
  const last = { fromMs: Date.parse("2026-03-02T09:00:00Z"), ...BAR };
  const minutes = { interval: "1m", zone: "UTC" } as const;
  const at = (seconds: number): number => last.fromMs + seconds * 1_000;
  assert.deepEqual(barWith(last, 13, at(59), minutes), { ...last, high: 13, close: 13 });
  assert.deepEqual(barWith(last, 8, at(0), minutes), { ...last, low: 8, close: 8 });
  assert.deepEqual(barWith(last, 8, at(60), minutes), { fromMs: at(60), open: 8, high: 8, low: 8, close: 8 });
  assert.equal(barWith(last, 8, at(-1), minutes), undefined);
  assert.deepEqual(barWith(undefined, 8, at(61), minutes), { fromMs: at(60), open: 8, high: 8, low: 8, close: 8 });
});

test("a day begins at midnight of the exchange, also after its clock was changed", () => {
  const days = { interval: "1d", zone: "America/New_York" } as const;
  const beginOf = (lastAt: string, at: string): string | undefined => {
    const next = barWith({ fromMs: Date.parse(lastAt), ...BAR }, 13, Date.parse(at), days);
    return next === undefined ? undefined : new Date(next.fromMs).toISOString();
  };
  // Summer time begins on 8 March 2026, so that this day has 23 hours, and ends on 1 November, a day of 25.
  assert.equal(beginOf("2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"), "2026-03-09T04:00:00.000Z");
  assert.equal(beginOf("2026-03-06T05:00:00Z", "2026-03-09T13:30:00Z"), "2026-03-09T04:00:00.000Z");
  assert.equal(beginOf("2026-11-01T04:00:00Z", "2026-11-02T04:30:00Z"), "2026-11-01T04:00:00.000Z");
  assert.equal(
    barWith(undefined, 13, Date.parse("2026-03-09T03:00:00Z"), days)?.fromMs,
    Date.parse("2026-03-08T05:00Z"),
  );
});
