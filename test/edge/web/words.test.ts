/** Texts of the pages: numbers, times and states. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { typedMomentText } from "../../../edge/web/dashboard/part/words.ts";

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
