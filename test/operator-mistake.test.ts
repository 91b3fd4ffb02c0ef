import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrokeragesFile } from "../engine/broker/registry.ts";
import { readEngineConfig } from "../engine/config.ts";
import { OperatorMistake, tellFailure } from "../src/operator-mistake.ts";

class Refused extends Error {
  override readonly name = "PretendRefused";
}

test("only what was made to be told to operators is told in one line", () => {
  assert.equal(tellFailure(new OperatorMistake("DATA_DIR is missing")), "DATA_DIR is missing");
});

test("a fault of ours keeps its stack, whatever class or name it has", () => {
  for (const fault of [new Error("odd"), new ReferenceError("odd"), new RangeError("odd"), new Refused("odd")]) {
    assert.match(tellFailure(fault), /odd\n +at .*operator-mistake\.test/);
  }
  assert.equal(tellFailure("thrown text"), "thrown text");
});

test("what the configuration is refused for is an operator's mistake", () => {
  assert.throws(() => readEngineConfig({ PARTITIONS: "many" }), OperatorMistake);
  assert.throws(() => readBrokeragesFile("/nowhere.json"), OperatorMistake);
});
