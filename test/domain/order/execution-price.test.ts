/** Prices of fills: what a late one waits for, and which report of a price counts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/domain/order/evidence.ts";
import type { Execution } from "../../../src/domain/order/execution.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import { averagePriceOf, filledQuantityOf } from "../../../src/domain/order/order-number.ts";
import { lookedUp, ofType, opened, play, record, reported, START_MS, waitOut } from "./execution-samples.ts";

describe("a fill after the end without its price, of a buy that needs one (behaviour 13.7)", () => {
  const buy = (orderStatus: number, filledQuantity: number, averagePrice: number, changed: Partial<OrderNotice> = {}) =>
    record(orderStatus, filledQuantity, { buySell: 1, averagePrice, ...changed });
  const ended = (): Execution => {
    const order = opened({ buySell: 1, needsPrice: true });
    return play(order, reported(buy(3, 0, 0)), lookedUp(buy(3, 0, 0), 1)).execution;
  };

  test("it is asked for after 1, 2, 5, 15, 60 s, then each minute, and counts without a price after ten minutes", () => {
    const late = play(ended(), reported(buy(2, 100, 0)));
    assert.deepEqual(late.facts, [{ type: "contradicted", code: "completedWithoutPrice" }]);
    const { execution, facts, asked } = waitOut(late.execution, (look, timeMs) =>
      lookedUp(buy(2, 100, 0), look, timeMs),
    );
    assert.deepEqual(asked.slice(0, 7), [1_000, 3_000, 8_000, 23_000, 83_000, 143_000, 203_000]);
    assert.equal(asked.at(-1), 563_000, "the last question within ten minutes");
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 100, price: null }]);
    assert.deepEqual([execution.phase, filledQuantityOf(execution)], ["settled", 100]);
    assert.deepEqual(ofType(facts, "contradicted"), [], "told once");
  });

  test("it counts without a price too if the brokerage answers nothing more, or forgot the order", () => {
    const late = play(ended(), reported(buy(2, 100, 0))).execution;
    for (const answer of [() => undefined, (_: number, timeMs: number): Evidence => ({ type: "notFound", timeMs })]) {
      const { facts } = waitOut(late, answer);
      assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 100, price: null }]);
    }
  });

  test("a price that comes in time is the fill's, once; after it nothing waits", () => {
    const late = play(ended(), reported(buy(2, 100, 0))).execution;
    const { execution, facts } = play(late, lookedUp(buy(2, 100, 90), 2), reported(buy(2, 100, 90)));
    assert.deepEqual(facts, [{ type: "filledAfterEnd", quantity: 100, price: 90 }]);
    assert.deepEqual([execution.phase, execution.askAtMs, "unpriced" in execution], ["settled", null, false]);
  });

  test("a part with its price counts, and the rest goes on waiting; then the asking of an end goes on", () => {
    const late = play(ended(), reported(buy(3, 70, 0)), reported(buy(3, 40, 90)));
    assert.deepEqual(ofType(late.facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 40, price: 90 }]);
    const { execution, facts, asked } = waitOut(late.execution, () => undefined);
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 30, price: null }]);
    assert.equal(filledQuantityOf(execution), 70);
    assert.ok((asked.at(-1) ?? 0) >= 3_600_000, "70 of 100: asked again for an hour");
  });

  test("more lots without a price do not begin the ten minutes anew", () => {
    const late = play(ended(), reported(buy(3, 40, 0)));
    const { facts, asked } = waitOut(late.execution, (look, timeMs) =>
      lookedUp(buy(3, timeMs - START_MS > 500_000 ? 70 : 40, 0), look, timeMs),
    );
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 70, price: null }]);
    assert.deepEqual(ofType(facts, "contradicted"), [], "told once");
    const again = [10_000, 60_000, 600_000, 3_600_000].map((pauseMs) => 623_000 + pauseMs);
    assert.deepEqual(
      asked.slice(-5),
      [563_000, ...again],
      "it counts after ten minutes, and is asked for as an end is",
    );
  });

  test("a replacement without its price is told once, and counts beside the old number", () => {
    const replaced = buy(2, 60, 0, { orderNo: "N2" });
    const late = play(ended(), reported(buy(3, 40, 0)), reported(replaced), reported(replaced));
    assert.deepEqual(ofType(late.facts, "replaced"), [{ type: "replaced", orderNo: "N2" }]);
    const { facts } = waitOut(late.execution, (look, timeMs) => lookedUp(replaced, look, timeMs));
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 100, price: null }]);
    assert.deepEqual(ofType(facts, "replaced"), []);
  });

  test("an operator's word ends the waiting", () => {
    const late = play(ended(), reported(buy(2, 100, 0))).execution;
    const fill = { quantity: 100, price: 91 };
    const { execution, facts } = play(late, { type: "decided", fill, timeMs: START_MS });
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 100, price: 91 }]);
    assert.equal(execution.askAtMs, null);
  });

  test("whatever is reported after the end, the asking ends, and every lot that was reported counts once", () => {
    const told = fc.record({
      filled: fc.constantFrom(0, 40, 70, 100, 150),
      price: fc.constantFrom(0, 90),
      orderNo: fc.constantFrom("N1", "N2"),
    });
    fc.assert(
      fc.property(fc.array(told, { maxLength: 8 }), (records) => {
        const evidence = records.map(({ filled, price, orderNo }) =>
          reported(buy(filled === 100 ? 2 : 3, filled, filled === 0 ? 0 : price, { orderNo })),
        );
        const late = play(ended(), ...evidence);
        const { execution, facts, asked } = waitOut(late.execution, () => undefined);
        const most = new Map<string, number>();
        for (const { orderNo, filled } of records) most.set(orderNo, Math.max(most.get(orderNo) ?? 0, filled));
        const expected = [...most.values()].reduce((sum, quantity) => sum + quantity, 0);
        const counted = ofType([...late.facts, ...facts], "filledAfterEnd");
        assert.equal(filledQuantityOf(execution), expected);
        assert.equal(
          counted.reduce((sum, { quantity }) => sum + quantity, 0),
          expected,
        );
        assert.ok(asked.length <= 60, String(asked.length));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an average price that changes (behaviour 13.2)", () => {
  const ended = (): Execution =>
    play(opened(), reported(record(3, 40, { averagePrice: 90.1 })), lookedUp(record(3, 40, { averagePrice: 90.1 }), 1))
      .execution;

  test("a late record of the order while it was open changes no price after its end", () => {
    assert.equal(averagePriceOf(play(ended(), reported(record(1, 40, { averagePrice: 90 }))).execution), 90.1);
    assert.equal(averagePriceOf(play(ended(), lookedUp(record(1, 40, { averagePrice: 90 }), null)).execution), 90.1);
  });

  test("an ended record, the newest look-up and a fill that is new count with their price", () => {
    for (const evidence of [reported(record(3, 40)), lookedUp(record(1, 40), 1), reported(record(1, 60))]) {
      assert.equal(averagePriceOf(play(ended(), evidence).execution), 90);
    }
    const unpriced = play(opened(), reported(record(3, 40, { averagePrice: 0 }))).execution;
    assert.equal(averagePriceOf(play(unpriced, reported(record(1, 40))).execution), 90, "a price in place of none");
  });
});
