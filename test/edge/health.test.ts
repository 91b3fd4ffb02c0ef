/** Alive and ready are two things. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilTrue } from "../support/machine/until-true.ts";
import { runEdge } from "./support/running-edge.ts";

test("an edge without an engine is alive and not ready, and says which partition is silent", async (t) => {
  const edge = await runEdge(t, { partitions: 2 });
  edge.engine.on("health", () => ({ ok: false, code: "UNAVAILABLE", message: "starting" }));
  edge.advance(1_001);
  assert.equal((await edge.fetch("/health")).status, 200);
  const response = await edge.fetch("/ready");
  assert.equal(response.status, 503);
  const message = "no engine answers for partition 0, 1";
  assert.deepEqual(await response.json(), { success: false, message, error: { code: "UNAVAILABLE", message } });
});

test("an edge is ready when every partition answers", async (t) => {
  const edge = await runEdge(t, { partitions: 3 });
  const response = await edge.fetch("/ready");
  assert.deepEqual(await response.json(), {
    success: true,
    message: "ready",
    data: { status: "ready", partitions: 3 },
  });
});

test("strangers who ask often do not make the edge ask often", async (t) => {
  const edge = await runEdge(t);
  const asked = () => edge.engine.asked.filter(({ type }) => type === "health").length;
  await untilTrue(() => asked() > 0);
  const before = asked();
  await Promise.all(Array.from({ length: 20 }, () => edge.fetch("/ready")));
  assert.ok(asked() - before <= 1);
});
