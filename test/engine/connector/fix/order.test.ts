import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyReport, isOver, type KnownOrder } from "../../../../engine/connector/fix/order/order.ts";
import { type Report, readReport, saysUnknownOrder } from "../../../../engine/connector/fix/order/report.ts";
import { type Field, FixMessage } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import fc from "../../../support/property.ts";

const fresh: KnownOrder = {
  ...{ clientOrderId: "x", accountNumber: "A", symbol: "THYAO", buySell: 2, orderType: 1, quantity: 100, price: 0 },
  ...{ standing: "leaving", life: 1, number: 2, isOneLife: true, orderId: null, orderStatus: 0, filledQuantity: 0 },
  ...{ averagePrice: 0, text: "", createdMs: 0, updatedMs: 0, endedBy: null, wireName: null },
};

let count = 0;
function report(status: string, filledQuantity: number, change: Partial<Report> = {}): Report {
  count += 1;
  const base = { kind: "told", status, execType: status, filledQuantity, text: "", averagePrice: 10 } as const;
  return { ...base, key: `E${count}/${filledQuantity}`, ...change };
}

function after(...reports: readonly Report[]): KnownOrder {
  const seen = new Set<string>();
  let order = fresh;
  for (const one of reports) {
    order = applyReport(order, one, seen, 1);
    if (one.key !== undefined) seen.add(one.key);
  }
  return order;
}

const shown = ({ standing, orderStatus, filledQuantity }: KnownOrder) => [standing, orderStatus, filledQuantity];

describe("what a report makes of an order", () => {
  test("new, part fill, fill", () => {
    assert.deepEqual(shown(after(report("0", 0))), ["accepted", 1, 0]);
    assert.deepEqual(shown(after(report("0", 0), report("1", 40))), ["accepted", 1, 40]);
    assert.deepEqual(shown(after(report("0", 0), report("1", 40), report("2", 100))), ["accepted", 2, 100]);
  });
  test("filled after the brokerage took its quantity down: what filled of it, and no more", () => {
    assert.deepEqual(shown(after(report("0", 0), report("0", 0, { execType: "D" }), report("2", 60))), [
      "accepted",
      3,
      60,
    ]);
    assert.deepEqual(shown(after(report("2", 100), report("2", 60))), ["accepted", 2, 100]);
  });
  test("an average counts no part whose price nobody told", () => {
    const untold = report("1", 40, { averagePrice: 0 });
    const priced = { averagePrice: 0, lastQuantity: 60, lastPrice: 12 };
    assert.equal(after(report("0", 0), untold, report("2", 100, priced)).averagePrice, 0);
    assert.equal(after(report("0", 0), report("1", 40), report("2", 100, priced)).averagePrice, 11.2);
  });
  test("a fill before New stays a fill", () => {
    assert.deepEqual(shown(after(report("2", 100), report("0", 0))), ["accepted", 2, 100]);
    assert.deepEqual(shown(after(report("1", 30), report("0", 0))), ["accepted", 1, 30]);
  });
  test("PendingNew then Rejected is a refusal", () => {
    assert.deepEqual(shown(after(report("A", 0))), ["accepted", 0, 0]);
    const refused = after(report("A", 0), report("8", 0, { text: "no position" }));
    assert.deepEqual(shown(refused), ["refused", 4, 0]);
    assert.equal(refused.text, "no position");
  });
  test("a late report with a lower quantity changes nothing", () => {
    assert.deepEqual(shown(after(report("1", 60), report("1", 20))), ["accepted", 1, 60]);
  });
  test("the same report twice counts once, also after it was busted", () => {
    const fill = report("2", 100);
    const bust = report("0", 0, { kind: "correction" });
    assert.deepEqual(shown(after(fill, fill)), ["accepted", 2, 100]);
    assert.deepEqual(shown(after(fill, bust, fill)), ["accepted", 1, 0]);
  });
  test("a bust and a correction may lower the quantity and open the order again", () => {
    assert.deepEqual(shown(after(report("2", 100), report("1", 40, { kind: "correction" }))), ["accepted", 1, 40]);
    assert.deepEqual(shown(after(report("1", 40), report("0", 0, { kind: "correction" }))), ["accepted", 1, 0]);
  });
  test("an unsolicited cancel, DoneForDay and Expired end it with what was filled", () => {
    for (const status of ["4", "3", "C"]) {
      const order = after(report("1", 30), report(status, 30));
      assert.deepEqual(shown(order), ["accepted", 3, 30]);
      assert.equal(isOver(order), true);
    }
  });
  test("a cancel that crosses the last fill does not hide it", () => {
    assert.deepEqual(shown(after(report("1", 30), report("4", 30), report("2", 100))), ["accepted", 2, 100]);
    assert.deepEqual(shown(after(report("2", 100), report("4", 30))), ["accepted", 2, 100]);
  });
  test("a refusal after a part fill is an end, not a refusal", () => {
    assert.deepEqual(shown(after(report("1", 30), report("8", 30))), ["accepted", 3, 30]);
  });
  test("an average is computed from the last fill where the broker tells none", () => {
    const parts = { averagePrice: 0 };
    const order = after(
      report("1", 50, { ...parts, lastQuantity: 50, lastPrice: 10 }),
      report("2", 100, { ...parts, lastQuantity: 50, lastPrice: 12 }),
    );
    assert.equal(order.averagePrice, 11);
  });
  test("whatever comes, the filled quantity falls by corrections only and what is over stays over", () => {
    const any = fc.record({
      status: fc.constantFrom(..."01234568ABC9"),
      filled: fc.integer({ min: 0, max: 100 }),
      key: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 25 }), (list) => {
        const seen = new Set<string>();
        let order = fresh;
        for (const { status, filled, key } of list) {
          const next = applyReport(order, report(status, filled, { key: `${key}/${filled}` }), seen, 1);
          assert.ok(next.filledQuantity >= order.filledQuantity);
          assert.ok(next.filledQuantity <= 100);
          if (order.standing === "accepted" && order.orderStatus >= 2) assert.ok(next.orderStatus >= 2);
          if (next.filledQuantity > 0) assert.notEqual(next.standing, "refused");
          seen.add(`${key}/${filled}`);
          order = next;
        }
        const greatest = Math.max(0, ...list.map(({ filled }) => filled));
        assert.equal(order.filledQuantity, greatest);
      }),
      { numRuns: 300 },
    );
  });
});

describe("reading a report", () => {
  const read = (fields: readonly Field[]) => readReport(new FixMessage([[35, "8"], ...fields]));
  const whole: Field[] = [
    [Tag.ExecID, "E"],
    [Tag.ExecType, "F"],
    [Tag.OrdStatus, "1"],
    [Tag.CumQty, "40.00"],
  ];
  test("quantities may have decimals that say nothing", () => {
    const found = read(whole);
    assert.equal(typeof found === "object" && found.filledQuantity, 40);
  });
  test("a quantity that is no whole number, or an unknown status, is no report", () => {
    for (const bad of [
      [Tag.CumQty, "40.5"],
      [Tag.CumQty, "-1"],
      [Tag.CumQty, "x"],
      [Tag.OrdStatus, "Z"],
    ] as const) {
      assert.equal(typeof read([...whole.filter(([tag]) => tag !== bad[0]), bad]), "string");
    }
    assert.equal(typeof read(whole.slice(0, 3)), "string");
  });
  test("FIX 4.2 says by ExecTransType what FIX 4.4 says by ExecType", () => {
    for (const [value, kind] of [
      ["0", "told"],
      ["1", "correction"],
      ["2", "correction"],
      ["3", "answer"],
    ] as const) {
      const found = read([...whole, [Tag.ExecTransType, value]]);
      assert.equal(typeof found === "object" && found.kind, kind);
    }
  });
  test("an order that is unknown is told from one that was refused", () => {
    const says = (...fields: Field[]) => {
      const found = read([[Tag.OrdStatus, "8"], [Tag.CumQty, "0"], ...fields]);
      assert.ok(typeof found === "object");
      return saysUnknownOrder(found);
    };
    assert.equal(says([Tag.ExecType, "I"], [Tag.OrdRejReason, "5"], [Tag.OrderID, "NONE"]), "yes");
    assert.equal(says([Tag.ExecType, "I"], [Tag.OrderID, "NONE"]), "yes");
    assert.equal(says([Tag.ExecType, "I"], [Tag.OrdRejReason, "99"], [Tag.OrderID, "NONE"]), "perhaps");
    assert.equal(says([Tag.OrdStatusReqID, "Q1"], [Tag.OrdRejReason, "0"]), "perhaps");
    assert.equal(says([Tag.ExecType, "8"], [Tag.OrderID, "NONE"]), "no");
    assert.equal(says([Tag.ExecType, "I"], [Tag.OrderID, "N1"]), "no");
    assert.equal(says([Tag.ExecType, "8"], [Tag.OrdRejReason, "99"], [Tag.OrderID, "N1"]), "no");
  });
});
