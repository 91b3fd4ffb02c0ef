/** A stop-loss that sells by the clock (behaviour 21.4). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Calendar, planCalendar } from "../../../src/domain/market/calendar.ts";
import { type ExitRequest, planExitTimes, timedExitOf, withoutPast } from "../../../src/domain/oco/timed-exit.ts";
import { formatTime } from "../../../src/domain/time.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");

function calendarOf(): Calendar {
  const takes = ["market", "limit"] as const;
  const planned = planCalendar({
    mic: "XTST",
    zone: "Europe/Istanbul",
    phases: [{ name: "day", from: "10:00", to: "18:00", takes }],
    holidays: ["2026-03-04"],
    halfDays: { "2026-03-03": [{ name: "short", from: "10:00", to: "12:30", takes }] },
  });
  assert.ok(planned.ok);
  return planned.value;
}

const CALENDAR = calendarOf();

function refusalOf(request: ExitRequest, calendar: Calendar | undefined = CALENDAR): string {
  const planned = planExitTimes(request, NOW_MS, calendar);
  return planned.ok ? "accepted" : planned.message;
}

function sellsAt(request: ExitRequest, now = "2026-03-02T09:00:00Z"): string | null {
  const nowMs = Date.parse(now);
  const planned = planExitTimes(request, nowMs, CALENDAR);
  assert.ok(planned.ok);
  const firesAtMs = planned.value ? timedExitOf(planned.value, nowMs, CALENDAR).firesAtMs : null;
  return firesAtMs === null ? null : formatTime(firesAtMs);
}

describe("the times of an exit", () => {
  test("are without a moment that has passed where a failed stop-loss is Active again", () => {
    const past = { atMs: NOW_MS, beforeCloseMinutes: 5 };
    assert.deepEqual(withoutPast(past, NOW_MS), { atMs: null, beforeCloseMinutes: 5 });
    assert.deepEqual(withoutPast(past, NOW_MS - 1), past);
    assert.equal(withoutPast(undefined, NOW_MS), undefined);
  });

  test("are refused with the field and the rule", () => {
    assert.equal(refusalOf({}), "exit must name stopLoss, at or beforeCloseMinutes");
    assert.match(refusalOf({ at: "soon" }), /^exit\.at is not an ISO 8601 time/);
    assert.equal(refusalOf({ at: "2026-03-05" }), "exit.at 2026-03-05 must have a time of day");
    assert.equal(refusalOf({ at: "2026-03-02T09:00:00Z" }), "exit.at must be in the future");
    const noCalendar = planExitTimes({ beforeCloseMinutes: 5 }, NOW_MS, undefined);
    assert.equal(
      noCalendar.ok ? "" : noCalendar.message,
      "exit.beforeCloseMinutes needs a trading calendar; the exchange of the symbol does not have one",
    );
    const never = {
      ...CALENDAR,
      mic: "XNEV",
      holidays: new Set(Array.from({ length: 100 }, (_, day) => 20_510 + day)),
    };
    assert.match(refusalOf({ beforeCloseMinutes: 5 }, never), /the calendar XNEV has no close in the next 60 days/);
    assert.equal(refusalOf({ at: "2026-03-02T12:00:00+02:00", beforeCloseMinutes: 15 }), "accepted");
  });

  test("the close is that of the day, on a half day too, and a holiday has none", () => {
    assert.equal(sellsAt({ beforeCloseMinutes: 15 }), "2026-03-02T14:45:00.000Z");
    assert.equal(sellsAt({ beforeCloseMinutes: 15 }, "2026-03-02T14:50:00Z"), "2026-03-03T09:15:00.000Z");
    assert.equal(sellsAt({ beforeCloseMinutes: 15 }, "2026-03-03T12:00:00Z"), "2026-03-05T14:45:00.000Z");
  });

  test("the earlier one of both counts", () => {
    const both = { at: "2026-03-02T12:00:00Z", beforeCloseMinutes: 15 };
    assert.equal(sellsAt(both), "2026-03-02T12:00:00.000Z");
    assert.equal(sellsAt({ ...both, at: "2026-03-06T12:00:00Z" }), "2026-03-02T14:45:00.000Z");
  });

  test("an absent field stays as it was, null takes it away, and none left is none", () => {
    const before = { atMs: NOW_MS + 1_000, beforeCloseMinutes: 15 };
    const after = (request: ExitRequest) => planExitTimes(request, NOW_MS, CALENDAR, before);
    assert.deepEqual(after({ stopLoss: "once" }), { ok: true, value: undefined });
    assert.deepEqual(after({ at: null }), { ok: true, value: { atMs: null, beforeCloseMinutes: 15 } });
    assert.deepEqual(after({ beforeCloseMinutes: 5 }), { ok: true, value: { ...before, beforeCloseMinutes: 5 } });
    assert.deepEqual(after({ at: null, beforeCloseMinutes: null }), { ok: true, value: null });
  });

  test("without a calendar at its making the close of a group is not known", () => {
    assert.deepEqual(timedExitOf({ atMs: null, beforeCloseMinutes: 5 }, NOW_MS, undefined).firesAtMs, null);
  });
});
