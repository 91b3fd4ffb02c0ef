/** Each tidy rule on the project as a whole finds what it is for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findLockHoles, findStrayNames, listScriptFiles } from "./project.ts";

test("a name at the top level that nobody agreed on is found", () => {
  const known = [
    "package.json",
    "src",
    "engine",
    "README.md",
    "node_modules",
    "data",
    ".ci",
    ".gitignore",
    "npm-debug.log",
  ];
  assert.deepEqual(findStrayNames([...known, "lib", "biome.json", "notes.md"]), ["lib", "biome.json", "notes.md"]);
});

test("a package that the lock file refers to and does not hold is found", () => {
  const packages = {
    "": { dependencies: { a: "1.0.0" } },
    "node_modules/a": { dependencies: { b: "1.0.0", c: "1.0.0" }, optionalDependencies: { "@x/d": "1.0.0" } },
    "node_modules/a/node_modules/b": { dependencies: { c: "1.0.0" } },
    "node_modules/c": {},
  };
  assert.deepEqual(findLockHoles(packages), ["node_modules/a -> @x/d"]);
  assert.deepEqual(findLockHoles({ ...packages, "node_modules/@x/d": { dependencies: { c: "1.0.0" } } }), []);
  assert.deepEqual(findLockHoles({ "": { dependencies: { a: "1.0.0" } } }), [" -> a"]);
});

test("the files that npm scripts start are listed once each", () => {
  const scripts = { start: "node run.mjs src/main.ts", bench: "node run.mjs --development bench/main.ts" };
  assert.deepEqual(listScriptFiles(scripts), ["run.mjs", "src/main.ts", "bench/main.ts"]);
});
