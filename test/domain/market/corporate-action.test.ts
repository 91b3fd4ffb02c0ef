/** Which corporate actions are valid (behaviour 28.1). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ActionRequest, isSameAction, planAction } from "../../../src/domain/market/corporate-action.ts";

const NOW_MS = Date.parse("2026-03-02T22:30:00Z");
const ZONE = "Europe/Istanbul";
const BONUS: ActionRequest = { symbol: "ACME", type: "bonus", ratio: 1, exDate: "2026-03-04" };

function refusalOf(request: ActionRequest): string {
  const planned = planAction(request, NOW_MS, ZONE);
  return planned.ok ? "accepted" : planned.message;
}

describe("an entered corporate action", () => {
  const cases: readonly (readonly [Partial<ActionRequest>, string])[] = [
    [{}, "accepted"],
    [{ ratio: 0 }, "ratio must be above 0 and at most 1000"],
    [{ ratio: Number.NaN }, "ratio must be above 0 and at most 1000"],
    [{ ratio: 1 / 3 }, "ratio must have at most 8 decimals"],
    [{ cash: 1 }, "cash is not a field of type bonus"],
    [{ exDate: "2026-03-02" }, "exDate 2026-03-02 is over: change the levels by hand"],
    [{ exDate: "2026-03-03" }, "accepted"],
    [{ exDate: "2027-04-01" }, "exDate 2027-04-01 is more than a year ahead"],
    [{ exDate: "2026-13-01" }, "exDate"],
    [{ type: "split" }, "ratio is not a field of type split"],
    [{ type: "split", ratio: undefined, sharesBefore: 1, sharesAfter: 1 }, "sharesAfter must differ from sharesBefore"],
    [{ type: "split", ratio: undefined, sharesBefore: 0, sharesAfter: 1 }, "sharesBefore must be a whole number"],
    [{ type: "split", ratio: undefined, sharesBefore: 1, sharesAfter: 2 }, "accepted"],
    [{ type: "rights", subscriptionPrice: 0 }, "subscriptionPrice must be above 0"],
    [{ type: "rights", subscriptionPrice: 5, closePrice: 5 }, "closePrice must be above subscriptionPrice"],
    [{ type: "rights", subscriptionPrice: 5 }, "accepted"],
    [{ type: "dividend", ratio: undefined }, "cash must be above 0"],
    [{ type: "dividend", ratio: undefined, cash: 1.2345 }, "accepted"],
  ];
  for (const [change, expected] of cases) {
    test(`${JSON.stringify(change)}: ${expected}`, () => {
      assert.ok(refusalOf({ ...BONUS, ...change }).startsWith(expected), refusalOf({ ...BONUS, ...change }));
    });
  }

  test("counts from the beginning of its day at the exchange, and has one id", () => {
    const planned = planAction(BONUS, NOW_MS, ZONE);
    assert.ok(planned.ok);
    assert.deepEqual(
      [planned.value.exMs, planned.value.actionId],
      [Date.parse("2026-03-03T21:00:00Z"), "ACME-bonus-2026-03-04"],
    );
    const other = planAction({ ...BONUS, ratio: 2 }, NOW_MS, ZONE);
    assert.ok(other.ok && !isSameAction(planned.value, other.value) && isSameAction(other.value, { ...other.value }));
  });
});
