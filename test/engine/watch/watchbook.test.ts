import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import type { FollowedOrder } from "../../../src/machine/effect.ts";

const place = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
const order = (fields: Partial<FollowedOrder> = {}): FollowedOrder => ({ ...place, orderNo: "N1", ...fields });

describe("an order that two actors follow", () => {
  test("is asked for as the one needs it that needs an answer, whoever came first", () => {
    const open = order({ clientOrderId: "life-c1" });
    const quiet = order({ isQuiet: true });
    const settled = order({ isQuiet: true, isSettled: true });
    const table = [
      [open, quiet, open],
      [quiet, settled, quiet],
      [settled, open, open],
    ] as const;
    for (const [one, other, asked] of table) {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        const watchbook = new PartitionWatchbook();
        watchbook.follow(1, first);
        watchbook.follow(2, second);
        assert.deepEqual([...watchbook.followed("PAPER")], [asked]);
        assert.deepEqual(watchbook.numbered("PAPER", "N1"), [asked]);
      }
    }
  });

  test("is asked for as the other has it once one follows it no more", () => {
    const watchbook = new PartitionWatchbook();
    const settled = order({ isQuiet: true, isSettled: true });
    watchbook.follow(1, order());
    watchbook.follow(2, settled);
    watchbook.unfollow(1, order());
    assert.deepEqual([...watchbook.followed("PAPER")], [settled]);
    watchbook.unfollow(2, settled);
    assert.deepEqual([...watchbook.followed("PAPER")], []);
  });

  test("belongs to each of their users, and is in doubt for the one alone that doubts it", () => {
    const watchbook = new PartitionWatchbook();
    watchbook.follow(1, order());
    watchbook.follow(2, order({ userId: 8, isInDoubt: true }));
    assert.deepEqual(watchbook.ownersIn(place), [1]);
    assert.deepEqual(watchbook.ownersIn({ ...place, userId: 8 }), [2]);
    assert.deepEqual(watchbook.ownersInDoubt(), [2]);
    assert.deepEqual(watchbook.followersOf(order()), [1, 2]);
  });
});
