/**
 * Every operation over real HTTP, engine and edge as processes on a real nats-server: successes, refusals, missing
 * rights, and limits. Every answer is held to the OpenAPI document. At the end all answers, all output of the processes
 * and every stored record are searched for secrets.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Level } from "level";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { pause } from "../../support/world/stack.ts";
import {
  assertRefused,
  checkBody,
  checkForbidden,
  checkForeign,
  checkParameters,
  checkRefusals,
  checkSuccess,
  checkUnauthorized,
} from "./operations/generic.ts";
import type { Row } from "./operations/row.ts";
import { adminRows } from "./operations/rows-admin.ts";
import { botRows, signal } from "./operations/rows-bots.ts";
import { eventRows } from "./operations/rows-events.ts";
import { pendingRows } from "./operations/rows-pending.ts";
import { referenceRows } from "./operations/rows-reference.ts";
import { accountRows, NOTE, ocoRows, orderRows } from "./operations/rows-trading.ts";
import { World } from "./operations/world.ts";

const ROWS: readonly Row[] = [
  ...accountRows,
  ...orderRows,
  ...ocoRows,
  ...pendingRows,
  ...botRows,
  ...referenceRows,
  ...eventRows,
  ...adminRows,
];
const TOKEN = "POST /oauth/token";
/** Tried with a client library of OAuth (oauth.test.ts). */
const REVOCATION = "POST /oauth/revoke";
const SIGNAL = "POST /webhooks/{secret}";
const GLOBAL_PER_HOUR = 5_000;

natsSuite("every operation", () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.stop());

  test("is in the table", () => {
    const known = [...ROWS.map(({ operation }) => operation), TOKEN, REVOCATION, SIGNAL].sort();
    assert.deepEqual(known, [...world.document.operations.keys()].sort());
  });

  for (const row of ROWS) {
    test(row.operation, async (t) => {
      await t.test("needs a token", () => checkUnauthorized(row, world));
      await t.test(`needs the scope ${row.scope}`, () => checkForbidden(row, world));
      await t.test("refuses wrong parameters", () => checkParameters(row, world));
      await t.test("refuses wrong bodies", () => checkBody(row, world));
      await t.test("refuses what its rules say", () => checkRefusals(row, world));
      if (row.waitMs !== undefined) await pause(row.waitMs);
      await t.test("gives a user nothing of another's", () => checkForeign(row, world));
      if (row.waitMs !== undefined) await pause(row.waitMs);
      await t.test("succeeds", () => checkSuccess(row, world));
    });
  }

  test(TOKEN, async () => {
    const { apiKey } = world.alice;
    const exchange = (json: unknown, headers: Readonly<Record<string, string>> = {}) =>
      world.send(TOKEN, { json }, undefined, headers);
    const byKey = (key: string) => exchange({ grant_type: "api_key", note: "ignored" }, { "X-API-Key": key });
    const first = await byKey(apiKey);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("cache-control"), "no-store");
    const { access_token, refresh_token, issued_at, ...rest } = first.body;
    assert.deepEqual(rest, { token_type: "Bearer", expires_in: 86_400, refresh_expires_in: 2_592_000 });
    assert.equal(typeof issued_at, "string");
    world.keepSecret(String(access_token), String(refresh_token));
    const refresh = (token: unknown) => exchange({ grant_type: "refresh_token", refresh_token: token });
    const second = await refresh(refresh_token);
    assert.equal(second.status, 200);
    world.keepSecret(String(second.body.access_token), String(second.body.refresh_token));
    const reused = await refresh(refresh_token);
    assert.deepEqual([reused.status, reused.body.error], [400, "invalid_grant"]);
    const family = await refresh(second.body.refresh_token);
    assert.deepEqual([family.status, family.body.error], [400, "invalid_grant"], "reuse ends the whole family");
    const ended = await world.send("GET /api/v1/symbols", {}, String(second.body.access_token));
    assert.equal(ended.status, 401, "and its access tokens");
    for (const [answer, status, error] of [
      [await byKey("tdk_live_wrong"), 401, "invalid_client"],
      [await exchange({ grant_type: "api_key" }), 401, "invalid_client"],
      [await exchange({ grant_type: "password" }), 400, "unsupported_grant_type"],
      [await exchange({}), 400, "invalid_request"],
      [await refresh("unknown"), 400, "invalid_grant"],
      [await world.send(TOKEN, { raw: "{" }, undefined), 400, "invalid_request"],
    ] as const) {
      assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    }
  });

  test(SIGNAL, async () => {
    const secret = String(world.id("webhookSecret"));
    const send = (given: object) => world.send(SIGNAL, { path: { secret }, ...given }, undefined);
    const heard = await send({ json: signal });
    assert.deepEqual(heard.body.data, { matched: 1 });
    const asText = await send({ json: { ...signal, period: "4H" }, contentType: "text/plain" });
    assert.deepEqual(asText.body.data, { matched: 0 });
    assertRefused(await send({ raw: "buy" }), 400, /JSON/, "no JSON");
    for (const change of [{ side: "hold" }, { algoName: "" }, { symbol: "garan" }, { price: -1 }]) {
      const [name = ""] = Object.keys(change);
      assertRefused(await send({ json: { ...signal, ...change } }), 400, new RegExp(`^${name}`), name);
    }
    assertRefused(await send({ path: { secret: "unknown" }, json: signal }), 404, /no webhook/, "unknown");
    const stranger = `0_${"A".repeat(43)}`;
    assertRefused(await send({ path: { secret: stranger }, json: signal }), 404, /no webhook|not found/, "stranger");
  });

  test("orders of every kind share the brokerage's quota, a batch whole or not at all", async () => {
    const owner = { brokerageCode: "TINY", accountNumber: `TINY-${world.bob.userId}` };
    const order = { symbol: "THYAO", quantity: 1, buySell: 1, orderType: 2, price: 100 };
    const group = {
      symbol: "THYAO",
      stopLossPrice: 90,
      stopLossQuantity: 1,
      takeProfitItems: [{ price: 400, quantity: 1 }],
    };
    const pending = {
      symbol: "THYAO",
      brokerOrderNo: "1",
      stopLossPercent: 3,
      stopLossQuantity: 1,
      takeProfitItems: [{ percent: 3, quantity: 1 }],
    };
    const place = (operation: string, json: object) =>
      world.send(operation, { json: { ...owner, ...json } }, world.bob.token);
    const batch = await place("POST /api/v1/orders/batch", { items: [order, order] });
    assertRefused(batch, 429, /limit of 1/, "a batch of two does not fit");
    assert.equal((await place("POST /api/v1/orders", order)).status, 200);
    for (const [operation, json] of [
      ["POST /api/v1/orders", order],
      ["POST /api/v1/orders/chain", { ...order, referenceOrderNo: "1" }],
      ["POST /api/v1/orders/batch", { items: [order] }],
      ["POST /api/v1/oco-orders", group],
      ["POST /api/v1/oco-orders/register-pending", pending],
    ] as const) {
      const answer = await place(operation, json);
      assertRefused(answer, 429, /limit of 1/, operation);
      assert.equal(answer.headers.get("retry-after"), String(answer.body.retryAfterSeconds));
    }
  });

  test("positions are told once a second", async () => {
    const given = { json: world.account() };
    let statuses: number[] = [];
    // On a busy machine the two can be a second apart and both get an answer: then they are sent again.
    for (let attempt = 0; attempt < 20 && !statuses.includes(429); attempt += 1) {
      await pause(1_100);
      const answers = await Promise.all(
        [1, 2].map(() => world.send("POST /api/v1/accounts/positions", given, world.alice.token)),
      );
      statuses = answers.map(({ status }) => status).sort();
    }
    assert.deepEqual(statuses, [200, 429]);
  });

  test("is refused to a user who has used up the hour", async () => {
    const spent = await world.stack.userOn(0, ["read", "trade", "admin"]);
    world.keepSecret(spent.apiKey, spent.token);
    const headers = { Authorization: `Bearer ${spent.token}` };
    for (let sent = 0; sent < GLOBAL_PER_HOUR; sent += 100) {
      const batch = Array.from({ length: 100 }, async () => {
        const response = await fetch(`${world.stack.url}/api/v1/list-types/2`, { headers });
        await response.arrayBuffer();
        return response.status;
      });
      assert.deepEqual(new Set(await Promise.all(batch)), new Set([200]));
    }
    for (const row of ROWS) {
      const answer = await world.send(row.operation, row.given(world), spent.token);
      assertRefused(answer, 429, /limit of 5000/, row.operation);
      assert.equal(answer.headers.get("x-ratelimit-remaining"), "0");
      assert.equal(answer.headers.get("retry-after"), String(answer.body.retryAfterSeconds));
    }
  });

  test("without a token is refused to an address or webhook that asks too often", async () => {
    const secret = String(world.id("webhookSecret"));
    // A new minute can begin during the requests: then the quotas of two minutes pass.
    const assertLimited = async (operation: string, given: object, perMinute: number): Promise<void> => {
      for (let sent = 0; sent < 2 * perMinute; sent += 1) {
        const { status } = await world.send(operation, given, undefined);
        if (status === 429) return;
      }
      assert.fail(`${operation} is not limited`);
    };
    await assertLimited(SIGNAL, { path: { secret }, json: { ...signal, id: "once" } }, 60);
    await assertLimited(TOKEN, { json: {} }, 30);
  });

  test("leaves no secret behind: not in answers, not in logs, not in a stored record", async () => {
    const { stack } = world;
    assert.equal(await stack.edge?.end("SIGTERM"), 0);
    assert.equal(await stack.engine(0).end("SIGTERM"), 0);
    assert.ok(world.secrets.size >= 10);
    const handOut = new Set([
      "POST /oauth/token",
      "POST /admin/v1/users/{userId}/api-keys",
      "POST /api/v1/accounts/login",
    ]);
    const answers = world.answers.filter(({ operation }) => !handOut.has(operation)).map(({ text }) => text);
    const logs = linesOf(stack.engine(0).output())
      .filter((line) => !line.includes("SMS of the paper brokerage") && !line.startsWith("Demo API key"))
      .concat(linesOf(stack.edge?.output() ?? ""));
    assert.ok(answers.length > 1_000 && logs.length > 1_000);
    // Parsing a line removes a doubled key.
    const doubled = logs.filter((line) => line.startsWith("{") && JSON.stringify(JSON.parse(line)) !== line);
    assert.deepEqual(doubled, [], "every line is strict JSON, and has each key once");
    const webhookSecret = String(world.id("webhookSecret"));
    assert.equal(
      logs.some((line) => line.includes(webhookSecret) || line.includes(NOTE)),
      false,
      "a request in a log",
    );
    const { bytes, records } = await readStores(stack.folder);
    assert.ok(
      records.some((record) => record.includes(NOTE)),
      "what is stored is found",
    );
    for (const secret of world.secrets) {
      assert.equal(
        answers.some((text) => holds(text, secret)),
        false,
        `a secret of ${secret.length} in an answer`,
      );
      assert.equal(
        logs.some((line) => holds(line, secret)),
        false,
        `a secret of ${secret.length} in a log`,
      );
      assert.equal(
        records.some((record) => holds(record, secret)),
        false,
        `a secret of ${secret.length} in a record`,
      );
      assert.equal(
        bytes.some((content) => holds(content, secret)),
        false,
        `a secret of ${secret.length} in a file`,
      );
    }
  });
});

function linesOf(output: string): readonly string[] {
  return output.split("\n").filter((line) => line !== "");
}

/** A code of six digits is not found within a longer number. */
function holds(text: string, secret: string): boolean {
  return /^\d+$/.test(secret) ? new RegExp(`(?<![0-9])${secret}(?![0-9])`).test(text) : text.includes(secret);
}

/** Every file under a folder as text, and every record of every LevelDB store there. */
async function readStores(folder: string): Promise<{ readonly bytes: string[]; readonly records: string[] }> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const bytes: string[] = [];
  for (const { parentPath, name } of files) {
    if (name !== "bootstrap-api-key") bytes.push((await readFile(join(parentPath, name))).toString("latin1"));
  }
  const records: string[] = [];
  for (const { parentPath } of files.filter(({ name }) => name === "CURRENT")) {
    const store = new Level(parentPath, { createIfMissing: false });
    for await (const [key, value] of store.iterator()) records.push(`${key} ${value}`);
    await store.close();
  }
  return { bytes, records };
}
