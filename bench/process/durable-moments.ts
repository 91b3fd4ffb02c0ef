/**
 * Loaded into a process before its own code (`--import`): tells the parent, over the fork's channel, when the write of
 * each order was acknowledged. Until it is asked to, it notes nothing, and the code under measurement stays as it is.
 */
import { ClassicLevel } from "classic-level";
import { decodeRow } from "../../engine/broker/outbox/entry.ts";
import { ORDER_PREFIX } from "../harness/order-recorder.ts";

/** By the quantity, which names the order; of the machine's steady clock. */
export type DurableMoments = readonly (readonly [quantity: number, atNs: bigint])[];

/** What the parent asks for: answered at the end, with `DurableMoments`. */
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

const original = ClassicLevel.prototype.batch as (...given: unknown[]) => unknown;
ClassicLevel.prototype.batch = function (this: ClassicLevel, ...given: unknown[]): unknown {
  const made = original.apply(this, given);
  return isNoting && given.length === 0 ? noting(made as ChainedBatch) : made;
} as typeof ClassicLevel.prototype.batch;

interface ChainedBatch {
  put: (key: string, value: Uint8Array) => unknown;
  write: (options: object) => Promise<void>;
}

function noting(batch: ChainedBatch): ChainedBatch {
  const quantities: number[] = [];
  const put = batch.put.bind(batch);
  const write = batch.write.bind(batch);
  batch.put = (key, value) => {
    const row = key.startsWith(ORDER_PREFIX) ? decodeRow(key, value) : undefined;
    if (row?.kind === "order") quantities.push(row.entry.order.quantity);
    return put(key, value);
  };
  batch.write = async (options) => {
    await write(options);
    for (const quantity of quantities) noteDurable(quantity);
  };
  return batch;
}
