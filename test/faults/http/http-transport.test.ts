/** HTTP as bytes: requests that no client library sends, stalled or lost clients, repeats (catalogue 21 to 31). */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { type RawAnswer, sendRaw } from "../../edge/support/raw-http.ts";
import { FaultApp, type OcoRow, PAPER, until } from "../support/app.ts";
import { cancelGroup, createGroup, GROUPS, groupOf, rowsOf } from "../support/group.ts";
import { assertNoFault, assertRefusal, messageOf } from "../support/table.ts";

const TINY_QUOTA = 3;
const app = await FaultApp.start({ brokerages: [PAPER, { ...PAPER, code: "TINY", ordersPerMinute: TINY_QUOTA }] });
after(() => app.stop());
const user = await app.newUser();
const other = await app.newUser();
const standing = await createGroup(app, user, { symbol: "GARAN" });

const AUTH = `Authorization: Bearer ${user.token}\r\n`;
const LIST = `${GROUPS}?brokerageCode=PAPER&accountNumber=${user.accountNumber}`;
const CLOSE = "Connection: close\r\n";
const BODY = JSON.stringify(groupOf(user));
const get = (lines: string, path = LIST): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}${lines}\r\n`;
const post = (lines: string, body: string): string =>
  `POST ${GROUPS} HTTP/1.1\r\nHost: x\r\n${AUTH}Content-Type: application/json\r\n${lines}\r\n${body}`;
const sized = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n`;

/** The server cuts it off after ten seconds or more: it stalls while the other tests run. */
const slowAnswer = sendRaw(app.url, `GET ${LIST} HTTP/1.1\r\nHost: x\r\n`);

interface RawCase {
  readonly name: string;
  readonly bytes: string;
  readonly status: number;
}

/** Tests a table of requests: each gets its status, in the envelope, and together they change nothing. */
function rawTable(name: string, cases: readonly RawCase[]): void {
  describe(name, () => {
    let fingerprint = "";
    before(async () => {
      fingerprint = await app.fingerprint();
    });
    for (const { name: what, bytes, status } of cases) {
      test(what, async () => {
        const answer = await sendRaw(app.url, bytes);
        assert.equal(answer.status, status, answer.head + answer.body.slice(0, 300));
        assert.match(answer.head, /content-type: application\/json/i);
        assert.ok(!answer.body.includes(user.token.slice(0, 20)), "no answer repeats a token");
      });
    }
    after(async () => {
      assert.equal(await app.fingerprint(), fingerprint, `${name} changed something`);
      assertNoFault(app);
    });
  });
}

rawTable("a request that is no HTTP", [
  { name: "a length and a coding", bytes: post(`${sized(BODY)}Transfer-Encoding: chunked\r\n`, BODY), status: 400 },
  { name: "a coding and a length", bytes: post(`Transfer-Encoding: chunked\r\n${sized(BODY)}`, BODY), status: 400 },
  { name: "two lengths", bytes: post(`Content-Length: 5\r\n${sized(BODY)}`, BODY), status: 400 },
  { name: "the same length twice", bytes: post(sized(BODY) + sized(BODY), BODY), status: 400 },
  { name: "two lengths in one line", bytes: post("Content-Length: 4, 4\r\n", BODY), status: 400 },
  { name: "a length with a sign", bytes: post("Content-Length: +4\r\n", BODY), status: 400 },
  { name: "a negative length", bytes: post("Content-Length: -1\r\n", BODY), status: 400 },
  { name: "a length in hexadecimal", bytes: post("Content-Length: 0x4\r\n", BODY), status: 400 },
  { name: "a length beyond all numbers", bytes: post("Content-Length: 99999999999999999999\r\n", BODY), status: 400 },
  { name: "a coding nobody knows", bytes: post("Transfer-Encoding: xchunked\r\n", BODY), status: 400 },
  { name: "chunked and not last", bytes: post("Transfer-Encoding: chunked, gzip\r\n", BODY), status: 400 },
  {
    name: "a chunk size that is none",
    bytes: post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
    status: 400,
  },
  {
    name: "a chunk size with a sign",
    bytes: post("Transfer-Encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n"),
    status: 400,
  },
  {
    name: "a chunk longer than said",
    bytes: post("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"),
    status: 400,
  },
  { name: "a folded header", bytes: get("X-A: b\r\n c\r\n"), status: 400 },
  { name: "a space before the colon", bytes: get("X-A : b\r\n"), status: 400 },
  { name: "a header without a name", bytes: get(": b\r\n"), status: 400 },
  { name: "a header without a colon", bytes: get("nonsense\r\n"), status: 400 },
  { name: "a bare line feed", bytes: `GET ${LIST} HTTP/1.1\nHost: x\n${AUTH}\n`, status: 400 },
  { name: "a bare carriage return", bytes: get("X-A: b\rc\r\n"), status: 400 },
  { name: "NUL in a header", bytes: get("X-A: b\u0000c\r\n"), status: 400 },
  { name: "no host", bytes: `GET ${LIST} HTTP/1.1\r\n${AUTH}${CLOSE}\r\n`, status: 400 },
  { name: "a version that is none", bytes: `GET ${LIST} HTTP/9.9\r\nHost: x\r\n\r\n`, status: 400 },
  { name: "the preface of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  { name: "TLS where none is spoken", bytes: "\u0016\u0003\u0001\u0002\u0000\u0001", status: 400 },
  { name: "an unknown method", bytes: `BREW ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`, status: 400 },
  { name: "a method in small letters", bytes: `get ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`, status: 400 },
  { name: "no path", bytes: "GET HTTP/1.1\r\nHost: x\r\n\r\n", status: 400 },
  { name: "a space in the path", bytes: `GET /a b HTTP/1.1\r\nHost: x\r\n\r\n`, status: 400 },
  { name: "a control character in the path", bytes: `GET /a\u0001b HTTP/1.1\r\nHost: x\r\n\r\n`, status: 400 },
  { name: "nonsense", bytes: "nonsense\r\n\r\n", status: 400 },
  { name: "a header of 20 KB", bytes: get(`X-A: ${"b".repeat(20_000)}\r\n`), status: 431 },
  { name: "5,000 headers", bytes: get("X-A: b\r\n".repeat(5_000)), status: 431 },
  { name: "a path of 20 KB", bytes: get(CLOSE, `/${"a".repeat(20_000)}`), status: 431 },
]);

const nothing = (name: string, line: string, status = 404): RawCase => ({
  name,
  bytes: `${line} HTTP/1.1\r\nHost: x\r\n${AUTH}X-HTTP-Method-Override: DELETE\r\n${CLOSE}\r\n`,
  status,
});
const cancel = (name: string, id: string, status: number, query = "?brokerageCode=PAPER"): RawCase =>
  nothing(name, `DELETE ${GROUPS}/${id}${query}`, status);

rawTable("a path or a method that nothing serves", [
  nothing("the root, which is a page and takes nothing", "PUT /", 405),
  nothing("two slashes", `GET /${LIST}`),
  nothing("a slash at the end", `GET ${GROUPS}/?brokerageCode=PAPER&accountNumber=x`),
  nothing("capitals", `GET ${LIST.replace("oco", "OCO")}`),
  nothing("dots to the outside", "GET /../../etc/passwd"),
  nothing("encoded dots", "GET /%2e%2e/%2e%2e/etc/passwd"),
  nothing("twice encoded dots", "GET /api/v1/%252e%252e/accounts"),
  nothing("NUL", "GET /api/v1/oco-orders%00"),
  nothing("a broken escape", "GET /api/v1/%zz"),
  nothing("half an escape", "GET /api/v1/oco-orders%"),
  nothing("8 KB", `GET /${"a".repeat(8_000)}`),
  nothing("a semicolon", `GET ${GROUPS};x=1?brokerageCode=PAPER`),
  nothing("an encoded slash", `DELETE ${GROUPS}%2f${standing.id}?brokerageCode=PAPER`),
  nothing("PUT", `PUT ${LIST}`, 405),
  nothing("PATCH", `PATCH ${LIST}`, 405),
  nothing("DELETE of the list", `DELETE ${LIST}`, 405),
  nothing("OPTIONS", `OPTIONS ${LIST}`, 405),
  nothing("PROPFIND", `PROPFIND ${LIST}`, 405),
  nothing("GET of the token endpoint", "GET /oauth/token", 405),
  nothing("a duplicate query key", `GET ${LIST}&brokerageCode=PAPER`, 400),
  nothing("a query without an account", `GET ${GROUPS}?brokerageCode=PAPER`, 400),
  nothing("a query of an empty account", `GET ${GROUPS}?brokerageCode=PAPER&accountNumber=`, 400),
  nothing("a query of a broken escape", `GET ${GROUPS}?brokerageCode=%zz&accountNumber=%zz`, 400),
  nothing("a query of an array", `GET ${GROUPS}?brokerageCode[]=PAPER&accountNumber=x`, 400),
  nothing("a query of NUL", `GET ${GROUPS}?brokerageCode=PAPER&accountNumber=%00`, 403),
  nothing("a query of a stranger's account", `GET ${LIST.replace(user.accountNumber, other.accountNumber)}`, 403),
  ...[
    "0",
    "-1",
    "1e3",
    "0x1",
    "1.0",
    "1e20",
    "9007199254740993",
    "9".repeat(30),
    "%00",
    "+1",
    "%201",
    "abc",
    "null",
  ].map((id) => cancel(`cancel of ${id}`, id, 400)),
  cancel("cancel of an id far away", "9007199254740991", 404),
  cancel("cancel at another brokerage", String(standing.id), 404, "?brokerageCode=TINY"),
  cancel("cancel at an unknown brokerage", String(standing.id), 400, "?brokerageCode=paper"),
  cancel("cancel at none", String(standing.id), 400, ""),
]);

describe("HTTP that is odd and legal", () => {
  const served: readonly (readonly [string, string])[] = [
    [
      "a chunk with an extension",
      post(`Transfer-Encoding: chunked\r\n${CLOSE}`, `${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    [
      "a body byte by byte",
      post(
        `Transfer-Encoding: chunked\r\n${CLOSE}`,
        `${[...BODY].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`,
      ),
    ],
    ["a body that waits for leave", post(`Expect: 100-continue\r\n${sized(BODY)}${CLOSE}`, BODY)],
  ];
  for (const [name, bytes] of served) {
    test(`${name} is served`, async () => {
      const answer = await sendRaw(app.url, bytes);
      const last = answer.body.startsWith("HTTP/1.1")
        ? answer.body.slice(answer.body.indexOf("\r\n\r\n") + 4)
        : answer.body;
      const { data } = JSON.parse(last) as { data: OcoRow };
      await cancelGroup(app, user, data.id);
    });
  }

  test("a thousand small headers, and a GET with a body", async () => {
    assert.equal((await sendRaw(app.url, get(`${"a:b\r\n".repeat(990)}${CLOSE}`))).status, 200);
    assert.equal((await sendRaw(app.url, `${get(`Content-Length: 2\r\n${CLOSE}`)}{}`)).status, 200);
  });

  test("two Authorization headers name nobody: whoever stands before us may have looked at the other one", async () => {
    assert.equal((await sendRaw(app.url, get(`Authorization: Bearer x.y.z\r\n${CLOSE}`))).status, 401);
    assert.equal((await sendRaw(app.url, get(AUTH + CLOSE))).status, 401);
    const reversed = `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x.y.z\r\n${AUTH}${CLOSE}\r\n`;
    assert.equal((await sendRaw(app.url, reversed)).status, 401);
  });

  test("HEAD is a GET without a body", async () => {
    const answer = await sendRaw(app.url, get(CLOSE).replace("GET", "HEAD"));
    assert.deepEqual([answer.status, answer.body], [200, ""]);
  });

  test("a connection is of use after a 400 and of none after a 413", async () => {
    const bad = post(sized("{"), "{");
    const statuses = (answer: RawAnswer) => `${answer.head}\r\n\r\n${answer.body}`.match(/HTTP\/1\.1 \d+/g);
    assert.deepEqual(statuses(await sendRaw(app.url, bad + bad + get(CLOSE))), [
      "HTTP/1.1 400",
      "HTTP/1.1 400",
      "HTTP/1.1 200",
    ]);
    const large = post("Content-Length: 2000000\r\n", BODY);
    assert.deepEqual(statuses(await sendRaw(app.url, large + get(CLOSE))), ["HTTP/1.1 413"]);
  });
});

describe("clients that stall or go away", () => {
  test("two hundred that never finish keep nobody else from being served, and go unanswered", async () => {
    const { hostname, port } = new URL(app.url);
    const starts = ["GET / HT", `POST ${GROUPS} HTTP/1.1\r\nHost: x\r\n${AUTH}`, post("Content-Length: 900\r\n", "{")];
    const stalled: Socket[] = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(Number(port), hostname, () => socket.write(starts[index % starts.length] ?? ""));
      return socket.on("error", () => undefined);
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.send("GET", LIST, { token: user.token })));
    assert.ok(answers.every(({ status }) => status === 200));
    for (const socket of stalled) socket.destroy();
    assert.equal((await app.send("GET", LIST, { token: user.token })).status, 200);
  });

  test("a client that goes away at any point leaves a whole group or none, and its retry gets the same one", async () => {
    const { hostname, port } = new URL(app.url);
    const symbols = ["AKBNK", "ASELS", "ISCTR", "YKBNK", "HALKB"];
    for (const [index, symbol] of symbols.entries()) {
      const json = groupOf(user, { symbol });
      const body = JSON.stringify(json);
      const key = `gone-${symbol}`;
      const bytes = post(`Idempotency-Key: ${key}\r\n${sized(body)}`, body);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(bytes, () => setTimeout(() => socket.destroy(), index * 3));
        });
        socket.on("error", () => undefined).on("close", () => resolve());
      });
      const retry = () => app.send("POST", GROUPS, { token: user.token, json, headers: { "idempotency-key": key } });
      let answer = await retry();
      await until(async () => {
        if (answer.status === 409) answer = await retry();
        return answer.status !== 409;
      });
      assert.equal(answer.status, 200, answer.text);
      const mine = (await app.rows(user)).filter((row) => row.symbol === symbol);
      assert.deepEqual(
        mine.map(({ groupId }) => groupId),
        Array(3).fill((answer.body.data as OcoRow).groupId),
      );
    }
    assertNoFault(app);
  });
});

describe("a request that comes again", () => {
  const create = (key: string | undefined, change: object = {}) => {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    return app.send("POST", GROUPS, { token: user.token, json: groupOf(user, change), headers });
  };
  const mine = async (): Promise<OcoRow[]> =>
    (await app.rows(user)).filter((row) => row.symbol === "THYAO" && row.status === 1);

  test("under its key gives the same group, without one 'already exists', and never a second group", async () => {
    const first = await create("again");
    assert.equal(first.status, 200);
    const groupId = (first.body.data as OcoRow).groupId;
    const repeated = await create("again");
    assert.deepEqual([repeated.status, repeated.body], [200, first.body]);
    const keyless = await create(undefined);
    assertRefusal(keyless);
    assert.match(messageOf(keyless), /^an active OCO group already exists for symbol THYAO; cancel it first$/);
    const changed = await create("again", { notes: "changed" });
    assert.equal(changed.status, 422);
    assertRefusal(changed);
    assert.equal((await mine()).length, 3);
    await cancelGroup(app, user, groupId);
    // The answer under a key remains for a day, independent of the group's later fate.
    assert.deepEqual((await create("again")).body, first.body);
    assert.equal((await mine()).length, 0);
  });

  test("under another user's key is another request", async () => {
    const first = await create("shared");
    const headers = { "idempotency-key": "shared" };
    const theirs = await app.send("POST", GROUPS, { token: other.token, json: groupOf(other), headers });
    assert.equal(theirs.status, 200);
    assert.notEqual((theirs.body.data as OcoRow).groupId, (first.body.data as OcoRow).groupId);
    await cancelGroup(app, user, (first.body.data as OcoRow).groupId);
    await cancelGroup(app, other, (theirs.body.data as OcoRow).groupId);
  });

  for (const key of [undefined, "at-once"]) {
    test(`twelve times at once ${key === undefined ? "without a key" : "under one key"}: one group`, async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => create(key)));
      const taken = answers.filter(({ status }) => status === 200);
      const ids = new Set(taken.map(({ body }) => (body.data as OcoRow).groupId));
      assert.equal(ids.size, 1);
      if (key === undefined) assert.equal(taken.length, 1);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        assert.equal(answer.status, key === undefined ? 400 : 409);
        assertRefusal(answer);
      }
      const rows = await mine();
      assert.equal(rows.length, 3);
      await cancelGroup(app, user, rows[0]?.groupId ?? 0);
    });
  }

  test("cancelling twelve times at once cancels once", async () => {
    const row = await createGroup(app, user);
    const rows = await rowsOf(app, user, row.groupId);
    const cancelOf = (id: number) => app.send("DELETE", `${GROUPS}/${id}?brokerageCode=PAPER`, { token: user.token });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => cancelOf(rows[index % 3]?.id ?? 0)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(11).fill(400)]);
    assert.equal((await cancelOf(row.id)).status, 400);
  });
});

describe("a quota", () => {
  const create = (token: string, accountNumber: string, symbol: string) => {
    const json = groupOf(user, { brokerageCode: "TINY", accountNumber, symbol });
    return app.send("POST", GROUPS, { token, json });
  };

  test("is the user's, not the token's: exactly as many as it has, then 429 with whole seconds", async () => {
    const { body } = await app.exchange({ grant_type: "api_key" }, { "x-api-key": user.apiKey });
    const tokens = [user.token, String(body.access_token)];
    const accountNumber = `TINY-${user.userId}`;
    const symbols = ["THYAO", "GARAN", "AKBNK", "ASELS", "ISCTR", "YKBNK"];
    const statuses: number[] = [];
    for (const [index, symbol] of symbols.entries()) {
      const answer = await create(tokens[index % 2] ?? "", accountNumber, symbol);
      statuses.push(answer.status);
      assert.equal(answer.headers.get("x-ratelimit-limit"), String(TINY_QUOTA), answer.text);
      if (answer.status === 200) continue;
      assertRefusal(answer);
      const seconds = Number(answer.headers.get("retry-after"));
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
      assert.equal(answer.headers.get("x-ratelimit-remaining"), "0");
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429]);
    assert.equal((await create(other.token, `TINY-${other.userId}`, "THYAO")).status, 200);
    assert.equal((await app.rows({ ...user, accountNumber }, "TINY")).length, TINY_QUOTA * 3);
  });

  test("of token requests is an address's, whatever it sends", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const statuses: number[] = [];
    for (let request = 0; request < 32; request += 1) {
      const answer = await app.send("POST", "/oauth/token", { body: "{", headers });
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [...Array(30).fill(400), 429, 429]);
    assertNoFault(app);
  });
});

test("a client that sends its headers too slowly is told so and cut off", async () => {
  assert.equal((await slowAnswer).status, 408);
  assertNoFault(app);
});
