/** OCO routes: what goes to the engine, and what comes back of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "./support/fake-engine.ts";
import { group } from "./support/group.ts";
import { runEdge } from "./support/running-edge.ts";

const path = "/api/v1/oco-orders";
test("a create goes to the engine as the caller's", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.create", () => ({ ok: true, data: { id: 7, groupId: 7 } }));
  const response = await edge.send("POST", path, group, { "x-request-id": "mine-1" });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {
    success: true,
    message: "The OCO group was created",
    data: { id: 7, groupId: 7 },
  });
  const asked = edge.engine.asked.find(({ type }) => type === "oco.create");
  assert.deepEqual(asked, {
    type: "oco.create",
    userId: 1,
    requestId: "mine-1",
    body: group,
    subject: "engine.0.command",
  });
  assert.equal(response.headers.get("x-request-id"), "mine-1");
});

test("a list of several pages is one array, in the bytes the engine stored", async (t) => {
  const edge = await runEdge(t);
  const pages = new Map([
    ["", pageOf("b", { id: 1 }, { id: 2 })],
    ["b", pageOf("c", { id: 3 })],
    ["c", pageOf(null, { id: 4 })],
  ]);
  edge.engine.on("oco.list", ({ body }) => pages.get(String((body as { from?: string }).from ?? "")) ?? pageOf(null));
  const response = await edge.send("GET", `${path}?brokerageCode=PAPER&accountNumber=1001`);
  assert.equal(response.status, 200);
  assert.equal(
    await response.text(),
    '{"success":true,"message":"The OCO rows of the account","data":[{"id":1},{"id":2},{"id":3},{"id":4}]}',
  );
});

test("a cancel takes the id of the path and the brokerage of the query", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.cancel", () => ({ ok: true, data: true }));
  const response = await edge.send("DELETE", `${path}/42?brokerageCode=PAPER`);
  assert.deepEqual(await response.json(), { success: true, message: "The OCO group was cancelled", data: true });
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 42, brokerageCode: "PAPER" });
});
