/** A disk that is full, failing or not ours is reported as that, and never as damage. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { DiskRefused, diskRefusal } from "../../../engine/store/disk-refused.ts";
import { checkDataFolder } from "../../../engine/store/folder/check.ts";
import { openDataFolder } from "../../../engine/store/folder/data-folder.ts";
import { readLife } from "../../../engine/store/folder/life.ts";
import { readWitness } from "../../../engine/store/folder/witness.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import { StoreRefused } from "../../../engine/store/refused.ts";
import { EXIT_CODES, exitCodeOf } from "../../../src/runtime/user-error.ts";

/** Takes no byte: a write to it fails as on a full disk. */
const FULL_DISK = "/dev/full";
/** A read of its start fails as on a disk that does. */
const FAILING_DISK = "/proc/self/mem";
const needsDevices = {
  skip: [FULL_DISK, FAILING_DISK].every((path) => existsSync(path)) ? false : "this system has no such devices",
};

let root = "";
function prepare(): void {
  before(() => {
    root = mkdtempSync(join(tmpdir(), "disk-refused-"));
  });
  after(() => rmSync(root, { recursive: true, force: true }));
}

/** Builds an error as LevelDB's opening throws it. */
function levelError(code: string, text: string): Error {
  return Object.assign(new Error("Database failed to open", { cause: Object.assign(new Error(text), { code }) }), {
    code: "LEVEL_DATABASE_NOT_OPEN",
  });
}

function open(folder: string): ReturnType<typeof openDataFolder> {
  return openDataFolder({
    folder,
    place: { partition: 0, partitions: 1 },
    clock: { nowMs: () => 0 },
    timers: { after: () => () => undefined, soon: (task) => void setImmediate(task) },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    fatal: (reason, cause) => {
      throw new Error(reason, { cause });
    },
    installation: () => "abcdefghij",
  });
}

/** Puts the files that LevelDB makes next for an opening on a full disk; returns a function that ends that. */
function fillUnder(store: string): () => void {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(6, "0"));
  const files = numbers.flatMap((number) => [join(store, `${number}.ldb`), join(store, `MANIFEST-${number}`)]);
  const made = files.filter((file) => !existsSync(file));
  for (const file of made) symlinkSync(FULL_DISK, file);
  return () => {
    for (const file of made) rmSync(file, { force: true });
  };
}

/** Matches a refusal by the system: its message mentions neither damage nor a backup. */
const isRefusal = (exitCode: number, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DiskRefused, String(error));
  assert.equal(exitCodeOf(error), exitCode);
  assert.match(error.message, words);
  assert.doesNotMatch(error.message, /damaged|backup/);
  return true;
};
const isFull = isRefusal(EXIT_CODES.cannotCreate, /the disk is full .*No space left.*Make room on it: nothing is lost/);
const isFailing = isRefusal(EXIT_CODES.temporary, /the disk or the way to it failed .*EIO.*may be whole/);

describe("what keeps a store from being opened", () => {
  prepare();

  const words = [
    ["ENOSPC", "No space left on device", EXIT_CODES.cannotCreate, /the disk is full/],
    ["EDQUOT", "Disk quota exceeded", EXIT_CODES.cannotCreate, /share of the disk is used up/],
    ["EROFS", "Read-only file system", EXIT_CODES.cannotCreate, /the disk is read-only/],
    ["EACCES", "Permission denied", EXIT_CODES.cannotCreate, /this user may not use it/],
    ["EPERM", "Operation not permitted", EXIT_CODES.cannotCreate, /this user may not use it/],
    ["EMFILE", "Too many open files", EXIT_CODES.temporary, /this process has too many files open/],
    ["ENFILE", "Too many open files in system", EXIT_CODES.temporary, /this machine has too many files open/],
    ["ENOMEM", "Cannot allocate memory", EXIT_CODES.temporary, /this machine has no memory left/],
    ["EIO", "Input/output error", EXIT_CODES.temporary, /the disk or the way to it failed/],
  ] as const;
  for (const [code, text, exitCode, told] of words) {
    test(`is told as the system's, by its code or by LevelDB's words: ${code}`, () => {
      const ofLevel = levelError("LEVEL_IO_ERROR", `IO error: /data: 1/store/000005.ldb: ${text}`);
      const ofSystem = Object.assign(new Error(`${code}: it failed, write`), { code });
      for (const cause of [
        ofLevel,
        ofSystem,
        new StoreRefused("it is damaged: restore a backup", { cause: ofSystem }),
      ]) {
        isRefusal(exitCode, told)(diskRefusal("/data", cause));
      }
    });
  }

  test("is damage where LevelDB says so, or a file is gone", () => {
    const damage = [
      ["LEVEL_CORRUPTION", "Corruption: 1 missing files; e.g.: /No space left on device/000005.ldb"],
      ["LEVEL_IO_ERROR", "IO error: /data/store/MANIFEST-000004: No such file or directory"],
      ["LEVEL_CORRUPTION", "Corruption: checksum mismatch: Input/output error"],
    ] as const;
    for (const [code, text] of damage) assert.equal(diskRefusal("/data", levelError(code, text)), undefined, text);
    assert.equal(diskRefusal("/data", new StoreRefused("the log holds no log: restore a backup")), undefined);
  });
});

describe("a data folder on a disk that is full", () => {
  prepare();

  test("is refused as that, and is whole once there is room", needsDevices, async () => {
    const folder = join(root, "full");
    const first = await open(folder);
    await first.close();
    for (const _start of ["first", "second"]) {
      const makeRoom = fillUnder(join(folder, "store"));
      await assert.rejects(open(folder), isFull);
      makeRoom();
    }
    const again = await open(folder);
    assert.deepEqual(again.head, first.head);
    await again.close();
  });
});

describe("a file on a disk that fails", () => {
  prepare();

  test("is no damaged witness, nor a damaged life", needsDevices, async () => {
    const folder = join(root, "failing");
    await (await open(folder)).close();
    for (const file of ["witness.json", "life.json"]) {
      rmSync(join(folder, file), { force: true });
      symlinkSync(FAILING_DISK, join(folder, file));
    }
    assert.throws(() => readWitness(join(folder, "witness.json")), isFailing);
    assert.throws(() => readLife(folder), isFailing);
    await assert.rejects(open(folder), isFailing);
  });

  test("is no fault that a check finds", needsDevices, async () => {
    const folder = join(root, "checked", "partition-0");
    await (await open(folder)).close();
    rmSync(join(folder, "witness.json"));
    symlinkSync(FAILING_DISK, join(folder, "witness.json"));
    const options = { rows: [], sideStores: [], filesOf: () => [] };
    await assert.rejects(checkDataFolder(join(root, "checked"), options), isFailing);
  });

  test("is no damaged log", needsDevices, async () => {
    const folder = join(root, "log");
    await (await open(folder)).close();
    const log = join(folder, "log", "1.log");
    assert.equal(readFileSync(log).byteLength, 0);
    rmSync(log);
    symlinkSync(FAILING_DISK, log);
    await assert.rejects(open(folder), isFailing);
  });

  test("is still damage where its bytes are there and wrong", async () => {
    const store = join(root, "damaged");
    await (await openLevelStore(store, true)).close();
    rmSync(join(store, "CURRENT"));
    const isDamage = (error: unknown) => exitCodeOf(error) === EXIT_CODES.data && !(error instanceof DiskRefused);
    await assert.rejects(openLevelStore(store, false), isDamage);
  });
});
