import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime, parseTime, TIME_MAX_MS, TIME_MIN_MS } from "../../src/domain/time.ts";
import fc from "../support/property.ts";

function formatted(text: string): string {
  const result = parseTime(text, "dueDate");
  assert.ok(result.ok, result.ok ? "" : result.message);
  return formatTime(result.value);
}

function messageOf(text: string): string {
  const result = parseTime(text, "dueDate");
  assert.ok(!result.ok, `${text} was accepted`);
  assert.equal(result.code, "INVALID");
  return result.message;
}

test("times with Z, with an offset and without one are read; without one they are UTC", () => {
  assert.equal(formatted("2026-03-01T10:00:00Z"), "2026-03-01T10:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00:00"), "2026-03-01T10:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00"), "2026-03-01T10:00:00.000Z");
  assert.equal(formatted("2026-03-01"), "2026-03-01T00:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00:00+03:00"), "2026-03-01T07:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00:00+03"), "2026-03-01T07:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00:00+0330"), "2026-03-01T06:30:00.000Z");
  assert.equal(formatted("2026-03-01T22:30:00-05:30"), "2026-03-02T04:00:00.000Z");
  assert.equal(formatted("2026-03-01T10:00:00-00:00"), "2026-03-01T10:00:00.000Z");
});

test("decimals of a second are read to milliseconds, the rest is cut off", () => {
  assert.equal(formatted("2026-03-01T10:00:00.5Z"), "2026-03-01T10:00:00.500Z");
  assert.equal(formatted("2026-03-01T10:00:00.123Z"), "2026-03-01T10:00:00.123Z");
  assert.equal(formatted("2026-03-01T10:00:00.1239999+03:00"), "2026-03-01T07:00:00.123Z");
  assert.equal(formatted("2026-03-01T10:00:00.123456789"), "2026-03-01T10:00:00.123Z");
});

test("leap days exist in leap years only", () => {
  assert.equal(formatted("2028-02-29"), "2028-02-29T00:00:00.000Z");
  assert.equal(formatted("2000-02-29"), "2000-02-29T00:00:00.000Z");
  assert.equal(messageOf("2026-02-29"), "dueDate 2026-02-29 does not exist");
  assert.equal(messageOf("2100-02-29"), "dueDate 2100-02-29 does not exist");
});

test("moments that do not exist are refused", () => {
  const texts = [
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-32",
    "2026-06-30T23:59:60Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T10:60:00Z",
    "2026-01-01T10:00:00+24:00",
    "2026-01-01T10:00:00+03:60",
    "2026-01-01T10:00:00+0360",
  ];
  for (const text of texts) assert.equal(messageOf(text), `dueDate ${text} does not exist`);
});

test("years outside 1970 to 9999 are refused, as written and as UTC", () => {
  for (const text of [
    "1969-12-31",
    "0000-01-01",
    "0099-01-01T00:00Z",
    "1970-01-01T00:00+03:00",
    "9999-12-31T23:00-03",
  ]) {
    assert.equal(messageOf(text), `dueDate ${text} is not in the years 1970 to 9999`);
  }
  assert.equal(formatted("1970-01-01"), "1970-01-01T00:00:00.000Z");
  assert.equal(formatted("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
  assert.equal(formatted("2038-01-19T03:14:08Z"), "2038-01-19T03:14:08.000Z");
});

test("other forms are refused without repeating the text", () => {
  const texts = [
    "",
    " ",
    "tomorrow",
    "2026",
    "2026-03",
    "20260301",
    "2026-3-1",
    "2026-W09-7",
    "2026-060",
    "01.03.2026",
    "03/01/2026",
    "2026-03-01 10:00:00",
    "2026-03-01T10Z",
    "2026-03-01Z",
    "2026-03-01t10:00:00z",
    "2026-03-01T10:00:00.Z",
    "2026-03-01T10:00:00,5Z",
    "2026-03-01T10:00:00.1234567890Z",
    "2026-03-01T10:00:00+030",
    "2026-03-01T10:00:00+03:0",
    "2026-03-01T10:00:00+03000",
    "2026-03-01T10:00:00+3",
    "2026-03-01T10:00:00 +03:00",
    "2026-03-01T10:00:00Z ",
    "2026-03-01T10:00:00Z\n",
    "2026-03-01T10:00:00−03:00",
    "٢٠٢٦-03-01",
    "+275761-01-01T00:00:00Z",
    "-000001-01-01",
    "1772359200000",
    "Sun, 01 Mar 2026 10:00:00 GMT",
  ];
  for (const text of texts) {
    assert.equal(messageOf(text), "dueDate is not an ISO 8601 time such as 2026-03-01T10:00:00Z");
  }
});

test("what is written is read back as the same moment", () => {
  fc.assert(
    fc.property(fc.integer({ min: TIME_MIN_MS, max: TIME_MAX_MS }), (timeMs) => {
      const text = formatTime(timeMs);
      assert.match(text, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      assert.deepEqual(parseTime(text, "dueDate"), { ok: true, value: timeMs });
    }),
  );
});

test("a moment is written as Date writes it, whatever was written before", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: TIME_MIN_MS, max: TIME_MAX_MS }),
      fc.integer({ min: 0, max: 200_000_000 }),
      (timeMs, nextMs) => {
        const second = Math.min(TIME_MAX_MS, timeMs + nextMs);
        assert.equal(formatTime(timeMs), new Date(timeMs).toISOString());
        assert.equal(formatTime(second), new Date(second).toISOString());
      },
    ),
  );
});

test("an offset only shifts: local text with an offset names the UTC moment", () => {
  const moment = fc.integer({ min: 86_400_000, max: TIME_MAX_MS - 86_400_000 });
  fc.assert(
    fc.property(moment, fc.integer({ min: -1439, max: 1439 }), (timeMs, offsetMinutes) => {
      const local = formatTime(timeMs + offsetMinutes * 60_000).slice(0, -1);
      const magnitude = Math.abs(offsetMinutes);
      const hours = String(Math.floor(magnitude / 60)).padStart(2, "0");
      const minutes = String(magnitude % 60).padStart(2, "0");
      const text = `${local}${offsetMinutes < 0 ? "-" : "+"}${hours}:${minutes}`;
      assert.deepEqual(parseTime(text, "dueDate"), { ok: true, value: timeMs });
    }),
  );
});

test("writing what is no moment is a bug, not a refusal", () => {
  for (const value of [-1, 0.5, Number.NaN, TIME_MAX_MS + 1]) assert.throws(() => formatTime(value), /not a moment/);
});
