/** How and when a stop-loss is sold, as it is typed and as it is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  exitChange,
  exitDraftOf,
  exitTimesText,
  findTermsFaults,
  NO_EXIT,
  NO_TERMS,
  placeTermsRefusal,
  termsBody,
  termsChange,
  termsDraftOf,
} from "../../../edge/web/dashboard/group/terms.ts";
import { speak } from "../../../edge/web/dashboard/language/say.ts";

for (const [zone, at, time] of [
  ["Europe/Istanbul", "2027-03-01T17:50", "2027-03-01T14:50:00.000Z"],
  ["America/New_York", "2027-07-01T15:50", "2027-07-01T19:50:00.000Z"],
  ["UTC", "2027-03-01T00:00", "2027-03-01T00:00:00.000Z"],
] as const) {
  test(`a time of ${zone} is sent as its moment, and shown as that zone's clocks show it`, () => {
    assert.deepEqual(exitChange({ ...NO_EXIT, at }, NO_EXIT, zone), { at: time });
    assert.equal(exitDraftOf({ stopLoss: null, at: time, beforeCloseMinutes: null }, zone).at, at);
    assert.equal(exitTimesText({ ...NO_EXIT, at }, zone), `at ${at.replace("T", " ")} (${zone})`);
  });
}

test("a change names what differs, null takes a time away, and terms without an exit send none", () => {
  const before = { policy: "untilSold", at: "2027-03-01T17:50", beforeCloseMinutes: "15" } as const;
  assert.equal(exitChange(before, before, "UTC"), undefined);
  assert.deepEqual(exitChange({ ...before, at: "" }, before, "UTC"), { at: null });
  assert.deepEqual(exitChange({ ...before, policy: "once", beforeCloseMinutes: "" }, before, "UTC"), {
    stopLoss: "once",
    beforeCloseMinutes: null,
  });
  assert.deepEqual(termsBody(NO_TERMS, "UTC"), {});
});

for (const text of ["3 %", "3%", "%3", "% 3"]) {
  test(`“${text}” is a trailing distance in percent`, () => {
    const draft = { ...NO_TERMS, trailingDistance: text };
    assert.deepEqual(findTermsFaults(draft, "BIST"), {});
    assert.deepEqual(termsBody(draft, "UTC"), { stopLossTrailing: { distancePercent: 3 } });
  });
}

test("terms in Turkish are read as they are shown, and texts of several parts are in Turkish order", (t) => {
  t.after(() => speak("en"));
  speak("tr");
  const terms = { stopLossTrailing: { distancePercent: 2.5 }, dueDate: null, notes: null, exit: null };
  const before = termsDraftOf(terms, "UTC");
  assert.equal(before.trailingDistance, "%2,5");
  assert.deepEqual(findTermsFaults(before, "BIST"), {});
  assert.deepEqual(termsChange(before, NO_TERMS, "UTC"), { stopLossTrailing: { distancePercent: 2.5 } });
  const exit = { at: "2027-03-01T17:50", beforeCloseMinutes: "15" };
  assert.equal(exitTimesText(exit, "UTC"), "2027-03-01 17:50 (UTC) veya kapanıştan 15 dakika önce");
});

for (const text of ["0", "1441", "1.5", "ten"]) {
  test(`“${text}” is no number of minutes before the close`, () => {
    const exit = { ...NO_EXIT, beforeCloseMinutes: text };
    assert.deepEqual(Object.keys(findTermsFaults({ ...NO_TERMS, exit }, "BIST")), ["exit.beforeCloseMinutes"]);
  });
}

test("a refusal of the exit stands at its field", () => {
  assert.equal(placeTermsRefusal("exit.at must be in the future"), "exit.at");
  assert.equal(placeTermsRefusal("exit.beforeCloseMinutes: the calendar XIST has no close"), "exit.beforeCloseMinutes");
  assert.equal(placeTermsRefusal("stopLossTrailing.distance 0 is no price"), "trailingDistance");
  assert.equal(placeTermsRefusal("an active OCO group already exists"), undefined);
});
