import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readEngineConfig } from "../../../engine/config.ts";
import { readCalendars } from "../../../engine/reference/calendars.ts";
import { type Calendar, closeOfDayMs, sessionAt } from "../../../src/domain/market/calendar.ts";
import { calendarMicOf } from "../../../src/domain/time-zone.ts";

const CLOSED_ALL_DAY = undefined;

class Lines {
  readonly lines: string[] = [];
  warn(fields: object, message: string): void {
    this.lines.push(`${message}: ${"reason" in fields ? String(fields.reason) : ""}`);
  }
}

function read(folder?: string): { calendars: ReadonlyMap<string, Calendar>; lines: readonly string[] } {
  const log = new Lines();
  return { calendars: readCalendars({ hasCalendars: true, calendarsFolder: folder }, log), lines: log.lines };
}

function own(mic: string): Calendar {
  const calendar = read().calendars.get(mic);
  assert.ok(calendar !== undefined);
  return calendar;
}

/** The local time of the close of a date, `16:00`; undefined: nothing is traded on it. */
function closeOn(mic: string, date: string): string | undefined {
  const calendar = own(mic);
  const closeMs = closeOfDayMs(calendar, Date.parse(`${date}T12:00:00Z`));
  if (closeMs === undefined) return CLOSED_ALL_DAY;
  const { zone: timeZone } = calendar;
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(closeMs);
}

function datesOf(year: number): string[] {
  const dates: string[] = [];
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += 86_400_000) {
    dates.push(new Date(ms).toISOString().slice(0, 10));
  }
  return dates;
}

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
const isWeekend = (date: string): boolean => weekdayOf(date) % 6 === 0;
const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The dates of a month that fall on a weekday, 0 to 6 from Sunday. */
function onWeekday(year: number, month: number, weekday: number): string[] {
  const prefix = `${year}-${String(month).padStart(2, "0")}`;
  return datesOf(year).filter((date) => date.startsWith(prefix) && weekdayOf(date) === weekday);
}

/** Easter Sunday by the anonymous Gregorian computus. */
function easter(year: number): string {
  const golden = year % 19;
  const century = Math.trunc(year / 100);
  const corrected = (19 * golden + century - Math.trunc(century / 4) - Math.trunc((8 * century + 13) / 25) + 15) % 30;
  const moon =
    corrected -
    Math.trunc(corrected / 28) *
      (1 - Math.trunc(corrected / 28) * Math.trunc(29 / (corrected + 1)) * Math.trunc((21 - golden) / 11));
  const sunday = (year + Math.trunc(year / 4) + moon + 2 - century + Math.trunc(century / 4)) % 7;
  return dayAfter(`${year}-03-28`, moon - sunday);
}

/** A holiday with a date: on a Saturday it is kept on Friday, on a Sunday on Monday (NYSE rule 7.2). */
function observed(date: string): string {
  if (weekdayOf(date) === 6) return dayAfter(date, -1);
  return weekdayOf(date) === 0 ? dayAfter(date, 1) : date;
}

function holidaysOfNewYork(year: number): ReadonlySet<string> {
  const newYear = `${year}-01-01`;
  return new Set([
    // On a Saturday it is not kept: the Friday before ends a year.
    ...(weekdayOf(newYear) === 6 ? [] : [observed(newYear)]),
    onWeekday(year, 1, 1)[2] ?? "",
    onWeekday(year, 2, 1)[2] ?? "",
    dayAfter(easter(year), -2),
    onWeekday(year, 5, 1).at(-1) ?? "",
    observed(`${year}-06-19`),
    observed(`${year}-07-04`),
    onWeekday(year, 9, 1)[0] ?? "",
    onWeekday(year, 11, 4)[3] ?? "",
    observed(`${year}-12-25`),
  ]);
}

function earlyClosesOfNewYork(year: number): ReadonlySet<string> {
  const thanksgiving = onWeekday(year, 11, 4)[3] ?? "";
  return new Set([dayAfter(thanksgiving, 1), `${year}-07-03`, `${year}-12-24`]);
}

for (const year of [2026, 2027]) {
  test(`XNYS of ${year} is as the rules of the exchange say, on every day`, () => {
    const holidays = holidaysOfNewYork(year);
    const early = earlyClosesOfNewYork(year);
    for (const date of datesOf(year)) {
      const isClosed = isWeekend(date) || holidays.has(date);
      const expected = isClosed ? CLOSED_ALL_DAY : early.has(date) ? "13:00" : "16:00";
      assert.equal(closeOn("XNYS", date), expected, date);
    }
  });

  test(`XIST of ${year} keeps the public holidays of Turkey, and half days before feasts`, () => {
    const fixed = ["01-01", "04-23", "05-01", "05-19", "07-15", "08-30", "10-29"].map((day) => `${year}-${day}`);
    const [ramazan, kurban] = year === 2026 ? ["2026-03-20", "2026-05-27"] : ["2027-03-09", "2027-05-16"];
    const ramazanDays = [0, 1, 2].map((days) => dayAfter(ramazan, days));
    const kurbanDays = [0, 1, 2, 3].map((days) => dayAfter(kurban, days));
    const holidays = new Set([...fixed, ...ramazanDays, ...kurbanDays]);
    const half = new Set([dayAfter(ramazan, -1), dayAfter(kurban, -1), `${year}-10-28`]);
    for (const date of datesOf(year)) {
      const isClosed = isWeekend(date) || holidays.has(date);
      const expected = isClosed ? CLOSED_ALL_DAY : half.has(date) ? "12:40" : "18:10";
      assert.equal(closeOn("XIST", date), expected, date);
    }
  });
}

test("exchanges have the calendar of their market, and others that of their own name", () => {
  for (const exchange of ["BIST", "XIST", "bist"]) assert.equal(calendarMicOf(exchange), "XIST");
  for (const exchange of ["NYSE", "NASDAQ", "ARCA", "AMEX", "BATS", "XNAS", "XNYS", "ARCX", "XASE"]) {
    assert.equal(calendarMicOf(exchange), "XNYS", exchange);
  }
  assert.equal(calendarMicOf("xlon"), "XLON");
});

test("CALENDARS=off leaves every exchange without a calendar, which a simulated market is by default (behaviour 21.1)", () => {
  const log = { warn: () => undefined };
  assert.equal(readCalendars({ hasCalendars: false, calendarsFolder: undefined }, log).size, 0);
  const hasCalendars = (settings: Record<string, string>) => readEngineConfig(settings).hasCalendars;
  assert.deepEqual([hasCalendars({ FEED: "none" }), hasCalendars({ FEED: "sim" })], [true, false]);
  assert.deepEqual(
    [hasCalendars({ FEED: "none", CALENDARS: "off" }), hasCalendars({ FEED: "sim", CALENDARS: "on" })],
    [false, true],
  );
});

describe("CALENDARS_DIR", () => {
  const phases = [{ name: "all day", from: "00:00", to: "24:00", takes: ["market", "limit"] }];
  const calendar = { mic: "XLON", zone: "Europe/London", phases, holidays: [], halfDays: {} };

  function inFolder(files: Readonly<Record<string, string>>, act: (folder: string) => void): void {
    const folder = mkdtempSync(join(tmpdir(), "calendars-"));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      act(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("adds calendars, and replaces those that come with the program", () => {
    const replaced = { ...calendar, mic: "XIST" };
    const files = { "XLON.json": JSON.stringify(calendar), "XIST.json": JSON.stringify(replaced), "readme.txt": "" };
    inFolder(files, (folder) => {
      const { calendars, lines } = read(folder);
      assert.deepEqual(lines, []);
      assert.deepEqual([...calendars.keys()].sort(), ["XIST", "XLON", "XNYS"]);
      assert.equal(calendars.get("XIST")?.zone, "Europe/London");
    });
  });

  test("a file that is wrong is named with field and rule, and the calendar of the program stays", () => {
    const wrong = { ...calendar, mic: "XIST", holidays: ["2026-02-30"] };
    const files = {
      "XIST.json": JSON.stringify(wrong),
      "XNYS.json": "{",
      "XPAR.json": JSON.stringify(calendar),
      "XLON.json": JSON.stringify({ ...calendar, weekend: [] }),
    };
    inFolder(files, (folder) => {
      const { calendars, lines } = read(folder);
      assert.equal(lines.length, 4);
      assert.match(lines[0] ?? "", /holidays\[0\] 2026-02-30 does not exist/);
      assert.match(lines[1] ?? "", /weekend/);
      assert.match(lines[2] ?? "", /JSON/);
      assert.match(lines[3] ?? "", /mic XLON must be the name of the file, XPAR/);
      const istanbul = calendars.get("XIST");
      assert.ok(istanbul !== undefined);
      assert.equal(sessionAt(istanbul, Date.parse("2026-03-02T10:00:00+03:00"))?.name, "continuous trading");
    });
  });

  test("a folder that is missing is reported, and the engine goes on with the calendars of the program", () => {
    const { calendars, lines } = read(join(tmpdir(), "no-such-folder-of-calendars"));
    assert.deepEqual([...calendars.keys()].sort(), ["XIST", "XNYS"]);
    assert.match(lines.join(), /CALENDARS_DIR: the folder cannot be read/);
  });
});
