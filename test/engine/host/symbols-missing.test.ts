import assert from "node:assert/strict";
import { test } from "node:test";
import { commandHandlers } from "../../../engine/command/handlers.ts";
import { refuseUnlessJudged } from "../../../engine/host/symbols-missing.ts";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";

const UNKNOWN = { isKnown: false };

test("while the symbols are not known orders are refused as not available, and not as wrong", async () => {
  for (const type of [COMMANDS.createGroup, COMMANDS.placeOrder, COMMANDS.updateLevelBot, QUERIES.readHealth]) {
    const answer = await refuseUnlessJudged({ type }, UNKNOWN);
    assert.ok(answer !== undefined && !(answer instanceof Uint8Array) && !answer.ok, type);
    assert.equal(answer.code, "UNAVAILABLE");
    assert.match(answer.message, /the symbols are not known yet/);
  }
});

test("what is there is read, cancelled and ended all the same", () => {
  const judged: string[] = [QUERIES.readHealth];
  for (const type of [...commandHandlers.keys(), ...Object.values(COMMANDS), ...Object.values(QUERIES)]) {
    if (refuseUnlessJudged({ type }, UNKNOWN) !== undefined && !judged.includes(type)) judged.push(type);
  }
  assert.deepEqual(
    judged.filter((type) => /cancel|delete|remove|rotate|list|get|signal|login/i.test(type)),
    [],
  );
  assert.equal(refuseUnlessJudged({ type: COMMANDS.cancelGroup }, UNKNOWN), undefined);
});

test("once they are known nothing is refused for them", () => {
  for (const type of Object.values(COMMANDS)) assert.equal(refuseUnlessJudged({ type }, { isKnown: true }), undefined);
});
