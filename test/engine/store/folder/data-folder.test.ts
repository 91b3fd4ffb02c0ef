/** A data folder is opened whole or not at all, in any state of its files. Real LevelDB in temporary folders. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DataFolder, openDataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { readWitness, writeWitness } from "../../../../engine/store/folder/witness.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { openLevelStore } from "../../../../engine/store/level-store.ts";
import { readLive } from "../../../../engine/store/recovery.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import type { Fatal, Log, Timers } from "../../../../src/runtime/ports.ts";
import type { Opened } from "./open-folders.ts";

const SCRIPT = fileURLToPath(new URL("open-folders.ts", import.meta.url));
const PLACE = { partition: 0, partitions: 1 };
const ROWS = 400;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fatal: Fatal = (reason, cause) => {
  throw new Error(reason, { cause });
};

let root = "";
before(() => {
  root = mkdtempSync(join(tmpdir(), "data-folder-"));
});
after(() => rmSync(root, { recursive: true, force: true }));

/** Timers of which those with a delay never come due: the witness is written at the close. */
const timers: Timers = { after: () => () => {}, soon: (task) => void setImmediate(task) };

function open(folder: string, place = PLACE): Promise<DataFolder> {
  const installation = () => "abcdefghij";
  return openDataFolder({ folder, place, clock: { nowMs: () => 0 }, timers, log: silent, fatal, installation });
}

/** Writes rows in small batches, as the engine would. */
async function write(folder: string, from: number, count: number): Promise<void> {
  const opened = await open(folder);
  const { store, head, onDurable } = opened;
  const journal = new PartitionJournal({
    store,
    head,
    clock: { nowMs: () => 0 },
    timers,
    fatal,
    tickPosition: () => 7,
    onDurable: ({ batch, tickPosition }) => onDurable(batch, tickPosition),
  });
  for (let row = from; row < from + count; row += 1) {
    journal.put(`a/${String(row).padStart(16, "0")}`, `actor ${row} ${"x".repeat(200)}`);
    journal.put(`v/${String(row).padStart(16, "0")}`, `view ${row} ${"y".repeat(200)}`);
    if (row % 20 === 0) await journal.settled();
  }
  await journal.settled();
  await opened.close();
}

let made = 0;

/** A folder whose rows are in tables, and whose newest are only in the log; closed politely. */
async function makeFolder(): Promise<string> {
  made += 1;
  const folder = join(root, `made-${made}`);
  await write(folder, 1, ROWS);
  await write(folder, ROWS + 1, ROWS);
  await write(folder, 2 * ROWS + 1, 60);
  return folder;
}

function copyOf(folder: string): string {
  made += 1;
  const copy = join(root, `copy-${made}`);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Lists files of the store, or of the log. */
function filesOf(folder: string, pattern: RegExp, of: "store" | "log" = "store"): string[] {
  const inner = join(folder, of);
  return readdirSync(inner)
    .filter((name) => pattern.test(name))
    .map((name) => join(inner, name));
}

/** Opens each folder in a process of its own kind; a folder that ends the process counts as refused. */
function openEach(folders: readonly string[]): Opened[] {
  const results: Opened[] = [];
  while (results.length < folders.length) {
    const rest = folders.slice(results.length);
    const { stdout } = spawnSync(process.execPath, ["--import", "tsx", SCRIPT, ...rest], { encoding: "utf8" });
    const told = stdout.split("\n").filter((line) => line !== "");
    for (const line of told) results.push(JSON.parse(line));
    const [aborted] = rest.slice(told.length);
    if (aborted !== undefined) results.push({ folder: aborted, outcome: "refused", message: "aborted", digest: "" });
  }
  return results;
}

describe("a data folder", () => {
  test("is made once, and is whole after every reopening", async () => {
    const folder = await makeFolder();
    assert.deepEqual(readWitness(join(folder, "witness.json"))?.installation, "abcdefghij");
    const opened = await open(folder);
    const keys: string[] = [];
    await readLive(opened.store, opened.head, (key) => void keys.push(key));
    assert.equal(keys.length, 2 * ROWS + 60);
    assert.equal(opened.head.tickPosition, 7);
    await opened.checkArchive();
    await opened.close();
    assert.equal(readWitness(join(folder, "witness.json"))?.batch, opened.head.batch);
  });

  test("that another process holds is refused in plain words", async () => {
    const folder = join(root, "locked");
    const opened = await open(folder);
    const [other] = openEach([folder]);
    assert.equal(other?.outcome, "refused");
    assert.match(other?.message ?? "", /in use by another engine process/);
    await assert.rejects(open(folder), /in use by another engine process/);
    await opened.close();
    await (await open(folder)).close();
  });

  test("of another partition, or of another count of partitions, is refused", async () => {
    const folder = join(root, "partition");
    await write(folder, 1, 1);
    await assert.rejects(open(folder, { partition: 1, partitions: 2 }), /made for partition 0 of 1, not 1 of 2/);
    await assert.rejects(open(folder, { partition: 0, partitions: 2 }), StoreRefused);
    await (await open(folder)).close();
  });

  test("that is an old copy is refused by its witness", async () => {
    const folder = await makeFolder();
    const old = copyOf(folder);
    await write(folder, 5_000, 5);
    cpSync(join(folder, "witness.json"), join(old, "witness.json"));
    await assert.rejects(open(old), /is an old copy or has lost its newest rows/);
  });

  test("with the witness of another store, or a damaged witness, is refused", async () => {
    const folder = join(root, "witness");
    await write(folder, 1, 3);
    const file = join(folder, "witness.json");
    const own = readFileSync(file);
    await writeWitness(file, { installation: "otherother", batch: 0, tickPosition: null });
    await assert.rejects(open(folder), /the witness belongs to another store/);
    for (const text of ["", "{", '{"installation":"abcdefghij"}', own.subarray(0, own.length - 3)]) {
      writeFileSync(file, text);
      await assert.rejects(open(folder), /witness\.json is damaged/);
    }
    writeFileSync(file, own);
    await (await open(folder)).close();
  });

  test("with history and no witness is refused, as it may be an old copy, and the refusal names the ways on", async () => {
    const folder = await makeFolder();
    rmSync(join(folder, "witness.json"));
    const [opened] = openEach([folder]);
    assert.equal(opened?.outcome, "refused");
    assert.match(opened?.message ?? "", /history up to batch \d+ of \S+Z and no witness\.json/);
    assert.match(opened?.message ?? "", /put back the witness\.json .*, or restore a backup.*npm run backup-stopped/);
    assert.equal(existsSync(join(folder, "witness.json")), false, "no witness is made for it");
  });

  test("whose whole history is in the log is refused as well without a witness", async () => {
    const folder = join(root, "only-in-log");
    const opened = await open(folder);
    const journal = new PartitionJournal({
      ...{ store: opened.store, head: opened.head, clock: { nowMs: () => 0 }, timers, fatal },
      tickPosition: () => null,
    });
    journal.put("a/0000000000000001", "actor");
    await journal.settled();
    const killed = copyOf(folder);
    await opened.close();
    rmSync(join(killed, "witness.json"));
    await assert.rejects(open(killed), /no witness\.json/);
  });

  test("that was made but for its witness goes on: a start may die before it is written", async () => {
    const folder = join(root, "no-witness-yet");
    await (await open(folder)).close();
    rmSync(join(folder, "witness.json"));
    await (await open(folder)).close();
    assert.equal(readWitness(join(folder, "witness.json"))?.batch, 0);
  });

  test("of which only remains are left is never taken for a new one, with or without its witness", async () => {
    const folder = await makeFolder();
    const withoutCurrent = copyOf(folder);
    rmSync(join(withoutCurrent, "store", "CURRENT"));
    const withoutBoth = copyOf(withoutCurrent);
    rmSync(join(withoutBoth, "witness.json"));
    const withoutStore = copyOf(folder);
    rmSync(join(withoutStore, "store"), { recursive: true });
    const tables = filesOf(withoutBoth, /\.ldb$/);
    for (const opened of openEach([withoutCurrent, withoutBoth, withoutStore])) {
      assert.equal(opened.outcome, "refused", opened.folder);
      assert.doesNotMatch(opened.message, /not clear/);
    }
    assert(tables.length > 0);
    assert.deepEqual(filesOf(withoutBoth, /\.ldb$/), tables, "nothing was deleted");
  });

  test("whose head record or whose rows were deleted is refused", async () => {
    const folder = await makeFolder();
    const cases = [
      ["head", /no head record/],
      [`a/${"5".padStart(16, "0")}`, /live hash differs/],
    ] as const;
    for (const [key, message] of cases) {
      const copy = copyOf(folder);
      const store = await openLevelStore(join(copy, "store"), false);
      await store.write([{ type: "del", key }]);
      await store.close();
      const [opened] = openEach([copy]);
      assert.equal(opened?.outcome, "refused");
      assert.match(opened?.message ?? "", message);
    }
    const store = await openLevelStore(join(folder, "store"), false);
    await store.write([{ type: "del", key: `v/${"5".padStart(16, "0")}` }]);
    await store.close();
    const [opened] = openEach([folder]);
    assert.equal(opened?.outcome, "fatal");
    assert.match(opened?.message ?? "", /archive has lost or changed rows/);
  });
});

describe("a damaged file", () => {
  test("is noticed, or did no harm: no start with less than there was", async () => {
    const folder = await makeFolder();
    const [sound] = openEach([copyOf(folder)]);
    assert.equal(sound?.outcome, "whole");
    const damaged = new Map<string, string>();
    const damage = (what: string, file: string, change: (copied: string) => void): void => {
      const copy = copyOf(folder);
      change(file.replace(folder, copy));
      damaged.set(copy, what);
    };
    const pattern = /\.ldb$|\.log$|^MANIFEST|^CURRENT$/;
    for (const file of [...filesOf(folder, pattern), ...filesOf(folder, pattern, "log")]) {
      const { size } = statSync(file);
      damage(`deleted ${file}`, file, (copied) => rmSync(copied));
      for (const bytes of size === 0 ? [] : [5, Math.ceil(size / 2), size]) {
        damage(`${file} is ${bytes} bytes short`, file, (copied) => truncateSync(copied, Math.max(0, size - bytes)));
      }
      for (let part = 0; part < 4 && size > 0; part += 1) {
        const at = Math.floor(((part + 0.5) / 4) * size);
        damage(`a bit of ${file} at ${at}`, file, (copied) => {
          const bytes = readFileSync(copied);
          bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
          writeFileSync(copied, bytes);
        });
      }
    }
    const outcomes = new Map<string, number>();
    for (const { folder: copy, outcome, message, digest } of openEach([...damaged.keys()])) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === "whole") assert.equal(digest, sound?.digest, damaged.get(copy));
      assert.doesNotMatch(message, /not clear/, damaged.get(copy));
    }
    assert((outcomes.get("refused") ?? 0) > 20, JSON.stringify([...outcomes]));
  });
});
