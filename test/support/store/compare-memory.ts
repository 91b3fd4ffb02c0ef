/** What a partition remembers of its rows, against the rows themselves. */
import assert from "node:assert/strict";
import { hydrate } from "../../../engine/actor/stored-actor.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import type { PartitionIndex } from "../../../engine/partition/partition-index.ts";
import { hashOfPair, SetHash } from "../../../engine/store/journal/set-hash.ts";
import { HEAD_KEY, isArchiveKey } from "../../../engine/table/keys.ts";
import { TABLES } from "../../../engine/table/tables.ts";
import type { Facts } from "../../../src/machine/effect.ts";

const FEW = [
  TABLES.lives,
  TABLES.outbox,
  TABLES.eventProgress,
  TABLES.holds,
  TABLES.bands,
  TABLES.measures,
  TABLES.corporateActions,
  TABLES.renames,
  TABLES.tradingStates,
  TABLES.limits,
];

/** Takes all that the rows ask for out of the memory, each of which must be there; nothing may be left. */
export function emptyByRows(memory: PartitionIndex, rows: ReadonlyMap<string, Uint8Array>): void {
  const keys = [...rows.keys()];
  const under = (table: (typeof FEW)[number]): string[] => keys.filter((key) => table.holds(key));
  const quarantined = under(TABLES.quarantine).map((key) => TABLES.quarantine.numberOf(key));
  assert.deepEqual([...memory.quarantined].sort(), quarantined.sort());
  assert.deepEqual(memory.fewKeys(), FEW.flatMap(under).sort());
  assert.equal(memory.liveHash, hashOf(rows));
  const unreadable: number[] = [];
  for (const key of under(TABLES.actors)) {
    const id = TABLES.actors.numberOf(key);
    const facts = factsOf(rows.get(key));
    if (facts === undefined) unreadable.push(id);
    else if (!quarantined.includes(id)) takeOut(memory, id, facts);
  }
  assert.deepEqual([...memory.unreadable].sort(), unreadable.filter((id) => !quarantined.includes(id)).sort());
  const { armedCount, deadlines } = memory.watchbook;
  assert.deepEqual([armedCount, deadlines.size], [0, 0], "levels and deadlines that no row asks for");
  for (const { code } of memory.use.views([])) {
    assert.deepEqual([...memory.watchbook.followed(code)], [], "orders that no row follows");
    assert.deepEqual([...memory.watchbook.asking(code, true)], [], "orders that no row follows are asked for");
  }
  const claims = under(TABLES.claims).map((key) => TABLES.claims.nameOf(key));
  for (const claim of claims) assert.ok(memory.claims.mayHold(claim), `${claim} is held`);
  for (const claim of claims) memory.claims.remove(claim);
  for (const claim of claims) assert.ok(!memory.claims.mayHold(claim), `${claim} was counted once`);
}

/** Undefined where the row cannot be read. */
function factsOf(bytes: Uint8Array = Buffer.of()): Facts | undefined {
  try {
    return hydrate(bytes, kindNamed).facts;
  } catch {
    return undefined;
  }
}

function takeOut({ watchbook }: PartitionIndex, id: number, { watches, deadlineMs, follows }: Facts): void {
  for (const watch of watches) assert.ok(watchbook.disarm(id, watch), `${id} waits for ${JSON.stringify(watch)}`);
  if (deadlineMs !== null) assert.ok(watchbook.deadlines.remove(deadlineMs, id), `${id} waits until ${deadlineMs}`);
  for (const order of follows) {
    assert.ok(watchbook.followersOf(order).includes(id), `${id} follows ${order.orderNo}`);
    watchbook.unfollow(id, order);
  }
}

function hashOf(rows: ReadonlyMap<string, Uint8Array>): string {
  const hash = new SetHash();
  for (const [key, value] of rows) if (key !== HEAD_KEY && !isArchiveKey(key)) hash.add(hashOfPair(key, value));
  return hash.toString();
}
