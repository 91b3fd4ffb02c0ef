/** Texts of the pages: numbers, times and states. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { spanText, typedMomentText } from "../../../edge/web/dashboard/part/words.ts";

test("the moment of a field is text with its weekday, the same in every zone, and none for an empty field", () => {
  for (const [value, text] of [
    ["2026-03-02T17:50", /^Monday.* 2 March 2026 at 17:50$/],
    // A time that the clocks of some zones leave out.
    ["2026-03-29T02:30", /^Sunday.* 29 March 2026 at 02:30$/],
    ["", /^$/],
  ] as const) {
    assert.match(typedMomentText(value), text);
  }
});

test("a span has two units, and is exact to the second for less than an hour", () => {
  for (const [seconds, text] of [
    [0, "0 s"],
    [59, "59 s"],
    [64, "1 min 4 s"],
    [3_599, "59 min 59 s"],
    [3_600, "1 h 0 min"],
    [86_399, "23 h 59 min"],
    [90_000, "1 d 1 h"],
    [-5, "0 s"],
  ] as const)
    assert.equal(spanText(seconds * 1_000), text);
});
