import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FORMAT, firstHead } from "../../../engine/commit/head.ts";
import { PartitionJournal } from "../../../engine/commit/journal.ts";
import { archiveHash, readHead, readLive } from "../../../engine/commit/recovery.ts";
import { hashOfPair, SetHash } from "../../../engine/commit/set-hash.ts";
import type { Mark } from "../../../engine/ports.ts";
import { FakeTime } from "../../support/fake-time.ts";
import { MemoryDisk } from "../../support/memory-store.ts";
import fc from "../../support/property.ts";

const FIRST_HEAD = firstHead("abcdefghij", { partition: 1, partitions: 2 }, 0);

interface Given {
  readonly failsNow?: () => boolean;
  readonly unhurriedMs?: number;
  readonly areMarksChecked?: boolean;
}

function given({ unhurriedMs = 0, areMarksChecked = false, ...options }: Given = {}) {
  const time = new FakeTime();
  const disk = new MemoryDisk();
  const fatal: unknown[] = [];
  const store = disk.open({ timers: time, writeMs: () => 5, ...options });
  const journal = new PartitionJournal({
    store,
    head: FIRST_HEAD,
    clock: time,
    timers: time,
    tickPosition: () => 42,
    unhurriedMs,
    areMarksChecked,
    fatal: ((reason: string) => {
      fatal.push(reason);
    }) as never,
  });
  return { time, disk, store, journal, fatal };
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

const KEYS = ["a/1", "a/2", "a/3", "v/1", "v/2"];

/** What a turn changes, whether it may pass others, whether somebody waits for it, and how long nothing follows. */
const turnArbitrary = fc.record({
  isAhead: fc.boolean(),
  changes: fc.array(fc.record({ key: fc.constantFrom(...KEYS), isRemoved: fc.nat(3).map((number) => number === 0) }), {
    maxLength: 4,
  }),
  waits: fc.boolean(),
  pauseMs: fc.constantFrom(0, 0, 1, 4, 12),
});

describe("journal", () => {
  test("what was put is read back at once, and is on disk only after the batch is written", async () => {
    const { time, disk, journal } = given();
    journal.put("a/1", "one");
    assert.equal(text(journal.read("a/1")), "one");
    assert.equal(disk.entries.size, 0);
    await time.advance(5);
    assert.equal(text(disk.entries.get("a/1")), "one");
    assert.equal(text(journal.read("a/1")), "one");
  });

  test("a removal hides what is on disk before it is durable", async () => {
    const { time, disk, journal } = given();
    journal.put("a/1", "one");
    await time.advance(5);
    journal.remove("a/1");
    assert.equal(journal.read("a/1"), undefined);
    await time.turns();
    assert.equal(journal.read("a/1"), undefined, "also while the batch is on its way");
    assert.equal(text(disk.entries.get("a/1")), "one");
    await time.advance(5);
    assert.equal(disk.entries.has("a/1"), false);
  });

  test("nothing acts before the batch that caused it is durable, and acts keep their order", async () => {
    const { time, journal } = given();
    const acts: string[] = [];
    journal.put("a/1", "one");
    journal.afterDurable(() => acts.push("first"));
    await time.turns();
    journal.put("a/2", "two");
    journal.afterDurable(() => acts.push("second"));
    await time.advance(4);
    assert.deepEqual(acts, []);
    await time.advance(1);
    assert.deepEqual(acts, ["first"]);
    await time.advance(5);
    assert.deepEqual(acts, ["first", "second"]);
  });

  test("an act that has nothing to wait for still runs", async () => {
    const { time, journal } = given();
    const acts: string[] = [];
    journal.afterDurable(() => acts.push("idle"));
    assert.equal(acts.length, 0, "not inside the call");
    await time.turns();
    assert.deepEqual(acts, ["idle"]);
    journal.put("a/1", "one");
    await time.turns();
    journal.afterDurable(() => acts.push("after the write on its way"));
    await time.advance(4);
    assert.equal(acts.length, 1);
    await time.advance(1);
    await time.turns();
    assert.equal(acts.length, 2);
  });

  test("one batch is on its way at most: what comes meanwhile shares the next", async () => {
    const { time, disk, journal } = given();
    journal.put("a/1", "one");
    await time.turns();
    for (let id = 2; id < 100; id += 1) {
      journal.put(`a/${id}`, String(id));
      await time.turns();
    }
    await time.advance(50);
    assert.equal(disk.writeCount, 2);
    assert.equal(disk.entries.size, 100);
  });

  test("what is put before a batch closes is part of it, and its acts run with the batch's", async () => {
    const { time, disk, journal } = given({ unhurriedMs: 3 });
    const acts: string[] = [];
    const gathered: string[] = [];
    journal.beforeClose(() => {
      journal.put("e/1", gathered.join());
      journal.afterDurableUnhurried(() => acts.push("told"));
    });
    assert.equal(journal.isDirty, true);
    gathered.push("one");
    journal.put("a/1", "triggered");
    journal.afterDurable(() => acts.push("sent"));
    gathered.push("two");
    await time.advance(50);
    assert.equal(text(disk.entries.get("e/1")), "one,two");
    assert.deepEqual(acts, ["sent", "told"]);
    assert.equal(disk.writeCount, 1);
    assert.equal(journal.isDirty, false);
  });

  test("what is to be put before a batch closes is written also where nothing else is", async () => {
    const { time, disk, journal } = given({ unhurriedMs: 3 });
    journal.beforeClose(() => void journal.put("e/1", "one"));
    await time.advance(2);
    assert.equal(disk.writeCount, 0);
    await time.advance(50);
    assert.equal(text(disk.entries.get("e/1")), "one");
    journal.put("a/1", "x");
    journal.afterDurable(() => undefined);
    await time.turns();
    journal.beforeClose(() => void journal.put("e/2", "two"));
    await time.advance(50);
    assert.equal(text(disk.entries.get("e/2")), "two");
    assert.equal(disk.writeCount, 3);
  });

  test("what nobody waits for goes with the next batch that somebody waits for, in one write", async () => {
    const { time, disk, journal } = given({ unhurriedMs: 3 });
    const acts: string[] = [];
    journal.put("a/1", "settled");
    journal.afterDurableUnhurried(() => acts.push("told"));
    await time.advance(2);
    assert.equal(disk.writeCount, 0);
    journal.put("a/2", "triggered");
    journal.afterDurable(() => acts.push("sent"));
    await time.advance(5);
    assert.deepEqual(acts, ["told", "sent"]);
    await time.advance(50);
    assert.equal(disk.writeCount, 1);
  });

  test("what nobody waits for is written alone when its time is over, also behind a batch on its way", async () => {
    const { time, disk, journal } = given({ unhurriedMs: 3 });
    journal.put("a/1", "settled");
    await time.advance(8);
    assert.equal(text(disk.entries.get("a/1")), "settled");
    journal.put("a/2", "triggered");
    journal.afterDurable(() => undefined);
    await time.turns();
    journal.put("a/3", "settled");
    await time.advance(5);
    assert.equal(text(disk.entries.get("a/2")), "triggered");
    assert.equal(disk.entries.has("a/3"), false);
    await time.advance(5);
    assert.equal(text(disk.entries.get("a/3")), "settled");
    assert.equal(disk.writeCount, 3);
    assert.equal(journal.isDirty, false);
  });

  test("hurried, an act that waits for nothing more still runs after those of the batch on its way", async () => {
    const { time, journal } = given({ unhurriedMs: 3 });
    const acts: string[] = [];
    journal.put("a/1", "one");
    journal.afterDurable(() => acts.push("first"));
    await time.turns();
    journal.afterDurable(() => acts.push("second"));
    await time.advance(5);
    await time.turns();
    assert.deepEqual(acts, ["first", "second"]);
  });

  describe("work that runs ahead", () => {
    const unhurriedMs = 10;

    test("is durable before what nobody waits for, in a batch of its own", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      const acts: string[] = [];
      journal.put("a/1", "settled");
      journal.afterDurableUnhurried(() => acts.push("told"));
      await time.turns();
      journal.ahead(() => {
        journal.put("a/2", "triggered");
        journal.afterDurable(() => acts.push("sent"));
      });
      assert.equal(text(journal.read("a/2")), "triggered");
      await time.advance(5);
      assert.deepEqual(acts, ["sent"]);
      assert.deepEqual([...disk.entries.keys()], ["a/2", "head"]);
      assert.equal(journal.isDirty, true);
      await time.advance(10);
      assert.deepEqual(acts, ["sent", "told"]);
      assert.equal(text(disk.entries.get("a/1")), "settled");
      assert.equal(disk.writeCount, 2);
      assert.equal(journal.isDirty, false);
    });

    test("takes what nobody waits for with it where it changes one of its keys", async () => {
      for (const change of ["put", "remove"] as const) {
        const { time, disk, journal } = given({ unhurriedMs });
        const acts: string[] = [];
        journal.put("a/1", "settled");
        journal.put("v/1", "settled");
        journal.afterDurableUnhurried(() => acts.push("told"));
        journal.ahead(() => {
          journal.put("a/2", "triggered");
          if (change === "put") journal.put("a/1", "triggered");
          else journal.remove("a/1");
          journal.afterDurable(() => acts.push("sent"));
        });
        await time.advance(5);
        assert.deepEqual(acts, ["told", "sent"]);
        assert.equal(text(disk.entries.get("a/1")), change === "put" ? "triggered" : undefined);
        assert.equal(text(disk.entries.get("v/1")), "settled");
        assert.equal(text(disk.entries.get("a/2")), "triggered");
        assert.equal(disk.writeCount, 1);
      }
    });

    test("is passed by nothing that changes one of its keys later", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      journal.put("v/1", "earlier");
      journal.ahead(() => void journal.put("a/1", "triggered"));
      journal.put("a/1", "settled");
      assert.equal(text(journal.read("a/1")), "settled");
      await time.advance(5);
      assert.equal(text(disk.entries.get("a/1")), "settled");
      assert.equal(text(disk.entries.get("v/1")), "earlier");
      assert.equal(disk.writeCount, 1);
    });

    test("shares the batch of what somebody waits for", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      const acts: string[] = [];
      journal.ahead(() => {
        journal.put("a/1", "triggered");
        journal.afterDurable(() => acts.push("sent"));
      });
      journal.put("a/2", "created");
      journal.afterDurable(() => acts.push("answered"));
      journal.ahead(() => {
        journal.put("a/3", "triggered");
        journal.afterDurable(() => acts.push("sent too"));
      });
      await time.advance(5);
      assert.deepEqual([...acts].sort(), ["answered", "sent", "sent too"]);
      assert.equal(disk.writeCount, 1);
    });

    test("waits for the batch on its way, and then passes what nobody waits for", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      journal.put("a/1", "one");
      journal.afterDurable(() => undefined);
      await time.turns();
      journal.put("a/2", "settled");
      journal.ahead(() => {
        journal.put("a/1", "triggered");
        journal.afterDurable(() => undefined);
      });
      await time.advance(10);
      assert.equal(text(disk.entries.get("a/1")), "triggered");
      assert.equal(disk.entries.has("a/2"), false);
      await time.advance(20);
      assert.equal(text(disk.entries.get("a/2")), "settled");
    });

    test("that is to keep the order goes with all that was put before, whole", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      journal.put("a/1", "settled");
      journal.beforeClose(() => void journal.put("e/1", "gathered"));
      journal.ahead(() => {
        journal.put("a/2", "triggered");
        journal.keepOrder();
        journal.put("a/3", "triggered");
        journal.afterDurable(() => undefined);
      });
      await time.advance(5);
      assert.deepEqual([...disk.entries.keys()].sort(), ["a/1", "a/2", "a/3", "e/1", "head"]);
      assert.equal(disk.writeCount, 1);
    });

    test("has acted by the time that all given so far has, however much that is", async () => {
      const { time, journal } = given({ unhurriedMs });
      let acted = 0;
      for (let id = 0; id < 5_000; id += 1) {
        journal.ahead(() => {
          journal.put(`a/${id}`, "triggered");
          journal.afterDurable(() => {
            acted += 1;
          });
        });
      }
      let actedBefore = 0;
      void journal.settled().then(() => {
        actedBefore = acted;
      });
      await time.advance(50);
      assert.equal(actedBefore, 5_000);
    });

    test("without an act is written when its time is over", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      journal.ahead(() => void journal.put("a/1", "reached"));
      await time.advance(9);
      assert.equal(disk.writeCount, 0);
      await time.advance(6);
      assert.equal(text(disk.entries.get("a/1")), "reached");
      assert.equal(journal.isDirty, false);
    });

    test("passes what nobody waits for only while that is little", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      for (let id = 0; id < 300; id += 1) journal.put(`a/${id}`, "settled");
      await time.advance(5);
      assert.equal(disk.entries.size, 301, "so many changes are not held back");
    });

    test("leaves the journal as it was where it throws", async () => {
      const { time, disk, journal } = given({ unhurriedMs });
      assert.throws(() =>
        journal.ahead(() => {
          throw new Error("a bug");
        }),
      );
      journal.put("a/1", "settled");
      journal.ahead(() => {
        journal.put("a/2", "triggered");
        journal.afterDurable(() => undefined);
      });
      await time.advance(5);
      assert.deepEqual([...disk.entries.keys()], ["a/2", "head"]);
    });

    test("whatever runs ahead: each batch is a whole store, nothing acts too early, each key keeps its order", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(turnArbitrary, { minLength: 1, maxLength: 60 }), async (turns) => {
          const { time, disk, store, journal } = given({ unhurriedMs, areMarksChecked: true });
          const newest = new Map<string, string>();
          let version = 0;
          const durable = (key: string): number => Number(text(disk.entries.get(key)) ?? 0);
          const seen = new Map<string, number>();
          const look = async (): Promise<void> => {
            const head = await readHead(store, { partition: 1, partitions: 2 }, undefined);
            if (head === undefined) return;
            await readLive(store, head, () => undefined);
            assert.equal(await archiveHash(store), head.archiveHash);
            for (const key of KEYS) {
              if (!disk.entries.has(key)) continue;
              assert.ok(durable(key) >= (seen.get(key) ?? 0), `${key} went back`);
              seen.set(key, durable(key));
            }
          };
          for (const { isAhead, changes, waits, pauseMs } of turns) {
            const work = (): void => {
              const put = changes.map(({ key, isRemoved }) => {
                version += 1;
                const value = String(version);
                if (isRemoved) journal.remove(key);
                else journal.put(key, value);
                newest.set(key, isRemoved ? "" : value);
                return { key, version: isRemoved ? 0 : version };
              });
              // Of a key that was removed since nothing can be said.
              const check = (): void => {
                for (const { key, version: atLeast } of put) {
                  if (disk.entries.has(key)) assert.ok(durable(key) >= atLeast || atLeast === 0, `${key} acted early`);
                }
              };
              if (waits) journal.afterDurable(check);
            };
            if (isAhead) journal.ahead(work);
            else work();
            for (let ms = 0; ms < pauseMs; ms += 1) {
              await time.advance(1);
              await look();
            }
          }
          await time.advance(100);
          await look();
          assert.equal(journal.isDirty, false);
          for (const [key, value] of newest) assert.equal(text(disk.entries.get(key)) ?? "", value);
        }),
        { numRuns: 200 },
      );
    });
  });

  test("the first failed write is fatal and nothing acts or is written any more", async () => {
    let fails = false;
    const { time, disk, journal, fatal } = given({ failsNow: () => fails });
    const acts: string[] = [];
    fails = true;
    journal.put("a/1", "one");
    journal.afterDurable(() => acts.push("never"));
    await time.advance(10);
    fails = false;
    journal.put("a/2", "two");
    journal.afterDurable(() => acts.push("never"));
    await time.advance(10);
    assert.equal(fatal.length, 1);
    assert.deepEqual(acts, []);
    assert.equal(disk.entries.size, 0);
  });

  test("ids are ascending, consecutive for one call, and never another partition's", () => {
    const { journal } = given();
    assert.deepEqual(journal.allocateIds(3), [3, 5, 7]);
    assert.deepEqual(journal.allocateIds(1), [9]);
  });

  test("the head's hashes equal the hashes of what is on disk after any batch", async () => {
    const { time, disk, store, journal } = given();
    const rounds = 60;
    for (let round = 0; round < rounds; round += 1) {
      journal.put(`a/${round % 7}`, `live ${round}`);
      journal.put(`v/${round % 5}`, `view ${round}`);
      if (round % 3 === 0) journal.remove(`a/${(round + 2) % 7}`);
      if (round % 4 === 0) journal.remove(`v/${(round + 1) % 5}`);
      await time.advance(3);
    }
    await time.advance(20);
    const head = await readHead(store, { partition: 1, partitions: 2 }, undefined);
    assert.ok(head);
    const keys: string[] = [];
    await readLive(store, head, (key) => keys.push(key));
    assert.ok(keys.length > 0 && keys.every((key) => key.startsWith("a/")));
    assert.equal(head.tickPosition, 42);
    for (const lost of [...disk.entries.keys()]) {
      if (!lost.startsWith("a/")) continue;
      const value = disk.entries.get(lost);
      disk.entries.delete(lost);
      await assert.rejects(
        readLive(store, head, () => undefined),
        /lost or changed rows/,
      );
      if (value) disk.entries.set(lost, value);
    }
  });

  test("where marks are kept nothing is looked up, and the head's hashes are those of what is on disk", async () => {
    const { time, store, journal } = given();
    const looked: string[] = [];
    const read = store.read.bind(store);
    store.read = (key) => {
      looked.push(key);
      return read(key);
    };
    const marks = new Map<string, Mark>();
    for (let round = 0; round < 100; round += 1) {
      const key = `${round % 2 === 0 ? "a" : "v"}/${(round * 7) % 11}`;
      const before = marks.get(key);
      if (before !== undefined && round % 3 === 0) {
        journal.remove(key, before);
        marks.delete(key);
      } else {
        const mark =
          before === undefined ? journal.insert(key, `new ${round}`) : journal.put(key, `then ${round}`, before);
        marks.set(key, mark);
      }
      await time.advance(3);
    }
    await time.advance(20);
    assert.deepEqual(looked, []);
    for (const [key, mark] of marks) assert.equal(mark, journal.markOf(key, journal.read(key) ?? ""));
    const head = await readHead(store, { partition: 1, partitions: 2 }, undefined);
    assert.ok(head);
    await readLive(store, head, () => undefined);
    assert.equal(await archiveHash(store), head.archiveHash);
  });

  test("a mark of another value is a bug, and is found where marks are checked", () => {
    const { journal } = given({ areMarksChecked: true });
    const mark = journal.insert("a/1", "one");
    const next = journal.put("a/1", "two", mark);
    assert.throws(() => journal.put("a/1", "three", mark), /mark kept for a\/1/);
    assert.throws(() => journal.remove("a/2", mark), /mark kept for a\/2/);
    journal.remove("a/1", next);
    assert.equal(journal.read("a/1"), undefined);
  });

  test("where marks are checked, what is inserted over something on its way or on disk is found", async () => {
    const { time, journal } = given({ areMarksChecked: true });
    journal.insert("a/1", "one");
    await time.turns();
    assert.throws(() => journal.insert("a/1", "two"), /a\/1 holds nothing/);
    await time.advance(5);
    assert.throws(() => journal.insert("a/1", "two"), /a\/1 holds nothing/);
  });

  test("a store of an earlier format is read and becomes one of this format, a later one is refused", async () => {
    const { time, disk, store, journal } = given();
    const place = { partition: 1, partitions: 2 };
    const rewrite = (format: number): void => {
      const head = JSON.parse(text(disk.entries.get("head")) ?? "") as object;
      disk.entries.set("head", Buffer.from(JSON.stringify({ ...head, format })));
    };
    journal.put("a/1", "one");
    await time.advance(5);
    for (let earlier = 1; earlier < FORMAT; earlier += 1) {
      rewrite(earlier);
      assert.equal((await readHead(store, place, undefined))?.format, FORMAT);
    }
    rewrite(FORMAT + 1);
    await assert.rejects(readHead(store, place, undefined), /use the version that wrote it/);
  });

  test("a store is refused in another place, behind its witness, and with rows but no head", async () => {
    const { time, disk, store, journal } = given();
    const place = { partition: 1, partitions: 2 };
    assert.equal(await readHead(store, place, undefined), undefined);
    journal.put("a/1", "one");
    await time.advance(5);
    const witness = { installation: "abcdefghij", batch: 1, tickPosition: null };
    assert.equal((await readHead(store, place, witness))?.batch, 1);
    await assert.rejects(readHead(store, { partition: 0, partitions: 2 }, undefined), /made for partition 1 of 2/);
    await assert.rejects(readHead(store, { partition: 1, partitions: 3 }, undefined), /PARTITIONS is fixed/);
    await assert.rejects(readHead(store, place, { ...witness, batch: 2 }), /old copy or has lost/);
    await assert.rejects(readHead(store, place, { ...witness, installation: "zzzzzzzzzz" }), /another store/);
    disk.entries.delete("head");
    await assert.rejects(readHead(store, place, undefined), /no head record/);
  });
});

describe("set hash", () => {
  test("does not depend on the order and forgets what is removed", () => {
    const one = new SetHash();
    const other = new SetHash();
    const pairs = Array.from({ length: 50 }, (_, index) => [`k${index}`, Buffer.from(`v${index}`)] as const);
    for (const [key, value] of pairs) one.add(hashOfPair(key, value));
    for (const [key, value] of [...pairs].reverse()) other.add(hashOfPair(key, value));
    assert.equal(one.toString(), other.toString());
    one.remove(hashOfPair("k3", Buffer.from("v3")));
    assert.notEqual(one.toString(), other.toString());
    one.add(hashOfPair("k3", Buffer.from("v3")));
    assert.equal(SetHash.parse(one.toString()).toString(), other.toString());
  });

  test("tells a value from its neighbour's and a key from its value", () => {
    const one = new SetHash();
    one.add(hashOfPair("a", Buffer.from("b")));
    const other = new SetHash();
    other.add(hashOfPair("b", Buffer.from("a")));
    assert.notEqual(one.toString(), other.toString());
  });
});
