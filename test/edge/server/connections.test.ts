/** Who holds connections, how many, and for how long. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { Registry } from "prom-client";
import { connectionLimits } from "../../../edge/server/connections.ts";
import type { EdgeEnvironment } from "../../../edge/server/request-state.ts";
import { startServer } from "../../../edge/server/server.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";
import { untilTrue } from "../../support/machine/until-true.ts";

const quiet = (): void => undefined;
const REQUEST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";

/** A socket that never closes its side, and whether the other one did. */
class Stubborn {
  received = "";
  hasEnded = false;
  readonly socket: Socket;

  constructor(url: string, localAddress = "127.0.0.1") {
    const port = Number(new URL(url).port);
    this.socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
    this.socket.on("data", (chunk: Buffer) => {
      this.received += chunk.toString();
    });
    this.socket.on("error", quiet);
    for (const event of ["end", "close"]) {
      this.socket.on(event, () => {
        this.hasEnded = true;
      });
    }
  }

  write(text: string): this {
    this.socket.write(text);
    return this;
  }
}

/** Little, for tests that wait until it is over. */
const PATIENCE = { headersMs: 200, requestMs: 400, keptLongerMs: 200, idleMs: 10_000, checkEveryMs: 50 };
/** More than a busy machine takes between two connections. */
const AMPLE = { ...PATIENCE, headersMs: 120_000, requestMs: 120_000, keptLongerMs: 120_000, idleMs: 120_000 };

const KEEP_ALIVE_SECONDS = 1;

async function serve(t: TestContext, max = 100, perAddressMax = 100, patience = PATIENCE) {
  const registry = new Registry();
  const app = new Hono<EdgeEnvironment>();
  app.post("/", async (context) => context.text(String((await context.req.text()).length)));
  app.onError((_error, context) => context.text("gone", 400));
  const server = await startServer({
    app,
    config: { host: "127.0.0.1", port: 0, tls: undefined, keepAliveSeconds: KEEP_ALIVE_SECONDS },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    schedule: loopTimers.after,
    clock: systemClock,
    closing: new AbortController(),
    limits: { max, perAddressMax },
    registry,
    patience,
  });
  t.after(() => server.stop(0));
  const figure = async (line: string): Promise<number> => {
    const found = (await registry.metrics()).split("\n").find((one) => one.startsWith(`${line} `));
    return Number(found?.split(" ").at(-1) ?? 0);
  };
  const ended = (reason: string) => figure(`trading_edge_connections_ended_total{reason="${reason}"}`);
  return { url: server.url, open: () => figure("trading_edge_connections"), ended };
}

/** The status of a GET from another address of this machine, or undefined where it does not get in. */
function statusFrom(url: string, localAddress: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(`${url}/metrics`, { localAddress, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", () => resolve(undefined));
  });
}

describe("a connection that its client keeps", () => {
  for (const [what, text, reason] of [
    ["with half of its headers", "GET / HTTP/1.1\r\nHost: x\r\n", "late"],
    ["with half of its body", `${REQUEST}{`, "late"],
    ["with what is no HTTP", "nonsense\r\n\r\n", "malformed"],
  ] as const) {
    test(`${what} is answered, ended by force, and counted`, async (t) => {
      const server = await serve(t);
      const client = new Stubborn(server.url).write(text);
      await untilTrue(() => client.hasEnded);
      assert.match(client.received, /^HTTP\/1\.1 40[08] /);
      await untilTrue(async () => (await server.open()) === 0);
      assert.equal(await server.ended(reason), 1);
      client.socket.destroy();
    });
  }

  test("dripping bytes into its headers or body ends all the same", async (t) => {
    const server = await serve(t);
    for (const text of ["GET / HTTP/1.1\r\nX-A: ", REQUEST]) {
      const client = new Stubborn(server.url).write(text);
      const drip = setInterval(() => client.write("a"), 20);
      await untilTrue(() => client.hasEnded);
      clearInterval(drip);
      await untilTrue(async () => (await server.open()) === 0);
    }
  });

  test("without a byte ends", async (t) => {
    const server = await serve(t);
    const client = new Stubborn(server.url);
    await once(client.socket, "connect");
    await untilTrue(async () => (await server.open()) === 1);
    await untilTrue(async () => (await server.open()) === 0);
    client.socket.destroy();
  });
});

describe("an idle connection", () => {
  test("is kept for longer than its client is told: a request that is sent at the last moment is answered", async (t) => {
    const server = await serve(t, 100, 100, AMPLE);
    const client = new Stubborn(server.url).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await untilTrue(() => /\r\n\r\n/.test(client.received));
    assert.match(client.received, new RegExp(`^keep-alive: timeout=${KEEP_ALIVE_SECONDS}\r$`, "im"));
    assert.equal(client.received.match(/^keep-alive:/gim)?.length, 1);
    // Longer than newer Nodes add by themselves (1 s).
    const idleSince = performance.now();
    await untilTrue(() => performance.now() - idleSince > KEEP_ALIVE_SECONDS * 1_000 + 1_500);
    client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await untilTrue(() => client.hasEnded);
    assert.equal(client.received.match(/HTTP\/1\.1 \d+/g)?.length, 2);
    client.socket.destroy();
  });
});

describe("the number of connections", () => {
  test("of one address is bounded, and so is that of all; both are counted", async (t) => {
    const server = await serve(t, 5, 3, AMPLE);
    const first = Array.from({ length: 4 }, () => new Stubborn(server.url, "127.0.0.1"));
    await untilTrue(async () => (await server.ended("tooManyOfAddress")) === 1);
    const second = Array.from({ length: 3 }, () => new Stubborn(server.url, "127.0.0.2"));
    await untilTrue(async () => (await server.ended("tooMany")) === 1);
    for (const { socket } of [...first, ...second]) socket.destroy();
    await untilTrue(async () => (await server.open()) === 0);
    assert.equal(await statusFrom(server.url, "127.0.0.1"), 404, "a place that is given back is there again");
  });

  test("fits the descriptors of the process, and a quarter of it an address, unless it is said", () => {
    const unsaid = { maxConnections: undefined, maxConnectionsPerAddress: undefined, isProxyTrusted: false };
    assert.deepEqual(connectionLimits(unsaid, 1_024), { max: 768, perAddressMax: 192 });
    assert.deepEqual(connectionLimits(unsaid, Number.POSITIVE_INFINITY), { max: 10_000, perAddressMax: 1_000 });
    const proxied = { ...unsaid, isProxyTrusted: true };
    assert.deepEqual(connectionLimits(proxied, 1_024), { max: 768, perAddressMax: 768 });
    const said = { maxConnections: 50, maxConnectionsPerAddress: 7, isProxyTrusted: true };
    assert.deepEqual(connectionLimits(said, 1_024), { max: 50, perAddressMax: 7 });
  });

  test("leaves others in a place when one address asks for more than there are descriptors", async (t) => {
    const file = fileURLToPath(new URL("../support/bounded-server.ts", import.meta.url));
    const command = `ulimit -n 128; exec "${process.execPath}" --import tsx "${file}"`;
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const url = line.toString().trim().replace("0.0.0.0", "127.0.0.1");
    const clients = Array.from({ length: 200 }, () => new Stubborn(url).write("GET / HTTP/1.1\r\n"));
    t.after(() => {
      for (const { socket } of clients) socket.destroy();
    });
    await untilTrue(() => clients.filter(({ hasEnded }) => hasEnded).length >= 176);
    assert.equal(clients.filter(({ hasEnded }) => !hasEnded).length, 24);
    assert.equal(await statusFrom(url, "127.0.0.2"), 200);
  });
});
