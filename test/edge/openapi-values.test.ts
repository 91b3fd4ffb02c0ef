/** The OpenAPI document's patterns compile where clients use them, and its examples do not expire. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { z } from "zod";
import { readOwnDocument } from "../../edge/openapi/document.ts";
import { findProgram, suiteThatNeeds } from "../support/machine/installed.ts";

const python = findProgram("python3");
const document: unknown = JSON.parse(await readOwnDocument());

/** Every text under a key of that name, at any depth. */
function textsUnder(key: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && typeof inner === "string" ? [inner] : textsUnder(key, inner),
  );
}

const patterns = [...new Set(textsUnder("pattern", document))];

test("every pattern of the document compiles in ECMAScript, with Unicode and without", () => {
  assert.ok(patterns.length > 0);
  for (const pattern of patterns) {
    assert.doesNotThrow(() => new RegExp(pattern, "u"), pattern);
    assert.doesNotThrow(() => new RegExp(pattern), pattern);
  }
});

/** The end of a term in the future is at least this late, so that an example can be sent for decades. */
const LATE = "2090";

test("no example has a due date that expires", () => {
  const dueDates = textsUnder("dueDate", document).filter((text) => /^\d{4}-/.test(text));
  assert.ok(dueDates.length > 0);
  for (const dueDate of dueDates) assert.ok(dueDate >= LATE, dueDate);
});

/** Every object under which a key of that name is, at any depth. */
function objectsWith(key: string, value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((one) => objectsWith(key, one));
  return key in value ? [value, ...inner] : inner;
}

const namedSchema = z.object({ enum: z.array(z.number()), "x-enum-varnames": z.array(z.string()) });

test("numbers that stand for something have a name each", () => {
  const named = objectsWith("x-enum-varnames", document).map((schema) => namedSchema.parse(schema));
  for (const { enum: values, "x-enum-varnames": names } of named) {
    assert.equal(new Set(names).size, values.length, names.join());
    for (const name of names) assert.match(name, /^[A-Z][A-Za-z]+$/);
  }
  const nameOf = new Map(named.map(({ enum: values, "x-enum-varnames": names }) => [names.join(), values.join()]));
  assert.equal(nameOf.get("Active,Triggered,TriggerFailed,Cancelled"), "1,2,3,4");
  assert.equal(nameOf.get("TakeProfit,StopLoss"), "1,2");
  assert.equal(nameOf.get("Buy,Sell"), "1,2");
  assert.equal(nameOf.get("Market,Limit"), "1,2");
  assert.equal(nameOf.get("Waiting,Open,Completed,Cancelled,Rejected"), "0,1,2,3,4");
});

suiteThatNeeds(python !== undefined, "python3")("the document's patterns in Python", () => {
  const compile = (list: readonly string[]) =>
    spawnSync(python ?? "", ["-c", "import json, re, sys\nfor one in json.load(sys.stdin): re.compile(one)"], {
      input: JSON.stringify(list),
      encoding: "utf8",
    });

  test("every pattern compiles", () => {
    const { status, stderr } = compile(patterns);
    assert.equal(status, 0, stderr);
  });

  test("one that Python does not know is found", () => {
    assert.notEqual(compile(["\\P{Cc}"]).status, 0);
  });
});
