/** Tests of notification targets over HTTP: how many are allowed, and the report of a failed test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runEdge } from "../support/running-edge.ts";

const path = "/api/v1/notification-targets";

test("an owner may have 6 test messages sent a minute, to all targets together", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("targets.test", () => ({ ok: true, data: { delivered: true, message: "taken", detail: null } }));
  for (let message = 0; message < 6; message += 1) {
    const answer = await edge.send("POST", `${path}/${message + 1}/test`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("x-ratelimit-limit"), "6");
    assert.equal(answer.headers.get("x-ratelimit-remaining"), String(5 - message));
  }
  const refused = await edge.send("POST", `${path}/1/test`);
  assert.equal(refused.status, 429);
  const body = (await refused.json()) as { readonly message: string; readonly retryAfterSeconds: number };
  assert.match(body.message, /^Send a test message: the limit of 6 is reached/);
  assert.ok(body.retryAfterSeconds >= 1 && body.retryAfterSeconds <= 60);
  assert.equal(refused.headers.get("retry-after"), String(body.retryAfterSeconds));
  assert.equal(edge.engine.asked.filter(({ type }) => type === "targets.test").length, 6);
  const another = await edge.bearer({ claims: { sub: "2" } });
  assert.equal((await edge.fetch(`${path}/1/test`, { method: "POST", headers: another })).status, 200);
});

test("the insides of a test that failed reach the log under the request's id, and not the answer", async (t) => {
  const edge = await runEdge(t);
  const detail = "ESOCKET ECONNREFUSED: connect ECONNREFUSED 10.1.2.3:587";
  const told = { delivered: false, message: "the mail server is not reachable" };
  edge.engine.on("targets.test", () => ({ ok: true, data: { ...told, detail } }));
  const answer = await edge.send("POST", `${path}/5/test`);
  assert.deepEqual(await answer.json(), { success: true, message: "The test was sent", data: told });
  const requestId = answer.headers.get("x-request-id");
  assert.ok(requestId);
  const lines = edge.log.filter(({ fields }) => fields.detail === detail);
  assert.deepEqual(
    lines.map(({ level, fields }) => [level, fields]),
    [["warn", { event: "target.testFailed", requestId, userId: 1, targetId: 5, detail }]],
  );
});

test("a test that the engine refuses is refused, and nothing is written about it", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("targets.test", () => ({
    ok: false,
    code: "NOT_FOUND",
    message: "notification target 5 was not found",
  }));
  assert.equal((await edge.send("POST", `${path}/5/test`)).status, 404);
  assert.ok(!edge.log.some(({ fields }) => "detail" in fields));
});
