/** What the form of a bot takes for a number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BotDraft,
  botBody,
  botChanges,
  draftOfBot,
  findBotFaults,
} from "../../../edge/web/dashboard/bot/draft.ts";

const ACCOUNT = {
  ...{ accountNumber: "PAPER-1", number: "1", name: "mine", brokerageCode: "PAPER" },
  ...{ isActive: true, isDefault: true },
};
const VALUES = { symbol: "GARAN", quantity: "10", buyGap: "0.25", targetProfit: "0.125", minBuyPrice: "" };

function draftWith(values: Readonly<Record<string, string>>): BotDraft {
  return { name: "dips", details: [{ key: 0, values: { ...VALUES, ...values } }] };
}

test("a good draft has no fault, and what is left empty is not sent", () => {
  assert.deepEqual(
    findBotFaults("level-bots", draftWith({}), () => "BIST"),
    {},
  );
  assert.deepEqual(botBody("level-bots", draftWith({}), ACCOUNT), {
    ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", name: "dips", isActive: true },
    levelBotDetails: [{ symbol: "GARAN", quantity: 10, buyGap: 0.25, targetProfit: 0.125 }],
  });
});

for (const [field, text] of [
  ["quantity", "1.000"],
  ["quantity", "1e3"],
  ["buyGap", "1.250"],
  ["buyGap", "0x10"],
  ["sellGap", "1,505"],
  ["profit", "1.000"],
  ["targetProfit", "1e1"],
  ["maxSellPrice", "1.250"],
] as const) {
  test(`“${text}” is refused as ${field}, at its field and in words`, () => {
    const faults = findBotFaults("level-bots", draftWith({ [field]: text }), () => "BIST");
    assert.deepEqual(Object.keys(faults), [`0.${field}`]);
    assert.match(faults[`0.${field}`] ?? "", /^Digits/);
  });
}

const LIMITS = { maxBuyPrice: 0, minBuyPrice: 90.5, maxSellPrice: 0, minSellPrice: 0 };
const DETAIL = { symbol: "GARAN", quantity: 10, buyGap: 0.25, sellGap: 0, targetProfit: 0.125, profit: 0, ...LIMITS };
const BOT = { id: 7, name: "dips", isActive: false, isRunning: false, levelBotDetails: [DETAIL] };

test("a bot becomes a draft and the same bot again; a limit of zero is left out, and what is switched off stays so", () => {
  const body = botBody("level-bots", draftOfBot("level-bots", BOT), ACCOUNT, BOT.isActive);
  assert.deepEqual(body, {
    ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", name: "dips", isActive: false },
    levelBotDetails: [{ symbol: "GARAN", quantity: 10, buyGap: 0.25, targetProfit: 0.125, minBuyPrice: 90.5 }],
  });
  const confirmed = { ...BOT, levelBotDetails: [{ ...DETAIL, confirmTicks: 2 }] };
  const again = botBody("level-bots", draftOfBot("level-bots", confirmed), ACCOUNT) as typeof confirmed;
  assert.equal(again.levelBotDetails[0]?.confirmTicks, 2);
});

test("a change is what differs: a limit that is taken away, and each value of a symbol that is left out", () => {
  const before = draftOfBot("level-bots", BOT);
  assert.deepEqual(botChanges("level-bots", before, before), []);
  const details = before.details.map(({ key, values }) => ({ key, values: { ...values, minBuyPrice: "" } }));
  assert.deepEqual(botChanges("level-bots", before, { ...before, details }), [
    { what: "GARAN: Buy at least at", before: "90.5", after: "" },
  ]);
  const leftOut = botChanges("level-bots", before, { ...before, details: [] });
  assert.deepEqual(
    leftOut.map(({ after }) => after),
    ["", "", "", "", ""],
  );
});
