/** The protocol's own client obtains a token from the metadata alone, in Node and in a page of another origin. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import type { TokenCommandBody, TokenOutcome } from "../../../../src/contract/operator/identity.ts";
import { browserSuite, startBrowser } from "../../../support/client/browser.ts";
import { signToken } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const apiKey = `tdk_live_${"k".repeat(43)}`;
const TOOLS = ["check_symbol_restriction", "get_restricted_symbols_by_type", "get_symbol_restrictions"];
const MODES = ["legacy", { pin: "2026-07-28" }] as const;

/** Starts an edge whose engine issues tokens for the key, signed for the address that the edge names. */
async function loginEdge(t: TestContext, options: Parameters<typeof runEdge>[1] = {}): Promise<RunningEdge> {
  const edge = await runEdge(t, options);
  edge.engine.on("identity.token", async ({ body }) => ({
    ok: true,
    data: await outcomeOf(edge, body as TokenCommandBody),
  }));
  return edge;
}

async function outcomeOf(edge: RunningEdge, command: TokenCommandBody): Promise<TokenOutcome> {
  if (command.grantType !== "api_key" || command.apiKey !== apiKey) {
    return { ok: false, error: "invalid_client", description: "unknown key" };
  }
  const scope = (command.scopes ?? ["read", "trade"]).join(" ");
  const tokens = {
    access_token: await signToken(edge.key, { claims: { scope, iss: command.issuer } }),
    token_type: "Bearer",
    expires_in: 86_400,
    refresh_token: "none",
    refresh_expires_in: 2_592_000,
    scope,
  } as const;
  return { ok: true, tokens };
}

for (const hasTradingTools of [false, true]) {
  test(`a client with an API key logs in by itself (MCP_TRADING ${hasTradingTools ? "on" : "off"})`, async (t) => {
    const edge = await loginEdge(t, { hasTradingTools });
    for (const mode of MODES) {
      const authProvider = new ClientCredentialsProvider({
        clientId: "7",
        clientSecret: apiKey,
        expectedIssuer: edge.url,
      });
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${edge.url}/mcp`), { authProvider }));
      t.after(() => client.close());
      const { tools } = await client.listTools();
      for (const name of TOOLS) assert.ok(tools.some((tool) => tool.name === name));
      const scopes = hasTradingTools ? ["read", "trade"] : ["read"];
      assert.equal(authProvider.tokens()?.scope, scopes.join(" "), "no more than the tools need");
      const asked = edge.engine.asked.findLast(({ type }) => type === "identity.token");
      assert.deepEqual(asked?.body, {
        grantType: "api_key",
        apiKey,
        clientId: "7",
        issuer: edge.url,
        scopes,
      });
    }
  });
}

/** The recorded requests of a client in another language: mcp 2.3.0 of Python. */
test("the requests of Python's client lead to a token and to the tools", async (t) => {
  const edge = await loginEdge(t, { hasTradingTools: true });
  const json = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const version = { "mcp-protocol-version": "2025-11-25" };
  const clientInfo = { name: "mcp", version: "0.1.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const mcp = (body: string, headers: object) =>
    edge.fetch("/mcp", { method: "POST", body, headers: { ...json, ...headers } });
  assert.equal((await mcp(initialize, {})).status, 401);
  const read = async (path: string) =>
    (await (await edge.fetch(path, { headers: { "mcp-protocol-version": "2026-07-28" } })).json()) as Record<
      string,
      string
    >;
  assert.equal((await read("/.well-known/oauth-protected-resource/mcp")).resource, `${edge.url}/mcp`);
  const metadata = await read("/.well-known/oauth-authorization-server");
  for (const required of ["issuer", "authorization_endpoint", "token_endpoint"]) {
    assert.ok(
      URL.canParse(metadata[required] ?? ""),
      `${required} is an address: the client takes no metadata without`,
    );
  }
  const resource = encodeURIComponent(`${edge.url}/mcp`);
  const given = await edge.fetch("/oauth/token", {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`7:${apiKey}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: `grant_type=client_credentials&resource=${resource}&scope=read+trade`,
  });
  assert.equal(given.status, 200);
  const { access_token } = (await given.json()) as { readonly access_token: string };
  const authorization = { authorization: `Bearer ${access_token}` };
  assert.equal((await mcp(initialize, authorization)).status, 200);
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.equal((await mcp(initialized, { ...version, ...authorization })).status, 202);
  const listed = await mcp(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }), {
    ...version,
    ...authorization,
  });
  const text = await listed.text();
  for (const name of TOOLS) assert.ok(text.includes(name));
});

/** The page's program: logs in, lists the tools, and reads a refusal. */
const PROGRAM = `
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
globalThis.listTools = async (url, clientSecret, mode) => {
  const authProvider = new ClientCredentialsProvider({ clientId: "7", clientSecret, expectedIssuer: url });
  const client = new Client({ name: "page", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url + "/mcp"), { authProvider }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
};
globalThis.readRefusal = async (url) => {
  const headers = { "mcp-session-id": "x", "mcp-protocol-version": "2025-06-18", accept: "text/event-stream" };
  const refused = await fetch(url + "/mcp", { headers });
  return [refused.status, refused.headers.get("www-authenticate")];
};
`;

/** Serves the page at its own address. */
async function servePage(t: TestContext): Promise<string> {
  const stdin = { contents: PROGRAM, resolveDir: import.meta.dirname };
  const built = await build({ stdin, bundle: true, write: false, format: "iife", platform: "browser" });
  const program = built.outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? "";
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html><script>${program}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

browserSuite("a page of another origin that is named", () => {
  test("logs in with the protocol's own client, calls, and can read where a refusal sends it", async (t) => {
    const origin = await servePage(t);
    const edge = await loginEdge(t, { corsOrigins: [origin], hasTradingTools: true });
    const browser = await startBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    await page.goto(origin);
    for (const mode of MODES) {
      const call = `globalThis.listTools(${JSON.stringify(edge.url)}, ${JSON.stringify(apiKey)}, ${JSON.stringify(mode)})`;
      const names = await page.evaluate<string[]>(call);
      for (const name of TOOLS) assert.ok(names.includes(name), name);
    }
    const refused = await page.evaluate<unknown[]>(`globalThis.readRefusal(${JSON.stringify(edge.url)})`);
    assert.deepEqual(refused, [401, `Bearer resource_metadata="${edge.url}/.well-known/oauth-protected-resource/mcp"`]);
  });
});
