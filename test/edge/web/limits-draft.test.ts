/** The limits of an account in a form: what is typed, what is looser, and what is used (behaviour 27). */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changedLimits,
  draftOfLimits,
  isLooser,
  type Limits,
  limitFault,
  limitsOfDraft,
  usedShareOf,
} from "../../../edge/web/dashboard/page/limits-draft.ts";

const limits: Limits = { maxDailyLoss: 5_000, maxOrdersPerMinute: 30, maxOrderValue: null };
const used = { ...limits, realisedToday: -1_250, ordersLastMinute: 3 };

test("limits pass through the fields unchanged, and an empty field is no limit", () => {
  const draft = draftOfLimits(limits);
  assert.deepEqual(draft, { maxDailyLoss: "5000", maxOrdersPerMinute: "30", maxOrderValue: "" });
  assert.deepEqual(limitsOfDraft(draft), limits);
  assert.deepEqual(limitsOfDraft({ ...draft, maxDailyLoss: " 99.5 " }).maxDailyLoss, 99.5);
});

test("a limit is a number above zero, and a count of orders has no decimals", () => {
  const draft = draftOfLimits(limits);
  for (const [name, text, isFaulty] of [
    ["maxDailyLoss", "99.5", false],
    ["maxDailyLoss", "", false],
    ["maxDailyLoss", "0", true],
    ["maxDailyLoss", "-5", true],
    ["maxDailyLoss", "5.125", true],
    ["maxOrdersPerMinute", "2.5", true],
    ["maxOrdersPerMinute", "2", false],
    ["maxOrderValue", "much", true],
  ] as const)
    assert.equal(limitFault({ ...draft, [name]: text }, name) !== undefined, isFaulty, `${name} ${text}`);
});

test("a raised or removed limit is looser, a new or lower one is not", () => {
  for (const [after, isSo] of [
    [limits, false],
    [{ ...limits, maxDailyLoss: 4_000, maxOrderValue: 1_000 }, false],
    [{ ...limits, maxDailyLoss: 5_001 }, true],
    [{ ...limits, maxOrdersPerMinute: null }, true],
    [{ ...limits, maxDailyLoss: 1, maxOrdersPerMinute: 31 }, true],
  ] as const)
    assert.equal(isLooser(limits, after), isSo, JSON.stringify(after));
  assert.deepEqual(changedLimits(limits, { ...limits, maxOrderValue: 7 }), ["maxOrderValue"]);
  assert.deepEqual(changedLimits(limits, { ...limits }), []);
});

test("the used part of a limit is known of a loss and of the orders of a minute", () => {
  assert.equal(usedShareOf(used, "maxDailyLoss"), 0.25);
  assert.equal(usedShareOf({ ...used, realisedToday: 90 }, "maxDailyLoss"), 0, "a gain uses nothing");
  assert.equal(usedShareOf({ ...used, realisedToday: -9_000 }, "maxDailyLoss"), 1);
  assert.equal(usedShareOf({ ...used, maxDailyLoss: null, realisedToday: null }, "maxDailyLoss"), undefined);
  assert.equal(usedShareOf(used, "maxOrdersPerMinute"), 0.1);
  assert.equal(usedShareOf({ ...used, maxOrderValue: 100 }, "maxOrderValue"), undefined);
});
