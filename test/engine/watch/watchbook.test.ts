import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
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
        assert.deepEqual([...watchbook.asking("PAPER", true)], [asked]);
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

test("of two orders of one actor and number the open one is asked for, until it is followed no more", () => {
  const past = order({ clientOrderId: "life-r1", isQuiet: true });
  const open = order({ clientOrderId: "life-r1-n2", isQuiet: false });
  for (const both of [
    [past, open],
    [open, past],
  ]) {
    const watchbook = new PartitionWatchbook();
    for (const one of both) watchbook.follow(1, one);
    watchbook.unfollow(1, past);
    assert.deepEqual([...watchbook.asking("PAPER", false)], [open]);
    assert.deepEqual(watchbook.followersOf(order()), [1]);
    watchbook.unfollow(1, open);
    assert.deepEqual(watchbook.followersOf(order({ clientOrderId: "life-r1-n2" })), []);
  }
});

describe("the orders of which an answer is needed", () => {
  const open = order();
  const ended = order({ orderNo: "N2", isQuiet: true });
  const settled = order({ orderNo: "N3", isQuiet: true, isSettled: true });

  test("are the open ones; at the first round the ended ones, too; an order of a client that is settled never (13.8)", () => {
    const watchbook = new PartitionWatchbook();
    for (const [owner, one] of [settled, ended, open].entries()) watchbook.follow(owner, one);
    assert.deepEqual([...watchbook.asking("PAPER", false)], [open]);
    assert.deepEqual([...watchbook.asking("PAPER", true)], [open, ended]);
    assert.deepEqual([...watchbook.asking("OTHER", true)], []);
  });

  test("are walked alone: 20,000 settled orders cost a round nothing", () => {
    const watchbook = new PartitionWatchbook();
    let readCount = 0;
    for (let index = 0; index < 20_000; index += 1) {
      const past = order({ orderNo: `S${index}`, isQuiet: true });
      Object.defineProperty(past, "isSettled", {
        get: () => {
          readCount += 1;
          return true;
        },
      });
      watchbook.follow(index, past);
    }
    watchbook.follow(20_000, open);
    readCount = 0;
    assert.deepEqual([...watchbook.asking("PAPER", true)], [open]);
    assert.equal(readCount, 0, "no settled order is looked at");
  });

  test("are those that a walk over all followers finds, whatever comes, changes and goes", () => {
    const state = fc.constantFrom({}, { isQuiet: true }, { isQuiet: true, isSettled: true });
    const action = fc.record({
      owner: fc.integer({ min: 1, max: 3 }),
      orderNo: fc.constantFrom("N1", "N2", "N3"),
      accountNumber: fc.constantFrom("A1", "A2"),
      brokerageCode: fc.constantFrom("PAPER", "OTHER"),
      state: fc.option(state),
    });
    const textOf = ({ brokerageCode, orderNo, accountNumber }: FollowedOrder): string =>
      `${brokerageCode}/${orderNo}/${accountNumber}`;
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const watchbook = new PartitionWatchbook();
        /** By order and owner. */
        const naive = new Map<string, Map<number, FollowedOrder>>();
        for (const { owner, state: now, ...address } of actions) {
          const followed: FollowedOrder = { userId: 7, ...address, ...now };
          const key = textOf(followed);
          const owners = naive.get(key) ?? new Map<number, FollowedOrder>();
          naive.set(key, owners);
          const known = owners.get(owner);
          if (known !== undefined) watchbook.unfollow(owner, known);
          owners.delete(owner);
          if (now === null) continue;
          watchbook.follow(owner, followed);
          owners.set(owner, followed);
        }
        for (const code of ["PAPER", "OTHER"]) {
          for (const withEnded of [false, true]) {
            const needed = [...naive].filter(([key, owners]) => {
              const orders = [...owners.values()];
              const isOpen = orders.some(({ isQuiet }) => isQuiet !== true);
              const isUnsettled = orders.some(({ isSettled }) => isSettled !== true);
              return key.startsWith(`${code}/`) && (isOpen || (withEnded && isUnsettled));
            });
            assert.deepEqual(
              [...watchbook.asking(code, withEnded)].map(textOf).sort(),
              needed.map(([key]) => key).sort(),
            );
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
