/** The same NATS client as the engine's, subscribed to the same ticks, doing nothing with them but counting. */
import { connect } from "nats";
import { tickSubject } from "../../src/contract/subject.ts";

/** Told to the parent whenever a payload equal to `last` comes: how many came since the one before. */
export interface CountedTicks {
  readonly count: number;
}

interface Options {
  readonly natsUrl: string;
  readonly last: Uint8Array;
}

async function run({ natsUrl, last }: Options): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  let count = 0;
  connection.subscribe(tickSubject("*"), {
    callback: (_error, { data }) => {
      count += 1;
      if (data.length !== last.length || Buffer.compare(data, last) !== 0) return;
      process.send?.({ count } satisfies CountedTicks);
      count = 0;
    },
  });
  await connection.flush();
  process.send?.("listening");
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "natsUrl" in message) void run(message as Options);
});
process.send?.("ready");
