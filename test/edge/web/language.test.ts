/** The texts of the page: every translation names the values of its text, and is used. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, test } from "node:test";
import { say, speak } from "../../../edge/web/dashboard/language/say.ts";
import { TURKISH } from "../../../edge/web/dashboard/language/turkish.ts";

const PAGE = new URL("../../../edge/web/dashboard/", import.meta.url);
const EVENTS = new URL("../../../src/event/", import.meta.url);
const namesOf = (folder: URL): readonly string[] => readdirSync(folder, { recursive: true, encoding: "utf8" });
const files = namesOf(PAGE).filter((name) => /\.tsx?$/.test(name));
const sourceOf = (name: string, folder = PAGE): string => readFileSync(new URL(name, folder), "utf8");
const namesIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort();

describe("texts of the page", () => {
  afterEach(() => speak("en"));

  test("a text is said in the language of the page, with its values", () => {
    assert.equal(say("Leave the form?"), "Leave the form?");
    speak("tr");
    assert.equal(say("Leave the form?"), "Formdan çıkılsın mı?");
  });

  test("one lot is singular, in texts and in events", () => {
    assert.deepEqual([say("{lots} lots", { lots: "1" }), say("{lots} lots", { lots: 1 })], ["1 lot", "1 lot"]);
    assert.deepEqual([say("{lots} lots", { lots: "0" }), say("{lots} lots", { lots: "11" })], ["0 lots", "11 lots"]);
    const reached = "The last price has reached {price} already: {lots} lots are sold at market immediately.";
    assert.match(say(reached, { price: "9", lots: "1" }), /: 1 lot is sold at market/);
    assert.match(say(reached, { price: "9", lots: "2" }), /: 2 lots are sold at market/);
    speak("tr");
    assert.equal(say("{lots} lots", { lots: "1" }), "1 lot");
  });

  test("an alert is turned on, a bot is started", () => {
    assert.match(sourceOf("page/alerts.tsx"), /say\("Turn off"\) : say\("Turn on"\)/);
    assert.match(sourceOf("bot/bots.tsx"), /say\("Switch off"\) : say\("Switch on"\)/);
    speak("tr");
    assert.deepEqual([say("Turn on"), say("Turn off")], ["Aç", "Kapat"]);
    assert.deepEqual([say("Switch on"), say("Switch off")], ["Başlat", "Kapat"]);
    assert.notEqual(say("Switch off"), say("Halt"), "a halt is of all trading");
  });

  test("a context at the end of a key chooses the translation, and is never shown", () => {
    assert.deepEqual([say("Sell"), say("Sell|order")], ["Sell", "Sell"]);
    speak("tr");
    assert.deepEqual([say("Sell"), say("Sell|order")], ["Satış", "Sat"]);
  });

  test("a translation names the same values as its text", () => {
    for (const [text, translation] of Object.entries(TURKISH))
      assert.deepEqual(namesIn(translation), namesIn(text), text);
  });

  test("a text has one translation, in one file", () => {
    const keys = files
      .filter((name) => name.startsWith("language/turkish/"))
      .flatMap((name) =>
        [...sourceOf(name).matchAll(/^ {2}(?:"(.+?)"|(\w+)):/gm)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
      );
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
  });

  test("every translated text is used by the page", () => {
    const sources = files
      .filter((name) => !name.startsWith("language/turkish/"))
      .map((name) => sourceOf(name))
      .concat(namesOf(EVENTS).map((name) => sourceOf(name, EVENTS)))
      .join("\n");
    assert.deepEqual(
      Object.keys(TURKISH).filter((text) => !sources.includes(`"${text}"`)),
      [],
    );
  });
});
