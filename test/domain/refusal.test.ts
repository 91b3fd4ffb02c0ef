import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";

test("an accepted value is ok and carries the value", () => {
  assert.deepEqual(accept(5), { ok: true, value: 5 });
});

test("a refusal is not ok and carries its code and message", () => {
  assert.deepEqual(refuse("INVALID", "price 0 is no price"), {
    ok: false,
    code: "INVALID",
    message: "price 0 is no price",
  });
});

test("ok tells a value from a refusal", () => {
  const read = (result: Result<number>): string => (result.ok ? `value ${result.value}` : `refused ${result.code}`);
  assert.equal(read(accept(1)), "value 1");
  assert.equal(read(refuse("CONFLICT", "there is one already")), "refused CONFLICT");
});
