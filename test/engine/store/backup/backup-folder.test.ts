/** Where backups may go, and whether the disk has room for one. Real files in a temporary folder. */
import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, rm, statfs, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { placeOfBackup, roomFor } from "../../../../engine/store/backup/backup-folder.ts";

let folder = "";

/** A file that claims more than half of what the disk has left, and takes nothing of it. */
async function writeLarge(name: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, name), "");
  await truncate(join(folder, name), Math.floor(bavail * bsize * 0.6));
}

describe("a folder for backups", () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "backup-folder-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe("the folder of a backup", () => {
    let place = "";
    beforeEach(async () => {
      place = join(folder, "backups");
      await mkdir(place);
    });

    const codeOf = async (path: string): Promise<string> => {
      const answer = await placeOfBackup(path, 0, place);
      return answer.ok ? answer.value : answer.code;
    };

    test("is an absolute path below the allowed place", async () => {
      assert.equal(await codeOf(join(place, "one")), join(place, "one", "partition-0"));
      assert.equal(await codeOf(`${join(place, "one")}/`), join(place, "one", "partition-0"));
      assert.equal(await codeOf(join(place, "deep", "er")), join(place, "deep", "er", "partition-0"));
      const refused = ["", "one", place, `${place}/`, folder, "/", "/etc/backup", `${place}-2/one`, `${place}/../one`];
      for (const path of [
        ...refused,
        "./one",
        `${place}/./one`,
        `${place}//one`,
        `${place}/a\0b`,
        `${place}/${"x".repeat(1_000)}`,
      ]) {
        assert.equal(await codeOf(path), "INVALID", path);
      }
    });

    test("does not lead out of the place by a link", async () => {
      await mkdir(join(folder, "elsewhere"));
      await symlink(join(folder, "elsewhere"), join(place, "link"));
      assert.equal(await codeOf(join(place, "link", "one")), "INVALID");
      assert.equal(await codeOf(join(place, "link")), "INVALID");
      await symlink(join(folder, "nowhere"), join(place, "dangling"));
      await assert.rejects(placeOfBackup(join(place, "dangling", "one"), 0, place));
    });

    test("holds nothing but other partitions of the same backup", async () => {
      const one = join(place, "one");
      await mkdir(join(one, "partition-1"), { recursive: true });
      assert.equal(await codeOf(one), join(one, "partition-0"));
      for (const name of ["partition-0", "partition-0.unfinished", "something"]) {
        await mkdir(join(one, name));
        assert.equal(await codeOf(one), "CONFLICT", name);
        await rm(join(one, name), { recursive: true });
      }
      await writeFile(join(place, "file"), "");
      assert.equal(await codeOf(join(place, "file")), "CONFLICT");
    });
  });

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
});
