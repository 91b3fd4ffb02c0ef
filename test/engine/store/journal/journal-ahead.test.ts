import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { archiveHash, readHead, readLive } from "../../../../engine/store/recovery.ts";
import fc from "../../../support/property.ts";
import { given, text } from "./journal-world.ts";

const KEYS = ["a/1", "a/2", "a/3", "v/1", "v/2"];

/** The changes of a turn, whether it may pass others, whether a caller waits for it, and how long nothing follows. */
const turnArbitrary = fc.record({
  isAhead: fc.boolean(),
  changes: fc.array(fc.record({ key: fc.constantFrom(...KEYS), isRemoved: fc.nat(3).map((number) => number === 0) }), {
    maxLength: 4,
  }),
  waits: fc.boolean(),
  pauseMs: fc.constantFrom(0, 0, 1, 4, 12),
});

const turnsArbitrary = fc.array(turnArbitrary, { minLength: 1, maxLength: 60 });
/** The most changes of a batch: some runs cut the work of nearly every turn from the next one's. */
const changesMaxArbitrary = fc.constantFrom(1, 3, 1_000);

describe("work that runs ahead", () => {
  const unhurriedMs = 10;

  test("is durable before unhurried work, in a batch of its own", async () => {
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

  test("takes unhurried work with it where it changes one of its keys", async () => {
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

  test("may hold such work: an actor is brought up to earlier ticks before it is given a price", async () => {
    const { time, disk, journal } = given({ unhurriedMs });
    journal.put("v/1", "settled");
    journal.ahead(() => {
      journal.ahead(() => void journal.put("a/1", "raised"));
      journal.put("a/2", "triggered");
      journal.afterDurable(() => undefined);
    });
    await time.advance(5);
    assert.deepEqual(
      ["a/1", "a/2", "v/1"].map((key) => text(disk.entries.get(key))),
      ["raised", "triggered", undefined],
    );
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

  test("waits for the batch on its way, and then passes unhurried work", async () => {
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

  test("passes unhurried work only while that is little", async () => {
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
      fc.asyncProperty(turnsArbitrary, changesMaxArbitrary, async (turns, changesMax) => {
        const { time, disk, store, journal } = given({ unhurriedMs, areRowsChecked: true, changesMax });
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
            // A key that was removed since proves nothing.
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
