/** What the order ticket takes and sends, alone and with exits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY_TICKET,
  exitsOf,
  findTicketFaults,
  placeTicketRefusal,
  type TicketDraft,
  withTicketLots,
} from "../../../edge/web/dashboard/trade/ticket-draft.ts";
import { LIMIT, SELL } from "../../../src/domain/order/order.ts";

const MARKET_BUY: TicketDraft = { ...EMPTY_TICKET, symbol: "THYAO", ...withTicketLots(EMPTY_TICKET, "10") };
const FIXED: TicketDraft = {
  ...MARKET_BUY,
  exits: { ...MARKET_BUY.exits, stopLoss: { unit: "price", text: "290" } },
};

test("the exits of a buy are for all of its lots, and an order without them sends none", () => {
  assert.deepEqual(exitsOf(MARKET_BUY, "Europe/Istanbul"), {
    body: { stopLossPercent: 3, takeProfitItems: [{ quantity: 10, percent: 5 }] },
    text: "Stop-loss: 10 at 3 % below the fill. Take-profits: 10 at 5 % above the fill.",
  });
  assert.equal(exitsOf({ ...MARKET_BUY, isProtected: false }, "UTC"), null);
  assert.equal(exitsOf({ ...MARKET_BUY, side: SELL }, "UTC"), null);
});

test("a fixed level is held to the limit of the buy, and to nothing at market or in an order without exits", () => {
  assert.deepEqual(findTicketFaults(FIXED, "BIST"), {});
  const limited = { ...FIXED, kind: LIMIT, price: "290" } as const;
  assert.deepEqual(Object.keys(findTicketFaults(limited, "BIST")), ["stopLoss"]);
  assert.deepEqual(findTicketFaults({ ...limited, price: "290.25" }, "BIST"), {});
  assert.deepEqual(findTicketFaults({ ...limited, isProtected: false }, "BIST"), {});
  assert.deepEqual(findTicketFaults({ ...limited, side: SELL }, "BIST"), {});
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
    ["symbol X is not known", "symbol"],
    ["stopLossPrice must be lower than entry.price (300)", "stopLoss"],
    ["takeProfitItems quantities together (11) must not be above stopLossQuantity (10)", "lots"],
    ["an active OCO group already exists", ""],
  ] as const) {
    assert.deepEqual(placeTicketRefusal(MARKET_BUY, message), { [field]: message });
  }
});
