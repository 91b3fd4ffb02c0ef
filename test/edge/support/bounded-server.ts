/** A server of the edge with the limits that fit the process; prints where it listens. For tests with few descriptors. */
import { Hono } from "hono";
import { Registry } from "prom-client";
import { connectionLimits } from "../../../edge/server/connections.ts";
import type { EdgeEnvironment } from "../../../edge/server/request-state.ts";
import { startServer } from "../../../edge/server/server.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";

const quiet = (): void => undefined;
const registry = new Registry();
const app = new Hono<EdgeEnvironment>();
app.get("/metrics", async (context) => context.text(await registry.metrics()));
const server = await startServer({
  app,
  config: { host: "0.0.0.0", port: 0, tls: undefined, keepAliveSeconds: 15 },
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  schedule: loopTimers.after,
  clock: systemClock,
  closing: new AbortController(),
  limits: connectionLimits({
    maxConnections: undefined,
    maxConnectionsPerAddress: undefined,
    isProxyTrusted: false,
  }),
  registry,
});
process.stdout.write(`${server.url}\n`);
