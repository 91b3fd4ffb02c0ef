/**
 * An edge that listens on a free port, over the in-process bus, with a fake engine behind it.
 */
import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import type { Redis } from "ioredis";
import { createEdgeApp } from "../../../edge/app.ts";
import type { EdgeEnvironment } from "../../../edge/server/request-state.ts";
import { startServer } from "../../../edge/server/server.ts";
import { createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../src/bus/port.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";
import type { Log, LogFields } from "../../../src/runtime/ports.ts";
import type { TrustedProxies } from "../../../src/runtime/settings.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { FakeEngine, makeSigningKey, type SigningKey, signToken, type TokenParts } from "./fake-engine.ts";

interface LogLine {
  readonly level: keyof Log;
  readonly fields: LogFields;
  readonly message: string;
}

export interface RunningEdge {
  readonly url: string;
  readonly engine: FakeEngine;
  readonly key: SigningKey;
  readonly app: Hono<EdgeEnvironment>;
  readonly edgeBus: Bus;
  readonly engineBus: Bus;
  readonly log: readonly LogLine[];
  /** Moves the edge's clock on. */
  advance(byMs: number): void;
  /** Header of a caller; each call signs again. */
  bearer(parts?: TokenParts): Promise<{ readonly authorization: string }>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON as a caller with all scopes. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  stop(): Promise<void>;
}

interface RunningEdgeOptions {
  readonly partitions?: number;
  readonly trustedProxies?: TrustedProxies;
  readonly publicUrl?: string;
  /** Default: 15. */
  readonly keepAliveSeconds?: number;
  readonly corsOrigins?: readonly string[];
  readonly hasTradingTools?: boolean;
  readonly isMarketSimulated?: boolean;
  /** How far the edge's own clock is ahead of the engine's. Default: 0. */
  readonly ownAheadMs?: number;
  readonly redis?: Redis;
  /** Adds routes before the server starts. */
  readonly extend?: (app: Hono<EdgeEnvironment>) => void;
  /** Default true. */
  readonly waitUntilReady?: boolean;
}

let sharedKey: Promise<SigningKey> | undefined;

/** What an edge ends with: a test, or a suite that ends it itself. */
interface EndsWith {
  after(stop: () => Promise<void>): void;
}

/** Starts one; it ends with the test. */
export async function runEdge(test: EndsWith, options: RunningEdgeOptions = {}): Promise<RunningEdge> {
  sharedKey ??= makeSigningKey();
  const key = await sharedKey;
  const partitions = options.partitions ?? 1;
  const hub = createMemoryBusServer({ onError: () => undefined });
  const edgeBus = hub.connect();
  const engineBus = hub.connect();
  const engine = new FakeEngine(engineBus, partitions, key);
  const log: LogLine[] = [];
  let aheadMs = 0;
  const { ownAheadMs = 0 } = options;
  engine.on("health", () => ({ ok: true, data: { timeMs: Date.now() + aheadMs } }));
  const closing = new AbortController();
  const edge = createEdgeApp({
    bus: edgeBus,
    partitions,
    trustedProxies: options.trustedProxies ?? 0,
    publicUrl: options.publicUrl,
    ...(options.corsOrigins === undefined ? {} : { corsOrigins: options.corsOrigins }),
    hasTradingTools: options.hasTradingTools ?? false,
    isMarketSimulated: options.isMarketSimulated ?? false,
    isHttps: (options.trustedProxies ?? 0) !== 0,
    clock: { nowMs: () => Date.now() + aheadMs + ownAheadMs, monotonicMs: () => performance.now() + aheadMs },
    schedule: loopTimers.after,
    log: recordingLog(log),
    newRequestId: randomUUID,
    closing: closing.signal,
    ...(options.redis === undefined ? {} : { redis: options.redis }),
  });
  options.extend?.(edge.app);
  edge.start();
  const server = await startServer({
    app: edge.app,
    config: { host: "127.0.0.1", port: 0, tls: undefined, keepAliveSeconds: options.keepAliveSeconds ?? 15 },
    log: recordingLog(log),
    schedule: loopTimers.after,
    clock: systemClock,
    closing,
    limits: { max: 10_000, perAddressMax: 10_000 },
  });
  const stop = async (): Promise<void> => {
    await server.stop(1_000);
    edge.stop();
    await Promise.all([edgeBus.drain(), engineBus.drain()]);
  };
  test.after(stop);
  const bearer = async (parts?: TokenParts) => ({ authorization: `Bearer ${await signToken(key, parts)}` });
  const fetchPath = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);
  const running: RunningEdge = {
    url: server.url,
    engine,
    key,
    app: edge.app,
    edgeBus,
    engineBus,
    log,
    advance: (byMs) => {
      aheadMs += byMs;
    },
    bearer,
    fetch: fetchPath,
    send: async (method, path, body, headers) =>
      fetchPath(path, {
        method,
        headers: {
          ...(await bearer()),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    stop,
  };
  if (options.waitUntilReady !== false) await untilTrue(async () => (await fetchPath("/ready")).status === 200);
  return running;
}

function recordingLog(lines: LogLine[]): Log {
  const record = (level: keyof Log) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  return { debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}
