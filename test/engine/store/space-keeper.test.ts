/** Files that LevelDB removed give their space back, and nothing else is touched. Real files in temporary folders. */
import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import type { Log } from "../../../engine/ports.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import { freeLeftovers, SpaceKeeper } from "../../../engine/store/space-keeper.ts";

let root = "";
let storeFolder = "";
let secondNames = "";
let warnings: string[] = [];
let due: (() => void)[] = [];

before(() => {
  root = mkdtempSync(join(tmpdir(), "space-keeper-"));
});
after(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  const folder = mkdtempSync(join(root, "data-"));
  storeFolder = join(folder, "store");
  secondNames = join(folder, "removed");
  mkdirSync(storeFolder);
  warnings = [];
  due = [];
});

function makeKeeper(): SpaceKeeper {
  const log: Log = {
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (_, message) => void warnings.push(message),
  };
  const timers = {
    after: (_: number, task: () => void) => {
      due.push(task);
      return () => void due.splice(due.indexOf(task), 1);
    },
    soon: (task: () => void) => void setImmediate(task),
  };
  return new SpaceKeeper({ storeFolder, secondNames, timers, log });
}

const write = (name: string): void => writeFileSync(join(storeFolder, name), name);

test("a log or table that LevelDB removes is freed by the next look, and not before", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  for (const name of ["000003.log", "000005.ldb", "CURRENT", "LOCK", "LOG", "MANIFEST-000002"]) write(name);
  await keeper.sweep();
  assert.deepEqual(readdirSync(secondNames).sort(), ["000003.log", "000005.ldb"]);
  assert.equal(statSync(join(storeFolder, "000003.log")).nlink, 2);
  rmSync(join(storeFolder, "000003.log"));
  assert.equal(readFileSync(join(secondNames, "000003.log"), "utf8"), "000003.log");
  await keeper.sweep();
  assert.deepEqual(readdirSync(secondNames), ["000005.ldb"]);
  assert.equal(readdirSync(storeFolder).length, 5);
  await keeper.stop();
  assert.ok(!existsSync(secondNames));
  assert.equal(readFileSync(join(storeFolder, "000005.ldb"), "utf8"), "000005.ldb");
});

test("what a process left that died is given back at the start", async () => {
  mkdirSync(secondNames);
  writeFileSync(join(secondNames, "000003.log"), "left");
  const keeper = makeKeeper();
  await keeper.start();
  assert.ok(!existsSync(secondNames));
  await keeper.stop();
});

test("before a store is opened only what nothing else names is given back", async () => {
  mkdirSync(secondNames);
  write("000005.ldb");
  linkSync(join(storeFolder, "000005.ldb"), join(secondNames, "000005.ldb"));
  writeFileSync(join(secondNames, "000003.log"), "left");
  await freeLeftovers(secondNames);
  assert.deepEqual(readdirSync(secondNames), ["000005.ldb"]);
  await freeLeftovers(join(secondNames, "nowhere"));
});

/** Has the next look happen and waits until it is over. */
async function look(): Promise<void> {
  const [task] = due.splice(0);
  assert.ok(task !== undefined);
  task();
  while (due.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

test("it looks again for as long as it runs, also where somebody took its folder away", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  for (const name of ["000003.log", "000004.log", "000005.log"]) {
    write(name);
    await look();
    assert.ok(readdirSync(secondNames).includes(name));
    if (name === "000004.log") rmSync(secondNames, { recursive: true });
  }
  rmSync(join(storeFolder, "000003.log"));
  await look();
  assert.deepEqual(warnings, []);
  await keeper.stop();
  assert.equal(due.length, 0);
});

test("what fails is said once, harms nothing and is tried again", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  write("000003.log");
  await look();
  // A file in its place stands for whatever may fail.
  rmSync(secondNames, { recursive: true });
  writeFileSync(secondNames, "");
  await look();
  await look();
  assert.deepEqual(warnings, ["removed files of the store are freed by LevelDB itself: writes may stall"]);
  rmSync(secondNames);
  rmSync(join(storeFolder, "000003.log"));
  write("000004.log");
  await look();
  assert.deepEqual(readdirSync(secondNames), ["000004.log"]);
  await keeper.stop();
});

test("a store that is gone is not looked at again: nothing keeps the process", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  rmSync(storeFolder, { recursive: true });
  const [task] = due.splice(0);
  task?.();
  while (warnings.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(warnings.length, 1);
  assert.equal(due.length, 0);
  await keeper.stop();
});

test("where files cannot have second names, those there are go all the same", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  write("000003.log");
  await look();
  // A name that is taken stands for a file system that refuses.
  writeFileSync(join(secondNames, "000004.log"), "");
  write("000004.log");
  rmSync(join(storeFolder, "000003.log"));
  await look();
  assert.deepEqual(readdirSync(secondNames), ["000004.log"]);
  assert.equal(warnings.length, 1);
  await keeper.stop();
});

test("a store that is written to for long beside it opens again whole, and leaves no second name", async () => {
  const keeper = makeKeeper();
  await keeper.start();
  const value = Buffer.alloc(4_096, "v");
  for (let life = 0; life < 3; life += 1) {
    const store = await openLevelStore(storeFolder, life === 0);
    for (let batch = 0; batch < 20; batch += 1) {
      await store.write(
        Array.from({ length: 20 }, (_, row) => ({ type: "put", key: `${life}/${batch}/${row}`, value }) as const),
      );
      await keeper.sweep();
    }
    await store.close();
  }
  await keeper.sweep();
  const large = readdirSync(storeFolder).filter((name) => /\.(log|ldb)$/.test(name));
  assert.deepEqual(readdirSync(secondNames).sort(), large.sort());
  await keeper.stop();
  const store = await openLevelStore(storeFolder, false);
  for (let life = 0; life < 3; life += 1) assert.deepEqual(Buffer.from(store.read(`${life}/19/19`) ?? []), value);
  await store.close();
});
