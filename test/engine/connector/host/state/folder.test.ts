/** The folder of a connector: why it cannot be locked. */
import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openConnectorFolder } from "../../../../../engine/connector/host/state/folder.ts";
import { loopTimers } from "../../../../../src/runtime/clock.ts";
import { UserError } from "../../../../../src/runtime/user-error.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { throwing } from "../../fix/support/session-world.ts";

test("a full disk is named as that, and not as a folder that another process has", async (t) => {
  const { path, remove } = await temporaryFolder();
  t.after(remove);
  await mkdir(join(path, "lock"));
  // The first file that the lock writes.
  await symlink("/dev/full", join(path, "lock", "MANIFEST-000001"));
  const options = { folder: path, timers: loopTimers, fatal: throwing, mayCreate: true };
  const content = { isOwner: () => true, shorten: () => [] };
  await assert.rejects(openConnectorFolder(options, content), (error: unknown) => {
    assert(error instanceof UserError);
    assert.match(error.message, /^the disk is full \(.*\)\. Make room on it: nothing is lost$/);
    return error.reason === "cannotCreate";
  });
});
