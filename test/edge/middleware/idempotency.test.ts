/** `Idempotency-Key` as the engine receives it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid } from "../../support/invalid.ts";
import { group } from "../support/group.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const path = "/api/v1/oco-orders";

async function fingerprintOf(edge: RunningEdge, key: string, body: string): Promise<string> {
  const response = await edge.send("POST", path, body, { "idempotency-key": key });
  assert.equal(response.status, 200);
  const { idempotency } = edge.engine.asked.at(-1) ?? {};
  assert.equal(idempotency?.key, key);
  return idempotency?.fingerprint ?? "";
}

test("the engine gets the key and a fingerprint of method, path and the body's bytes", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.create", () => ({ ok: true, data: {} }));
  const text = JSON.stringify(group);
  const first = await fingerprintOf(edge, "k", text);
  assert.equal(first.length, 43);
  assert.equal(await fingerprintOf(edge, "k", text), first);
  assert.notEqual(await fingerprintOf(edge, "k", `${text} `), first);
  assert.equal(await fingerprintOf(edge, "x".repeat(200), text), first);
});

test("a key that is empty or longer than 200 characters: 400", async (t) => {
  const edge = await runEdge(t);
  for (const key of ["", "x".repeat(201)]) {
    const response = await edge.send("POST", path, group, { "idempotency-key": key });
    assert.equal(response.status, 400);
    assertInvalid(await response.json(), "Idempotency-Key must be 1 to 200 characters");
  }
});

test("without a key there is none, and only a POST has one", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.create", () => ({ ok: true, data: {} }));
  edge.engine.on("oco.cancel", () => ({ ok: true, data: true }));
  await edge.send("POST", path, group);
  assert.equal(edge.engine.asked.at(-1)?.idempotency, undefined);
  await edge.send("DELETE", `${path}/1?brokerageCode=PAPER`, undefined, { "idempotency-key": "k" });
  assert.equal(edge.engine.asked.at(-1)?.type, "oco.cancel");
  assert.equal(edge.engine.asked.at(-1)?.idempotency, undefined);
});
