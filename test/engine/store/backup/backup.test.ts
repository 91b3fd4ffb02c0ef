/** Copies of a store that changes while it is copied, where they may go, and what the check of a folder finds. */
import assert from "node:assert/strict";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Store } from "../../../../engine/ports/storage.ts";
import { type BackupSource, backUp } from "../../../../engine/store/backup/backup.ts";
import { BackupJobs } from "../../../../engine/store/backup/backup-jobs.ts";
import { RESTORE_RESERVE } from "../../../../engine/store/backup/restored.ts";
import { type CheckReport, checkDataFolder } from "../../../../engine/store/folder/check.ts";
import { type DataFolder, openDataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { openLevelStore } from "../../../../engine/store/level-store.ts";
import { HEAD_KEY } from "../../../../engine/table/keys.ts";
import type { Fatal, Log, Timers } from "../../../../src/runtime/ports.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const fatal: Fatal = (reason, cause) => {
  throw new Error(reason, { cause });
};
const timers: Timers = {
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (task) => void setImmediate(task),
};
const clock = { nowMs: () => Date.now() };
const readers = { rows: [{ name: "rows", prefix: "", check: () => undefined }], sideStores: [], filesOf: () => [] };

let root: string;
let data: DataFolder;
let journal: PartitionJournal;

async function openData(folder: string): Promise<DataFolder> {
  return openDataFolder({
    ...{ folder, place: { partition: 0, partitions: 1 }, clock, timers, log: quiet, fatal },
    installation: () => "abcdefghij",
  });
}

async function open(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), "backup-test-"));
  data = await openData(join(root, "data", "partition-0"));
  journal = new PartitionJournal({
    ...{ store: data.store, head: data.head, clock, timers, fatal, tickPosition: () => 7 },
    onDurable: (head) => data.onDurable(head.batch, head.tickPosition),
  });
}

async function close(): Promise<void> {
  await data.close();
  await rm(root, { recursive: true, force: true });
}

const source = (more: Partial<BackupSource> = {}): BackupSource => ({
  ...{ store: data.store, folder: data.folder, files: [], sideStores: [] },
  ...more,
});

/** Puts `count` rows, live ones and archive ones, and waits for the disk. */
async function putRows(count: number): Promise<void> {
  for (const id of journal.allocateIds(count)) {
    journal.put(id % 2 === 0 ? `a/${id}` : `v/${id}`, `{"id":${id},"padding":"${"x".repeat(200)}"}`);
  }
  await journal.settled();
}

async function rowsOf(store: Store): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for await (const page of store.scan({ gte: "", lt: "\uffff" })) {
    for (const [key, value] of page) rows.set(key, Buffer.from(value).toString());
  }
  return rows;
}

const faultsOf = (reports: readonly CheckReport[]): string[] => reports.flatMap(({ faults }) => faults);

describe("a backup", () => {
  beforeEach(open);
  afterEach(close);

  test("takes less room than its rows: its own log stays short", async () => {
    await putRows(60_000);
    const progress = { rowCount: 0, byteCount: 0 };
    await backUp(source(), join(root, "copy"), progress);
    const copy = join(root, "copy", "store");
    const files = (await readdir(copy)).filter((name) => /\.(log|ldb)$/.test(name));
    const sizes = await Promise.all(files.map((name) => stat(join(copy, name))));
    const ofCopy = sizes.reduce((sum, { size }) => sum + size, 0);
    assert.ok(ofCopy < 1.5 * progress.byteCount, `${ofCopy} of ${progress.byteCount} bytes`);
  });

  test("holds the rows of one moment, whatever is written meanwhile, and opens as a data folder", async () => {
    await putRows(5_000);
    const before = await rowsOf(data.store);
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await putRows(50);
    })();
    const target = join(root, "backups", "one", "partition-0");
    const progress = { rowCount: 0, byteCount: 0 };
    const head = await backUp(source(), target, progress);
    isWriting = false;
    await writing;
    const copy = await openData(target);
    const rows = await rowsOf(copy.store);
    await copy.close();
    assert.ok(head.batch >= 1 && journal.head.batch > head.batch, "it was written meanwhile");
    assert.ok(rows.size >= before.size && rows.size < (await rowsOf(data.store)).size);
    for (const [key, value] of before) if (key !== HEAD_KEY) assert.equal(rows.get(key), value);
    assert.equal(progress.rowCount, rows.size);
    assert.deepEqual(faultsOf(await checkDataFolder(join(root, "backups", "one"), readers)), []);
  });

  /** The data folder's store; `whenFewWait` decides when few of its rows wait. */
  const waitingStore = (whenFewWait: () => Promise<boolean>): Store => ({
    read: (key) => data.store.read(key),
    write: (operations) => data.store.write(operations),
    scan: (range) => data.store.scan(range),
    close: () => data.store.close(),
    whenFewWait,
  });

  test("begins once few rows wait for the disk, and holds what came until then", async () => {
    const store = waitingStore(async () => {
      await putRows(10);
      return true;
    });
    const { batch } = await backUp(source({ store }), join(root, "copy"), { rowCount: 0, byteCount: 0 });
    assert.ok(batch >= 1);
    assert.equal(batch, journal.head.batch);
  });

  test("fails, and leaves nothing, where the disk does not keep up", async () => {
    const store = waitingStore(() => Promise.resolve(false));
    const made = backUp(source({ store }), join(root, "copies", "copy"), { rowCount: 0, byteCount: 0 });
    await assert.rejects(made, /the disk does not keep up/);
    assert.deepEqual(await readdir(join(root, "copies")), []);
  });

  test("gives out no id or sequence again that was given out after it", async () => {
    await putRows(10);
    const target = join(root, "backups", "one", "partition-0");
    await backUp(source(), target, { rowCount: 0, byteCount: 0 });
    await putRows(10);
    const copy = await openData(target);
    await copy.close();
    assert.ok(copy.head.ids >= 10 + RESTORE_RESERVE && copy.head.sequence >= journal.head.sequence + RESTORE_RESERVE);
    assert.equal(copy.head.restoredIds, 10);
    assert.equal(copy.head.tickPosition, 7);
  });

  test("takes files with it, for their owner only, and leaves out those that do not exist", async () => {
    await writeFile(join(data.folder, "signing-key.json"), "secret");
    await chmod(join(data.folder, "signing-key.json"), 0o644);
    const target = join(root, "one", "partition-0");
    const files = ["signing-key.json", "no-such-file"];
    await backUp(source({ files }), target, { rowCount: 0, byteCount: 0 });
    assert.equal(await readFile(join(target, "signing-key.json"), "utf8"), "secret");
    assert.equal((await stat(join(target, "signing-key.json"))).mode & 0o777, 0o600);
    assert.equal((await stat(target)).mode & 0o777, 0o700);
    assert.deepEqual((await readdir(target)).sort(), ["signing-key.json", "store", "witness.json"]);
  });

  test("copies side stores after the store", async () => {
    const order: string[] = [];
    const spied = (name: string, store: Store): Store => ({
      ...{ read: (key) => store.read(key), write: (rows) => store.write(rows), close: () => store.close() },
      scan: (range) => {
        order.push(name);
        return store.scan(range);
      },
    });
    const paper = await openLevelStore(join(root, "paper"), true);
    await paper.write([{ type: "put", key: "order", value: Buffer.from("1") }]);
    const create = (folder: string): Promise<Store> => openLevelStore(folder, true);
    const sideStores = [{ name: "paper-X", store: spied("paper", paper), create }];
    const target = join(root, "one", "partition-0");
    await backUp(source({ store: spied("store", data.store), sideStores }), target, { rowCount: 0, byteCount: 0 });
    await paper.close();
    assert.deepEqual(order, ["store", "paper"]);
    const copy = await openLevelStore(join(target, "paper-X"), false);
    assert.deepEqual([...(await rowsOf(copy))], [["order", "1"]]);
    await copy.close();
  });

  test("of a store that lost a row fails, and leaves nothing behind", async () => {
    await putRows(10);
    await data.store.write([{ type: "del", key: "a/2" }]);
    const target = join(root, "one", "partition-0");
    await assert.rejects(backUp(source(), target, { rowCount: 0, byteCount: 0 }), /lost or changed rows/);
    assert.deepEqual(await readdir(join(root, "one")), []);
  });

  test("never writes over anything", async () => {
    const target = join(root, "one", "partition-0");
    await backUp(source(), target, { rowCount: 0, byteCount: 0 });
    const before = await readdir(target);
    await assert.rejects(backUp(source(), target, { rowCount: 0, byteCount: 0 }));
    assert.deepEqual(await readdir(target), before);
  });
});

describe("a backup that an operator asks for", () => {
  let place: string;

  beforeEach(async () => {
    await open();
    place = join(root, "backups");
    await mkdir(place);
  });
  afterEach(close);

  test("is asked for once: asking again tells how it stands, and another one waits", async () => {
    await putRows(2_000);
    const time = new FakeTime();
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const held: Store = {
      ...{ read: (key) => data.store.read(key), write: (rows) => data.store.write(rows), close: async () => {} },
      async *scan(range) {
        await mayFinish;
        yield* data.store.scan(range);
      },
    };
    const jobs = new BackupJobs({
      ...{ source: source({ store: held }), partition: 0, allowed: place, clock, timers: time, log: quiet },
    });
    const folder = join(place, "one");
    const first = jobs.handle({ folder });
    const second = jobs.handle({ folder });
    const other = await jobs.handle({ folder: join(place, "two") });
    assert.ok(!other.ok && other.code === "CONFLICT");
    await time.advance(15_000);
    assert.ok((await first).ok);
    const running = await second;
    assert.ok(running.ok && running.value.state === "running" && running.value.batch === null);
    finish();
    const done = await jobs.handle({ folder });
    assert.ok(done.ok && done.value.state === "done" && done.value.rowCount === 2_001);
    assert.deepEqual(await jobs.handle({ folder }), done);
    const wrong = await jobs.handle({ folder: "one" });
    assert.ok(!wrong.ok && wrong.code === "INVALID");
    const again = await jobs.handle({ folder });
    assert.ok(!again.ok && again.code === "CONFLICT", "it exists by now");
  });

  test("is filled again where the last backup in it was taken away", async () => {
    await putRows(10);
    const jobs = new BackupJobs({ ...{ source: source(), partition: 0, allowed: place, clock, timers, log: quiet } });
    const folder = join(place, "nightly");
    for (const rowCount of [11, 21]) {
      await rm(folder, { recursive: true, force: true });
      const made = await jobs.handle({ folder });
      assert.ok(made.ok && made.value.rowCount === rowCount, JSON.stringify(made));
      await putRows(10);
    }
  });
});

describe("the check of a data folder", () => {
  let folder: string;

  beforeEach(async () => {
    await open();
    folder = join(root, "data");
    await putRows(100);
    await data.close();
    data = await openData(join(folder, "partition-0"));
    journal = new PartitionJournal({
      ...{ store: data.store, head: data.head, clock, timers, fatal, tickPosition: () => 7 },
      onDurable: (head) => data.onDurable(head.batch, head.tickPosition),
    });
    await putRows(100);
    await data.close();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const faults = async (): Promise<string> => faultsOf(await checkDataFolder(folder, readers)).join("; ");
  const change = async (rows: Parameters<Store["write"]>[0]): Promise<void> => {
    const store = await openLevelStore(join(folder, "partition-0", "store"), false);
    await store.write(rows);
    await store.close();
  };

  test("finds nothing in a whole one, and changes nothing in it", async () => {
    const before = join(root, "before");
    await cp(folder, before, { recursive: true });
    assert.equal(await faults(), "");
    for (const name of await readdir(join(before, "partition-0", "store"))) {
      const [old, now] = [before, folder].map((at) => readFile(join(at, "partition-0", "store", name)));
      assert.deepEqual(await now, await old, name);
    }
    assert.deepEqual((await readdir(join(folder, "partition-0"))).sort(), ["log", "store", "witness.json"]);
  });

  test("finds rows that were lost or changed, live ones and history", async () => {
    await change([{ type: "del", key: "a/2" }]);
    assert.match(await faults(), /live hash differs/);
    await change([{ type: "put", key: "v/3", value: Buffer.from("{}") }]);
    assert.match(await faults(), /live hash differs.*archive hash differs/);
  });

  test("finds a head that is missing, unreadable or another partition's", async () => {
    const bytes = (await rowsOf(await reopened())).get(HEAD_KEY) ?? "";
    await change([{ type: "put", key: HEAD_KEY, value: Buffer.from(bytes.replace('"partition":0', '"partition":1')) }]);
    assert.match(await faults(), /belongs to partition 1/);
    await change([{ type: "put", key: HEAD_KEY, value: Buffer.from('{"format":3}') }]);
    assert.match(await faults(), /has format 3/);
    await change([{ type: "del", key: HEAD_KEY }]);
    assert.match(await faults(), /no head record/);
  });

  test("finds a witness that is ahead, foreign, damaged or missing", async () => {
    const file = join(folder, "partition-0", "witness.json");
    const witness = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...witness, batch: 999 }));
    assert.match(await faults(), /had reached 999/);
    await writeFile(file, JSON.stringify({ ...witness, installation: "zzzzzzzzzz" }));
    assert.match(await faults(), /another store/);
    await writeFile(file, "{");
    assert.match(await faults(), /is damaged/);
    await rm(file);
    assert.match(await faults(), /has history .* and no witness\.json/);
  });

  test("finds files of the store that are missing, where the log does not hold what they held", async () => {
    const store = join(folder, "partition-0", "store");
    const notes = async () => (await checkDataFolder(folder, readers)).flatMap((report) => report.notes);
    const sound = await notes();
    const whole = join(root, "whole");
    await cp(store, whole, { recursive: true });
    for (const name of (await readdir(whole)).filter((one) => /^CURRENT$|\.ldb$|\.log$|^MANIFEST/.test(one))) {
      await rm(join(store, name));
      if ((await faults()) === "") assert.deepEqual(await notes(), sound, name);
      else assert.doesNotMatch(name, /\.log$/);
      await cp(whole, store, { recursive: true });
    }
    await rm(store, { recursive: true });
    assert.match(await faults(), /ENOENT/);
  });

  test("notes a file that is not there and may be kept elsewhere, and finds no fault in that", async () => {
    const key = { name: "key.json", whereMissing: "keep it as well" };
    const reports = await checkDataFolder(folder, { ...readers, filesOf: () => [key] });
    assert.deepEqual(faultsOf(reports), []);
    assert.match(reports.flatMap(({ notes }) => notes).join(), /no key\.json: keep it as well/);
  });

  test("finds rows that nobody can read, tells the first ones, and goes on", async () => {
    const strict = {
      ...readers,
      rows: [
        {
          ...{ name: "live", prefix: "a/" },
          check: () => {
            throw new Error("not what it should be");
          },
        },
      ],
    };
    const found = faultsOf(await checkDataFolder(folder, strict));
    assert.equal(found.length, 21);
    assert.match(found.at(-1) ?? "", /further rows cannot be read/);
  });

  test("says so of folders that hold nothing, or what was never finished", async () => {
    await assert.rejects(checkDataFolder(join(root, "nowhere"), readers), /^UserError: the folder .* does not exist/);
    await assert.rejects(checkDataFolder(root, readers), /it holds no folder partition-/);
    await mkdir(join(root, "store"));
    await assert.rejects(checkDataFolder(root, readers), /is one partition: name the folder above it/);
    await mkdir(join(folder, "partition-1.unfinished"));
    assert.match(await faults(), /never finished/);
  });

  async function reopened(): Promise<Store> {
    const store = await openLevelStore(join(folder, "partition-0", "store"), false);
    const rows = await rowsOf(store);
    await store.close();
    return {
      ...{ read: () => undefined, write: async () => {}, close: async () => {} },
      async *scan() {
        yield [...rows].map(([key, value]) => [key, Buffer.from(value)] as const);
      },
    };
  }
});
