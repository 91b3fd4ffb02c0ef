/**
 * Subscribes to the same ticks as the engine and only counts them: with plain nats.js, or with the engine's own form of
 * the bus, which reads the frames of ticks in place.
 */
import { connect } from "nats";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { BusMessage } from "../../src/bus/port.ts";
import { tickSubject } from "../../src/contract/subject.ts";

/** Sent to the parent for each payload equal to `last`: how many came since the one before. */
export interface CountedTicks {
  readonly count: number;
}

/** The first message of the parent. */
export interface BareSubscriberOptions {
  readonly natsUrl: string;
  readonly last: Uint8Array;
  readonly readsInPlace: boolean;
}

async function run({ natsUrl, last, readsInPlace }: BareSubscriberOptions): Promise<void> {
  let count = 0;
  const take = (bytes: Uint8Array, start: number, end: number): void => {
    count += 1;
    if (end - start !== last.length || Buffer.compare(bytes.subarray(start, end), last) !== 0) return;
    process.send?.({ count } satisfies CountedTicks);
    count = 0;
  };
  if (readsInPlace) {
    const bus = await connectNatsBus({ servers: natsUrl, name: "bare" });
    const takeFrame = (message: BusMessage): void => {
      const { frame } = message;
      if (frame === undefined) take(message.data, 0, message.data.length);
      else take(frame.bytes, frame.dataStart, frame.dataEnd);
    };
    bus.subscribe(tickSubject("*"), takeFrame, { readsInPlace: true });
    await bus.flush();
  } else {
    const connection = await connect({ servers: natsUrl });
    connection.subscribe(tickSubject("*"), { callback: (_error, { data }) => take(data, 0, data.length) });
    await connection.flush();
  }
  process.send?.("listening");
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "natsUrl" in message)
    void run(message as BareSubscriberOptions);
});
process.send?.("ready");
