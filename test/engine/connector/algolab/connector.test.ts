/** The AlgoLab connector against a server that plays AlgoLab: every answer that a sell rests on. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { URGENCY, WAITING_MAX } from "../../../../engine/connector/algolab/request-queue.ts";
import type { BrokerReply } from "../../../../src/contract/trading/order.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { ACCOUNT, AlgolabWorld, SLOW_SETTLING } from "./support/algolab-world.ts";
import { LOGIN } from "./support/server.ts";

const codeOf = (reply: BrokerReply<unknown>): string => (reply.ok ? "ok" : reply.code);
const login = { ...ACCOUNT, username: LOGIN.username, password: LOGIN.password };

describe("AlgoLab", () => {
  let world: AlgolabWorld;
  beforeEach(async () => {
    world = await AlgolabWorld.make();
  });
  afterEach(() => world.end());

  test("a market sell is taken, its number is read from the text, and its fill is published", async () => {
    await world.start();
    assert.deepEqual(await world.place("s-r1"), { ok: true, data: { orderNo: "000001", orderStatus: 1 } });
    const found = await world.find("s-r1");
    assert(found.ok);
    const { orderStatus, filledQuantity, averagePrice } = found.data;
    assert.deepEqual([orderStatus, filledQuantity, averagePrice], [2, 10, 90]);
    assert.equal(world.updates.at(-1)?.filledQuantity, 10);
    assert.deepEqual(await world.place("s-r1"), {
      ok: true,
      data: { orderNo: "000001", orderStatus: 2, filledQuantity: 10, averagePrice: 90 },
    });
    assert.equal(world.server.orders.length, 1);
  });

  test("answers with capital names are read", async () => {
    world.server.hasCapitals = true;
    await world.start();
    assert.equal(codeOf(await world.place("s-r1")), "ok");
  });

  test("a market order's cancelled rest is an end with what was filled", async () => {
    world.server.depth = 4;
    await world.start();
    await world.place("s-r1");
    const found = await world.find("s-r1");
    assert(found.ok);
    assert.deepEqual([found.data.orderStatus, found.data.filledQuantity], [3, 4]);
  });

  test("an order whose answer was lost is found among today's orders", async () => {
    await world.start();
    world.server.fail("SendOrder", "answerLost");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    const found = await world.settle("s-r1");
    assert(found.ok);
    assert.equal(found.data.orderNo, "000001");
    assert.equal(world.server.soldQuantity, 10);
  });

  test("an order that was lost on its way is NOT_FOUND only after the settling time, and can then be sent", async () => {
    await world.start({}, SLOW_SETTLING);
    world.server.fail("SendOrder", "lost");
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE");
    world.passSettling();
    assert.equal(codeOf(await world.settle("s-r1")), "NOT_FOUND");
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("an order that AlgoLab takes late is found within the settling time", async () => {
    await world.start();
    world.server.fail("SendOrder", { lateMs: 60 });
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    assert.equal(codeOf(await world.settle("s-r1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("look-ups that wait for a slot share one request for today's orders", async () => {
    await world.start({}, { requestIntervalMs: 200 });
    const names = ["s-r1", "s-r2", "s-r3", "s-r4", "s-r5"];
    await Promise.all(names.map((name, index) => world.place(name, { quantity: index + 1 })));
    const listCount = () => world.server.asked.filter(({ name }) => name === "TodaysTransaction").length;
    const before = listCount();
    const found = await Promise.all(names.map((name) => world.find(name)));
    assert.deepEqual(found.map(codeOf), ["ok", "ok", "ok", "ok", "ok"]);
    assert.equal(listCount() - before, 1);
    await world.find("s-r1");
    assert.equal(listCount() - before, 2);
  });

  test("two rows that can be the order prove nothing", async () => {
    await world.start();
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r1");
    world.server.take({ symbol: "THYAO", side: "SELL", quantity: 10, price: 0, isMarket: true });
    assert.equal(codeOf(await world.settle("s-r1")), "UNKNOWN");
  });

  test("a row from before the order, or of another order of ours, is not the order", async () => {
    world.server.take({ symbol: "THYAO", side: "SELL", quantity: 10, price: 0, isMarket: true });
    await world.start();
    await world.place("s-r1");
    world.server.fail("SendOrder", "lost");
    await world.place("s-r2");
    assert.equal(codeOf(await world.settle("s-r2")), "NOT_FOUND");
  });

  test("while orders are also placed by hand a lost answer is UNKNOWN, and the promise is none", async () => {
    await world.start({ manualTrading: true });
    assert.equal(world.started.connector.status().resend, "none");
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r1");
    assert.equal(codeOf(await world.settle("s-r1")), "UNKNOWN");
  });

  test("an order in doubt is still known, and judged, after a restart", async () => {
    await world.start();
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r1");
    await world.restart();
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    assert.equal(codeOf(await world.settle("s-r1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("an order is not taken for another with its terms whose answer can still arrive", async () => {
    await world.start({}, SLOW_SETTLING);
    world.server.fail("SendOrder", "lost");
    await world.place("s-r1");
    world.server.fail("SendOrder", { answerLateMs: 500 });
    const second = world.place("s-r2");
    await untilTrue(() => world.server.orders.length === 1);
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE");
    assert.deepEqual(await second, { ok: true, data: { orderNo: "000001", orderStatus: 1 } });
    world.passSettling();
    assert.equal(codeOf(await world.settle("s-r1")), "NOT_FOUND");
  });

  test("two orders whose answers were lost: with the same terms each has a row, of different types neither", async () => {
    await world.start();
    const lose = (name: string, change: object, fault: "lost" | "answerLost") => {
      world.server.fail("SendOrder", fault);
      return world.place(name, change);
    };
    await lose("s-r1", {}, "lost");
    await lose("s-r2", {}, "answerLost");
    assert.deepEqual([codeOf(await world.settle("s-r1")), codeOf(await world.settle("s-r2"))], ["ok", "NOT_FOUND"]);
    await lose("s-r3", { quantity: 5 }, "lost");
    await lose("s-r4", { quantity: 5, orderType: 2, price: 95 }, "answerLost");
    assert.deepEqual([codeOf(await world.find("s-r3")), codeOf(await world.find("s-r4"))], ["UNKNOWN", "UNKNOWN"]);
  });

  test("a row with the terms and a time before the order is UNKNOWN, unless nothing of it was filled", async () => {
    await world.start();
    world.server.clockAheadMs = -10_000;
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r1");
    assert.equal(codeOf(await world.settle("s-r1")), "UNKNOWN");
    world.server.depth = 0;
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r2", { quantity: 20 });
    assert.equal(codeOf(await world.settle("s-r2")), "NOT_FOUND");
  });

  test("an accepted order that is not listed yet is UNKNOWN only after the settling time", async () => {
    await world.start({}, SLOW_SETTLING);
    await world.place("s-r1", { orderType: 2, price: 95 });
    world.server.orders.length = 0;
    assert.equal(codeOf(await world.find("s-r1")), "UNAVAILABLE");
    world.passSettling();
    assert.equal(codeOf(await world.settle("s-r1")), "UNKNOWN");
  });

  test("a 401 to a request from before the login does not end the login", async () => {
    await world.start();
    world.server.isLoggedIn = false;
    world.server.fail("InstantPosition", { status: 401, text: "", answerLateMs: 60 });
    const early = world.started.connector.positions({ ...ACCOUNT, includeOrders: false });
    await untilTrue(() => world.server.asked.some(({ name }) => name === "InstantPosition"));
    const first = await world.started.connector.login(login);
    assert(first.ok && first.data.otp === 1);
    await world.started.connector.login({ ...login, sessionId: first.data.sessionId, sms: LOGIN.sms });
    await early;
    assert.equal(world.started.session.isUp, true);
  });

  test("yesterday's open order is UNKNOWN, and its number can be another order's today", async () => {
    await world.start();
    await world.place("s-r1", { orderType: 2, price: 95 });
    world.aheadMs = 86_400_000;
    assert.equal(codeOf(await world.find("s-r1")), "UNKNOWN");
    const listed = await world.started.connector.dailyOrders(ACCOUNT);
    assert(listed.ok);
    assert.equal(listed.data[0]?.clientOrderId, null);
  });

  test("a number of yesterday that an order of today has proves nothing against it", async () => {
    await world.start();
    await world.place("s-r1");
    assert.equal(codeOf(await world.find("s-r1")), "ok");
    // The next day AlgoLab counts from the beginning.
    world.server.beginDay();
    world.aheadMs = 86_400_000;
    world.server.clockAheadMs = 86_400_000;
    world.server.fail("SendOrder", "answerLost");
    assert.equal(codeOf(await world.place("s-r2")), "UNAVAILABLE");
    const found = await world.settle("s-r2");
    assert(found.ok);
    assert.equal(found.data.orderNo, "000001");
    assert.equal(world.server.orders.length, 1);
  });

  test("an order that is forgotten takes no number along that a younger one has", async () => {
    await world.start();
    await world.place("s-r1");
    assert.equal(codeOf(await world.find("s-r1")), "ok");
    const nineDaysMs = 9 * 86_400_000;
    world.server.beginDay();
    world.aheadMs = nineDaysMs;
    world.server.clockAheadMs = nineDaysMs;
    assert.deepEqual(await world.place("s-r2", { orderType: 2, price: 95 }), {
      ok: true,
      data: { orderNo: "000001", orderStatus: 1 },
    });
    await world.restart();
    const [resting] = world.server.orders;
    assert(resting !== undefined);
    world.server.fill(resting, 10, 95);
    const found = await world.settle("s-r2");
    assert(found.ok);
    assert.equal(found.data.filledQuantity, 10);
    const listed = await world.started.connector.dailyOrders(ACCOUNT);
    assert(listed.ok);
    assert.equal(listed.data[0]?.clientOrderId, "s-r2");
  });

  test("a list that lacks an order which it had before proves no order away", async () => {
    await world.start();
    await world.place("s-r1", { orderType: 2, price: 95 });
    assert.equal(codeOf(await world.find("s-r1")), "ok");
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r2");
    const all = world.server.orders.splice(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(codeOf(await world.find("s-r2")), "UNAVAILABLE", "after the settling time, too");
    world.server.orders.push(...all);
    assert.equal(codeOf(await world.settle("s-r2")), "ok");
    assert.equal(world.server.soldQuantity, 10);
  });

  test("an order of which the list came after midnight is UNKNOWN", async () => {
    await world.start();
    world.server.fail("SendOrder", "lost");
    await world.place("s-r1");
    world.server.fail("TodaysTransaction", { answerLateMs: 50 });
    const asked = world.find("s-r1");
    assert.equal(codeOf(await asked), "UNAVAILABLE");
    await new Promise((resolve) => setTimeout(resolve, 300));
    world.aheadMs = 86_400_000;
    assert.equal(codeOf(await world.find("s-r1")), "UNKNOWN");
  });

  test("midnight empties the list: what was in doubt is UNKNOWN, and the new day's orders are placed and found", async () => {
    await world.start();
    await world.place("s-r1", { orderType: 2, price: 95 });
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r2");
    world.aheadMs = 86_400_000;
    world.server.clockAheadMs = 86_400_000;
    assert.deepEqual(await world.started.connector.dailyOrders(ACCOUNT), { ok: true, data: [] });
    assert.deepEqual([codeOf(await world.find("s-r1")), codeOf(await world.find("s-r2"))], ["UNKNOWN", "UNKNOWN"]);
    world.server.fail("SendOrder", "answerLost");
    await world.place("s-r3");
    assert.equal(codeOf(await world.settle("s-r3")), "ok");
  });

  test("the interval keeps AlgoLab from answering 429; a shorter one is NOT_SENT and sent again", async () => {
    world.server.intervalMs = 40;
    await world.start({}, { requestIntervalMs: 80 });
    for (let count = 0; count < 6; count += 1) await world.started.connector.dailyOrders(ACCOUNT);
    assert.equal(world.server.tooFastCount, 0);
    await world.restart();
    world.server.intervalMs = 300;
    const codes = new Set<string>();
    await untilTrue(async () => {
      const code = codeOf(await world.place("s-r1"));
      codes.add(code);
      return code === "ok";
    });
    assert.deepEqual([...codes], ["NOT_SENT", "ok"]);
    assert.equal(world.server.orders.length, 1);
  });

  test("refusals: a phrase of the session is NOT_NOW and can be sent again, any other is REJECTED for ever", async () => {
    await world.start();
    world.server.fail("SendOrder", { refusal: "Seans dışı emir kabul edilmiyor" });
    assert.equal(codeOf(await world.place("s-r1")), "NOT_NOW");
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    world.server.fail("SendOrder", { refusal: "Yetersiz bakiye" });
    assert.deepEqual(await world.place("s-r2"), { ok: false, code: "REJECTED", message: "Yetersiz bakiye" });
    assert.equal(codeOf(await world.place("s-r2")), "REJECTED");
    assert.equal(world.server.orders.length, 1);
  });

  test("a refusal with a fault behind AlgoLab is settled by the list, as the order may exist", async () => {
    await world.start();
    world.server.fail("SendOrder", { refusal: "Object reference not set to an instance of an object." });
    assert.equal(codeOf(await world.place("s-r1")), "UNAVAILABLE");
    world.server.take({ symbol: "THYAO", side: "SELL", quantity: 10, price: 0, isMarket: true });
    const found = await world.settle("s-r1");
    assert(found.ok);
    assert.equal(found.data.orderNo, "000001");
  });

  test("HTML, a 5xx and an answer without a number leave the order in doubt", async () => {
    await world.start();
    const faults = [
      { status: 200, text: "<html>bakim</html>" },
      { status: 502, text: "bad gateway" },
      { status: 200, text: JSON.stringify({ success: true, message: "", content: "?" }) },
    ];
    for (const [index, fault] of faults.entries()) {
      world.server.fail("SendOrder", fault);
      assert.equal(codeOf(await world.place(`s-r${index}`)), "UNAVAILABLE", fault.text);
    }
  });

  test("429 is NOT_SENT; 401 is UNAUTHORIZED and ends the session until the next login", async () => {
    await world.start();
    world.server.fail("SendOrder", { status: 429, text: "" });
    assert.equal(codeOf(await world.place("s-r1")), "NOT_SENT");
    world.server.isLoggedIn = false;
    assert.equal(codeOf(await world.place("s-r1")), "UNAUTHORIZED");
    const { session, needsLogin } = world.started.connector.status();
    assert.deepEqual([session, needsLogin], ["down", true]);
    assert.equal(codeOf(await world.place("s-r1")), "UNAUTHORIZED");
    const first = await world.started.connector.login(login);
    assert(first.ok && first.data.otp === 1);
    const { sessionId } = first.data;
    assert.deepEqual(await world.started.connector.login({ ...login, sessionId, sms: LOGIN.sms }), {
      ok: true,
      data: { otp: 0, isLoggedIn: true },
    });
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    assert.equal(world.server.orders.length, 1);
  });

  test("the login: a wrong code twice ends it; the hash lies in a file of mode 0600; no secret is logged or stored", async () => {
    world.server.isLoggedIn = false;
    await world.startLoggedOut();
    const { connector } = world.started;
    assert.equal(codeOf(await connector.login({ ...login, password: "wrong" })), "REJECTED");
    const first = await connector.login(login);
    assert(first.ok && first.data.otp === 1);
    const { sessionId } = first.data;
    assert.notEqual(sessionId, "token-1");
    for (const sms of ["000000", "111111", LOGIN.sms])
      assert.equal(codeOf(await connector.login({ ...login, sessionId, sms })), "REJECTED");
    const second = await connector.login(login);
    assert(second.ok && second.data.otp === 1);
    const done = await connector.login({ ...login, sessionId: second.data.sessionId, sms: LOGIN.sms });
    assert(done.ok);
    assert.equal(statSync(world.sessionFile).mode & 0o777, 0o600);
    assert.equal(readFileSync(world.sessionFile, "utf8").trim(), world.server.hash);
    const kept = readFileSync(join(world.folder, "orders", "journal"), "utf8") + JSON.stringify(world.log);
    for (const secret of [LOGIN.password, LOGIN.sms, LOGIN.username, world.server.hash]) assert(!kept.includes(secret));
  });

  test("an account of another user is refused before anything leaves", async () => {
    await world.start();
    const before = world.server.asked.length;
    assert.equal(codeOf(await world.place("s-r1", { userId: 2 })), "REJECTED");
    assert.equal(codeOf(await world.started.connector.login({ ...login, userId: 2 })), "REJECTED");
    assert.equal(world.server.asked.length, before);
  });

  test("a cancel is answered by the list: cancelled, over, or not known yet", async () => {
    await world.start();
    const placed = await world.place("s-1", { orderType: 2, price: 95 });
    assert(placed.ok);
    const cancel = { ...ACCOUNT, orderNo: placed.data.orderNo, symbol: "THYAO" };
    const cancelled = await world.started.connector.cancel(cancel);
    assert.deepEqual(cancelled, { ok: true, data: { orderNo: placed.data.orderNo, orderStatus: 3 } });
    assert.equal(codeOf(await world.started.connector.cancel(cancel)), "REJECTED");
  });

  test("positions leave out cash and count open sells as not available", async () => {
    await world.start();
    await world.place("s-1", { orderType: 2, price: 95, quantity: 30 });
    const held = await world.started.connector.positions({ ...ACCOUNT, includeOrders: false });
    assert(held.ok);
    const [position, ...others] = held.data;
    assert.deepEqual([position?.symbol, position?.quantity, position?.availableQuantity], ["THYAO", 100, 70]);
    assert.equal(others.length, 0);
  });

  test("the day's band is asked once a day, and the balance counts shares at their last prices", async () => {
    await world.start();
    const { connector } = world.started;
    const band = await connector.instrument({ ...ACCOUNT, symbol: "THYAO" });
    assert(band.ok);
    assert.deepEqual([band.data.floorPrice, band.data.ceilingPrice, band.data.basePrice], [81, 99, undefined]);
    await connector.instrument({ ...ACCOUNT, symbol: "THYAO" });
    assert.equal(world.server.asked.filter(({ name }) => name === "GetEquityInfo").length, 1);
    world.aheadMs = 86_400_000;
    await connector.instrument({ ...ACCOUNT, symbol: "THYAO" });
    assert.equal(world.server.asked.filter(({ name }) => name === "GetEquityInfo").length, 2);
    const balance = await connector.balance(ACCOUNT);
    assert.deepEqual(balance, {
      ok: true,
      data: { cash: 1_000.5, buyingPower: 2_000, equity: 11_000, currency: "TRY" },
    });
    const others = await connector.balance({ ...ACCOUNT, userId: 2 });
    assert.equal(codeOf(others), "REJECTED");
  });

  test("the base price that the day's trades tell is told with the band", async () => {
    await world.start();
    await untilTrue(() => world.server.received.length === 1);
    const content = { Symbol: "THYAO", Market: "IMKBH", Price: "90", Date: new Date().toISOString(), RefPrice: "90" };
    world.server.push({ Type: "T", Content: content });
    await untilTrue(async () => {
      const told = await world.started.connector.instrument({ ...ACCOUNT, symbol: "THYAO" });
      return told.ok && told.data.basePrice === 90;
    });
  });

  test("bars are told by Istanbul time, the last one open, to users with an account", async () => {
    await world.start();
    const { connector } = world.started;
    const asked = { symbol: "THYAO", userId: ACCOUNT.userId, periodMinutes: 5, count: 10 };
    const bar = { time: "2026-03-02T07:00:00.000Z", open: 90, high: 91.5, low: 89.9, close: 91, volume: 1_200 };
    const last = { time: "2026-03-02T07:05:00.000Z", open: 91, high: 91, low: 90.5, close: 90.5, volume: 0 };
    assert.deepEqual(await connector.bars(asked), {
      ok: true,
      data: [
        { ...bar, isOpen: false },
        { ...last, isOpen: true },
      ],
    });
    const { body } = world.server.asked.find(({ name }) => name === "GetCandleData") ?? {};
    assert.deepEqual(body, { symbol: "THYAO", period: "5" });
    const newest = await connector.bars({ ...asked, count: 1 });
    assert.deepEqual(newest.ok && newest.data.length, 1);
    assert.equal(codeOf(await connector.bars({ ...asked, userId: 2 })), "REJECTED");
  });

  test("a change that the stream tells of makes the list be read", async () => {
    await world.start();
    await world.place("s-1", { orderType: 2, price: 95 });
    await untilTrue(() => world.server.socketCount === 1);
    const [order] = world.server.orders;
    assert(order !== undefined);
    Object.assign(order, { status: "DONE", filled: 10, averagePrice: 95 });
    world.server.push({ Type: "O", Content: { Id: order.number, Status: 2 } });
    await untilTrue(() => world.updates.some(({ filledQuantity }) => filledQuantity === 10));
  });

  test("a question behind too many others is UNAVAILABLE, and an order still finds a place", async () => {
    await world.start();
    await world.started.stop();
    await world.startLoggedOut({}, { requestIntervalMs: 3_000 });
    await untilTrue(() => world.started.session.isUp);
    const { connector } = world.started;
    const waiting = Array.from({ length: WAITING_MAX[URGENCY.poll] }, () => connector.balance(ACCOUNT));
    assert.deepEqual(await connector.balance(ACCOUNT), {
      ok: false,
      code: "UNAVAILABLE",
      message: "too many requests wait for AlgoLab: ask again later",
    });
    assert.equal(codeOf(await world.place("s-r1")), "ok");
    assert(waiting.length > 0);
  });

  test("a socket that is closed with 1006 is opened again", async () => {
    await world.start();
    await untilTrue(() => world.server.received.length === 1);
    assert.deepEqual(world.server.received[0], { Type: "T", Token: world.server.hash, Symbols: ["ALL"] });
    world.server.dropSockets();
    await untilTrue(() => world.server.received.length === 2);
  });
});
