/** What the engine writes when it makes one group: recorded, not assumed. */
import type { Put } from "../../engine/ports.ts";
import type { Operations } from "./bare-level.ts";
import { creationOf, type GroupBody } from "./owned-group.ts";
import { BROKERAGE, openPartition } from "./partition.ts";

const BODY: GroupBody = {
  symbol: "S100",
  stopLossPrice: 80,
  stopLossQuantity: 10,
  takeProfitItems: [
    { price: 120, quantity: 5 },
    { price: 160, quantity: 5 },
  ],
};

/** What came of one command. */
export interface RecordedCreation {
  /** Keys are at least 12 characters. */
  readonly rows: Operations;
  /** The reply as it crosses the bus. */
  readonly reply: Uint8Array;
}

/** Makes one group and tells what was written and answered. */
export async function recordCreation(): Promise<RecordedCreation> {
  const rows: Put[] = [];
  const opened = await openPartition((store) => ({
    read: (key) => store.read(key),
    scan: (range) => store.scan(range),
    close: () => store.close(),
    write: (operations) => {
      for (const operation of operations) {
        if (operation.type === "put" && operation.key.length >= 12) rows.push(operation);
      }
      return store.write(operations);
    },
  }));
  const reply = await opened.partition.handleCommand(creationOf({ userId: 1_000, body: BODY }, BROKERAGE));
  if (!reply.ok) throw new Error(reply.message);
  const recorded = [...rows];
  await opened.close();
  return { rows: recorded, reply: Buffer.from(JSON.stringify(reply)) };
}
