/** Whether a disk has room for a backup, by real files in a temporary folder. */
import assert from "node:assert/strict";
import { link, mkdtemp, rm, statfs, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { roomFor } from "../../../engine/commit/backup-folder.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-folder-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file that claims more than half of what the disk has left, and takes nothing of it. */
async function writeLarge(name: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, name), "");
  await truncate(join(folder, name), Math.floor(bavail * bsize * 0.6));
}

test("a backup that the disk has room for may be made, one that it has not is refused", async () => {
  assert.ok((await roomFor([folder], tmpdir())).ok);
  await writeLarge("one");
  assert.ok((await roomFor([folder], tmpdir())).ok);
  await writeLarge("two");
  const room = await roomFor([folder], tmpdir());
  assert.equal(room.ok ? "" : room.code, "UNAVAILABLE");
});

test("a file of two names needs its room once", async () => {
  await writeLarge("one");
  await link(join(folder, "one"), join(folder, "second name of one"));
  assert.ok((await roomFor([folder], tmpdir())).ok);
});
