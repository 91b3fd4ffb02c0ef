/** `POST /oauth/token` as clients of every kind send it, and what may be known beforehand. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { TokenCommandBody, TokenOutcome } from "../../src/contract/operator/identity.ts";
import { type RunningEdge, runEdge } from "./support/running-edge.ts";

const apiKey = `tdk_live_${"k".repeat(43)}`;
const refreshToken = "tdr_secret-refresh-token";
const tokens = {
  access_token: "a.b.c",
  token_type: "Bearer",
  expires_in: 86_400,
  refresh_token: "next",
  refresh_expires_in: 2_592_000,
} as const;

async function tokenEdge(t: TestContext): Promise<RunningEdge> {
  const edge = await runEdge(t);
  edge.engine.on("identity.token", ({ body }) => ({ ok: true, data: outcomeOf(body as TokenCommandBody) }));
  return edge;
}

function outcomeOf(command: TokenCommandBody): TokenOutcome {
  if (command.grantType === "api_key") {
    if (command.apiKey !== apiKey) return { ok: false, error: "invalid_client", description: "unknown key" };
    return { ok: true, tokens: { ...tokens, issued_at: "2026-01-01T00:00:00.000Z" } };
  }
  if (command.refreshToken !== refreshToken) return { ok: false, error: "invalid_grant", description: "used" };
  return { ok: true, tokens };
}

const post = (edge: RunningEdge, body: string, headers: Readonly<Record<string, string>>) =>
  edge.fetch("/oauth/token", { method: "POST", body, headers });
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };

describe("a token set", () => {
  test("comes for an API key in its header, and is not to be stored", async (t) => {
    const edge = await tokenEdge(t);
    const body = JSON.stringify({ grant_type: "api_key", client_id: "me", extra: [1] });
    for (const [text, headers] of [
      [body, json],
      ["grant_type=api_key&client_id=me&scope=", form],
    ] as const) {
      const response = await post(edge, text, { ...headers, "x-api-key": apiKey });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { ...tokens, issued_at: "2026-01-01T00:00:00.000Z" });
      assert.equal(response.headers.get("cache-control"), "no-store");
      const asked = edge.engine.asked.at(-1);
      assert.deepEqual(asked?.body, { grantType: "api_key", apiKey, issuer: edge.url });
      assert.equal(asked?.userId, null);
      assert.equal(asked?.subject, "engine.0.command");
    }
  });

  test("comes without a refresh token for client_credentials, by Basic or in the body (2.7)", async (t) => {
    const edge = await tokenEdge(t);
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    });
    const grant = "grant_type=client_credentials";
    const { refresh_token: _, refresh_expires_in: __, ...machineTokens } = tokens;
    for (const [text, headers] of [
      [grant, { ...form, ...basic("7", apiKey) }],
      [grant, { ...form, ...basic("%37", apiKey) }],
      [`${grant}&client_id=7&client_secret=${apiKey}`, form],
      [JSON.stringify({ grant_type: "client_credentials", client_id: "7", client_secret: apiKey }), json],
    ] as const) {
      const response = await post(edge, text, headers);
      assert.equal(response.status, 200, text);
      assert.deepEqual(await response.json(), { ...machineTokens, issued_at: "2026-01-01T00:00:00.000Z" });
      assert.deepEqual(edge.engine.asked.at(-1)?.body, {
        grantType: "api_key",
        apiKey,
        clientId: "7",
        issuer: edge.url,
      });
    }
    for (const [text, headers, error] of [
      [grant, form, "invalid_client"],
      [`${grant}&client_id=7`, form, "invalid_client"],
      [`${grant}&client_secret=${apiKey}`, form, "invalid_client"],
      [grant, { ...form, "x-api-key": apiKey }, "invalid_client"],
      [grant, { ...form, authorization: "Basic nonsense" }, "invalid_client"],
      [grant, { ...form, authorization: `Bearer ${apiKey}` }, "invalid_client"],
      [grant, { ...form, ...basic("7", "wrong") }, "invalid_client"],
      [`${grant}&client_secret=${apiKey}`, { ...form, ...basic("7", apiKey) }, "invalid_request"],
    ] as const) {
      const response = await post(edge, text, headers);
      const answer = (await response.json()) as { readonly error: string };
      assert.deepEqual([response.status, answer.error], [error === "invalid_client" ? 401 : 400, error], text);
      const challenge = "authorization" in headers && error === "invalid_client" ? 'Basic realm="token"' : null;
      assert.equal(response.headers.get("www-authenticate"), challenge);
    }
  });

  test("is for the scopes that are asked for, of every grant, and an empty scope asks for none (2.8)", async (t) => {
    const edge = await tokenEdge(t);
    const key = { "x-api-key": apiKey };
    const machine = `grant_type=client_credentials&client_id=7&client_secret=${apiKey}`;
    for (const [text, headers, scopes] of [
      ["grant_type=api_key&scope=read", { ...form, ...key }, ["read"]],
      ["grant_type=api_key&scope=admin+openid++read", { ...form, ...key }, ["read", "admin"]],
      ["grant_type=api_key&scope=openid", { ...form, ...key }, []],
      ["grant_type=api_key&scope=", { ...form, ...key }, undefined],
      [`${machine}&scope=trade`, form, ["trade"]],
      [`grant_type=refresh_token&refresh_token=${refreshToken}&scope=read`, form, ["read"]],
      [JSON.stringify({ grant_type: "api_key", scope: "read trade" }), { ...json, ...key }, ["read", "trade"]],
    ] as const) {
      assert.equal((await post(edge, text, headers)).status, 200, text);
      const asked = edge.engine.asked.at(-1)?.body as TokenCommandBody | undefined;
      assert.deepEqual(asked?.scopes, scopes, text);
    }
    edge.engine.on("identity.token", () => ({
      ok: true,
      data: { ok: true, tokens: { ...tokens, scope: "read" } } satisfies TokenOutcome,
    }));
    const named = (await (await post(edge, machine, form)).json()) as { readonly scope?: string };
    assert.equal(named.scope, "read");
  });

  test("is for this service: a resource that is not of it is invalid_target (RFC 8707)", async (t) => {
    const edge = await tokenEdge(t);
    const key = { ...form, "x-api-key": apiKey };
    const of = (...resources: readonly string[]): string =>
      `grant_type=api_key${resources.map((one) => `&resource=${encodeURIComponent(one)}`).join("")}`;
    for (const resources of [[edge.url], [`${edge.url}/`], [`${edge.url}/mcp`], [`${edge.url}/mcp`, edge.url], [""]]) {
      assert.equal((await post(edge, of(...resources), key)).status, 200, resources.join(" "));
    }
    for (const resources of [
      ["https://other.example.com/mcp"],
      [edge.url, "https://other.example.com"],
      [`${edge.url}/mcp#part`],
      [edge.url.replace("127.0.0.1", "127.0.0.1.example.com")],
      ["/mcp"],
    ]) {
      const refused = await post(edge, of(...resources), key);
      const { error } = (await refused.json()) as { readonly error: string };
      assert.deepEqual([refused.status, error], [400, "invalid_target"], resources.join(" "));
    }
    const inJson = await post(edge, JSON.stringify({ grant_type: "api_key", resource: [edge.url, 5] }), {
      ...json,
      "x-api-key": apiKey,
    });
    assert.equal(((await inJson.json()) as { readonly error: string }).error, "invalid_target");
  });

  test("comes for a refresh token without an API key", async (t) => {
    const edge = await tokenEdge(t);
    const body = JSON.stringify({ grant_type: "refresh_token", refresh_token: refreshToken });
    for (const [text, headers] of [
      [body, json],
      [`grant_type=refresh_token&refresh_token=${refreshToken}`, form],
    ] as const) {
      const response = await post(edge, text, headers);
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), tokens);
    }
  });
});

describe("an OAuth error", () => {
  test("has OAuth's fields beside the envelope's, and no secret", async (t) => {
    const edge = await tokenEdge(t);
    const key = { "x-api-key": apiKey };
    const keyGrant = '{"grant_type":"api_key"}';
    const cases: readonly (readonly [string, Readonly<Record<string, string>>, number, string])[] = [
      [keyGrant, json, 401, "invalid_client"],
      [keyGrant, { ...json, "x-api-key": "" }, 401, "invalid_client"],
      [keyGrant, { ...json, "x-api-key": "tdk_live_" }, 401, "invalid_client"],
      [keyGrant, { ...json, "x-api-key": "k".repeat(5_000) }, 401, "invalid_client"],
      [keyGrant, { ...json, authorization: `Bearer ${apiKey}` }, 401, "invalid_client"],
      [`{"grant_type":"api_key","api_key":"${apiKey}"}`, json, 401, "invalid_client"],
      ['{"grant_type":"refresh_token","refresh_token":"used-one"}', json, 400, "invalid_grant"],
      [`{"grant_type":"refresh_token","refresh_token":"${"x".repeat(300)}"}`, json, 400, "invalid_grant"],
      ['{"grant_type":"refresh_token"}', json, 400, "invalid_request"],
      ['{"grant_type":"refresh_token","refresh_token":5}', json, 400, "invalid_request"],
      ['{"grant_type":"password"}', { ...json, ...key }, 400, "unsupported_grant_type"],
      ['{"grant_type":"API_KEY"}', { ...json, ...key }, 400, "unsupported_grant_type"],
      ['{"grant_type":["api_key"]}', { ...json, ...key }, 400, "invalid_request"],
      ["{}", { ...json, ...key }, 400, "invalid_request"],
      ["", { ...json, ...key }, 400, "invalid_request"],
      ["{", { ...json, ...key }, 400, "invalid_request"],
      ["[]", { ...json, ...key }, 400, "invalid_request"],
      ["", { ...form, ...key }, 400, "invalid_request"],
      ["grant_type=api_key&grant_type=api_key", { ...form, ...key }, 400, "invalid_request"],
      ["grant_type=api_key&scope=read&scope=trade", { ...form, ...key }, 400, "invalid_request"],
      ['{"grant_type":"api_key","scope":["read"]}', { ...json, ...key }, 400, "invalid_request"],
      ["grant_type=api_key&authorization_details=%5B%5D", { ...form, ...key }, 400, "invalid_authorization_details"],
      ["grant_type=client_credentials&client_id=7&client_assertion=a.b.c", form, 401, "invalid_client"],
      [keyGrant, { ...key, "content-type": "text/plain" }, 400, "invalid_request"],
      [keyGrant, { ...key, ...json, "content-encoding": "gzip" }, 400, "invalid_request"],
    ];
    for (const [body, headers, status, error] of cases) {
      const response = await post(edge, body, headers);
      const what = `${body.slice(0, 60)} ${JSON.stringify(headers).slice(0, 80)}`;
      assert.equal(response.status, status, what);
      const text = await response.text();
      const answered = JSON.parse(text) as { readonly message: string };
      const { message } = answered;
      assert.deepEqual(answered, { success: false, message, error, error_description: message }, what);
      assert.equal(response.headers.get("cache-control"), "no-store", what);
      assert.ok(!text.includes(apiKey) && !text.includes("used-one"), what);
    }
  });

  test("of a field that is not text says so, and of one that is missing that it is required", async (t) => {
    const edge = await tokenEdge(t);
    const cases: readonly (readonly [object, string])[] = [
      [{}, "grant_type is required"],
      [{ grant_type: 5 }, "grant_type must be text"],
      [{ grant_type: null }, "grant_type must be text"],
      [{ grant_type: "refresh_token" }, "refresh_token is required"],
      [{ grant_type: "refresh_token", refresh_token: "" }, "refresh_token is required"],
      [{ grant_type: "refresh_token", refresh_token: 5 }, "refresh_token must be text"],
    ];
    for (const [fields, message] of cases) {
      const response = await post(edge, JSON.stringify(fields), json);
      const denial = (await response.json()) as { readonly message: string; readonly error: string };
      assert.deepEqual([response.status, denial.error, denial.message], [400, "invalid_request", message]);
    }
  });

  test("is none where the service is away or the body too large: the envelope's own", async (t) => {
    const edge = await tokenEdge(t);
    edge.engine.on("identity.token", () => ({ ok: false, code: "UNAVAILABLE", message: "away" }));
    const away = await post(edge, '{"grant_type":"api_key"}', { ...json, "x-api-key": apiKey });
    assert.equal(away.status, 503);
    const large = await post(edge, " ".repeat(1_048_577), json);
    assert.equal(large.status, 413);
  });
});

test("no secret of a token request is logged", async (t) => {
  const edge = await tokenEdge(t);
  await post(edge, '{"grant_type":"api_key"}', { ...json, "x-api-key": apiKey });
  await post(edge, `{"grant_type":"refresh_token","refresh_token":"${refreshToken}"}`, json);
  const text = JSON.stringify(edge.log);
  assert.ok(!text.includes(apiKey) && !text.includes(refreshToken) && !text.includes("a.b.c"));
});

describe("a token that is given up (behaviour 2.11)", () => {
  async function revokingEdge(t: TestContext): Promise<RunningEdge> {
    const edge = await runEdge(t);
    edge.engine.on("identity.revoke", () => ({ ok: true, data: {} }));
    return edge;
  }
  const accessToken = async (edge: RunningEdge): Promise<string> =>
    (await edge.bearer({ claims: { fid: 31 } })).authorization.replace("Bearer ", "");
  const revoke = (edge: RunningEdge, body: string, headers: Readonly<Record<string, string>>) =>
    edge.fetch("/oauth/revoke", { method: "POST", body, headers });

  test("is a refresh token as it is, or an access token that is valid, by its family", async (t) => {
    const edge = await revokingEdge(t);
    const access = await accessToken(edge);
    for (const [body, headers, asked] of [
      [`token=${refreshToken}&token_type_hint=access_token`, form, { refreshToken }],
      [JSON.stringify({ token: access, client_id: "me" }), json, { familyId: 31 }],
    ] as const) {
      const response = await revoke(edge, body, headers);
      assert.equal(response.status, 200);
      assert.equal(((await response.json()) as { success: boolean }).success, true);
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.deepEqual(edge.engine.asked.at(-1)?.body, asked);
    }
  });

  test("is answered 200 without a question to the engine where it is no token of ours", async (t) => {
    const edge = await revokingEdge(t);
    for (const token of ["x", "a.b.c", `${await accessToken(edge)}x`]) {
      assert.equal((await revoke(edge, `token=${token}`, form)).status, 200, token);
    }
    assert.ok(!edge.engine.asked.some(({ type }) => type === "identity.revoke"));
  });

  test("must be named; an outage is told, as the token may still be good", async (t) => {
    const edge = await runEdge(t);
    const missing = await revoke(edge, "token=", form);
    assert.equal(missing.status, 400);
    assert.equal(((await missing.json()) as { error: string }).error, "invalid_request");
    edge.engine.on("identity.revoke", () => ({ ok: false, code: "UNAVAILABLE", message: "no" }));
    assert.equal((await revoke(edge, `token=${refreshToken}`, form)).status, 503);
  });
});

describe("what may be known beforehand", () => {
  test("the public keys, and nothing private", async (t) => {
    const edge = await tokenEdge(t);
    const response = await edge.fetch("/.well-known/jwks.json");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { keys: [edge.key.publicKey] });
  });

  test("the metadata, as seen from where the client is", async (t) => {
    const edge = await runEdge(t, { trustedProxies: 1 });
    const metadata = (await (await edge.fetch("/.well-known/oauth-authorization-server")).json()) as Record<
      string,
      unknown
    >;
    assert.equal(metadata.issuer, edge.url);
    assert.equal(metadata.token_endpoint, `${edge.url}/oauth/token`);
    assert.equal(metadata.revocation_endpoint, `${edge.url}/oauth/revoke`);
    assert.equal(metadata.authorization_endpoint, `${edge.url}/oauth/authorize`);
    assert.deepEqual(metadata.grant_types_supported, ["api_key", "refresh_token", "client_credentials"]);
    const proxied = await edge.fetch("/.well-known/oauth-authorization-server", {
      headers: { "x-forwarded-proto": "https" },
    });
    assert.equal(
      ((await proxied.json()) as { jwks_uri: string }).jwks_uri,
      `${edge.url.replace("http:", "https:")}/.well-known/jwks.json`,
    );
    const issuerWith = async (headers: Readonly<Record<string, string>>) => {
      const answered = await edge.fetch("/.well-known/oauth-authorization-server", { headers });
      return ((await answered.json()) as { readonly issuer: string }).issuer;
    };
    const https = { "x-forwarded-proto": "https" };
    for (const [host, issuer] of [
      ["api.example.com", "https://api.example.com"],
      ["api.example.com:443", "https://api.example.com"],
      ["evil.example.com, api.example.com:8443", "https://api.example.com:8443"],
      ["[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
      ["api.example.com/path", edge.url.replace("http:", "https:")],
      ["user@api.example.com", edge.url.replace("http:", "https:")],
      ["", edge.url.replace("http:", "https:")],
    ] as const) {
      assert.equal(await issuerWith({ ...https, "x-forwarded-host": host }), issuer, host);
    }
    const direct = await runEdge(t);
    const unproxied = await direct.fetch("/.well-known/oauth-authorization-server", {
      headers: { ...https, "x-forwarded-host": "evil.example.com" },
    });
    assert.equal(((await unproxied.json()) as { readonly issuer: string }).issuer, direct.url, "not believed");
  });

  test("there is no login in a browser: the authorization endpoint serves no response type and redirects nobody", async (t) => {
    const edge = await tokenEdge(t);
    const query = "response_type=code&client_id=x&redirect_uri=https%3A%2F%2Fevil.example.com%2F";
    for (const [method, path, body] of [
      ["GET", `/oauth/authorize?${query}`, undefined],
      ["GET", "/oauth/authorize", undefined],
      ["POST", "/oauth/authorize", query],
    ] as const) {
      const refused = await edge.fetch(path, { method, redirect: "manual", ...(body && { body, headers: form }) });
      const { success, error } = (await refused.json()) as Readonly<Record<string, unknown>>;
      assert.deepEqual([refused.status, success, error], [400, false, "unsupported_response_type"]);
      assert.equal(refused.headers.get("location"), null);
    }
  });

  test("the metadata under the public address where one is set, and tokens are asked for under it", async (t) => {
    const edge = await runEdge(t, { publicUrl: "https://api.example.com" });
    edge.engine.on("identity.token", ({ body }) => ({ ok: true, data: outcomeOf(body as TokenCommandBody) }));
    const metadata = await edge.fetch("/.well-known/oauth-authorization-server");
    const { issuer, token_endpoint } = (await metadata.json()) as Readonly<Record<string, unknown>>;
    assert.deepEqual([issuer, token_endpoint], ["https://api.example.com", "https://api.example.com/oauth/token"]);
    await post(edge, JSON.stringify({ grant_type: "refresh_token", refresh_token: refreshToken }), json);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, {
      grantType: "refresh_token",
      refreshToken,
      issuer: "https://api.example.com",
    });
  });
});
