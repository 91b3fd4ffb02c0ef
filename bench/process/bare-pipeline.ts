/**
 * The least cost of "tick in, order out, nothing lost" on the same bus. It parses the tick. For a firing tick it writes
 * as many bytes as the engine does before its order leaves, in one synced write, then publishes the order.
 */

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { Level } from "level";
import { connect } from "nats";
import { WRITE_BUFFER_BYTES } from "../../engine/store/level-store.ts";
import { brokerSubject, tickSubject } from "../../src/contract/subject.ts";
import { BROKERAGE } from "../harness/load/owned-group.ts";
import { FIRING_PRICE_MAX, quantityOf } from "../harness/load/ticks.ts";
import { noteDurable } from "./durable-moments.ts";

/** The engine's writes before an order can leave: the group's snapshot, the order's entry and the head. */
const VALUE_BYTES = 700;
const SYMBOL_START = tickSubject("").length;

/** The first message of the parent. */
export interface BarePipelineOptions {
  readonly natsUrl: string;
  /** For its data; the parent removes it. */
  readonly folder: string;
}

async function run({ natsUrl, folder }: BarePipelineOptions): Promise<void> {
  const level = new Level<string, Uint8Array>(mkdtempSync(join(folder, "bare-")), {
    valueEncoding: "view",
    writeBufferSize: WRITE_BUFFER_BYTES,
  });
  await level.open();
  const connection = await connect({ servers: natsUrl, noAsyncTraces: true });
  const value = Buffer.alloc(VALUE_BYTES, "x");
  connection.subscribe(tickSubject("*"), {
    callback: (_error, { subject, data }) => {
      const { price } = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) as {
        price: number;
      };
      if (price > FIRING_PRICE_MAX) return;
      const symbol = subject.slice(SYMBOL_START);
      const quantity = quantityOf(symbol, price);
      const order = { clientOrderId: `bare-${quantity}`, symbol, quantity, buySell: 2, orderType: 1, price: 0 };
      void level.put(String(quantity), value, { sync: true }).then(() => {
        noteDurable(quantity);
        connection.publish(brokerSubject(BROKERAGE, "place"), JSON.stringify(order));
      });
    },
  });
  await connection.flush();
  process.send?.("listening");
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "natsUrl" in message) void run(message as BarePipelineOptions);
});
process.send?.("ready");
