/** Long answers are compressed for clients that take it (behaviour 1.13). */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { pageOf } from "../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const list = "/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=1001";
const plan = "/api/v1/oco-orders/7/plan";
const notes = "ş".repeat(2_000);

interface Raw {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request with these headers and no others; what comes back is not undone. */
async function send(edge: RunningEdge, method: string, path: string, headers: object): Promise<Raw> {
  const all = { ...(await edge.bearer()), ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${edge.url}${path}`, { method, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on("error", reject).end();
  });
}

test("a long answer is compressed for who takes gzip, whether one page or many, and says that it varies", async (t) => {
  const edge = await runEdge(t);
  const pages = new Map([
    ["", pageOf("b", { id: 1, notes })],
    ["b", pageOf(null, { id: 2, notes })],
  ]);
  for (const isWhole of [true, false]) {
    edge.engine.on("oco.list", ({ body }) =>
      isWhole ? pageOf(null, { id: 1, notes }) : (pages.get((body as { from?: string }).from ?? "") ?? pageOf(null)),
    );
    const plain = await send(edge, "GET", list, {});
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.equal(plain.headers.vary, "Accept-Encoding");
    for (const accepted of ["gzip, deflate, br", "*", "br, gzip;q=0.1"]) {
      const zipped = await send(edge, "GET", list, { "accept-encoding": accepted });
      assert.equal(zipped.headers["content-encoding"], "gzip", accepted);
      assert.equal(zipped.headers.vary, "Accept-Encoding");
      assert.equal(zipped.headers["content-type"], "application/json");
      assert.ok(zipped.body.length < plain.body.length / 4);
      assert.deepEqual(gunzipSync(zipped.body), plain.body);
    }
    for (const accepted of ["gzip;q=0", "br", "identity"]) {
      const asked = await send(edge, "GET", list, { "accept-encoding": accepted });
      assert.equal(asked.headers["content-encoding"], undefined, accepted);
      assert.deepEqual(asked.body, plain.body);
    }
    const head = await send(edge, "HEAD", list, { "accept-encoding": "gzip" });
    assert.equal(head.body.length, 0);
    assert.ok(!("content-encoding" in head.headers));
  }
});

test("a short answer is sent as it is", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null, { id: 1 }));
  const { headers } = await send(edge, "GET", list, { "accept-encoding": "gzip" });
  assert.equal(headers["content-encoding"], undefined);
  assert.equal(headers.vary, undefined);
});

test("an answer with an entity tag keeps it strong and its bytes, so that If-Match takes it", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.plan", () => ({ ok: true, data: { notes }, version: 3 }));
  const { headers, body } = await send(edge, "GET", plan, { "accept-encoding": "gzip" });
  assert.equal(headers.etag, '"3"');
  assert.equal(headers["content-encoding"], undefined);
  assert.deepEqual(JSON.parse(body.toString()).data, { notes });
  edge.engine.on("oco.change", () => ({ ok: true, data: { notes }, version: 4 }));
  const changed = await edge.send(
    "PATCH",
    "/api/v1/oco-orders/7",
    { brokerageCode: "PAPER", notes: "" },
    { "if-match": String(headers.etag) },
  );
  assert.equal(changed.status, 200);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, {
    id: 7,
    change: { brokerageCode: "PAPER", notes: "" },
    versions: [3],
  });
});

test("a stream of events is not compressed", async (t) => {
  const edge = await runEdge(t);
  const headers = { ...(await edge.bearer()), "accept-encoding": "gzip" };
  edge.engine.on("events.since", () => ({
    ok: true,
    data: { events: [], through: "abcdefghij-0-0", isLast: true, gapTo: null },
  }));
  const stop = new AbortController();
  t.after(() => stop.abort());
  const response = await edge.fetch("/api/v1/events", { headers, signal: stop.signal });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("content-encoding"), null);
});
