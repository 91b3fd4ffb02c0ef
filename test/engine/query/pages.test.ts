import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Put, Store } from "../../../engine/ports/storage.ts";
import { pageOfRows } from "../../../engine/query/pages.ts";
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
