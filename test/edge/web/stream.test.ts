/** The dashboard's own end of the stream of events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventStreamReader } from "../../../edge/web/dashboard/state/stream.ts";

const PLACE = "abcdefghij-0-7";

test("connected again for other symbols before it knows its place, it waits for that: nothing between is lost", async () => {
  const asked: (string | undefined)[] = [];
  const connections: ReadableStreamDefaultController<Uint8Array>[] = [];
  const signals: AbortSignal[] = [];
  const reader = new EventStreamReader({
    session: {
      fetch: async (_path: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
        asked.push(headers["last-event-id"]);
        signals.push(signal);
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            connections.push(controller);
            signal.addEventListener("abort", () => controller.error(new Error("aborted")));
          },
        });
        return new Response(body);
      },
    } as never,
    symbols: () => [],
    onState: () => undefined,
    onEvent: () => undefined,
    onBegin: () => undefined,
  });
  const running = reader.run();
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  while (connections.length < 1) await turn();
  reader.restart();
  await turn();
  assert.equal(signals[0]?.aborted, false);
  connections[0]?.enqueue(Buffer.from(`retry: 1000\n\n: alive\nid: ${PLACE}\n\n`));
  while (connections.length < 2) await turn();
  assert.deepEqual(asked, [undefined, PLACE]);
  reader.restart();
  while (connections.length < 3) await turn();
  assert.deepEqual(asked, [undefined, PLACE, PLACE]);
  reader.stop();
  await running;
});
