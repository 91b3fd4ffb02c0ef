/** The assistant tools, called by both generations of the protocol's own client. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { pageOf } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const check = {
  code: "AAA",
  restrictionType: 3,
  restrictionTypeName: "BrutTakas",
  isRestricted: true,
  validFrom: "2026-01-05T07:00:00.000Z",
};
const symbol = { symbolId: 3, code: "AAA", name: "A", logoUrl: "" };
const restricted = { ...symbol, validFrom: check.validFrom };
const restriction = {
  id: 9,
  ...symbol,
  restrictionType: 3,
  restrictionTypeName: "BrutTakas",
  validFrom: check.validFrom,
  validTo: null,
  isActive: true,
  sourceRef: "s",
};
const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const mcpHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

type Mode = "legacy" | { readonly pin: string };
/** The handshake of 2025, and the self-contained requests of 2026. */
const MODES: readonly Mode[] = ["legacy", { pin: "2026-07-28" }];

async function connect(t: TestContext, edge: RunningEdge, mode: Mode = "legacy"): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: await edge.bearer({ claims: { scope: "read" } }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${edge.url}/mcp`), { requestInit }));
  t.after(() => client.close());
  return client;
}

function serveRestrictions(edge: RunningEdge): void {
  edge.engine.on("restrictions.check", ({ body }) =>
    (body as { code: string }).code === "AAA"
      ? { ok: true, data: check }
      : { ok: false, code: "NOT_FOUND", message: "the symbol was not found" },
  );
  edge.engine.on("restrictions.byType", () => pageOf(null, restricted));
  edge.engine.on("restrictions.bySymbol", () => pageOf(null, restriction));
}

function textOf(result: { readonly content?: unknown }): string {
  const [first] = result.content as readonly { text: string }[];
  return first?.text ?? "";
}

test("the three tools are there, each with its schemas", async (t) => {
  const edge = await runEdge(t);
  for (const mode of MODES) await assertTools(await connect(t, edge, mode));
});

async function assertTools(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, inputSchema }) => [name, inputSchema.required]),
    [
      ["check_symbol_restriction", ["code", "restrictionType"]],
      ["get_restricted_symbols_by_type", ["restrictionType"]],
      ["get_symbol_restrictions", ["code"]],
    ],
  );
  for (const { outputSchema, annotations } of tools) {
    assert.ok(outputSchema !== undefined);
    assert.equal(annotations?.readOnlyHint, true);
  }
}

test("the tools answer what the REST interface answers", async (t) => {
  const edge = await runEdge(t);
  serveRestrictions(edge);
  for (const mode of MODES) await assertAnswers(await connect(t, edge, mode));
});

async function assertAnswers(client: Client): Promise<void> {
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    assert.notEqual(result.isError, true, textOf(result));
    assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
    return result.structuredContent;
  };
  for (const restrictionType of [3, "3", "BrutTakas"]) {
    assert.deepEqual(await call("check_symbol_restriction", { code: "AAA", restrictionType }), check);
  }
  assert.deepEqual(await call("get_restricted_symbols_by_type", { restrictionType: 3 }), { symbols: [restricted] });
  assert.deepEqual(await call("get_symbol_restrictions", { code: "AAA" }), { restrictions: [restriction] });
}

test("a subscription, which would stay open, is refused", async (t) => {
  const edge = await runEdge(t);
  const client = await connect(t, edge, { pin: "2026-07-28" });
  await assert.rejects(client.listen({ toolsListChanged: true }), /limit/);
});

test("what is refused is the tool's error, in the same words", async (t) => {
  const edge = await runEdge(t);
  serveRestrictions(edge);
  const client = await connect(t, edge);
  const unknown = await client.callTool({
    name: "check_symbol_restriction",
    arguments: { code: "NOPE", restrictionType: 3 },
  });
  assert.deepEqual([unknown.isError, textOf(unknown)], [true, "the symbol was not found"]);
  const wrong = await client.callTool({ name: "get_restricted_symbols_by_type", arguments: { restrictionType: "x" } });
  assert.equal(wrong.isError, true);
  assert.match(textOf(wrong), /must be the number or the exact name of a restriction type/);
});

test("without a token it is 401, without the read scope 403, and both in the envelope", async (t) => {
  const edge = await runEdge(t);
  const post = (headers: Record<string, string>) =>
    edge.fetch("/mcp", { method: "POST", headers: { ...mcpHeaders, ...headers }, body: JSON.stringify(listTools) });
  const missing = await post({});
  assert.equal(missing.status, 401);
  assert.equal(missing.headers.get("www-authenticate"), "Bearer");
  assert.equal(((await missing.json()) as { error: { code: string } }).error.code, "UNAUTHORIZED");
  const forbidden = await post(await edge.bearer({ claims: { scope: "trade" } }));
  assert.equal(forbidden.status, 403);
  const client = new Client({ name: "test", version: "1.0.0" });
  await assert.rejects(client.connect(new StreamableHTTPClientTransport(new URL(`${edge.url}/mcp`))));
});

test("it counts towards the hourly limit and keeps the limits on bodies", async (t) => {
  const edge = await runEdge(t);
  const post = async (body: string) =>
    edge.fetch("/mcp", { method: "POST", headers: { ...mcpHeaders, ...(await edge.bearer()) }, body });
  const good = await post(JSON.stringify(listTools));
  assert.equal(good.status, 200);
  assert.equal(good.headers.get("x-ratelimit-limit"), "5000");
  assert.equal(good.headers.get("x-content-type-options"), "nosniff");
  await good.text();
  assert.equal((await post("[".repeat(1_000))).status, 400);
  assert.equal((await post("{")).status, 400);
  assert.equal((await post(JSON.stringify([listTools, listTools]))).status, 400);
  assert.equal((await post(" ".repeat(1_100_000))).status, 413);
});

test("other methods are 405 and nothing stays open", async (t) => {
  const edge = await runEdge(t);
  for (const method of ["GET", "DELETE"]) {
    const headers = { accept: "text/event-stream", ...(await edge.bearer()) };
    const response = await edge.fetch("/mcp", { method, headers });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
    await response.text();
  }
});
