/** What the order ticket takes and sends, alone and with exits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Order } from "../../../edge/web/dashboard/state/model.ts";
import {
  amountOfLots,
  copyOf,
  EMPTY_TICKET,
  exitsOf,
  expectedPrice,
  fillsNowText,
  findTicketFaults,
  orderOf,
  placeTicketRefusal,
  saleOf,
  type TicketDraft,
  withSide,
  withTicketAmount,
  withTicketLots,
} from "../../../edge/web/dashboard/trade/ticket-draft.ts";
import { BUY, LIMIT, MARKET, SELL } from "../../../src/domain/order/order.ts";
import { STOP_ENTRY } from "../../../src/domain/setup.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "A1" } as Parameters<typeof orderOf>[1];

const MARKET_BUY: TicketDraft = { ...EMPTY_TICKET, symbol: "THYAO", ...withTicketLots(EMPTY_TICKET, "10") };
const FIXED: TicketDraft = {
  ...MARKET_BUY,
  exits: { ...MARKET_BUY.exits, stopLoss: { unit: "price", text: "290" } },
};

test("the exits of a buy are for all of its lots, and an order without them sends none", () => {
  assert.deepEqual(exitsOf(MARKET_BUY, "Europe/Istanbul"), {
    body: { stopLossPercent: 3, takeProfitItems: [{ quantity: 10, percent: 5 }] },
    text: "Stop-loss: 10 at 3% below the fill. Take-profits: 10 at 5% above the fill.",
  });
  assert.equal(exitsOf({ ...MARKET_BUY, isProtected: false }, "UTC"), null);
  assert.equal(exitsOf({ ...MARKET_BUY, side: SELL }, "UTC"), null);
});

test("an amount buys the whole lots that it pays, with exits for all of them", () => {
  const sized = { ...MARKET_BUY, ...withTicketAmount(MARKET_BUY, "17,000.50", 354) };
  assert.deepEqual([sized.lots, sized.exits.stopLossQuantity, sized.amount], ["48", "48", "17,000.50"]);
  assert.equal(orderOf(sized, ACCOUNT).quantity, 48);
  assert.deepEqual(findTicketFaults(sized, "BIST"), {});
  for (const lots of [1, 7, 658, 99_999]) {
    for (const price of [0.07, 3.3, 33.33, 310.75, 354]) {
      assert.equal(
        withTicketAmount(MARKET_BUY, amountOfLots(lots, price), price).lots,
        String(lots),
        `${lots} ${price}`,
      );
    }
  }
});

for (const [amount, price, fault] of [
  ["100", 354, "It pays no whole lot."],
  ["100", undefined, "The price of a lot is not known yet."],
  ["a lot", 354, "Digits, and at most 2 more after a point."],
  ["", 354, "Digits, and at most 2 more after a point."],
] as const) {
  test(`an amount of "${amount}" at ${price} is refused at its field`, () => {
    const sized = { ...MARKET_BUY, ...withTicketAmount(MARKET_BUY, amount, price) };
    assert.equal(findTicketFaults(sized, "BIST").lots, fault);
  });
}

test("a holding is sold at market, and its lots have exits if the side is changed", () => {
  const sale = saleOf({ symbol: "THYAO", quantity: 900 });
  const account = { ...ACCOUNT, symbol: "THYAO", quantity: 900 };
  assert.deepEqual(orderOf(sale, ACCOUNT), { ...account, buySell: SELL, orderType: MARKET, price: 0 });
  assert.equal(sale.exits.stopLossQuantity, "900");
});

test("a copy of an order has its open lots and price, and the exits of its pending OCO", () => {
  const order: Order = {
    ...{
      orderNo: "7",
      symbol: "THYAO",
      buySell: BUY,
      orderType: LIMIT,
      orderStatus: 1,
      price: 290.5,
      averagePrice: null,
    },
    ...{ quantity: 40, filledQuantity: 15, clientOrderId: null, createdDate: "2026-03-02T08:00:00Z" },
  };
  const alone = copyOf(order, undefined, "UTC");
  assert.deepEqual(orderOf(alone, ACCOUNT), {
    ...{ ...ACCOUNT, symbol: "THYAO", quantity: 25, buySell: 1, orderType: 2, price: 290.5 },
  });
  assert.deepEqual([exitsOf(alone, "UTC"), alone.copiedFrom], [null, "7"]);
  const setup = {
    ...{ setupId: 5, symbol: "THYAO", brokerOrderNo: "7", stopLossQuantity: 40, stopLossPercent: 2 },
    ...{ stopLossPrice: null, takeProfitItems: [{ quantity: 40, percent: null, price: 310 }], dueDate: null },
    ...{ createdDate: "2026-03-02T08:00:00Z", notes: "a swing trade", exit: null, stopLossTrailing: null },
    ...{ entry: null, orderMessage: null },
  };
  assert.deepEqual(exitsOf(copyOf(order, setup, "UTC"), "UTC")?.body, {
    ...{ stopLossPercent: 2, takeProfitItems: [{ quantity: 25, price: 310 }], notes: "a swing trade" },
  });
});

test("a fixed level is held to the limit of the buy, and to nothing at market or in an order without exits", () => {
  assert.deepEqual(findTicketFaults(FIXED, "BIST"), {});
  const limited = { ...FIXED, kind: LIMIT, price: "290" } as const;
  assert.deepEqual(Object.keys(findTicketFaults(limited, "BIST")), ["stopLoss"]);
  assert.deepEqual(findTicketFaults({ ...limited, price: "290.25" }, "BIST"), {});
  assert.deepEqual(findTicketFaults({ ...limited, isProtected: false }, "BIST"), {});
  assert.deepEqual(findTicketFaults({ ...limited, side: SELL }, "BIST"), {});
});

test("a stop entry is a buy with exits from a trigger on, and a sale has no trigger", () => {
  const stop: TicketDraft = { ...FIXED, kind: STOP_ENTRY, price: "300", isProtected: false };
  assert.deepEqual(findTicketFaults(stop, "BIST"), {});
  assert.deepEqual(Object.keys(findTicketFaults({ ...stop, price: "290" }, "BIST")), ["stopLoss"]);
  assert.deepEqual(Object.keys(findTicketFaults({ ...stop, price: "" }, "BIST")), ["price"]);
  assert.equal(orderOf(stop, ACCOUNT).price, 300);
  assert.notEqual(exitsOf(stop, "UTC"), null);
  assert.equal(expectedPrice(stop, 250), 300);
  assert.deepEqual(withSide(stop, SELL), { side: SELL, kind: MARKET });
  assert.deepEqual(withSide({ ...stop, kind: LIMIT }, SELL), { side: SELL, kind: LIMIT });
});

test("an order that fills as soon as it is placed says why", () => {
  const stop = orderOf({ ...FIXED, kind: STOP_ENTRY, price: "300" }, ACCOUNT);
  const limit = orderOf({ ...FIXED, kind: LIMIT, price: "300" }, ACCOUNT);
  assert.match(fillsNowText(stop, 300) ?? "", /reached the trigger/);
  assert.equal(fillsNowText(stop, 299.99), undefined);
  assert.match(fillsNowText(limit, 300) ?? "", /passed the limit/);
  assert.equal(fillsNowText(limit, 300.01), undefined);
  assert.match(fillsNowText({ ...limit, buySell: SELL }, 300.01) ?? "", /passed the limit/);
  for (const order of [stop, limit, orderOf(MARKET_BUY, ACCOUNT)])
    assert.equal(fillsNowText(order, undefined), undefined);
});

test("the moment at which a buy is cancelled is sent with its entry and told, and must be whole", () => {
  const draft = { ...MARKET_BUY, expires: "2035-03-02T17:50" };
  const exits = exitsOf(draft, "UTC");
  assert.deepEqual(exits?.entry, { expiresAt: new Date("2035-03-02T17:50").toISOString() });
  assert.match(exits?.text ?? "", /What is not filled by 2035-03-02 17:50 is cancelled\.$/);
  assert.deepEqual(Object.keys(findTicketFaults({ ...draft, expires: "2035-03-02" + "Tx" }, "BIST")), ["expiresAt"]);
});

test("lots that are none, and take-profits of more lots, are faults of the lots alone", () => {
  const none = { ...MARKET_BUY, ...withTicketLots(MARKET_BUY, "1.000") };
  assert.deepEqual(findTicketFaults(none, "BIST"), { lots: "Whole lots, 1 or more." });
  const takeProfits = [{ key: 1, unit: "percent", text: "5", quantity: "11" }] as const;
  const more = { ...MARKET_BUY, exits: { ...MARKET_BUY.exits, takeProfits } };
  assert.deepEqual(Object.keys(findTicketFaults(more, "BIST")), ["lots"]);
});

test("a refusal of the order and of an entry stands at the field that it names", () => {
  for (const [message, field] of [
    ["quantity 0 is no quantity", "lots"],
    ["entry.quantity 0 is no quantity", "lots"],
    ["entry.price 20.01 is not a multiple of 0.02", "price"],
    ["entry.triggerPrice is required for a stop entry", "price"],
    ["entry.expiresAt must be in the future", "expiresAt"],
    ["symbol X is not known", "symbol"],
    ["stopLossPrice must be lower than entry.price (300)", "stopLoss"],
    ["takeProfitItems quantities together (11) must not be above stopLossQuantity (10)", "lots"],
    ["an active OCO group already exists", ""],
  ] as const) {
    assert.deepEqual(placeTicketRefusal(MARKET_BUY, message), { [field]: message });
  }
});
