// tier: real
/** Sockets: slow clients, TLS, an orderly end. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import type { EdgeEnvironment } from "../../../edge/server/request-state.ts";
import { startServer } from "../../../edge/server/server.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";
import type { Log, Schedule } from "../../../src/runtime/ports.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { pageOf } from "../support/fake-engine.ts";
import { runEdge } from "../support/running-edge.ts";

const quiet = (): void => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const limits = { max: 1_000, perAddressMax: 1_000 };
const list = "/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=1001";

describe("an orderly end", () => {
  test("lets what is under way finish", async (t) => {
    const edge = await runEdge(t);
    const asked = new Promise<void>((resolve) => {
      edge.engine.on("oco.list", () => {
        resolve();
        return sleep(100).then(() => pageOf(null));
      });
    });
    const answer = edge.send("GET", list);
    await asked;
    const stopped = edge.stop();
    assert.equal((await answer).status, 200);
    await stopped;
    await assert.rejects(edge.fetch("/health"));
  });

  test("cuts off by its deadline what does not end, and tells streams to end before", async (t) => {
    const closing = new AbortController();
    const app = new Hono<EdgeEnvironment>();
    let hasEnded = false;
    app.get("/polite", () => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(Buffer.from("x"));
          closing.signal.addEventListener("abort", () => {
            hasEnded = true;
            controller.close();
          });
        },
      });
      return new Response(body);
    });
    app.get(
      "/rude",
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("x")) })),
    );
    const config = { host: "127.0.0.1", port: 0, tls: undefined, keepAliveSeconds: 15 };
    const graceMs = 60_000;
    let passDeadline: () => void = quiet;
    const schedule: Schedule = (delayMs, task) => {
      if (delayMs !== graceMs) return loopTimers.after(delayMs, task);
      passDeadline = task;
      return quiet;
    };
    const server = await startServer({ app, config, log, schedule, clock: systemClock, closing, limits });
    t.after(() => server.stop(0));
    const polite = await fetch(`${server.url}/polite`);
    const rude = await fetch(`${server.url}/rude`);
    const stopped = server.stop(graceMs);
    assert.equal(await polite.text(), "x");
    assert.equal(hasEnded, true);
    passDeadline();
    await assert.rejects(rude.text());
    await stopped;
  });
});

test("an address that is taken rejects the start", async (t) => {
  const edge = await runEdge(t);
  const config = { host: "127.0.0.1", port: Number(new URL(edge.url).port), tls: undefined, keepAliveSeconds: 15 };
  const closing = new AbortController();
  await assert.rejects(
    startServer({ app: edge.app, config, log, schedule: loopTimers.after, clock: systemClock, closing, limits }),
    /is taken by another process/,
  );
});

describe("TLS", () => {
  test("files that cannot be read stop the start with their name", async () => {
    const tls = { certFile: "/nowhere/cert.pem", keyFile: "/nowhere/key.pem" };
    const options = {
      app: new Hono<EdgeEnvironment>(),
      log,
      schedule: loopTimers.after,
      clock: systemClock,
      closing: new AbortController(),
      limits,
    };
    await assert.rejects(
      startServer({ ...options, config: { host: "127.0.0.1", port: 0, tls, keepAliveSeconds: 15 } }),
      (error) => error instanceof UserError && /^TLS_CERT_FILE: /.test(error.message),
    );
  });

  test("is spoken with the files that are given", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "trading-edge-tls-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const subject = ["-subj", "/CN=localhost", "-days", "1", "-nodes", "-newkey", "rsa:2048"];
    execFileSync("openssl", ["req", "-x509", ...subject, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
    const app = new Hono<EdgeEnvironment>();
    app.get("/", (context) => context.text(new URL(context.req.url).protocol));
    const config = { host: "127.0.0.1", port: 0, tls: { certFile, keyFile }, keepAliveSeconds: 15 };
    const server = await startServer({
      app,
      config,
      log,
      schedule: loopTimers.after,
      clock: systemClock,
      closing: new AbortController(),
      limits,
    });
    t.after(() => server.stop(100));
    const text = await new Promise<string>((resolve, reject) => {
      request(server.url, { rejectUnauthorized: false, agent: false }, (response) => {
        response.on("data", (chunk: Buffer) => resolve(chunk.toString()));
      })
        .on("error", reject)
        .end();
    });
    assert.equal(text, "https:");
  });
});
