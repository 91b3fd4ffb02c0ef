import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { z } from "zod";
import {
  brokerageSettingsSchema,
  type LoginRequest,
  orderRecordSchema,
} from "../../../../src/contract/trading/order.ts";
import { ACCOUNT, dataOf, orderOf, PaperWorld, refusalOf, START_MS, USER } from "./harness.ts";

const HOUR_MS = 60 * 60_000;
const own = { userId: USER, accountNumber: ACCOUNT };

describe("accounts", () => {
  test("an account is opened on first sight with starting cash and positions at the last or the start price", async () => {
    const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 10, GARAN: 20, AKBNK: 30 } } });
    world.setPrice("GARAN", 50.5);
    const positions = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
    assert.deepEqual(
      positions.map(({ symbol, quantity, averagePrice, lastPrice, profit }) => [
        symbol,
        quantity,
        averagePrice,
        lastPrice,
        profit,
      ]),
      [
        ["AKBNK", 30, 0, null, null],
        ["GARAN", 20, 50.5, 50.5, 0],
        ["THYAO", 10, 100, null, null],
      ],
    );
    const [account] = dataOf(await world.paper.accounts({ userId: USER }));
    assert.equal(account?.accountNumber, ACCOUNT);
    assert.match(account?.number ?? "", /^[1-9]\d{9}$/);
  });

  test("users have accounts of their own, and `number` names an account as `accountNumber` does", async () => {
    const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 10 } } });
    const numbers = new Set<string>();
    for (let userId = 1; userId <= 50; userId += 1) {
      const [account] = dataOf(await world.paper.accounts({ userId }));
      numbers.add(account?.number ?? "");
      const named = { userId, accountNumber: account?.number ?? "", includeOrders: false };
      assert.equal(dataOf(await world.paper.positions(named)).length, 1);
    }
    assert.equal(numbers.size, 50);
    await world.openAfterCrash();
    assert.ok(numbers.has(dataOf(await world.paper.accounts({ userId: 33 }))[0]?.number ?? ""));
  });

  test("profit follows the last price, to the hundredth", async () => {
    const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 3 } } });
    await world.paper.accounts({ userId: USER });
    world.setPrice("THYAO", 99.12345);
    const [position] = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
    assert.equal(position?.profit, -2.63);
  });

  test("the balance is the cash, what no open buy holds back of it, and the worth of what is held (behaviour 11.1a)", async () => {
    const world = await PaperWorld.open({ paper: { startingCash: 1_000, startingPositions: { THYAO: 3 } } });
    await world.paper.accounts({ userId: USER });
    const { balance } = world.paper;
    assert.ok(balance !== undefined);
    const read = async () => dataOf(await balance.call(world.paper, own));
    const [{ averagePrice = 0 } = {}] = dataOf(await world.paper.positions({ ...own, includeOrders: false }));
    assert.deepEqual(await read(), {
      ...{ cash: 1_000, buyingPower: 1_000 },
      ...{ equity: 1_000 + 3 * averagePrice, currency: "TRY" },
    });
    world.setPrice("THYAO", 120);
    dataOf(await world.paper.place(orderOf({ orderType: 2, buySell: 1, quantity: 2, price: 100 })));
    assert.deepEqual(await read(), { cash: 1_000, buyingPower: 800, equity: 1_360, currency: "TRY" });
    refusalOf(await balance.call(world.paper, { ...own, accountNumber: "PAPER-0" }), "NOT_FOUND");
  });
});

describe("a reset", () => {
  test("cancels what is open, gives back what the account began with, and is durable (behaviour 11.1b)", async () => {
    const world = await PaperWorld.open({ paper: { startingCash: 1_000, startingPositions: { THYAO: 3 } } });
    world.setPrice("THYAO", 100);
    await world.paper.accounts({ userId: USER });
    dataOf(await world.paper.place(orderOf({ clientOrderId: "sold", buySell: 2, quantity: 2 })));
    dataOf(await world.paper.place(orderOf({ clientOrderId: "buy", quantity: 1, price: 90 })));
    dataOf(await world.paper.place(orderOf({ clientOrderId: "sell", buySell: 2, quantity: 1, price: 120 })));
    assert.equal(dataOf(await world.paper.reset(own)).cash, 1_000);
    await world.openAfterCrash();
    const [position] = dataOf(await world.paper.positions({ ...own, includeOrders: true }));
    assert.deepEqual([position?.quantity, position?.availableQuantity, position?.orders], [3, 3, []]);
    assert.equal(dataOf(await world.paper.balance(own)).buyingPower, 1_000);
    const orders = dataOf(await world.paper.dailyOrders(own));
    assert.deepEqual(
      orders.map(({ clientOrderId, orderStatus }) => [clientOrderId, orderStatus]),
      [
        ["sold", 2],
        ["buy", 3],
        ["sell", 3],
      ],
    );
    refusalOf(await world.paper.reset({ ...own, accountNumber: "PAPER-0" }), "NOT_FOUND");
  });

  test("cancels an order that waits for another with it", async () => {
    const world = await PaperWorld.open({ paper: { startingPositions: { THYAO: 3 } } });
    world.setPrice("THYAO", 100);
    const first = dataOf(await world.paper.place(orderOf({ clientOrderId: "a", buySell: 2, quantity: 1, price: 120 })));
    const chained = { ...orderOf({ clientOrderId: "b", buySell: 2, quantity: 1 }), referenceOrderNo: first.orderNo };
    dataOf(await world.paper.chain(chained));
    dataOf(await world.paper.reset(own));
    assert.ok(dataOf(await world.paper.dailyOrders(own)).every(({ orderStatus }) => orderStatus === 3));
  });
});

describe("orders", () => {
  test("an order number ascends, and is of its start: a book that was set back repeats none", async () => {
    const world = await PaperWorld.open();
    const first = dataOf(await world.paper.place(orderOf({ price: 50 }))).orderNo;
    await world.restart();
    const second = dataOf(await world.paper.place(orderOf({ price: 50 }))).orderNo;
    assert.match(first, /^P[0-9A-Z]{8}-0000000001$/);
    assert.match(second, /^P[0-9A-Z]{8}-0000000002$/);
    assert.notEqual(second.slice(0, 9), first.slice(0, 9));
  });

  test("the first answer stands when the order went on, after a restart, and when the user is logged out", async () => {
    const world = await PaperWorld.open({ paper: { requiresLogin: true } });
    await logIn(world);
    const request = orderOf({ price: 90 });
    const first = await world.paper.place(request);
    assert.equal(dataOf(first).orderStatus, 1);
    world.tick("THYAO", 89);
    world.nowMs += 25 * HOUR_MS;
    refusalOf(await world.paper.place(orderOf({ price: 90 })), "UNAUTHORIZED");
    assert.deepEqual(await world.paper.place(request), first);
    await world.restart();
    assert.deepEqual(await world.paper.place(request), first);
  });

  test("the same order sent twice at once is one order with one answer", async () => {
    const world = await PaperWorld.open();
    world.setPrice("THYAO", 100);
    const request = orderOf();
    const replies = await Promise.all([world.paper.place(request), world.paper.place(request)]);
    assert.deepEqual(replies[0], replies[1]);
    assert.equal(dataOf(await world.paper.dailyOrders(own)).length, 1);
  });

  test("an order that is sent or looked for again while its batch is on its way to the disk is known", async () => {
    const world = await PaperWorld.open();
    await world.paper.accounts(own);
    world.setPrice("THYAO", 100);
    const request = orderOf();
    const { clientOrderId } = request;
    const first = world.paper.place(request);
    await new Promise((resolve) => setImmediate(resolve));
    const [again, found] = await Promise.all([
      world.paper.place(request),
      world.paper.findOrder({ ...own, clientOrderId }),
    ]);
    assert.deepEqual(again, await first);
    assert.equal(dataOf(found).orderNo, dataOf(again).orderNo);
  });

  test("an expired order stays rejected when the clock goes back", async () => {
    const world = await PaperWorld.open();
    world.setPrice("THYAO", 100);
    const request = orderOf({ expiresAt: new Date(START_MS).toISOString() });
    world.nowMs = START_MS + 1;
    assert.equal(refusalOf(await world.paper.place(request), "REJECTED"), "expired");
    world.nowMs = START_MS - HOUR_MS;
    assert.equal(refusalOf(await world.paper.place(request), "REJECTED"), "expired");
    const inTime = orderOf({ expiresAt: new Date(world.nowMs).toISOString() });
    assert.equal(dataOf(await world.paper.place(inTime)).orderStatus, 2);
  });

  test("a rejected order is listed, told, and its reason is the answer", async () => {
    const world = await PaperWorld.open();
    const request = orderOf({ price: 20.01 });
    assert.equal(refusalOf(await world.paper.place(request), "REJECTED"), "price 20.01 is not a multiple of 0.02");
    const { clientOrderId } = request;
    const record = dataOf(await world.paper.findOrder({ ...own, clientOrderId }));
    assert.deepEqual([record.orderStatus, record.price], [4, 20.01]);
    assert.deepEqual(world.updates, [orderRecordSchema.parse(record)]);
  });

  test("what no record can hold is rejected and takes no number", async () => {
    const world = await PaperWorld.open();
    world.setPrice("THYAO", 100);
    for (const fields of [
      { quantity: 0 },
      { quantity: 1.5 },
      { price: Number.NaN },
      { price: -1 },
      { symbol: "thyao" },
    ]) {
      refusalOf(await world.paper.place(orderOf(fields)), "REJECTED");
    }
    refusalOf(await world.paper.place(orderOf({ clientOrderId: "" })), "REJECTED");
    refusalOf(await world.paper.place(orderOf({ expiresAt: "soon" })), "REJECTED");
    assert.equal(dataOf(await world.paper.dailyOrders(own)).length, 0);
  });

  test("daily orders: what changed today (UTC) or is still open", async () => {
    const world = await PaperWorld.open();
    world.setPrice("THYAO", 100);
    world.nowMs = Date.UTC(2026, 2, 2, 23, 59);
    const yesterday = dataOf(await world.paper.place(orderOf())).orderNo;
    const filledToday = dataOf(await world.paper.place(orderOf({ price: 90 }))).orderNo;
    const open = dataOf(await world.paper.place(orderOf({ price: 50 }))).orderNo;
    world.nowMs = Date.UTC(2026, 2, 3, 0, 1);
    world.tick("THYAO", 89);
    const today = dataOf(await world.paper.place(orderOf())).orderNo;
    const listed = dataOf(await world.paper.dailyOrders(own)).map((record) => record.orderNo);
    assert.deepEqual(listed, [filledToday, open, today]);
    assert.equal((await world.order(yesterday)).orderStatus, 2);
  });

  test("a cancel that is repeated is answered as the first one", async () => {
    const world = await PaperWorld.open();
    const { orderNo } = dataOf(await world.paper.place(orderOf({ price: 90 })));
    const request = { ...own, orderNo, symbol: "THYAO" };
    assert.deepEqual(await world.paper.cancel(request), await world.paper.cancel(request));
    const other = dataOf(await world.paper.place(orderOf({ price: 90 }))).orderNo;
    refusalOf(await world.paper.cancel({ ...own, orderNo: other, symbol: "GARAN" }), "REJECTED");
  });

  test("an order is found by name, by number, or by both when they are of one order", async () => {
    const world = await PaperWorld.open();
    const one = orderOf({ price: 90 });
    const { orderNo } = dataOf(await world.paper.place(one));
    const other = orderOf({ price: 90 });
    await world.paper.place(other);
    const { clientOrderId } = one;
    assert.equal(dataOf(await world.paper.findOrder({ ...own, clientOrderId, orderNo })).orderNo, orderNo);
    refusalOf(await world.paper.findOrder({ ...own, clientOrderId: other.clientOrderId, orderNo }), "NOT_FOUND");
    refusalOf(await world.paper.findOrder(own), "NOT_FOUND");
  });
});

describe("login", () => {
  const credentials: LoginRequest = { ...own, username: "12345678901", password: "hunter-2-secret" };

  test("three wrong codes end the session, and a session lives five minutes", async () => {
    const world = await PaperWorld.open({ paper: { requiresLogin: true } });
    const first = await startLogin(world);
    for (let round = 0; round < 3; round += 1) {
      refusalOf(await world.paper.login({ ...credentials, sessionId: first.sessionId, sms: "12345" }), "REJECTED");
    }
    refusalOf(await world.paper.login({ ...credentials, ...first }), "REJECTED");

    const second = await startLogin(world);
    assert.notEqual(second.sessionId, first.sessionId);
    world.nowMs += 5 * 60_000;
    refusalOf(await world.paper.login({ ...credentials, ...second }), "REJECTED");
    const third = await startLogin(world);
    world.nowMs += 5 * 60_000 - 1;
    dataOf(await world.paper.login({ ...credentials, ...third }));
    refusalOf(await world.paper.login({ ...credentials, ...third }), "REJECTED");
  });

  test("a code is good for its own user and session only", async () => {
    const world = await PaperWorld.open({ paper: { requiresLogin: true } });
    const started = await startLogin(world);
    const stranger = { ...credentials, ...started, userId: 8, accountNumber: "PAPER-8" };
    refusalOf(await world.paper.login(stranger), "REJECTED");
    const { sessionId, sms } = started;
    refusalOf(await world.paper.login({ ...credentials, sessionId }), "REJECTED");
    refusalOf(await world.paper.login({ ...credentials, sms }), "REJECTED");
    refusalOf(await world.paper.login({ ...credentials, ...started, password: "" }), "REJECTED");
    dataOf(await world.paper.login({ ...credentials, ...started }));
  });

  test("a login lasts 24 hours, restarts included", async () => {
    const world = await PaperWorld.open({ paper: { requiresLogin: true } });
    await logIn(world);
    await world.openAfterCrash();
    world.nowMs += 24 * HOUR_MS - 1;
    dataOf(await world.paper.accounts({ userId: USER }));
    world.nowMs += 1;
    refusalOf(await world.paper.accounts({ userId: USER }), "UNAUTHORIZED");
  });

  test("neither password nor code reaches the store or an answer", async () => {
    const world = await PaperWorld.open({ paper: { requiresLogin: true } });
    const started = await startLogin(world);
    const wrong = await world.paper.login({ ...credentials, sessionId: started.sessionId, sms: "wrong" });
    const done = await world.paper.login({ ...credentials, ...started });
    const rows = [...world.store.rows].map(([key, value]) => `${key}=${Buffer.from(value).toString()}`).join("\n");
    for (const text of [rows, JSON.stringify([wrong, done])]) {
      assert.ok(!text.includes(credentials.password) && !text.includes(started.sms));
    }
  });

  async function startLogin(world: PaperWorld): Promise<{ sessionId: string; sms: string }> {
    const started = dataOf(await world.paper.login(credentials));
    assert.ok(started.otp === 1);
    const sms = world.messages.at(-1);
    assert.ok(sms !== undefined && sms.accountNumber === ACCOUNT);
    assert.match(sms.code, /^\d{6}$/);
    return { sessionId: started.sessionId, sms: sms.code };
  }
});

async function logIn(world: PaperWorld): Promise<void> {
  const credentials = { ...own, username: "12345678901", password: "secret" };
  const started = dataOf(await world.paper.login(credentials));
  assert.ok(started.otp === 1);
  const sms = world.messages.at(-1)?.code ?? "";
  dataOf(await world.paper.login({ ...credentials, sessionId: started.sessionId, sms }));
}

test("the brokerages file is valid and names two paper brokerages", async () => {
  const file = await readFile(new URL("../../../../fixtures/brokerages.json", import.meta.url), "utf8");
  const [first, second, ...others] = z.array(brokerageSettingsSchema).parse(JSON.parse(file));
  assert.deepEqual(
    [first, second].map((one) => [one?.code, one?.adapter, one?.resend, one?.ordersPerMinute]),
    [
      ["PAPER", "paper", "idempotent", 500],
      ["PAPER2", "paper", "idempotent", 60],
    ],
  );
  assert.equal(second?.portfolioIntervalSeconds, 3);
  assert.equal(others.length, 0);
});
