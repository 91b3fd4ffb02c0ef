import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ACTIVE,
  CANCELLED,
  canCancel,
  isActive,
  isDue,
  isOpen,
  isStopping,
  type OcoGroup,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
  TRIGGERED,
} from "../../../src/domain/oco/group.ts";
import {
  awaitsAnswer,
  cancelOpen,
  countSold,
  fireStopLoss,
  firesStopLoss,
  firesTakeProfit,
  fireTakeProfits,
  type PriceReached,
  settle,
} from "../../../src/domain/oco/oco.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { CREATED_MS, DUE_MS, sampleGroup } from "../../machine/group/group-samples.ts";

const atStopLoss: PriceReached = { watches: [0], price: 89.5, timeMs: 2_000 };
const atFirstTier: PriceReached = { watches: [1], price: 110, timeMs: 2_000 };

test("a new group is Active in all rows, the stop-loss first; its id is the group's", () => {
  const group = sampleGroup({});
  assert.equal(group.groupId, 10);
  assert.deepEqual(
    group.rows.map(({ id, price, quantity, status }) => [id, price, quantity, status]),
    [
      [10, 9_000, 10, ACTIVE],
      [11, 11_000, 4, ACTIVE],
      [12, 12_000, 6, ACTIVE],
    ],
  );
  assert.equal(group.createdAtMs, CREATED_MS);
  assert.ok(isActive(group) && canCancel(group) && !isStopping(group));
  assert.deepEqual(JSON.parse(JSON.stringify(group)), group);
});

test("a group needs one id for each row", () => {
  const group = sampleGroup({});
  const plan = { stopLoss: rowAt(group, 0), takeProfits: [rowAt(group, 1)], dueAtMs: null, notes: null };
  assert.throws(() => openGroup(plan, group, [1], 0), /one id for each row/);
  assert.throws(() => openGroup(plan, group, [1, 2, 3], 0), /one id for each row/);
});

test("no take-profit fires beside a stop-loss that is on its way", () => {
  const stopping = fireStopLoss(sampleGroup({}), atStopLoss).group;
  assert.ok(isOpen(rowAt(stopping, 1)) && isStopping(stopping));
  assert.ok(!firesTakeProfit(stopping, atFirstTier));
  assert.deepEqual(fireTakeProfits(stopping, atFirstTier).sells, []);
});

test("an open row fires, a row in flight or settled does not", () => {
  const group = sampleGroup({});
  assert.ok(firesTakeProfit(group, atFirstTier));
  const fired = fireTakeProfits(group, atFirstTier).group;
  assert.ok(!firesTakeProfit(fired, atFirstTier));
  assert.ok(!isOpen(rowAt(fired, 1)));
  const sold = settle(fired, { name: "r11", refusal: null, timeMs: 2_500 }).group;
  assert.equal(rowAt(sold, 1).status, TRIGGERED);
  assert.ok(!firesTakeProfit(sold, atFirstTier));
});

test("a watch that names no row fires nothing", () => {
  assert.ok(!firesTakeProfit(sampleGroup({}), { ...atFirstTier, watches: [99] }));
});

test("while the stop-loss is in flight no row fires, and it cannot fire twice", () => {
  const stopping = fireStopLoss(sampleGroup({}), atStopLoss).group;
  assert.ok(isStopping(stopping));
  assert.ok(!firesStopLoss(stopping, atStopLoss));
  assert.ok(!firesTakeProfit(stopping, atFirstTier));
  assert.throws(() => fireStopLoss(stopping, atStopLoss), /row 10 fires once/);
});

test("from the due date on nothing fires (behaviour 4.7)", () => {
  const group = sampleGroup({ dueAtMs: DUE_MS });
  assert.ok(!isDue(group, DUE_MS - 1) && isDue(group, DUE_MS));
  assert.ok(!isDue(sampleGroup({}), Number.MAX_SAFE_INTEGER));
  assert.ok(!firesStopLoss(group, { ...atStopLoss, timeMs: DUE_MS }));
  assert.ok(firesStopLoss(group, { ...atStopLoss, timeMs: DUE_MS - 1 }));
});

test("an answer is awaited only for a sell that is on its way", () => {
  const group = sampleGroup({});
  assert.ok(!awaitsAnswer(group, "r10") && !awaitsAnswer(group, "r11") && !awaitsAnswer(group, "x"));
  const stopping = fireStopLoss(fireTakeProfits(group, atFirstTier).group, atStopLoss).group;
  assert.ok(awaitsAnswer(stopping, "r10") && awaitsAnswer(stopping, "r11") && !awaitsAnswer(stopping, "r12"));
  assert.throws(() => settle(group, { name: "r11", refusal: null, timeMs: 1 }), /waits for an answer/);
});

test("cancelling changes open rows alone and says which", () => {
  const fired = fireTakeProfits(sampleGroup({}), atFirstTier).group;
  const { group, notices } = cancelOpen(fired, 2_600);
  assert.deepEqual(
    group.rows.map((row) => row.status),
    [CANCELLED, ACTIVE, CANCELLED],
  );
  assert.deepEqual(
    notices.map(({ row }) => row),
    [0, 2],
  );
  assert.ok(!canCancel(group) && isActive(group));
  assert.equal(cancelOpen(group, 2_700).group, group, "nothing is left to cancel");
});

test("a decision leaves the group it came from as it was", () => {
  const group = sampleGroup({});
  const before = JSON.stringify(group);
  fireStopLoss(group, atStopLoss);
  fireTakeProfits(group, atFirstTier);
  cancelOpen(group, 1);
  assert.equal(JSON.stringify(group), before);
});

test("with the guard the stop-loss sells what take-profits have neither sold nor on their way", () => {
  const group = sampleGroup({ hasOversellGuard: true });
  const sold = settle(fireTakeProfits(group, atFirstTier).group, { name: "r11", refusal: null, timeMs: 1 }).group;
  assert.equal(fireStopLoss(sold, atStopLoss).sells[0]?.quantity, 6);
  const all = fireTakeProfits(group, { ...atFirstTier, watches: [1, 2], price: 120 }).group;
  assert.deepEqual(fireStopLoss(all, atStopLoss).sells, []);
  assert.equal(fireStopLoss(sampleGroup({}), atStopLoss).sells[0]?.quantity, 10);
  assert.equal(stopLossOf(group).id, 10);
});

describe("a refused stop-loss after take-profits sold (behaviour 4.5b)", () => {
  const refused = { name: "r10", refusal: "not enough lots", timeMs: 3_000 };
  const soldFirstTier = (): OcoGroup =>
    settle(fireTakeProfits(sampleGroup({}), atFirstTier).group, { name: "r11", refusal: null, timeMs: 1 }).group;

  test("is sent once more with what they left, under a name of its own", () => {
    const { group, sells, notices } = settle(fireStopLoss(soldFirstTier(), atStopLoss).group, refused);
    assert.deepEqual(sells, [{ name: "r10-10", row: STOP_LOSS, quantity: 6 }]);
    assert.deepEqual(notices, [{ type: "oco.sentReduced", row: STOP_LOSS, message: "not enough lots" }]);
    assert.ok(isStopping(group), "its take-profits stay out of the watch");
    assert.equal(group.rows[0]?.triggerErrorMessage, "sent once more with 6 of 10 lots: not enough lots");
    const sold = settle(group, { name: "r10-10", refusal: null, timeMs: 4_000 });
    assert.deepEqual(
      sold.group.rows.map(({ status }) => status),
      [TRIGGERED, TRIGGERED, CANCELLED],
    );
  });

  test("leaves out what a take-profit has on its way, and sells that too if it is refused", () => {
    const onItsWay = fireTakeProfits(sampleGroup({}), atFirstTier).group;
    const { group, sells } = settle(fireStopLoss(onItsWay, atStopLoss).group, refused);
    assert.deepEqual(
      sells.map(({ quantity }) => quantity),
      [6],
    );
    const failed = settle(group, { name: "r11", refusal: "no", timeMs: 3_500 });
    assert.deepEqual(failed.sells, [{ name: "r10-11", row: STOP_LOSS, quantity: 4 }]);
  });

  test("whose refused part is not all of it says what is sold and what is not, also once more is sold", () => {
    const guarded = sampleGroup({ hasOversellGuard: true });
    const stopped = fireStopLoss(fireTakeProfits(guarded, atFirstTier).group, atStopLoss).group;
    const extra = settle(stopped, { name: "r11", refusal: "no", timeMs: 3_000 }).group;
    const { group, notices } = settle(extra, { ...refused, quantity: 6, timeMs: 3_500 });
    assert.deepEqual(notices, [{ type: "oco.triggerFailed", row: STOP_LOSS, message: "not enough lots" }]);
    assert.equal(stopLossOf(group).triggerErrorMessage, "0 of 6 sold: not enough lots");
    assert.equal(stopLossOf(countSold(group, 4)).triggerErrorMessage, "4 of 10 sold: not enough lots");
  });

  test("is refused for good the second time, and the take-profit that is left is watched", () => {
    const { group } = settle(fireStopLoss(soldFirstTier(), atStopLoss).group, refused);
    const failed = settle(group, { ...refused, name: "r10-10", timeMs: 4_000, mayReclaim: true });
    assert.deepEqual(failed.sells, []);
    assert.deepEqual(
      failed.group.rows.map(({ status }) => status),
      [TRIGGER_FAILED, TRIGGERED, ACTIVE],
    );
  });

  test("is final where no take-profit sold, or none of its lots is left", () => {
    const none = settle(fireStopLoss(sampleGroup({}), atStopLoss).group, refused);
    const { group } = fireTakeProfits(sampleGroup({}), { ...atFirstTier, watches: [1, 2], price: 120 });
    const all = ["r11", "r12"].reduce((now, name) => settle(now, { name, refusal: null, timeMs: 1 }).group, group);
    for (const { sells, group: failed } of [none, settle(fireStopLoss(all, atStopLoss).group, refused)]) {
      assert.deepEqual([sells, failed.rows[0]?.status], [[], TRIGGER_FAILED]);
    }
  });
});
