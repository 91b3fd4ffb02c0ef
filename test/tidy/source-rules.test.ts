/** Each tidy rule on files finds what it is for, and leaves alone what only looks like it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { findBannedCalls } from "./calls.ts";
import { findBannedComments, findBannedForms, findBarrel, findLongFile, findUndocumented, MAX_LINES } from "./shape.ts";
import { listSourcePaths, listToolPaths, parseSource, type SourceRule } from "./source.ts";

function linesFound(rule: SourceRule, path: string, text: string): number[] {
  return rule(parseSource(path, text)).map((finding) => finding.line);
}

function assertFinds(rule: SourceRule, path: string, text: string): void {
  assert.deepEqual(linesFound(rule, path, `\n${text}\n`), [2], text);
}

function assertAllows(rule: SourceRule, path: string, text: string): void {
  assert.deepEqual(linesFound(rule, path, `\n${text}\n`), [], text);
}

describe("banned calls", () => {
  const pureFolders = ["src/domain/a.ts", "src/machine/a.ts", "src/contract/a.ts"];
  const portedFolders = ["engine/watch/a.ts", "engine/partition/partition.ts", "edge/route/a.ts"];
  const everywhere = [
    "const at = Date.now();",
    "const at = new Date();",
    "const at = Date();",
    "const chance = Math.random();",
    "setTimeout(run, 10);",
    "const timer = setInterval;",
    'console.log("x");',
  ];
  const onlyPure = [
    "const run = async () => 1;",
    "const data = await read();",
    "for await (const item of items) use(item);",
    "setImmediate(run);",
    "queueMicrotask(run);",
    "const env = process.env;",
    "const at = performance.now();",
    "const id = crypto.randomUUID();",
    'fetch("http://127.0.0.1");',
    "globalThis.x = 1;",
  ];

  for (const path of pureFolders) {
    test(`${path} may not know clock, chance, timers, waiting and output`, () => {
      for (const text of [...everywhere, ...onlyPure]) assertFinds(findBannedCalls, path, text);
    });
  }
  for (const path of portedFolders) {
    test(`${path} may wait, and gets clock, chance, timers and log handed in`, () => {
      for (const text of everywhere) assertFinds(findBannedCalls, path, text);
      for (const text of onlyPure) assertAllows(findBannedCalls, path, text);
    });
  }
  test("entry points, adapters, the bus and tests may use the real ones", () => {
    const paths = ["engine/main.ts", "engine/entry/paper.ts", "edge/main.ts", "edge/cli/a.ts"];
    for (const path of [...paths, "src/main.ts", "src/bus/timers.ts", "test/engine/a.test.ts"]) {
      for (const text of everywhere) assertAllows(findBannedCalls, path, text);
    }
    assertFinds(findBannedCalls, "engine/watch/main.ts", "Date.now();");
    assertFinds(findBannedCalls, "engine/watch/clock.ts", "Date.now();");
  });
  test("what only bears the name is allowed", () => {
    const harmless = [
      "const at = new Date(ms).toISOString();",
      "const at = Date.parse(text);",
      "const text = 'Date.now() setTimeout(';",
      "// Date.now() is banned",
      "timers.setTimeout(run, 10);",
      "const timers = { setTimeout: later };",
      "type Timers = { setTimeout(run: () => void): void };",
      "const largest = Math.max(1, 2);",
      "function process(order: string) { return order; }",
    ];
    for (const text of harmless) assertAllows(findBannedCalls, "src/domain/a.ts", text);
  });
});

describe("banned forms", () => {
  test("any, singletons and lone tests are found in every folder", () => {
    const banned = [
      "let a: any;",
      "const b = c as any;",
      "function f(x: any[]) { return x; }",
      "Store.getInstance();",
      "class A { static getInstance() { return 1; } }",
      "test.only('x', run);",
      "describe.only('x', run);",
      "test('x', { only: true }, run);",
    ];
    for (const path of ["src/bus/a.ts", "test/a.test.ts"]) {
      for (const text of banned) assertFinds(findBannedForms, path, text);
    }
  });
  test("words in strings, names and comments are no finding", () => {
    const harmless = ["const any = 1;", "const text = 'as any';", "// any, getInstance, .only(", "const only = true;"];
    for (const text of harmless) assertAllows(findBannedForms, "src/bus/a.ts", text);
  });
});

describe("banned comments", () => {
  test("marks are found wherever a comment may stand", () => {
    const banned = [
      "// TODO: later",
      "const a = 1; // FIXME",
      "/* TODO */ const b = 2;",
      "/** TODO: say more. */",
      "call(1, /* FIXME */ 2);",
      "// @ts-ignore",
      "// @ts-nocheck",
    ];
    for (const text of banned) assertFinds(findBannedComments, "edge/a.ts", text);
    assert.deepEqual(linesFound(findBannedComments, "edge/a.ts", "function f() {\n  // TODO\n}\n"), [2]);
    assert.deepEqual(linesFound(findBannedComments, "edge/a.ts", "/**\n * FIXME\n */\nexport const a = 1;\n"), [2]);
  });
  test("a comment is reported once, and strings and templates are no comments", () => {
    const harmless = [
      "const a = '// TODO';",
      `const b = \`// FIXME \${a} // TODO\`;`,
      "const c = /\\/\\/ TODO/;",
      "// todos",
    ];
    for (const text of harmless) assertAllows(findBannedComments, "edge/a.ts", text);
  });
});

describe("length", () => {
  test(`${MAX_LINES} lines are allowed and one more is not`, () => {
    const text = "const a = 1;\n".repeat(MAX_LINES);
    assert.deepEqual(linesFound(findLongFile, "src/a.ts", text), []);
    assert.deepEqual(linesFound(findLongFile, "src/a.ts", `${text}const b = 2;`), [MAX_LINES + 1]);
    assert.deepEqual(linesFound(findLongFile, "src/a.ts", `${text}\n`), [MAX_LINES + 1]);
  });
});

describe("barrels", () => {
  test("a file that only hands on is a barrel, and so is an index.ts", () => {
    assert.equal(linesFound(findBarrel, "src/a.ts", 'export * from "./b.ts";').length, 1);
    assert.equal(
      linesFound(findBarrel, "src/a.ts", 'export { b } from "./b.ts";\nexport type { C } from "./c.ts";').length,
      1,
    );
    assert.equal(linesFound(findBarrel, "src/index.ts", "export const a = 1;").length, 1);
  });
  test("a file that defines something is none", () => {
    assertAllows(findBarrel, "src/a.ts", 'export { b } from "./b.ts"; export const a = 1;');
    assertAllows(findBarrel, "src/a.ts", "const a = 1; export { a };");
    assertAllows(findBarrel, "src/a.ts", "");
    assertAllows(findBarrel, "src/price-index.ts", "export const a = 1;");
  });
});

describe("documentation", () => {
  test("an exported function of domain and machine needs a doc comment", () => {
    for (const path of ["src/domain/a.ts", "src/machine/a.ts"]) {
      assertFinds(findUndocumented, path, "export function f() { return 1; }");
      assertFinds(findUndocumented, path, "export const f = () => 1;");
      assertFinds(findUndocumented, path, "export const f = function () { return 1; };");
      assertFinds(findUndocumented, path, "/* Not a doc comment. */ export function f() { return 1; }");
    }
  });
  test("a doc comment, a value, a private function and other folders are fine", () => {
    assertAllows(findUndocumented, "src/domain/a.ts", "/** Says what. */\nexport function f() { return 1; }");
    assertAllows(findUndocumented, "src/domain/a.ts", "/** Says what. */\nexport const f = () => 1;");
    assertAllows(findUndocumented, "src/domain/a.ts", "export const TICKS = 1;\nfunction f() { return 1; }");
    assertAllows(findUndocumented, "edge/a.ts", "export function f() { return 1; }");
  });
  test("one doc comment serves all overloads", () => {
    const overloads =
      "export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: 1 | 2) { return a; }";
    assertAllows(findUndocumented, "src/domain/a.ts", `/** Says what. */\n${overloads}`);
    assert.equal(linesFound(findUndocumented, "src/domain/a.ts", overloads).length, 1);
  });
});

test("source files are listed through all folders but generated ones, and missing folders are empty", () => {
  const root = mkdtempSync(join(tmpdir(), "trading-tidy-"));
  try {
    for (const folder of ["src/domain", "edge/openapi/generated", ".scripts"]) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    const paths = [
      "src/domain/a.ts",
      "src/b.ts",
      "src/c.json",
      "edge/openapi/generated/d.ts",
      ".scripts/e.mjs",
      "f.ts",
    ];
    for (const path of paths) writeFileSync(join(root, path), "");
    assert.deepEqual(listSourcePaths(root), ["src/b.ts", "src/domain/a.ts"]);
    assert.deepEqual(listToolPaths(root), [".scripts/e.mjs"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
