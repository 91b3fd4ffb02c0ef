import assert from "node:assert/strict";
import { test } from "node:test";
import { LISTS_PER_USER_MAX, SymbolLists } from "../../../engine/reference/symbol-lists.ts";
import type { SymbolListItem, WrittenList } from "../../../src/contract/operator/reference.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../support/store/fake-journal.ts";
import { ANN, BOB, dataOf, RunningReference, refusalOf } from "./harness.ts";

const MINE = { name: "Mine", description: "d", symbols: ["THYAO", "GARAN"], listType: "CUSTOM", isPublic: false };

/** The fields of an update: neither the type nor the readers can change. */
const CHANGED = { name: "Mine", description: "d", symbols: ["THYAO", "GARAN"] };

async function create(reference: RunningReference, body: object = {}, userId = ANN): Promise<WrittenList> {
  return dataOf(await reference.command("lists.create", { ...MINE, ...body }, userId));
}

async function idsSeenBy(reference: RunningReference, userId: number): Promise<number[]> {
  return ((await reference.rows("lists.list", {}, userId)) as SymbolListItem[])
    .filter(({ listType }) => listType === "CUSTOM")
    .map(({ id }) => id);
}

test("the system's INDEX lists are there from the first start, for all", async () => {
  const reference = await RunningReference.start();
  const lists = (await reference.rows("lists.list", {}, BOB)) as SymbolListItem[];
  assert.deepEqual(
    lists.map(({ name, symbolCount, listType, isPublic }) => [name, symbolCount, listType, isPublic]),
    [
      ["BIST 30", 30, "INDEX", true],
      ["BIST Banks", 9, "INDEX", true],
    ],
  );
  assert.deepEqual(Object.keys(lists[0] ?? {}), ["id", "name", "description", "symbolCount", "listType", "isPublic"]);
});

test("a created list is shown to its owner as the specification says", async () => {
  const reference = await RunningReference.start();
  const { id, ...rest } = await create(reference);
  const shown = { name: "Mine", description: "d", symbolCount: 2, listType: "CUSTOM", isPublic: false };
  assert.deepEqual(rest, { ...shown, symbols: ["THYAO", "GARAN"] });
  const lists = (await reference.rows("lists.list", {})) as SymbolListItem[];
  assert.deepEqual(lists.at(-1), { id, ...shown });
  const detail = dataOf(await reference.query("lists.get", { id }));
  assert.deepEqual(detail, { id, name: "Mine", symbols: ["THYAO", "GARAN"], listType: "CUSTOM" });
  assert.deepEqual(reference.changes, ["lists"]);
});

test("duplicates are folded in the order they came; type, publicity and description may be left out", async () => {
  const reference = await RunningReference.start();
  const symbols = ["GARAN", "THYAO", "GARAN", "GARAN"];
  const list = dataOf<WrittenList>(await reference.command("lists.create", { name: " L ", symbols }));
  assert.deepEqual(list.symbols, ["GARAN", "THYAO"]);
  assert.deepEqual([list.name, list.description, list.listType, list.isPublic], ["L", "", "CUSTOM", false]);
});

test("a body that breaks a rule is refused with field and rule", async () => {
  const reference = await RunningReference.start();
  const cases: readonly [object, string, RegExp][] = [
    [{ listType: "INDEX" }, "FORBIDDEN", /INDEX lists belong to the system/],
    [{ listType: "custom" }, "INVALID", /listType must be INDEX or CUSTOM/],
    [{ symbols: ["THYAO", "NOPE"] }, "INVALID", /symbols\[1\] NOPE is not known/],
    [{ symbols: ["thyao"] }, "INVALID", /^symbols\[0\]/],
    [{ symbols: undefined }, "INVALID", /^symbols/],
    [{ symbols: "THYAO" }, "INVALID", /^symbols/],
    [{ name: " " }, "INVALID", /^name/],
    [{ name: "x".repeat(101) }, "INVALID", /^name/],
    [{ name: "a\u0000b" }, "INVALID", /^name must not hold control characters/],
    [{ description: "x".repeat(501) }, "INVALID", /^description/],
    [{ isPublic: 1 }, "INVALID", /^isPublic/],
  ];
  for (const [change, code, message] of cases) {
    const refusal = refusalOf(await reference.command("lists.create", { ...MINE, ...change }));
    assert.equal(refusal[0], code, JSON.stringify(change));
    assert.match(refusal[1], message);
  }
  assert.deepEqual(reference.changes, []);
});

test("a list is written with at most 500 symbols, as the document says", async () => {
  const reference = await RunningReference.start();
  const codes = Array.from({ length: 501 }, (_, index) => `X${index}`);
  const symbols = codes.map((symbol) => ({ symbol, name: symbol, exchange: "BIST", isActive: true }));
  await reference.command("symbols.write", { symbols });
  const full = await create(reference, { symbols: codes.slice(0, 500) });
  assert.equal(full.symbolCount, 500);
  const refusal = refusalOf(await reference.command("lists.create", { ...MINE, symbols: codes }));
  assert.deepEqual(refusal, ["INVALID", "symbols must have at most 500 items"]);
});

test("others read a public list and not a private one, and change neither", async () => {
  const reference = await RunningReference.start();
  const { id: privateId } = await create(reference);
  const { id: publicId } = await create(reference, { isPublic: true });
  const { id: bobs } = await create(reference, {}, BOB);
  assert.deepEqual(await idsSeenBy(reference, ANN), [privateId, publicId]);
  assert.deepEqual(await idsSeenBy(reference, BOB), [publicId, bobs]);
  dataOf(await reference.query("lists.get", { id: publicId }, BOB));
  for (const id of [privateId, 999_999]) {
    const expected = ["NOT_FOUND", `symbol list ${id} was not found`];
    assert.deepEqual(refusalOf(await reference.query("lists.get", { id }, BOB)), expected);
    assert.deepEqual(refusalOf(await reference.command("lists.update", { ...CHANGED, id }, BOB)), expected);
    assert.deepEqual(refusalOf(await reference.command("lists.delete", { id }, BOB)), expected);
  }
  assert.equal(refusalOf(await reference.command("lists.update", { ...CHANGED, id: publicId }, BOB))[0], "FORBIDDEN");
  assert.equal(refusalOf(await reference.command("lists.delete", { id: publicId }, BOB))[0], "FORBIDDEN");
});

test("INDEX lists can be read and neither changed nor deleted", async () => {
  const reference = await RunningReference.start();
  const [index] = (await reference.rows("lists.list", {})) as SymbolListItem[];
  const id = index?.id;
  dataOf(await reference.query("lists.get", { id }));
  for (const type of ["lists.update", "lists.delete"]) {
    const fields = type === "lists.update" ? CHANGED : {};
    const refusal = refusalOf(await reference.command(type, { ...fields, id }));
    assert.deepEqual(refusal, ["FORBIDDEN", "INDEX lists belong to the system and are read-only"]);
  }
});

test("an update changes name, symbols and a given description, and is there after a restart", async () => {
  const reference = await RunningReference.start();
  const { id } = await create(reference, { isPublic: true });
  const update = { id, name: "Other", symbols: ["AKBNK"] };
  for (const field of [{ isPublic: false }, { listType: "INDEX" }]) {
    const [name] = Object.keys(field);
    const refusal = refusalOf(await reference.command("lists.update", { ...update, ...field }));
    assert.deepEqual(refusal, ["INVALID", `${name} is not a field`]);
  }
  const changed = dataOf<WrittenList>(await reference.command("lists.update", update));
  const expected = { id, name: "Other", description: "d", symbolCount: 1, listType: "CUSTOM", isPublic: true };
  assert.deepEqual(changed, { ...expected, symbols: ["AKBNK"] });
  await reference.command("lists.update", { ...update, description: "" });
  const restarted = await RunningReference.start(reference.disk);
  const lists = (await restarted.rows("lists.list", {})) as SymbolListItem[];
  assert.deepEqual(lists.at(-1), { ...expected, description: "" });
  const refusal = refusalOf(await reference.command("lists.update", { ...update, symbols: ["NOPE"] }));
  assert.deepEqual(refusal, ["INVALID", "symbols[0] NOPE is not known"]);
});

test("a deleted list is gone, also after a restart", async () => {
  const reference = await RunningReference.start();
  const { id } = await create(reference, { isPublic: true });
  assert.equal(dataOf(await reference.command("lists.delete", { id })), true);
  assert.equal(refusalOf(await reference.command("lists.delete", { id }))[0], "NOT_FOUND");
  assert.deepEqual(await idsSeenBy(reference, BOB), []);
  const restarted = await RunningReference.start(reference.disk);
  assert.deepEqual(await idsSeenBy(restarted, ANN), []);
});

test("a create that is repeated under its Idempotency-Key makes one list", async () => {
  const reference = await RunningReference.start();
  const first = await reference.command("lists.create", MINE, ANN, "once");
  assert.deepEqual(await reference.command("lists.create", MINE, ANN, "once"), first);
  assert.equal((await idsSeenBy(reference, ANN)).length, 1);
});

test("without a user there are no lists", async () => {
  const reference = await RunningReference.start();
  assert.equal(refusalOf((await reference.rows("lists.list", {}, null)) as never)[0], "UNAUTHORIZED");
  assert.equal(refusalOf(await reference.query("lists.get", { id: 1 }, null))[0], "UNAUTHORIZED");
});

test("a user cannot fill the memory with lists", () => {
  const journal = new FakeJournal(new FakeDisk(), new FakeTime());
  const lists = new SymbolLists(journal, { isKnown: () => true }, [], () => undefined);
  const body = { name: "L", symbols: [] };
  for (let count = 0; count < LISTS_PER_USER_MAX; count += 1) assert.ok(lists.create(ANN, body).ok);
  assert.deepEqual(lists.create(ANN, body), {
    ok: false,
    code: "INVALID",
    message: "you have 1000 symbol lists; delete one first",
  });
  assert.ok(lists.create(BOB, body).ok);
});
