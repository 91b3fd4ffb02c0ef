/** Folders are made one level at a time, and a place that takes no folders is refused immediately. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { makeFolders } from "../../src/runtime/make-folder.ts";

const root = mkdtempSync(join(tmpdir(), "make-folder-"));
describe("making folders", () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  test("folder and parents are made for their owner alone, and a second time nothing is", async () => {
    const folder = join(root, "a", "b", "c");
    assert.equal(await makeFolders(folder), true);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(root, "a")).mode & 0o777, 0o700);
    assert.equal(await makeFolders(folder), false);
  });

  test("a file in the way is refused", async () => {
    writeFileSync(join(root, "file"), "");
    await assert.rejects(makeFolders(join(root, "file")), { code: "EEXIST" });
    await assert.rejects(makeFolders(join(root, "file", "x")), { code: "EEXIST" });
  });

  test("a parent that takes no folders is refused, and does not keep the process busy for ever", async (context) => {
    if (!existsSync("/proc/self")) return context.skip("this system has no /proc");
    await assert.rejects(makeFolders("/proc/data/partition-0"), { code: "ENOENT" });
  });
});
