/** What the form of a group takes for a number, and what it does with its levels when the symbol changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bodyOf,
  type Draft,
  draftOf,
  emptyDraft,
  findExcess,
  findFaults,
  findMissingLots,
  findReached,
  placeRefusal,
  proposeLevels,
  proposeLots,
  readLevel,
  readPercent,
  stepPrice,
  unprotectedLots,
  withLots,
  withSymbol,
  withTakeProfits,
  withTypedLots,
} from "../../../edge/web/dashboard/group/levels.ts";
import { speak } from "../../../edge/web/dashboard/language/say.ts";

const GOOD: Draft = {
  ...draftOf({ symbol: "THYAO", quantity: 100 }),
  stopLossPrice: "300",
  takeProfits: [{ key: 1, price: "400.25", quantity: "100" }],
};

test("a good draft has no fault, and its body has its numbers", () => {
  assert.deepEqual(findFaults(GOOD, "BIST"), {});
  assert.deepEqual(bodyOf(GOOD, "PAPER", "PAPER-1", "Europe/Istanbul"), {
    ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol: "THYAO" },
    ...{ stopLossPrice: 300, stopLossQuantity: 100, takeProfitItems: [{ price: 400.25, quantity: 100 }] },
  });
});

for (const text of ["1.000", "1,000", "1e3", "0x10", "-5", "1.", "", "0"]) {
  test(`“${text}” is no number of lots`, () => {
    assert.deepEqual(Object.keys(findFaults({ ...GOOD, stopLossQuantity: text }, "BIST")), ["stopLossQuantity"]);
    const takeProfits = [{ key: 1, price: "400", quantity: text }];
    assert.deepEqual(Object.keys(findFaults({ ...GOOD, takeProfits }, "BIST")), ["quantity1"]);
  });
}

for (const text of ["1.250", "1,250", "1,25,5", "1,312.505", "13,12.50", "1e2", "0x10", "-5", "250.", ""]) {
  test(`“${text}” is no price: not in the fields, not on the chart, not by the arrow keys`, () => {
    assert.deepEqual(Object.keys(findFaults({ ...GOOD, stopLossPrice: text }, "BIST")), ["stopLossPrice"]);
    assert.deepEqual(findReached({ ...GOOD, stopLossPrice: text }, 0.5), []);
    assert.equal(stepPrice(text, "up", "BIST"), text);
  });
}

for (const [text, price] of [
  ["312,50", 312.5],
  ["312,5", 312.5],
  ["1,312.00", 1_312],
  ["1.312,00", 1_312],
  [" 310 ", 310],
] as const) {
  test(`“${text}” is the price ${price}, also in the body and by the arrow keys`, () => {
    const draft = { ...GOOD, stopLossPrice: text, takeProfits: [{ key: 1, price: "2000", quantity: "100" }] };
    assert.deepEqual(findFaults(draft, "BIST"), {});
    const { stopLossPrice } = bodyOf(draft, "PAPER", "PAPER-1", "Europe/Istanbul") as {
      readonly stopLossPrice: number;
    };
    assert.equal(stopLossPrice, price);
    assert.notEqual(stepPrice(text, "up", "BIST"), text);
  });
}

test("more lots than are held are found, and an unknown holding is not none", () => {
  assert.equal(findExcess(GOOD, undefined), undefined);
  assert.equal(findExcess(GOOD, 100), undefined);
  assert.match(String(findExcess(GOOD, 99)), /holds 99 THYAO/);
  assert.match(String(findExcess(GOOD, 0)), /holds no THYAO/);
});

test("a refusal stands at the field that it names", () => {
  assert.deepEqual(Object.keys(placeRefusal(GOOD, "dueDate must be in the future")), ["dueDate"]);
  assert.deepEqual(Object.keys(placeRefusal(GOOD, "takeProfitItems[0].price 1 is not a multiple")), ["price1"]);
  assert.deepEqual(Object.keys(placeRefusal(GOOD, "an active OCO group already exists")), [""]);
});

test("take-profits that sell more than is protected are a fault", () => {
  const takeProfits = [1, 2].map((key) => ({ key, price: "400", quantity: "60" }));
  assert.deepEqual(Object.keys(findFaults({ ...GOOD, takeProfits }, "BIST")), ["stopLossQuantity"]);
});

test("another symbol takes back the proposed levels and keeps the typed ones", () => {
  const proposed = proposeLevels(GOOD, 310, "BIST");
  assert.deepEqual([proposed.stopLossPrice, proposed.takeProfits[0]?.price], ["300.75", "325.50"]);
  const typed: Draft = { ...proposed, stopLossPrice: "290" };
  const changed = withSymbol(typed, "GARAN");
  assert.deepEqual(
    [changed.symbol, changed.stopLossPrice, changed.takeProfits],
    ["GARAN", "290", [{ key: 1, price: "", quantity: "100" }]],
  );
  assert.equal(withSymbol(typed, "THYAO"), typed);
});

const lotsOf = ({ stopLossQuantity, takeProfits }: Draft): readonly string[] => [
  stopLossQuantity,
  ...takeProfits.map(({ quantity }) => quantity),
];

test("the proposed lots follow what no other group protects, until lots are typed", () => {
  const draft = withSymbol(emptyDraft, "THYAO");
  const proposed = proposeLots(draft, 60);
  assert.deepEqual(lotsOf(proposed), ["60", "60"]);
  assert.deepEqual(lotsOf(proposeLots(proposed, 40)), ["40", "40"]);
  assert.deepEqual(lotsOf(proposeLots(proposed, 0)), ["", ""]);
  const [item] = proposed.takeProfits;
  assert.ok(item !== undefined);
  for (const typed of [
    withTypedLots(proposed, "50"),
    withLots(proposed, 50),
    withTakeProfits(proposed, [{ ...item, quantity: "50" }]),
    withTakeProfits(proposed, [item, { ...item, key: 2, quantity: "" }]),
  ]) {
    assert.equal(proposeLots(typed, 60), typed);
  }
  const otherLevel = withTakeProfits(proposed, [{ ...item, price: "400" }]);
  assert.deepEqual(lotsOf(proposeLots(otherLevel, 40)), ["40", "40"], "a typed price is no typed lots");
});

test("proposed lots go with their symbol, and typed ones remain", () => {
  const draft = withSymbol(emptyDraft, "THYAO");
  assert.deepEqual(lotsOf(withSymbol(proposeLots(draft, 60), "GARAN")), ["", ""]);
  assert.deepEqual(lotsOf(withSymbol(withLots(draft, 60), "GARAN")), ["60", "60"]);
  const cleared = withSymbol(withTypedLots(draft, ""), "GARAN");
  assert.deepEqual(lotsOf(proposeLots(cleared, 30)), ["30", "30"], "no lots are no typed lots of another symbol");
});

test("a single take-profit that sells all lots continues to do so, and another one keeps its lots", () => {
  assert.deepEqual(lotsOf(withTypedLots(GOOD, "70")), ["70", "70"]);
  const part = { ...GOOD, takeProfits: [{ key: 1, price: "400", quantity: "40" }] };
  assert.deepEqual(lotsOf(withTypedLots(part, "70")), ["70", "40"]);
  const two = { ...GOOD, takeProfits: [1, 2].map((key) => ({ key, price: "400", quantity: "100" })) };
  assert.deepEqual(lotsOf(withTypedLots(two, "70")), ["70", "100", "100"]);
});

test("lots are unprotected only if the holding and the groups are known", () => {
  assert.equal(unprotectedLots(100, 30), 70);
  assert.equal(unprotectedLots(100, 130), 0);
  assert.equal(unprotectedLots(undefined, 0), undefined);
  assert.equal(unprotectedLots(100, undefined), undefined);
});

for (const [name, changes, held, unprotected, expected] of [
  ["none are missing", {}, 0, 0, undefined],
  ["no lots", { stopLossQuantity: " " }, 100, 100, "Give the lots to protect."],
  ["zero lots", { stopLossQuantity: "0" }, undefined, undefined, "Give the lots to protect."],
  ["nothing is held", { stopLossQuantity: "" }, 0, 0, "The account holds no THYAO: there are no lots to protect."],
  [
    "other groups protect all",
    { stopLossQuantity: "" },
    1_000,
    0,
    "Other groups protect all 1,000 THYAO. Give the lots to protect.",
  ],
  ["no symbol", { symbol: "", stopLossQuantity: "" }, 0, 0, "Choose a symbol and give the lots to protect."],
  [
    "a take-profit without lots",
    { takeProfits: [{ key: 1, price: "400", quantity: "0" }] },
    100,
    100,
    "Give the lots of each take-profit.",
  ],
  ["lots that are no number have a fault at their field", { stopLossQuantity: "1.000" }, 100, 100, undefined],
] as const) {
  test(`missing lots: ${name}`, () =>
    assert.equal(findMissingLots({ ...GOOD, ...changes }, held, unprotected), expected));
}

test("a price that breaks a rule is named with the rule", () => {
  assert.deepEqual(readLevel("300.1", "BIST"), { fault: "The price 300.1 is not a multiple of 0.25." });
  assert.deepEqual(readLevel("0", "BIST"), { fault: "The price 0 is not a price from 0.01 to 9999999." });
  assert.equal(readLevel("300.25", "BIST"), 300.25);
});

for (const [text, kind, found] of [
  ["2.5", "stopLoss", 2.5],
  ["100", "takeProfit", 100],
  ["0", "takeProfit", "The percent 0 is not a percent greater than 0."],
  ["100", "stopLoss", "The percent 100 is not below 100."],
  ["10001", "takeProfit", "The percent 10001 is over 10000."],
] as const) {
  test(`the percent ${text} of a ${kind} gives ${found}`, () => {
    assert.deepEqual(readPercent(text, kind), typeof found === "number" ? found : { fault: found });
  });
}

test("levels in Turkish are proposed, stepped and read with a comma", (t) => {
  t.after(() => speak("en"));
  speak("tr");
  const { stopLossPrice } = proposeLevels(GOOD, 310, "BIST");
  assert.equal(stopLossPrice, "300,75");
  assert.equal(readLevel(stopLossPrice, "BIST"), 300.75);
  assert.equal(stepPrice(stopLossPrice, "up", "BIST"), "301,00");
  assert.equal(stepPrice("301", "up", "BIST"), "301,25");
  assert.deepEqual(readLevel("300,1", "BIST"), { fault: "300,1 fiyat adımına uymuyor, adım 0,25." });
});

test("a holding of which nothing is free leaves the lots to be typed", () => {
  const { stopLossQuantity, takeProfits } = draftOf({ symbol: "KCHOL", quantity: 0 });
  assert.deepEqual([stopLossQuantity, takeProfits[0]?.quantity], ["", ""]);
});
