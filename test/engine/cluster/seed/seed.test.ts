/** A copy that the log cannot fill takes its leader's rows: whole, of one moment, or none of them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { ReplicaFolder } from "../../../../engine/cluster/replica/replica-folder.ts";
import { BytePace } from "../../../../engine/cluster/seed/byte-pace.ts";
import { readSeed } from "../../../../engine/cluster/seed/seed-reader.ts";
import { SeedServer } from "../../../../engine/cluster/seed/seed-server.ts";
import { writeSeed } from "../../../../engine/cluster/seed/seeded-store.ts";
import type { CommitLog, LogRecord } from "../../../../engine/ports/log.ts";
import type { Put, ScanRange, Store } from "../../../../engine/ports/storage.ts";
import type { DataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { openFileLog } from "../../../../engine/store/log/file-log.ts";
import { readLive } from "../../../../engine/store/recovery.ts";
import { CopyBehind } from "../../../../engine/store/refused.ts";
import { ALL_KEYS, HEAD_KEY } from "../../../../engine/table/keys.ts";
import { createMemoryBusServer, type MemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import { type Bus, RequestTimeoutError } from "../../../../src/bus/port.ts";
import { seedSubject } from "../../../../src/contract/subject.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import type { Timers } from "../../../../src/runtime/ports.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { until } from "../../../support/world/stack.ts";
import { lentLog } from "../../store/log/lent-log.ts";

const INSTALLATION = "abcdefghij";
const PLACE = { partition: 0, partitions: 1 };
const log = { debug() {}, info() {}, warn() {}, error() {} };
const fatal = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let own: CommitLog;
let leader: DataFolder;
let journal: PartitionJournal;
let server: MemoryBusServer;
let bus: Bus;
let seeds: SeedServer;
let names = 0;

function openCopy(name: string): Promise<ReplicaFolder> {
  const place = { folder: join(folder.path, name), place: PLACE, installation: INSTALLATION, life: 0 };
  return ReplicaFolder.open({ ...place, clock: systemClock, timers: loopTimers, log, fatal });
}

function serve(timers: Timers = loopTimers, store: Store = leader.store): SeedServer {
  const pace = new BytePace({ bytesPerSecond: 1e9, steadyClock, timers: loopTimers });
  const newName = (): string => {
    names += 1;
    return `seed${names}`;
  };
  return new SeedServer({
    partition: 0,
    life: 0,
    store,
    bus: server.connect(),
    timers,
    log,
    pace,
    newName,
  });
}

/** Reads rows as the leader gives them; `onOffer` receives the record that they belong to. */
function read(from: Pick<Bus, "request"> = bus, onOffer: (batch: number) => void = () => undefined) {
  return readSeed({ partition: 0, life: 0, bus: from, signal: new AbortController().signal, onOffer });
}

/** The leader's store; `whenFewWait` decides when few of its rows wait. */
function waitingStore(whenFewWait: () => Promise<boolean>): Store {
  const { store } = leader;
  return {
    read: (key) => store.read(key),
    write: (operations) => store.write(operations),
    scan: (range) => store.scan(range),
    close: () => store.close(),
    whenFewWait,
  };
}

function seed(name: string, pages: AsyncIterable<readonly Put[]> = read(), installation = INSTALLATION) {
  return writeSeed({ folder: join(folder.path, name), place: PLACE, installation }, pages);
}

/** Live rows and rows of the archive, one of them larger than any message. */
async function putRows(count: number): Promise<void> {
  for (const id of journal.allocateIds(count)) {
    journal.put(id % 2 === 0 ? `a/${id}` : `x/${id}`, "x".repeat(id === 7 ? 1_700_000 : 2_000));
  }
  await journal.settled();
}

async function rowsOf({ store }: DataFolder): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for await (const page of store.scan(ALL_KEYS)) {
    for (const [key, value] of page) rows.set(key, Buffer.from(value).toString("base64"));
  }
  return rows;
}

async function recordsFrom(number: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of own.readFrom(number)) records.push(...page);
  return records;
}

beforeEach(async () => {
  folder = await temporaryFolder();
  own = await openFileLog(join(folder.path, "servers"), true);
  server = createMemoryBusServer({ onError: () => undefined });
  bus = server.connect();
  leader = await (await openCopy("leader")).lead(lentLog(own));
  const { store, head } = leader;
  journal = new PartitionJournal({
    store,
    head,
    clock: systemClock,
    timers: loopTimers,
    fatal,
    tickPosition: () => null,
  });
  await putRows(2_000);
  seeds = serve();
});

afterEach(async () => {
  seeds.stop();
  await leader.close();
  await own.close();
  await folder.remove();
});

describe("a copy that is seeded", () => {
  test("is its leader's store of one moment, and goes on with the log from there", async () => {
    let offered: number | undefined;
    const head = await seed(
      "copy",
      (async function* () {
        for await (const rows of read(bus, (batch) => (offered = batch))) {
          yield rows;
          // Decisions that are made while the rows are given are not among them.
          await putRows(3);
        }
      })(),
    );
    assert.equal(head.batch, offered);
    assert.ok(head.batch < (own.lastSequence ?? 0));
    const copy = await openCopy("copy");
    assert.equal(copy.position, head.batch);
    for (const record of await recordsFrom(head.batch + 1)) await copy.follow(record);
    const led = await copy.lead(lentLog(own));
    await readLive(led.store, led.head, () => undefined);
    await led.checkArchive();
    assert.deepEqual(await rowsOf(led), await rowsOf(leader));
    await led.close();
    assert.equal(seeds.count, 1, "it is forgotten later");
  });

  test("replaces a copy with a hole, which stays as it is until all rows are there", async () => {
    const before = await openCopy("copy");
    for (const record of (await recordsFrom(0)).slice(0, 1)) await before.follow(record);
    await before.close();
    const dying = (async function* () {
      for await (const rows of read()) {
        yield rows;
        throw new Error("it died");
      }
    })();
    await assert.rejects(seed("copy", dying), /it died/);
    const between = await openCopy("copy");
    assert.equal(between.position, 0);
    await between.close();
    const { batch } = await seed("copy");
    const after = await openCopy("copy");
    assert.equal(after.position, batch);
    await after.close();
  });

  test("is empty, says that the log begins too late for it, and takes no record", async () => {
    await putRows(1);
    const copy = await openCopy("copy");
    const [last] = (await recordsFrom(0)).slice(-1);
    assert.ok(last !== undefined);
    assert.throws(() => copy.follow(last), CopyBehind);
    assert.equal(copy.position, undefined);
    await copy.close();
  });

  test("is not opened half: what a death left is removed, and the old store is back", async () => {
    const [store, old] = [join(folder.path, "copy", "store"), join(folder.path, "copy", "store.old")];
    await seed("copy");
    await rename(store, old);
    await mkdir(join(folder.path, "copy", "store.seeding"));
    const copy = await openCopy("copy");
    assert.equal(copy.position, leader.head.batch + 1);
    await copy.close();
    assert.ok(!existsSync(old) && !existsSync(join(folder.path, "copy", "store.seeding")));
  });
});

describe("rows that are not the leader's are not taken", () => {
  const changed = async function* (change: (rows: readonly Put[]) => readonly Put[]) {
    for await (const rows of read()) yield change(rows);
  };

  test("one is missing, one is another, the head is", async () => {
    const faults: [(rows: readonly Put[]) => readonly Put[], RegExp][] = [
      [(rows) => rows.filter(({ key }) => key !== "x/5"), /do not match their head/],
      [
        (rows) => rows.map((row) => (row.key === "a/6" ? { ...row, value: Buffer.from("other") } : row)),
        /do not match/,
      ],
      [(rows) => rows.filter(({ key }) => key !== HEAD_KEY), /no head record/],
    ];
    for (const [change, reason] of faults) await assert.rejects(seed("copy", changed(change)), reason);
    await assert.rejects(seed("copy", read(), "zzzzzzzzzz"), /of installation abcdefghij/);
    const copy = await openCopy("copy");
    assert.equal(copy.position, undefined);
    await copy.close();
  });
});

describe("who is asked for rows", () => {
  test("may end half way: the copy is told, and the next leader gives it all of them", async () => {
    const cut = (async function* () {
      for await (const rows of read()) {
        yield rows;
        seeds.stop();
      }
    })();
    await assert.rejects(seed("copy", cut), /no engine leads the partition now/);
    seeds = serve();
    assert.equal((await seed("copy")).batch, leader.head.batch + 1);
  });

  test("gives a page again whose answer was lost", async () => {
    const lost = new Set<string>();
    const lossy: Pick<Bus, "request"> = {
      request: async (subject, data, timeoutMs) => {
        const answer = await bus.request(subject, data, timeoutMs);
        const what = `${subject} ${Buffer.from(data)}`;
        if (lost.has(what) || data.byteLength === 0) return answer;
        lost.add(what);
        throw new RequestTimeoutError(subject, timeoutMs);
      },
    };
    assert.equal((await seed("copy", read(lossy))).batch, leader.head.batch + 1);
    assert.ok(lost.size > 3);
  });

  test("gives no page out of turn", async () => {
    const asked: string[] = [];
    const spied: Pick<Bus, "request"> = {
      request: (subject, data, timeoutMs) => {
        asked.push(subject);
        return bus.request(subject, asked.length === 3 ? Buffer.from("9") : data, timeoutMs);
      },
    };
    await assert.rejects(seed("copy", read(spied)), /failed/);
  });

  test("gives rows of the moment at which few wait for the disk", async () => {
    seeds.stop();
    seeds = serve(
      loopTimers,
      waitingStore(async () => {
        await putRows(1);
        return true;
      }),
    );
    let offered: number | undefined;
    const head = await seed(
      "copy",
      read(bus, (batch) => (offered = batch)),
    );
    assert.deepEqual([head.batch, offered], [own.lastSequence, own.lastSequence]);
    assert.equal(head.batch, leader.head.batch + 2);
  });

  test("gives none where the disk does not keep up, nor once it leads no more", async () => {
    seeds.stop();
    seeds = serve(
      loopTimers,
      waitingStore(() => Promise.resolve(false)),
    );
    await assert.rejects(seed("copy"), /its disk does not keep up/);
    seeds.stop();
    seeds = serve(
      loopTimers,
      waitingStore(async () => {
        seeds.stop();
        return true;
      }),
    );
    await assert.rejects(seed("copy"), /it leads no more/);
    assert.equal(seeds.count, 0);
  });

  test("forgets who asks for no page any more, and has no more than four at once", async () => {
    const time = new FakeTime();
    seeds.stop();
    seeds = serve(time);
    const readers = Array.from({ length: 5 }, () => read());
    for (const reader of readers.slice(0, 4)) await reader.next();
    assert.equal(seeds.count, 4);
    await assert.rejects(readers[4]?.next() ?? assert.fail(), /4 copies are being seeded already/);
    await time.advance(60_000);
    assert.equal(seeds.count, 0);
    await assert.rejects(readers[0]?.next() ?? assert.fail(), /no engine leads/);
  });
});

test("rows that were offered and never asked for are not kept open for ever", async () => {
  seeds.stop();
  let begun = 0;
  let ended = 0;
  const scan = (range: ScanRange): ReturnType<Store["scan"]> => {
    begun += 1;
    const pages = leader.store.scan(range);
    return (async function* () {
      try {
        yield* pages;
      } finally {
        ended += 1;
      }
    })();
  };
  const time = new FakeTime();
  const { store } = leader;
  const write: Store["write"] = (operations) => store.write(operations);
  seeds = serve(time, { read: (key) => store.read(key), write, scan, close: () => store.close() });
  await bus.request(seedSubject(0, 0), Buffer.alloc(0), 1_000);
  await time.advance(31_000);
  await until(
    async () => ended,
    (count) => count === begun,
  );
  assert.deepEqual([begun, ended, seeds.count], [1, 1, 0]);
});

test("so many bytes a second are given and no more, whoever takes them", async () => {
  const time = new FakeTime();
  const pace = new BytePace({ bytesPerSecond: 1_000, steadyClock: time, timers: time });
  const beganMs = time.nowMs();
  const tookMs: number[] = [];
  for (let each = 0; each < 4; each += 1) void pace.take(500).then(() => tookMs.push(time.nowMs() - beganMs));
  await time.advance(10_000);
  assert.deepEqual(tookMs, [0, 500, 1_000, 1_500]);
});
