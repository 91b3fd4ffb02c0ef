import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Delete, Put, ScanRange, Store } from "../../../engine/ports/storage.ts";
import { rememberLists } from "../../../engine/store/remembered-lists.ts";
import { under } from "../../../engine/table/tables.ts";
import fc from "../../support/property.ts";

/** A store whose write takes effect, and ends, on demand. */
class SteppedStore implements Store {
  readonly entries = new Map<string, string>();
  scanCount = 0;
  #apply: () => void = () => undefined;
  #resolve: () => void = () => undefined;

  read(key: string): Uint8Array | undefined {
    const value = this.entries.get(key);
    return value === undefined ? undefined : Buffer.from(value);
  }

  write(operations: readonly (Put | Delete)[]): Promise<void> {
    this.#apply = () => {
      for (const operation of operations) {
        if (operation.type === "put") this.entries.set(operation.key, Buffer.from(operation.value).toString());
        else this.entries.delete(operation.key);
      }
    };
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  apply(): void {
    this.#apply();
  }

  async end(): Promise<void> {
    this.#apply();
    this.#resolve();
    await nextTurn();
  }

  /** Returns what the disk holds of a range, one row a page. */
  now({ gte, lt }: ScanRange): [string, string][] {
    return [...this.entries].filter(([key]) => key >= gte && key < lt).sort(([one], [other]) => (one < other ? -1 : 1));
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    this.scanCount += 1;
    return pagesOf(this.now(range));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function* pagesOf(rows: readonly [string, string][]): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
  for (const [key, value] of rows) {
    await nextTurn();
    yield [[key, Buffer.from(value)]];
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function collect(pages: ReturnType<Store["scan"]>): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  for await (const page of pages) for (const [key, value] of page) rows.push([key, Buffer.from(value).toString()]);
  return rows;
}

function put(key: string, value: string): Put {
  return { type: "put", key, value: Buffer.from(value) };
}

function filled(...keys: readonly string[]): SteppedStore {
  const disk = new SteppedStore();
  for (const key of keys) disk.entries.set(key, key);
  return disk;
}

const LIST = under("v/oco/1/");

describe("remembered lists", () => {
  it("scans an unchanged list once, an empty one too", async () => {
    const disk = filled("v/oco/1/a", "v/oco/1/b", "v/oco/2/c");
    const store = rememberLists(disk);
    const first = await collect(store.scan(LIST));
    assert.deepEqual(await collect(store.scan(LIST)), first);
    assert.deepEqual(first, disk.now(LIST));
    await collect(store.scan(under("v/oco/3/")));
    assert.deepEqual(await collect(store.scan(under("v/oco/3/"))), []);
    assert.equal(disk.scanCount, 2);
  });

  it("forgets a list with the write of one of its rows, and no other list", async () => {
    const disk = filled("v/oco/1/a", "v/oco/2/b");
    const store = rememberLists(disk);
    const other = under("v/oco/2/");
    for (const range of [LIST, other, under("v/oco/")]) await collect(store.scan(range));
    void store.write([put("v/oco/1/x", "new"), put("a/1", "not a view")]);
    await disk.end();
    assert.deepEqual(await collect(store.scan(LIST)), disk.now(LIST));
    assert.deepEqual(await collect(store.scan(under("v/oco/"))), disk.now(under("v/oco/")));
    assert.equal(disk.scanCount, 5);
    await collect(store.scan(other));
    assert.equal(disk.scanCount, 5);
  });

  it("remembers nothing that was scanned while a write was under way", async () => {
    const disk = filled("v/oco/1/a");
    const store = rememberLists(disk);
    const begunBefore = store.scan(LIST);
    void store.write([put("v/oco/1/b", "new")]);
    const begunWithin = store.scan(LIST);
    await collect(begunWithin);
    await disk.end();
    assert.equal((await collect(begunBefore)).length, 1);
    assert.equal((await collect(store.scan(LIST))).length, 2);
  });

  it("does not remember a list that is too long, or that was not read to its end", async () => {
    const disk = filled("v/oco/1/a", "v/oco/1/b");
    const short = rememberLists(disk, { listBytesMax: 512 + 20, bytesMax: 10_000 });
    await collect(short.scan(LIST));
    await collect(short.scan(LIST));
    assert.equal(disk.scanCount, 2);
    const store = rememberLists(disk);
    for await (const _page of store.scan(LIST)) break;
    await collect(store.scan(LIST));
    assert.equal(disk.scanCount, 4);
  });

  it("gives the room of the list that was not read for longest to a new one", async () => {
    const disk = new SteppedStore();
    const store = rememberLists(disk, { listBytesMax: 1_000, bytesMax: 2 * 512 });
    for (const list of ["1", "2", "1", "3", "1", "2"]) await collect(store.scan(under(`v/oco/${list}/`)));
    assert.equal(disk.scanCount, 4);
  });

  it("leaves every other read to the store", async () => {
    const disk = filled("v/oco/1/a", "i/1/key");
    const store = rememberLists(disk);
    const ranges: ScanRange[] = [
      { ...LIST, limit: 1 },
      { ...LIST, reverse: true },
      { ...LIST, keysOnly: true },
      { gte: "v/oco/1/a", lt: LIST.lt },
      { gte: "v/oco/1/", lt: "v/oco/9" },
      under("i/"),
    ];
    for (const range of [...ranges, ...ranges]) await collect(store.scan(range));
    assert.equal(disk.scanCount, 2 * ranges.length);
    assert.deepEqual(store.read("i/1/key"), disk.read("i/1/key"));
  });

  it("gives what the disk holds at the moment of the call, whatever is written when", async () => {
    const prefix = fc.constantFrom("v/a/", "v/a/1/", "v/a/2/", "v/b/");
    const key = fc.constantFrom("v/a/1/x", "v/a/1/y", "v/a/2/x", "v/a/z", "v/b/x", "e/1");
    const action = fc.oneof(
      fc.record({ what: fc.constant("scan" as const), prefix, isAwaited: fc.boolean() }),
      fc.record({ what: fc.constant("write" as const), key, isPut: fc.boolean() }),
      fc.record({ what: fc.constantFrom("apply" as const, "end" as const, "turn" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const disk = new SteppedStore();
        const store = rememberLists(disk, { listBytesMax: 1_000, bytesMax: 1_600 });
        const open: Promise<void>[] = [];
        let isWriting = false;
        for (const [index, step] of actions.entries()) {
          if (step.what === "scan") {
            const expected = disk.now(under(step.prefix));
            const compared = collect(store.scan(under(step.prefix))).then((rows) => assert.deepEqual(rows, expected));
            if (step.isAwaited) await compared;
            else open.push(compared);
          } else if (step.what === "write" && !isWriting) {
            isWriting = true;
            void store.write([step.isPut ? put(step.key, String(index)) : { type: "del", key: step.key }]);
          } else if (step.what === "apply") disk.apply();
          else if (step.what === "end") {
            await disk.end();
            isWriting = false;
          } else await nextTurn();
        }
        await Promise.all(open);
      }),
      { numRuns: 300 },
    );
  });
});
