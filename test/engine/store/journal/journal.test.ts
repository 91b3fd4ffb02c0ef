import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Row } from "../../../../engine/ports/storage.ts";
import { FORMAT } from "../../../../engine/store/journal/head.ts";
import { hashOfPair, SetHash } from "../../../../engine/store/journal/set-hash.ts";
import { archiveHash, readHead, readLive } from "../../../../engine/store/recovery.ts";
import fc from "../../../support/property.ts";
import { given, text } from "./journal-world.ts";

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

  test("changes that are too many for one batch go in several, cut between turns, each with what it let out", async () => {
    const { time, disk, journal } = given({ changesMax: 3, areRowsChecked: true });
    const acts: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      journal.put("a/each", String(turn));
      journal.put(`a/${turn}`, String(turn));
      journal.afterDurable(() => acts.push(turn));
      await time.turns();
      assert.equal(text(journal.read("a/each")), String(turn), "read back from the newest batch");
      assert.equal(text(journal.read("a/0")), "0", "and from the oldest");
    }
    assert.equal(disk.writeCount, 0);
    await time.advance(5);
    assert.deepEqual(acts, [0]);
    await time.advance(5);
    assert.deepEqual(acts, [0, 1, 2], "two turns that share a batch");
    assert.equal(text(disk.entries.get("a/each")), "2");
    await time.advance(5);
    assert.deepEqual(acts, [0, 1, 2, 3, 4]);
    await time.advance(5);
    assert.deepEqual(acts, [0, 1, 2, 3, 4, 5]);
    assert.equal(disk.writeCount, 4);
    assert.equal(journal.isDirty, false);
  });

  test("a batch that waits for its turn holds the tick position of when it was closed", async () => {
    let position = 1;
    const { time, disk, journal } = given({ changesMax: 2, tickPosition: () => position });
    for (const turn of [1, 2, 3]) {
      position = turn;
      journal.put(`a/${turn}`, "one");
      journal.put(`b/${turn}`, "one");
      await time.turns();
    }
    position = 4;
    for (const turn of [1, 2, 3]) {
      await time.advance(5);
      const head = JSON.parse(text(disk.entries.get("head")) ?? "") as { tickPosition: number };
      assert.equal(head.tickPosition, turn, "what a later tick changed is not in it");
      assert.equal(disk.entries.has(`a/${turn + 1}`), false);
    }
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

  test("unhurried work goes with the next batch that somebody waits for, in one write", async () => {
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

  test("unhurried work is written alone when its time is over, also behind a batch on its way", async () => {
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

  test("a row that lost one byte of a letter is a changed row", async () => {
    const { time, disk, store, journal } = given();
    journal.put("a/1", "für");
    await time.advance(20);
    const head = await readHead(store, { partition: 1, partitions: 2 }, undefined);
    assert.ok(head);
    await readLive(store, head, () => undefined);
    disk.entries.set("a/1", Buffer.from([0x66, 0xc3, 0x72]));
    await assert.rejects(
      readLive(store, head, () => undefined),
      /lost or changed rows/,
    );
  });

  test("where rows are kept nothing is looked up, and the head's hashes are those of what is on disk", async () => {
    const { time, store, journal } = given();
    const looked: string[] = [];
    const read = store.read.bind(store);
    store.read = (key) => {
      looked.push(key);
      return read(key);
    };
    const rows = new Map<string, Row>();
    for (let round = 0; round < 100; round += 1) {
      const key = `${round % 2 === 0 ? "a" : "v"}/${(round * 7) % 11}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, journal.insert(key, `new ${round}`));
      else if (round % 3 === 0) {
        journal.remove(row);
        rows.delete(key);
      } else if (round % 5 === 0) rows.set(key, journal.rowWithHash(key, row.hash));
      else journal.replace(row, `then ${round}`);
      await time.advance(3);
    }
    await time.advance(20);
    assert.deepEqual(looked, []);
    for (const [key, row] of rows) assert.equal(row.hash, journal.rowOf(key, journal.read(key) ?? "").hash);
    const head = await readHead(store, { partition: 1, partitions: 2 }, undefined);
    assert.ok(head);
    await readLive(store, head, () => undefined);
    assert.equal(await archiveHash(store), head.archiveHash);
  });

  test("a row that is not as its key holds it is a bug, and is found where rows are checked", () => {
    const { journal } = given({ areRowsChecked: true });
    const first = journal.insert("a/1", "one");
    const row = journal.put("a/1", "two");
    assert.throws(() => journal.replace(first, "three"), /row kept of a\/1/);
    assert.throws(() => journal.remove(journal.rowWithHash("a/2", row.hash)), /row kept of a\/2/);
    journal.replace(row, "three");
    journal.remove(row);
    assert.equal(journal.read("a/1"), undefined);
  });

  test("where rows are checked, what is inserted over something on its way or on disk is found", async () => {
    const { time, journal } = given({ areRowsChecked: true });
    journal.insert("a/1", "one");
    await time.turns();
    assert.throws(() => journal.insert("a/1", "two"), /a\/1 holds nothing/);
    await time.advance(5);
    assert.throws(() => journal.insert("a/1", "two"), /a\/1 holds nothing/);
  });

  test("a store of another format is refused in plain words", async () => {
    const { time, disk, store, journal } = given();
    const place = { partition: 1, partitions: 2 };
    const rewrite = (format: number): void => {
      const head = JSON.parse(text(disk.entries.get("head")) ?? "") as object;
      disk.entries.set("head", Buffer.from(JSON.stringify({ ...head, format })));
    };
    journal.put("a/1", "one");
    await time.advance(5);
    for (const other of [FORMAT - 1, FORMAT + 1]) {
      rewrite(other);
      await assert.rejects(readHead(store, place, undefined), /use the version that wrote it/);
    }
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

  test("takes a text for its bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, key) => {
        assert.equal(hashOfPair(key, text), hashOfPair(key, Buffer.from(text)));
      }),
    );
  });

  test("tells a value from its neighbour's and a key from its value", () => {
    const one = new SetHash();
    one.add(hashOfPair("a", Buffer.from("b")));
    const other = new SetHash();
    other.add(hashOfPair("b", Buffer.from("a")));
    assert.notEqual(one.toString(), other.toString());
  });
});
