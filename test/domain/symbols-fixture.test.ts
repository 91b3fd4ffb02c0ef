import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseGridPrice } from "../../src/domain/price/tick-table.ts";

const text = readFileSync(new URL("../../fixtures/symbols.json", import.meta.url), "utf8");
const rows: unknown = JSON.parse(text);

function fieldsOf(row: unknown): Map<string, unknown> {
  assert.ok(typeof row === "object" && row !== null);
  return new Map(Object.entries(row));
}

test("the fixture lists at least 40 symbols, each once", () => {
  assert.ok(Array.isArray(rows) && rows.length >= 40);
  assert.equal(new Set(rows.map((row) => fieldsOf(row).get("symbol"))).size, rows.length);
});

test("every symbol has a code, a name, the exchange, a flag and a start price on the tick table", () => {
  assert.ok(Array.isArray(rows));
  for (const row of rows) {
    const fields = fieldsOf(row);
    assert.deepEqual([...fields.keys()], ["symbol", "name", "exchange", "isActive", "startPrice"]);
    const symbol = fields.get("symbol");
    const startPrice = fields.get("startPrice");
    assert.ok(typeof symbol === "string" && /^[A-Z0-9_]{1,16}$/.test(symbol));
    assert.ok(typeof fields.get("name") === "string" && fields.get("name") !== "");
    assert.equal(fields.get("exchange"), "BIST");
    assert.equal(typeof fields.get("isActive"), "boolean");
    assert.ok(typeof startPrice === "number");
    const price = parseGridPrice(startPrice, symbol);
    assert.ok(price.ok, price.ok ? "" : price.message);
  }
});
