/** A copy of a partition takes the log's records, and becomes the store when its engine leads. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ReplicaFolder } from "../../../../engine/cluster/replica/replica-folder.ts";
import type { CommitLog, LogRecord } from "../../../../engine/ports/log.ts";
import { backUp } from "../../../../engine/store/backup/backup.ts";
import { RestoredCopy } from "../../../../engine/store/backup/restored-copy.ts";
import { checkDataFolder } from "../../../../engine/store/folder/check.ts";
import { type DataFolder, openDataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { readWitness, writeWitness } from "../../../../engine/store/folder/witness.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { openLevelStore } from "../../../../engine/store/level-store.ts";
import { openFileLog } from "../../../../engine/store/log/file-log.ts";
import { readLive } from "../../../../engine/store/recovery.ts";
import { CopyBehind, StoreRefused } from "../../../../engine/store/refused.ts";
import { loopTimers, systemClock } from "../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { lentLog } from "../../store/log/lent-log.ts";

const INSTALLATION = "abcdefghij";
const log = { debug() {}, info() {}, warn() {}, error() {} };
const fatal = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

function openCopy(folder: string, installation = INSTALLATION, life = 0): Promise<ReplicaFolder> {
  const place = { partition: 0, partitions: 1 };
  return ReplicaFolder.open({ folder, place, installation, life, clock: systemClock, timers: loopTimers, log, fatal });
}

async function recordsOf(own: CommitLog, from: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of own.readFrom(from)) records.push(...page);
  return records;
}

/** Puts a row and waits until it is durable. */
async function put(data: DataFolder, key: string, value: string): Promise<void> {
  const { store, head } = data;
  const journal = new PartitionJournal({
    ...{ store, head, clock: systemClock, timers: loopTimers, fatal, tickPosition: () => null },
  });
  journal.put(key, value);
  await journal.settled();
}

async function inWorld(run: (folder: string, own: CommitLog) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  const own = await openFileLog(join(folder.path, "servers"), true);
  try {
    await run(folder.path, own);
  } finally {
    await own.close();
    await folder.remove();
  }
}

test("who leads first begins the log, and a copy that follows it holds the same, also after a restart", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(first, "v/row", "one");
    const second = await openCopy(join(folder, "b"));
    assert.equal(second.position, undefined);
    const records = await recordsOf(own, own.firstSequence ?? 0);
    for (const record of records) await second.follow(record);
    assert.equal(second.position, own.lastSequence);
    await second.close();
    await first.close();
    const witness = { installation: INSTALLATION, batch: 0, tickPosition: null };
    assert.deepEqual(readWitness(join(folder, "a", "witness.json")), witness, "as far as it was told of");
    const again = await openCopy(join(folder, "b"));
    assert.equal(again.position, own.lastSequence);
    const [last] = records.slice(-1);
    assert.ok(last !== undefined && again.owns(last));
    const led = await again.lead(lentLog(own));
    assert.equal(Buffer.from(led.store.read("v/row") ?? []).toString(), "one");
    await readLive(led.store, led.head, () => undefined);
    assert.equal(led.head.installation, INSTALLATION);
    await led.close();
  });
});

test("the archive is compared with the head of the moment in which it is read, whatever was written since it was led", async () => {
  await inWorld(async (folder, own) => {
    const led = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(led, "v/row", "one");
    await led.checkArchive();
    await led.store.write([{ type: "put", key: "v/row", value: Buffer.from("changed") }]);
    await assert.rejects(led.checkArchive(), /the archive has lost or changed rows/);
    await led.close();
  });
});

test("a copy that lacks a record does not lead, and takes none out of turn", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(first, "v/row", "one");
    const [genesis] = await recordsOf(own, 0);
    const second = await openCopy(join(folder, "b"));
    assert.ok(genesis !== undefined);
    await second.follow(genesis);
    await assert.rejects(second.lead(lentLog(own)), StoreRefused);
    assert.throws(() => second.follow({ ...genesis, sequence: genesis.sequence + 2 }), StoreRefused);
    await second.close();
    await first.close();
  });
});

test("a record that is not the one this copy was made of is none of its own", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(first, "v/row", "one");
    await first.close();
    const other = await openFileLog(join(folder, "others"), true);
    const stranger = await (await openCopy(join(folder, "c"))).lead(lentLog(other));
    await put(stranger, "v/row", "two");
    const [strange] = (await recordsOf(other, 0)).slice(-1);
    const copy = await openCopy(join(folder, "a"));
    assert.ok(strange !== undefined && !copy.owns(strange));
    await copy.close();
    await stranger.close();
    await other.close();
  });
});

test("a folder of another installation, and one with a log of its own, is refused and left as it is", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await first.close();
    await assert.rejects(openCopy(join(folder, "a"), "zzzzzzzzzz"), /belongs to installation abcdefghij/);
    mkdirSync(join(folder, "d"));
    const single = await openFileLog(join(folder, "d", "log"), true);
    await single.append(-1, [Buffer.from("record")]);
    await single.close();
    await assert.rejects(openCopy(join(folder, "d")), /log of its own/);
    assert.ok(!existsSync(join(folder, "d", "store")));
  });
});

test("a log that has lost what was durable once is not led", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await first.close();
    await writeWitness(join(folder, "a", "witness.json"), {
      ...{ installation: INSTALLATION, batch: 99, tickPosition: null },
    });
    const copy = await openCopy(join(folder, "a"));
    await assert.rejects(copy.lead(lentLog(own)), /had reached 99/);
    await copy.close();
  });
});

/** A restored backup of what leads in folder `a`, in folder `b`. */
async function restoreInto(folder: string, data: DataFolder): Promise<RestoredCopy> {
  const progress = { rowCount: 0, byteCount: 0 };
  await backUp({ store: data.store, folder: data.folder, files: [], sideStores: [] }, join(folder, "b"), progress);
  return RestoredCopy.open(join(folder, "b"), { partition: 0, partitions: 1 }, systemClock.nowMs());
}

test("a backup goes on in a life of its own; what others hold of the life before is set aside, and they must be seeded", async () => {
  await inWorld(async (folder, own) => {
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(first, "v/row", "one");
    const restored = await restoreInto(folder, first);
    await put(first, "v/row", "two");
    await first.close();
    const next = await openFileLog(join(folder, "next"), true);
    await next.append(restored.firstRecord.sequence - 1, [restored.firstRecord.bytes]);
    await restored.keep(7);
    await restored.close();
    const copy = await openCopy(join(folder, "b"), INSTALLATION, 7);
    assert.equal(copy.position, next.lastSequence);
    assert.ok(copy.owns(restored.firstRecord));
    const led = await copy.lead(lentLog(next));
    assert.equal(Buffer.from(led.store.read("v/row") ?? []).toString(), "one");
    assert.ok(led.head.restoredIds !== undefined, "what was sold since the backup is looked for before it is sent");
    await readLive(led.store, led.head, () => undefined);
    await led.close();
    const old = await openCopy(join(folder, "a"), INSTALLATION, 7);
    assert.equal(old.position, undefined);
    assert.throws(() => old.follow(restored.firstRecord), CopyBehind);
    await old.close();
    assert.ok(existsSync(join(folder, "a", "store.life-0", "CURRENT")));
    await assert.rejects(
      openCopy(join(folder, "b")),
      /is of life 7 of the installation, and the newest log is of life 0/,
    );
    await next.close();
  });
});

test("nobody begins the log of a restore that did not come to its end", async () => {
  await inWorld(async (folder, own) => {
    const copy = await openCopy(join(folder, "a"), INSTALLATION, 7);
    await assert.rejects(copy.lead(lentLog(own)), /the log of life 7 holds nothing/);
    await copy.close();
  });
});

test("a folder that is not whole is not restored", async () => {
  await inWorld(async (folder, own) => {
    const place = { partition: 0, partitions: 1 };
    await assert.rejects(RestoredCopy.open(join(folder, "b"), place, 0), /holds no store/);
    const first = await (await openCopy(join(folder, "a"))).lead(lentLog(own));
    await put(first, "v/row", "one");
    await (await restoreInto(folder, first)).close();
    await assert.rejects(RestoredCopy.open(join(folder, "b"), { partition: 1, partitions: 2 }, 0), /not 1 of 2/);
    await first.close();
    const rows = await openLevelStore(join(folder, "b", "store"), false);
    await rows.write([{ type: "put", key: "v/row", value: Buffer.from("other") }]);
    await rows.close();
    await assert.rejects(RestoredCopy.open(join(folder, "b"), place, 0), /lost or changed rows/);
  });
});

test("without its log a replica is told apart from a folder that is damaged", async () => {
  await inWorld(async (folder, own) => {
    const replica = join(folder, "partition-0");
    const first = await (await openCopy(replica)).lead(lentLog(own));
    await put(first, "v/row", "one");
    await first.close();
    const place = { partition: 0, partitions: 1 };
    const ports = { clock: systemClock, timers: loopTimers, log, fatal };
    await assert.rejects(
      openDataFolder({ ...ports, folder: replica, place, installation: () => INSTALLATION }),
      (error: unknown) =>
        error instanceof StoreRefused && error.reason === "configuration" && NO_DAMAGE.test(error.message),
    );
    const options = { rows: [], filesOf: () => [], sideStores: [] };
    const [, report] = await checkDataFolder(folder, options);
    assert.match(report?.faults.join() ?? "", NO_DAMAGE);
  });
});

const NO_DAMAGE = /is a replica of engines that share partitions .* nothing is damaged\. Set REPLICATION=on/;
