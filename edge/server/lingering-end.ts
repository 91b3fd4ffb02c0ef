/**
 * The end of a connection whose request was answered before all of it was read.
 *
 * An immediate close would reset it, since bytes still arrive that are not read. A reset discards data that the client
 * has not read yet: it would see a broken connection in place of the answer.
 *
 * Invariant: the remaining bytes are discarded, and the client chooses neither their size nor their time.
 */
import type { IncomingMessage } from "node:http";

const LINGER_MS_MAX = 2_000;
const DISCARDED_BYTES_MAX = 16 * 1_048_576;

/**
 * The body of an answer that is sent immediately. It ends once the rest of the request has come, `DISCARDED_BYTES_MAX`
 * of it or `LINGER_MS_MAX` have passed, or the client has left. The answer needs its `content-length`, which shows the
 * client that it has all.
 */
export function lingeringBody(text: string, incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let stopReading = (): void => undefined;
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from(text));
      let discardedBytes = 0;
      const end = (): void => {
        stopReading();
        controller.close();
      };
      const onData = (chunk: Buffer): void => {
        discardedBytes += chunk.length;
        if (discardedBytes > DISCARDED_BYTES_MAX) end();
      };
      const timeOut = AbortSignal.timeout(LINGER_MS_MAX);
      stopReading = () => {
        timeOut.removeEventListener("abort", end);
        incoming.off("data", onData).off("end", end).off("close", end);
      };
      timeOut.addEventListener("abort", end);
      incoming.on("data", onData).on("end", end).on("close", end);
    },
    cancel: () => stopReading(),
  });
}
