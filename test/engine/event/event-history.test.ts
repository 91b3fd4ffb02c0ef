/** Stored events are read by their users, whole and in order, for as long as they are kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EventHistory } from "../../../engine/event/event-history.ts";
import { EventLog } from "../../../engine/event/event-log.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import type { EventRetention, EventSlice } from "../../../engine/ports/event.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { checkedJournal } from "../../support/store/checked-journal.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const HOUR_MS = 60 * 60 * 1000;
const FIRST_HEAD = firstHead("abcdefghij", { partition: 0, partitions: 1 }, 0);
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly #retention: EventRetention;
  log!: EventLog;
  history!: EventHistory;
  isBusAway = false;

  constructor(retention: Partial<EventRetention> = {}) {
    this.#retention = { ageMsMax: 1_000 * HOUR_MS, countMax: 1_000_000, ...retention };
  }

  async start(): Promise<this> {
    const { time, disk } = this;
    const stored = disk.entries.get("head");
    const head: Head = stored === undefined ? FIRST_HEAD : JSON.parse(Buffer.from(stored).toString());
    const store = disk.open({ timers: time, writeMs: () => 1 });
    const journal = checkedJournal(store, head, time);
    const shared = {
      ...{ journal, clock: time, timers: time, inbox: new PartitionInbox(time), log: silent },
      ...{ partition: 0, installation: head.installation, render: () => ({}) },
    };
    this.log = new EventLog({
      ...shared,
      sequence: head.sequence,
      publish: () => undefined,
      flush: () => (this.isBusAway ? Promise.reject(new Error("the bus is away")) : Promise.resolve()),
    });
    this.history = new EventHistory({ ...shared, store, written: this.log, retention: this.#retention });
    const published = disk.entries.get("m/published");
    if (published !== undefined) this.log.recoverProgress(published);
    const trimmed = disk.entries.get("m/trimmed");
    if (trimmed !== undefined) this.history.recoverProgress(trimmed);
    await this.#settled(this.log.recover(store));
    this.log.start();
    this.history.start();
    return this;
  }

  /** Each for the users in turn, each batch by itself. */
  async emit(count: number, userIds: readonly number[]): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      this.log.emit(userIds[index % userIds.length] ?? 0, "a", { index });
      await this.time.advance(2);
    }
    await this.time.advance(1_000);
  }

  since(userId: number, after: number): Promise<EventSlice> {
    return this.#settled(this.history.since(userId, after));
  }

  /** The sequences of all that the user may read after one. */
  async sequences(userId: number, after: number): Promise<number[]> {
    return sequencesOf(await this.since(userId, after));
  }

  async #settled<T>(given: Promise<T>): Promise<T> {
    await this.time.turns();
    return given;
  }
}

function sequencesOf({ events }: EventSlice): number[] {
  return events.map((event) => Number(Reflect.get(event, "sequence")));
}

describe("the history of events", () => {
  test("gives a user every event of its own after one, in order, and no other's", async () => {
    const world = await new World().start();
    await world.emit(9, [1, 2, 3]);
    assert.deepEqual(await world.sequences(2, 0), [2, 5, 8]);
    assert.deepEqual(await world.sequences(2, 2), [5, 8]);
    assert.deepEqual(await world.sequences(2, 4), [5, 8]);
    assert.deepEqual(await world.sequences(2, 8), []);
    assert.deepEqual(await world.sequences(4, 0), []);
  });

  test("finds an event in the middle of a row", async () => {
    const world = await new World().start();
    for (let index = 0; index < 200; index += 1) world.log.emit(1 + (index % 2), "a", {});
    await world.time.advance(1_000);
    assert.equal((await world.sequences(1, 0)).length, 100);
    assert.deepEqual(await world.sequences(1, 100), odd(101, 199));
    assert.deepEqual(await world.sequences(1, 64), odd(65, 199));
    assert.deepEqual(await world.sequences(1, 63), odd(65, 199));
  });

  test("says up to where a user has been told all, also where it has none", async () => {
    const world = await new World().start();
    await world.emit(3, [1]);
    assert.deepEqual(await world.since(1, 3), { events: [], through: 3, isLast: true, gapTo: null });
    assert.deepEqual(await world.since(9, 1), { events: [], through: 3, isLast: true, gapTo: null });
  });

  test("never says that all was told up to an event that is not durable yet", async () => {
    const world = await new World().start();
    await world.emit(1, [1]);
    world.log.emit(1, "a", {});
    assert.equal(world.history.durableThrough, 1);
    assert.deepEqual(await world.since(1, 1), { events: [], through: 1, isLast: true, gapTo: null });
  });

  test("comes in pages where there is much, without a hole between them", async () => {
    const world = await new World().start();
    const note = "x".repeat(1_000);
    for (let index = 0; index < 1_000; index += 1) world.log.emit(1, "a", { note });
    await world.time.advance(1_000);
    const found: number[] = [];
    let pages = 0;
    for (let after = 0, isLast = false; !isLast; pages += 1) {
      const slice = await world.since(1, after);
      found.push(...sequencesOf(slice));
      after = slice.through;
      isLast = slice.isLast;
    }
    assert.ok(pages > 2);
    assert.deepEqual(
      found,
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
  });

  test("outlives a restart", async () => {
    const world = await new World().start();
    await world.emit(6, [1, 2]);
    world.time.forgetAll();
    world.disk.crash(() => false);
    await world.start();
    assert.deepEqual(await world.sequences(1, 0), [1, 3, 5]);
    await world.emit(2, [1, 2]);
    assert.deepEqual(await world.sequences(1, 3), [5, 7]);
  });

  test("is cut at the oldest by count, and tells a gap to who asks for what is gone", async () => {
    const world = await new World({ countMax: 10 }).start();
    await world.emit(30, [1, 2]);
    await world.time.advance(30_000);
    const first = (await world.since(1, 0)).gapTo;
    assert.ok(first !== null && first >= 19 && first <= 20, `trimmed through ${first}`);
    assert.deepEqual(await world.sequences(1, 0), odd(21, 29));
    assert.equal((await world.since(1, 20)).gapTo, null);
    assert.ok(world.disk.entries.keysIn({ gte: "e/", lt: "e0" }).length <= 11);
    world.time.forgetAll();
    world.disk.crash(() => false);
    await world.start();
    assert.equal((await world.since(1, 3)).gapTo, first);
  });

  test("is cut at the oldest by age, but for the newest row", async () => {
    const world = await new World({ ageMsMax: 10 * HOUR_MS }).start();
    await world.emit(3, [1]);
    await world.time.advance(5 * HOUR_MS);
    await world.emit(2, [1]);
    await world.time.advance(7 * HOUR_MS);
    assert.deepEqual(await world.sequences(1, 0), [4, 5]);
    await world.time.advance(30 * HOUR_MS);
    assert.deepEqual(await world.sequences(1, 0), [5]);
  });

  test("keeps what the bus has not taken", async () => {
    const world = new World({ countMax: 2 });
    world.isBusAway = true;
    await world.start();
    await world.emit(10, [1]);
    await world.time.advance(60_000);
    assert.equal((await world.sequences(1, 0)).length, 10);
    world.isBusAway = false;
    await world.time.advance(60_000);
    assert.equal((await world.sequences(1, 0)).length, 2);
  });

  test("tells a gap where a row cannot be read", async () => {
    const world = await new World().start();
    await world.emit(4, [1]);
    world.disk.entries.set("e/0000000000000002", Buffer.from("1\nno event"));
    const slice = await world.since(1, 0);
    assert.deepEqual([sequencesOf(slice), slice.gapTo], [[1, 3, 4], 2]);
  });
});

function odd(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / 2 + 1 }, (_, index) => from + 2 * index);
}
