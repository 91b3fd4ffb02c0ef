/** Readers who come together share scans: each gets every event of its own once, in order, and none waits forever. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Emitted, encodeEventRow } from "../../../engine/event/event-row.ts";
import {
  PAGE_BYTES,
  READERS_A_SCAN,
  SCAN_ROWS,
  SharedReading,
  type StoredRow,
} from "../../../engine/event/shared-reading.ts";
import type { EventSlice } from "../../../engine/ports/event.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import fc from "../../support/property.ts";

const PLACE = { installation: "abcdefghij", partition: 0 };

/** Rows of events, as a store gives them, and their readers. */
class World {
  readonly time = new FakeTime();
  readonly events: Emitted[] = [];
  readonly rows: StoredRow[] = [];
  readonly reading: SharedReading;
  /** The rendered fields of an event that is stored as its source. */
  rendered: object = {};
  scans = 0;
  trimmedThrough = 0;
  isBroken = false;
  /** Called before each row of a scan. */
  onRow: (row: StoredRow) => void = () => undefined;

  constructor() {
    this.reading = new SharedReading({
      ...PLACE,
      timers: this.time,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      render: () => this.rendered,
      rowsAfter: (sequence) => this.#rowsAfter(sequence),
      durableThrough: () => this.events.at(-1)?.sequence ?? 0,
      trimmedThrough: () => this.trimmedThrough,
    });
  }

  /** One row of an event for each user; with a source: stored as what it is rendered from. */
  store(userIds: readonly number[], note = "", source: Emitted["source"] = undefined): void {
    const from = this.events.length;
    for (const userId of userIds) {
      const sequence = this.events.length + 1;
      this.events.push({ sequence, timeMs: 0, userId, type: "a", payload: { note }, source });
    }
    const events = this.events.slice(from);
    const first = from + 1;
    const bytes = Buffer.from(encodeEventRow(events, PLACE).row);
    this.rows.push({ first, last: this.events.length, key: `e/${first}`, bytes });
  }

  async *#rowsAfter(sequence: number): AsyncIterable<StoredRow> {
    this.scans += 1;
    if (this.isBroken) throw new Error("the disk is gone");
    for (const [index, row] of this.rows.entries()) {
      if (row.last <= sequence) continue;
      this.onRow(row);
      await Promise.resolve();
      yield index === this.rows.length - 1 ? { ...row, last: Number.POSITIVE_INFINITY } : row;
    }
  }

  page(userId: number, after: number): Promise<EventSlice> {
    return this.reading.read({ userId, after, gapTo: null });
  }

  /** All that a user gets after a place, page after page. */
  async all(userId: number, after: number): Promise<number[]> {
    const found: number[] = [];
    for (let place = after, isLast = false; !isLast; ) {
      const page = await this.page(userId, place);
      assert.ok(page.isLast || page.through > place, "each page leads on");
      found.push(...page.events.map((event) => Number(Reflect.get(event, "sequence"))));
      [place, isLast] = [page.through, page.isLast];
    }
    return found;
  }

  of(userId: number, after: number): number[] {
    const own = this.events.filter((event) => event.userId === userId && event.sequence > after);
    return own.map(({ sequence }) => sequence);
  }

  /** Runs turns until the promise has settled. */
  async settled<T>(given: Promise<T>): Promise<T> {
    let isDone = false;
    const done = given.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    while (!isDone) await this.time.turns();
    return done;
  }
}

describe("readers who come together", () => {
  test("get each what it would get alone, from wherever it goes on and whenever it comes", async () => {
    const rows = fc.array(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }), { maxLength: 30 });
    const readers = fc.array(
      fc.record({
        userId: fc.integer({ min: 1, max: 6 }),
        part: fc.double({ noNaN: true, min: 0, max: 1 }),
        atRow: fc.nat(30),
      }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(rows, readers, async (stored, asked) => {
        const world = new World();
        for (const userIds of stored) world.store(userIds);
        const found: Promise<void>[] = [];
        const begin = ({ userId, part }: (typeof asked)[number]): void => {
          const after = Math.floor(part * world.events.length);
          found.push(world.all(userId, after).then((all) => assert.deepEqual(all, world.of(userId, after))));
        };
        const late = asked.filter(({ atRow }) => atRow > 0);
        world.onRow = ({ first }) => {
          for (const one of late.filter(({ atRow }) => atRow <= first))
            begin(late.splice(late.indexOf(one), 1)[0] ?? one);
        };
        for (const one of asked) if (one.atRow === 0) begin(one);
        for (let begun = -1; begun < found.length; ) {
          begun = found.length;
          await world.settled(Promise.all(found));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("are served by a few scans, however many they are", async () => {
    const world = new World();
    for (let row = 0; row < 20; row += 1) world.store([1, 2, 3, 4].map((one) => one + 4 * row));
    const count = 10 * READERS_A_SCAN;
    const found = Array.from({ length: count }, (_, index) => world.all(1 + (index % 80), 0));
    await world.settled(Promise.all(found));
    assert.ok(world.scans <= 12, `${world.scans} scans for ${count} readers`);
  });

  test("wait for no one who is far behind longer than for a page", async () => {
    const world = new World();
    for (let row = 0; row < 2 * SCAN_ROWS; row += 1) world.store([row % 2]);
    const near = world.events.length - 10;
    const behind = world.all(1, 0);
    const [first, second] = [world.all(1, near), world.all(0, near)];
    await world.settled(Promise.all([first, second]));
    assert.deepEqual(await first, world.of(1, near));
    assert.deepEqual(await second, world.of(0, near));
    await world.settled(behind);
    assert.deepEqual(await behind, world.of(1, 0));
  });

  test("with much to read do not make a page longer than it may be, and lose nothing by it", async () => {
    const world = new World();
    for (let row = 0; row < 60; row += 1) world.store([1, 2], "x".repeat(20_000));
    const [page, quiet, all] = [world.page(1, 0), world.page(3, 0), world.all(2, 0)];
    await world.settled(Promise.all([page, quiet, all]));
    const { events, isLast } = await page;
    assert.ok(events.length < 20 && !isLast, `${events.length} events`);
    assert.deepEqual(await quiet, { events: [], through: 120, isLast: true, gapTo: null });
    assert.deepEqual(await all, world.of(2, 0));
  });

  test("get pages of a bounded size of rows that hold much, counted in bytes, rendered or not", async () => {
    const note = "\u015f".repeat(10_000);
    for (const source of [undefined, { kind: "group" as const, data: {}, context: "{}" }]) {
      const world = new World();
      world.rendered = { note };
      for (let row = 0; row < 3; row += 1) world.store(new Array(64).fill(1), note, source);
      const all = world.all(1, 0);
      await world.settled(all);
      assert.deepEqual(await all, world.of(1, 0));
      for (const after of [0, 3, 100]) {
        const page = world.page(1, after);
        await world.settled(page);
        const bytes = Buffer.byteLength(JSON.stringify((await page).events));
        assert.ok(bytes > PAGE_BYTES && bytes < PAGE_BYTES + 25_000, `${bytes} bytes`);
      }
    }
  });

  test("are told of a row that cannot be read only where it may hold what they ask for", async () => {
    const world = new World();
    for (let row = 0; row < 3; row += 1) world.store([1, 2]);
    const [, damaged] = world.rows;
    assert(damaged !== undefined);
    world.rows[1] = { ...damaged, bytes: Buffer.from("1\nno event") };
    const pages = [world.page(1, 0), world.page(2, 0), world.page(1, 4)];
    await world.settled(Promise.all(pages));
    assert.deepEqual(await Promise.all(pages.map(async (page) => (await page).gapTo)), [3, null, null]);
  });

  test("are told of what was removed while they read", async () => {
    const world = new World();
    for (let row = 0; row < 3; row += 1) world.store([1]);
    world.onRow = () => {
      world.trimmedThrough = 2;
    };
    const pages = [world.page(1, 0), world.page(1, 2)];
    await world.settled(Promise.all(pages));
    assert.deepEqual(await Promise.all(pages.map(async (page) => (await page).gapTo)), [2, null]);
  });

  test("hear of a scan that failed, and the next ones are served", async () => {
    const world = new World();
    world.store([1]);
    world.isBroken = true;
    await assert.rejects(world.settled(world.page(1, 0)), /the disk is gone/);
    world.isBroken = false;
    assert.deepEqual(await world.settled(world.all(1, 0)), [1]);
  });
});
