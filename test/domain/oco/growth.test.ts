/** Which rows of a group the lots of an entry go to (behaviour 24.7, 24.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { groupSnapshot, packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { changeGroup, planChange } from "../../../src/domain/oco/change.ts";
import { CANCELLED, changeRows, type OcoGroup, STOP_LOSS, TRIGGERED } from "../../../src/domain/oco/group.ts";
import { type GrownPlan, grow, lackingRows } from "../../../src/domain/oco/growth.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";

const OWNER = { userId: 7, brokerageCode: "P", accountNumber: "A", symbol: "THYAO", hasOversellGuard: false };

/** Levels at 97, 105 and 109 for so many lots: a tenth to the first take-profit, the rest to the second. */
function planOf(lots: number): GrownPlan {
  const first = Math.floor(lots / 10);
  const takeProfits = [
    { tier: 0, price: 10_500, quantity: first },
    { tier: 1, price: 10_900, quantity: lots - first },
  ];
  return {
    stopLoss: { price: 9_700, quantity: lots },
    takeProfits: takeProfits.filter(({ quantity }) => quantity > 0),
  };
}

function groupOf(lots: number): OcoGroup {
  const { stopLoss, takeProfits } = planOf(lots);
  const tiers = takeProfits.map(({ tier }) => tier);
  const plan = { stopLoss, takeProfits, dueAtMs: null, notes: null };
  const growth = { setupId: 1, bought: lots, isBuying: true, tiers };
  return openGroup({ ...plan, growth }, OWNER, [10, 11, 12].slice(0, 1 + tiers.length), 1_000);
}

const told = (bought: number, change: object = {}) => {
  return { bought, isBuying: true, plan: planOf(bought), ids: [20, 21], timeMs: 2_000, ...change };
};
const lotsOf = (group: OcoGroup | undefined) => group?.rows.map(({ quantity }) => quantity);
const noticesOf = (decision: ReturnType<typeof grow>) => decision?.notices.map(({ type }) => type);
const fired = (group: OcoGroup, row: number) =>
  changeRows(group, [row], (was) => ({ ...was, status: TRIGGERED, triggeredAtMs: 1_500 }));

describe("the lots of an entry", () => {
  test("are counted by their total: twice the same, or fewer, changes nothing", () => {
    const group = groupOf(40);
    const grown = grow(group, told(60))?.group;
    assert.deepEqual(lotsOf(grown), [60, 6, 54]);
    assert.ok(grown !== undefined);
    for (const total of [60, 40]) {
      const again = grow(grown, { ...told(total), plan: planOf(60) });
      assert.deepEqual([lotsOf(again?.group), noticesOf(again)], [[60, 6, 54], []]);
    }
  });

  test("bring in a take-profit that had none, once", () => {
    const group = groupOf(9);
    assert.deepEqual([lotsOf(group), lackingRows(group, planOf(20))], [[9, 9], 1]);
    const grown = grow(group, told(20))?.group;
    assert.deepEqual(
      grown?.rows.map(({ id, price, quantity }) => [id, price, quantity]),
      [
        [10, 9_700, 20],
        [11, 10_900, 18],
        [20, 10_500, 2],
      ],
    );
    assert.ok(grown !== undefined);
    assert.equal(lackingRows(grown, planOf(20)), 0);
    assert.deepEqual(lotsOf(grow(grown, told(30))?.group), [30, 27, 3]);
  });

  test("go to the open take-profits once one has fired, and levels stay", () => {
    const group = fired(groupOf(40), 1);
    const plan = { ...planOf(100), stopLoss: { price: 9_600, quantity: 100 } };
    const grown = grow(group, told(100, { plan }))?.group;
    assert.deepEqual(lotsOf(grown), [100, 4, 96]);
    assert.equal(grown?.rows[STOP_LOSS]?.price, 9_700);
  });

  test("one by one, too: take-profits together never have more than was bought", () => {
    let group = fired(groupOf(40), 2);
    for (let bought = 41; bought <= 100; bought += 1) {
      group = grow(group, told(bought))?.group ?? group;
      const [stop = 0, ...others] = lotsOf(group) ?? [];
      assert.equal(stop, bought);
      assert.equal(
        others.reduce((sum, lots) => sum + lots, 0),
        bought,
      );
    }
    assert.deepEqual(lotsOf(group), [100, 64, 36]);
  });

  test("go to the stop-loss alone without an open take-profit, without levels, and after a change by the owner", () => {
    assert.deepEqual(lotsOf(grow(fired(fired(groupOf(40), 1), 2), told(60))?.group), [60, 4, 36]);
    assert.deepEqual(lotsOf(grow(groupOf(40), told(60, { plan: null }))?.group), [60, 4, 36]);
    const terms = { nowMs: 1_500, table: "BIST", zone: "UTC" } as const;
    const change = planChange(groupOf(40), { stopLossPrice: 96 }, terms);
    assert.ok(change.ok);
    const changed = changeGroup(groupOf(40), { change: change.value, ids: [], timeMs: 1_500 })?.group;
    assert.ok(changed !== undefined);
    const grown = grow(changed, told(60))?.group;
    assert.deepEqual([lotsOf(grown), grown?.rows[STOP_LOSS]?.price], [[60, 4, 36], 9_600]);
  });

  test("are sold by the exit if the stop-loss has fired, and reported if nothing sells them", () => {
    const sold = grow(fired(groupOf(40), STOP_LOSS), told(50));
    assert.deepEqual([lotsOf(sold?.group)?.[0], noticesOf(sold)], [50, ["oco.lateFill"]]);
    assert.ok(sold?.group.exit?.pursuit !== undefined);
    const cancelled = changeRows(groupOf(40), [0, 1, 2], (row) => ({ ...row, status: CANCELLED }));
    const told50 = grow(cancelled, told(50));
    assert.deepEqual([lotsOf(told50?.group)?.[0], noticesOf(told50)], [40, ["alarm.exitStopped"]]);
    assert.equal(told50?.group.growth?.bought, 50);
  });

  test("are all there: a stop-loss without lots left is cancelled only then", () => {
    const sold = fired(fired(groupOf(40), 1), 2);
    assert.deepEqual(noticesOf(grow(sold, told(40))), []);
    const over = grow(sold, told(40, { isBuying: false }));
    assert.deepEqual([noticesOf(over), over?.group.rows[STOP_LOSS]?.status], [["oco.cancelled"], CANCELLED]);
  });
});

test("a group that grows is stored and read back as it is, and sells with the oversell guard", () => {
  const group = groupOf(40);
  assert.equal(group.hasOversellGuard, true);
  assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(group)))), group);
  assert.deepEqual(groupSnapshot.parse(JSON.parse(JSON.stringify(group))), group);
});

test("a group that does not grow hears nothing of it", () => {
  const { growth: _, ...group } = groupOf(40);
  assert.equal(grow(group, told(60)), undefined);
  assert.equal(lackingRows(group, planOf(60)), 0);
});
