/**
 * The document of an edge without an engine behind it: routes describe themselves.
 */
import { createMemoryBusServer } from "../../src/bus/memory/bus.ts";
import { createEdgeApp } from "../app.ts";
import { OPENAPI_PATH } from "../route/openapi.ts";

const nothing = (): void => undefined;

/** The text of `/openapi.json`. */
export async function readOwnDocument(): Promise<string> {
  const hub = createMemoryBusServer({ onError: nothing });
  const bus = hub.connect();
  const { app } = createEdgeApp({
    bus,
    partitions: 1,
    trustedProxies: 0,
    isHttps: false,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    schedule: () => nothing,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    newRequestId: () => "document",
    closing: new AbortController().signal,
  });
  const text = await (await app.request(OPENAPI_PATH)).text();
  await bus.drain();
  return text;
}
