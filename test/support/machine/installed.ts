/** What is installed on this machine, and groups of tests that need it. */
import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, test } from "node:test";

/** The path of a program, if this machine has it. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/sbin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Gives `describe` where `what` is there. Without it a group is reported as skipped, by its name; under `CI=true` it
 * fails instead, so that a build cannot pass by not testing.
 */
export function suiteThatNeeds(isThere: boolean, what: string): (name: string, body: () => void) => void {
  if (isThere) return describe;
  if (process.env.CI === "true") return (name) => test(name, () => assert.fail(`${what} is not installed`));
  return describe.skip;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
