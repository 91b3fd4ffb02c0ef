/** Answers every request over NATS with the bytes it was given: the least that a read over a bus can cost. */
import { connect } from "nats";

/** The first message of the parent. */
export interface BareAnswererOptions {
  readonly natsUrl: string;
  readonly subject: string;
  readonly answer: Uint8Array;
}

async function run({ natsUrl, subject, answer }: BareAnswererOptions): Promise<void> {
  const connection = await connect({ servers: natsUrl, noAsyncTraces: true });
  connection.subscribe(subject, { callback: (_error, message) => void message.respond(answer) });
  await connection.flush();
  process.send?.("listening");
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "answer" in message) void run(message as BareAnswererOptions);
});
process.send?.("ready");
