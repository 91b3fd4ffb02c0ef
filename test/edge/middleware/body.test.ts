/** What strangers send as a body, and how it is turned away. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertInvalid as assertInvalidBody } from "../../support/invalid.ts";
import { pageOf } from "../support/fake-engine.ts";
import { group } from "../support/group.ts";
import { sendRaw } from "../support/raw-http.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const path = "/api/v1/oco-orders";
const MEBIBYTE = 1_048_576;
const text = JSON.stringify(group);

async function acceptingEdge(t: TestContext): Promise<RunningEdge> {
  const edge = await runEdge(t);
  edge.engine.on("oco.create", () => ({ ok: true, data: {} }));
  return edge;
}

/** Sends all, and only then takes what was answered. Rejects where the connection breaks before. */
async function answerAfterSending(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(request, () => resolve());
  });
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += String(chunk);
  return answer;
}

async function assertInvalid(edge: RunningEdge, body: string | Uint8Array, rule: RegExp, what: string): Promise<void> {
  const headers = { ...(await edge.bearer()), "content-type": "application/json" };
  const response = await edge.fetch(path, { method: "POST", headers, body });
  assert.equal(response.status, 400, what);
  const answered = (await response.json()) as { readonly message: string };
  assert.deepEqual(Object.keys(answered), ["success", "message", "error", "errors"], what);
  assert.match(answered.message, rule, what);
  assert.equal(
    edge.engine.asked.some(({ type }) => type === "oco.create"),
    false,
    what,
  );
}

describe("a body that is not JSON", () => {
  test("is 400 and nobody is asked", async (t) => {
    const edge = await acceptingEdge(t);
    const bodies = [
      "",
      " ",
      text.slice(0, -1),
      `${text.slice(0, -1)},}`,
      "NaN",
      '{"a":Infinity}',
      '{"a":0x10}',
      '{"a":1.}',
    ];
    for (const body of [...bodies, '{"a":01}', "{'a':1}", `${text}x`, '{"a":"\n"}', `\uFEFF${text}`, "undefined"]) {
      await assertInvalid(edge, body, /^the body is not valid JSON$/, body);
    }
  });

  test("is 400 where its bytes are not UTF-8", async (t) => {
    const edge = await acceptingEdge(t);
    await assertInvalid(edge, Buffer.concat([Buffer.from(text), Buffer.from([0xff])]), /UTF-8/, "0xff");
    await assertInvalid(edge, Buffer.from(text, "utf16le"), /not valid/, "UTF-16");
  });

  test("is 400 where it is nested deeper than 64, whatever its size", async (t) => {
    const edge = await acceptingEdge(t);
    await assertInvalid(edge, "[".repeat(1_000_000), /deeper than 64/, "open only");
    await assertInvalid(edge, `{"notes":${"[".repeat(64)}${"]".repeat(64)}}`, /deeper than 64/, "65 levels");
    await assertInvalid(edge, `{"notes":${"[".repeat(63)}${"]".repeat(63)}}`, /is required/, "64 levels");
    const inText = JSON.stringify({ ...group, notes: `"\\${"[".repeat(200)}` });
    assert.equal((await edge.send("POST", path, inText)).status, 200);
  });

  test("is 400 where it is JSON and no object", async (t) => {
    const edge = await acceptingEdge(t);
    for (const body of ["null", "1", '"text"', "true"])
      await assertInvalid(edge, body, /^the body must be an object$/, body);
    await assertInvalid(edge, "[]", /^the body must be an object$/, "array");
  });
});

describe("a body over 1 MiB", () => {
  test("is 413 and the connection ends, with and without its length said before", async (t) => {
    const edge = await acceptingEdge(t);
    const { authorization } = await edge.bearer();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const requests: readonly (readonly [string, readonly string[]])[] = [
      ["length said, nothing sent", [`${head}Content-Length: ${MEBIBYTE + 1}\r\n\r\n`]],
      ["a length beyond all numbers", [`${head}Content-Length: 99999999999999\r\n\r\n`]],
      ["chunked", [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array<string>(17).fill(chunk)]],
    ];
    const check = async ([what, parts]: (typeof requests)[number]): Promise<void> => {
      const answer = await sendRaw(edge.url, ...parts);
      assert.equal(answer.status, 413, what);
      assert.match(answer.head, /connection: close/i, what);
      const message = "the body is larger than 1048576 bytes";
      assert.deepEqual(
        JSON.parse(answer.body),
        { success: false, message, error: { code: "PAYLOAD_TOO_LARGE", message } },
        what,
      );
    };
    await Promise.all(requests.map(check));
  });

  test("is answered to a client that reads nothing before it has sent all, by tens of chunks or with its length said", async (t) => {
    const edge = await acceptingEdge(t);
    const { authorization } = await edge.bearer();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
    const filling = " ".repeat(12 * MEBIBYTE);
    for (const request of [
      `${head}Transfer-Encoding: chunked\r\n\r\n${filling.length.toString(16)}\r\n${filling}\r\n0\r\n\r\n`,
      `${head}Content-Length: ${filling.length}\r\n\r\n${filling}`,
    ]) {
      assert.match(await answerAfterSending(edge.url, request), /^HTTP\/1\.1 413 .*the body is larger than 1048576/s);
    }
  });

  test("that never ends is cut off all the same", async (t) => {
    const edge = await acceptingEdge(t);
    const { authorization } = await edge.bearer();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
    const chunk = `100000\r\n${" ".repeat(MEBIBYTE)}\r\n`;
    const endless = connect(Number(new URL(edge.url).port), "127.0.0.1");
    // What is still written to a connection that is gone fails.
    endless.on("error", () => undefined);
    const closed = new Promise((resolve) => endless.on("close", resolve));
    endless.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const send = (): void => void (endless.writable && endless.write(chunk, send));
    send();
    await closed;
  });

  test("is measured exactly", async (t) => {
    const edge = await acceptingEdge(t);
    const filled = (bytes: number) => text + " ".repeat(bytes - text.length);
    assert.equal((await edge.send("POST", path, filled(MEBIBYTE))).status, 200);
    assert.equal((await edge.send("POST", path, filled(MEBIBYTE + 1))).status, 413);
  });
});

describe("the kind of a body", () => {
  test("must be JSON in UTF-8, as it is", async (t) => {
    const edge = await acceptingEdge(t);
    const kinds = [
      "text/plain",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "application/jsonx",
      "",
    ];
    for (const kind of [...kinds, "application/json; charset=utf-16", "application/json; charset=iso-8859-1"]) {
      const response = await edge.send("POST", path, text, { "content-type": kind });
      assert.equal(response.status, 400, kind);
      assert.match(
        ((await response.json()) as { message: string }).message,
        /^Content-Type must be application\/json/,
        kind,
      );
    }
    for (const kind of [
      "application/json; charset=utf-8",
      'Application/JSON;charset="UTF-8"',
      "application/json; charset=utf8",
      'application/json; charset="utf8"',
      "application/json; charset=UTF8; q=1",
    ]) {
      assert.equal((await edge.send("POST", path, text, { "content-type": kind })).status, 200, kind);
    }
  });

  test("a missing Content-Type is 400", async (t) => {
    const edge = await acceptingEdge(t);
    const response = await edge.fetch(path, { method: "POST", headers: await edge.bearer(), body: Buffer.from(text) });
    assert.equal(response.status, 400);
  });

  test("a compressed body is not opened", async (t) => {
    const edge = await acceptingEdge(t);
    const headers = { ...(await edge.bearer()), "content-type": "application/json" };
    const bomb = gzipSync(Buffer.alloc(10 * MEBIBYTE, 0x20));
    const compressed = { ...headers, "content-encoding": "gzip" };
    assert.equal((await edge.fetch(path, { method: "POST", headers: compressed, body: bomb })).status, 400);
    const asItIs = { ...headers, "content-encoding": "identity" };
    assert.equal((await edge.fetch(path, { method: "POST", headers: asItIs, body: text })).status, 200);
  });
});

describe("the fields of a body", () => {
  test("of a wrong type are 400 with field and rule, and no value comes back", async (t) => {
    const edge = await acceptingEdge(t);
    const item = { price: 11, quantity: 5 };
    const changes: readonly (readonly [object, string])[] = [
      [{ symbol: undefined }, "symbol is required"],
      [{ symbol: 5 }, "symbol must be a string"],
      [{ symbol: "secret-value" }, "symbol must be 1 to 16 of A-Z, 0-9 and _"],
      [{ stopLossPrice: "9.5" }, "stopLossPrice must be a number"],
      [{ stopLossPrice: null }, "stopLossPrice must be a number"],
      [{ stopLossPrice: true }, "stopLossPrice must be a number"],
      [{ stopLossQuantity: "5" }, "stopLossQuantity must be a number"],
      [{ stopLossQuantity: [5] }, "stopLossQuantity must be a number"],
      [{ stopLossQuantity: {} }, "stopLossQuantity must be a number"],
      [{ takeProfitItems: {} }, "takeProfitItems must be an array"],
      [{ takeProfitItems: [item, { price: 11 }] }, "takeProfitItems[1].quantity is required"],
      [{ takeProfitItems: [item, "x"] }, "takeProfitItems[1] must be an object"],
      [{ brokerageCode: "" }, "brokerageCode must not be empty"],
      [{ notes: 5 }, "notes must be a string"],
    ];
    for (const [change, why] of changes) {
      const response = await edge.send("POST", path, { ...group, ...change });
      assert.equal(response.status, 400, why);
      assertInvalidBody(await response.json(), why);
    }
  });

  test("a number beyond all numbers is 400", async (t) => {
    const edge = await acceptingEdge(t);
    await assertInvalid(edge, text.replace("9.5", "1e400"), /^stopLossPrice must be a number$/, "1e400");
    await assertInvalid(edge, text.replace("9.5", "-1e400"), /^stopLossPrice must be a number$/, "-1e400");
  });

  test("5.0 is 5", async (t) => {
    const edge = await acceptingEdge(t);
    assert.equal((await edge.send("POST", path, text.replace('"quantity":5', '"quantity":5.0'))).status, 200);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, group);
  });

  test("that stand there twice are 400, at every depth and however they are spelled", async (t) => {
    const edge = await acceptingEdge(t);
    const twice = (more: string) => text.replace('"stopLossQuantity":10', `"stopLossQuantity":10,${more}`);
    const rule = /^the body has the field stopLossQuantity twice$/;
    await assertInvalid(edge, twice('"stopLossQuantity":1000'), rule, "another value");
    await assertInvalid(edge, twice('"stopLossQuantity" : 10'), rule, "the same value");
    await assertInvalid(edge, twice('"stop\\u004cossQuantity":10'), rule, "another spelling");
    const inside = text.replace('"quantity":5', '"quantity":5,"quantity":50');
    await assertInvalid(edge, inside, /^the body has the field quantity twice$/, "in an item");
    const long = `"${"k".repeat(100)}":1`;
    await assertInvalid(edge, twice(`${long},${long}`), /^the body has a field twice$/, "no text of the sender's");
    const inText = JSON.stringify({ ...group, notes: '{"a":1,"a":2} ::: \\":' });
    assert.equal((await edge.send("POST", path, inText)).status, 200, "colons and braces in a text are none");
  });

  test("__proto__ does not pass, however it is spelled", async (t) => {
    const edge = await acceptingEdge(t);
    for (const key of ['"__proto__"', '"\\u005f_proto__"']) {
      const first = `{${key}:{"userId":9},${text.slice(1)}`;
      await assertInvalid(edge, first, /^the body has a field __proto__$/, key);
      const inside = text.replace('{"price":11', `{${key}:{"price":1},"price":11`);
      await assertInvalid(edge, inside, /^the body has a field __proto__$/, `${key} in an item`);
    }
  });

  test("that nobody knows are 400 with the nearest one that is known", async (t) => {
    const edge = await acceptingEdge(t);
    const [item] = group.takeProfitItems;
    const cases: readonly (readonly [object, string])[] = [
      [{ dueDat: "2027-01-01" }, "dueDat is not a field; did you mean dueDate?"],
      [{ duedate: "2027-01-01" }, "duedate is not a field; did you mean dueDate?"],
      [{ stoplossPrice: 9 }, "stoplossPrice is not a field; did you mean stopLossPrice?"],
      [
        { stopLossQuantity: undefined, stopLossQuantiy: 5 },
        "stopLossQuantiy is not a field; did you mean stopLossQuantity?",
      ],
      [{ takeProfitItems: [{ ...item, pric: 5 }] }, "takeProfitItems[0].pric is not a field; did you mean price?"],
      [{ userId: 9 }, "userId is not a field"],
      [{ constructor: {} }, "constructor is not a field"],
      [{ "<script>alert(1)</script>": 1 }, "an invalid name is not a field"],
      [{ ["k".repeat(100)]: 1 }, "an invalid name is not a field"],
    ];
    for (const [change, why] of cases) {
      const response = await edge.send("POST", path, { ...group, ...change });
      assert.equal(response.status, 400, why);
      assertInvalidBody(await response.json(), why);
    }
  });

  test("of a query that nobody knows are 400 too: a misspelt filter would answer something else", async (t) => {
    const edge = await runEdge(t);
    const restrictions = "/api/v1/public/restrictions";
    for (const [query, why] of [
      ["restrictionTyp=3", "restrictionTyp is not a parameter; did you mean restrictionType?"],
      ["_=1", "_ is not a parameter"],
    ] as const) {
      const response = await edge.send("GET", `${restrictions}?${query}`);
      assert.equal(response.status, 400, why);
      assertInvalidBody(await response.json(), why);
    }
    edge.engine.on("symbols.list", () => pageOf(null));
    assert.equal((await edge.send("GET", "/api/v1/symbols?_=1")).status, 200, "where there is nothing to filter");
  });

  test("text of any kind goes through unchanged", async (t) => {
    const edge = await acceptingEdge(t);
    for (const notes of [
      "a\u0000b",
      "\u202Eabc",
      "a\u200Db",
      "e\u0301 \u00e9",
      "😀",
      "<script>\r\n\u001b[31m",
      "lone \ud800",
    ]) {
      const body = { ...group, notes };
      assert.equal((await edge.send("POST", path, body)).status, 200);
      assert.deepEqual(edge.engine.asked.at(-1)?.body, body);
    }
  });
});

test("a GET with a body is a GET", async (t) => {
  const edge = await runEdge(t);
  const answer = await sendRaw(
    edge.url,
    "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
  );
  assert.equal(answer.status, 200);
});

test("a connection serves on after a 400 and after a 401 with an unread body", async (t) => {
  const edge = await acceptingEdge(t);
  const { authorization } = await edge.bearer();
  const post = (auth: string, body: string, more = "") =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
  const bearer = `Authorization: ${authorization}\r\n`;
  const answer = await sendRaw(
    edge.url,
    post("", text) + post(bearer, "{") + post(bearer, text, "Connection: close\r\n"),
  );
  const statuses = `${answer.head}\r\n\r\n${answer.body}`.match(/HTTP\/1\.1 \d+/g);
  assert.deepEqual(statuses, ["HTTP/1.1 401", "HTTP/1.1 400", "HTTP/1.1 200"]);
});

test("a client that goes away in the middle of its body does no harm", async (t) => {
  const edge = await acceptingEdge(t);
  const { authorization } = await edge.bearer();
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
  await new Promise<void>((resolve) => {
    void import("node:net").then(({ connect }) => {
      const socket = connect(Number(new URL(edge.url).port), "127.0.0.1", () => {
        socket.write(`${head}Content-Length: 100\r\n\r\n{`, () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
  });
  assert.equal((await edge.send("POST", path, text)).status, 200);
});
