/** The rule on exports finds what it is for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findUnusedExports } from "./exports.ts";
import { describeFindings, parseSource } from "./source.ts";

const OWN =
  "export const used = 1;\nexport function alone() {}\nexport type Shape = 1;\nexport class Thing {}\nconst own = 1;\n";

test("what no other file names is found, of every kind", () => {
  const other = parseSource("src/b.ts", 'import { used } from "./a.ts";\nused;\n// alone\n');
  assert.deepEqual(describeFindings(findUnusedExports([parseSource("src/a.ts", OWN), other])), [
    "src/a.ts:2 alone is exported, and no other file names it",
    "src/a.ts:3 Shape is exported, and no other file names it",
    "src/a.ts:4 Thing is exported, and no other file names it",
  ]);
});

test("a name in a string counts: code that a test hands to another process imports so", () => {
  const other = parseSource("test/b.ts", 'run("import { used, alone, Shape, Thing } from a");');
  assert.deepEqual(findUnusedExports([parseSource("src/a.ts", OWN), other]), []);
});
