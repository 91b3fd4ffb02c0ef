/** How a brokerage's report of an order affects the group that asked for the order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mayReclaim } from "../../../engine/actor/reclaim.ts";
import type { Actors } from "../../../engine/ports/actor.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import { sampleGroup } from "../../machine/group/group-samples.ts";

const GROUP = sampleGroup({});

function actorsWith(holder: number | undefined): Pick<Actors, "find" | "holderOf"> {
  return {
    find: () => ({ context: GROUP, isEnded: false }) as never,
    holderOf: (claim) => (claim === groupClaim(GROUP) ? holder : undefined),
  };
}

test("a group has its place again where nobody took it, and still where it never gave it up (behaviour 4.5a)", () => {
  assert.equal(mayReclaim(actorsWith(undefined), GROUP.groupId), true);
  // A take-profit on its way is an Active row: it holds the place while the stop-loss is reported as unsold.
  assert.equal(mayReclaim(actorsWith(GROUP.groupId), GROUP.groupId), true);
});

test("a group has no place where another one took it", () => {
  assert.equal(mayReclaim(actorsWith(GROUP.groupId + 1), GROUP.groupId), false);
});
