/**
 * The edge's configuration, read from its settings.
 *
 * Invariant: transport is HTTPS only. Without TLS of its own or a proxy that ends it, the edge listens on loopback
 * alone.
 */
import type { LogSettings } from "../src/runtime/log.ts";
import { feedOf, readSettings, type Settings, type TrustedProxies, type Variables } from "../src/runtime/settings.ts";
import type { StreamLimits } from "./event/event-hub.ts";

const KEEP_ALIVE_SECONDS = 15;
/** Longer than nginx keeps idle connections to an upstream (60): the proxy must close first. */
const KEEP_ALIVE_BEHIND_PROXY_SECONDS = 75;

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface EdgeConfig {
  readonly host: string;
  readonly port: number;
  /** Undefined: the bus is handed in by the process that also runs the engine. */
  readonly natsUrl: string | undefined;
  readonly partitions: number;
  readonly tls: TlsFiles | undefined;
  /** The proxies whose `X-Forwarded-*` headers are believed; 0: none. */
  readonly trustedProxies: TrustedProxies;
  /** How long clients can keep an idle connection, as the edge announces it. */
  readonly keepAliveSeconds: number;
  /** The address under which clients know the installation, without a slash; undefined: each request's own address. */
  readonly publicUrl: string | undefined;
  /** Origins of pages that may call the interface from a browser. */
  readonly corsOrigins: readonly string[];
  /** Whether assistants can trade over MCP (behaviour 10.8). */
  readonly hasTradingTools: boolean;
  /** Whether users who trade can send ticks: prices are play. */
  readonly isMarketSimulated: boolean;
  /** Connections of clients in all, and of one address; undefined: a number that fits the process. */
  readonly maxConnections: number | undefined;
  readonly maxConnectionsPerAddress: number | undefined;
  readonly rateLimitRedisUrl: string | undefined;
  /** How many streams of events can be open at the same time, of one user and in all. */
  readonly streamLimits: StreamLimits;
  readonly log: LogSettings;
}

/** Reads the edge's configuration. Throws a `UserError` that names every mistake. */
export function readEdgeConfig(variables: Variables): EdgeConfig {
  return edgeConfigOf(readSettings(variables, ["edge"]));
}

export function edgeConfigOf(settings: Settings): EdgeConfig {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings;
  return {
    host: settings.HOST,
    port: settings.PORT,
    natsUrl: settings.NATS_URL,
    partitions: settings.PARTITIONS,
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    trustedProxies: settings.TRUST_PROXY,
    keepAliveSeconds:
      settings.KEEP_ALIVE_SECONDS ??
      (settings.TRUST_PROXY === 0 ? KEEP_ALIVE_SECONDS : KEEP_ALIVE_BEHIND_PROXY_SECONDS),
    publicUrl: settings.PUBLIC_URL,
    corsOrigins: settings.CORS_ORIGINS,
    hasTradingTools: settings.MCP_TRADING,
    isMarketSimulated: feedOf(settings) === "sim",
    maxConnections: settings.MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    rateLimitRedisUrl: settings.RATE_LIMIT_REDIS_URL,
    streamLimits: {
      streamsPerUserMax: settings.EVENT_STREAMS_PER_USER,
      streamsMax: settings.EVENT_STREAMS_MAX,
    },
    log: { level: settings.LOG_LEVEL, times: settings.LOG_TIMES },
  };
}
