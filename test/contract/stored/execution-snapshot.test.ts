import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { executionSnapshot, packSell, unpackSell } from "../../../src/contract/stored/execution-snapshot.ts";
import { DOUBT_CODES } from "../../../src/domain/order/doubt.ts";
import { apply, beginExecution, doubtText, type Execution } from "../../../src/domain/order/execution.ts";
import type { Wish } from "../../../src/domain/order/order-number.ts";

const wish: Wish = {
  clientOrderId: "life-r1",
  symbol: "THYAO",
  buySell: 2,
  quantity: 100,
  limitPrice: null,
  needsPrice: false,
  createdDate: null,
};
const { execution: opened } = beginExecution(wish, "N1", 1, 1_000_000);
const { execution: doubtful } = apply(opened, { type: "unknown", timeMs: 1_000_000 });

/** The execution as it is after a restart. */
function storedAndRead(execution: Execution): unknown {
  const stored = JSON.parse(JSON.stringify(packSell(0, execution)));
  return executionSnapshot.parse(Reflect.get(Object(unpackSell(stored, "THYAO")), "execution"));
}

describe("a stored execution", () => {
  test("keeps why it is in doubt, packed or not (behaviour 13.6)", () => {
    for (const doubt of DOUBT_CODES) {
      const execution: Execution = { ...doubtful, doubt };
      assert.deepEqual(storedAndRead(execution), execution);
      assert.deepEqual(executionSnapshot.parse(JSON.parse(JSON.stringify(execution))), execution);
    }
  });

  test("keeps a fill after the end that waits for its price (behaviour 13.7)", () => {
    const [number] = opened.orders;
    assert.ok(number !== undefined);
    const waiting: Execution = { ...opened, phase: "ended", unpriced: [{ ...number, filledQuantity: 100 }] };
    assert.deepEqual(executionSnapshot.parse(JSON.parse(JSON.stringify(waiting))), waiting);
  });

  test("that is not in doubt is stored as before", () => {
    assert.equal(packSell(0, opened).length, 11);
    assert.deepEqual(storedAndRead(opened), opened);
  });

  test("in doubt without a reason, as an earlier edition stored it, is read and described", () => {
    const { doubt: _, ...earlier } = doubtful;
    assert.deepEqual(storedAndRead(earlier), earlier);
    assert.equal(doubtText(earlier), "order N1 is in doubt, 0 of 100 known as filled: an operator decides");
  });

  test("with a reason that is not one of the codes is refused", () => {
    assert.equal(executionSnapshot.safeParse({ ...doubtful, doubt: "bored" }).success, false);
  });
});
