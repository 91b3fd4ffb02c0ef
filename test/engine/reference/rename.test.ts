/** A symbol that an operator renames, in the reference data (behaviour 30.1, 30.5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SymbolListDetail, SymbolView } from "../../../src/contract/operator/reference.ts";
import { dataOf, RunningReference, refusalOf } from "./harness.ts";

const ABC = { symbol: "ABC", name: "A B C", exchange: "BIST", isActive: true, logoUrl: "https://x.test/abc.png" };

async function started(...more: readonly object[]): Promise<RunningReference> {
  const reference = await RunningReference.start();
  dataOf(await reference.command("symbols.write", { symbols: [ABC, ...more] }));
  return reference;
}

const rename = (reference: RunningReference, from: string, to: string) =>
  reference.command("symbols.rename", { from, to });
const symbolOf = async (reference: RunningReference, symbol: string) =>
  dataOf(await reference.query("symbols.get", { symbol }, null)) as SymbolView;

describe("a renamed symbol", () => {
  test("has name, exchange and logo under the new name, and is no longer active under the former one", async () => {
    const reference = await started();
    assert.deepEqual(dataOf(await rename(reference, "ABC", "NEW")), { isChanged: true });
    assert.deepEqual(await symbolOf(reference, "NEW"), {
      ...{ symbol: "NEW", name: "A B C", exchange: "BIST", isActive: true },
    });
    assert.equal((reference.disk.json("y/NEW") as { logoUrl: string }).logoUrl, ABC.logoUrl);
    assert.equal((await symbolOf(reference, "ABC")).isActive, false);
    const { directory } = await RunningReference.start(reference.disk);
    assert.deepEqual(directory.renames(), [{ from: "ABC", to: "NEW" }]);
    assert.deepEqual([directory.presentName("ABC"), directory.presentName("NEW")], ["NEW", "NEW"]);
    assert.deepEqual([directory.isActive("ABC"), directory.isActive("NEW")], [false, true]);
  });

  test("is the same one after a repeated request, and after two renames in a row", async () => {
    const reference = await started();
    await rename(reference, "ABC", "NEW");
    assert.deepEqual(dataOf(await rename(reference, "ABC", "NEW")), { isChanged: false });
    await rename(reference, "NEW", "NEWER");
    assert.deepEqual(reference.directory.renames(), [
      { from: "ABC", to: "NEWER" },
      { from: "NEW", to: "NEWER" },
    ]);
  });

  test("gets its former name back", async () => {
    const reference = await started();
    await rename(reference, "ABC", "NEW");
    assert.deepEqual(dataOf(await rename(reference, "NEW", "ABC")), { isChanged: true });
    assert.deepEqual(reference.directory.renames(), [{ from: "NEW", to: "ABC" }]);
    assert.equal((await symbolOf(reference, "ABC")).isActive, true);
  });

  test("takes a name that an import has added, with that one's own description", async () => {
    const reference = await started({ ...ABC, symbol: "NEW", name: "New", isActive: false });
    await rename(reference, "ABC", "NEW");
    assert.deepEqual(await symbolOf(reference, "NEW"), {
      symbol: "NEW",
      name: "New",
      exchange: "BIST",
      isActive: true,
    });
  });

  test("is not active again by an import that still lists it", async () => {
    const reference = await started();
    await rename(reference, "ABC", "NEW");
    const refused = await reference.command("symbols.write", { symbols: [ABC] });
    assert.deepEqual(refusalOf(refused), [
      "INVALID",
      "symbols[0].symbol ABC was renamed to NEW: leave it out, or inactive",
    ]);
    dataOf(await reference.command("symbols.write", { symbols: [{ ...ABC, isActive: false }] }));
    assert.deepEqual(reference.directory.renames(), [{ from: "ABC", to: "NEW" }]);
  });

  test("is in the lists that contained it, at its place and once", async () => {
    const reference = await started({ ...ABC, symbol: "NEW" });
    const list = { name: "mine", symbols: ["THYAO", "ABC", "GARAN", "NEW"] };
    const { id } = dataOf(await reference.command("lists.create", list)) as { id: number };
    await rename(reference, "ABC", "NEW");
    const found = dataOf(await reference.query("lists.get", { id })) as SymbolListDetail;
    assert.deepEqual(found.symbols, ["THYAO", "NEW", "GARAN"]);
  });

  test("is under the measures that it was under", async () => {
    const reference = await started();
    const restriction = { code: "ABC", restrictionType: 4, validFrom: "2026-01-05T10:00:00Z", sourceRef: "KAP" };
    dataOf(await reference.command("restrictions.write", { restrictions: [restriction] }));
    await rename(reference, "ABC", "NEW");
    for (const running of [reference, await RunningReference.start(reference.disk)]) {
      const codes = running.reference.restrictions.measures().map(({ symbol }) => symbol);
      assert.deepEqual([codes.includes("NEW"), codes.includes("ABC")], [true, false]);
    }
  });

  for (const [rule, from, to, refusal] of [
    ["the same name", "ABC", "ABC", ["INVALID", "to ABC must differ from the symbol"]],
    ["an unknown symbol", "NOPE", "NEW", ["NOT_FOUND", "symbol NOPE is not known"]],
    ["another exchange", "ABC", "USA", ["INVALID", "to USA is of exchange NASDAQ, ABC of BIST"]],
    ["a symbol that was renamed", "GONE", "NEW", ["CONFLICT", "symbol GONE was renamed to HERE already: rename that"]],
    ["a former name of another one", "ABC", "GONE", ["CONFLICT", "to GONE is a former name of HERE"]],
  ] as const) {
    test(`${rule} is refused with field and rule, and nothing changes`, async () => {
      const reference = await started({ ...ABC, symbol: "USA", exchange: "NASDAQ" }, { ...ABC, symbol: "GONE" });
      await rename(reference, "GONE", "HERE");
      const before = await reference.rows("symbols.list", {}, null);
      assert.deepEqual(refusalOf(await rename(reference, from, to)), refusal);
      assert.deepEqual(await reference.rows("symbols.list", {}, null), before);
    });
  }
});
