/** Bodies that are no JSON, no object, too large, too deep or of another kind, on every operation (catalogue 1 to 3, 12 to 22). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "../../support/property.ts";
import { FaultApp } from "../support/app.ts";
import { createGroup, GROUPS, groupOf, PENDING, rowsOf } from "../support/group.ts";
import { assertNoFault, assertRefusal, type FaultCase, faultTable, messageOf } from "../support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const user = await app.newUser();
await app.tick("THYAO", 100);
/** There must be something to harm. */
const standing = await createGroup(app, user, { symbol: "GARAN" });

const text = JSON.stringify(groupOf(user));
const NOT_JSON = /^the body is not valid JSON$/;
const raw = (name: string, body: string | Uint8Array, message: RegExp): FaultCase => ({
  name,
  body,
  status: 400,
  message,
});
const bytes = (...values: number[]): Buffer =>
  Buffer.concat([Buffer.from('{"notes":"'), Buffer.from(values), Buffer.from('"}')]);

faultTable("a body that does not parse", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...["", " ", "\n", "{", "[", '"', text.slice(0, -1), text.slice(1), `${text.slice(0, -1)},}`, `${text}${text}`].map(
      (body) => raw(`cut or doubled: ${body.slice(0, 12)} (${body.length})`, body, NOT_JSON),
    ),
    ...["NaN", "Infinity", "-Infinity", "undefined", "0x10", "01", "1.", ".5", "+1", "1e", "--1", "1_000", "0b1"].map(
      (number) => raw(`the number ${number}`, text.replace("90", number), NOT_JSON),
    ),
    raw("a byte order mark", `\uFEFF${text}`, NOT_JSON),
    raw("single quotes", text.replaceAll('"', "'"), NOT_JSON),
    raw("a comment", `${text}// x`, NOT_JSON),
    raw("keys without quotes", '{symbol:"THYAO"}', NOT_JSON),
    raw("a line feed in a text", '{"notes":"a\nb"}', NOT_JSON),
    raw("an unknown escape", '{"notes":"\\x41"}', NOT_JSON),
    raw("half an escape", '{"notes":"\\u12"}', NOT_JSON),
    raw("NUL after the end", `${text}\u0000`, NOT_JSON),
    raw("a form", "brokerageCode=PAPER&symbol=THYAO", NOT_JSON),
    raw("XML", "<group><symbol>THYAO</symbol></group>", NOT_JSON),
    raw("a stray byte", bytes(0xff), /UTF-8/),
    raw("an overlong encoding", bytes(0xc0, 0xaf), /UTF-8/),
    raw("half of an emoji in bytes", bytes(0xed, 0xa0, 0x80), /UTF-8/),
    raw("a character cut off", bytes(0xf0, 0x9f, 0x98), /UTF-8/),
    raw("UTF-16", Buffer.from(text, "utf16le"), /not valid/),
    raw("bytes of nothing", Buffer.alloc(64, 1), /not valid/),
  ],
});

const deep = (open: string, count: number): FaultCase =>
  raw(`${count} of ${open}`, open.repeat(count), /deeper than 64$/);

faultTable("a body that is no object, too deep or too large", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...["null", "1", '"text"', "true", "false", "[]", "[{}]", "[[]]"].map((body) =>
      raw(body, body, /^the body must be an object$/),
    ),
    raw("an empty object", "{}", /^brokerageCode is required$/),
    deep("[", 1_000_000),
    deep('{"a":', 200_000),
    deep('[{"a":', 100_000),
    raw("65 levels that close", `{"notes":${"[".repeat(64)}${"]".repeat(64)}}`, /deeper than 64/),
    raw("brackets in a text are no depth", JSON.stringify({ notes: "[{".repeat(5_000) }), /is required$/),
    raw(
      "75,000 keys",
      `{${Array.from({ length: 75_000 }, (_, index) => `"k${index}":0`).join(",")}}`,
      /^k0 is not a field$/,
    ),
    raw("a number of a million digits", `{"stopLossPrice":${"9".repeat(1_000_000)}}`, /./),
    { name: "one byte too many", body: text.padEnd(1_048_577), status: 413, message: /larger than 1048576 bytes/ },
    { name: "ten times too many", body: "[".repeat(10_485_760), status: 413, message: /larger than/ },
  ],
});

const KIND = /^Content-Type must be application\/json, in UTF-8$/;
const kind = (type: string): FaultCase => ({
  name: `of the kind ${JSON.stringify(type)}`,
  body: text,
  headers: { "content-type": type },
  status: 400,
  message: KIND,
});
const coded = (coding: string, body: Uint8Array): FaultCase => ({
  name: `of the coding ${coding}`,
  body,
  headers: { "content-encoding": coding },
  status: 400,
  message: /^Content-Encoding is not supported/,
});
const BOMB = Buffer.alloc(10_000_000, " ");

faultTable("a body of another kind", {
  app,
  user,
  path: GROUPS,
  cases: [
    ...["text/plain", "text/json", "application/xml", "application/jsonx", "application/vnd.api+json", "x"].map(kind),
    ...["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "", ";", "*/*"].map(kind),
    ...["utf-16", "iso-8859-1", "utf-7", ""].map((charset) => kind(`application/json; charset=${charset}`)),
    { name: "of no kind", body: Buffer.from(text), headers: { "content-type": "" }, status: 400, message: KIND },
    coded("gzip", gzipSync(BOMB)),
    coded("deflate", deflateSync(BOMB)),
    coded("br", brotliCompressSync(BOMB)),
    coded("gzip, gzip", gzipSync(gzipSync(BOMB))),
    coded("nonsense", Buffer.from(text)),
    { name: "under an empty Idempotency-Key", body: text, headers: { "idempotency-key": "" }, status: 400 },
    { name: "under an endless one", body: text, headers: { "idempotency-key": "k".repeat(201) }, status: 400 },
  ],
});

const account = { brokerageCode: "PAPER", accountNumber: user.accountNumber };
const order = { ...account, symbol: "THYAO", quantity: 1, buySell: 1 };
const OTHERS: readonly (readonly [string, object, RegExp])[] = [
  ["/api/v1/orders", { ...order, orderType: 1, price: 5 }, /price/],
  ["/api/v1/orders", { ...order, orderType: 1, price: 0.01 }, /price/],
  ["/api/v1/orders", { ...order, orderType: 2, price: 0 }, /price/],
  ["/api/v1/orders", { ...order, orderType: 2 }, /price/],
  ["/api/v1/orders", { ...order, orderType: 2, price: 100.05 }, /multiple of 0.1/],
  ["/api/v1/orders", { ...order, orderType: 3, price: 0 }, /orderType/],
  ["/api/v1/orders", { ...order, orderType: 1, price: 0, buySell: 0 }, /buySell/],
  ["/api/v1/orders", { ...order, orderType: 1, price: 0, quantity: 0 }, /quantity/],
  ["/api/v1/orders", { ...order, orderType: 1, price: 0, symbol: "UNKNOWN" }, /symbol/],
  ["/api/v1/orders", { ...order, orderType: 1, price: 0, brokerageCode: "NONE" }, /brokerageCode/],
  ["/api/v1/orders/chain", { ...order, orderType: 1, price: 0 }, /referenceOrderNo/],
  ["/api/v1/orders/chain", { ...order, orderType: 1, price: 0, referenceOrderNo: "" }, /referenceOrderNo/],
  ["/api/v1/orders/batch", { ...account, items: [] }, /items/],
  ["/api/v1/orders/batch", { ...account, items: Array(101).fill(order) }, /items/],
  ["/api/v1/orders/batch", account, /items/],
  ["/api/v1/orders/batch", { ...account, items: { length: 5 } }, /items/],
  ["/api/v1/orders/cancel", { ...account, symbol: "THYAO", orderNo: "" }, /orderNo/],
  ["/api/v1/orders/cancel", { ...account, symbol: "THYAO", orderNo: 5 }, /orderNo/],
  ["/api/v1/orders/cancel/batch", { ...account, items: [] }, /items/],
  ["/api/v1/accounts/login", { ...account, username: "u", password: "p", sms: "1" }, /sms|sessionId/],
  ["/api/v1/accounts/login", { ...account, username: "", password: "p" }, /username/],
  ["/api/v1/accounts/login", { ...account, username: "u", password: ["p"] }, /password/],
  ["/api/v1/accounts/positions", { ...account, includeOrders: "yes" }, /includeOrders/],
  ["/api/v1/accounts/positions", { brokerageCode: "PAPER" }, /accountNumber/],
  ["/api/v1/accounts/daily-orders", { accountNumber: "PAPER-1" }, /brokerageCode/],
  [
    "/api/v1/symbol-lists",
    { name: "x", description: "x", symbols: ["UNKNOWN"], listType: "CUSTOM", isPublic: false },
    /./,
  ],
  [
    "/api/v1/symbol-lists",
    { name: "x", description: "x", symbols: "THYAO", listType: "CUSTOM", isPublic: false },
    /symbols/,
  ],
];

faultTable("a body of another operation that is wrong in a field", {
  app,
  user,
  path: GROUPS,
  cases: OTHERS.map(([path, json, message], index) => ({ name: `${path} ${index}`, path, json, status: 400, message })),
});

faultTable("what belongs to nobody here", {
  app,
  user,
  path: GROUPS,
  cases: [
    {
      name: "an order at an account of a stranger's",
      path: "/api/v1/orders",
      json: { ...order, orderType: 1, price: 0, accountNumber: "PAPER-999999" },
      status: 403,
    },
    {
      name: "cancelling an unknown order",
      path: "/api/v1/orders/cancel",
      json: { ...account, symbol: "THYAO", orderNo: "nowhere" },
      status: 404,
    },
  ],
});

describe("keys that mean more than they should", () => {
  test("a key that is given twice is refused, and nothing is done", async () => {
    const before = await app.fingerprint();
    const twice = text.replace('"stopLossQuantity":10', '"stopLossQuantity":1,"stopLossQuantity":20');
    const answer = await app.send("POST", GROUPS, { token: user.token, body: twice });
    assertRefusal(answer);
    assert.equal(messageOf(answer), "the body has the field stopLossQuantity twice");
    assert.equal(await app.fingerprint(), before);
  });

  test("prototypes are nobody's to change, however they are spelled and wherever they stand", async () => {
    const keys = ['"__proto__"', '"\\u005f_proto__"', '"constructor"', '"prototype"'];
    for (const key of keys) {
      const value = '{"polluted":true,"prototype":{"polluted":true},"stopLossQuantity":1,"userId":1}';
      const inside = text.replace('{"price":110', `{${key}:${value},"price":110`);
      for (const body of [inside, `{${key}:${value},${text.slice(1)}`]) {
        const answer = await app.send("POST", GROUPS, { token: user.token, body });
        assertRefusal(answer);
        assert.ok(!answer.text.includes("polluted"));
      }
    }
    assert.equal("polluted" in {}, false);
    assert.equal("polluted" in Object, false);
  });

  test("no prototype stands in for a missing field", async () => {
    const withoutPrice = JSON.stringify(groupOf(user, { stopLossPrice: undefined }));
    const body = `{"__proto__":{"stopLossPrice":90},${withoutPrice.slice(1)}`;
    const answer = await app.send("POST", GROUPS, { token: user.token, body });
    assert.equal(messageOf(answer), "the body has a field __proto__");
  });
});

describe("any JSON at all, to every operation that takes a body", () => {
  const PATHS: readonly (readonly [string, string])[] = [
    ["POST", GROUPS],
    ["POST", PENDING],
    ["POST", "/api/v1/orders"],
    ["POST", "/api/v1/orders/chain"],
    ["POST", "/api/v1/orders/cancel"],
    ["POST", "/api/v1/orders/batch"],
    ["POST", "/api/v1/orders/cancel/batch"],
    ["POST", "/api/v1/accounts/login"],
    ["POST", "/api/v1/accounts/positions"],
    ["POST", "/api/v1/accounts/daily-orders"],
    ["POST", "/api/v1/symbol-lists"],
    ["PUT", "/api/v1/symbol-lists/1"],
    ["POST", "/api/v1/level-bots"],
    ["PUT", "/api/v1/level-bots/1"],
    ["POST", "/api/v1/webhook-bots"],
    ["PUT", "/api/v1/webhook-bots/1"],
    ["POST", "/api/v1/systems/list"],
  ];
  let fingerprint = "";
  before(async () => {
    fingerprint = await app.fingerprint();
  });
  const known = fc.constantFrom(
    "brokerageCode",
    "accountNumber",
    "symbol",
    "quantity",
    "price",
    "items",
    "name",
    "isActive",
  );
  const likely = fc.dictionary(known, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("PAPER", "THYAO", 1)));
  const body = fc.oneof(
    fc.json({ maxDepth: 4 }),
    likely.map((value) => JSON.stringify(value)),
    fc.string(),
  );

  test("is refused, and changes nothing", async () => {
    const { token } = user;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), body, async ([method, path], given) => {
        const answer = await app.send(method, path, { token, body: given });
        assertRefusal(answer, path === PENDING && answer.status === 400 ? 0 : undefined);
      }),
      { numRuns: 400 },
    );
    assert.equal(await app.fingerprint(), fingerprint);
    assertNoFault(app);
  });

  test("and bytes that are no text are refused too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), fc.uint8Array({ maxLength: 200 }), async ([method, path], given) => {
        const answer = await app.send(method, path, { token: user.token, body: given });
        assertRefusal(answer, path === PENDING && answer.status === 400 ? 0 : undefined);
      }),
      { numRuns: 150 },
    );
    assert.equal(await app.fingerprint(), fingerprint);
    assertNoFault(app);
  });
});

test("through all of it the group that stood there stands", async () => {
  const rows = await rowsOf(app, user, standing.groupId);
  assert.deepEqual(
    rows.map(({ status }) => status),
    [1, 1, 1],
  );
});
