import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  RestrictedSymbolView,
  RestrictionView,
  SymbolMeasures,
} from "../../../src/contract/operator/reference.ts";
import { dataOf, RunningReference, refusalOf } from "./harness.ts";

const FROM = "2026-03-02T10:00:00+03:00";
const FROM_UTC = "2026-03-02T07:00:00.000Z";
const ONE = { code: "THYAO", restrictionType: 3, validFrom: FROM, sourceRef: "KAP-1" };

async function write(reference: RunningReference, ...restrictions: object[]): Promise<number[]> {
  return dataOf<{ ids: number[] }>(await reference.command("restrictions.write", { restrictions })).ids;
}

async function historyOf(reference: RunningReference, code: string): Promise<RestrictionView[]> {
  return (await reference.rows("restrictions.bySymbol", { code }, null)) as RestrictionView[];
}

test("the first start has examples, marked as such, active and past", async () => {
  const reference = await RunningReference.start();
  const history = await historyOf(reference, "HEKTS");
  assert.ok(history.some(({ isActive }) => isActive) && history.some(({ isActive }) => !isActive));
  for (const { sourceRef } of history) assert.match(sourceRef, /example data/);
});

test("a restriction is recorded with the fields of the specification, times in UTC", async () => {
  const reference = await RunningReference.start();
  const [id] = await write(reference, ONE);
  const symbolId = (reference.disk.json("y/THYAO") as { id: number }).id;
  const symbol = { symbolId, code: "THYAO", name: "Türk Hava Yolları", logoUrl: "" };
  const type = { restrictionType: 3, restrictionTypeName: "BrutTakas" };
  const times = { validFrom: FROM_UTC, validTo: null };
  assert.deepEqual(await historyOf(reference, "THYAO"), [
    { id, ...symbol, ...type, ...times, isActive: true, sourceRef: "KAP-1" },
  ]);
  const grouped = (await reference.rows("restrictions.active", {}, null)) as RestrictedSymbolView[];
  assert.deepEqual(
    grouped.find(({ code }) => code === "THYAO"),
    { ...symbol, restrictions: [{ ...type, ...times, sourceRef: "KAP-1" }] },
  );
  const byType = (await reference.rows("restrictions.byType", { restrictionType: 3 }, null)) as { code: string }[];
  assert.deepEqual(
    byType.find(({ code }) => code === "THYAO"),
    { ...symbol, validFrom: FROM_UTC },
  );
  const check = await reference.query("restrictions.check", { code: "THYAO", restrictionType: 3 }, null);
  assert.deepEqual(dataOf(check), { code: "THYAO", ...type, isRestricted: true, validFrom: FROM_UTC });
  assert.deepEqual(reference.changes, ["restrictions"]);
});

test("a symbol without the restriction is not restricted; an unknown symbol is not found", async () => {
  const reference = await RunningReference.start();
  const check = (code: string) => reference.query("restrictions.check", { code, restrictionType: 1 }, null);
  assert.deepEqual(dataOf(await check("THYAO")), {
    code: "THYAO",
    restrictionType: 1,
    restrictionTypeName: "AcigaSatisYasagi",
    isRestricted: false,
    validFrom: null,
  });
  assert.deepEqual(refusalOf(await check("NOPE")), ["NOT_FOUND", "the symbol was not found"]);
  const history = await reference.rows("restrictions.bySymbol", { code: "NOPE" }, null);
  assert.deepEqual(refusalOf(history as never), ["NOT_FOUND", "the symbol was not found"]);
  assert.deepEqual(await historyOf(reference, "THYAO"), []);
});

test("a type comes as its number or its exact name", async () => {
  const reference = await RunningReference.start();
  await write(reference, { ...ONE, restrictionType: "DegerTavani" }, { ...ONE, restrictionType: "99" });
  const types = (await historyOf(reference, "THYAO")).map(({ restrictionType }) => restrictionType);
  assert.deepEqual(types.sort(), [7, 99]);
  for (const restrictionType of ["degertavani", "10", 10, "03", " 3", "", null, 3.5, "__proto__"]) {
    const reply = await reference.command("restrictions.write", { restrictions: [{ ...ONE, restrictionType }] });
    assert.deepEqual(refusalOf(reply), [
      "INVALID",
      "restrictions[0].restrictionType must be the number or the exact name of a restriction type",
    ]);
  }
});

test("a second active restriction of the same symbol and type is a conflict; other types and past ones are none", async () => {
  const reference = await RunningReference.start();
  await write(reference, ONE);
  const message = "restrictions[0]: THYAO BrutTakas is active already; end it first";
  const again = await reference.command("restrictions.write", { restrictions: [ONE] });
  assert.deepEqual(refusalOf(again), ["CONFLICT", message]);
  await write(reference, { ...ONE, restrictionType: 4 }, { ...ONE, validTo: "2026-03-03T00:00:00Z" });
  const twice = [
    { ...ONE, restrictionType: 5 },
    { ...ONE, restrictionType: 5 },
  ];
  const both = await reference.command("restrictions.write", { restrictions: twice });
  assert.equal(refusalOf(both)[0], "CONFLICT");
  assert.equal((await historyOf(reference, "THYAO")).length, 3);
});

test("an import is taken whole or not at all", async () => {
  const reference = await RunningReference.start();
  const cases: readonly [object, RegExp][] = [
    [{ code: "NOPE" }, /^restrictions\[1\]\.code NOPE is not known/],
    [{ validFrom: "yesterday" }, /^restrictions\[1\]\.validFrom is not an ISO 8601 time/],
    [{ validTo: "2026-01-01T00:00:00Z" }, /^restrictions\[1\]\.validTo is before its validFrom/],
    [{ validTo: "2026-02-30" }, /^restrictions\[1\]\.validTo .* does not exist/],
    [{ sourceRef: "" }, /^restrictions\[1\]\.sourceRef/],
  ];
  for (const [change, message] of cases) {
    const restrictions = [ONE, { ...ONE, restrictionType: 4, ...change }];
    const refusal = refusalOf(await reference.command("restrictions.write", { restrictions }));
    assert.equal(refusal[0], "INVALID");
    assert.match(refusal[1], message);
  }
  assert.deepEqual(await historyOf(reference, "THYAO"), []);
  assert.deepEqual(reference.changes, []);
});

test("an ended restriction is history: no list of active ones shows it, a new one may come, also after a restart", async () => {
  const reference = await RunningReference.start();
  const [id] = await write(reference, ONE);
  const validTo = "2026-03-10T00:00:00.000Z";
  const ended = dataOf<RestrictionView>(await reference.command("restrictions.end", { id, validTo }));
  assert.deepEqual([ended.id, ended.validTo, ended.isActive], [id, validTo, false]);
  const restarted = await RunningReference.start(reference.disk);
  const checked = await restarted.query("restrictions.check", { code: "THYAO", restrictionType: 3 });
  assert.deepEqual(
    [dataOf<{ isRestricted: boolean }>(checked).isRestricted, dataOf<{ validFrom: null }>(checked).validFrom],
    [false, null],
  );
  const grouped = (await restarted.rows("restrictions.active", {})) as RestrictedSymbolView[];
  assert.equal(
    grouped.some(({ code }) => code === "THYAO"),
    false,
  );
  const [next] = await write(restarted, { ...ONE, validFrom: "2026-04-01" });
  assert.deepEqual(
    (await historyOf(restarted, "THYAO")).map((row) => row.id),
    [next, id],
  );
});

test("correcting the end of a past restriction leaves the active one of the same type alone", async () => {
  const reference = await RunningReference.start();
  const [past] = await write(reference, { ...ONE, validTo: "2026-03-03T00:00:00Z" });
  const [active] = await write(reference, { ...ONE, validFrom: "2026-04-01T00:00:00Z" });
  dataOf(await reference.command("restrictions.end", { id: past, validTo: "2026-03-04T00:00:00Z" }));
  const check = await reference.query("restrictions.check", { code: "THYAO", restrictionType: 3 });
  assert.equal(dataOf<{ isRestricted: boolean }>(check).isRestricted, true);
  const history = await historyOf(reference, "THYAO");
  assert.deepEqual(
    history.map(({ id, validTo }) => [id, validTo]),
    [
      [active, null],
      [past, "2026-03-04T00:00:00.000Z"],
    ],
  );
});

test("an end must be a time, not before the start, of a restriction that there is", async () => {
  const reference = await RunningReference.start();
  const [id] = await write(reference, ONE);
  const end = async (body: object) => refusalOf(await reference.command("restrictions.end", body));
  const early = await end({ id, validTo: "2026-01-01T00:00:00Z" });
  assert.deepEqual(early, ["INVALID", "validTo is before validFrom"]);
  assert.match((await end({ id, validTo: "soon" }))[1], /^validTo is not an ISO 8601 time/);
  assert.equal((await end({ id, validTo: null }))[0], "INVALID");
  const unknown = await end({ id: 999_999, validTo: "2026-03-10" });
  assert.deepEqual(unknown, ["NOT_FOUND", "restriction 999999 was not found"]);
});

test("history is newest first, by start and then by id", async () => {
  const reference = await RunningReference.start();
  const past = (validFrom: string) => ({ ...ONE, validFrom, validTo: "2026-12-31T00:00:00Z" });
  const ids = await write(reference, past("2026-02-01"), past("2026-05-01"), past("2026-02-01"), past("2026-03-01"));
  assert.deepEqual(
    (await historyOf(reference, "THYAO")).map(({ id }) => id),
    [ids[1], ids[3], ids[2], ids[0]],
  );
});

test("active restrictions are grouped by symbol and sorted by code and type; the filter keeps one type", async () => {
  const reference = await RunningReference.start();
  await write(reference, { ...ONE, restrictionType: 5 }, { ...ONE, restrictionType: 2 }, { ...ONE, code: "AKBNK" });
  const grouped = (await reference.rows("restrictions.active", {})) as RestrictedSymbolView[];
  const codes = grouped.map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)].sort());
  const types = grouped.find(({ code }) => code === "THYAO")?.restrictions.map((each) => each.restrictionType);
  assert.deepEqual(types, [2, 5]);
  const filtered = (await reference.rows("restrictions.active", { restrictionType: 5 })) as RestrictedSymbolView[];
  for (const { restrictions } of filtered) {
    assert.deepEqual(
      restrictions.map((each) => each.restrictionType),
      [5],
    );
  }
  assert.ok(filtered.some(({ code }) => code === "THYAO"));
});

test("a restriction has the effects that were given, else those of its type; past ones have none", async () => {
  const reference = await RunningReference.start();
  const [past] = await write(reference, { ...ONE, code: "KCHOL", restrictionType: 8 });
  await write(reference, { ...ONE, restrictionType: 8 }, { ...ONE, restrictionType: 99, effects: { noMarket: true } });
  await write(reference, { ...ONE, restrictionType: 7, effects: { valueCap: 5_000 } });
  await reference.command("restrictions.end", { id: past, validTo: FROM });
  const measures = (await reference.rows("restrictions.measures", {}, null)) as SymbolMeasures[];
  assert.deepEqual(
    measures.find(({ symbol }) => symbol === "THYAO"),
    {
      symbol: "THYAO",
      measures: [
        { restrictionType: 7, effects: { valueCap: 5_000 } },
        { restrictionType: 8, effects: { halted: true } },
        { restrictionType: 99, effects: { noMarket: true } },
      ],
    },
  );
  assert.ok(!measures.some(({ symbol }) => symbol === "KCHOL"));
  const again = await RunningReference.start(reference.disk);
  assert.deepEqual(await again.rows("restrictions.measures", {}, null), measures, "they are kept");
});

test("an effect that is none, or a cap of nothing, is refused", async () => {
  const reference = await RunningReference.start();
  for (const effects of [{ noMarkt: true }, { noMarket: false }, { valueCap: 0 }]) {
    const reply = await reference.command("restrictions.write", { restrictions: [{ ...ONE, effects }] });
    assert.equal(refusalOf(reply)[0], "INVALID");
  }
});
