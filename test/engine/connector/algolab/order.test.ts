/** The content of a row of AlgoLab's list of today's orders, in the form in which AlgoLab's users published rows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderRow } from "../../../../engine/connector/algolab/api.ts";
import { isFault, isNotNow } from "../../../../engine/connector/algolab/not-now.ts";
import { hasTerms, recordOfRow } from "../../../../engine/connector/algolab/order.ts";

const SOLD: OrderRow = {
  ...{ atpref: "FO1HZ7", ticker: "THYAO", buysell: "Satış", ordersize: 10, remainingsize: 10, price: 0, fillunit: 0 },
  ...{ timetransaction: Date.UTC(2026, 2, 2, 12, 29, 12), waitingprice: 95, description: "İletildi" },
  equitystatusdescription: "WAITING",
};

test("the state of a row is that of equityStatusDescription, and quantities count", () => {
  const open = 1;
  const completed = 2;
  const cancelled = 3;
  const rejected = 4;
  const cases: readonly (readonly [Partial<OrderRow>, number])[] = [
    [{}, open],
    [{ equitystatusdescription: "IMPROVE_DEMAND", description: "İyileştirildi" }, open],
    [{ equitystatusdescription: "DELETE_DEMAND", description: "Silme Talebi Alındı" }, open],
    [{ equitystatusdescription: "PARTIAL", remainingsize: 6, fillunit: 4, price: 95 }, open],
    [{ equitystatusdescription: "NEW_WORD", remainingsize: 0 }, open],
    [{ equitystatusdescription: "DONE", description: "Gerçekleşti", remainingsize: 0, fillunit: 10 }, completed],
    [{ equitystatusdescription: "DELETED", description: "Silindi", remainingsize: 0 }, cancelled],
    [{ equitystatusdescription: "DELETED", description: "Silindi", remainingsize: 0, fillunit: 4 }, cancelled],
    [{ equitystatusdescription: "PARTIAL", remainingsize: 0, fillunit: 4 }, cancelled],
    [{ equitystatusdescription: "PARTIAL", remainingsize: 0, fillunit: 10 }, completed],
    [{ equitystatusdescription: "PARTIAL", description: "KIE Emri Silindi", remainingsize: 6, fillunit: 4 }, cancelled],
    [{ equitystatusdescription: "WAITING", description: "KPY Emri Silindi", remainingsize: 0 }, cancelled],
    [{ equitystatusdescription: "DELETED", description: "Emir Reddedildi", remainingsize: 0 }, rejected],
    [{ equitystatusdescription: "DELETED", description: "Emir Reddedildi", fillunit: 4 }, cancelled],
    [{ equitystatusdescription: "WAITING", description: "Silme Reddedildi" }, open],
  ];
  for (const [change, expected] of cases) {
    const { orderStatus } = recordOfRow({ ...SOLD, ...change }, "A1", "THYAO", 0);
    assert.equal(orderStatus, expected, JSON.stringify(change));
  }
});

test("a row is that of a share with the market's suffix or without", () => {
  const terms = { buySell: 2, orderType: 2, quantity: 10, price: 95 } as const;
  for (const ticker of ["THYAO", "THYAO.E"]) {
    for (const symbol of ["THYAO", "THYAO.E"]) assert.ok(hasTerms({ ...SOLD, ticker }, terms, symbol));
  }
  assert.equal(hasTerms({ ...SOLD, ticker: "THYAB" }, terms, "THYAO.E"), false);
});

test("a refusal that is a fault behind AlgoLab, or has no reason, leaves open what became of the order", () => {
  for (const text of [
    "Object reference not set to an instance of an object.",
    "İşlem sırasında HATA OLUŞTU, lütfen tekrar deneyiniz",
    "Zaman aşımı",
    "AlgoLab gave no reason",
  ]) {
    assert.ok(isFault(text), text);
  }
  for (const text of ["Yetersiz bakiye", "Emir bulunamadı"]) assert.equal(isFault(text), false, text);
  assert.ok(isNotNow("Seans dışı, lütfen tekrar deneyiniz", []));
});
