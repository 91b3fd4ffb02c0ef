import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime } from "../../src/domain/time.ts";
import { parseDeadline, zoneOfExchange } from "../../src/domain/time-zone.ts";

function endOf(text: string, exchange: string): string {
  const deadline = parseDeadline(text, "dueDate", zoneOfExchange(exchange));
  return deadline.ok ? formatTime(deadline.value) : deadline.message;
}

test("a date without a time is the end of that day in the exchange's zone (behaviour 1.5)", () => {
  for (const exchange of ["BIST", "XIST", "bist"])
    assert.equal(endOf("2026-12-01", exchange), "2026-12-01T20:59:59.999Z");
  for (const exchange of ["NYSE", "NASDAQ", "ARCA", "AMEX", "BATS", "XNAS", "XNYS", "ARCX", "XASE"]) {
    assert.equal(endOf("2026-12-01", exchange), "2026-12-02T04:59:59.999Z", exchange);
  }
  assert.equal(endOf("2026-12-01", "LSE"), "2026-12-01T23:59:59.999Z");
});

test("the day's own offset counts where clocks change", () => {
  assert.equal(endOf("2026-03-07", "NYSE"), "2026-03-08T04:59:59.999Z");
  assert.equal(endOf("2026-03-08", "NYSE"), "2026-03-09T03:59:59.999Z");
  assert.equal(endOf("2026-11-01", "NYSE"), "2026-11-02T04:59:59.999Z");
  assert.equal(endOf("2012-07-01", "BIST"), "2012-07-01T20:59:59.999Z");
});

test("a date with a time keeps its meaning, and what is no date is refused", () => {
  assert.equal(endOf("2026-12-01T10:00", "BIST"), "2026-12-01T10:00:00.000Z");
  assert.equal(endOf("2026-12-01T10:00+03:00", "NYSE"), "2026-12-01T07:00:00.000Z");
  assert.equal(endOf("2026-02-30", "BIST"), "dueDate 2026-02-30 does not exist");
  assert.equal(endOf("9999-12-31", "NYSE"), "dueDate 9999-12-31 is not in the years 1970 to 9999");
});
