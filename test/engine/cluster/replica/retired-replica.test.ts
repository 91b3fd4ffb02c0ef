/** A copy that is no longer kept lies aside, and is taken up again as it was. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  hasReplica,
  restoreRetiredReplica,
  retireReplica,
} from "../../../../engine/cluster/replica/retired-replica.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let count = 0;

before(async () => {
  folder = await temporaryFolder();
});
after(() => folder.remove());

/** Makes a partition's folder with a copy that contains `word`. */
async function withCopy(word: string): Promise<string> {
  count += 1;
  const path = join(folder.path, String(count));
  await mkdir(join(path, "store"), { recursive: true });
  await writeFile(join(path, "store", "CURRENT"), word);
  return path;
}

const wordOf = (path: string): Promise<string> => readFile(join(path, "store", "CURRENT"), "utf8");

test("a copy that was left is none, until it is taken up", async () => {
  const path = await withCopy("one");
  assert.equal(hasReplica(path), true);
  assert.equal(await retireReplica(path), true);
  assert.equal(hasReplica(path), false);
  assert.ok(existsSync(join(path, "store.left")));
  await restoreRetiredReplica(path);
  assert.equal(await wordOf(path), "one");
  assert.ok(!existsSync(join(path, "store.left")));
});

test("where there is none, none is left, and none is taken up", async () => {
  const path = join(folder.path, "nothing");
  assert.equal(await retireReplica(path), false);
  await restoreRetiredReplica(path);
  assert.equal(hasReplica(path), false);
});

test("a copy that is there is not replaced by an older one, and leaving it replaces that", async () => {
  const path = await withCopy("new");
  await mkdir(join(path, "store.left"));
  await writeFile(join(path, "store.left", "CURRENT"), "old");
  await restoreRetiredReplica(path);
  assert.equal(await wordOf(path), "new");
  await retireReplica(path);
  await restoreRetiredReplica(path);
  assert.equal(await wordOf(path), "new");
});
