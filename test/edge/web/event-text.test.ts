/** Events in the language of the page: each sentence and each name has a translation. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, describe, test } from "node:test";
import ts from "typescript";
import { eventText, listedText, patternsText, patternText } from "../../../edge/web/dashboard/language/event-text.ts";
import { speak } from "../../../edge/web/dashboard/language/say.ts";
import { TURKISH } from "../../../edge/web/dashboard/language/turkish.ts";
import { EVENT_TYPES, STREAM_EVENTS } from "../../../src/contract/event/event.ts";
import { eventSentence, type ToldEvent } from "../../../src/event/describe-event.ts";
import { parseSource, walk } from "../../tidy/source.ts";

const TYPES = [...EVENT_TYPES, ...Object.keys(STREAM_EVENTS)];
const NAMES = new Map([[4, "Dips"]]);

const ROW = {
  ...{ id: 12, groupId: 11, accountNumber: "A1", symbol: "THYAO", orderType: 1, quantity: 4_000, price: 110 },
  ...{ status: 1, triggeredPrice: 111.5, brokerOrderNo: "B7", buyQuantity: 10, sellQuantity: 10, buyPrice: 101.5 },
};
const ORDER = {
  ...{ orderNo: "N1", clientOrderId: "abc-r8", symbol: "GARAN", quantity: 1_000, filledQuantity: 40 },
  ...{ buySell: 1, orderStatus: 1 },
};
const WHOLE = {
  ...{ row: ROW, rows: [{ ...ROW, orderType: 2 }], order: ORDER, symbol: "THYAO", price: 1_312.5, systemId: 4 },
  ...{ clientOrderId: "abc-r8", accountNumber: "A1", orders: [ORDER], symbols: ["THYAO"], quantity: 7, keyId: 3 },
};

/** Each variant of an event that has a text of its own. */
const VARIANTS: readonly object[] = [
  ...[{}, WHOLE],
  { ...WHOLE, row: { ...ROW, orderType: 2, triggeredPrice: null, brokerOrderNo: null, isActive: false } },
  { ...WHOLE, clientOrderId: undefined, systemId: 5, order: { ...ORDER, buySell: 2, orderStatus: 3 } },
  { ...WHOLE, left: [1], order: { ...ORDER, orderStatus: 4 } },
  ...[100, 103].map((sellPrice) => ({ ...WHOLE, row: { ...ROW, sellPrice } })),
  ...[{ isPartFilled: true }, { isByOwner: true }],
  ...["groupId", "setupId", "orderId", "familyId"].map((owner) => ({ [owner]: 5 })),
  ...["installation", "user", "account"].flatMap((scope) =>
    [{ state: "active" }, { state: "reducing" }, { state: "halted" }, { state: "halted", includingStops: true }].map(
      (state) => ({ scope, ...state }),
    ),
  ),
];

describe("events in the language of the page", () => {
  afterEach(() => speak("en"));

  test("every type has a sentence of its own in Turkish, too, whatever the event lacks", () => {
    speak("tr");
    const told = new Map<string, string>();
    for (const type of TYPES) {
      const sentence = eventText({ type }, NAMES);
      assert.match(sentence, /^[^\n{}]{3,}$/, type);
      assert.equal(told.get(sentence), undefined, `${type} is told like ${told.get(sentence)}`);
      told.set(sentence, type);
    }
  });

  test("no variant of a Turkish sentence is English, and none lacks a value", () => {
    speak("tr");
    for (const type of TYPES)
      for (const variant of VARIANTS) {
        const event: ToldEvent = { ...variant, type };
        const sentence = eventText(event, NAMES);
        assert.notEqual(sentence, eventSentence(event, NAMES), type);
        for (const text of [sentence, listedText(event, NAMES)]) assert.doesNotMatch(text, /undefined|[{}]/, type);
      }
  });

  test("a list leaves out of a sentence what it shows next to it", () => {
    const pair = { ...ROW, sellPrice: 103 };
    for (const [type, row, text] of [
      ["oco.triggered", ROW, "Take-profit at 110.00 fired at 111.50: market sell of 4,000 lots"],
      ["pair.sold", pair, "Bot “Dips” sold, bought at 101.50"],
      ["pair.bought", pair, "Bot “Dips” bought"],
    ] as const)
      assert.equal(listedText({ type, row, symbol: "THYAO", systemId: 4 }, NAMES), text);
  });

  test("a list says what an order has bought so far, and which buy a pending OCO waits for", () => {
    const sent = (buySell: number, lots: number, ofLots?: number) =>
      listedText({ type: "order.placed", order: { ...ORDER, buySell } }, NAMES, { lots, ofLots });
    assert.deepEqual(
      [sent(1, 300, 300), sent(2, 1), sent(1, 120, 300), sent(2, 120, 300), sent(1, 0, 300)],
      [
        ...["Bought 300 lots", "Sold 1 lot", "Bought 120 of 300 lots", "Sold 120 of 300 lots"],
        "Buy order N1 placed: 1000 lots",
      ],
    );
    const waiting = (entry: object) => listedText({ type: "setup.registered", row: { ...ROW, entry } }, NAMES);
    assert.deepEqual(
      [
        waiting({ quantity: 400, price: 38.5, triggerPrice: null }),
        waiting({ quantity: 400, price: 0, triggerPrice: 40 }),
        waiting({ quantity: 400, price: 0, triggerPrice: null }),
      ],
      [
        "Buy of 400 lots at 38.50 waits",
        "Buy of 400 lots waits for the price 40.00",
        "Buy of 400 lots at market waits",
      ],
    );
  });

  test("a list names the symbol of an event in no sentence, as it has a place of its own", () => {
    // Each part of an event has the same symbol, as in an event of the service.
    const row = { ...ROW, symbol: "GARAN" };
    for (const language of ["en", "tr"] as const) {
      speak(language);
      for (const type of EVENT_TYPES)
        for (const variant of VARIANTS) {
          if (!("row" in variant) || typeof variant.row !== "object") continue;
          const own = { symbol: "GARAN", row: { ...variant.row, symbol: "GARAN" }, rows: [{ ...row, orderType: 2 }] };
          const event = { ...variant, type, ...own, symbols: [] };
          assert.doesNotMatch(listedText(event, NAMES), /GARAN/, `${type} ${JSON.stringify(event)}`);
        }
    }
  });

  test("every text of an event, and every name, has a translation", () => {
    for (const file of ["describe-event.ts", "event-names.ts"]) {
      const path = `src/event/${file}`;
      const source = parseSource(path, readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));
      const texts: string[] = [];
      walk(source.tree, (node) => {
        if (ts.isStringLiteral(node) && / [a-z{]/i.test(node.text)) texts.push(node.text);
      });
      assert.ok(texts.length > 50, `${file}: ${texts.length} texts`);
      assert.deepEqual(
        texts.filter((text) => !Object.hasOwn(TURKISH, text)),
        [],
        file,
      );
    }
  });

  test("a reader gets numbers and names in Turkish, and the reason as the service sent it", () => {
    speak("tr");
    const failed = { type: "oco.triggerFailed", row: { ...ROW, price: 1_312.5 }, message: "no position" };
    assert.equal(
      eventText(failed, NAMES),
      "THYAO 1.312,50 kâr al seviyesi görüldü, ancak satış yapılamadı: no position",
    );
    assert.equal(patternText("oco.triggered"), "Bir zarar durdur veya kâr al tetiklendi");
    assert.equal(patternText("oco.*"), "OCO grupları: tüm olaylar");
    assert.equal(patternText("moon.*"), "Şununla başlayan her şey: moon.");
    assert.equal(
      patternsText(["oco.*", "price.reached", "oco.*"]),
      "OCO grupları: tüm olaylar, bir fiyat uyarısına ulaşıldı, OCO grupları: tüm olaylar",
    );
  });
});
