import assert from "node:assert/strict";
import { test } from "node:test";
import { SymbolDirectory } from "../../../engine/reference/symbol-directory.ts";
import type { SymbolView } from "../../../src/contract/operator/reference.ts";
import { ANN, dataOf, RunningReference, refusalOf } from "./harness.ts";

const ABC = { symbol: "ABC", name: "A B C", exchange: "BIST", isActive: true };

test("the first start writes the listed symbols, and a later one writes nothing", async () => {
  const first = await RunningReference.start();
  const symbols = (await first.rows("symbols.list", {}, null)) as SymbolView[];
  assert.ok(symbols.length >= 40);
  assert.deepEqual(
    symbols.map(({ symbol }) => symbol),
    symbols.map(({ symbol }) => symbol).sort(),
  );
  assert.deepEqual(first.disk.keys("y/").length, symbols.length);
  assert.equal(first.journal.batchCount, 1);
  const again = await RunningReference.start(first.disk);
  assert.equal(again.journal.batchCount, 0);
  assert.deepEqual(await again.rows("symbols.list", {}, null), symbols);
});

test("a symbol is shown with the fields of the specification", async () => {
  const reference = await RunningReference.start();
  const reply = await reference.query("symbols.get", { symbol: "THYAO" }, null);
  assert.deepEqual(dataOf(reply), { symbol: "THYAO", name: "Türk Hava Yolları", exchange: "BIST", isActive: true });
});

test("an unknown symbol is not found, in whatever form it comes", async () => {
  const reference = await RunningReference.start();
  for (const symbol of ["NOPE", "thyao", "", "THYAO ", "__proto__"]) {
    assert.deepEqual(refusalOf(await reference.query("symbols.get", { symbol })), [
      "NOT_FOUND",
      "the symbol was not found",
    ]);
  }
});

test("a written symbol is known, listed, told of and there after a restart, with the id it had", async () => {
  const reference = await RunningReference.start();
  assert.equal(reference.directory.isKnown("ABC"), false);
  assert.deepEqual(dataOf(await reference.command("symbols.write", { symbols: [ABC] })), { written: 1 });
  assert.deepEqual(reference.changes, ["symbols"]);
  assert.equal(reference.directory.isKnown("ABC"), true);
  const { id } = reference.disk.json("y/ABC") as { id: number };

  await reference.command("symbols.write", {
    symbols: [{ ...ABC, isActive: false, logoUrl: "https://x.test/abc.png" }],
  });
  assert.equal(reference.directory.isActive("ABC"), false);
  await reference.command("symbols.write", { symbols: [{ ...ABC, name: "Other", isActive: false }] });
  const restarted = await RunningReference.start(reference.disk);
  assert.equal(restarted.directory.isKnown("ABC"), true);
  assert.equal(restarted.directory.isActive("ABC"), false);
  const stored = reference.disk.json("y/ABC") as { id: number; logoUrl: string; name: string };
  assert.deepEqual([stored.id, stored.logoUrl, stored.name], [id, "https://x.test/abc.png", "Other"]);
});

test("a write is refused whole, with field and rule", async () => {
  const reference = await RunningReference.start();
  const twice = await reference.command("symbols.write", { symbols: [ABC, ABC] });
  assert.deepEqual(refusalOf(twice), ["INVALID", "symbols[1].symbol ABC is listed twice"]);
  const badCode = await reference.command("symbols.write", { symbols: [ABC, { ...ABC, symbol: "abc" }] });
  assert.match(refusalOf(badCode)[1], /^symbols\[1\]\.symbol must be 1 to 16 of A-Z/);
  const badLogo = await reference.command("symbols.write", { symbols: [{ ...ABC, logoUrl: "javascript:1" }] });
  assert.match(refusalOf(badLogo)[1], /logoUrl must be an http or https address/);
  assert.equal(refusalOf(await reference.command("symbols.write", { symbols: [] }))[0], "INVALID");
  assert.equal(reference.directory.isKnown("ABC"), false);
  assert.deepEqual(reference.changes, []);
});

test("long lists come in pages that together are the list", async () => {
  const reference = await RunningReference.start();
  const whole = await reference.rows("symbols.list", {}, null);
  assert.deepEqual(await reference.rows("symbols.list", {}, null, 300), whole);
  assert.deepEqual(await reference.rows("symbols.list", {}, null, 1), whole);
});

test("an answer waits until what it shows is durable", async () => {
  let writeMs = 0;
  const reference = await RunningReference.start(undefined, () => writeMs);
  writeMs = 60_000;
  const writing = reference.command("symbols.write", { symbols: [ABC] });
  await reference.time.turns();
  let isAnswered = false;
  const asking = reference.query("symbols.get", { symbol: "ABC" }).then((reply) => {
    isAnswered = true;
    return reply;
  });
  await reference.time.advance(30_000);
  assert.equal(isAnswered, false);
  assert.deepEqual(reference.changes, []);
  await reference.time.advance(60_000);
  assert.deepEqual(dataOf(await asking), ABC);
  assert.deepEqual(reference.changes, ["symbols"]);
  dataOf(await writing);
});

test("the same write under one Idempotency-Key happens once", async () => {
  const reference = await RunningReference.start();
  await reference.command("symbols.write", { symbols: [ABC] }, ANN, "k");
  await reference.command("symbols.write", { symbols: [ABC] }, ANN, "k");
  assert.deepEqual(reference.changes, ["symbols"]);
});

test("before it was told anything a directory knows the first symbols, their start prices and what can be simulated", () => {
  const directory = new SymbolDirectory();
  assert.equal(directory.isKnown("THYAO"), true);
  assert.equal(directory.isActive("THYAO"), true);
  assert.equal(directory.isActive("NOPE"), false);
  assert.equal(directory.startPriceOf("THYAO"), 312.5);
  assert.equal(directory.startPriceOf("NOPE"), undefined);
  assert.ok(directory.simulated().some(({ symbol }) => symbol === "THYAO"));
  directory.learn([{ symbol: "THYAO", isActive: false, exchange: "BIST" }]);
  assert.equal(
    directory.simulated().some(({ symbol }) => symbol === "THYAO"),
    false,
  );
  directory.replaceAll([{ symbol: "NEW", isActive: true, exchange: "NASDAQ" }]);
  assert.deepEqual([directory.isKnown("THYAO"), directory.isKnown("NEW")], [false, true]);
  assert.deepEqual([directory.tickTableOf("THYAO"), directory.tickTableOf("NEW")], ["BIST", "CENT"]);
});
