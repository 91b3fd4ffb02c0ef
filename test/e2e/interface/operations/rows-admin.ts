/** What operators do. */
import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ABSENT_ID, type Row, withBody, withPath, withQuery } from "./row.ts";
import { marketRows } from "./rows-market.ts";
import type { World } from "./world.ts";

const symbol = { symbol: "NEWCO", name: "New Company", exchange: "BIST", isActive: true };
const restriction = {
  code: "NEWCO",
  restrictionType: "BrutTakas",
  validFrom: "2026-01-05T10:00:00+03:00",
  sourceRef: "test",
};
const ofUser = (world: World) => ({ path: { userId: world.id("userId") } });

/** An order at the brokerage that never answers: the request hangs until its release. */
async function quarantineAnOrder(world: World): Promise<void> {
  const json = { ...world.account("MUTE"), symbol: "THYAO", quantity: 1, buySell: 1, orderType: 1, price: 0 };
  const placed = world.send("POST /api/v1/orders", { json }, world.alice.token);
  hanging.set(world, placed);
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const { body } = await world.send("GET /admin/v1/quarantine", {}, world.operator.token);
    const [found] = body.data as { id: string }[];
    if (found !== undefined) {
      world.kept.set("quarantineId", found.id);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail("no order came to quarantine");
}
const hanging = new WeakMap<World, ReturnType<World["send"]>>();

export const adminRows: readonly Row[] = [
  {
    operation: "GET /admin/v1/users",
    scope: "admin",
    given: () => ({}),
    success: (answer, world) => {
      const users = answer.body.data as { userId: number; name: string; createdDate: string }[];
      const ids = users.map(({ userId }) => userId);
      assert.ok(ids.includes(world.alice.userId) && ids.includes(world.bob.userId));
      assert.deepEqual(
        ids,
        [...ids].sort((left, right) => left - right),
      );
    },
  },
  {
    operation: "POST /admin/v1/users",
    scope: "admin",
    given: () => ({ json: { name: "Ayse" } }),
    refused: [
      { given: withBody({ name: " " }), status: 400, message: /^name must not be empty$/ },
      { given: withBody({ name: "a\nb" }), status: 400, message: /^name/ },
      { given: withBody({ name: "x".repeat(101) }), status: 400, message: /^name/ },
    ],
    success: (answer, world) => {
      const { userId, name } = answer.body.data as { userId: number; name: string };
      assert.equal(name, "Ayse");
      world.kept.set("userId", userId);
    },
  },
  {
    operation: "POST /admin/v1/users/{userId}/api-keys",
    scope: "admin",
    given: (world) => ({ ...ofUser(world), json: { name: "backtest", scopes: ["trade", "read", "read"] } }),
    absent: withPath({ userId: ABSENT_ID }),
    refused: [
      { given: withBody({ scopes: [] }), status: 400, message: /^scopes/ },
      { given: withBody({ scopes: ["write"] }), status: 400, message: /^scopes\[0\]/ },
    ],
    success: async (answer, world) => {
      const { keyId, apiKey, scopes } = answer.body.data as { keyId: number; apiKey: string; scopes: string[] };
      assert.deepEqual(scopes, ["read", "trade"]);
      assert.match(apiKey, /^tdk_live_[A-Za-z0-9_-]{43}$/);
      const token = await world.stack.tokenOf(apiKey);
      world.keepSecret(apiKey, token);
      world.kept.set("keyId", keyId);
      world.kept.set("apiKey", apiKey);
      world.kept.set("token", token);
    },
  },
  {
    operation: "GET /admin/v1/users/{userId}/api-keys",
    scope: "admin",
    given: ofUser,
    absent: withPath({ userId: ABSENT_ID }),
    success: (answer, world) => {
      const [key] = answer.body.data as { keyId: number; revokedDate: string | null }[];
      assert.equal(key?.keyId, world.id("keyId"));
      assert.equal(key?.revokedDate, null);
    },
  },
  {
    operation: "DELETE /admin/v1/users/{userId}/api-keys/{keyId}",
    scope: "admin",
    given: (world) => ({ path: { userId: world.id("userId"), keyId: world.id("keyId") } }),
    absent: withPath({ keyId: ABSENT_ID }),
    refused: [
      {
        given: (right, world) => ({ path: { ...right.path, userId: world.alice.userId } }),
        status: 404,
        message: /not found/,
      },
    ],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      const exchange = await world.stack.http("POST", "/oauth/token", {
        headers: { "X-API-Key": String(world.id("apiKey")) },
        json: { grant_type: "api_key" },
      });
      assert.equal(exchange.status, 401);
      const { status } = await world.send("GET /api/v1/symbols", {}, String(world.id("token")));
      assert.equal(status, 401, "the tokens of a revoked key end with it");
    },
  },
  {
    operation: "POST /admin/v1/symbols",
    scope: "admin",
    given: () => ({
      json: { symbols: [symbol, { ...symbol, symbol: "NEWCO2", logoUrl: "https://logos.example/2.svg" }] },
    }),
    refused: [
      { given: withBody({ symbols: [] }), status: 400, message: /^symbols/ },
      { given: withBody({ symbols: [{ ...symbol, symbol: "newco" }] }), status: 400, message: /^symbols\[0\].symbol/ },
      {
        given: withBody({ symbols: [symbol, symbol] }),
        status: 400,
        message: /^symbols\[1\].symbol NEWCO is listed twice/,
      },
      { given: withBody({ symbols: [{ ...symbol, logoUrl: "javascript:x" }] }), status: 400, message: /logoUrl/ },
    ],
    success: async (answer, world) => {
      assert.deepEqual(answer.body.data, { written: 2 });
      const found = await world.send("GET /api/v1/symbols/{symbol}", { path: { symbol: "NEWCO" } }, world.alice.token);
      assert.equal(found.status, 200);
    },
  },
  ...marketRows,
  {
    operation: "POST /admin/v1/restrictions",
    scope: "admin",
    given: () => ({ json: { restrictions: [restriction] } }),
    refused: [
      { given: withBody({ restrictions: [] }), status: 400, message: /^restrictions/ },
      { given: withBody({ restrictions: [{ ...restriction, code: "NOSUCH" }] }), status: 400, message: /NOSUCH/ },
      {
        given: withBody({ restrictions: [{ ...restriction, restrictionType: 9 }] }),
        status: 400,
        message: /restrictionType/,
      },
      {
        given: withBody({ restrictions: [{ ...restriction, effects: { noMarkt: true } }] }),
        status: 400,
        message: /effects/,
      },
      {
        given: withBody({ restrictions: [{ ...restriction, validTo: "2020-01-01" }] }),
        status: 400,
        message: /validTo/,
      },
      { given: withBody({ restrictions: [restriction, restriction] }), status: 409, message: /active already/ },
    ],
    success: async (answer, world) => {
      const { ids } = answer.body.data as { ids: number[] };
      world.kept.set("restrictionId", ids[0] ?? 0);
      const path = { code: "NEWCO", restrictionType: 3 };
      const check = await world.send(
        "GET /api/v1/public/restrictions/check/{code}/{restrictionType}",
        { path },
        world.alice.token,
      );
      assert.equal((check.body.data as { isRestricted: boolean }).isRestricted, true);
    },
  },
  {
    operation: "PUT /admin/v1/restrictions/{id}",
    scope: "admin",
    given: (world) => ({ path: { id: world.id("restrictionId") }, json: { validTo: "2026-02-05T18:00:00+03:00" } }),
    absent: withPath({ id: ABSENT_ID }),
    refused: [{ given: withBody({ validTo: "2020-01-01" }), status: 400, message: /validTo is before validFrom/ }],
    success: async (answer, world) => {
      assert.equal((answer.body.data as { validTo: string }).validTo, "2026-02-05T15:00:00.000Z");
      const given = { path: { restrictionType: "BrutTakas" } };
      const found = await world.send(
        "GET /api/v1/public/restrictions/by-type/{restrictionType}",
        given,
        world.alice.token,
      );
      assert.equal(found.text.includes("NEWCO"), false);
    },
  },
  {
    operation: "POST /api/v1/ticks",
    scope: "trade",
    given: () => ({ json: { ticks: [{ symbol: "THYAO", price: 301.25 }] } }),
    refused: [
      { given: withBody({ ticks: [] }), status: 400, message: /^ticks/ },
      { given: withBody({ ticks: [{ symbol: "NOSUCH", price: 1 }] }), status: 400, message: /symbol is not known$/ },
    ],
    success: (answer) => assert.deepEqual(answer.body.data, { published: 1 }),
  },
  {
    operation: "POST /admin/v1/ticks",
    scope: "admin",
    given: () => ({
      json: {
        ticks: [
          { symbol: "THYAO", price: 301.234 },
          { symbol: "GARAN", price: 120, time: Date.now() },
        ],
      },
    }),
    refused: [
      { given: withBody({ ticks: [] }), status: 400, message: /^ticks/ },
      {
        given: withBody({ ticks: [{ symbol: "NOSUCH", price: 1 }] }),
        status: 400,
        message: /^ticks\[0\].symbol is not known$/,
      },
      { given: withBody({ ticks: [{ symbol: "THYAO", price: 0 }] }), status: 400, message: /^ticks\[0\].price/ },
      { given: withBody({ ticks: [{ symbol: "THYAO", price: "1" }] }), status: 400, message: /^ticks\[0\].price/ },
      {
        given: () => ({ json: { ticks: [{ symbol: "THYAO", price: 1, time: Date.now() + 60_000 }] } }),
        status: 400,
        message: /^ticks\[0\].time/,
      },
    ],
    success: async (answer, world) => {
      assert.deepEqual(answer.body.data, { published: 2 });
      const metrics = await world.send("GET /admin/v1/metrics", {}, world.operator.token);
      assert.match(metrics.text, /trading_engine_ticks_total\{partition="0",result="accepted"\} [1-9]/);
    },
  },
  {
    operation: "GET /admin/v1/cluster",
    scope: "admin",
    given: () => ({}),
    success: (answer) => assert.equal(answer.body.data, null),
  },
  {
    operation: "GET /admin/v1/quarantine",
    scope: "admin",
    given: () => ({ query: { partition: "0" } }),
    refused: [
      { given: withQuery({ partition: "first" }), status: 400, message: /^partition/ },
      { given: withQuery({ partition: "1" }), status: 400, message: /^partition must be below 1$/ },
    ],
    success: async (answer, world) => {
      assert.deepEqual(answer.body.data, []);
      await quarantineAnOrder(world);
    },
  },
  {
    operation: "GET /admin/v1/outbox",
    scope: "admin",
    given: () => ({}),
    refused: [{ given: withQuery({ partition: "-1" }), status: 400, message: /^partition/ }],
    success: (answer, world) => {
      const [order] = answer.body.data as { id: string; state: string; userId: number; reason: string }[];
      assert.deepEqual(
        [order?.id, order?.state, order?.userId],
        [world.id("quarantineId"), "quarantined", world.alice.userId],
      );
      assert.notEqual(order?.reason, "");
    },
  },
  {
    operation: "POST /admin/v1/quarantine/{id}/release",
    scope: "admin",
    given: (world) => ({ path: { id: world.id("quarantineId") }, json: { action: "placed", orderNo: "M-1" } }),
    absent: withPath({ id: "order-0-999999" }),
    refused: [
      { given: withPath({ id: "actor-0-999999" }), status: 400, message: /^action of an actor must be retry$/ },
      {
        given: (right) => ({ ...withPath({ id: "actor-0-999999" })(right), json: { action: "retry" } }),
        status: 404,
        message: /999999/,
      },
      {
        given: (right) => ({
          ...withPath({ id: "doubt-0-999999" })(right),
          json: { action: "filled", orderNo: "R-1", quantity: 0, price: 90 },
        }),
        status: 400,
        message: /^quantity/,
      },
      {
        given: (right) => ({
          ...withPath({ id: "doubt-0-999999" })(right),
          json: { action: "notFilled", orderNo: "R-1" },
        }),
        status: 404,
        message: /R-1.*not in doubt/,
      },
      { given: withPath({ id: "order-7-1" }), status: 404, message: /quarantine/ },
      { given: withPath({ id: "nothing" }), status: 404, message: /quarantine/ },
      { given: (right) => ({ ...right, json: undefined }), status: 400, message: /^action of an order/ },
      { given: (right) => ({ ...right, json: { action: "retry" } }), status: 400, message: /^action of an order/ },
      { given: (right) => ({ ...right, json: { action: "placed" } }), status: 400, message: /^orderNo is required$/ },
      { given: (right) => ({ ...right, json: { action: "forget" } }), status: 400, message: /^action/ },
    ],
    success: async (answer, world) => {
      assert.equal((answer.body.data as { state: string }).state, "quarantined");
      const placed = await hanging.get(world);
      assert.ok(placed !== undefined);
      assert.equal(placed.status, 200, "who placed the order is told how it ended");
      assert.equal((placed.body.data as { orderNo: string }).orderNo, "M-1");
      const left = await world.send("GET /admin/v1/quarantine", {}, world.operator.token);
      assert.deepEqual(left.body.data, []);
    },
  },
  {
    operation: "POST /admin/v1/backup",
    scope: "admin",
    given: (world) => ({ json: { folder: join(world.stack.folder, "backups", "table") } }),
    refused: [
      { given: withBody({ folder: "" }), status: 400, message: /^folder must not be empty$/ },
      { given: withBody({ folder: "backups/table" }), status: 400, message: /folder must be an absolute path/ },
      { given: withBody({ folder: "/etc/table" }), status: 400, message: /folder must be below .* \(BACKUP_DIR\)$/ },
      {
        given: (right, world) => withBody({ folder: join(world.stack.folder, "data-0") })(right, world),
        status: 400,
        message: /folder must be below/,
      },
    ],
    success: async (answer, world) => {
      const { isDone, partitions } = answer.body.data as { isDone: boolean; partitions: { folder: string }[] };
      assert.equal(isDone, true);
      assert.deepEqual((await readdir(partitions[0]?.folder ?? "")).sort().slice(-3), [
        "signing-key.json",
        "store",
        "witness.json",
      ]);
      await rm(join(world.stack.folder, "backups"), { recursive: true });
    },
  },
  {
    operation: "GET /admin/v1/brokerages",
    scope: "admin",
    given: () => ({}),
    success: (answer) => {
      const uses = answer.body.data as { code: string; groups: number }[];
      assert.deepEqual(
        uses.map(({ code }) => code),
        ["PAPER", "LOGIN", "SLICE", "TINY", "MUTE"],
      );
    },
  },
  {
    operation: "POST /admin/v1/brokerages/{code}/retire",
    scope: "admin",
    given: () => ({ path: { code: "TINY" } }),
    absent: withPath({ code: "NOSUCH" }),
    refused: [
      { given: withPath({ code: "a b" }), status: 400, message: /^code must be a brokerage's code$/ },
      { given: withQuery({ from: "0-rows-1" }), status: 400, message: /^from must be the next of an answer before$/ },
      { given: withQuery({ from: "7-actors-1" }), status: 400, message: /^from must be the next of an answer before$/ },
    ],
    success: (answer) => {
      const { code, left, next } = answer.body.data as { code: string; left: unknown[]; next: string | null };
      assert.deepEqual([code, left, next], ["TINY", [], null]);
    },
  },
  {
    operation: "GET /admin/v1/metrics",
    scope: "admin",
    given: () => ({}),
    success: (answer) => {
      for (const name of [
        "trading_engine_up",
        "trading_engine_outbox_orders",
        "trading_edge_request_duration_seconds_count",
        "nodejs_eventloop_lag_seconds",
      ]) {
        assert.ok(answer.text.includes(`\n${name}`), name);
      }
      assert.doesNotMatch(answer.text, /route="[^"]*\d{2,}/, "no id of a request is a label");
    },
  },
];
