/**
 * Loaded into a process before its own code (`--import`): reports to the parent, over the fork's channel, when the
 * write of each order was acknowledged. Until it is asked to, it notes nothing, and does not change the measured code.
 */
import { decodeRow } from "../../engine/order/outbox/entry/entry.ts";
import { decodeRecord } from "../../engine/store/log/log-record.ts";
import { TimedLog } from "../../engine/store/log/timed-log.ts";
import { ORDER_PREFIX } from "../harness/load/order-recorder.ts";

/** By the quantity, which names the order; of the machine's steady clock. */
export type DurableMoments = readonly (readonly [quantity: number, atNs: bigint])[];

/** The parent's request: answered at the end, with `DurableMoments`. */
export interface DurableRequest {
  readonly durable: "begin" | "end";
}

let isNoting = false;
let noted: [number, bigint][] = [];

/** The write of an order was acknowledged just now. */
export function noteDurable(quantity: number): void {
  if (isNoting) noted.push([quantity, process.hrtime.bigint()]);
}

process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("durable" in message)) return;
  isNoting = message.durable === "begin";
  process.send?.(noted satisfies DurableMoments);
  noted = [];
});

const original = TimedLog.prototype.append;
TimedLog.prototype.append = async function (expectedSequence, records) {
  await original.call(this, expectedSequence, records);
  if (isNoting) for (const record of records) noteOrders(record);
};

/** The orders that a record of the log makes durable. */
function noteOrders(record: Uint8Array): void {
  for (const row of decodeRecord(record).operations) {
    if (row.type !== "put" || !row.key.startsWith(ORDER_PREFIX)) continue;
    const order = decodeRow(row.key, row.value);
    if (order.kind === "order") noteDurable(order.entry.order.quantity);
  }
}
