/** Order routes: what goes to the engine, what it costs, and what comes back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runEdge } from "../../support/running-edge.ts";

const path = "/api/v1/orders";
const place = { brokerageCode: "PAPER", accountNumber: "A-7" };
const order = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 1, price: 0 };
const placement = { symbol: "THYAO", quantity: 10, buySell: 1, orderNo: "N1", orderStatus: 1 };

test("an order and a chain order go to the engine with their key and come back in the envelope", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("order.place", () => ({ ok: true, data: placement }));
  edge.engine.on("order.chain", () => ({ ok: true, data: placement }));
  const response = await edge.send("POST", path, { ...place, ...order }, { "idempotency-key": "k1" });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { success: true, message: "The order was placed", data: placement });
  const placed = edge.engine.asked.at(-1);
  assert.equal(placed?.idempotency?.key, "k1");
  assert.deepEqual(placed?.body, { ...place, ...order });
  const chained = await edge.send("POST", `${path}/chain`, { ...place, ...order, referenceOrderNo: "N0" });
  assert.equal(chained.status, 200);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...place, ...order, referenceOrderNo: "N0" });
});

test("the message of a placement says what its status says", async (t) => {
  const edge = await runEdge(t);
  for (const [orderStatus, became] of [
    [0, "placed"],
    [2, "placed"],
    [3, "cancelled by the brokerage"],
    [4, "rejected by the brokerage"],
  ] as const) {
    const data = { ...placement, orderStatus };
    for (const type of ["order.place", "order.chain"]) edge.engine.on(type, () => ({ ok: true, data }));
    const placed = await edge.send("POST", path, { ...place, ...order });
    assert.deepEqual(await placed.json(), { success: true, message: `The order was ${became}`, data });
    const chained = await edge.send("POST", `${path}/chain`, { ...place, ...order, referenceOrderNo: "N0" });
    assert.deepEqual(await chained.json(), { success: true, message: `The chain order was ${became}`, data });
  }
});

test("orders need the scope trade", async (t) => {
  const edge = await runEdge(t);
  const headers = await edge.bearer({ claims: { scope: "read" } });
  for (const operation of ["", "/chain", "/batch", "/cancel", "/cancel/batch"]) {
    const response = await edge.send("POST", path + operation, place, headers);
    assert.equal(response.status, 403, operation);
  }
});

test("a body of the wrong shape is a 400 that names the field, and -0 is no price", async (t) => {
  const edge = await runEdge(t);
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ["", JSON.stringify({ ...place, ...order, symbol: undefined }), /^symbol is required$/],
    ["", JSON.stringify({ ...place, ...order, quantity: "10" }), /^quantity must be a number$/],
    ["", JSON.stringify({ ...place, ...order, price: null }), /^price /],
    ["", JSON.stringify({ ...place, ...order }).replace('"price":0', '"price":-0'), /^price must not be -0$/],
    ["/chain", JSON.stringify({ ...place, ...order }), /^referenceOrderNo is required$/],
    ["/cancel", JSON.stringify({ ...place, symbol: "THYAO" }), /^orderNo is required$/],
    ["/batch", JSON.stringify(place), /^items is required$/],
    ["/batch", JSON.stringify({ ...place, items: [] }), /^items must not be empty$/],
    [
      "/batch",
      JSON.stringify({ ...place, items: Array.from({ length: 101 }, () => order) }),
      /^items must have at most 100 items$/,
    ],
    ["/cancel/batch", JSON.stringify({ ...place, items: "N1" }), /^items must be an array$/],
  ];
  for (const [operation, body, message] of wrong) {
    const response = await edge.send("POST", path + operation, body);
    assert.equal(response.status, 400, body);
    const answer = (await response.json()) as { success: boolean; message: string };
    assert.equal(answer.success, false);
    assert.match(answer.message, message);
  }
});

test("a batch passes malformed items on, and -0 as what it is not", async (t) => {
  const edge = await runEdge(t);
  const data = [{ success: false, message: "quantity is required", data: null }];
  edge.engine.on("order.batch", () => ({ ok: true, data, message: "0 of 1 orders were placed" }));
  const body = JSON.stringify({ ...place, items: [{ symbol: 1 }, null, order] }).replace('"price":0', '"price":-0');
  const response = await edge.send("POST", `${path}/batch`, body);
  assert.deepEqual(await response.json(), { success: true, message: "0 of 1 orders were placed", data });
  assert.deepEqual(edge.engine.asked.at(-1)?.body, {
    ...place,
    items: [{ symbol: 1 }, null, { ...order, price: null }],
  });
});

test("a batch costs its items and is refused whole when it does not fit; what fits still goes", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("order.batch", () => ({ ok: true, data: [] }));
  edge.engine.on("order.place", () => ({ ok: true, data: placement }));
  const slow = { ...place, brokerageCode: "SLOW" };
  const batch = (count: number) => edge.send("POST", `${path}/batch`, { ...slow, items: Array(count).fill(order) });
  assert.equal((await batch(4)).headers.get("x-ratelimit-remaining"), "1");
  const refused = await batch(2);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await edge.send("POST", path, { ...slow, ...order })).status, 200);
  assert.equal((await edge.send("POST", path, { ...slow, ...order })).status, 429);
});

test("a batch above the whole quota is told that it never fits, one that must wait is told how long", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("order.batch", () => ({ ok: true, data: [] }));
  const batch = (count: number) =>
    edge.send("POST", `${path}/batch`, { ...place, brokerageCode: "SLOW", items: Array(count).fill(order) });
  const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message;
  const never = await batch(6);
  assert.equal(never.status, 429);
  const why = "Place a batch of orders: 6 together are above the limit of 5 and never fit; send at most 5";
  assert.equal(await messageOf(never), why);
  assert.equal((await batch(5)).status, 200);
  assert.match(await messageOf(await batch(5)), /: the limit of 5 is reached; try again in \d+ s$/);
});

test("cancels are not counted and say what the engine says", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("order.cancel", () => ({ ok: true, data: true }));
  edge.engine.on("order.cancelBatch", () => ({ ok: true, data: true, message: "1 of 2 orders were cancelled" }));
  const slow = { ...place, brokerageCode: "SLOW" };
  for (let count = 0; count < 7; count += 1) {
    const response = await edge.send("POST", `${path}/cancel`, { ...slow, orderNo: "N1", symbol: "THYAO" });
    assert.deepEqual(await response.json(), { success: true, message: "The order was cancelled", data: true });
  }
  const items = [
    { orderNo: "N1", symbol: "THYAO" },
    { orderNo: "N2", symbol: "THYAO" },
  ];
  const response = await edge.send("POST", `${path}/cancel/batch`, { ...slow, items });
  assert.deepEqual(await response.json(), { success: true, message: "1 of 2 orders were cancelled", data: true });
});

test("an outcome that is not known yet is a 503 that says how to learn it", async (t) => {
  const edge = await runEdge(t);
  const message = "the brokerage has not answered yet: repeat the same Idempotency-Key or read the daily orders";
  edge.engine.on("order.place", () => ({ ok: false, code: "UNAVAILABLE", message }));
  const response = await edge.send("POST", path, { ...place, ...order });
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), { success: false, message, error: { code: "UNAVAILABLE", message } });
});
