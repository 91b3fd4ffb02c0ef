/** Who is let in and to what: forged tokens, keys in the wrong place, other users' objects, scopes, reuse (catalogue 32 to 42). */
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type CryptoKey, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Answer, FaultApp, until } from "./support/app.ts";
import { cancelGroup, createGroup, GROUPS, groupOf, PENDING, pendingOf, rowsOf } from "./support/group.ts";
import { assertNoFault, assertRefusal, type FaultCase, faultTable, messageOf } from "./support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const owner = await app.newUser();
const thief = await app.newUser();
const reader = await app.newUser(["read"]);
const trader = await app.newUser(["trade"]);

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

const account = { brokerageCode: "PAPER", accountNumber: owner.accountNumber };
const ofThief = { ...account, accountNumber: thief.accountNumber };
const order = { symbol: "THYAO", quantity: 1, buySell: 1, orderType: 2, price: 50 };
const standing = await createGroup(app, owner, { symbol: "GARAN" });
const takeProfit = (await rowsOf(app, owner, standing.groupId))[1]?.id ?? 0;
const made = async (path: string, json: object): Promise<number> => {
  const answer = await app.send("POST", path, { token: owner.token, json });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body.data as { id: number }).id;
};
const list = { name: "mine", description: "", symbols: ["THYAO"], listType: "CUSTOM", isPublic: false };
const levelBot = {
  ...account,
  name: "bot",
  isActive: false,
  levelBotDetails: [{ symbol: "THYAO", buyGap: 1, sellGap: 1 }],
};
const webhookBot = {
  ...account,
  name: "bot",
  isActive: false,
  webhookBotDetails: [{ symbol: "THYAO", algoName: "a", period: "1H", quantity: 1 }],
};
const listId = await made("/api/v1/symbol-lists", list);
const levelBotId = await made("/api/v1/level-bots", levelBot);
const webhookBotId = await made("/api/v1/webhook-bots", webhookBot);
const placed = await app.send("POST", "/api/v1/orders", { token: owner.token, json: { ...account, ...order } });
const { orderNo } = placed.body.data as { orderNo: string };

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

const from = (method: string, path: string, status: number, json?: object): FaultCase => ({
  name: `${method} ${path.replace(/accountNumber=[^&]+/, "accountNumber=theirs")} ${json === undefined ? "" : JSON.stringify(json).slice(0, 40)}`,
  method,
  path,
  status,
  ...(json === undefined ? {} : { json }),
});

faultTable("what belongs to another user", {
  app,
  user: thief,
  path: GROUPS,
  cases: [
    from("GET", LIST, 403),
    from("GET", LIST.replace(owner.accountNumber, encodeURIComponent(`${owner.accountNumber} `)), 403),
    from("DELETE", `${GROUPS}/${standing.id}?brokerageCode=PAPER`, 404),
    from("DELETE", `${GROUPS}/${takeProfit}?brokerageCode=PAPER`, 404),
    from("POST", GROUPS, 403, groupOf(owner)),
    from("POST", "/api/v1/accounts/positions", 403, { ...account, includeOrders: true }),
    // Its limit is that of positions: asked by another stranger.
    { ...from("POST", "/api/v1/accounts/daily-orders", 403, account), token: reader.token },
    from("POST", "/api/v1/orders", 403, { ...account, ...order }),
    from("POST", "/api/v1/orders/chain", 403, { ...account, ...order, referenceOrderNo: orderNo }),
    from("POST", "/api/v1/orders/batch", 403, { ...account, items: [order] }),
    from("POST", "/api/v1/orders/cancel", 403, { ...account, orderNo, symbol: "THYAO" }),
    from("POST", "/api/v1/orders/cancel", 404, { ...ofThief, orderNo, symbol: "THYAO" }),
    from("POST", "/api/v1/orders/cancel/batch", 403, { ...account, items: [{ orderNo, symbol: "THYAO" }] }),
    from("GET", `/api/v1/symbol-lists/${listId}`, 404),
    from("PUT", `/api/v1/symbol-lists/${listId}`, 404, { name: "stolen", description: "", symbols: ["GARAN"] }),
    from("DELETE", `/api/v1/symbol-lists/${listId}`, 404),
    from("GET", `/api/v1/level-bots?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/level-bots/${levelBotId}?brokerageCode=PAPER`, 404),
    from("PUT", `/api/v1/level-bots/${levelBotId}`, 404, { ...levelBot, isActive: true }),
    from("PUT", `/api/v1/level-bots/${levelBotId}`, 404, { ...levelBot, ...ofThief, isActive: true }),
    from("POST", "/api/v1/level-bots", 403, levelBot),
    from("GET", `/api/v1/level-bots/${levelBotId}/pair-orders?brokerageCode=PAPER`, 404),
    from("GET", `/api/v1/level-bots/pair-orders/history?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/webhook-bots?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/webhook-bots/${webhookBotId}?brokerageCode=PAPER`, 404),
    from("PUT", `/api/v1/webhook-bots/${webhookBotId}`, 404, { ...webhookBot, isActive: true }),
    from("PUT", `/api/v1/webhook-bots/${webhookBotId}`, 404, { ...webhookBot, ...ofThief, isActive: true }),
    from("POST", "/api/v1/webhook-bots", 403, webhookBot),
    from("GET", `/api/v1/webhook-bots/${webhookBotId}/pair-orders?brokerageCode=PAPER`, 404),
    from("POST", "/api/v1/systems/list", 403, account),
    from("GET", `/api/v1/level-bots/${webhookBotId}?brokerageCode=PAPER`, 404),
    from("GET", `/api/v1/level-bots/${standing.id}?brokerageCode=PAPER`, 404),
  ],
});

faultTable("a registration on another user's order", {
  app,
  user: thief,
  path: PENDING,
  invalidData: 0,
  cases: [
    { name: "at their account", json: pendingOf(owner, orderNo), status: 403 },
    {
      name: "at one's own account",
      json: pendingOf(thief, orderNo),
      status: 400,
      message: /not an order of the account/,
    },
  ],
});

test("a chain on another user's order ends as an unknown reference, and trades nothing of theirs", async () => {
  const json = { ...ofThief, ...order, referenceOrderNo: orderNo };
  const answer = await app.send("POST", "/api/v1/orders/chain", { token: thief.token, json });
  assertRefusal(answer);
  assert.equal((await app.orders(owner)).length, 1);
});

const CHANGES: readonly (readonly [string, string, object])[] = [
  ["POST", GROUPS, groupOf(reader)],
  ["DELETE", `${GROUPS}/${standing.id}?brokerageCode=PAPER`, {}],
  ["POST", PENDING, pendingOf(reader, "1")],
  ["POST", "/api/v1/orders", order],
  ["POST", "/api/v1/orders/chain", order],
  ["POST", "/api/v1/orders/batch", order],
  ["POST", "/api/v1/orders/cancel", order],
  ["POST", "/api/v1/orders/cancel/batch", order],
  ["POST", "/api/v1/accounts/login", order],
  ["POST", "/api/v1/symbol-lists", list],
  ["PUT", `/api/v1/symbol-lists/${listId}`, list],
  ["DELETE", `/api/v1/symbol-lists/${listId}`, {}],
  ["POST", "/api/v1/level-bots", levelBot],
  ["PUT", `/api/v1/level-bots/${levelBotId}`, levelBot],
  ["POST", "/api/v1/webhook-bots", webhookBot],
  ["PUT", `/api/v1/webhook-bots/${webhookBotId}`, webhookBot],
];
const READS: readonly (readonly [string, string])[] = [
  ["GET", LIST],
  ["GET", "/api/v1/accounts"],
  ["POST", "/api/v1/accounts/positions"],
  ["POST", "/api/v1/accounts/daily-orders"],
  ["POST", "/api/v1/systems/list"],
  ["GET", "/api/v1/symbols"],
  ["GET", "/api/v1/symbols/THYAO"],
  ["GET", "/api/v1/symbol-lists"],
  ["GET", "/api/v1/list-types"],
  ["GET", "/api/v1/level-bots?brokerageCode=PAPER&accountNumber=x"],
  ["GET", "/api/v1/webhook-bots?brokerageCode=PAPER&accountNumber=x"],
  ["GET", "/api/v1/public/restrictions"],
  ["GET", "/api/v1/public/restrictions/THYAO"],
  ["GET", "/api/v1/public/restrictions/by-type/BrutTakas"],
  ["GET", "/api/v1/public/restrictions/check/THYAO/3"],
  ["POST", "/mcp"],
];

faultTable("a change without the scope trade", {
  app,
  user: reader,
  path: GROUPS,
  cases: CHANGES.map(([method, path, json]) => ({
    ...from(method, path, 403, json),
    message: /lacks the scope trade$/,
  })),
});

faultTable("a read without the scope read", {
  app,
  user: trader,
  path: GROUPS,
  cases: READS.map(([method, path]) => ({
    ...from(method, path, 403, method === "POST" ? {} : undefined),
    message: /lacks the scope read$/,
  })),
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
    const anew = await app.exchange({ grant_type: "api_key" }, { "x-api-key": user.apiKey });
    assert.ok(await isIn(String(anew.body.access_token)), "a new exchange starts over");
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

test("through all of it the owner's group stands, and is the owner's to cancel", async () => {
  assert.deepEqual(
    (await rowsOf(app, owner, standing.groupId)).map(({ status }) => status),
    [1, 1, 1],
  );
  await cancelGroup(app, owner, takeProfit);
  assertNoFault(app);
});
