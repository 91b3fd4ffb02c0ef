import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import type { Put, Store } from "../../../engine/ports/storage.ts";
import { pageOfKeyed, pageOfPart, pageOfRows } from "../../../engine/query/pages.ts";
import { rememberLists } from "../../../engine/store/remembered-lists.ts";
import { loopTimers } from "../../../src/runtime/clock.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const PREFIX = "oco/1/";
const BYTES_MAX = 1_000;

function put(key: string, value: string): Put {
  return { type: "put", key: `v/${PREFIX}${key}`, value: Buffer.from(value) };
}

async function textOf(store: Store, from: string | null, bytesMax: number): Promise<string> {
  return Buffer.from(await pageOfRows(store, PREFIX, from, bytesMax)).toString();
}

describe("a page of rows", () => {
  test("of a list that is held in memory is the page that a scan gives, before and after a row changed", async () => {
    const bare = new MemoryDisk().open({ timers: loopTimers });
    const store = rememberLists(bare);
    const writes = [[], [put("a", '{"a":"ş"}')], [put("b", "{}")], [put("a", '{"a":2}'), put("c", '{"c":3}')]];
    for (const operations of writes) {
      await store.write(operations);
      const expected = await textOf(bare, null, BYTES_MAX);
      for (let time = 0; time < 3; time += 1) assert.equal(await textOf(store, null, BYTES_MAX), expected);
    }
    assert.equal(await textOf(store, null, BYTES_MAX), '{"ok":true,"next":null}\n{"a":2},{},{"c":3}');
  });

  test("holds no more than it may, be the list held or not, and goes on where the one before ended", async () => {
    const store = rememberLists(new MemoryDisk().open({ timers: loopTimers }));
    await store.write([put("a", "[1,2,3]"), put("b", "[4,5,6]")]);
    for (let time = 0; time < 3; time += 1) {
      assert.equal(await textOf(store, null, 10), '{"ok":true,"next":"b"}\n[1,2,3]');
      assert.equal(await textOf(store, "b", 10), '{"ok":true,"next":null}\n[4,5,6]');
      assert.equal(await textOf(store, null, BYTES_MAX), '{"ok":true,"next":null}\n[1,2,3],[4,5,6]');
    }
  });
});

const rowSchema = z.object({ id: z.number(), status: z.number() });
type Row = z.infer<typeof rowSchema>;
interface Answered {
  readonly next: string | null;
  readonly rows: readonly Row[];
}

/** Decodes a page from its bytes. */
function answered(bytes: unknown): Answered {
  assert.ok(bytes instanceof Uint8Array, JSON.stringify(bytes));
  const [header = "", rows = ""] = Buffer.from(bytes).toString().split("\n");
  const { next } = z.object({ next: z.string().nullable() }).parse(JSON.parse(header));
  return { next, rows: z.array(rowSchema).parse(JSON.parse(`[${rows}]`)) };
}

function entry(id: number, ...statuses: readonly number[]): Put {
  const rows = statuses.map((status, index) => JSON.stringify({ id: id + index, status, more: "kept" }));
  return put(String(id).padStart(16, "0"), rows.join(","));
}

function asked(limit: number, isMatch: (row: Row) => boolean = () => true) {
  return { prefix: PREFIX, schema: rowSchema, idOf: ({ id }: Row) => id, isMatch, limit };
}

describe("a part of the rows", () => {
  test("ends and begins inside an entry, and no row comes twice or is left out while rows change", async () => {
    const store = new MemoryDisk().open({ timers: loopTimers });
    await store.write([entry(10, 1, 1, 1), entry(20, 1, 1), entry(30, 1)]);
    const seen: number[] = [];
    let from: string | null = null;
    do {
      const page = answered(await pageOfPart(store, asked(2), from, BYTES_MAX));
      seen.push(...page.rows.map(({ id }) => id));
      from = page.next;
      // Between two pages rows change, an entry grows, one is given back in another order, and one comes behind all.
      await store.write([entry(10, 4, 4, 4, 1), put("0000000000000020", '{"id":21,"status":2},{"id":20,"status":1}')]);
      await store.write([entry(40, 1)]);
    } while (from !== null);
    assert.deepEqual(seen, [10, 11, 12, 13, 20, 21, 30, 40]);
  });

  test("has the rows that match, whole, and as many as it may", async () => {
    const store = new MemoryDisk().open({ timers: loopTimers });
    await store.write([entry(10, 1, 2, 3), entry(20, 2)]);
    const page = await pageOfPart(
      store,
      asked(5, ({ status }) => status === 2),
      null,
      BYTES_MAX,
    );
    assert.ok(page instanceof Uint8Array);
    assert.equal(
      Buffer.from(page).toString(),
      '{"ok":true,"next":null}\n{"id":11,"status":2,"more":"kept"},{"id":20,"status":2,"more":"kept"}',
    );
    const small = answered(await pageOfPart(store, asked(Infinity), null, 40));
    assert.deepEqual([small.rows.length, small.next], [1, "10.11"]);
  });

  test("of which nothing matches ends at some time, with a next that goes on", async () => {
    const store = new MemoryDisk().open({ timers: loopTimers });
    await store.write(Array.from({ length: 2_500 }, (_, index) => entry(10 * (index + 1), index === 2_400 ? 2 : 1)));
    const isMatch = ({ status }: Row): boolean => status === 2;
    const first = answered(await pageOfPart(store, asked(1, isMatch), null, BYTES_MAX));
    assert.deepEqual(first, { next: "20010.0", rows: [] });
    const second = answered(await pageOfPart(store, asked(1, isMatch), first.next, BYTES_MAX));
    assert.deepEqual(second, { next: null, rows: [{ id: 24_010, status: 2 }] });
  });

  test("begins at no position but one of a page", async () => {
    const store = new MemoryDisk().open({ timers: loopTimers });
    for (const from of ["", "10", "a.b", "1.2.3", "-1.0"]) {
      assert.deepEqual(await pageOfPart(store, asked(1), from, BYTES_MAX), {
        ok: false,
        code: "INVALID",
        message: "cursor is not a value that this list returned",
      });
    }
  });
});

test("a page of records in memory begins at its key, whether its record is still there or not", () => {
  const keyOf = ({ id }: Row): string => String(id);
  const record = (id: number): Row => ({ id, status: 1 });
  const page = (ids: readonly number[], from: string | null, limit: number): Answered =>
    answered(pageOfKeyed(ids.map(record), keyOf, { from, limit, bytesMax: BYTES_MAX }));
  const first = page([3, 1, 2, 4], null, 2);
  assert.deepEqual([first.rows.map(({ id }) => id), first.next], [[1, 2], "3"]);
  assert.deepEqual(page([1, 2, 4], first.next, 2), { next: null, rows: [record(4)] });
  assert.deepEqual(page([2, 3, 3, 4], first.next, 1), { next: "4", rows: [record(3), record(3)] });
});
