import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseExcess, sellLedger, stopLotsMax } from "../../../src/domain/order/sell-ledger.ts";

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

test("what is held, less open sells and what groups and bots may sell, can be committed; pending OCOs do not count", () => {
  const held = new Map([["THYAO", 100]]);
  const openSells = new Map([["THYAO", 10]]);
  const commitments = [
    { symbol: "THYAO", by: "groups", quantity: 40 },
    { symbol: "THYAO", by: "bots", quantity: 5 },
    { symbol: "THYAO", by: "entries", quantity: 500 },
    { symbol: "GARAN", by: "groups", quantity: 500 },
  ] as const;
  const codeOf = (entries: object, quantity: number, symbol = "THYAO") =>
    refuseExcess({ held, openSells, commitments, ...entries }, { field: "quantity", symbol, quantity })?.code;
  const rows: [string, object, number, string | undefined][] = [
    ["all that is left", {}, 45, undefined],
    ["one lot more", {}, 46, "OVERCOMMITTED"],
    ["held is not known", { held: undefined }, 1_000, undefined],
    ["open sells are not known", { openSells: undefined }, 1_000, undefined],
    ["no open sells", { openSells: new Map() }, 55, undefined],
    ["a symbol that the answer leaves out is 0", { held: new Map() }, 1, "OVERCOMMITTED"],
  ];
  for (const [name, entries, quantity, code] of rows) assert.equal(codeOf(entries, quantity), code, name);
});

test("a stop-loss may sell what was known as held less sells since, while that is young; else all of it", () => {
  const known = { quantity: 60, atMs: 1_000_000, soldSince: 0, ordersSince: new Set<string>(), hasBoughtSince: false };
  const rows: [string, Parameters<typeof stopLotsMax>[0], number, number | undefined][] = [
    ["not known", undefined, 0, undefined],
    ["just read", known, 0, 60],
    ["59.999 s old", known, 59_999, 60],
    ["60 s old", known, 60_000, undefined],
    ["from a time to come", known, -1, undefined],
    ["a part sold since", { ...known, soldSince: 25 }, 10, 35],
    ["all sold since", { ...known, soldSince: 60 }, 10, 0],
    ["more sold than was held", { ...known, soldSince: 70 }, 10, 0],
    ["nothing held", { ...known, quantity: 0 }, 10, 0],
    ["sold short", { ...known, quantity: -5 }, 10, 0],
    ["bought since", { ...known, hasBoughtSince: true }, 10, undefined],
  ];
  for (const [name, held, ageMs, lots] of rows) assert.equal(stopLotsMax(held, 1_000_000 + ageMs)?.lots, lots, name);
});
