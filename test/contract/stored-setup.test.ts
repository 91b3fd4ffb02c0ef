import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSetup } from "../../src/contract/stored/setup-snapshot.ts";
import { setupFacts } from "../../src/machine/setup.ts";
import { sampleSetup } from "../machine/setup-samples.ts";

const { buy: _, ...rest } = sampleSetup({});
const before = { ...rest, version: 1 };

test("a setup that the edition before stored follows its order by the number", () => {
  const setup = parseSetup(before);
  assert.deepEqual([setup.version, setup.buy.phase, setup.buy.quantity], [2, "open", 0]);
  const [followed] = setupFacts(setup).follows;
  assert.deepEqual([followed?.orderNo, followed?.clientOrderId], ["B-1", null]);
});

test("one that had ended follows nothing", () => {
  const outcome = { type: "removed", isPartFilled: false, isByOwner: false, timeMs: 5 };
  const setup = parseSetup({ ...before, outcome });
  assert.deepEqual([setup.buy.phase, setupFacts(setup).follows], ["settled", []]);
});

test("a setup of this edition is read as it was written, and one that lacks a field is refused", () => {
  const setup = sampleSetup({});
  assert.deepEqual(parseSetup(JSON.parse(JSON.stringify(setup))), setup);
  assert.throws(() => parseSetup({ ...setup, buy: undefined }));
});
