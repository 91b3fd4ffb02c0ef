/** Who is let in: forged tokens, keys in the wrong place, refresh tokens used twice, secrets that leak (catalogue 32 to 35, 38 to 42). */
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type CryptoKey, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Answer, FaultApp, until } from "./support/app.ts";
import { GROUPS } from "./support/group.ts";
import { assertNoFault, type FaultCase, faultTable, messageOf } from "./support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const owner = await app.newUser();
const thief = await app.newUser();

const LIST = `${GROUPS}?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`;
const [HEAD = "", PAYLOAD = "", SIGNATURE = ""] = owner.token.split(".");
const jwk = JSON.parse((await app.readFile("partition-0", "signing-key.json")).toString()) as JWK;
const ownKey = (await importJWK({ ...jwk, alg: "RS256" }, "RS256")) as CryptoKey;
const header = JSON.parse(Buffer.from(HEAD, "base64url").toString()) as { alg: string; kid: string; typ: string };
const claims = JSON.parse(Buffer.from(PAYLOAD, "base64url").toString()) as JWTPayload & { readonly iat: number };
const nowSeconds = claims.iat;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token that the service's own key signs, with other claims or another header. */
function signed(change: object, head: object = {}, key: CryptoKey = ownKey): Promise<string> {
  const payload = Object.fromEntries(
    Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ ...header, ...head }).sign(key);
}

const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strangerJwk = stranger.publicKey.export({ format: "jwk" });
const strangerKey = (await importJWK(
  { ...stranger.privateKey.export({ format: "jwk" }), alg: "RS256" },
  "RS256",
)) as CryptoKey;

function macSigned(): string {
  const { n, e } = jwk;
  const secrets = JSON.stringify({ kty: "RSA", n, e });
  const text = `${encode({ ...header, alg: "HS256" })}.${PAYLOAD}`;
  return `${text}.${createHmac("sha256", secrets).update(text).digest("base64url")}`;
}

const forged: readonly (readonly [string, string])[] = [
  ["no algorithm", `${encode({ ...header, alg: "none" })}.${PAYLOAD}.`],
  ["no algorithm, signed", `${encode({ ...header, alg: "none" })}.${PAYLOAD}.${SIGNATURE}`],
  ["NONE", `${encode({ ...header, alg: "NONE" })}.${PAYLOAD}.${SIGNATURE}`],
  ["HS256 under the public key", macSigned()],
  ["RS512 in the header alone", `${encode({ ...header, alg: "RS512" })}.${PAYLOAD}.${SIGNATURE}`],
  ["a stranger's key under our key id", await signed({}, {}, strangerKey)],
  ["a stranger's key that the header brings", await signed({}, { jwk: strangerJwk }, strangerKey)],
  ["a stranger's key at an address", await signed({}, { jku: "http://127.0.0.1:1/jwks" }, strangerKey)],
  ["a stranger's certificate at an address", await signed({}, { x5u: "http://127.0.0.1:1/x" }, strangerKey)],
  ["an unknown key id", await signed({}, { kid: "unknown" })],
  ["a key id that is a path", await signed({}, { kid: "../../../dev/null" })],
  ["a key id that is a query", await signed({}, { kid: "' OR 1=1 --" })],
  ["no key id", await signed({}, { kid: undefined })],
  ["another type", await signed({}, { typ: "JWT" })],
  ["no type", await signed({}, { typ: undefined })],
  ["another audience", await signed({ aud: "somebody" })],
  ["no audience", await signed({ aud: undefined })],
  ["another issuer", await signed({ iss: "somebody" })],
  ["no expiry", await signed({ exp: undefined })],
  ["expired yesterday", await signed({ iat: nowSeconds - 172_800, exp: nowSeconds - 86_400 })],
  ["expired a moment ago", await signed({ exp: nowSeconds - 1 })],
  ["not yet good", await signed({ nbf: nowSeconds + 3_600 })],
  ["issued tomorrow", await signed({ iat: nowSeconds + 86_400, exp: nowSeconds + 172_800 })],
  ["a subject that is no user", await signed({ sub: "demo" })],
  ["a subject of minus one", await signed({ sub: "-1" })],
  ["a family that is none", await signed({ fid: 0 })],
  ["no scope", await signed({ scope: undefined })],
  ["no signature", `${HEAD}.${PAYLOAD}.`],
  ["two parts", `${HEAD}.${PAYLOAD}`],
  ["four parts", `${owner.token}.${SIGNATURE}`],
  ["padding", `${owner.token}==`],
  ["another alphabet", owner.token.replaceAll("-", "+").replaceAll("_", "/").concat("+")],
  ["the last letter of the signature", `${owner.token.slice(0, -1)}${owner.token.endsWith("A") ? "B" : "A"}`],
  ["another's payload", `${HEAD}.${thief.token.split(".")[1]}.${SIGNATURE}`],
  ["a refresh token", owner.refreshToken],
  ["an API key", owner.apiKey],
  ["five parts, encrypted", "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA"],
  ["nothing but dots", ".."],
  ["the word undefined", "undefined"],
];

faultTable("a token that does not hold", {
  app,
  user: owner,
  path: LIST,
  cases: [
    ...forged.map(([name, token]): FaultCase => ({ name, method: "GET", token, status: 401 })),
    ...[
      ["no header", ""],
      ["no scheme", owner.token],
      ["another scheme", `Basic ${owner.token}`],
      ["a scheme alone", "Bearer"],
      ["garbage after it", `Bearer ${owner.token} x`],
      ["two tokens", `Bearer ${owner.token}, Bearer ${owner.token}`],
      ["a tab for a space", `Bearer\t${owner.token}`],
      ["12 KB", `Bearer ${HEAD}.${PAYLOAD}.${"A".repeat(12_000)}`],
      ["the API key as a scheme", `ApiKey ${owner.apiKey}`],
    ].map(
      ([name = "", authorization = ""]): FaultCase => ({
        name,
        method: "GET",
        headers: { authorization },
        status: 401,
      }),
    ),
    {
      name: "an API key in its header, elsewhere",
      method: "GET",
      headers: { authorization: "", "x-api-key": owner.apiKey },
      status: 401,
    },
    {
      name: "a token in the query",
      method: "GET",
      path: `${LIST}&access_token=${owner.token}`,
      token: "x",
      status: 401,
    },
  ],
});

test("a token that holds is taken in any case of its scheme, with any number of spaces", async () => {
  for (const authorization of [`bearer ${owner.token}`, `BEARER ${owner.token}`, `Bearer  ${owner.token}`]) {
    assert.equal((await app.send("GET", LIST, { headers: { authorization } })).status, 200);
  }
  assert.equal((await app.send("GET", LIST, { token: await signed({}) })).status, 200, "the forger's tools work");
});

describe("the token endpoint", () => {
  const cases: readonly (readonly [string, object, Record<string, string>, number, string])[] = [
    ["no key", { grant_type: "api_key" }, {}, 401, "invalid_client"],
    ["an unknown key", { grant_type: "api_key" }, { "x-api-key": `tdk_live_${"a".repeat(43)}` }, 401, "invalid_client"],
    ["the prefix alone", { grant_type: "api_key" }, { "x-api-key": "tdk_live_" }, 401, "invalid_client"],
    ["a key cut short", { grant_type: "api_key" }, { "x-api-key": owner.apiKey.slice(0, -1) }, 401, "invalid_client"],
    ["a key too long", { grant_type: "api_key" }, { "x-api-key": `${owner.apiKey}a` }, 401, "invalid_client"],
    [
      "a key of another case",
      { grant_type: "api_key" },
      { "x-api-key": owner.apiKey.toUpperCase() },
      401,
      "invalid_client",
    ],
    ["a key in the body", { grant_type: "api_key", api_key: owner.apiKey }, {}, 401, "invalid_client"],
    [
      "a key as a bearer",
      { grant_type: "api_key" },
      { authorization: `Bearer ${owner.apiKey}` },
      401,
      "invalid_client",
    ],
    ["an access token as a key", { grant_type: "api_key" }, { "x-api-key": owner.token }, 401, "invalid_client"],
    [
      "an access token to refresh",
      { grant_type: "refresh_token", refresh_token: owner.token },
      {},
      400,
      "invalid_grant",
    ],
    ["a key to refresh", { grant_type: "refresh_token", refresh_token: owner.apiKey }, {}, 400, "invalid_grant"],
    [
      "a refresh token of nobody",
      { grant_type: "refresh_token", refresh_token: `tdr_9_${"A".repeat(43)}` },
      {},
      400,
      "invalid_grant",
    ],
    [
      "a family far away",
      { grant_type: "refresh_token", refresh_token: `tdr_9999999999999999_${"A".repeat(43)}` },
      {},
      400,
      "invalid_grant",
    ],
    ["no refresh token", { grant_type: "refresh_token" }, { "x-api-key": owner.apiKey }, 400, "invalid_request"],
    ["another grant", { grant_type: "password" }, { "x-api-key": owner.apiKey }, 400, "unsupported_grant_type"],
    ["no grant", {}, { "x-api-key": owner.apiKey }, 400, "invalid_request"],
  ];
  for (const [name, body, headers, status, error] of cases) {
    test(`${name}: ${error}, and nothing of it comes back`, async () => {
      const answer = await app.exchange(body, headers);
      assert.equal(answer.status, status, answer.text);
      const message = messageOf(answer);
      assert.deepEqual(answer.body, {
        success: false,
        message: answer.body.message,
        error,
        error_description: message,
      });
      assert.ok(!answer.text.includes(owner.apiKey.slice(0, 20)) && !answer.text.includes("eyJ"));
      assert.equal(answer.headers.get("cache-control"), "no-store");
    });
  }

  test("the owner's own family outlived all of these", async () => {
    assert.equal((await app.send("GET", LIST, { token: owner.token })).status, 200);
    assertNoFault(app);
  });
});

const refresh = (token: string): Promise<Answer> => app.exchange({ grant_type: "refresh_token", refresh_token: token });
const isIn = async (token: string): Promise<boolean> =>
  (await app.send("GET", "/api/v1/symbols/THYAO", { token })).status === 200;

describe("a refresh token", () => {
  test("is good once: its reuse ends the family, access tokens too", async () => {
    const user = await app.newUser();
    const second = await refresh(user.refreshToken);
    assert.equal(second.status, 200);
    assert.ok(await isIn(String(second.body.access_token)));
    const reused = await refresh(user.refreshToken);
    assert.deepEqual([reused.status, reused.body.error], [400, "invalid_grant"]);
    await until(async () => !(await isIn(String(second.body.access_token))));
    assert.equal(await isIn(user.token), false);
    assert.equal((await refresh(String(second.body.refresh_token))).status, 400);
    const renewed = await app.exchange({ grant_type: "api_key" }, { "x-api-key": user.apiKey });
    assert.ok(await isIn(String(renewed.body.access_token)), "a new exchange starts over");
  });

  test("used by several at once: one wins, and the family ends for all", async () => {
    const user = await app.newUser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(user.refreshToken)));
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    const [winner] = winners;
    await until(async () => !(await isIn(String(winner?.body.access_token))));
    assert.equal((await refresh(String(winner?.body.refresh_token))).status, 400);
  });

  test("of a key that was revoked is worth nothing, nor are its access tokens", async () => {
    const user = await app.newUser();
    const keys = (await app.ask("query", "keys.list", { userId: user.userId })) as { keyId: number }[];
    await app.ask("command", "keys.revoke", { userId: user.userId, keyId: keys[0]?.keyId ?? 0 });
    await until(async () => !(await isIn(user.token)));
    assert.equal((await refresh(user.refreshToken)).status, 400);
    assert.equal((await app.exchange({ grant_type: "api_key" }, { "x-api-key": user.apiKey })).status, 401);
  });

  test("that somebody made up ends nobody's family", async () => {
    const user = await app.newUser();
    const [prefix = "", family = ""] = user.refreshToken.split("_");
    for (const secret of ["A".repeat(43), "_".repeat(43)]) {
      assert.equal((await refresh(`${prefix}_${family}_${secret}`)).status, 400);
    }
    assert.ok(await isIn(user.token));
    assert.equal((await refresh(user.refreshToken)).status, 200);
  });
});

describe("secrets", () => {
  const password = "Geheim-4711-Passwort";
  before(async () => {
    const account = { brokerageCode: "PAPER", accountNumber: owner.accountNumber };
    const json = { ...account, username: "12345678901", password };
    await app.send("POST", "/api/v1/accounts/login", { token: owner.token, json });
    await app.send("POST", "/api/v1/accounts/login", {
      token: owner.token,
      json: { ...json, sessionId: "x", sms: "424242" },
    });
    await app.settle();
  });
  const secrets = (): string[] => [
    ...app.users.flatMap(({ apiKey, token, refreshToken }) => [apiKey, token, refreshToken]),
    password,
    "424242",
    "12345678901",
  ];

  test("are in no log", () => {
    for (const secret of secrets())
      assert.equal(app.log.lines.filter((line) => line.includes(secret)).length, 0, secret.slice(0, 12));
  });

  test("are in no file of the data folder", async () => {
    for (const [path, bytes] of await app.files()) {
      for (const secret of secrets()) assert.equal(bytes.includes(secret), false, `${path}: ${secret.slice(0, 12)}`);
    }
  });
});

test("through all of it nothing went wrong inside", () => assertNoFault(app));
