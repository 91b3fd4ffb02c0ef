/** After any records a copy remembers what reading its rows would give. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeContext, encodeSnapshot } from "../../../engine/actor/codec.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import { PartitionIndex } from "../../../engine/partition/partition-index.ts";
import type { Delete, Put } from "../../../engine/ports/storage.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import { hashOfPair, SetHash } from "../../../engine/store/journal/set-hash.ts";
import { StoreRefused } from "../../../engine/store/refused.ts";
import {
  actorKey,
  claimKey,
  EVENT_PUBLISHED_KEY,
  isArchiveKey,
  lifeKey,
  quarantineKey,
  viewKey,
} from "../../../engine/table/keys.ts";
import { TABLES } from "../../../engine/table/tables.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import fc from "../../support/property.ts";
import { emptyByRows } from "../../support/store/compare-memory.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const CLAIM_COUNTERS = 1_024;
const OWNER = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", symbol: "THYAO", hasOversellGuard: false };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A group's row: a stop-loss at 90 and a take-profit. */
function groupRow(id: number, takeProfit: number, dueAtMs: number | null): Uint8Array {
  const stopLoss = { price: 9_000, quantity: 30 };
  const takeProfits = [{ price: takeProfit, quantity: 10 }];
  const group = openGroup({ stopLoss, takeProfits, dueAtMs, notes: null }, OWNER, [id, id + 1], 1_000);
  const kind = kindNamed("group");
  return Buffer.from(encodeSnapshot(kind, "watching", encodeContext(kind, group)));
}

const ids = fc.integer({ min: 1, max: 6 });
const text = fc.constantFrom("a", "b", "c").map((value) => Buffer.from(value));
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(ids, fc.constantFrom(10_000, 11_000), fc.constantFrom(null, 5_000, 6_000))
      .map(([id, price, dueAtMs]) => put(actorKey(id), groupRow(id, price, dueAtMs))),
  },
  ids.map((id) => put(actorKey(id), Buffer.from("not to be read"))),
  ids.map((id) => del(actorKey(id))),
  fc.tuple(ids, text).map(([id, value]) => put(quarantineKey(id), value)),
  ids.map((id) => del(quarantineKey(id))),
  fc.tuple(ids, text).map(([id, value]) => put(claimKey(`group/${id}`), value)),
  ids.map((id) => del(claimKey(`group/${id}`))),
  fc.tuple(ids, text).map(([id, value]) => put(TABLES.outbox.key(id), value)),
  ids.map((id) => del(TABLES.outbox.key(id))),
  fc.tuple(ids, text).map(([id, value]) => put(lifeKey(id), value)),
  fc.tuple(ids, text).map(([id, value]) => put(viewKey(`oco/${id}`), value)),
  fc.tuple(ids, text).map(([id, value]) => put(TABLES.users.key(id), value)),
  text.map((value) => put(EVENT_PUBLISHED_KEY, value)),
);
/** No record contains a key twice. */
const record = fc.uniqueArray(change, { maxLength: 8, selector: ({ key }) => key });

function put(key: string, value: Uint8Array): Put {
  return { type: "put", key, value };
}

function del(key: string): Delete {
  return { type: "del", key };
}

function headOf(rows: ReadonlyMap<string, Uint8Array>): Head {
  const hash = new SetHash();
  for (const [key, value] of rows) if (!isArchiveKey(key)) hash.add(hashOfPair(key, value));
  return { ...firstHead("abcdefghij", { partition: 0, partitions: 1 }, 0), liveHash: hash.toString() };
}

function read(disk: MemoryDisk, head = headOf(disk.entries)): Promise<PartitionIndex> {
  const time = new FakeTime();
  const options = { store: disk.open({ timers: time }), steadyClock: time, log: silent, claimCounters: CLAIM_COUNTERS };
  return PartitionIndex.read({ ...options, head });
}

function apply(disk: MemoryDisk, operations: readonly (Put | Delete)[]): void {
  disk.begin(operations);
  disk.commit(operations);
}

test("whatever records come, it is what the rows say, whenever it began", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 30 }), fc.nat(30), async (records, readAfter) => {
      const disk = new MemoryDisk();
      let memory = PartitionIndex.empty(CLAIM_COUNTERS);
      for (const [index, operations] of records.entries()) {
        if (index === readAfter) memory = await read(disk);
        memory.follow(operations, (key) => disk.entries.get(key));
        apply(disk, operations);
      }
      emptyByRows(memory, disk.entries);
      emptyByRows(await read(disk), disk.entries);
    }),
  );
});

test("who leaves quarantine in the batch that changes its row waits for what the row says then", () => {
  const disk = new MemoryDisk();
  const memory = PartitionIndex.empty(CLAIM_COUNTERS);
  const follow = (...operations: (Put | Delete)[]): void => {
    memory.follow(operations, (key) => disk.entries.get(key));
    apply(disk, operations);
  };
  follow(put(actorKey(1), groupRow(1, 10_000, null)));
  assert.equal(memory.watchbook.armedCount, 2);
  follow(put(quarantineKey(1), Buffer.from("a fault")));
  assert.equal(memory.watchbook.armedCount, 0, "who is in quarantine waits for nothing");
  follow(del(quarantineKey(1)), put(actorKey(1), groupRow(1, 11_000, 5_000)));
  assert.equal(memory.watchbook.armedCount, 2);
  assert.equal(memory.watchbook.deadlines.size, 1);
  emptyByRows(memory, disk.entries);
});

test("nothing is made of a store that is not whole", async () => {
  const disk = new MemoryDisk();
  apply(disk, [put(actorKey(1), groupRow(1, 10_000, null))]);
  const head = headOf(disk.entries);
  disk.entries.delete(actorKey(1));
  await assert.rejects(read(disk, head), StoreRefused);
});
