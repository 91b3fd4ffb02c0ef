/** What a notification target may be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeIssue } from "../../../src/contract/issue.ts";
import { targetBody } from "../../../src/contract/trading/notification.ts";

test("a field that no target of the kind has is refused by name, with the nearest one (behaviour 1.3)", () => {
  const webhook = { kind: "webhook", name: "mine", events: ["*"], isActive: true, url: "https://example.com/hook" };
  assert.equal(targetBody.safeParse(webhook).success, true);
  for (const [wrong, message] of [
    [{ ...webhook, isActiv: false }, "isActiv is not a field; did you mean isActive?"],
    [{ ...webhook, address: "a@example.com" }, "address is not a field"],
  ] as const) {
    const read = targetBody.safeParse(wrong);
    assert.equal(read.success ? "taken" : describeIssue(read.error, "the body"), message);
  }
});
