/** The store on disk keeps what its port promises. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Put, ScanRange, Store } from "../../../engine/ports/storage.ts";
import { openLevelStore } from "../../../engine/store/level-store.ts";
import { StoreRefused } from "../../../engine/store/refused.ts";

let folder = "";
let store: Store;

const put = (key: string, value = key): Put => ({ type: "put", key, value: Buffer.from(value) });

async function keysOf(range: ScanRange): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.scan(range)) for (const [key] of page) keys.push(key);
  return keys;
}

describe("level store", () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "level-store-"));
    store = await openLevelStore(join(folder, "store"), true);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a write is readable when it has resolved, and after a reopening", async () => {
    await store.write([put("a"), put("b", "two")]);
    assert.equal(Buffer.from(store.read("b") ?? "").toString(), "two");
    assert.equal(store.read("c"), undefined);
    await store.close();
    store = await openLevelStore(join(folder, "store"), false);
    assert.equal(Buffer.from(store.read("b") ?? "").toString(), "two");
  });

  test("the last word on a key in a batch counts", async () => {
    await store.write([put("a"), { type: "del", key: "a" }, put("b"), put("b", "again")]);
    assert.equal(store.read("a"), undefined);
    assert.equal(Buffer.from(store.read("b") ?? "").toString(), "again");
  });

  test("a scan gives the range in key order, from either end, up to its limit", async () => {
    await store.write(["b/2", "a/1", "b/1", "b0", "b/3", "c"].map((key) => put(key)));
    assert.deepEqual(await keysOf({ gte: "b/", lt: "b0" }), ["b/1", "b/2", "b/3"]);
    assert.deepEqual(await keysOf({ gte: "b/", lt: "b0", reverse: true, limit: 2 }), ["b/3", "b/2"]);
    assert.deepEqual(await keysOf({ gte: "x", lt: "y" }), []);
  });

  test("a scan of texts gives what a scan gives", async () => {
    await store.write([put("b/1", "one"), put("b/2", "größer als ∞ 🙂"), put("b/3", ""), put("c", "beyond")]);
    const range = { gte: "b/", lt: "b0" };
    const texts: unknown[] = [];
    for await (const page of store.scanTexts?.(range) ?? []) texts.push(...page);
    const bytes: unknown[] = [];
    for await (const page of store.scan(range)) {
      bytes.push(...page.map(([key, value]) => [key, Buffer.from(value).toString()]));
    }
    assert.equal(texts.length, 3);
    assert.deepEqual(texts, bytes);
  });

  test("a scan shows the moment of its call, however much is written while it is read", async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `k/${String(index).padStart(5, "0")}`);
    await store.write(keys.map((key) => put(key)));
    const pages = store.scan({ gte: "k/", lt: "k0" });
    await store.write([put("k/00000x"), { type: "del", key: "k/02000" }]);
    const found: string[] = [];
    for await (const page of pages) {
      assert(page.length <= 1_000);
      for (const [key] of page) found.push(key);
      await store.write([put(`k/9${found.length}`)]);
    }
    assert.deepEqual(found, keys);
  });

  test("a scan that is left early leaves nothing open", async () => {
    await store.write(Array.from({ length: 2_500 }, (_, index) => put(`k/${index}`)));
    for await (const page of store.scan({ gte: "k/", lt: "k0" })) {
      assert.equal(page.length, 1_000);
      break;
    }
    await store.close();
    store = await openLevelStore(join(folder, "store"), false);
  });

  test("a scan that fails while a page is used says so when the next one is asked for", async () => {
    await store.write(Array.from({ length: 3_500 }, (_, index) => put(`k/${index}`)));
    let pageCount = 0;
    const readAll = async (): Promise<void> => {
      for await (const page of store.scan({ gte: "k/", lt: "k0" })) {
        assert.equal(page.length, 1_000);
        pageCount += 1;
        if (pageCount === 1) await store.close();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await assert.rejects(readAll(), StoreRefused);
    assert.ok(pageCount >= 1);
  });

  test("a store that may not be made and is not there is refused, and not made", async () => {
    const other = join(folder, "other");
    await assert.rejects(openLevelStore(other, false), StoreRefused);
    await assert.rejects(openLevelStore(other, false), StoreRefused);
  });
});
