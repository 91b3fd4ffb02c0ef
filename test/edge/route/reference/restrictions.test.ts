/** Restriction routes: types by number or name, a cache of six hours, changes visible immediately. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid } from "../../../support/invalid.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { runEdge } from "../../support/running-edge.ts";
import { askedCount, dataAt, tellChanged } from "../reference.ts";

const path = "/api/v1/public/restrictions";
const row = { symbolId: 3, code: "AAA", name: "A", logoUrl: "", validFrom: "2026-01-05T07:00:00.000Z" };

test("each path asks its question, with the type as its number", async (t) => {
  const edge = await runEdge(t);
  const check = {
    code: "AAA",
    restrictionType: 3,
    restrictionTypeName: "BrutTakas",
    isRestricted: false,
    validFrom: null,
  };
  edge.engine.on("restrictions.check", () => ({ ok: true, data: check }));
  for (const type of ["active", "byType", "bySymbol"]) edge.engine.on(`restrictions.${type}`, () => pageOf(null, row));
  const questions: readonly [string, string, object][] = [
    [path, "restrictions.active", {}],
    [`${path}?restrictionType=DegerTavani`, "restrictions.active", { restrictionType: 7 }],
    [`${path}/by-type/99`, "restrictions.byType", { restrictionType: 99 }],
    [`${path}/by-type/KredliIslemYasagi`, "restrictions.byType", { restrictionType: 2 }],
    [`${path}/AAA`, "restrictions.bySymbol", { code: "AAA" }],
    [`${path}/check`, "restrictions.bySymbol", { code: "check" }],
  ];
  for (const [at, type, body] of questions) {
    assert.deepEqual(await dataAt(edge, at), [row]);
    const asked = edge.engine.asked.at(-1);
    assert.deepEqual([asked?.type, asked?.body, asked?.subject], [type, body, "engine.0.query"], at);
  }
  assert.deepEqual(await dataAt(edge, `${path}/check/AAA/BrutTakas`), check);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { code: "AAA", restrictionType: 3 });
});

test("an unknown type is refused without repeating it", async (t) => {
  const edge = await runEdge(t);
  const types = ["9", "brutTakas", "03", "%203", "__proto__", "toString"];
  const paths = types.flatMap((type) => [
    `${path}?restrictionType=${type}`,
    `${path}/by-type/${type}`,
    `${path}/check/AAA/${type}`,
  ]);
  for (const at of [...paths, `${path}?restrictionType=`]) {
    const response = await edge.send("GET", at);
    assert.equal(response.status, 400, at);
    assertInvalid(await response.json(), "restrictionType must be the number or the exact name of a restriction type");
  }
});

test("an unknown symbol is 404", async (t) => {
  const edge = await runEdge(t);
  const unknown = { ok: false, code: "NOT_FOUND", message: "the symbol was not found" } as const;
  edge.engine.on("restrictions.check", () => unknown);
  edge.engine.on("restrictions.bySymbol", () => unknown);
  for (const at of [`${path}/NOPE`, `${path}/check/NOPE/1`]) {
    assert.equal((await edge.send("GET", at)).status, 404);
  }
});

test("restrictions are kept for six hours and dropped when restrictions or symbols change", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("restrictions.byType", () => pageOf(null, row));
  const at = `${path}/by-type/1`;
  await dataAt(edge, at);
  edge.advance(6 * 60 * 60 * 1000 - 1_000);
  await dataAt(edge, at);
  assert.equal(askedCount(edge, "restrictions.byType"), 1);
  edge.advance(2_000);
  await dataAt(edge, at);
  assert.equal(askedCount(edge, "restrictions.byType"), 2);
  for (const [index, what] of ["restrictions", "symbols"].entries()) {
    tellChanged(edge, what);
    await untilTrue(async () => {
      await dataAt(edge, at);
      return askedCount(edge, "restrictions.byType") === 3 + index;
    });
  }
});
