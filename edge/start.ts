/** Starts an edge over a bus that its caller made: the edge's own process, or the process that also runs the engine. */
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Bus } from "../src/bus/port.ts";
import { loopTimers, systemClock } from "../src/runtime/clock.ts";
import type { Log } from "../src/runtime/ports.ts";
import { createEdgeApp } from "./app.ts";
import type { EdgeConfig } from "./config.ts";
import { connectionLimits } from "./server/connections.ts";
import { startServer } from "./server/server.ts";

/** After this time without an answer the edge continues without the limiter. */
const REDIS_TIMEOUT_MS = 500;
const GRACE_MS = 5_000;

export interface RunningEdge {
  readonly url: string;
  /** Finishes requests in progress, closes everything except the bus. */
  stop(): Promise<void>;
}

/**
 * Starts to serve; after a SIGHUP renewed certificates are read immediately. Rejects if the address or the TLS files
 * are not available.
 */
export async function startEdge(config: EdgeConfig, bus: Bus, log: Log): Promise<RunningEdge> {
  const redis = config.rateLimitRedisUrl === undefined ? undefined : connectRedis(config.rateLimitRedisUrl, log);
  const closing = new AbortController();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const edge = createEdgeApp({
    bus,
    partitions: config.partitions,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    hasTradingTools: config.hasTradingTools,
    isMarketSimulated: config.isMarketSimulated,
    isHttps: config.tls !== undefined || config.trustedProxies !== 0,
    clock: systemClock,
    schedule: loopTimers.after,
    log,
    newRequestId: randomUUID,
    redis,
    registry,
    streamLimits: config.streamLimits,
    closing: closing.signal,
  });
  edge.start();
  if (config.trustedProxies !== 0 && config.publicUrl === undefined) {
    log.warn(
      { event: "edge.noPublicUrl" },
      "TRUST_PROXY is set without PUBLIC_URL: addresses in answers are the ones that the proxy forwards; set PUBLIC_URL",
    );
  }
  const stopParts = (): void => {
    edge.stop();
    redis?.disconnect();
  };
  try {
    const server = await startServer({
      app: edge.app,
      config,
      log,
      schedule: loopTimers.after,
      clock: systemClock,
      closing,
      limits: connectionLimits({ ...config, isProxyTrusted: config.trustedProxies !== 0 }),
      registry,
    });
    log.info({ event: "edge.ready", url: server.url }, "the edge listens");
    const reread = (): void => server.rereadCertificate();
    process.on("SIGHUP", reread);
    const stop = (): Promise<void> => {
      process.off("SIGHUP", reread);
      return server.stop(GRACE_MS).finally(stopParts);
    };
    return { url: server.url, stop };
  } catch (error) {
    stopParts();
    throw error;
  }
}

/** Limits are shared while Redis answers and counted here while it does not; logged once for each change. */
function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
  });
  let isLost = false;
  redis.on("error", (error: Error) => {
    if (!isLost)
      log.warn({ event: "limits.notShared", error }, "limits are counted by this edge alone: Redis is not available");
    isLost = true;
  });
  redis.on("ready", () => {
    if (isLost) log.info({ event: "limits.shared" }, "limits are shared again");
    isLost = false;
  });
  return redis;
}
