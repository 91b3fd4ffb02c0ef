/** Which pages a browser lets call the interface. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../support/fake-engine.ts";
import { runEdge } from "../support/running-edge.ts";

const DESK = "https://desk.example.com";
const path = "/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=1001";
const preflight = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,content-type,idempotency-key",
};

test("no page is let in unless its origin is named", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null));
  const asked = await edge.fetch(path, { method: "OPTIONS", headers: { ...preflight, origin: DESK } });
  assert.equal(asked.headers.get("access-control-allow-origin"), null);
  const answered = await edge.send("GET", path, undefined, { origin: DESK });
  assert.equal(answered.headers.get("access-control-allow-origin"), null);
});

test("a page of a named origin may ask, send what operations take, and read limits; another may not", async (t) => {
  const edge = await runEdge(t, { corsOrigins: [DESK] });
  edge.engine.on("oco.list", () => pageOf(null));
  const asked = await edge.fetch(path, { method: "OPTIONS", headers: { ...preflight, origin: DESK } });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get("access-control-allow-origin"), DESK);
  for (const header of ["Authorization", "Content-Type", "Idempotency-Key", "X-API-Key"]) {
    assert.ok(asked.headers.get("access-control-allow-headers")?.includes(header), header);
  }
  const answered = await edge.send("GET", path, undefined, { origin: DESK });
  assert.equal(answered.status, 200);
  assert.equal(answered.headers.get("access-control-allow-origin"), DESK);
  assert.ok(answered.headers.get("access-control-expose-headers")?.includes("X-RateLimit-Remaining"));
  assert.equal(answered.headers.get("access-control-allow-credentials"), null);
  assert.match(answered.headers.get("content-type") ?? "", /^application\/json/);
  const refused = await edge.fetch(path, { headers: { origin: DESK } });
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get("access-control-allow-origin"), DESK, "a page can read why it was refused");
  for (const origin of ["https://desk.example.com.evil.com", "http://desk.example.com", "null"]) {
    const other = await edge.send("GET", path, undefined, { origin });
    assert.equal(other.headers.get("access-control-allow-origin"), null, origin);
  }
});
