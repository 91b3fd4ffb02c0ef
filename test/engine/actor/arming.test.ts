/** What is under watch follows the facts, and nothing that stays the same is touched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Arming } from "../../../engine/actor/arming.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import type { Facts } from "../../../src/machine/effect.ts";
import { testFeed } from "../../support/world/test-feed.ts";

function factsWith(...orderNos: string[]): Facts {
  const follows = orderNos.map((orderNo) => ({ userId: 7, brokerageCode: "TEST", accountNumber: "A1", orderNo }));
  return { watches: [], armedSinceMs: 0, deadlineMs: null, claims: [], follows };
}

function setUp() {
  const watchbook = new PartitionWatchbook();
  const arming = new Arming({
    watchbook,
    lastPrice: () => undefined,
    bringUp: () => undefined,
    clock: { nowMs: () => 0 },
    inbox: { enqueue: () => true },
    feed: testFeed(),
    onReached: () => undefined,
  });
  return { watchbook, arming };
}

test("an order that is followed on keeps its place: a round of asking meets it once", () => {
  const { watchbook, arming } = setUp();
  arming.apply(1, undefined, factsWith("N1"), []);
  const round = watchbook.followed("TEST");
  assert.equal(round.next().value?.orderNo, "N1");
  arming.apply(1, factsWith("N1"), factsWith("N1"), []);
  assert.equal(round.next().done, true);
});

test("orders that came are followed, those that went are not", () => {
  const { watchbook, arming } = setUp();
  arming.apply(1, undefined, factsWith("N1", "N2"), []);
  arming.apply(1, factsWith("N1", "N2"), factsWith("N2", "N3"), []);
  assert.deepEqual(
    [...watchbook.followed("TEST")].map(({ orderNo }) => orderNo),
    ["N2", "N3"],
  );
  arming.apply(1, factsWith("N2", "N3"), factsWith(), []);
  assert.deepEqual([...watchbook.followed("TEST")], []);
});
