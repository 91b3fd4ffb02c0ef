/** Registering a pending OCO over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid } from "../../../support/invalid.ts";
import { runEdge } from "../../support/running-edge.ts";

const path = "/api/v1/oco-orders/register-pending";
const registration = {
  brokerageCode: "PAPER",
  accountNumber: "1001",
  brokerOrderNo: "N1",
  symbol: "THYAO",
  stopLossQuantity: 10,
  stopLossPercent: 3,
  takeProfitItems: [{ quantity: 10, percent: 5 }],
};

test("a registration answers with the setup's id", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("setup.register", () => ({ ok: true, data: 12 }));
  const response = await edge.send("POST", path, registration, { "idempotency-key": "k1" });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { success: true, message: "The pending OCO was registered", data: 12 });
  const asked = edge.engine.asked.at(-1);
  assert.deepEqual(asked?.body, registration);
  assert.equal(asked?.idempotency?.key, "k1");
});

test("every 400 carries data 0: of the engine, of the shape, and of what is no JSON", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("setup.register", () => ({ ok: false, code: "INVALID", message: "a pending record already exists" }));
  const bodies = [registration, { ...registration, symbol: 7 }, "{", { ...registration, takeProfitItems: "none" }];
  for (const body of bodies) {
    const response = await edge.send("POST", path, body);
    assert.equal(response.status, 400);
    const answer = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([answer.success, typeof answer.message, answer.data], [false, "string", 0]);
  }
});

test("other refusals are answered as everywhere, and a registration costs one order", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("setup.register", () => ({ ok: false, code: "FORBIDDEN", message: "not your account" }));
  const foreign = await edge.send("POST", path, { ...registration, brokerageCode: "SLOW" });
  assert.equal(foreign.status, 403);
  assert.equal(((await foreign.json()) as { data?: unknown }).data, undefined);
  assert.equal(foreign.headers.get("x-ratelimit-limit"), "5");
  const reading = await edge.bearer({ claims: { scope: "read" } });
  assert.equal((await edge.send("POST", path, registration, reading)).status, 403);
});

test("null is no percent and no price: a level that is given in the other way is left out", async (t) => {
  const edge = await runEdge(t);
  const item = { quantity: 10, percent: 5 };
  const wrong: readonly (readonly [object, string])[] = [
    [{ stopLossPrice: null }, "stopLossPrice must be a number"],
    [{ stopLossPrice: 90, stopLossPercent: null }, "stopLossPercent must be a number"],
    [{ takeProfitItems: [item, { ...item, price: null }] }, "takeProfitItems[1].price must be a number"],
    [{ takeProfitItems: [{ ...item, price: 110, percent: null }] }, "takeProfitItems[0].percent must be a number"],
  ];
  for (const [change, message] of wrong) {
    const response = await edge.send("POST", path, { ...registration, ...change });
    assert.equal(response.status, 400);
    assertInvalid(await response.json(), message, { data: 0 });
  }
});

test("a change hands on the versions that If-Match names, and answers with the ETag of the new one (behaviour 5.9a)", async (t) => {
  const edge = await runEdge(t);
  const asked: unknown[] = [];
  edge.engine.on("setup.change", ({ body }) => {
    asked.push(body);
    return { ok: true, data: { setupId: 12 }, version: 4 };
  });
  const change = { brokerageCode: "PAPER", stopLossPrice: 90, dueDate: null };
  const response = await edge.send("PATCH", "/api/v1/oco-orders/pending/12", change, { "If-Match": '"3"' });
  assert.deepEqual([response.status, response.headers.get("etag")], [200, '"4"']);
  assert.deepEqual(asked, [{ id: 12, change, versions: [3] }]);
});

test("a change without a take-profit, with both levels, or with a level that is null is a 400 that names the field", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("setup.change", () => ({ ok: true, data: {}, version: 2 }));
  const wrong: readonly (readonly [object, string])[] = [
    [{ takeProfitItems: [] }, "takeProfitItems must not be empty"],
    [{ stopLossPrice: null }, "stopLossPrice must be a number"],
    [{ exit: null }, "exit must be an object"],
    [{ notse: "x" }, "notse is not a field; did you mean notes?"],
  ];
  for (const [change, message] of wrong) {
    const response = await edge.send("PATCH", "/api/v1/oco-orders/pending/12", { brokerageCode: "PAPER", ...change });
    const answer = (await response.json()) as { readonly message: string };
    assert.equal(response.status, 400, message);
    assert.ok(answer.message.startsWith(message), answer.message);
  }
});

test("a change counts to the order quota of the setup's brokerage, also where it names none", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("setup.change", () => ({ ok: true, data: {}, version: 2 }));
  edge.engine.on("setup.brokerage", () => ({ ok: true, data: "SLOW" }));
  const path = "/api/v1/oco-orders/pending/12";
  const named = await edge.send("PATCH", path, { brokerageCode: "SLOW", notes: null });
  const unnamed = await edge.send("PATCH", path, { notes: null });
  const left = [named, unnamed].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  assert.equal(left[1], (left[0] ?? 0) - 1);
});
