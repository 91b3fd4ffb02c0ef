/** The effect of a corporate action on a group (behaviour 28.3, 28.4, 28.7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ActionRequest,
  type Adjustment,
  type BaseMove,
  planAction,
} from "../../../src/domain/market/corporate-action.ts";
import { adjustGroup, adjustWaiting, releaseGroup } from "../../../src/domain/oco/adjust.ts";
import { ACTIVE, CANCELLED, type OcoGroup, TRIGGER_FAILED, TRIGGERED } from "../../../src/domain/oco/group.ts";
import { grow } from "../../../src/domain/oco/growth.ts";
import { unchanged } from "../../../src/domain/oco/oco.ts";
import { type GroupRequest, planGroup } from "../../../src/domain/oco/oco-plan.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { beginExecution } from "../../../src/domain/order/execution.ts";
import { groupFacts } from "../../../src/machine/group.ts";
import fc from "../../support/property.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const EX = { symbol: "ACME", exDate: "2026-03-03" } as const;
const BONUS = { ...EX, type: "bonus", ratio: 1 } as const;
const OWNER = { userId: 1, brokerageCode: "PAPER", accountNumber: "A1", symbol: "ACME", hasOversellGuard: false };
const PLAN = {
  ...{ stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [
    { price: 110, quantity: 40 },
    { price: 120, quantity: 60 },
  ],
};

function groupOf(request: Partial<GroupRequest> = {}): OcoGroup {
  const plan = planGroup({ ...PLAN, ...request }, NOW_MS);
  assert.ok(plan.ok, JSON.stringify(plan));
  const ids = [plan.value.stopLoss, ...plan.value.takeProfits].map((_, index) => index + 1);
  return openGroup(plan.value, OWNER, ids, NOW_MS);
}

function adjustmentOf(request: ActionRequest, sinceMs: number | null = null, move: BaseMove | null = null): Adjustment {
  const action = planAction(request, NOW_MS, "Europe/Istanbul");
  assert.ok(action.ok, JSON.stringify(action));
  return { action: action.value, tickTable: "BIST", sinceMs, move };
}

function after(group: OcoGroup, request: ActionRequest): OcoGroup {
  const decision = adjustGroup(group, adjustmentOf(request), NOW_MS + 1);
  assert.ok(decision !== undefined);
  assert.deepEqual(decision.sells, []);
  return decision.group;
}

const levels = ({ rows }: OcoGroup) => rows.map(({ price, quantity }) => [price / 100, quantity]);
const withRow = (group: OcoGroup, index: number, change: Partial<OcoGroup["rows"][number]>): OcoGroup => ({
  ...group,
  rows: group.rows.map((row, at) => (at === index ? { ...row, ...change } : row)),
});

describe("a corporate action", () => {
  const cases: readonly (readonly [string, ActionRequest, readonly (readonly [number, number])[]])[] = [
    [
      "a bonus issue of 100 %",
      BONUS,
      [
        [45, 200],
        [55, 80],
        [60, 120],
      ],
    ],
    [
      "a split of 2 to 3: stops round down, take-profits up",
      { ...EX, type: "split", sharesBefore: 2, sharesAfter: 3 },
      [
        [60, 150],
        [73.35, 60],
        [80, 90],
      ],
    ],
    [
      "shares that are put together",
      { ...EX, type: "split", sharesBefore: 2, sharesAfter: 1 },
      [
        [180, 50],
        [220, 20],
        [240, 30],
      ],
    ],
    [
      "a rights issue: prices by the value of the right, no lots",
      { ...EX, type: "rights", ratio: 1, subscriptionPrice: 50, closePrice: 100 },
      [
        [67.5, 100],
        [82.5, 40],
        [90, 60],
      ],
    ],
    [
      "a dividend: the stop-loss alone",
      { ...EX, type: "dividend", cash: 2.53 },
      [
        [87.45, 100],
        [110, 40],
        [120, 60],
      ],
    ],
  ];
  for (const [name, request, expected] of cases) {
    test(name, () => {
      const group = after(groupOf(), request);
      assert.deepEqual(levels(group), expected);
      assert.equal(adjustGroup(group, adjustmentOf(request), NOW_MS + 2), undefined, "counts once");
    });
  }

  test("arms the changed levels anew, so that no price from before fires one", () => {
    assert.deepEqual(
      groupFacts(after(groupOf(), BONUS)).watches.map(({ armedSinceMs }) => armedSinceMs),
      [NOW_MS + 1, NOW_MS + 1, NOW_MS + 1],
    );
  });

  test("leaves a sold take-profit, and grows the stop-loss by what is left alone", () => {
    const sold = withRow(groupOf(), 1, { status: TRIGGERED });
    assert.deepEqual(levels(after(sold, BONUS)), [
      [45, 160],
      [110, 40],
      [60, 120],
    ]);
  });

  test("counts a take-profit in flight as sold", () => {
    const group = after(withRow(groupOf(), 1, { isInFlight: true }), BONUS);
    assert.deepEqual(levels(group), [
      [45, 160],
      [110, 40],
      [60, 120],
    ]);
  });

  test("waits while the stop-loss is in flight, and counts once it has failed", () => {
    const selling = withRow(groupOf(), 0, { isInFlight: true });
    const waiting = after(selling, BONUS);
    assert.deepEqual(levels(waiting), levels(groupOf()));
    assert.equal(adjustGroup(waiting, adjustmentOf(BONUS), NOW_MS + 2), undefined);
    const failed = withRow(waiting, 0, { isInFlight: false });
    const { group, notices } = adjustWaiting(unchanged(failed), NOW_MS + 3);
    assert.deepEqual(levels(group), [
      [45, 200],
      [55, 80],
      [60, 120],
    ]);
    assert.deepEqual(
      notices.map(({ type }) => type),
      ["oco.adjusted"],
    );
    assert.equal(group.corporate?.waiting, undefined);
  });

  test("waits while a sell of the stop-loss can still turn out to have sold nothing", () => {
    const execution = beginExecution(
      {
        clientOrderId: "x-1",
        symbol: "ACME",
        buySell: 2,
        quantity: 100,
        limitPrice: null,
        needsPrice: false,
        createdDate: null,
      },
      "B-1",
      1,
      NOW_MS,
    ).execution;
    const sold = withRow(withRow(withRow(groupOf(), 0, { status: TRIGGERED }), 1, { status: CANCELLED }), 2, {
      status: CANCELLED,
    });
    const waiting = after({ ...sold, cancelledByStopLoss: [1, 2], followed: [{ row: 0, execution }] }, BONUS);
    assert.equal(waiting.corporate?.waiting?.length, 1);
    const rearmed = [1, 2].reduce<OcoGroup>((group, row) => withRow(group, row, { status: ACTIVE }), {
      ...waiting,
      followed: [],
    });
    const { group } = adjustWaiting(unchanged(withRow(rearmed, 0, { status: TRIGGER_FAILED })), NOW_MS + 3);
    assert.deepEqual(levels(group), [
      [45, 200],
      [55, 80],
      [60, 120],
    ]);
  });

  test("holds a group of that day whose levels the new price reaches, if it was entered late", () => {
    const late = adjustmentOf(BONUS, NOW_MS, { from: 100, to: 50 });
    const reached = adjustGroup(groupOf(), late, NOW_MS + 1)?.group;
    assert.ok(reached !== undefined);
    assert.deepEqual([levels(reached), groupFacts(reached).watches], [levels(groupOf()), []]);
    const request = { stopLossPrice: 45, takeProfitItems: [{ price: 55, quantity: 100 }] };
    const onNewBase = adjustGroup(groupOf(request), late, NOW_MS + 1)?.group;
    assert.ok(onNewBase !== undefined);
    assert.deepEqual([levels(onNewBase), groupFacts(onNewBase).watches.length], [levels(groupOf(request)), 2]);
  });

  test("lets lots that an entry buys later go to the stop-loss alone, as its plan is of the base before", () => {
    const growing: OcoGroup = { ...groupOf(), growth: { setupId: 9, bought: 100, isBuying: true, tiers: [0, 1] } };
    const grown = after(growing, BONUS);
    assert.deepEqual(grown.growth, { setupId: 9, bought: 100, isBuying: true });
    const plan = { stopLoss: { price: 9_000, quantity: 110 }, takeProfits: [] };
    const more = grow(grown, { bought: 110, isBuying: true, plan, ids: [], timeMs: NOW_MS + 2 })?.group;
    assert.deepEqual(more && levels(more), [
      [45, 210],
      [55, 80],
      [60, 120],
    ]);
  });

  test("leaves what was made or changed since, where it was entered late", () => {
    const late = adjustmentOf(BONUS, NOW_MS);
    assert.deepEqual(levels(adjustGroup(groupOf(), late, NOW_MS + 1)?.group ?? groupOf()), levels(groupOf()));
    const earlier = { ...groupOf(), createdAtMs: NOW_MS - 1 };
    assert.equal(adjustGroup(earlier, late, NOW_MS + 1)?.group.rows[0]?.price, 4_500);
    const changed: OcoGroup = { ...earlier, armings: [[0, NOW_MS]] };
    assert.equal(adjustGroup(changed, late, NOW_MS + 1)?.group.rows[0]?.price, 9_000);
  });

  test("cancels rows of which no lot is left", () => {
    const request = { takeProfitItems: [{ price: 110, quantity: 1 }], stopLossQuantity: 1 };
    const { rows } = after(groupOf(request), { ...EX, type: "split", sharesBefore: 2, sharesAfter: 1 });
    assert.deepEqual(
      rows.map(({ status }) => status),
      [CANCELLED, CANCELLED],
    );
  });

  test("holds the group where its owner wants that, or the close is not known, until a release", () => {
    const rights = { ...EX, type: "rights", ratio: 1, subscriptionPrice: 50 } as const;
    for (const group of [after(groupOf({ corporateActions: "hold" }), BONUS), after(groupOf(), rights)]) {
      assert.deepEqual([levels(group), groupFacts(group).watches], [levels(groupOf()), []]);
      const released = releaseGroup(group, NOW_MS + 5)?.group;
      assert.ok(released !== undefined);
      assert.equal(groupFacts(released).watches.length, 3);
      assert.equal(releaseGroup(released, NOW_MS + 6), undefined);
    }
  });

  test("moves the high, the distance and the rungs of a stop-loss that rises", () => {
    const request: Partial<GroupRequest> = {
      ...{ stopLossTrailing: { distance: 5, step: 0.01, activationPrice: 100 }, entryPrice: 100 },
      stopLossLadder: [{ afterTakeProfits: 1, to: "entry", offset: -0.01 }],
    };
    const made = groupOf(request);
    assert.ok(made.trailing !== undefined);
    const risen = withRow({ ...made, trailing: { ...made.trailing, high: 10_401 } }, 1, { status: TRIGGERED });
    const { trailing, ladder, rows } = after(risen, BONUS);
    assert.deepEqual(
      [trailing?.distance, trailing?.step, trailing?.activationPrice, trailing?.high],
      [250, 1, 5_000, 5_200],
    );
    assert.deepEqual([ladder?.entryPrice, ladder?.rungs[0]?.offset, rows[1]?.price], [50, -1, 5_500]);
  });
});

describe("any corporate action on any group", () => {
  const cents = (least: number, most: number) => fc.integer({ min: least, max: most }).map((value) => value / 100);
  const actions: fc.Arbitrary<ActionRequest> = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }))
      .filter(([before, now]) => before !== now)
      .map(([sharesBefore, sharesAfter]) => ({ ...EX, type: "split" as const, sharesBefore, sharesAfter })),
    cents(1, 2_000).map((ratio) => ({ ...EX, type: "bonus" as const, ratio })),
    fc.tuple(cents(1, 300), cents(1, 5_000), cents(1, 9_000)).map(([ratio, subscriptionPrice, more]) => ({
      ...{ ...EX, type: "rights" as const, ratio, subscriptionPrice },
      closePrice: Math.round((subscriptionPrice + more) * 100) / 100,
    })),
    cents(1, 10_000).map((cash) => ({ ...EX, type: "dividend" as const, cash })),
  );
  const groups = fc.record({
    stop: fc.integer({ min: 1, max: 400 }),
    gaps: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
    lots: fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 6, maxLength: 6 }),
    more: fc.integer({ min: 0, max: 200 }),
    gone: fc.array(fc.constantFrom("open", "sold", "inFlight"), { minLength: 6, maxLength: 6 }),
  });

  test("keeps the order of levels, and sells at most what it could, times the shares of one", () => {
    fc.assert(
      fc.property(groups, actions, ({ stop, gaps, lots, more, gone }, request) => {
        let price = stop;
        const takeProfitItems = gaps.map((gap, index) => {
          price += gap + (index === 0 ? 1 : 0);
          return { price, quantity: lots[index] ?? 1 };
        });
        const total = takeProfitItems.reduce((sum, { quantity }) => sum + quantity, 0);
        let group = groupOf({ stopLossPrice: stop, stopLossQuantity: total + more, takeProfitItems });
        for (const [index] of takeProfitItems.entries()) {
          if (gone[index] === "sold") group = withRow(group, index + 1, { status: TRIGGERED });
          if (gone[index] === "inFlight") group = withRow(group, index + 1, { isInFlight: true });
        }
        const adjustment = adjustmentOf(request);
        const next = adjustGroup(group, adjustment, NOW_MS + 1)?.group;
        assert.ok(next !== undefined);
        if (next.corporate?.isHeld === true) return;
        const open = next.rows.filter((row) => row.status === ACTIVE && !row.isInFlight);
        const [stopLoss, ...takeProfits] = open;
        for (const [index, row] of takeProfits.entries()) {
          const before = (takeProfits[index - 1] ?? stopLoss)?.price ?? 0;
          assert.ok(index === 0 ? row.price > before : row.price >= before, "levels stay in order");
        }
        const isGone = (_: unknown, index: number) => gone[index] !== "open";
        const sold = takeProfitItems.filter(isGone).reduce((sum, { quantity }) => sum + quantity, 0);
        const { numerator, denominator } = factorOf(request);
        const most = sold + Math.floor(((total + more - sold) * numerator) / denominator + 1e-9);
        assert.ok((stopLoss?.quantity ?? 0) <= most, "no more lots than there are");
        const inOpen = takeProfits.reduce((sum, { quantity }) => sum + quantity, 0);
        assert.ok(inOpen <= Math.max(0, most - sold), "take-profits within the stop-loss");
      }),
    );
  });
});

function factorOf(request: ActionRequest): { numerator: number; denominator: number } {
  const { type, ratio = 0, sharesAfter = 1, sharesBefore = 1 } = request;
  if (type === "bonus") return { numerator: 100 + Math.round(ratio * 100), denominator: 100 };
  return type === "split" ? { numerator: sharesAfter, denominator: sharesBefore } : { numerator: 1, denominator: 1 };
}
