/** The engine's writes when it makes one group: recorded, not assumed. */
import assert from "node:assert/strict";
import type { Put } from "../../../engine/ports/storage.ts";
import { HEAD_KEY } from "../../../engine/table/keys.ts";
import type { Reply } from "../../../src/contract/command.ts";
import { openPartition } from "../partition.ts";
import { creationKeys, creationOf, type OwnedGroup } from "./owned-group.ts";
import { idleGroup } from "./ticks.ts";

/** The result of one command. */
interface RecordedCreation {
  /** In the order of `creationKeys`. */
  readonly values: readonly Uint8Array[];
  /** The reply as it crosses the bus. */
  readonly reply: Uint8Array;
}

/** Makes two groups and returns the writes and the answer of the second. */
export async function recordCreation(): Promise<RecordedCreation> {
  const rows: Put[] = [];
  const opened = await openPartition((store) => ({
    read: (key) => store.read(key),
    scan: (range) => store.scan(range),
    close: () => store.close(),
    write: (operations) => {
      for (const operation of operations) if (operation.type === "put") rows.push(operation);
      return store.write(operations);
    },
  }));
  const create = async (group: OwnedGroup): Promise<Reply & { ok: true }> => {
    rows.length = 0;
    const reply = await opened.partition.handleCommand(creationOf(group));
    if (!reply.ok) throw new Error(reply.message);
    return reply;
  };
  // With the first group of a life the engine writes the names of orders in it.
  await create(idleGroup(0));
  const group = idleGroup(1);
  const reply = await create(group);
  const { groupId } = reply.data as { groupId: number };
  const recorded = rows.filter(({ key }) => key !== HEAD_KEY);
  assert.deepEqual(
    recorded.map(({ key }) => key),
    creationKeys(group, groupId, 2),
  );
  await opened.close();
  return { values: recorded.map(({ value }) => value), reply: Buffer.from(JSON.stringify(reply)) };
}
