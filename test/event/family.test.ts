/** Events by what they are about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES } from "../../src/contract/event/event.ts";
import { FAMILIES, familyOf, withEvent } from "../../src/event/family.ts";

test("every type is of a family, and each family has some", () => {
  const families = new Map(FAMILIES.map((family) => [family, EVENT_TYPES.filter((type) => familyOf(type) === family)]));
  assert.equal([...families.values()].flat().length, EVENT_TYPES.length);
  for (const [family, types] of families) assert.ok(types.length > 0, family);
  assert.deepEqual(
    ["oco.triggered", "setup.converted", "pair.sold", "signal.unmatched", "alarm.ticksLost", "gap"].map(familyOf),
    ["groups", "groups", "bots", "bots", "orders", "orders"],
  );
});

test("what is kept of a busy family leaves the others alone, the newest first", () => {
  let events: readonly { readonly type: string; readonly id: number }[] = [{ type: "oco.triggered", id: 0 }];
  for (let id = 1; id <= 5; id += 1) events = withEvent(events, { type: "pair.bought", id }, 3);
  assert.deepEqual(
    events.map(({ id }) => id),
    [5, 4, 3, 0],
  );
});
