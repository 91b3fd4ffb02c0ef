import assert from "node:assert/strict";
import { test } from "node:test";
import { sellLedger } from "../../../src/domain/order/sell-ledger.ts";

const NONE = { groups: 0, bots: 0, entries: 0 };

test("a row for each symbol that is held, being sold or committed, by symbol", () => {
  const ledger = sellLedger({
    held: new Map([["THYAO", 100]]),
    openSells: new Map([["GARAN", 5]]),
    commitments: [
      { symbol: "ASELS", by: "entries", quantity: 10 },
      { symbol: "THYAO", by: "groups", quantity: 60 },
      { symbol: "THYAO", by: "bots", quantity: 20 },
      { symbol: "THYAO", by: "bots", quantity: 15 },
    ],
  });
  assert.deepEqual(ledger, [
    { symbol: "ASELS", held: 0, openSells: 0, committed: { ...NONE, entries: 10 }, worstCase: -10 },
    { symbol: "GARAN", held: 0, openSells: 5, committed: NONE, worstCase: -5 },
    { symbol: "THYAO", held: 100, openSells: 0, committed: { ...NONE, groups: 60, bots: 35 }, worstCase: 5 },
  ]);
});

test("unknown is never zero: without an answer of the brokerage there is no worst case", () => {
  const commitments = [{ symbol: "THYAO", by: "groups", quantity: 60 }] as const;
  const committed = { ...NONE, groups: 60 };
  assert.deepEqual(sellLedger({ held: undefined, openSells: new Map(), commitments }), [
    { symbol: "THYAO", held: null, openSells: 0, committed, worstCase: null },
  ]);
  assert.deepEqual(sellLedger({ held: new Map([["THYAO", 60]]), openSells: undefined, commitments }), [
    { symbol: "THYAO", held: 60, openSells: null, committed, worstCase: null },
  ]);
});
