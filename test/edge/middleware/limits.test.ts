/** The limits on requests: how many, counted for whom, and how answers report them. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, type TestContext, test } from "node:test";
import { Redis } from "ioredis";
import { clientAddress } from "../../../edge/middleware/client-address.ts";
import { Limits } from "../../../edge/middleware/limits.ts";
import type { EdgeContext } from "../../../edge/server/request-state.ts";
import { readSettings } from "../../../src/runtime/settings.ts";
import { pageOf } from "../support/fake-engine.ts";
import { group } from "../support/group.ts";
import { type RunningEdge, runEdge } from "../support/running-edge.ts";

const path = "/api/v1/oco-orders";
const list = `${path}?brokerageCode=PAPER&accountNumber=1001`;

async function readyEdge(t: TestContext): Promise<RunningEdge> {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null));
  edge.engine.on("oco.create", () => ({ ok: true, data: {} }));
  return edge;
}

const quotas = new Map([
  ["FAST", { code: "FAST", name: "Fast", ordersPerMinute: 500, portfolioIntervalSeconds: 1 }],
  ["SLOW", { code: "SLOW", name: "Slow", ordersPerMinute: 60, portfolioIntervalSeconds: 3 }],
]);
const makeLimits = () => new Limits({ findBrokerage: async (code) => quotas.get(code) });

describe("headers", () => {
  test("of a limit are on every answer of a protected route", async (t) => {
    const edge = await readyEdge(t);
    const headers = await edge.bearer();
    for (const [target, remaining] of [
      [list, 4_999],
      [path, 4_998],
      [`${path}x`, undefined],
    ] as const) {
      const response = await edge.fetch(target, { headers });
      if (remaining === undefined) continue;
      assert.equal(response.headers.get("x-ratelimit-limit"), "5000");
      assert.equal(response.headers.get("ratelimit-policy"), '"global";q=5000;w=3600');
      assert.equal(response.headers.get("x-ratelimit-remaining"), String(remaining));
      assert.match(response.headers.get("x-ratelimit-reset") ?? "", /^3(600|5\d\d)$/);
    }
  });

  test("of an order are those of its brokerage's quota", async (t) => {
    const edge = await readyEdge(t);
    const response = await edge.send("POST", path, group);
    assert.equal(response.headers.get("x-ratelimit-limit"), "60");
    assert.equal(response.headers.get("ratelimit-policy"), '"orders";q=60;w=60');
    assert.equal(response.headers.get("x-ratelimit-remaining"), "59");
  });
});

describe("over a limit", () => {
  test("an order is 429 with the seconds to wait, in body and headers, and the engine is not asked", async (t) => {
    const edge = await readyEdge(t);
    for (let order = 0; order < 5; order += 1) {
      assert.equal((await edge.send("POST", path, { ...group, brokerageCode: "SLOW" })).status, 200);
    }
    const asked = edge.engine.asked.length;
    const response = await edge.send("POST", path, { ...group, brokerageCode: "SLOW" });
    assert.equal(response.status, 429);
    const body = (await response.json()) as { readonly message: string; readonly retryAfterSeconds: number };
    const { message, retryAfterSeconds } = body;
    assert.deepEqual(body, { success: false, message, retryAfterSeconds });
    assert.ok(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1 && retryAfterSeconds <= 60);
    assert.equal(response.headers.get("retry-after"), String(retryAfterSeconds));
    assert.equal(response.headers.get("x-ratelimit-limit"), "5");
    assert.equal(response.headers.get("x-ratelimit-remaining"), "0");
    assert.equal(response.headers.get("x-ratelimit-reset"), String(retryAfterSeconds));
    assert.equal(edge.engine.asked.length, asked);
    assert.equal((await edge.send("POST", path, group)).status, 200, "another brokerage has its own");
  });

  test("what is refused as invalid costs no order", async (t) => {
    const edge = await readyEdge(t);
    for (let order = 0; order < 8; order += 1) {
      await edge.send("POST", path, { ...group, brokerageCode: "SLOW", symbol: "?" });
    }
    assert.equal((await edge.send("POST", path, { ...group, brokerageCode: "SLOW" })).status, 200);
  });

  test("an unknown brokerage is the engine's to refuse", async (t) => {
    const edge = await readyEdge(t);
    edge.engine.on("oco.create", () => ({ ok: false, code: "INVALID", message: "brokerageCode is not known" }));
    assert.equal((await edge.send("POST", path, { ...group, brokerageCode: "paper" })).status, 400);
  });

  test("token requests are counted by address: 30 a minute", async (t) => {
    const edge = await readyEdge(t);
    const ask = () =>
      edge.fetch("/oauth/token", {
        method: "POST",
        body: "grant_type=x",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    for (let request = 0; request < 30; request += 1) assert.equal((await ask()).status, 400);
    const response = await ask();
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get("retry-after")) >= 1);
    assert.equal(((await response.json()) as { success: boolean }).success, false);
  });
});

describe("the counts", () => {
  // No window ends within a test, even on a slow machine.
  beforeEach(() => mock.timers.enable({ apis: ["Date", "setTimeout"], now: Date.UTC(2026, 0, 5, 9) }));
  afterEach(() => mock.timers.reset());

  test("everything: exactly 5000 an hour a user, not a token", async () => {
    const limits = makeLimits();
    for (let request = 0; request < 5_000; request += 1) assert.ok((await limits.everything(1)).isAllowed);
    const over = await limits.everything(1);
    assert.deepEqual([over.isAllowed, over.limit, over.remaining, over.resetSeconds], [false, 5_000, 0, 3_600]);
    assert.ok((await limits.everything(2)).isAllowed);
  });

  test("portfolio: one a second a user and account, or one in the brokerage's interval for all its accounts", async () => {
    const limits = makeLimits();
    const allowed = async (...[user, brokerage, account]: readonly [number, string, string]) =>
      (await limits.portfolio(user, brokerage, account))?.isAllowed;
    assert.equal(await allowed(1, "FAST", "a"), true);
    assert.equal(await allowed(1, "FAST", "a"), false);
    assert.equal(await allowed(1, "FAST", "b"), true);
    assert.equal(await allowed(2, "FAST", "a"), true);
    assert.equal(await allowed(1, "SLOW", "a"), true);
    assert.equal(await allowed(1, "SLOW", "b"), false);
    assert.equal(await allowed(1, "NONE", "a"), undefined);
    assert.equal((await limits.portfolio(1, "SLOW", "b"))?.resetSeconds, 3);
  });

  test("orders: a batch that does not fit is refused whole and leaves room for what fits", async () => {
    const limits = makeLimits();
    const take = (count: number) => limits.orders(1, "SLOW", count);
    assert.equal((await take(50))?.remaining, 10);
    const over = await take(11);
    assert.deepEqual([over?.isAllowed, over?.remaining], [false, 10]);
    assert.equal((await take(100))?.isAllowed, false);
    assert.equal((await take(10))?.isAllowed, true);
    assert.equal((await take(1))?.isAllowed, false);
    assert.equal((await limits.orders(1, "FAST", 100))?.remaining, 400);
    assert.equal(await limits.orders(1, "NONE", 1), undefined);
  });

  test("signals: 60 a minute a bot", async () => {
    const limits = makeLimits();
    for (let signal = 0; signal < 60; signal += 1) assert.ok((await limits.signals("a")).isAllowed);
    assert.equal((await limits.signals("a")).isAllowed, false);
    assert.ok((await limits.signals("b")).isAllowed);
  });

  test("a signal that no bot heard leaves nothing behind, and takes nothing from those that were heard", async () => {
    const limits = makeLimits();
    const unheard = async (): Promise<number> => {
      const allowance = await limits.signals("a");
      await limits.forgetSignal("a");
      return allowance.remaining;
    };
    for (let count = 0; count < 100; count += 1) assert.equal(await unheard(), 59);
    await Promise.all([unheard(), unheard(), limits.signals("b")]);
    assert.equal((await limits.signals("a")).remaining, 59, "two at once");
    assert.equal(await unheard(), 58);
    assert.equal((await limits.signals("a")).remaining, 58, "what was heard stays counted");
  });

  test("test messages: 6 a minute a user", async () => {
    const limits = makeLimits();
    for (let message = 0; message < 6; message += 1) assert.ok((await limits.testMessages(1)).isAllowed);
    const over = await limits.testMessages(1);
    assert.deepEqual([over.isAllowed, over.limit, over.remaining, over.resetSeconds], [false, 6, 0, 60]);
    assert.ok((await limits.testMessages(2)).isAllowed);
    mock.timers.tick(60_001);
    assert.ok((await limits.testMessages(1)).isAllowed);
  });

  test("without its Redis an edge counts by itself", async () => {
    const redis = new Redis(1, "127.0.0.1", {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    redis.on("error", () => undefined);
    const limits = new Limits({ redis, findBrokerage: async (code) => quotas.get(code) });
    assert.equal((await limits.orders(1, "SLOW", 60))?.isAllowed, true);
    assert.equal((await limits.orders(1, "SLOW", 1))?.isAllowed, false);
    redis.disconnect();
  });
});

describe("the address that a limit counts", () => {
  const contextOf = (remoteAddress: string, forwarded?: string) =>
    ({
      req: { header: () => forwarded },
      env: { incoming: { socket: { remoteAddress } } },
    }) as unknown as EdgeContext;

  test("is the socket's, and a header changes it only where a proxy is trusted", () => {
    assert.equal(clientAddress(contextOf("10.0.0.1", "1.2.3.4"), 0), "10.0.0.1");
    assert.equal(clientAddress(contextOf("10.0.0.1", "9.9.9.9, 1.2.3.4"), 1), "1.2.3.4");
    assert.equal(clientAddress(contextOf("10.0.0.1"), 1), "10.0.0.1");
    assert.equal(clientAddress(contextOf("10.0.0.1", ""), 1), "10.0.0.1");
  });

  test("behind several proxies that of the client of the outermost one, however many entries it invents", () => {
    const behindCdn = contextOf("10.0.0.1", "6.6.6.6, 1.2.3.4, 9.9.9.9");
    assert.equal(clientAddress(behindCdn, 1), "9.9.9.9");
    assert.equal(clientAddress(behindCdn, 2), "1.2.3.4");
    assert.equal(clientAddress(contextOf("10.0.0.1", "1.2.3.4"), 2), "1.2.3.4", "past the outer proxy");
    const networks = (text: string) => readSettings({ TRUST_PROXY: text }, ["edge"]).TRUST_PROXY;
    const known = networks("10.0.0.0/8, 9.9.9.9, 2001:db8::/32");
    assert.equal(clientAddress(behindCdn, known), "1.2.3.4");
    assert.equal(clientAddress(contextOf("10.0.0.1", "6.6.6.6, 1.2.3.4:50, [2001:db8::5]:443"), known), "1.2.3.4");
    assert.equal(clientAddress(contextOf("::ffff:10.0.0.1", "1.2.3.4"), known), "1.2.3.4");
    assert.equal(clientAddress(contextOf("8.8.8.8", "1.2.3.4"), known), "8.8.8.8", "no proxy of ours: not believed");
    assert.equal(clientAddress(contextOf("10.0.0.1", "10.0.0.7, 9.9.9.9"), known), "10.0.0.7", "from within");
    assert.equal(clientAddress(contextOf("10.0.0.1", "nonsense, 9.9.9.9"), known), "nonsense");
  });

  test("is a network of 64 bits for IPv6, and IPv4 for what only wears IPv6", () => {
    assert.equal(clientAddress(contextOf("::ffff:127.0.0.1"), 0), "127.0.0.1");
    assert.equal(clientAddress(contextOf("::1"), 0), "0:0:0:0");
    assert.equal(clientAddress(contextOf("2001:DB8:1:2:aaaa::1"), 0), "2001:db8:1:2");
    assert.equal(clientAddress(contextOf("2001:db8::1"), 0), "2001:db8:0:0");
    assert.equal(clientAddress(contextOf("fe80::1%eth0"), 0), "fe80:0:0:0");
  });

  test("a port that a proxy writes beside it makes no other client", () => {
    for (const port of [50_123, 50_124]) {
      assert.equal(clientAddress(contextOf("10.0.0.1", `1.2.3.4:${port}`), 1), "1.2.3.4");
      assert.equal(clientAddress(contextOf("10.0.0.1", `[2001:db8::1]:${port}`), 1), "2001:db8:0:0");
    }
    assert.equal(clientAddress(contextOf("10.0.0.1", "[2001:db8::1]"), 1), "2001:db8:0:0");
    assert.equal(clientAddress(contextOf("10.0.0.1", "unknown"), 1), "unknown");
  });
});
