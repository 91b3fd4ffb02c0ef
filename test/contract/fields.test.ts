/** Fields of requests: what a misspelt one was meant to be, and how text is counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { body, lots, refuseField, text } from "../../src/contract/fields.ts";
import { describeIssue, listFaults } from "../../src/contract/issue.ts";

const order = body({ quantity: z.number(), items: z.array(body({ price: z.number() })) });

function complaint(value: unknown): string {
  const parsed = order.safeParse(value);
  assert.ok(!parsed.success);
  return describeIssue(parsed.error);
}

test("a field without a name is told before one that is missing, with the nearest name there is (1.3)", () => {
  assert.equal(complaint({ quantiy: 1, items: [] }), "quantiy is not a field; did you mean quantity?");
  assert.equal(complaint({ quantity: 1, items: [{ pric: 1 }] }), "items[0].pric is not a field; did you mean price?");
  assert.equal(complaint({ quantity: 1, items: [], zzz: 1 }), "zzz is not a field");
});

test("a name that is no name, or a text of its sender's, is not repeated", () => {
  for (const name of ["<b>", "a b", "x".repeat(65), ""])
    assert.match(refuseField([name], [], "field"), /^an invalid name/);
});

test("all faults are listed once, the first is the one that is described, and no name that is none is repeated", () => {
  for (const value of [
    {},
    { quantity: "x", items: [{ price: "y" }, {}] },
    { "<b>": 1, quantity: 1 },
    { zzz: 1 },
    null,
  ]) {
    const parsed = order.safeParse(value);
    assert.ok(!parsed.success);
    const faults = listFaults(parsed.error);
    assert.equal(faults[0]?.message, describeIssue(parsed.error));
    assert.equal(new Set(faults.map(({ code, field }) => `${code} ${field}`)).size, faults.length);
    assert.ok(!JSON.stringify(faults).includes("<b>"));
  }
});

test("however much is wrong, no more than fifty faults are looked at, and each has its own bound", () => {
  const parsed = z
    .object({ items: z.array(z.object({ quantity: lots })) })
    .safeParse({ items: Array.from({ length: 50_000 }, () => ({ quantity: 0 })) });
  assert.ok(!parsed.success);
  const faults = listFaults(parsed.error);
  assert.equal(faults.length, 50);
  assert.deepEqual(faults[49], {
    code: "OUT_OF_RANGE",
    field: "items[49].quantity",
    message: "items[49].quantity must be at least 1",
  });
});

test("a whole number that no number can hold exactly is told the bound of its own field", () => {
  const complaints = [2 ** 53, 1e300, -(2 ** 53)].map((quantity) => {
    const parsed = z.object({ quantity: lots }).safeParse({ quantity });
    return parsed.success ? "" : describeIssue(parsed.error);
  });
  const most = "quantity must be at most 1000000000";
  assert.deepEqual(complaints, [most, most, "quantity must be at least 1"]);
});

test("text is counted in characters, whatever they take", () => {
  const two = text(2, 2);
  for (const value of ["ab", "😀😀", "a😀"]) assert.ok(two.safeParse(value).success, value);
  for (const value of ["a", "😀", "abc", "😀😀😀", ""]) assert.ok(!two.safeParse(value).success, value);
  assert.deepEqual(z.toJSONSchema(two), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "string",
    minLength: 2,
    maxLength: 2,
  });
});
