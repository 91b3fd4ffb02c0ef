/** Numbers as people type and paste them, in each language of the page. */
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { moneyText, priceText, quantityText, shareText } from "../../../edge/web/dashboard/language/numbers.ts";
import { LANGUAGES, speak } from "../../../edge/web/dashboard/language/say.ts";
import {
  numberRule,
  readNumber,
  readSymbol,
  typedPrice,
  typedText,
} from "../../../edge/web/dashboard/part/number-text.ts";

describe("typed numbers in each language", () => {
  afterEach(() => speak("en"));

  const REFUSED = undefined;

  /** A typed price with up to six decimals, its value in English, and its value in Turkish. */
  const PRICES = [
    ["312", 312, 312],
    ["1312", 1_312, 1_312],
    ["312.5", 312.5, 312.5],
    ["312,5", 312.5, 312.5],
    ["312.50", 312.5, 312.5],
    ["312,50", 312.5, 312.5],
    [" 312,50 ", 312.5, 312.5],
    ["1,312.50", 1_312.5, 1_312.5],
    ["1.312,50", 1_312.5, 1_312.5],
    ["1,000,312.5", 1_000_312.5, 1_000_312.5],
    ["1.000.312,5", 1_000_312.5, 1_000_312.5],
    ["1.312,125", 1_312.125, 1_312.125],
    // The sign of the language, with three digits behind it, is before decimals; the other one might be in a thousand.
    ["1.312", 1.312, REFUSED],
    ["1,312", REFUSED, 1.312],
    ["312.000", 312, REFUSED],
    ["312,000", REFUSED, 312],
    ["1312.125", 1_312.125, REFUSED],
    ["1312,125", REFUSED, 1_312.125],
    // No zero has thousands, and no thousand has four digits.
    ["0.123", 0.123, 0.123],
    ["0,123", 0.123, 0.123],
    ["0.1234", 0.1234, 0.1234],
    ["0,1234", 0.1234, 0.1234],
    ["12.3456", 12.3456, 12.3456],
    ["12,3456", 12.3456, 12.3456],
    ["0,123.5", REFUSED, REFUSED],
    ["0.123,5", REFUSED, REFUSED],
    ["1,312,500", REFUSED, REFUSED],
    ["1.312.500", REFUSED, REFUSED],
    ["1.312,50,5", REFUSED, REFUSED],
    ["1312,500.5", REFUSED, REFUSED],
    ["1,31.5", REFUSED, REFUSED],
    ["0,1234567", REFUSED, REFUSED],
    [",5", REFUSED, REFUSED],
    ["5,", REFUSED, REFUSED],
    ["1e3", REFUSED, REFUSED],
    ["-1", REFUSED, REFUSED],
    ["", REFUSED, REFUSED],
  ] as const;

  /** Typed lots, which have no decimals. */
  const LOTS = [
    ["4000", 4_000, 4_000],
    ["1.312", REFUSED, 1_312],
    ["1.312.500", REFUSED, 1_312_500],
    ["1,312", REFUSED, REFUSED],
    ["0.123", REFUSED, REFUSED],
    ["13.12", REFUSED, REFUSED],
    ["1.312,5", REFUSED, REFUSED],
  ] as const;

  for (const [index, language] of LANGUAGES.entries()) {
    test(`prices and lots are read as ${language} writes them, and nothing ambiguous is guessed at`, () => {
      speak(language);
      for (const row of PRICES) assert.equal(readNumber(row[0], 6), row[index + 1], `price ${row[0]}`);
      for (const row of LOTS) assert.equal(readNumber(row[0], 0), row[index + 1], `lots ${row[0]}`);
    });

    test(`what a page or a field shows in ${language} can be pasted into a field`, () => {
      speak(language);
      for (const price of [1_312.5, 0.1234, 1_312.125, 12.125, 0.05, 999.999999, 1_312_000]) {
        assert.equal(readNumber(priceText(price), 6), price, priceText(price));
        assert.equal(readNumber(typedText(price), 6), price, typedText(price));
        assert.equal(readNumber(typedPrice(price), 6), price, typedPrice(price));
      }
    });
  }

  test("Turkish numbers have a point between thousands and a comma before decimals", () => {
    speak("tr");
    assert.deepEqual(
      [priceText(1_312.5), priceText(0.1234), moneyText(-1_312.5), quantityText(4_000)],
      ["1.312,50", "0,1234", "-1.312,50", "4.000"],
    );
    assert.equal(readNumber(quantityText(1_312_500), 0), 1_312_500);
  });

  test("no line ends between a sign and the percent behind it", () => {
    speak("tr");
    assert.deepEqual([shareText(0.015), shareText(-0.015), shareText(0)], ["+\u2060%1,50", "-\u2060%1,50", "%0,00"]);
    speak("en");
    assert.deepEqual([shareText(0.015), shareText(-0.015), shareText(0)], ["+1.50%", "-1.50%", "0.00%"]);
  });

  test("a price in a field has two decimals or more, and lots have none", () => {
    const prices = [173.7, 174, 0.05, 0.1234, 1_312.125];
    assert.deepEqual(prices.map(typedPrice), ["173.70", "174.00", "0.05", "0.1234", "1312.125"]);
    assert.equal(typedText(174), "174");
    speak("tr");
    assert.deepEqual(prices.slice(0, 2).map(typedPrice), ["173,70", "174,00"]);
  });

  test("the Turkish rule says how to type what was refused", () => {
    speak("tr");
    assert.match(numberRule(6), /1\.312 .*1312.*1,31/);
  });

  test("a symbol has the plain letter I, whichever one the keyboard gives", () => {
    assert.deepEqual([" isctr", "ıSCTR", "İSCTR"].map(readSymbol), ["ISCTR", "ISCTR", "ISCTR"]);
  });
});
