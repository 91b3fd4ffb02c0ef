/** Account routes: what goes to the engine, what it costs, and what comes back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../../support/fake-engine.ts";
import { runEdge } from "../../support/running-edge.ts";

const path = "/api/v1/accounts";
const place = { brokerageCode: "PAPER", accountNumber: "A-7" };
const SECRET = "hunter2hunter2";
const login = { ...place, username: "12345678901", password: SECRET };

test("accounts are listed in the envelope", async (t) => {
  const edge = await runEdge(t);
  const data = [{ accountNumber: "A-7", number: "7", name: "x", brokerageCode: "PAPER", brokerageName: "Paper" }];
  edge.engine.on("accounts.list", () => ({ ok: true, data }));
  const response = await edge.send("GET", path);
  assert.deepEqual(await response.json(), { success: true, message: "Your accounts", data });
});

test("an account is flattened only with the confirmation, and never with a key", async (t) => {
  const edge = await runEdge(t);
  const data = { orders: [], left: [], cancelledOrders: 0, cancelledGroups: 0, removedSetups: 0 };
  edge.engine.on("trading.flatten", () => ({ ok: true, data }));
  const body = { ...place, reason: "a test", confirm: "FLATTEN" };
  const done = await edge.send("POST", `${path}/flatten`, body, { "idempotency-key": "k" });
  assert.deepEqual(await done.json(), { success: true, message: "The account is being sold", data });
  assert.equal(edge.engine.asked.at(-1)?.idempotency, undefined);
  for (const [wrong, field] of [
    [{ ...body, confirm: "yes" }, "confirm"],
    [{ ...body, reason: "" }, "reason"],
    [{ ...body, accountNumber: undefined }, "accountNumber"],
  ] as const) {
    const refused = await edge.send("POST", `${path}/flatten`, wrong);
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { message: string }).message, new RegExp(`^${field}`));
  }
});

test("a paper account is set back only with the confirmation, and never with a key", async (t) => {
  const edge = await runEdge(t);
  const data = { cash: 1_000, buyingPower: 1_000, equity: 1_000, currency: "TRY" };
  edge.engine.on("account.reset", () => ({ ok: true, data }));
  const body = { ...place, confirm: "RESET" };
  const done = await edge.send("POST", `${path}/reset`, body, { "idempotency-key": "k" });
  assert.deepEqual(await done.json(), { success: true, message: "The account is set back", data });
  assert.equal(edge.engine.asked.at(-1)?.idempotency, undefined);
  const refused = await edge.send("POST", `${path}/reset`, place);
  assert.equal(refused.status, 400);
  assert.match(((await refused.json()) as { message: string }).message, /^confirm/);
});

test("a login goes to the engine in both stages, never with a key, and the message says which stage it was", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("account.login", ({ body }) =>
    "sms" in (body as object)
      ? { ok: true, data: { otp: 0, isLoggedIn: true } }
      : { ok: true, data: { otp: 1, sessionId: "s" } },
  );
  const first = await edge.send("POST", `${path}/login`, login, { "idempotency-key": "k" });
  assert.deepEqual(await first.json(), {
    success: true,
    message: "A code was sent by SMS",
    data: { otp: 1, sessionId: "s" },
  });
  assert.equal(edge.engine.asked.at(-1)?.idempotency, undefined);
  const second = await edge.send("POST", `${path}/login`, { ...login, sessionId: "s", sms: "424242" });
  assert.deepEqual(await second.json(), {
    success: true,
    message: "You are logged in to the brokerage",
    data: { otp: 0, isLoggedIn: true },
  });
});

test("a login that is malformed or refused repeats nothing of what was sent, and neither does the log", async (t) => {
  const edge = await runEdge(t);
  const bodies = [
    { ...login, sms: SECRET },
    { ...login, accountNumber: "" },
    { ...login, password: [SECRET] },
    { ...login, username: undefined },
    `${JSON.stringify(login)}x`,
  ];
  for (const body of bodies) {
    const response = await edge.send("POST", `${path}/login`, body);
    assert.equal(response.status, 400);
    assert.ok(!(await response.text()).includes(SECRET));
  }
  edge.engine.on("account.login", () => ({ ok: false, code: "INVALID", message: "wrong code" }));
  assert.equal((await edge.send("POST", `${path}/login`, login)).status, 400);
  assert.ok(!JSON.stringify(edge.log).includes(SECRET));
});

test("positions and daily orders are passed through, and reading them needs only the scope read", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("accounts.positions", () => pageOf(null, { symbol: "THYAO" }));
  edge.engine.on("accounts.dailyOrders", () => pageOf(null, { orderNo: "N1" }));
  const headers = await edge.bearer({ claims: { scope: "read" } });
  const positions = await edge.send("POST", `${path}/positions`, { ...place, includeOrders: true }, headers);
  assert.deepEqual(((await positions.json()) as { data: unknown }).data, [{ symbol: "THYAO" }]);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...place, includeOrders: true });
  edge.advance(1_000);
  const orders = await edge.send("POST", `${path}/daily-orders`, { ...place, accountNumber: "A-8" }, headers);
  assert.deepEqual(((await orders.json()) as { data: unknown }).data, [{ orderNo: "N1" }]);
  assert.equal((await edge.send("POST", `${path}/login`, login, headers)).status, 403);
});

test("positions and daily orders share one request a second for a user and account", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("accounts.positions", () => pageOf(null));
  edge.engine.on("accounts.dailyOrders", () => pageOf(null));
  assert.equal((await edge.send("POST", `${path}/positions`, place)).status, 200);
  const second = await edge.send("POST", `${path}/daily-orders`, place);
  assert.equal(second.status, 429);
  assert.equal(second.headers.get("retry-after"), "1");
  const other = await edge.send("POST", `${path}/daily-orders`, { ...place, accountNumber: "A-8" });
  assert.equal(other.status, 200);
});

test("both names of an account count as one", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("accounts.positions", () => pageOf(null));
  const named = new Map([
    ["A-7", "A-7"],
    ["7", "A-7"],
    ["A-8", "A-8"],
  ]);
  edge.engine.on("accounts.resolve", ({ body }) => {
    const accountNumber = named.get((body as typeof place).accountNumber);
    return accountNumber === undefined
      ? { ok: false, code: "FORBIDDEN", message: "not yours" }
      : { ok: true, data: { accountNumber } };
  });
  const statuses: number[] = [];
  for (const accountNumber of ["A-7", "7", "A-8", "other", "other"]) {
    statuses.push((await edge.send("POST", `${path}/positions`, { ...place, accountNumber })).status);
  }
  assert.deepEqual(statuses, [200, 429, 200, 200, 429]);
});

test("where a brokerage asks for 3 s between requests they count for all of its accounts", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("accounts.positions", () => pageOf(null));
  const slow = { ...place, brokerageCode: "SLOW" };
  assert.equal((await edge.send("POST", `${path}/positions`, slow)).status, 200);
  const second = await edge.send("POST", `${path}/positions`, { ...slow, accountNumber: "A-8" });
  assert.equal(second.status, 429);
  assert.ok(Number(second.headers.get("retry-after")) <= 3);
});

test("every operation on accounts and orders is in the document, and the login takes no key", async (t) => {
  const edge = await runEdge(t);
  const document = (await (await edge.fetch("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  };
  const keyed = (route: string): boolean =>
    (document.paths[route]?.post?.parameters ?? []).some(({ name }) => name === "Idempotency-Key");
  assert.ok(document.paths[path]?.get);
  const keys = ["/accounts/login", "/accounts/positions", "/accounts/daily-orders"].map((route) => `/api/v1${route}`);
  for (const route of keys) {
    assert.ok(document.paths[route]?.post, route);
    assert.equal(keyed(route), false, route);
  }
  for (const route of ["", "/chain", "/batch", "/cancel", "/cancel/batch"]) {
    assert.ok(keyed(`/api/v1/orders${route}`), route);
  }
});
