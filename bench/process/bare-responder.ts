/**
 * The least that a durable command over a bus can cost: takes requests, writes the pairs of all that came meanwhile in
 * one synced batch, answers each. It reads no request and decides nothing.
 */
import { connect, type Msg } from "nats";
import { BareLevel, type Operations } from "../harness/bare-level.ts";

export const BARE_SUBJECT = "bare.command";

/** What the parent sends first. */
export interface BareResponderOptions {
  readonly natsUrl: string;
  /** For its data; the parent removes it. */
  readonly folder: string;
  /** The pairs of one command; the last 12 characters of each key are replaced by a number. */
  readonly rows: Operations;
  readonly reply: Uint8Array;
}

const NUMBER_LENGTH = 12;

async function run({ natsUrl, folder, rows, reply }: BareResponderOptions): Promise<void> {
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
    const operations = taken.flatMap(() => {
      commands += 1;
      const suffix = String(commands).padStart(NUMBER_LENGTH, "0");
      return rows.map((row) => ({ ...row, key: row.key.slice(0, -NUMBER_LENGTH) + suffix }));
    });
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
