import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { clientOrderSnapshot } from "../../../src/contract/stored/client-order-snapshot.ts";
import {
  beginClientOrder,
  type ClientOrder,
  hearOfClientOrder,
  isSettled,
  nextMomentOf,
  passMoment,
} from "../../../src/domain/order/client-order.ts";
import type { Fact } from "../../../src/domain/order/evidence.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import type { OrderNews } from "../../../src/domain/order/order-news.ts";
import { averagePriceOf, filledQuantityOf, orderNoOf } from "../../../src/domain/order/order-number.ts";

const START_MS = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const place = { orderId: 5, userId: 7, brokerageCode: "PAPER", accountNumber: "A-7" };
const terms = { symbol: "THYAO", quantity: 100, buySell: 1, orderType: 2, price: 90 } as const;

function placed(changed: Partial<Parameters<typeof beginClientOrder>[0]> = {}, orderStatus = 1): ClientOrder {
  return beginClientOrder({ ...place, ...terms, clientOrderId: "life-c5", ...changed }, "N1", orderStatus, START_MS)
    .order;
}

function record(orderStatus: number, filledQuantity: number, changed: Partial<OrderNotice> = {}): OrderNotice {
  const averagePrice = filledQuantity === 0 ? 0 : 90;
  const named = { orderNo: "N1", clientOrderId: "life-c5", symbol: "THYAO", buySell: 1 } as const;
  return { ...named, orderStatus, filledQuantity, averagePrice, quantity: 100, ...changed };
}

const told = (one: OrderNotice, timeMs = START_MS): OrderNews => ({ type: "orderUpdated", record: one, timeMs });
const foundBy = (look: number, one: OrderNotice, timeMs = START_MS): OrderNews =>
  ({ ...told(one, timeMs), look }) as OrderNews;
const missing = (answer: "notFound" | "unknown", timeMs = START_MS): OrderNews => {
  return { type: "orderMissing", orderNo: "N1", answer, timeMs };
};

/** Applies the news in order; returns the order after it and every fact. */
function play(order: ClientOrder, ...news: readonly OrderNews[]): { order: ClientOrder; facts: Fact[] } {
  const facts: Fact[] = [];
  let now = order;
  for (const one of news) {
    const decision = hearOfClientOrder(now, one);
    facts.push(...(decision?.told.facts ?? []));
    now = decision?.order ?? now;
  }
  return { order: now, facts };
}

const typesOf = (facts: readonly Fact[]): string[] => facts.map(({ type }) => type);

describe("a client's order (behaviour 13.8)", () => {
  const table: readonly (readonly [string, readonly OrderNews[], string, number, readonly string[]])[] = [
    ["filled whole", [told(record(2, 100))], "settled", 100, ["filled", "ended"]],
    ["filled in part", [told(record(1, 40))], "open", 40, ["filled"]],
    ["ended with a rest, not confirmed", [told(record(3, 40))], "ending", 40, ["filled", "lookUp"]],
    ["ended with a rest", [told(record(3, 40)), foundBy(1, record(3, 40))], "ended", 40, ["filled", "lookUp", "ended"]],
    [
      "filled after its end",
      [told(record(3, 40)), foundBy(1, record(3, 40)), told(record(3, 70))],
      "ended",
      70,
      ["filled", "lookUp", "ended", "filledAfterEnd"],
    ],
    [
      "filled after its end, without a price",
      [told(record(3, 40)), foundBy(1, record(3, 40)), told(record(3, 70, { averagePrice: 0 }))],
      "ended",
      70,
      ["filled", "lookUp", "ended", "filledAfterEnd"],
    ],
    ["filled beyond its quantity", [told(record(2, 130))], "settled", 130, ["filled", "overfilled", "ended"]],
    ["completed in part", [told(record(2, 40))], "ending", 40, ["filled", "contradicted", "lookUp"]],
    ["completed without a quantity", [told(record(2, 0))], "unclear", 0, ["contradicted"]],
    [
      "completed without a price",
      [told(record(2, 100, { averagePrice: 0 }))],
      "unclear",
      100,
      ["filled", "contradicted"],
    ],
    [
      "completed above its limit (13.4)",
      [told(record(2, 100, { averagePrice: 91 }))],
      "unclear",
      100,
      ["contradicted", "filled", "contradicted"],
    ],
    ["its number on another order", [told(record(2, 100, { clientOrderId: "life-c6" }))], "open", 0, ["ignored"]],
    ["its number on another symbol", [told(record(2, 100, { symbol: "GARAN" }))], "open", 0, ["ignored"]],
    ["replaced", [told(record(1, 0, { orderNo: "N2" }))], "open", 0, ["replaced"]],
    ["not found once", [missing("notFound")], "open", 0, []],
    ["not found twice within 30 s", [missing("notFound"), missing("notFound", START_MS + 29_999)], "open", 0, []],
    [
      "not found twice, 30 s apart",
      [missing("notFound"), missing("notFound", START_MS + 30_000)],
      "inDoubt",
      0,
      ["inDoubt"],
    ],
    ["unknown once", [told(record(1, 40)), missing("unknown")], "inDoubt", 40, ["filled", "inDoubt"]],
    ["unknown, then found", [missing("unknown"), told(record(1, 40))], "open", 40, ["inDoubt", "found", "filled"]],
    [
      "unknown, then settled by a person",
      [
        missing("unknown"),
        { type: "orderDecided", orderNo: "N1", fill: { quantity: 60, price: 89 }, timeMs: START_MS },
      ],
      "ended",
      60,
      ["inDoubt", "filled", "ended"],
    ],
  ];
  for (const [name, news, phase, filled, facts] of table) {
    test(`${name}: ${phase} with ${filled} filled`, () => {
      const after = play(placed(), ...news);
      assert.equal(after.order.execution.phase, phase);
      assert.equal(filledQuantityOf(after.order.execution), filled);
      assert.deepEqual(typesOf(after.facts), facts);
    });
  }

  test("a replaced order is the sum of its numbers", () => {
    const { order } = play(
      placed(),
      told(record(3, 30)),
      foundBy(1, record(1, 0, { orderNo: "N2" })),
      told(record(2, 70, { orderNo: "N2" })),
    );
    assert.deepEqual([orderNoOf(order.execution), filledQuantityOf(order.execution)], ["N2", 100]);
  });

  test("a lower quantity at the end is a correction, and changes nothing (13.2)", () => {
    const { order, facts } = play(placed(), told(record(1, 40)), foundBy(1, record(3, 30)), foundBy(1, record(3, 30)));
    assert.ok(typesOf(facts).includes("corrected"));
    assert.equal(filledQuantityOf(order.execution), 40);
  });

  test("an impossible price is no price, and the one that comes later counts (13.4)", () => {
    const sell = { buySell: 2 } as const;
    for (const [changed, wrong, right] of [
      [{}, 91, 90],
      [sell, 89, 90],
    ] as const) {
      const first = play(placed(changed), told(record(2, 100, { ...changed, averagePrice: wrong })));
      assert.equal(averagePriceOf(first.order.execution), null);
      const then = play(first.order, told(record(2, 100, { ...changed, averagePrice: right })));
      assert.deepEqual([then.order.execution.phase, averagePriceOf(then.order.execution)], ["settled", right]);
    }
  });

  test("a fill above 9,999,999 is a price: only prices of clients have that limit", () => {
    const market = { orderType: 1, price: 0 } as const;
    const { order } = play(placed(market), told(record(2, 100, { averagePrice: 12_345_678.5 })));
    assert.deepEqual([order.execution.phase, averagePriceOf(order.execution)], ["settled", 12_345_678.5]);
  });

  test("a price is asked for for ten minutes, then a person decides (13.2)", () => {
    let order = play(placed(), told(record(2, 100, { averagePrice: 0 }))).order;
    for (let atMs = nextMomentOf(order); atMs !== null; atMs = nextMomentOf(order)) {
      assert.ok(atMs < START_MS + 700_000);
      order = passMoment(order, atMs)?.order ?? assert.fail();
    }
    assert.equal(order.execution.phase, "inDoubt");
  });

  test("an end with a rest is asked for again for an hour, and a day after that the order is over", () => {
    let order = play(placed(), told(record(3, 40)), foundBy(1, record(3, 40))).order;
    const moments: number[] = [];
    for (let atMs = nextMomentOf(order); atMs !== null; atMs = nextMomentOf(order)) {
      moments.push(atMs - START_MS);
      order = passMoment(order, atMs)?.order ?? assert.fail();
    }
    assert.deepEqual(moments.slice(0, 4), [10_000, 60_000, 600_000, 3_600_000]);
    assert.equal(moments.at(-1), (moments.at(-2) ?? 0) + DAY_MS);
    assert.ok(order.isOver);
  });

  test("a late fill of a settled order begins its day anew", () => {
    const settled = play(placed(), told(record(2, 100))).order;
    assert.equal(nextMomentOf(settled), START_MS + DAY_MS);
    const { order, facts } = play(settled, told(record(2, 130), START_MS + 5_000));
    assert.deepEqual(typesOf(facts), ["filledAfterEnd", "overfilled"]);
    assert.equal(nextMomentOf(order), START_MS + 5_000 + DAY_MS);
    assert.ok(isSettled(order));
  });

  test("an answer that is over is confirmed, and one that is completed is asked for its quantity", () => {
    const cancelled = beginClientOrder({ ...place, ...terms, clientOrderId: "life-c5" }, "N1", 3, START_MS);
    assert.deepEqual(typesOf(cancelled.told.facts), ["lookUp"]);
    assert.equal(placed({}, 2).execution.phase, "unclear");
  });

  test("whatever is reported, in any order: lots never fall, its row is readable, and it ends for good", () => {
    const aNotice = fc
      .record({
        orderStatus: fc.constantFrom(0, 1, 2, 3, 4),
        filledQuantity: fc.integer({ min: 0, max: 130 }),
        averagePrice: fc.constantFrom(0, 89, 90, 91, 20_000_000),
        orderNo: fc.constantFrom("N1", "N2"),
        clientOrderId: fc.constantFrom("life-c5", "life-c6", null),
      })
      .map((fields) => record(fields.orderStatus, fields.filledQuantity, fields));
    const news = fc.oneof(
      aNotice.map((one) => told(one)),
      fc.tuple(aNotice, fc.integer({ min: 1, max: 5 })).map(([one, look]) => foundBy(look, one)),
      fc.constantFrom(missing("notFound"), missing("unknown")),
    );
    fc.assert(
      fc.property(fc.array(news, { maxLength: 12 }), (all) => {
        let now = placed();
        for (const one of all) {
          const next = play(now, one).order;
          assert.ok(filledQuantityOf(next.execution) >= filledQuantityOf(now.execution));
          assert.deepEqual(clientOrderSnapshot.parse(JSON.parse(JSON.stringify(next))), next);
          now = next;
        }
        // Without news the order remains open, needs a person's decision, or is over after some time.
        for (let count = 0; nextMomentOf(now) !== null; count += 1) {
          assert.ok(count < 100);
          const atMs = nextMomentOf(now) ?? 0;
          const next = passMoment(now, atMs)?.order ?? assert.fail();
          if (next.execution.phase === "ending" || next.execution.missingSinceMs !== null) break;
          now = next;
        }
        const { phase } = now.execution;
        assert.ok(now.isOver || ["open", "inDoubt", "ending", "unclear"].includes(phase), phase);
      }),
    );
  });
});
