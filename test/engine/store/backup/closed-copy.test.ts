/** A store is read only if its lock, or the store itself, shows that no engine has it open. */
import assert from "node:assert/strict";
import files, { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock, test } from "node:test";
import { lookAt } from "../../../../engine/store/backup/closed-copy.ts";
import { openLevelStore } from "../../../../engine/store/level-store.ts";

test("a store whose lock cannot be shared is looked at only where it says itself that no engine has it open", async () => {
  const root = await mkdtemp(join(tmpdir(), "closed-copy-test-"));
  const folder = join(root, "store");
  const store = await openLevelStore(folder, true);
  await store.write([{ type: "put", key: "a/1", value: Buffer.from("one") }]);
  const look = (isClosed: boolean): Promise<string> =>
    lookAt(
      folder,
      (copy) => openLevelStore(copy, false),
      async (copy) => Buffer.from(copy.read("a/1") ?? "").toString(),
      () => isClosed,
    );
  const link = mock.method(files, "link", () => Promise.reject(new Error("EXDEV: cross-device link not permitted")));
  syncBuiltinESMExports();
  try {
    await assert.rejects(look(false), /^StoreLockUnknown: .*EXDEV.*make a backup and check that/);
    await store.close();
    await assert.rejects(look(false), /^StoreLockUnknown: /);
    assert.equal(await look(true), "one");
  } finally {
    link.mock.restore();
    syncBuiltinESMExports();
  }
  assert.equal(await look(false), "one");
  await rm(root, { recursive: true });
});
