import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type ChangeRequest,
  changeGroup,
  changesNothing,
  planChange,
  ROWS_MAX,
} from "../../../src/domain/oco/change.ts";
import {
  changeRows,
  exitPolicyOf,
  listedRows,
  type OcoGroup,
  STOP_LOSS,
  stopLossOf,
} from "../../../src/domain/oco/group.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { beginExecution } from "../../../src/domain/order/execution.ts";

const TERMS = { nowMs: 2_000, table: "BIST", zone: "UTC" } as const;

/** Stop-loss 90.00 x 100 (id 10), take-profits 110.00 x 60 (id 11) and 120.00 x 40 (id 12). */
function sample(hasOversellGuard = false): OcoGroup {
  const takeProfits = [
    { price: 11_000, quantity: 60 },
    { price: 12_000, quantity: 40 },
  ];
  const plan = { stopLoss: { price: 9_000, quantity: 100 }, takeProfits, dueAtMs: 50_000, notes: "note" };
  const owner = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", symbol: "ACME", hasOversellGuard };
  return openGroup(plan, owner, [10, 11, 12], 1_000);
}

function changed(group: OcoGroup, request: ChangeRequest, timeMs = 3_000): OcoGroup {
  const plan = planChange(group, request, TERMS);
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  const ids = plan.value.added.map((_, index) => 100 + timeMs + index);
  const decision = changeGroup(group, { change: plan.value, ids, timeMs });
  assert.ok(decision !== undefined);
  return decision.group;
}

function refusal(group: OcoGroup, request: ChangeRequest): string {
  const plan = planChange(group, request, TERMS);
  assert.ok(!plan.ok, "the change is refused");
  return `${plan.code} ${plan.message}`;
}

const inFlight = (group: OcoGroup, row: number) =>
  changeRows(group, [row], (was) => ({ ...was, isInFlight: true, triggeredPrice: 110, triggeredAtMs: 1_500 }));
const failed = (group: OcoGroup): OcoGroup =>
  changeRows(group, [STOP_LOSS], (was) => ({
    ...was,
    ...{ status: 3, triggeredPrice: 89, triggeredAtMs: 1_500, updatedAtMs: 2_000 },
    ...{ triggerErrorMessage: "no short sales", unsoldQuantity: 100 },
  }));
const sold = (group: OcoGroup, row: number) => changeRows(group, [row], (was) => ({ ...was, status: 2 }));

describe("a change of a running group", () => {
  it("changes only what it names", () => {
    const before = sample();
    const after = changed(before, { stopLossPrice: 95 });
    assert.deepEqual(after.rows[0], { ...before.rows[0], price: 9_500, updatedAtMs: 3_000 });
    assert.deepEqual(after.rows.slice(1), before.rows.slice(1));
    assert.deepEqual([after.dueAtMs, after.notes], [50_000, "note"]);
  });

  it("arms rows newly whose level changed, and keeps the arming of every other", () => {
    const moved = changed(sample(), { stopLossPrice: 95 });
    assert.deepEqual(moved.armings, [[STOP_LOSS, 3_000]]);
    const more = changed(
      moved,
      {
        takeProfitItems: [
          { id: 11, price: 110, quantity: 50 },
          { id: 12, price: 121, quantity: 40 },
        ],
      },
      4_000,
    );
    assert.deepEqual(more.armings, [
      [STOP_LOSS, 3_000],
      [2, 4_000],
    ]);
  });

  it("takes takeProfitItems as the whole list: with id changed, without id new, left out Cancelled", () => {
    const after = changed(sample(), {
      takeProfitItems: [
        { price: 105, quantity: 30 },
        { id: 12, price: 125, quantity: 70 },
      ],
    });
    assert.deepEqual(
      after.rows.map(({ id, price, quantity, status }) => [id, price, quantity, status]),
      [
        [10, 9_000, 100, 1],
        [11, 11_000, 60, 4],
        [12, 12_500, 70, 1],
        [3_100, 10_500, 30, 1],
      ],
    );
    assert.deepEqual(listedRows(after), [0, 3, 1, 2]);
    assert.deepEqual(after.armings, [
      [2, 3_000],
      [3, 3_000],
    ]);
  });

  it("sets a failed stop-loss Active again, its trail begun anew and take-profits armed as they were (15.7)", () => {
    const trailing = { distance: 200, distanceBasisPoints: null, activationPrice: null, step: null } as const;
    const seen = { high: 10_000, before: null, movedBy: null, toldAtMs: null };
    const group = failed({ ...sample(), trailing: { ...trailing, ...seen, confirmTicks: 1, tickTable: "BIST" } });
    const after = changed(group, { stopLossPrice: 90 });
    const { isInFlight, triggeredAtMs, triggerErrorMessage, unsoldQuantity } = stopLossOf(after);
    assert.deepEqual([isInFlight, triggeredAtMs, triggerErrorMessage, unsoldQuantity], [false, null, null, 0]);
    assert.deepEqual([stopLossOf(after).status, stopLossOf(after).id, after.exit?.orderCount], [1, 10, 2]);
    assert.deepEqual(new Map(after.armings), new Map([...[1, 2].map((row) => [row, 2_000] as const), [0, 3_000]]));
    assert.equal(after.trailing?.high, null);
    assert.deepEqual(changed(group, { notes: "x" }).rows, group.rows);
  });

  it("does not set a failed stop-loss Active while an order of it is open, in doubt, or can be filled yet", () => {
    const wish = { clientOrderId: "r10", symbol: "ACME", buySell: 2, quantity: 100, limitPrice: null } as const;
    const { execution } = beginExecution({ ...wish, needsPrice: false, createdDate: null }, "N1", 1, 1_500);
    for (const phase of ["open", "unclear", "ending", "ended", "inDoubt"] as const) {
      const group = { ...failed(sample()), followed: [{ row: STOP_LOSS, execution: { ...execution, phase } }] };
      assert.match(refusal(group, { stopLossPrice: 85 }), /^CONFLICT /, phase);
      const plan = planChange(failed(sample()), { stopLossPrice: 85 }, TERMS);
      assert.ok(plan.ok);
      assert.equal(changeGroup(group, { change: plan.value, ids: [], timeMs: 3_000 }), undefined, phase);
    }
  });

  it("takes due date and notes away with null", () => {
    const after = changed(sample(), { dueDate: null, notes: null });
    assert.deepEqual([after.dueAtMs, after.notes, after.armings], [null, null, undefined]);
  });

  it("sets how the stop-loss is sold, and keeps it where it does not say", () => {
    const once = changed(sample(), { exit: { stopLoss: "once" } });
    assert.deepEqual([exitPolicyOf(once), once.armings], ["once", undefined]);
    assert.equal(exitPolicyOf(changed(once, { stopLossPrice: 95 }, 4_000)), "once");
    assert.equal(exitPolicyOf(changed(once, { exit: { stopLoss: "untilSold" } }, 4_000)), "untilSold");
    const again = planChange(once, { exit: { stopLoss: "once" } }, TERMS);
    assert.ok(again.ok && changesNothing(once, again.value));
  });

  it("changes nothing where it repeats what is there", () => {
    const takeProfitItems = [
      { id: 12, price: 120, quantity: 40 },
      { id: 11, price: 110, quantity: 60 },
    ];
    for (const request of [{}, { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems, notes: "note" }]) {
      const plan = planChange(sample(), request, TERMS);
      assert.ok(plan.ok);
      assert.equal(changesNothing(sample(), plan.value), true);
    }
  });

  const invalid: readonly (readonly [string, ChangeRequest, RegExp])[] = [
    ["an empty list", { takeProfitItems: [] }, /^INVALID takeProfitItems must have at least 1/],
    ["a price that is off the tick table", { stopLossPrice: 90.01 }, /^INVALID stopLossPrice/],
    ["a stop-loss at a take-profit", { stopLossPrice: 110 }, /^INVALID takeProfitItems price 110 must be higher/],
    ["more lots than the stop-loss", { stopLossQuantity: 99 }, /^INVALID takeProfitItems quantities together \(100\)/],
    [
      "an id of no row",
      { takeProfitItems: [{ id: 99, price: 110, quantity: 1 }] },
      /^INVALID takeProfitItems\[0\].id 99/,
    ],
    [
      "the id of the stop-loss",
      { takeProfitItems: [{ id: 10, price: 110, quantity: 1 }] },
      /^INVALID takeProfitItems\[0\].id 10/,
    ],
    [
      "an id twice",
      {
        takeProfitItems: [
          { id: 11, price: 110, quantity: 1 },
          { id: 11, price: 111, quantity: 1 },
        ],
      },
      /named twice/,
    ],
    ["a due date that has passed", { dueDate: "1970-01-01T00:00:01Z" }, /^INVALID dueDate must be in the future/],
    ["notes that are too long", { notes: "x".repeat(501) }, /^INVALID notes/],
  ];
  for (const [what, request, message] of invalid) {
    it(`refuses ${what}`, () => assert.match(refusal(sample(), request), message));
  }

  it("refuses more rows than a group can have", () => {
    const [first] = sample().rows.slice(1);
    assert.ok(first !== undefined);
    const over = Array.from({ length: ROWS_MAX - 3 }, (_, index) => ({
      ...first,
      id: 200 + index,
      status: 4 as const,
    }));
    const group = { ...sample(), rows: [...sample().rows, ...over] };
    assert.match(refusal(group, { takeProfitItems: [{ price: 110, quantity: 1 }] }), /more than 500 rows/);
  });

  it("neither changes nor leaves out a take-profit in flight, and takes it named as it is", () => {
    const group = inFlight(sample(), 1);
    assert.match(
      refusal(group, { takeProfitItems: [{ id: 12, price: 120, quantity: 40 }] }),
      /^CONFLICT take-profit 11 .* left out/,
    );
    const other = { takeProfitItems: [{ id: 11, price: 111, quantity: 60 }] };
    assert.match(refusal(group, other), /^CONFLICT take-profit 11 .* changed/);
    const after = changed(group, { takeProfitItems: [{ id: 11, price: 110, quantity: 60 }] });
    assert.deepEqual(
      after.rows.map(({ status }) => status),
      [1, 1, 4],
    );
    assert.match(refusal(group, { stopLossQuantity: 99 }), /^INVALID takeProfitItems quantities together/);
  });

  it("does not count sold take-profits, and cannot name them", () => {
    const group = sold(sample(), 1);
    assert.equal(changed(group, { stopLossQuantity: 40 }).rows[0]?.quantity, 40);
    assert.match(
      refusal(group, { takeProfitItems: [{ id: 11, price: 110, quantity: 60 }] }),
      /^CONFLICT .* not Active/,
    );
  });

  it("with the oversell guard the stop-loss keeps more lots than were sold", () => {
    assert.match(refusal(sold(sample(true), 1), { stopLossQuantity: 60 }), /^INVALID stopLossQuantity must be above/);
  });

  it("changes nothing while the stop-loss is in flight, and nothing of a group that is over", () => {
    assert.match(refusal(inFlight(sample(), STOP_LOSS), { notes: null }), /^CONFLICT the stop-loss is being sold/);
    const over = changeRows(sample(), [0, 1, 2], (row) => ({ ...row, status: 4 }));
    assert.match(refusal(over, { notes: null }), /^INVALID the group has no Active row/);
  });

  it("keeps a failed stop-loss as it is without stopLossPrice", () => {
    const group = failed(sample());
    assert.match(refusal(group, { stopLossQuantity: 200 }), /^CONFLICT the stop-loss is not Active/);
    assert.equal(changed(group, { takeProfitItems: [{ price: 115, quantity: 100 }] }).rows[3]?.price, 11_500);
  });

  it("any row of changes agrees with a plain list of levels", () => {
    const prices = fc.integer({ min: 1_010, max: 1_400 }).map((tenths) => tenths / 10);
    const item = fc.record({
      keep: fc.boolean(),
      pick: fc.nat(),
      price: prices,
      quantity: fc.integer({ min: 1, max: 30 }),
    });
    const request = fc.record({
      stopLossPrice: fc.option(
        fc.integer({ min: 510, max: 1_000 }).map((tenths) => tenths / 10),
        { nil: undefined },
      ),
      items: fc.option(fc.array(item, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
        let group = sample();
        let stopLoss = 90;
        let twin = new Map([
          [11, [110, 60]],
          [12, [120, 40]],
        ]);
        for (const [step, { stopLossPrice, items }] of requests.entries()) {
          const open = [...twin.keys()];
          const takeProfitItems = items?.map(({ keep, pick, price, quantity }) => {
            const id = keep ? open.splice(pick % Math.max(1, open.length), 1)[0] : undefined;
            return { ...(id !== undefined && { id }), price, quantity };
          });
          const known = new Set(group.rows.map(({ id }) => id));
          const rising = Math.floor(step * 20) + 5_000;
          const isOnGrid = stopLossPrice === undefined || planChange(group, { stopLossPrice }, TERMS).ok;
          const terms = isOnGrid && stopLossPrice !== undefined ? { stopLossPrice } : {};
          const plan = planChange(group, { ...terms, takeProfitItems }, TERMS);
          if (!plan.ok) continue;
          group = changed(group, { ...terms, takeProfitItems }, rising);
          stopLoss = terms.stopLossPrice ?? stopLoss;
          if (takeProfitItems === undefined) continue;
          const added = group.rows.filter(({ id }) => !known.has(id)).map(({ id }) => id);
          twin = new Map(
            takeProfitItems.map(({ id, price, quantity }) => [id ?? added.shift() ?? 0, [price, quantity]]),
          );
        }
        const watched = group.rows.slice(1).filter(({ status }) => status === 1);
        const levels = watched.map(({ id, price, quantity }) => [id, [price / 100, quantity]] as const);
        assert.deepEqual(new Map(levels), twin);
        assert.equal(group.rows[0]?.price, Math.round(stopLoss * 100));
        assert.equal(new Set(group.rows.map(({ id }) => id)).size, group.rows.length);
      }),
    );
  });
});
