/**
 * The least cost of a durable command over a bus: takes requests, writes the pairs of all requests that have arrived in
 * one synced batch, answers each. It reads no request and decides nothing.
 */
import { connect, type Msg } from "nats";
import { BareLevel, bareCreation } from "../harness/bare-level.ts";

export const BARE_SUBJECT = "bare.command";

/** The first message of the parent. */
export interface BareResponderOptions {
  readonly natsUrl: string;
  /** For its data; the parent removes it. */
  readonly folder: string;
  /** The values written for each, in the order of `creationKeys`. */
  readonly values: readonly Uint8Array[];
  readonly reply: Uint8Array;
}

async function run({ natsUrl, folder, values, reply }: BareResponderOptions): Promise<void> {
  const level = new BareLevel(folder);
  await level.open();
  const connection = await connect({ servers: natsUrl, noAsyncTraces: true });
  let waiting: Msg[] = [];
  let isWriting = false;
  let commands = 0;
  const flush = (): void => {
    if (isWriting || waiting.length === 0) return;
    const taken = waiting;
    waiting = [];
    isWriting = true;
    const operations = taken.flatMap(() => bareCreation(commands++, values));
    void level.write(operations).then(() => {
      isWriting = false;
      flush();
      for (const message of taken) message.respond(reply);
    });
  };
  connection.subscribe(BARE_SUBJECT, {
    callback: (_error, message) => {
      waiting.push(message);
      if (waiting.length === 1) setImmediate(flush);
    },
  });
  await connection.flush();
  process.send?.("listening");
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "natsUrl" in message)
    void run(message as BareResponderOptions);
});
process.send?.("ready");
