import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FAULTS } from "./faults.ts";
import { planted, ROOT } from "./plant.ts";

const FAULTS_MIN = 40;

test("every fault still applies to the source, exactly once, and changes it", () => {
  for (const fault of FAULTS) {
    const text = readFileSync(join(ROOT, fault.file), "utf8");
    assert.notEqual(planted(text, fault), text, fault.id);
  }
});

test("a fault that no longer applies, or applies twice, is refused", () => {
  const [fault] = FAULTS;
  assert.ok(fault !== undefined);
  for (const text of ["", `${fault.find}\n${fault.find}`]) assert.throws(() => planted(text, fault), /must apply once/);
});

test("there are enough of them, each with a name of its own and tests that exist", () => {
  assert.ok(FAULTS.length >= FAULTS_MIN);
  assert.equal(new Set(FAULTS.map(({ id }) => id)).size, FAULTS.length);
  for (const { id, tests } of FAULTS) {
    for (const path of tests) assert.ok(existsSync(join(ROOT, path)), `${id}: ${path}`);
  }
});
