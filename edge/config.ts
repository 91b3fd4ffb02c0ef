/**
 * What the edge makes of its settings.
 *
 * Invariant: transport is HTTPS only. Without TLS of its own or a proxy that ends it, the edge listens on loopback alone.
 */
import type { LogSettings } from "../src/runtime/log.ts";
import { feedOf, readSettings, type Settings, type TrustedProxies, type Variables } from "../src/runtime/settings.ts";
import type { StreamLimits } from "./event/event-hub.ts";

const KEEP_ALIVE_SECONDS = 15;
/** Longer than nginx keeps idle connections to an upstream (60): whoever closes first must be the proxy. */
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
  /** How long clients may keep an idle connection, as they are told. */
  readonly keepAliveSeconds: number;
  /** Under which address clients know the installation, without a slash; undefined: the one each request came to. */
  readonly publicUrl: string | undefined;
  /** Origins of pages that may call the interface from a browser. */
  readonly corsOrigins: readonly string[];
  /** Whether assistants may trade over MCP (behaviour 10.8). */
  readonly hasTradingTools: boolean;
  /** Whether those who trade may send ticks: prices are play. */
  readonly isMarketSimulated: boolean;
  /** Connections of clients in all, and of one address; undefined: what fits the process. */
  readonly maxConnections: number | undefined;
  readonly maxConnectionsPerAddress: number | undefined;
  readonly rateLimitRedisUrl: string | undefined;
  /** How many streams of events may be open at once, of one user and in all. */
  readonly streamLimits: StreamLimits;
  readonly log: LogSettings;
}

/** Reads the edge's configuration. Throws an `UserError` that names every mistake. */
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
