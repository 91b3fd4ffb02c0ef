/** The form of a pending OCO: its input, its request and its messages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextStepText } from "../../../edge/web/dashboard/setup/next-step.ts";
import {
  crossedText,
  EMPTY_SETUP,
  findSetupFaults,
  levelTexts,
  placeSetupRefusal,
  riskText,
  type SetupDraft,
  setupBody,
  setupChangeBody,
  setupChanges,
  setupDraftOf,
  setupWorth,
  withSetupLots,
} from "../../../edge/web/dashboard/setup/setup-draft.ts";
import type { Entry, Setup } from "../../../edge/web/dashboard/state/model.ts";

const ZONE = "Europe/Istanbul";
const GOOD = withSetupLots(EMPTY_SETUP, "100");
const SETUP: Setup = {
  ...{ setupId: 7, symbol: "THYAO", brokerOrderNo: "12", createdDate: "2026-11-21T10:00:00.000Z" },
  ...{ stopLossQuantity: 100, stopLossPercent: 3, stopLossPrice: null },
  takeProfitItems: [
    { quantity: 40, percent: 5, price: null },
    { quantity: 60, percent: null, price: 400 },
  ],
  ...{ dueDate: "2030-01-02T10:00:00.000Z", notes: "a note", entry: null, orderMessage: null },
  exit: { stopLoss: "once", at: null, beforeCloseMinutes: 15 },
  stopLossTrailing: { distancePercent: 3, activationPrice: 320 },
};
const BEFORE = setupDraftOf(SETUP, ZONE);

function withStop(unit: "percent" | "price", text: string): SetupDraft {
  return { ...GOOD, stopLoss: { unit, text } };
}

test("a good draft has no fault, and its body has each level in the way in which it was given", () => {
  assert.deepEqual(findSetupFaults(GOOD, "BIST", 300), {});
  assert.deepEqual(setupBody(GOOD, ZONE), {
    ...{ stopLossQuantity: 100, stopLossPercent: 3 },
    takeProfitItems: [{ quantity: 100, percent: 5 }],
  });
  assert.deepEqual(setupBody({ ...withStop("price", "290,50"), notes: "x" }, ZONE), {
    ...{ stopLossQuantity: 100, stopLossPrice: 290.5, notes: "x" },
    takeProfitItems: [{ quantity: 100, percent: 5 }],
  });
});

test("a level in percent has the price that it gets from the limit or the trigger of the buy", () => {
  const entry = { orderType: 2, price: 30, quantity: 100, filledQuantity: 0 } as Entry;
  const levels = [
    { quantity: 40, percent: 3, price: null },
    { quantity: 60, percent: null, price: 25 },
  ];
  for (const [setup, side, texts] of [
    [{ entry }, "below", ["40 at about 29.10 (-3%)", "60 at 25.00"]],
    [{ entry }, "above", ["40 at about 30.90 (+3%)", "60 at 25.00"]],
    [
      { entry: { ...entry, orderType: 1, price: 0, triggerPrice: 20 } as Entry },
      "below",
      ["40 at about 19.40 (-3%)", "60 at 25.00"],
    ],
    [{ entry: { ...entry, orderType: 1, price: 0 } as Entry }, "below", ["40 at 3% below the fill", "60 at 25.00"]],
    [{ entry: null }, "below", ["40 at 3% below the fill", "60 at 25.00"]],
  ] as const) {
    assert.deepEqual(levelTexts(levels, side, setup, "BIST"), texts);
  }
});

test("the next step of a pending OCO is what it waits for, and then its protection", () => {
  const entry = { orderType: 2, price: 30, quantity: 100, filledQuantity: 0, isEnding: false } as Entry;
  const stop = { ...entry, orderType: 3, price: 0, triggerPrice: 44 } as Entry;
  const then = "Filled lots are protected by the stop-loss and take-profits immediately.";
  for (const [shown, last, text] of [
    [entry, 40, `The buy fills when the price falls to 30.00 (-25.00%). ${then}`],
    [entry, undefined, `The buy fills when the price falls to 30.00. ${then}`],
    [entry, 30, `The price has reached the limit: the buy can fill now. ${then}`],
    [stop, 40, `The buy is sent when the price rises to 44.00 (+10.00%). ${then}`],
    [{ ...stop, triggeredPrice: 45 }, 45, `The buy fills at the market price. ${then}`],
    [{ ...entry, orderType: 1, price: 0 }, 40, `The buy fills at the market price. ${then}`],
    [{ ...entry, isEnding: true }, 40, then],
    [null, 40, "Once the whole order is filled, its stop-loss and take-profits are under watch."],
  ] as const)
    assert.equal(nextStepText({ entry: shown as Entry | null }, last), text);
});

test("a buy has what its exits bring, and none while a price is not known", () => {
  const entry = { orderType: 2, price: 30, quantity: 400, filledQuantity: 0 } as Entry;
  const exits = { stopLossQuantity: 400, stopLossPercent: 3, stopLossPrice: null };
  const takeProfitItems = [
    { quantity: 300, percent: 5, price: null },
    { quantity: 100, percent: null, price: 33 },
  ];
  const worth = setupWorth({ entry, ...exits, takeProfitItems }, "BIST");
  assert.deepEqual([Math.round(worth?.loss ?? 0), Math.round(worth?.gain ?? 0)], [-360, 750]);
  const fixed = { stopLossQuantity: 400, stopLossPercent: null, stopLossPrice: 28 };
  assert.equal(setupWorth({ entry, ...fixed, takeProfitItems: [] }, "BIST")?.loss, -800);
  const atMarket = { ...entry, orderType: 1, price: 0 } as Entry;
  assert.equal(setupWorth({ entry: atMarket, ...exits, takeProfitItems }, "BIST"), undefined);
  assert.equal(setupWorth({ entry: null, ...exits, takeProfitItems }, "BIST"), undefined);
});

test("lots that are none are told once, where they are typed", () => {
  assert.deepEqual(Object.keys(findSetupFaults(withSetupLots(GOOD, "1.000"), "BIST", 300)), ["stopLossQuantity"]);
});

for (const [unit, text] of [
  ["percent", "100"],
  ["percent", "0"],
  ["percent", "3 %"],
  ["percent", ""],
  ["price", "290.01"],
  ["price", ""],
  ["price", "300"],
] as const) {
  test(`“${text}” as a ${unit} is no stop-loss of a buy at 300`, () => {
    assert.deepEqual(Object.keys(findSetupFaults(withStop(unit, text), "BIST", 300)), ["stopLoss"]);
  });
}

test("a take-profit must be above a fixed stop-loss and the limit of the buy, and all have lots enough", () => {
  const at = (text: string, quantity = "100"): SetupDraft => {
    return { ...withStop("price", "290"), takeProfits: [{ key: 1, unit: "price", text, quantity }] };
  };
  assert.deepEqual(findSetupFaults(at("290"), "BIST", undefined), { price1: "Must be above the stop-loss." });
  assert.match(findSetupFaults(at("300"), "BIST", 300).price1 ?? "", /price of the buy, 300\.00/);
  assert.deepEqual(findSetupFaults(at("300.25"), "BIST", 300), {});
  assert.deepEqual(Object.keys(findSetupFaults(at("400", "101"), "BIST", 300)), ["stopLossQuantity"]);
  assert.deepEqual(Object.keys(findSetupFaults(at("400", "1.000"), "BIST", 300)), ["quantity1"]);
});

test("one take-profit of all lots follows other lots; one of fewer lots, and several ones, stay", () => {
  assert.equal(withSetupLots(GOOD, "40").takeProfits[0]?.quantity, "40");
  const fewer = { ...GOOD, takeProfits: [{ key: 1, unit: "percent", text: "5", quantity: "30" }] } as const;
  assert.equal(withSetupLots(fewer, "40").takeProfits[0]?.quantity, "30");
  assert.deepEqual(withSetupLots(BEFORE, "200").takeProfits, BEFORE.takeProfits);
});

test("a draft of what is registered changes nothing", () => {
  assert.deepEqual(setupChanges(BEFORE, BEFORE, ZONE), []);
  assert.deepEqual(setupChangeBody(SETUP, BEFORE, BEFORE, ZONE), {});
});

const CHANGES: readonly (readonly [string, Partial<SetupDraft>, object, string])[] = [
  ["a percent", { stopLoss: { unit: "percent", text: "4" } }, { stopLossPercent: 4 }, "100 at 4% below the fill"],
  ["a price for a percent", { stopLoss: { unit: "price", text: "280" } }, { stopLossPrice: 280 }, "100 at 280.00"],
  ["lots", { stopLossQuantity: "120" }, { stopLossQuantity: 120 }, "120 at 3% below the fill"],
  [
    "take-profits",
    { takeProfits: BEFORE.takeProfits.slice(0, 1) },
    { takeProfitItems: [{ quantity: 40, percent: 5 }] },
    "40 at 5% above the fill",
  ],
  ["no due date", { dueDate: "" }, { dueDate: null }, ""],
  ["no note", { notes: "" }, { notes: null }, ""],
  ["no trailing", { trailingDistance: "" }, { stopLossTrailing: null }, ""],
  [
    "another distance, with the activation that no field shows",
    { trailingDistance: "5" },
    { stopLossTrailing: { distance: 5, activationPrice: 320 } },
    "5",
  ],
  [
    "no time of the exit",
    { exit: { ...BEFORE.exit, beforeCloseMinutes: "" } },
    { exit: { beforeCloseMinutes: null } },
    "",
  ],
];
for (const [name, change, body, text] of CHANGES) {
  test(`a change to ${name} is sent alone, and shown with the old and the new value`, () => {
    const after = { ...BEFORE, ...change };
    assert.deepEqual(setupChangeBody(SETUP, BEFORE, after, ZONE), body);
    const shown = setupChanges(BEFORE, after, ZONE);
    assert.deepEqual(
      shown.map((one) => one.after),
      [text],
    );
    assert.notEqual(shown[0]?.before, text);
  });
}

const ENTRY: Entry = {
  ...{ orderType: 3, price: 0, triggerPrice: 310, triggeredPrice: null, expiresAt: "2030-01-01T10:00:00.000Z" },
  ...{ quantity: 100, filledQuantity: 0, isEnding: false },
};

test("of an entry its trigger, while it waits, and its expiry are changed", () => {
  const setup = { ...SETUP, entry: ENTRY };
  const before = setupDraftOf(setup, ZONE);
  const after = { ...before, trigger: "312", expires: "" };
  assert.deepEqual(setupChangeBody(setup, before, after, ZONE), { triggerPrice: 312, expiresAt: null });
  assert.deepEqual(
    setupChanges(before, after, ZONE).map(({ what, after: text }) => [what, text]),
    [
      ["Trigger price", "312.00"],
      ["Buy is cancelled", ""],
    ],
  );
  const later = { ...before, expires: "2030-01-02T11:00" };
  const expiresAt = new Date("2030-01-02T11:00").toISOString();
  assert.deepEqual(setupChangeBody(setup, before, later, ZONE), { expiresAt });
  assert.deepEqual(Object.keys(findSetupFaults({ ...before, trigger: "312.01" }, "BIST", 312)), ["triggerPrice"]);
  assert.equal(setupDraftOf({ ...setup, entry: { ...ENTRY, triggeredPrice: 311 } }, ZONE).trigger, "");
});

test("the money at risk is that of the rounded stop-loss, by percent and by price", () => {
  assert.match(riskText(GOOD, 300, "BIST"), /about 900\.00, if 100 lots .* at 300\.00 and sold at 291\.00/);
  assert.match(riskText(withStop("price", "290"), 300, "BIST"), /about 1,000\.00/);
  assert.match(riskText(GOOD, undefined, "BIST"), /not known/);
});

test("levels that the price has passed are named, percents never are", () => {
  assert.equal(crossedText(GOOD, 300), undefined);
  assert.equal(crossedText(withStop("price", "290"), 300), undefined);
  assert.match(crossedText(withStop("price", "300"), 300) ?? "", /the stop-loss would sell/);
});

test("a refusal stands at the field that it names", () => {
  for (const [message, field] of [
    ["stopLossPercent 100 is not below 100", "stopLoss"],
    ["stopLossPrice must be lower than entry.price (300)", "stopLoss"],
    ["takeProfitItems[1].percent 0 is no percent", "price2"],
    ["takeProfitItems[0].quantity must be 1 or more", "quantity1"],
    ["takeProfitItems quantities together (5) must not be above stopLossQuantity (4)", "stopLossQuantity"],
    ["dueDate must be in the future", "dueDate"],
    ["exit.at must be in the future", "exit.at"],
    ["triggerPrice 312.01 is not a multiple of 0.25", "triggerPrice"],
    ["expiresAt must be in the future", "expiresAt"],
    ["brokerOrderNo is cancelled or rejected", ""],
  ] as const) {
    assert.deepEqual(placeSetupRefusal(BEFORE, message), { [field]: message });
  }
});
