/**
 * The edge's configuration, read from the environment (design, "Configuration").
 *
 * Invariants:
 * 1. A wrong value stops the start with one line for each mistake; nothing falls back silently. Empty means not set.
 * 2. Transport is HTTPS only: without TLS of its own or a proxy that ends it, the edge listens on loopback alone.
 */
import { z } from "zod";
import { readNatsAddress } from "../src/bus/nats-address.ts";
import { OperatorMistake } from "../src/operator-mistake.ts";

const SWITCH_VALUES: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["true", true],
  ["1", true],
  ["off", false],
  ["false", false],
  ["0", false],
]);

const switchSchema = z
  .string()
  .toLowerCase()
  .refine((text) => SWITCH_VALUES.has(text), "must be on or off")
  .transform((text) => SWITCH_VALUES.get(text) === true);

function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);
}

function urlOf(...protocols: readonly string[]) {
  const rule = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), rule);
}

/** An address without a path: a slash at its end says nothing. */
const publicUrl = z
  .string()
  .transform((text) => (URL.canParse(text) ? new URL(text) : undefined))
  .refine(
    (url) => url !== undefined && isPublic(url),
    "must be an address like https://api.example.com, without a path",
  )
  .transform((url) => url?.origin ?? "");

/** Transport is HTTPS only; what never leaves the machine needs none. */
function isPublic({ protocol, hostname, origin, href }: URL): boolean {
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isSafe && href === `${origin}/`;
}

const natsUrl = z.string().refine((text) => {
  try {
    readNatsAddress(text);
    return true;
  } catch {
    return false;
  }
}, "must be a NATS address like nats://127.0.0.1:4222");

const environmentSchema = z.object({
  HOST: z.string().max(255).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(8_080),
  NATS_URL: natsUrl.optional(),
  PARTITIONS: wholeNumber(1, 1_024).default(1),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TRUST_PROXY: switchSchema.default(false),
  PUBLIC_URL: publicUrl.optional(),
  RATE_LIMIT_REDIS_URL: urlOf("redis:", "rediss:").optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

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
  /** The last address of `X-Forwarded-For` is the client's: a proxy of ours wrote it. */
  readonly isProxyTrusted: boolean;
  /** Under which address clients know the installation, without a slash; undefined: the one each request came to. */
  readonly publicUrl: string | undefined;
  readonly rateLimitRedisUrl: string | undefined;
  readonly logLevel: z.infer<typeof environmentSchema>["LOG_LEVEL"];
}

/** What is wrong with the environment: one line for each mistake, for the operator. */
export class ConfigError extends OperatorMistake {
  override readonly name = "ConfigError";
}

/** Reads the edge's part of the environment. Throws {@link ConfigError}. */
export function readEdgeConfig(environment: Readonly<Record<string, string | undefined>>): EdgeConfig {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  const parsed = environmentSchema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigError(lines.join("\n"));
  }
  const { HOST, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TRUST_PROXY } = parsed.data;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError("TLS_CERT_FILE and TLS_KEY_FILE: set both or neither");
  }
  const tls = certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
  if (tls === undefined && !TRUST_PROXY && !isLoopback(HOST)) {
    throw new ConfigError(
      `HOST: ${HOST} is not a loopback address and transport is HTTPS only; set TLS_CERT_FILE and TLS_KEY_FILE, or ` +
        "TRUST_PROXY=on behind a proxy that ends TLS",
    );
  }
  return {
    host: HOST,
    port: parsed.data.PORT,
    natsUrl: parsed.data.NATS_URL,
    partitions: parsed.data.PARTITIONS,
    tls,
    isProxyTrusted: TRUST_PROXY,
    publicUrl: parsed.data.PUBLIC_URL,
    rateLimitRedisUrl: parsed.data.RATE_LIMIT_REDIS_URL,
    logLevel: parsed.data.LOG_LEVEL,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.[0-9]{1,3}){3}$/.test(host);
}
