/** The settings of an edge in the environment, and the reports of mistakes in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readEdgeConfig } from "../../edge/config.ts";
import { UserError } from "../../src/runtime/user-error.ts";

const refuses = (environment: Readonly<Record<string, string>>, line: RegExp) =>
  assert.throws(
    () => readEdgeConfig(environment),
    (error) => error instanceof UserError && line.test(error.message),
    JSON.stringify(environment),
  );

test("nothing set: loopback, port 8080, one partition, limits counted alone", () => {
  assert.deepEqual(readEdgeConfig({ PATH: "/bin", NATS_URL: "" }), {
    host: "127.0.0.1",
    port: 8080,
    natsUrl: undefined,
    partitions: 1,
    tls: undefined,
    trustedProxies: 0,
    keepAliveSeconds: 15,
    publicUrl: undefined,
    corsOrigins: [],
    hasTradingTools: false,
    isMarketSimulated: true,
    maxConnections: undefined,
    maxConnectionsPerAddress: undefined,
    rateLimitRedisUrl: undefined,
    streamLimits: { streamsPerUserMax: 10, streamsMax: 5_000 },
    log: { level: "info", times: "epoch" },
  });
});

test("clients may keep idle connections as long as is configured, and behind a proxy longer than proxies do", () => {
  assert.equal(readEdgeConfig({ TRUST_PROXY: "2" }).keepAliveSeconds, 75);
  assert.equal(readEdgeConfig({ TRUST_PROXY: "2", KEEP_ALIVE_SECONDS: "5" }).keepAliveSeconds, 5);
  assert.equal(readEdgeConfig({ KEEP_ALIVE_SECONDS: "120" }).keepAliveSeconds, 120);
});

test("everything set is taken over", () => {
  const config = readEdgeConfig({
    HOST: "0.0.0.0",
    PORT: "0",
    NATS_URL: "nats://127.0.0.1:4222",
    PARTITIONS: "8",
    TLS_CERT_FILE: "cert.pem",
    TLS_KEY_FILE: "key.pem",
    TRUST_PROXY: "On",
    PUBLIC_URL: "https://api.example.com/",
    MCP_TRADING: "on",
    CORS_ORIGINS: "https://desk.example.com, http://127.0.0.1:3000",
    MAX_CONNECTIONS: "500",
    MAX_CONNECTIONS_PER_ADDRESS: "50",
    RATE_LIMIT_REDIS_URL: "rediss://127.0.0.1:6379/2",
    EVENT_STREAMS_PER_USER: "3",
    EVENT_STREAMS_MAX: "50",
    LOG_LEVEL: "warn",
  });
  assert.deepEqual(config, {
    host: "0.0.0.0",
    port: 0,
    natsUrl: "nats://127.0.0.1:4222",
    partitions: 8,
    tls: { certFile: "cert.pem", keyFile: "key.pem" },
    trustedProxies: 1,
    keepAliveSeconds: 75,
    publicUrl: "https://api.example.com",
    hasTradingTools: true,
    isMarketSimulated: false,
    corsOrigins: ["https://desk.example.com", "http://127.0.0.1:3000"],
    maxConnections: 500,
    maxConnectionsPerAddress: 50,
    rateLimitRedisUrl: "rediss://127.0.0.1:6379/2",
    streamLimits: { streamsPerUserMax: 3, streamsMax: 50 },
    log: { level: "warn", times: "epoch" },
  });
});

test("a wrong value stops the start with its name and its rule", () => {
  refuses({ PORT: "65536" }, /^PORT: must be a whole number from 0 to 65535$/);
  for (const port of ["-1", "80a", "1e3", "8080.0", " 80"]) refuses({ PORT: port }, /^PORT: /);
  refuses({ PARTITIONS: "0" }, /^PARTITIONS: /);
  refuses({ TRUST_PROXY: "10" }, /^TRUST_PROXY: must be on, off, the number of proxies/);
  refuses({ TRUST_PROXY: "10.0.0.0/40" }, /^TRUST_PROXY: must be on, off, the number of proxies/);
  refuses({ TRUST_PROXY: "yes" }, /^TRUST_PROXY: must be on, off, the number of proxies/);
  for (const url of ["api.example.com", "http://api.example.com", "https://api.example.com/v2", "https://a.b/?c"]) {
    refuses({ PUBLIC_URL: url }, /^PUBLIC_URL: must be an address like https:/);
  }
  assert.equal(readEdgeConfig({ PUBLIC_URL: "http://[::1]:8080" }).publicUrl, "http://[::1]:8080");
  for (const origin of ["*", "desk.example.com", "https://a.b/", "https://a.b,", "null"]) {
    refuses({ CORS_ORIGINS: origin }, /^CORS_ORIGINS: must be origins like https:/);
  }
  refuses({ LOG_LEVEL: "loud" }, /^LOG_LEVEL: /);
  refuses({ RATE_LIMIT_REDIS_URL: "http://127.0.0.1" }, /^RATE_LIMIT_REDIS_URL: .*redis:\/\//);
  refuses({ NATS_URL: "http://127.0.0.1" }, /^NATS_URL: /);
  refuses({ PORT: "x", LOG_LEVEL: "loud" }, /^PORT: .*\nLOG_LEVEL: /);
});

test("one of the two TLS files alone stops the start", () => {
  refuses({ TLS_CERT_FILE: "cert.pem" }, /TLS_CERT_FILE and TLS_KEY_FILE: set both or neither/);
  refuses({ TLS_KEY_FILE: "key.pem" }, /TLS_CERT_FILE and TLS_KEY_FILE: set both or neither/);
});

test("listening beyond loopback needs TLS, or a proxy that ends it", () => {
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "example.com", "127.0.0.1.example.com", "128.0.0.1"]) {
    refuses({ HOST: host }, /is not a loopback address and transport is HTTPS only/);
    assert.equal(readEdgeConfig({ HOST: host, TRUST_PROXY: "on" }).host, host);
    assert.equal(readEdgeConfig({ HOST: host, TLS_CERT_FILE: "c", TLS_KEY_FILE: "k" }).host, host);
  }
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
    assert.equal(readEdgeConfig({ HOST: host }).host, host);
});
