/** What is around every request: id, headers, one line in the log. */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, test } from "node:test";
import { pathForLog } from "../../../edge/middleware/frame.ts";
import { createLog } from "../../../src/runtime/log.ts";
import type { LogFields } from "../../../src/runtime/ports.ts";
import { runEdge } from "../support/running-edge.ts";

describe("the request id", () => {
  test("is the client's where it is sane, else a new one", async (t) => {
    const edge = await runEdge(t);
    const idFor = async (given: string) =>
      (await edge.fetch("/health", { headers: { "x-request-id": given } })).headers.get("x-request-id");
    assert.equal(await idFor("abc-123.DEF_9:0"), "abc-123.DEF_9:0");
    for (const given of ["", "a b", "x".repeat(65), "<script>", "a\tb", "ä"]) {
      assert.match((await idFor(given)) ?? "", /^[0-9a-f-]{36}$/, given);
    }
  });
});

describe("the headers", () => {
  test("of JSON keep a browser from making more of it", async (t) => {
    const edge = await runEdge(t);
    const { headers } = await edge.fetch("/health");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers.get("strict-transport-security"), null);
    assert.equal(headers.get("x-powered-by"), null);
  });

  test("say over TLS that it stays so", async (t) => {
    const edge = await runEdge(t, { trustedProxies: 1 });
    const { headers } = await edge.fetch("/health");
    assert.match(headers.get("strict-transport-security") ?? "", /^max-age=31536000/);
  });

  test("of an answer made elsewhere are added, and what it set itself stays", async (t) => {
    const edge = await runEdge(t, {
      extend: (app) => {
        app.get("/page", (context) =>
          context.html("<p>", 200, { "content-security-policy": "default-src 'self' data:" }),
        );
      },
    });
    const { headers } = await edge.fetch("/page", { headers: { "x-request-id": "p" } });
    assert.equal(headers.get("content-security-policy"), "default-src 'self' data:");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("x-request-id"), "p");
    assert.match(headers.get("content-type") ?? "", /^text\/html/);
  });
});

describe("the log", () => {
  test("has one line a request: what, how long, for whom, and no more", async (t) => {
    const edge = await runEdge(t);
    await edge.send("GET", "/api/v1/oco-orders?brokerageCode=secret", undefined, { "x-request-id": "r1" });
    const lines = edge.log.filter(({ fields }) => fields.requestId === "r1");
    assert.equal(lines.length, 1);
    const { durationMs, ...rest }: Partial<LogFields> = lines[0]?.fields ?? {};
    assert.equal(typeof durationMs, "number");
    assert.deepEqual(rest, {
      ...{ event: "http.request", requestId: "r1", method: "GET", path: "/api/v1/oco-orders", status: 400, userId: 1 },
      ...{ address: "127.0.0.1", reason: undefined },
    });
  });

  test("says of a 401 why, and from where it came behind a trusted proxy", async (t) => {
    const edge = await runEdge(t, { trustedProxies: 1 });
    const headers = { "x-request-id": "r2", "x-forwarded-for": "203.0.113.7" };
    assert.equal((await edge.fetch("/api/v1/accounts", { headers })).status, 401);
    const [line] = edge.log.filter(({ fields }) => fields.requestId === "r2");
    assert.deepEqual([line?.fields.address, line?.fields.reason], ["203.0.113.7", "an access token is required"]);
  });

  test("has no line at info of a probe that is answered 200, and one of a probe that is not", async (t) => {
    const edge = await runEdge(t);
    await edge.fetch("/health", { headers: { "x-request-id": "p1" } });
    await edge.fetch("/health", { method: "POST", headers: { "x-request-id": "p2" } });
    const levels = ["p1", "p2"].map((id) => edge.log.find(({ fields }) => fields.requestId === id)?.level);
    assert.deepEqual(levels, ["debug", "info"]);
  });

  test("does not show a webhook's secret", async (t) => {
    assert.equal(pathForLog("/webhooks/s3cret"), "/webhooks/[redacted]");
    assert.equal(pathForLog("/webhooks/s3cret/more"), "/webhooks/[redacted]");
    assert.equal(pathForLog(`/webhook/${"aB3_-".repeat(8)}x`), "/webhook/[redacted]");
    assert.equal(pathForLog("/api/v1/public/restrictions/check/AAA/1"), "/api/v1/public/restrictions/check/AAA/1");
    const edge = await runEdge(t);
    for (const path of [
      "/webhooks/s3cret",
      "//webhooks/s3cret",
      "/Webhooks/s3cret",
      "/%77ebhooks/s3cret",
      "/api/../webhooks/s3cret",
    ]) {
      await edge.fetch(path, { method: "POST", body: "{}" });
    }
    assert.ok(!JSON.stringify(edge.log).includes("s3cret"));
  });

  test("cuts out what bears a secret's name", () => {
    let text = "";
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        done();
      },
    });
    const log = createLog({ level: "info" }, "edge", sink);
    log.info(
      {
        event: "http.request",
        authorization: "s3cret",
        headers: { "x-api-key": "s3cret", cookie: "s3cret" },
        password: "s3cret",
      },
      "x",
    );
    log.info({ event: "http.request", login: { password: "s3cret", sms: "s3cret" }, body: { a: "s3cret" } }, "x");
    log.error({ event: "http.failed", error: new Error("shown") }, "x");
    assert.ok(!text.includes("s3cret"));
    assert.match(text, /shown/);
  });
});
