/** The assistant tools that trade: off unless asked for, by scope, through the operations of the REST interface. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { pageOf } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const group = {
  brokerageCode: "PAPER",
  accountNumber: "A1",
  symbol: "AAA",
  stopLossPrice: 10,
  stopLossQuantity: 5,
  takeProfitItems: [{ price: 12, quantity: 5 }],
};

async function connect(t: TestContext, edge: RunningEdge, scope: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: await edge.bearer({ claims: { scope } }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${edge.url}/mcp`), { requestInit }));
  t.after(() => client.close());
  return client;
}

async function toolNames(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

function textOf(result: { readonly content?: unknown }): string {
  const [first] = result.content as readonly { text: string }[];
  return first?.text ?? "";
}

test("no tool trades unless the operator allows it", async (t) => {
  const names = await toolNames(await connect(t, await runEdge(t), "read trade"));
  assert.equal(names.length, 3);
});

test("a token sees the tools that its scopes allow", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const reading = await toolNames(await connect(t, edge, "read"));
  assert.ok(reading.includes("get_oco_outlook"), reading.join());
  assert.ok(reading.includes("list_oco_orders") && !reading.includes("create_oco_order"), reading.join());
  const trading = await toolNames(await connect(t, edge, "read trade"));
  for (const name of [
    "create_oco_order",
    "cancel_oco_order",
    "register_pending_oco_order",
    "enter_with_exits",
    "end_webhook_bot",
  ]) {
    assert.ok(trading.includes(name), name);
  }
  assert.ok(trading.includes("check_symbol_restriction"));
});

test("a tool is the operation: its checks, its words, its answer", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const created: unknown[] = [];
  edge.engine.on("oco.create", ({ userId, body }) => {
    created.push({ userId, body });
    return { ok: true, data: { id: 7 } };
  });
  const client = await connect(t, edge, "read trade");
  const made = await client.callTool({ name: "create_oco_order", arguments: group });
  assert.notEqual(made.isError, true, textOf(made));
  assert.deepEqual(JSON.parse(textOf(made)).data, { id: 7 });
  assert.equal(created.length, 1);
  const wrong = await client.callTool({ name: "create_oco_order", arguments: { ...group, stopLossQuantity: 0 } });
  assert.equal(wrong.isError, true);
  assert.match(textOf(wrong), /stopLossQuantity/);
  assert.equal(created.length, 1);
});

test("limits are read by their account, and set as a whole", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const asked: unknown[] = [];
  const limits = { maxDailyLoss: 500, maxOrdersPerMinute: null, maxOrderValue: null };
  edge.engine.on("limits.set", ({ body }) => {
    asked.push(body);
    return { ok: true, data: true };
  });
  edge.engine.on("limits.read", ({ body }) => {
    asked.push(body);
    return { ok: true, data: { ...limits, realisedToday: -20 } };
  });
  const account = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
  const client = await connect(t, edge, "read trade");
  const set = await client.callTool({ name: "set_limits", arguments: { ...account, maxDailyLoss: 500 } });
  assert.notEqual(set.isError, true, textOf(set));
  const read = await client.callTool({ name: "get_limits", arguments: account });
  assert.equal(JSON.parse(textOf(read)).data.realisedToday, -20);
  assert.deepEqual(asked, [{ ...account, maxDailyLoss: 500 }, account]);
});

test("a change names its group by the path and sends what it changes alone", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const changes: unknown[] = [];
  edge.engine.on("oco.change", ({ body }) => {
    changes.push(body);
    return { ok: true, data: { groupId: 7, version: 2, rows: [] }, version: 2 };
  });
  const client = await connect(t, edge, "read trade");
  const change = { stopLossPrice: 95, brokerageCode: "PAPER" };
  const changed = await client.callTool({ name: "change_oco_order", arguments: { id: 7, ...change } });
  assert.notEqual(changed.isError, true, textOf(changed));
  assert.deepEqual(changes, [{ id: 7, change }]);
});

test("a change of a pending OCO names it by the path, too", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const changes: unknown[] = [];
  edge.engine.on("setup.change", ({ body }) => {
    changes.push(body);
    return { ok: true, data: {}, version: 2 };
  });
  const client = await connect(t, edge, "read trade");
  const change = { stopLossPercent: 4, brokerageCode: "PAPER" };
  const changed = await client.callTool({ name: "change_pending_oco_order", arguments: { id: 7, ...change } });
  assert.notEqual(changed.isError, true, textOf(changed));
  assert.deepEqual(changes, [{ id: 7, change }]);
});

test("what the service refuses is the tool's error", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  edge.engine.on("oco.cancel", () => ({ ok: false, code: "NOT_FOUND", message: "there is no such row" }));
  const client = await connect(t, edge, "read trade");
  const gone = await client.callTool({ name: "cancel_oco_order", arguments: { brokerageCode: "PAPER", id: 9 } });
  assert.equal(gone.isError, true);
  assert.match(textOf(gone), /there is no such row/);
});

test("two callers at once with one request id each act for themselves", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const users: (number | null)[] = [];
  edge.engine.on("oco.cancel", ({ userId }) => {
    users.push(userId);
    return { ok: true, data: true };
  });
  const call = async (sub: string): Promise<void> => {
    const bearer = await edge.bearer({ claims: { scope: "read trade", sub } });
    const headers = { ...bearer, "x-request-id": "same", accept: "application/json, text/event-stream" };
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "cancel_oco_order", arguments: { brokerageCode: "PAPER", id: 1 } },
    };
    const response = await edge.send("POST", "/mcp", message, headers);
    await response.text();
  };
  await Promise.all([call("11"), call("12"), call("13")]);
  assert.deepEqual([...users].sort(), [11, 12, 13]);
});

test("a page of an origin that was not named may not call", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true, corsOrigins: ["https://desk.example.com"] });
  const call = async (origin: string): Promise<number> =>
    (await edge.send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }, { origin })).status;
  assert.equal(await call("https://evil.example.com"), 403);
  assert.equal(await call("null"), 403);
  assert.notEqual(await call("https://desk.example.com"), 403);
  assert.notEqual(await call(edge.url), 403);
});

test("a client without a token is told where to find one", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const refused = await edge.fetch("/mcp", { method: "POST" });
  assert.equal(refused.status, 401);
  const [, address = ""] = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
  const metadata = (await (await fetch(address)).json()) as Record<string, unknown>;
  assert.equal(metadata.resource, `${edge.url}/mcp`);
  assert.deepEqual(metadata.authorization_servers, [edge.url]);
});

test("a list in parts tells the cursor of the next one", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  edge.engine.on("oco.list", () => pageOf("7.8", { id: 7 }));
  const client = await connect(t, edge, "read");
  const account = { brokerageCode: "PAPER", accountNumber: "A1" };
  const listed = await client.callTool({
    name: "list_oco_orders",
    arguments: { ...account, status: [1, 2], limit: 1 },
  });
  const texts = (listed.content as readonly { text: string }[]).map(({ text }) => text);
  assert.deepEqual(JSON.parse(texts[0] ?? "").data, [{ id: 7 }]);
  assert.equal(texts[1], `There is more: cursor ${Buffer.from("7.8").toString("base64url")}`);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...account, part: { statuses: [1, 2], limit: 1 } });
});

test("the sell ledger, session, band, balance and a receipt are read as the operation answers them", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const account = { brokerageCode: "PAPER", accountNumber: "A1" };
  const client = await connect(t, edge, "read");
  // The ledger and the balance share a limit of one a second for an account.
  const other = { ...account, accountNumber: "A2" };
  const readings = [
    { name: "get_sell_ledger", type: "accounts.sellLedger", given: account, body: account },
    { name: "get_balance", type: "accounts.balance", given: other, body: other },
    { name: "get_session", type: "symbols.session", given: { symbol: "AAA" }, body: { symbol: "AAA" } },
    { name: "get_band", type: "symbols.band", given: { symbol: "AAA" }, body: { symbol: "AAA" } },
    { name: "get_oco_receipt", type: "oco.receipt", given: { id: 7 }, body: { id: 7 } },
    {
      name: "get_order",
      type: "orders.get",
      given: { ...account, orderNo: "A/7?x=1" },
      body: { ...account, orderNo: "A/7?x=1" },
    },
  ];
  for (const { name, type, given, body } of readings) {
    edge.engine.on(type, () => ({ ok: true, data: { of: name } }));
    const read = await client.callTool({ name, arguments: given });
    assert.notEqual(read.isError, true, textOf(read));
    assert.deepEqual(JSON.parse(textOf(read)).data, { of: name });
    assert.deepEqual(edge.engine.asked.at(-1)?.body, body, name);
  }
});

test("an account is flattened only with the word that confirms it", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const flattened: unknown[] = [];
  edge.engine.on("trading.flatten", ({ body }) => {
    flattened.push(body);
    return { ok: true, data: {} };
  });
  const client = await connect(t, edge, "read trade");
  const given = { brokerageCode: "PAPER", accountNumber: "A1", reason: "leaving" };
  const unconfirmed = await client.callTool({ name: "flatten_account", arguments: given });
  assert.equal(unconfirmed.isError, true);
  assert.match(textOf(unconfirmed), /confirm/);
  const wrong = await client.callTool({ name: "flatten_account", arguments: { ...given, confirm: "yes" } });
  assert.equal(wrong.isError, true);
  assert.deepEqual(flattened, []);
  const confirmed = await client.callTool({ name: "flatten_account", arguments: { ...given, confirm: "FLATTEN" } });
  assert.notEqual(confirmed.isError, true, textOf(confirmed));
  assert.deepEqual(flattened, [{ ...given, confirm: "FLATTEN" }]);
});

test("a tool halts the user or one account, and cannot resume either", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const set: unknown[] = [];
  edge.engine.on("trading.set", ({ body }) => {
    set.push(body);
    return { ok: true, data: true };
  });
  const client = await connect(t, edge, "read trade");
  const account = { brokerageCode: "PAPER", accountNumber: "A1" };
  const user = { scope: "user", state: "halted", reason: "stop" };
  const one = { scope: "account", ...account, state: "reducing", reason: "stop" };
  for (const given of [user, one]) {
    const halted = await client.callTool({ name: "halt_trading", arguments: given });
    assert.notEqual(halted.isError, true, textOf(halted));
  }
  const resuming = { ...user, state: "active", confirm: "RESUME" };
  for (const given of [resuming, { ...one, brokerageCode: undefined }]) {
    assert.equal((await client.callTool({ name: "halt_trading", arguments: given })).isError, true);
  }
  assert.deepEqual(set, [user, one]);
});

test("price alerts are created, listed, changed and removed", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const asked: unknown[] = [];
  for (const type of ["priceAlerts.create", "priceAlerts.change", "priceAlerts.delete"]) {
    edge.engine.on(type, ({ body }) => {
      asked.push(body);
      return { ok: true, data: true };
    });
  }
  edge.engine.on("priceAlerts.list", () => pageOf(null, { id: 7 }));
  const client = await connect(t, edge, "read trade");
  const alert = { symbol: "AAA", direction: "atOrAbove", price: 12.5 };
  const created = await client.callTool({ name: "create_price_alert", arguments: alert });
  assert.notEqual(created.isError, true, textOf(created));
  const listed = await client.callTool({ name: "list_price_alerts", arguments: {} });
  assert.deepEqual(JSON.parse(textOf(listed)).data, [{ id: 7 }]);
  const changed = await client.callTool({ name: "change_price_alert", arguments: { id: 7, price: 13 } });
  assert.notEqual(changed.isError, true, textOf(changed));
  const removed = await client.callTool({ name: "delete_price_alert", arguments: { id: 7 } });
  assert.notEqual(removed.isError, true, textOf(removed));
  assert.deepEqual(asked, [alert, { id: 7, change: { price: 13 } }, { id: 7 }]);
});

test("an update of a bot names it by the path and sends the whole bot", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const updates: unknown[] = [];
  edge.engine.on("levelBots.update", ({ body }) => {
    updates.push(body);
    return { ok: true, data: {}, version: 2 };
  });
  const client = await connect(t, edge, "read trade");
  const levelBotDetails = [{ symbol: "AAA", buyGap: 1 }];
  const bot = { brokerageCode: "PAPER", accountNumber: "A1", name: "one", isActive: false, levelBotDetails };
  const updated = await client.callTool({ name: "update_level_bot", arguments: { id: 7, ...bot } });
  assert.notEqual(updated.isError, true, textOf(updated));
  assert.deepEqual(updates, [{ id: 7, bot }]);
});

test("only a tool that changes nothing is marked as reading", async (t) => {
  const edge = await runEdge(t, { hasTradingTools: true });
  const { tools } = await (await connect(t, edge, "read trade")).listTools();
  const reads = (name: string) => tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint;
  assert.deepEqual(["list_positions", "get_sell_ledger", "flatten_account", "delete_price_alert"].map(reads), [
    ...[true, true],
    ...[false, false],
  ]);
});
