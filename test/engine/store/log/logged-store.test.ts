/**
 * The store behind its log shows every durable batch immediately, and after any crash equals the result of the log:
 * compared with a plain map, over every order of writes, slices, power cuts and reads.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RowStore } from "../../../../engine/ports/log.ts";
import type { Delete, Put, ScanRange, Store } from "../../../../engine/ports/storage.ts";
import { decodeRecord, encodeRecord, RecordDamaged } from "../../../../engine/store/log/log-record.ts";
import { LoggedStore } from "../../../../engine/store/log/logged-store.ts";
import { encodePosition, POSITION_KEY } from "../../../../engine/store/log/position.ts";
import type { Pace } from "../../../../engine/store/log/write-behind.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import fc from "../../../support/property.ts";
import { LoggedDisk } from "../../../support/store/logged-disk.ts";

const put = (key: string, value: string, isNew = false): Put => ({
  type: "put",
  key,
  value: Buffer.from(value),
  isNew,
});

class World {
  readonly time = new FakeTime();
  readonly disk = new LoggedDisk();
  readonly fatal: string[] = [];
  failsNow = false;
  pace: Pace = { roundMs: 10, roundsWaited: 2, roundsBetweenPositions: 3 };

  open(around: (rows: RowStore) => RowStore = (rows) => rows): Promise<LoggedStore> {
    const pace = { timers: this.time, tookMs: () => 3, failsNow: () => this.failsNow };
    return LoggedStore.open({
      log: this.disk.openLog(pace),
      rows: around(this.disk.openRows(pace)),
      timers: this.time,
      fatal: ((reason: string) => void this.fatal.push(reason)) as never,
      pace: this.pace,
    });
  }

  /** A store whose log has begun. */
  async begun(around?: (rows: RowStore) => RowStore): Promise<LoggedStore> {
    const store = await this.open(around);
    if (!store.isBegun) await this.finish(store.begin(0, [put("head", "0")]));
    return store;
  }

  async finish<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    for (let turn = 0; turn < 1_000 && !isDone; turn += 1) await this.time.advance(1);
    return done;
  }

  write(store: LoggedStore, ...operations: (Put | Delete)[]): Promise<void> {
    return this.finish(store.write(operations));
  }
}

async function entriesOf(store: Pick<Store, "scan">, range: ScanRange): Promise<string[]> {
  const found: string[] = [];
  for await (const page of store.scan(range)) {
    for (const [key, value] of page) found.push(`${key}=${Buffer.from(value).toString()}`);
  }
  return found;
}

const ALL: ScanRange = { gte: "", lt: "\uffff" };

describe("a store behind its log", () => {
  test("shows a batch as soon as it is durable, long before its rows are written", async () => {
    const world = new World();
    const store = await world.begun();
    await world.write(store, put("v/1/a", "one"), put("v/1/b", "two"));
    assert.equal(world.disk.rows.entries.size, 0);
    assert.equal(Buffer.from(store.read("v/1/a") ?? "").toString(), "one");
    assert.deepEqual(await entriesOf(store, { gte: "v/1/", lt: "v/10" }), ["v/1/a=one", "v/1/b=two"]);
    await world.time.advance(500);
    assert.equal(Buffer.from(world.disk.rows.entries.get("v/1/b") ?? "").toString(), "two");
  });

  test("shows rows as texts, those that wait and those that are written", async () => {
    const world = new World();
    const store = await world.begun();
    await world.write(store, put("v/1/a", "one"), put("v/1/b", "two"), put("v/1/c", "drei für"));
    await world.time.advance(500);
    await world.write(store, put("v/1/b", "zwei für"), { type: "del", key: "v/1/a" });
    const found: unknown[] = [];
    for await (const page of store.scanTexts({ gte: "v/1/", lt: "v/10" })) found.push(...page);
    assert.deepEqual(found, [
      ["v/1/b", "zwei für"],
      ["v/1/c", "drei für"],
    ]);
  });

  test("never tells the disk of a row that came and went within a moment", async () => {
    const world = new World();
    const store = await world.begun();
    await world.write(store, put("o/1", "sent", true));
    await world.write(store, put("o/1", "sent again"));
    await world.write(store, { type: "del", key: "o/1" });
    await world.time.advance(500);
    assert.equal(world.disk.rows.entries.has("o/1"), false);
    assert.ok([...world.disk.rows.entries.keys()].every((key) => key === "head" || key === POSITION_KEY));
  });

  test("trims the log behind what is on disk, and is whole without the rest once it was closed", async () => {
    const world = new World();
    const store = await world.begun();
    for (let number = 1; number <= 50; number += 1) {
      await world.write(store, put(`a/${number}`, `${number}`));
      await world.time.advance(5);
    }
    await world.time.advance(500);
    assert.ok((world.disk.firstSequence ?? 0) > 20);
    await world.finish(store.close());
    assert.deepEqual(await entriesOf(world.disk.rows.open({ timers: world.time }), ALL), await entriesOf(store, ALL));
  });

  test("trims the log while rows come as fast as the disk takes them", async () => {
    const world = new World();
    const store = await world.begun();
    // So many rows wait all the time that the store does not wait for its round, and no round ends.
    const value = Buffer.alloc(490 * 1024);
    const row = (number: number): Put => ({ type: "put", key: `v/1/${number % 200}`, value, isNew: false });
    await world.write(store, ...Array.from({ length: 150 }, (_, number) => row(number)));
    for (let number = 150; number < 750; number += 1) await world.write(store, row(number));
    assert.ok((world.disk.firstSequence ?? 0) > 0);
  });

  test("closes the rows also where they cannot be written any more", async () => {
    const world = new World();
    let isClosed = false;
    const store = await world.begun((rows) => ({
      read: (key) => rows.read(key),
      scan: (range) => rows.scan(range),
      writeUnsynced: (operations) => rows.writeUnsynced(operations),
      sync: () => rows.sync(),
      close: async () => {
        isClosed = true;
      },
    }));
    await world.write(store, put("a/1", "one"));
    world.failsNow = true;
    await assert.rejects(world.finish(store.close()), /no space left/);
    assert.equal(isClosed, true);
  });

  test("syncs rows little by little, so that the disk has time for the log", async () => {
    const world = new World();
    let unsynced = 0;
    let unsyncedMax = 0;
    const store = await world.begun((rows) => ({
      read: (key) => rows.read(key),
      scan: (range) => rows.scan(range),
      close: () => rows.close(),
      writeUnsynced: (operations) => {
        unsynced += operations.length;
        unsyncedMax = Math.max(unsyncedMax, unsynced);
        return rows.writeUnsynced(operations);
      },
      sync: () => {
        unsynced = 0;
        return rows.sync();
      },
    }));
    const keys = Array.from({ length: 10_000 }, (_, row) => `v/1/${row}`);
    await world.write(store, ...keys.map((key) => put(key, "small")));
    await world.time.advance(1_000);
    assert.ok(keys.every((key) => world.disk.rows.entries.has(key)));
    assert.ok(unsyncedMax < keys.length / 4, `${unsyncedMax} rows were synced at once`);
  });

  test("takes batches after an opening that redid more than may wait", async () => {
    const world = new World();
    const store = await world.begun();
    const value = "x".repeat(8 * 1024 * 1024);
    for (let row = 0; row < 26; row += 1) {
      world.disk.beginAppend([
        {
          sequence: row + 1,
          bytes: encodeRecord({ isFirst: false, operations: [put(`v/1/${row}`, value)] }),
        },
      ]);
      world.disk.endAppend();
    }
    assert.equal(store.lastSequence, 26);
    const redone = await world.open();
    let isWritten = false;
    await Promise.race([
      world.write(redone, put("v/1/after", "small")).then(() => {
        isWritten = true;
      }),
      world.time.advance(2_000),
    ]);
    await world.time.advance(2_000);
    assert.equal(isWritten, true);
    await world.finish(redone.close());
  });

  test("says once few rows wait, so that a scan after a burst need not sort all of it", async () => {
    const world = new World();
    const store = await world.begun();
    await world.finish(store.whenFewWait());
    const large = "x".repeat(1_000_000);
    await world.write(store, ...Array.from({ length: 60 }, (_, number) => put(`row ${number}`, large, true)));
    let hasFew = false;
    void store.whenFewWait().then(() => {
      hasFew = true;
    });
    await world.time.turns();
    assert.equal(hasFew, false);
    await world.time.advance(1_000);
    assert.ok(hasFew);
    assert.equal((await entriesOf(store, ALL)).length, 61);
    await world.finish(store.close());
  });

  test("lets rows wait for no round while somebody waits for few", async () => {
    const world = new World();
    world.pace = { ...world.pace, roundsWaited: 1_000_000 };
    const store = await world.begun();
    const large = "x".repeat(100_000);
    await world.write(store, ...Array.from({ length: 10 }, (_, number) => put(`row ${number}`, large, true)));
    await world.time.advance(1_000);
    assert.equal(world.disk.rows.entries.has("row 0"), false);
    assert.equal(await world.finish(store.whenFewWait(500_000, 1_000)), true);
    assert.equal(world.disk.rows.entries.has("row 0"), true);
    await world.write(store, put("later", large, true));
    await world.time.advance(1_000);
    assert.equal(world.disk.rows.entries.has("later"), false, "nobody waits any more");
    await world.finish(store.close());
  });

  test("says so where few do not wait within the time that is given, and hurries no more after it", async () => {
    const world = new World();
    let goOn = (): void => undefined;
    const standing = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const store = await world.begun((rows) => ({
      read: (key) => rows.read(key),
      scan: (range) => rows.scan(range),
      writeUnsynced: (operations) => standing.then(() => rows.writeUnsynced(operations)),
      sync: () => rows.sync(),
      close: () => rows.close(),
    }));
    await world.write(store, put("row", "x".repeat(1_000_000), true));
    assert.equal(await world.finish(store.whenFewWait(500_000, 100)), false);
    goOn();
    await world.finish(store.close());
  });

  test("is refused where log and store are not of one moment", async () => {
    const cases: readonly [RegExp, (disk: LoggedDisk) => void][] = [
      [/not of one moment/, (disk) => void disk.rows.entries.set(POSITION_KEY, Buffer.from(encodePosition(99)))],
      [/lacks record 2/, (disk) => void disk.records.delete(2)],
      [/its hash differs/, (disk) => void disk.records.get(3)?.set([9], 12)],
      [/log position before the record/, (disk) => void disk.trim(1)],
      [/not contain its log position: it/, (disk) => void disk.rows.entries.set(POSITION_KEY, Buffer.from("{}"))],
    ];
    for (const [message, damage] of cases) {
      const world = new World();
      const store = await world.begun();
      for (let number = 1; number <= 5; number += 1) await world.write(store, put(`a/${number}`, `${number}`));
      damage(world.disk);
      await assert.rejects(world.open(), (error) => error instanceof StoreRefused && message.test(error.message));
    }
  });

  test("ends the process when the log or the store cannot be written, and writes nothing after it", async () => {
    const world = new World();
    const store = await world.begun();
    await world.write(store, put("a/1", "one"));
    world.failsNow = true;
    await assert.rejects(world.write(store, put("a/2", "two")), /no space left/);
    await world.time.advance(100);
    assert.deepEqual(world.fatal, ["a write to the store failed"]);
    world.failsNow = false;
    await world.time.advance(1_000);
    assert.equal(world.disk.rows.entries.size, 0);
  });

  test("is what was written, after every crash and whatever was read when", async () => {
    const key = fc.constantFrom("a/1", "a/2", "v/x/1", "v/x/2", "v/x/y/1", "v/z/1", "v/x", "o/9");
    const change = fc.record({ key, value: fc.option(fc.stringMatching(/^[a-z]{0,3}$/)) });
    const range = fc.constantFrom<ScanRange>(
      ALL,
      { gte: "v/", lt: "v0" },
      { gte: "v/x/", lt: "v/x0" },
      { gte: "v/x/1", lt: "v/x0" },
      { gte: "a/", lt: "w", limit: 3 },
      { gte: "", lt: "\uffff", reverse: true },
      { gte: "v/x/", lt: "v/z0", reverse: true, limit: 2 },
    );
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ type: fc.constant("write" as const), changes: fc.array(change) }) },
      { weight: 3, arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.nat({ max: 60 }) }) },
      { weight: 3, arbitrary: fc.record({ type: fc.constant("scan" as const), range }) },
      {
        weight: 2,
        arbitrary: fc.record({ type: fc.constant("crash" as const), isPowerCut: fc.boolean(), kept: fc.nat() }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const world = new World();
        let store = await world.begun();
        const twin = new Map<string, string>([["head", "0"]]);
        for (const act of actions) {
          if (act.type === "pass") await world.time.advance(act.ms);
          else if (act.type === "crash") {
            const { isPowerCut, kept } = act;
            world.disk.leave({
              isPowerCut,
              isKept: () => kept % 2 === 0,
              keptOf: (count) => (count === 0 ? 0 : kept % (count + 1)),
            });
            // Timers that the dead process left act on nothing.
            (world as { time: FakeTime }).time = new FakeTime();
            store = await world.begun();
          } else if (act.type === "scan")
            assert.deepEqual(await entriesOf(store, act.range), plainScan(twin, act.range));
          else {
            const last = new Map(act.changes.map((one) => [one.key, one.value]));
            const operations = [...last].map(([at, value]): Put | Delete =>
              value === null ? { type: "del", key: at } : put(at, value, !twin.has(at)),
            );
            await world.write(store, ...operations);
            for (const [at, value] of last)
              if (value === null) twin.delete(at);
              else twin.set(at, value);
          }
        }
        assert.deepEqual(await entriesOf(store, ALL), plainScan(twin, ALL));
        for (const [at, value] of twin) assert.equal(Buffer.from(store.read(at) ?? "?").toString(), value);
        // The rows follow a store that is written to.
        await world.write(store, put("head", "1"));
        twin.set("head", "1");
        await world.finish(store.close());
        assert.deepEqual(world.fatal, []);
        assert.deepEqual(await entriesOf(world.disk.rows.open({ timers: world.time }), ALL), plainScan(twin, ALL));
      }),
    );
  });
});

function plainScan(twin: ReadonlyMap<string, string>, { gte, lt, reverse, limit }: ScanRange): string[] {
  const keys = [...twin.keys()].filter((key) => key >= gte && key < lt).sort();
  if (reverse === true) keys.reverse();
  return keys.slice(0, limit).map((key) => `${key}=${twin.get(key)}`);
}

describe("a record of the log", () => {
  const plain = { noNullPrototype: true } as const;
  const rows = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant("put" as const), key: fc.string(), value: fc.uint8Array() }, plain),
      fc.record({ type: fc.constant("del" as const), key: fc.string() }, plain),
    ),
  );

  test("is read back as it was written", () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (operations, isFirst) => {
        const read = decodeRecord(encodeRecord({ isFirst, operations }));
        assert.equal(read.isFirst, isFirst);
        assert.deepEqual(
          read.operations.map((row) => (row.type === "put" ? { ...row, value: Uint8Array.from(row.value) } : row)),
          operations,
        );
      }),
    );
  });

  test("with any bit changed or any end cut off is refused", () => {
    const bytes = encodeRecord({ isFirst: false, operations: [put("a/1", "one"), { type: "del", key: "b" }] });
    for (let bit = 0; bit < bytes.byteLength * 8; bit += 1) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // The reader judges the kind: a first record differs from any other only in its place.
      if (bit >= 8) assert.throws(() => decodeRecord(changed), RecordDamaged);
    }
    for (let length = 0; length < bytes.byteLength; length += 1) {
      assert.throws(() => decodeRecord(bytes.subarray(0, length)), RecordDamaged);
    }
  });
});
