/** Accepted and refused tokens, and the form of a refusal. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { base64url, exportSPKI, importJWK, SignJWT } from "jose";
import { untilTrue } from "../../support/machine/until-true.ts";
import { makeSigningKey, pageOf, type SigningKey, signToken, type TokenParts } from "../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const list = "/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=1001";
const nowSeconds = Math.floor(Date.now() / 1000);

async function readyEdge(t: TestContext): Promise<RunningEdge> {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null));
  return edge;
}

async function assertUnauthorized(edge: RunningEdge, authorization: string | undefined, what: string): Promise<void> {
  const response = await edge.fetch(list, authorization === undefined ? {} : { headers: { authorization } });
  assert.equal(response.status, 401, what);
  assert.equal(response.headers.get("www-authenticate"), "Bearer", what);
  const body = (await response.json()) as { readonly error: { readonly message: string } };
  const { message } = body.error;
  assert.deepEqual(body, { success: false, error: { code: "UNAUTHORIZED", message } }, what);
  assert.ok(message.length > 0 && !message.includes("eyJ"), what);
}

describe("a token that does not hold", () => {
  const claims: readonly (readonly [string, TokenParts])[] = [
    ["another issuer", { claims: { iss: "somebody" } }],
    ["another audience", { claims: { aud: "somebody" } }],
    ["several audiences", { claims: { aud: ["trading-developer-api", "somebody"] } }],
    ...["iss", "aud", "sub", "scope", "fid", "jti", "iat", "exp"].map((claim): [string, TokenParts] => [
      `no ${claim}`,
      { claims: { [claim]: undefined } },
    ]),
    ["expired a second ago", { claims: { iat: nowSeconds - 86_401, exp: nowSeconds - 1 } }],
    ["not yet good", { claims: { nbf: nowSeconds + 600 } }],
    ["issued in the future", { claims: { iat: nowSeconds + 600 } }],
    ["a subject that is no user id", { claims: { sub: "../1" } }],
    ["the subject 0", { claims: { sub: "0" } }],
    ["a family that is no number", { claims: { fid: "100" } }],
    ["a scope that is no text", { claims: { scope: ["read"] } }],
    ["the type of another token", { header: { typ: "JWT" } }],
    ["no type", { header: { typ: undefined } }],
    ["no key id", { header: { kid: undefined } }],
    ["an unknown key id", { header: { kid: "unknown" } }],
    ["a key id that is a path", { header: { kid: "../../etc/passwd" } }],
    ["a critical extension", { header: { crit: ["x"], x: 1 } }],
  ];
  for (const [what, parts] of claims) {
    test(`${what}: 401`, async (t) => {
      const edge = await readyEdge(t);
      const token = await signToken(edge.key, parts).catch(() => craft(edge.key, parts));
      await assertUnauthorized(edge, `Bearer ${token}`, what);
    });
  }

  for (const ownAheadMs of [-3_600_000, 3_600_000]) {
    test(`a token ends by the engine's clock, though that of the edge is off by ${ownAheadMs} ms, which is logged and a figure`, async (t) => {
      const edge = await runEdge(t, { ownAheadMs });
      edge.engine.on("oco.list", () => pageOf(null));
      const statusOf = async (iat: number, exp: number): Promise<number> =>
        (await edge.fetch(list, { headers: await edge.bearer({ claims: { iat, exp } }) })).status;
      assert.equal(await statusOf(nowSeconds - 60, nowSeconds + 600), 200);
      assert.equal(await statusOf(nowSeconds - 900, nowSeconds - 600), 401);
      assert.ok(edge.log.some(({ fields }) => fields.event === "clock.off"));
      const figure = /^trading_edge_engine_clock_ahead_seconds (-?[\d.]+)$/m;
      const headers = await edge.bearer({ claims: { scope: "admin" } });
      const text = await (await edge.fetch("/admin/v1/metrics", { headers })).text();
      const seconds = Number(figure.exec(text)?.[1]);
      assert.ok(Math.abs(seconds * 1_000 + ownAheadMs) < 2_000, text.slice(0, 200));
    });
  }

  test("the issuer is any address that the client came to, or the public one alone where it is set", async (t) => {
    const statusOf = async (edge: RunningEdge, iss: string): Promise<number> =>
      (await edge.fetch(list, { headers: await edge.bearer({ claims: { iss } }) })).status;
    const open = await readyEdge(t);
    const named = await runEdge(t, { publicUrl: "https://api.example.com" });
    named.engine.on("oco.list", () => pageOf(null));
    for (const [iss, anywhere, there] of [
      ["https://api.example.com", 200, 200],
      ["trading-developer-api", 200, 200],
      ["http://127.0.0.1:8080", 200, 401],
      ["https://api.example.com/", 401, 401],
      ["https://", 401, 401],
      ["api.example.com", 401, 401],
    ] as const) {
      assert.equal(await statusOf(open, iss), anywhere, iss);
      assert.equal(await statusOf(named, iss), there, iss);
    }
  });

  test("another key, whatever the header says about where to find it: 401", async (t) => {
    const edge = await readyEdge(t);
    const other = await makeSigningKey();
    const { kid } = edge.key.publicKey;
    const headers = [
      {},
      { jwk: other.publicKey },
      { jku: "http://127.0.0.1:1/jwks.json" },
      { x5u: "http://127.0.0.1:1/x" },
    ];
    for (const header of headers) {
      const token = await signToken(other, { header: { kid, ...header } });
      await assertUnauthorized(edge, `Bearer ${token}`, JSON.stringify(Object.keys(header)));
    }
  });

  test("no algorithm, a secret made of the public key, another RSA algorithm: 401", async (t) => {
    const edge = await readyEdge(t);
    const payload = (await signToken(edge.key)).split(".")[1] ?? "";
    const head = (alg: string) => base64url.encode(JSON.stringify({ alg, typ: "at+jwt", kid: edge.key.publicKey.kid }));
    await assertUnauthorized(edge, `Bearer ${head("none")}.${payload}.`, "none");
    await assertUnauthorized(edge, `Bearer ${head("none")}.${payload}.AA`, "none, signed");
    const imported = await importJWK({ ...edge.key.publicKey }, "RS256", { extractable: true });
    assert.ok(!(imported instanceof Uint8Array));
    const signed = `${head("HS256")}.${payload}`;
    const mac = createHmac("sha256", await exportSPKI(imported))
      .update(signed)
      .digest("base64url");
    await assertUnauthorized(edge, `Bearer ${signed}.${mac}`, "HS256");
    const ps = await crypto.subtle.exportKey("jwk", edge.key.privateKey);
    const psKey = await importJWK({ ...ps, alg: "PS256" } as Parameters<typeof importJWK>[0], "PS256");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    const psToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: "PS256", typ: "at+jwt", kid: edge.key.publicKey.kid })
      .sign(psKey);
    await assertUnauthorized(edge, `Bearer ${psToken}`, "PS256");
  });

  test("a damaged or foreign Authorization header: 401", async (t) => {
    const edge = await readyEdge(t);
    const token = await signToken(edge.key);
    const [head = "", payload = "", signature = ""] = token.split(".");
    const last = signature.at(-1) ?? "";
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const respelled = signature.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1];
    const headers: readonly (readonly [string, string | undefined])[] = [
      ["none", undefined],
      ["empty", ""],
      ["scheme alone", "Bearer"],
      ["no scheme", token],
      ["another scheme", `Basic ${token}`],
      ["an API key", "Bearer tdk_live_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"],
      ["signature stripped", `Bearer ${head}.${payload}.`],
      ["signature missing", `Bearer ${head}.${payload}`],
      ["signature spelled otherwise", `Bearer ${head}.${payload}.${respelled}`],
      ["padded", `Bearer ${token}==`],
      ["garbage after it", `Bearer ${token} x`],
      ["a comma and another", `Bearer ${token}, Bearer ${token}`],
      ["payload of another", `Bearer ${head}.${base64url.encode('{"sub":"2"}')}.${signature}`],
      ["8 KB", `Bearer ${head}.${payload}.${"A".repeat(8_200)}`],
    ];
    for (const [what, header] of headers) await assertUnauthorized(edge, header, what);
    assert.equal((await edge.fetch(list, { headers: { authorization: `bearer  ${token}` } })).status, 200);
  });

  test("a header of a token that is no such header: 401", async (t) => {
    const edge = await readyEdge(t);
    const [, payload = "", signature = ""] = (await signToken(edge.key)).split(".");
    const right = { alg: "RS256", typ: "at+jwt", kid: edge.key.publicKey.kid };
    const changes: readonly object[] = [
      ...[{ kid: 5 }, { kid: {} }, { typ: 5 }, { typ: ["at+jwt"] }, { crit: "x" }, { crit: [] }],
      ...[{ crit: ["b64"], b64: false }, { alg: ["RS256"] }, { alg: null }, { zip: "DEF" }],
    ];
    const changed = changes.map((change) => JSON.stringify({ ...right, ...change }));
    const headers = ["null", "[]", "1", "{", ...changed];
    for (const header of headers) {
      await assertUnauthorized(edge, `Bearer ${base64url.encode(header)}.${payload}.${signature}`, header);
    }
  });

  test("a token in the query or the body is no token", async (t) => {
    const edge = await readyEdge(t);
    const response = await edge.fetch(`${list}&access_token=${await signToken(edge.key)}`);
    assert.equal(response.status, 401);
  });

  test("an API key on another endpoint lets nobody in", async (t) => {
    const edge = await readyEdge(t);
    const response = await edge.fetch(list, { headers: { "x-api-key": `tdk_live_${"a".repeat(43)}` } });
    assert.equal(response.status, 401);
  });
});

/** Signs a token that jose refuses to make. */
async function craft(key: SigningKey, { header = {} }: TokenParts): Promise<string> {
  const payload = (await signToken(key)).split(".")[1] ?? "";
  const head = base64url.encode(JSON.stringify({ alg: "RS256", typ: "at+jwt", kid: key.publicKey.kid, ...header }));
  const bytes = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key.privateKey, Buffer.from(`${head}.${payload}`));
  return `${head}.${payload}.${Buffer.from(bytes).toString("base64url")}`;
}

describe("scopes", () => {
  test("an operation without its scope: 403, and the body is not looked at", async (t) => {
    const edge = await readyEdge(t);
    const headers = { ...(await edge.bearer({ claims: { scope: "read" } })), "content-type": "application/json" };
    const response = await edge.fetch("/api/v1/oco-orders", { method: "POST", headers, body: "not json" });
    assert.equal(response.status, 403);
    const message = "the access token lacks the scope trade";
    assert.deepEqual(await response.json(), { success: false, message, error: { code: "FORBIDDEN", message } });
    assert.equal(response.headers.get("x-ratelimit-limit"), "5000");
  });

  test("words that are no scope grant nothing", async (t) => {
    const edge = await readyEdge(t);
    const headers = await edge.bearer({ claims: { scope: "reader readwrite" } });
    assert.equal((await edge.fetch(list, { headers })).status, 403);
  });
});

describe("a token that held", () => {
  test("lends its signature to no other, however often it was let in", async (t) => {
    const edge = await readyEdge(t);
    const token = await signToken(edge.key, {});
    const other = await signToken(edge.key, { claims: { sub: "8" } });
    const [header = "", , signature = ""] = token.split(".");
    const [, payload = ""] = other.split(".");
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await edge.fetch(list, { headers: { authorization: `Bearer ${token}` } })).status, 200);
      await assertUnauthorized(edge, `Bearer ${header}.${payload}.${signature}`, "another's claims");
      await assertUnauthorized(edge, `Bearer ${signature}`, "the signature alone");
    }
  });

  test("is refused from the moment its family is revoked", async (t) => {
    const edge = await readyEdge(t);
    const headers = await edge.bearer({ claims: { fid: 55 } });
    assert.equal((await edge.fetch(list, { headers })).status, 200);
    edge.engine.revoke(55);
    await untilTrue(async () => (await edge.fetch(list, { headers })).status === 401);
    assert.equal((await edge.fetch(list, { headers: await edge.bearer({ claims: { fid: 56 } }) })).status, 200);
  });

  test("is refused from the second it expires", async (t) => {
    const edge = await readyEdge(t);
    const headers = await edge.bearer({ claims: { exp: nowSeconds + 1_000 } });
    assert.equal((await edge.fetch(list, { headers })).status, 200);
    edge.advance(1_001_000);
    assert.equal((await edge.fetch(list, { headers })).status, 401);
  });

  test("is asked about under its user's partition, and nobody else's", async (t) => {
    const edge = await runEdge(t, { partitions: 4 });
    edge.engine.on("oco.list", () => pageOf(null));
    const seen = new Set<string>();
    for (let userId = 1; userId <= 12; userId += 1) {
      await edge.fetch(list, { headers: await edge.bearer({ claims: { sub: String(userId) } }) });
      const asked = edge.engine.asked.at(-1);
      assert.equal(asked?.userId, userId);
      seen.add(asked?.subject ?? "");
    }
    assert.ok(seen.size > 1);
  });
});

describe("keys and revocations", () => {
  test("a family revoked before the edge started is refused", async (t) => {
    const edge = await readyEdge(t);
    const late = await runEdge(t, { waitUntilReady: false });
    late.engine.revoked.push(77);
    late.engine.on("oco.list", () => pageOf(null));
    await untilTrue(async () => (await late.fetch("/ready")).status === 200);
    const parts = { claims: { fid: 77 } };
    assert.equal((await late.fetch(list, { headers: await late.bearer(parts) })).status, 401);
    assert.equal((await edge.fetch(list, { headers: await edge.bearer(parts) })).status, 200);
  });

  test("until they are known a token is neither good nor bad: 503", async (t) => {
    const edge = await runEdge(t, { waitUntilReady: false });
    let isKnown = false;
    edge.engine.on("identity.revocations", () =>
      isKnown
        ? { ok: true, data: { familyIds: [], isLast: true } }
        : { ok: false, code: "UNAVAILABLE", message: "starting" },
    );
    edge.engine.on("oco.list", () => pageOf(null));
    const headers = await edge.bearer();
    const before = await edge.fetch(list, { headers });
    assert.equal(before.status, 503);
    assert.equal(((await before.json()) as { error: { code: string } }).error.code, "UNAVAILABLE");
    assert.equal((await edge.fetch("/ready")).status, 503);
    isKnown = true;
    await untilTrue(async () => (await edge.fetch(list, { headers })).status === 200);
  });

  test("a list of revoked families of several pages is read to its end", async (t) => {
    const edge = await runEdge(t, { waitUntilReady: false });
    edge.engine.on("identity.revocations", ({ body }) => {
      const { afterFamilyId } = body as { readonly afterFamilyId: number };
      return { ok: true, data: { familyIds: [afterFamilyId + 10], isLast: afterFamilyId === 20 } };
    });
    edge.engine.on("oco.list", () => pageOf(null));
    await untilTrue(async () => (await edge.fetch("/ready")).status === 200);
    for (const fid of [10, 20, 30]) {
      assert.equal((await edge.fetch(list, { headers: await edge.bearer({ claims: { fid } }) })).status, 401);
    }
  });

  test("a new signing key is learned when a token names it, and strangers cannot make the edge ask on", async (t) => {
    const edge = await readyEdge(t);
    const next = await makeSigningKey();
    edge.engine.setKeys(edge.key, next);
    edge.advance(5_000);
    const headers = { authorization: `Bearer ${await signToken(next)}` };
    assert.equal((await edge.fetch(list, { headers })).status, 200);
    const keyQuestions = () => edge.engine.asked.filter(({ type }) => type === "identity.keys").length;
    const before = keyQuestions();
    for (let round = 0; round < 5; round += 1) {
      const token = await signToken(edge.key, { header: { kid: `stranger-${round}` } });
      await assertUnauthorized(edge, `Bearer ${token}`, "unknown key");
    }
    assert.equal(keyQuestions(), before);
  });
});
