/** Date and time as they are typed and shown in a field. */
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { LANGUAGES, speak } from "../../../edge/web/dashboard/language/say.ts";
import { momentPattern, momentText, readMoment } from "../../../edge/web/dashboard/part/moment-text.ts";

describe("a moment in a field", () => {
  afterEach(() => speak("en"));

  test("is in the form of the page's language", () => {
    assert.deepEqual([momentText("2026-03-02T17:50"), momentPattern()], ["2026-03-02 17:50", "yyyy-mm-dd hh:mm"]);
    speak("tr");
    assert.deepEqual([momentText("2026-03-02T17:50"), momentPattern()], ["02.03.2026 17:50", "gg.aa.yyyy ss:dd"]);
  });

  for (const language of LANGUAGES)
    test(`is read as it is shown in ${language}`, () => {
      speak(language);
      for (const value of ["2026-03-02T17:50", "2028-02-29T00:00", ""])
        assert.equal(readMoment(momentText(value)), value);
    });

  for (const text of ["2026-03-02 17:50", "2026-3-2 17:50", "02.03.2026 17:50", "2.3.2026, 17.50", "2026-03-02T17:50"])
    test(`“${text}” is the 2nd of March, in each language`, () => {
      for (const language of LANGUAGES) {
        speak(language);
        assert.equal(readMoment(` ${text} `), "2026-03-02T17:50");
      }
    });

  for (const text of [
    "2026-03-02",
    "17:50",
    "2026-02-30 17:50",
    "2026-03-02 24:00",
    "2026-03-02 17:60",
    "02/03/2026 17:50",
  ])
    test(`“${text}” is no moment`, () => {
      assert.equal(readMoment(text), undefined);
    });
});
