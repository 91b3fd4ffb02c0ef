import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Calendar,
  type CalendarRequest,
  closeOfDayMs,
  nextBeforeCloseMs,
  type PhaseRequest,
  planCalendar,
  sessionAfter,
  sessionAt,
  takenFromMs,
} from "../../../src/domain/market/calendar.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { dateIn, dayEndMs, dayIn } from "../../../src/domain/time-zone.ts";
import fc from "../../support/property.ts";

const MINUTE_MS = 60_000;
const BOTH = ["market", "limit"] as const;

const DAY: CalendarRequest = {
  mic: "XTST",
  zone: "Europe/Istanbul",
  phases: [
    { name: "auction", from: "09:40", to: "09:55", takes: ["limit"] },
    { name: "trading", from: "10:00", to: "18:00", takes: BOTH },
  ],
  holidays: ["2026-04-23"],
  halfDays: { "2026-10-28": [{ name: "short", from: "10:00", to: "12:30", takes: BOTH }] },
};

function calendarOf(request: CalendarRequest = DAY): Calendar {
  const planned = planCalendar(request);
  assert.ok(planned.ok, planned.ok ? "" : planned.message);
  return planned.value;
}

const at = (text: string): number => Date.parse(text);
const textOf = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : formatTime(timeMs);

describe("a calendar is refused with the field and the rule", () => {
  const phase: PhaseRequest = { name: "trading", from: "10:00", to: "18:00", takes: BOTH };
  const cases: readonly (readonly [string, Partial<CalendarRequest>])[] = [
    ["zone Europe/Atlantis is not a known IANA time zone", { zone: "Europe/Atlantis" }],
    ["phases must have at least one phase", { phases: [] }],
    ["phases[0].to 09:00 must be later than its from 10:00", { phases: [{ ...phase, to: "09:00" }] }],
    ["phases[0].to 10:00 must be later than its from 10:00", { phases: [{ ...phase, to: "10:00" }] }],
    ["phases[0].from 25:00 is not a time of day such as 09:40", { phases: [{ ...phase, from: "25:00" }] }],
    ["phases[0].to 18 is not a time of day such as 18:00", { phases: [{ ...phase, to: "18" }] }],
    [
      "phases[1].from 17:59 must not be earlier than the end of phases[0]",
      { phases: [phase, { ...phase, from: "17:59", to: "19:00" }] },
    ],
    ["holidays[1] 2026-04-23 is listed twice", { holidays: ["2026-04-23", "2026-04-23"] }],
    ["holidays[0] 2026-02-30 does not exist", { holidays: ["2026-02-30"] }],
    ["holidays[0] 2026-04-23T00:00Z must be a date without a time", { holidays: ["2026-04-23T00:00Z"] }],
    ["halfDays 2026-04-23 is a holiday, too", { halfDays: { "2026-04-23": [phase] } }],
    ["halfDays.2026-04-24 must have at least one phase", { halfDays: { "2026-04-24": [] } }],
  ];
  for (const [message, wrong] of cases) {
    test(message, () => {
      const planned = planCalendar({ ...DAY, ...wrong });
      assert.equal(planned.ok ? "accepted" : planned.message, message);
    });
  }
});

test("a phase begins with its first minute and ends before the minute `to`", () => {
  const calendar = calendarOf();
  const nameAt = (text: string) => sessionAt(calendar, at(text))?.name;
  assert.equal(nameAt("2026-03-02T09:39:59.999+03:00"), undefined);
  assert.equal(nameAt("2026-03-02T09:40:00+03:00"), "auction");
  assert.equal(nameAt("2026-03-02T09:55:00+03:00"), undefined);
  assert.equal(nameAt("2026-03-02T17:59:59.999+03:00"), "trading");
  assert.equal(nameAt("2026-03-02T18:00:00+03:00"), undefined);
});

test("an order waits for the first phase that takes its kind, over nights, weekends and holidays", () => {
  const calendar = calendarOf();
  const from = (text: string, order: "market" | "limit") => textOf(takenFromMs(calendar, at(text), order));
  assert.equal(from("2026-03-02T18:00:00+03:00", "limit"), "2026-03-03T06:40:00.000Z");
  assert.equal(from("2026-03-02T18:00:00+03:00", "market"), "2026-03-03T07:00:00.000Z");
  assert.equal(from("2026-03-06T20:00:00+03:00", "market"), "2026-03-09T07:00:00.000Z");
  assert.equal(from("2026-04-22T20:00:00+03:00", "market"), "2026-04-24T07:00:00.000Z");
  assert.equal(from("2026-03-02T11:00:00+03:00", "market"), "2026-03-02T08:00:00.000Z");
});

test("an order that no phase takes waits for none", () => {
  const limitOnly = calendarOf({ ...DAY, phases: [{ name: "auction", from: "09:40", to: "09:55", takes: ["limit"] }] });
  assert.equal(takenFromMs({ ...limitOnly, halfDays: new Map() }, at("2026-03-02T10:00:00Z"), "market"), undefined);
});

test("the close is that of the day: a half day's is earlier, and a holiday has none", () => {
  const calendar = calendarOf();
  assert.equal(textOf(closeOfDayMs(calendar, at("2026-03-02T01:00:00Z"))), "2026-03-02T15:00:00.000Z");
  assert.equal(textOf(closeOfDayMs(calendar, at("2026-10-28T01:00:00Z"))), "2026-10-28T09:30:00.000Z");
  assert.equal(closeOfDayMs(calendar, at("2026-04-23T01:00:00Z")), undefined);
  const before = (text: string) => textOf(nextBeforeCloseMs(calendar, at(text), 15));
  assert.equal(before("2026-03-02T01:00:00Z"), "2026-03-02T14:45:00.000Z");
  assert.equal(before("2026-03-02T14:45:00Z"), "2026-03-03T14:45:00.000Z");
  assert.equal(before("2026-04-22T16:00:00Z"), "2026-04-24T14:45:00.000Z");
  assert.equal(before("2026-10-28T01:00:00Z"), "2026-10-28T09:15:00.000Z");
});

test("a day of an exchange ends at its midnight, where clocks change as well", () => {
  const zone = "America/New_York";
  const endOf = (text: string) => formatTime(dayEndMs(zone, dayIn(zone, at(text))));
  assert.equal(endOf("2026-03-07T12:00:00Z"), "2026-03-08T05:00:00.000Z");
  assert.equal(endOf("2026-03-08T12:00:00Z"), "2026-03-09T04:00:00.000Z");
  assert.equal(endOf("2026-11-01T12:00:00Z"), "2026-11-02T05:00:00.000Z");
});

/** What clocks of a zone show, from the platform's own words for it. */
function wallClock(zone: string, timeMs: number) {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...({ timeZone: zone, hourCycle: "h23", weekday: "short", hour: "2-digit", minute: "2-digit" } as const),
  });
  const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  return { date: dateIn(zone, timeMs), weekday: parts.weekday ?? "", time: `${parts.hour}:${parts.minute}` };
}

/** The naive twin: it looks at a moment's own date, weekday and time of day. */
function phaseAt(request: CalendarRequest, timeMs: number): PhaseRequest | undefined {
  const { date, weekday, time } = wallClock(request.zone, timeMs);
  if (["Sat", "Sun"].includes(weekday) || request.holidays.includes(date)) return undefined;
  return (request.halfDays[date] ?? request.phases).find(({ from, to }) => from <= time && time < to);
}

const phasesArbitrary = fc
  .uniqueArray(fc.integer({ min: 0, max: 95 }), { minLength: 2, maxLength: 8 })
  .map((quarters): PhaseRequest[] => {
    const times = quarters
      .sort((left, right) => left - right)
      .map(
        (quarter) =>
          `${String(Math.trunc(quarter / 4)).padStart(2, "0")}:${String((quarter % 4) * 15).padStart(2, "0")}`,
      );
    return times.flatMap((from, index) => {
      const to = times[index + 1];
      const takes = index % 3 === 0 ? BOTH : (["limit"] as const);
      return to === undefined || index % 2 === 1 ? [] : [{ name: `phase ${index}`, from, to, takes }];
    });
  });

/** Weeks in which the clocks of New York change, and others. */
const STARTS = ["2026-03-06T00:00:00Z", "2026-10-30T00:00:00Z", "2027-03-12T00:00:00Z", "2026-06-04T12:00:00Z"];

test("phases agree with a twin that looks at every quarter of an hour, also where clocks change", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("America/New_York", "Europe/Istanbul", "UTC"),
      fc.constantFrom(...STARTS),
      phasesArbitrary,
      phasesArbitrary,
      fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 6, max: 9 })),
      (zone, start, phases, short, [holiday, halfDay]) => {
        const startMs = at(start);
        const dateAfter = (days: number) => dateIn(zone, startMs + days * 24 * 60 * MINUTE_MS);
        const halfDays = halfDay === 9 ? {} : { [dateAfter(halfDay - 4)]: short };
        const holidays = halfDays[dateAfter(holiday)] === undefined ? [dateAfter(holiday)] : [];
        const request = { mic: "XTST", zone, phases, holidays, halfDays };
        const calendar = calendarOf(request);
        // Backwards, so that what comes next is known of each minute.
        const next: { market?: number; limit?: number } = {};
        let nextStartMs: number | undefined;
        for (let timeMs = startMs + 5 * 24 * 60 * MINUTE_MS; timeMs >= startMs; timeMs -= 15 * MINUTE_MS) {
          const expected = phaseAt(request, timeMs);
          assert.equal(sessionAt(calendar, timeMs)?.name, expected?.name, formatTime(timeMs));
          for (const order of BOTH) {
            if (expected?.takes.includes(order)) next[order] = timeMs;
            if (next[order] !== undefined) assert.equal(takenFromMs(calendar, timeMs, order), next[order]);
          }
          if (nextStartMs !== undefined) assert.equal(sessionAfter(calendar, timeMs)?.fromMs, nextStartMs);
          if (expected?.from === wallClock(zone, timeMs).time) nextStartMs = timeMs;
        }
      },
    ),
    { numRuns: 15 },
  );
});
