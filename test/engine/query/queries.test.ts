import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import {
  brokerageOf,
  FakeBrokerage,
  type Life,
  no,
  orderBody,
  type Page,
  refusalOf,
  startLife,
} from "../command/harness.ts";

const place = { brokerageCode: "PAPER", accountNumber: "A-7" };

function dataOf(answer: unknown): unknown {
  assert.ok(typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === true && "data" in answer);
  return answer.data;
}

function pageOf(answer: unknown): Page {
  assert.ok(typeof answer === "object" && answer !== null && "rows" in answer, JSON.stringify(answer));
  return answer as Page;
}

/** All pages of a list. */
async function allRows(life: Life, type: string, body: object, pageBytesMax: number): Promise<readonly object[]> {
  const rows: object[] = [];
  for (let from: string | null = null, isFirst = true; isFirst || from !== null; isFirst = false) {
    const page: Page = pageOf(await life.query(type, { ...body, from }, { pageBytesMax }));
    rows.push(...page.rows);
    from = page.next;
  }
  return rows;
}

function recordOf(orderNo: string, fields: Partial<OrderRecord> = {}): OrderRecord {
  return {
    orderNo,
    clientOrderId: null,
    accountNumber: "0007",
    symbol: "THYAO",
    buySell: 1,
    orderType: 2,
    quantity: 10,
    price: 20.02,
    orderStatus: 1,
    filledQuantity: 0,
    averagePrice: 0,
    createdDate: "2026-01-05T12:00:00+03:00",
    updatedDate: null,
    ...fields,
  };
}

test("accounts.resolve: both names of an account mean the one, another's name none", async () => {
  const life = await startLife();
  for (const accountNumber of ["A-7", "0007"]) {
    assert.deepEqual(dataOf(await life.query("accounts.resolve", { ...place, accountNumber })), {
      accountNumber: "A-7",
    });
  }
  const other = await life.query("accounts.resolve", { ...place, accountNumber: "A-8" });
  assert.equal(refusalOf(other, "FORBIDDEN"), "accountNumber is not one of your accounts");
});

describe("stored rows of an account whose brokerage cannot be asked after a start", () => {
  async function startWithGroup(): Promise<Life> {
    const life = await startLife();
    const takeProfitItems = [{ price: 120, quantity: 10 }];
    const levels = { stopLossPrice: 80, stopLossQuantity: 10, takeProfitItems };
    dataOf(await life.command("oco.create", { ...place, symbol: "THYAO", ...levels }));
    brokerageOf(life).accounts = no("UNAVAILABLE");
    await life.crashAndStart();
    return life;
  }

  test("are found under the accountNumber, and none of a kind is an empty list", async () => {
    const life = await startWithGroup();
    assert.equal(pageOf(await life.query("oco.list", place)).rows.length, 2);
    for (const type of ["setup.list", "levelBots.list", "webhookBots.list", "systems.list"]) {
      assert.deepEqual(pageOf(await life.query(type, place)).rows, [], type);
    }
  });

  test("are not told as missing under a name that may be the account's number, or that nothing is stored under", async () => {
    const life = await startWithGroup();
    for (const accountNumber of ["0007", "A-8"]) {
      for (const type of ["oco.list", "setup.list", "levelBots.list", "webhookBots.list", "systems.list"]) {
        refusalOf(await life.query(type, { ...place, accountNumber }), "UNAVAILABLE");
      }
      const page = { page: 1, pageSize: 10 };
      refusalOf(await life.query("levelBots.history", { ...place, accountNumber, ...page }), "UNAVAILABLE");
    }
    refusalOf(await life.query("oco.list", place, { userId: 8 }), "UNAVAILABLE");
  });
});

describe("accounts.list", () => {
  test("has the accounts of all brokerages, with the brokerage's code and name", async () => {
    const life = await startLife(new FakeBrokerage("ONE"), new FakeBrokerage("TWO"));
    const accounts = dataOf(await life.query("accounts.list", {}));
    const rest = { accountNumber: "A-7", number: "0007", name: "Account 7", isActive: true, isDefault: true };
    assert.deepEqual(accounts, [
      { ...rest, brokerageCode: "ONE", brokerageName: "ONE Brokerage" },
      { ...rest, brokerageCode: "TWO", brokerageName: "TWO Brokerage" },
    ]);
  });

  test("a brokerage that refuses, throws or hangs is left out, and nobody waits longer than its timeoutMs", async () => {
    const refusing = new FakeBrokerage("REFUSING");
    refusing.accounts = no("UNAUTHORIZED");
    const throwing = new FakeBrokerage("THROWING");
    throwing.answers.set("accounts", () => Promise.reject(new Error("broken")));
    const hanging = new FakeBrokerage("HANGING", { timeoutMs: 2_000 });
    hanging.answers.set("accounts", () => new Promise(() => undefined));
    const life = await startLife(refusing, throwing, hanging, new FakeBrokerage("GOOD"));
    const accounts = dataOf(await life.query("accounts.list", {}, { forMs: 2_100 })) as { brokerageCode: string }[];
    assert.deepEqual(
      accounts.map(({ brokerageCode }) => brokerageCode),
      ["GOOD"],
    );
  });

  test("a user is needed", async () => {
    refusalOf(await (await startLife()).query("accounts.list", {}, { userId: null }), "UNAUTHORIZED");
  });
});

describe("accounts.positions", () => {
  const position = {
    symbol: "THYAO",
    quantity: 5,
    availableQuantity: 4,
    averagePrice: 20,
    lastPrice: null,
    profit: null,
  };

  test("has the agreed fields; orders only where they were asked for", async () => {
    const life = await startLife();
    const answer = { ok: true as const, data: [{ ...position, orders: [recordOf("N1")], secret: 1 }] };
    brokerageOf(life).answers.set("positions", () => answer);
    assert.deepEqual(pageOf(await life.query("accounts.positions", place)).rows, [position]);
    const [row] = pageOf(await life.query("accounts.positions", { ...place, includeOrders: true })).rows;
    const orders = row?.orders as { accountNumber: string }[] | undefined;
    assert.deepEqual(
      orders?.map(({ accountNumber }) => accountNumber),
      ["A-7"],
    );
    const sent = brokerageOf(life).callsOf("positions") as { includeOrders: boolean }[];
    assert.deepEqual(
      sent.map(({ includeOrders }) => includeOrders),
      [false, true],
    );
  });

  test("a position without orders has an empty list when they were asked for", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("positions", () => ({ ok: true, data: [position] }));
    const { rows } = pageOf(await life.query("accounts.positions", { ...place, includeOrders: true }));
    assert.deepEqual(rows, [{ ...position, orders: [] }]);
  });

  test("another's account is FORBIDDEN, an unknown brokerage INVALID, no login FORBIDDEN, a silent brokerage UNAVAILABLE", async () => {
    const life = await startLife();
    refusalOf(await life.query("accounts.positions", { ...place, accountNumber: "A-8" }), "FORBIDDEN");
    refusalOf(await life.query("accounts.positions", { ...place, brokerageCode: "paper" }), "INVALID");
    brokerageOf(life).answers.set("positions", () => no("UNAUTHORIZED"));
    refusalOf(await life.query("accounts.positions", place), "FORBIDDEN");
    brokerageOf(life).answers.set("positions", () => no("UNKNOWN"));
    refusalOf(await life.query("accounts.positions", place), "UNAVAILABLE");
  });
});

describe("accounts.balance", () => {
  const balance = { cash: 1, buyingPower: 2, equity: 3, currency: "TRY" };

  test("is what the brokerage tells, and INVALID where it tells none", async () => {
    const refused = refusalOf(await (await startLife()).query("accounts.balance", place), "INVALID");
    assert.equal(refused, "the brokerage does not report balances");
    const brokerage = new FakeBrokerage();
    brokerage.answers.set("balance", () => ({ ok: true, data: balance }));
    const life = await startLife(brokerage);
    assert.deepEqual(dataOf(await life.query("accounts.balance", place)), balance);
    brokerage.answers.set("balance", () => no("UNAVAILABLE"));
    refusalOf(await life.query("accounts.balance", place), "UNAVAILABLE");
    refusalOf(await life.query("accounts.balance", { ...place, accountNumber: "A-8" }), "FORBIDDEN");
  });
});

describe("accounts.dailyOrders", () => {
  test("has the agreed fields, the account's own number and times in UTC", async () => {
    const life = await startLife();
    await life.command("order.place", orderBody({ orderType: 2, price: 20.02 }));
    const { rows } = pageOf(await life.query("accounts.dailyOrders", { ...place, accountNumber: "0007" }));
    assert.deepEqual(rows, [
      {
        symbol: "THYAO",
        quantity: 10,
        buySell: 1,
        orderNo: "N1",
        orderStatus: 1,
        accountNumber: "A-7",
        orderType: 2,
        price: 20.02,
        filledQuantity: 0,
        averagePrice: 0,
        clientOrderId: rows[0]?.clientOrderId,
        createdDate: "2026-01-05T09:00:00.000Z",
        updatedDate: null,
      },
    ]);
  });

  test("a day too long for one message comes page by page, oldest first, nothing twice and nothing missing", async () => {
    const life = await startLife();
    const orders = Array.from({ length: 50 }, (_, index) =>
      recordOf(`N${index}`, { createdDate: `2026-01-05T09:00:${String(59 - index).padStart(2, "0")}Z` }),
    );
    brokerageOf(life).answers.set("dailyOrders", () => ({ ok: true, data: orders }));
    const rows = (await allRows(life, "accounts.dailyOrders", place, 1_000)) as { orderNo: string }[];
    assert.deepEqual(
      rows.map(({ orderNo }) => orderNo),
      orders.map(({ orderNo }) => orderNo).reverse(),
    );
  });
});

describe("oco.list", () => {
  const group = (symbol: string): object => ({
    ...place,
    symbol,
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems: [{ price: 110, quantity: 10 }],
  });

  test("has the rows that its filters leave, part by part while groups are cancelled", async () => {
    const life = await startLife();
    for (const symbol of ["THYAO", "GARAN", "AKBNK"]) await life.command("oco.create", group(symbol));
    const whole = pageOf(await life.query("oco.list", place)).rows as { id: number; symbol: string }[];
    const part = async (asked: object, from: string | null = null) => {
      const { rows, next } = pageOf(await life.query("oco.list", { ...place, part: asked, from }));
      return { ids: (rows as { id: number }[]).map(({ id }) => id), next };
    };
    const idsOf = (symbol: string) => whole.filter((row) => row.symbol === symbol).map(({ id }) => id);
    assert.deepEqual((await part({ symbol: "GARAN" })).ids, idsOf("GARAN"));
    assert.deepEqual((await part({ statuses: [2, 3, 4] })).ids, []);
    const first = await part({ limit: 3 });
    assert.deepEqual(
      first.ids,
      whole.slice(0, 3).map(({ id }) => id),
    );
    await life.time.advance(1_000);
    const sinceMs = life.time.nowMs();
    await life.command("oco.cancel", { id: whole[2]?.id, brokerageCode: "PAPER" });
    assert.deepEqual(await part({ limit: 3 }, first.next), { ids: whole.slice(3).map(({ id }) => id), next: null });
    assert.deepEqual((await part({ statuses: [4] })).ids, idsOf("GARAN"));
    assert.deepEqual((await part({ sinceMs })).ids, idsOf("GARAN"));
    refusalOf(await life.query("oco.list", { ...place, part: {}, from: "x" }), "INVALID");
  });

  test("has the rows of the account, by group, the stop-loss first, on any number of pages", async () => {
    const life = await startLife();
    await life.command("oco.create", group("THYAO"));
    await life.command("oco.create", group("GARAN"));
    for (const pageBytesMax of [1, 1_000_000]) {
      const rows = (await allRows(life, "oco.list", place, pageBytesMax)) as { symbol: string; orderType: number }[];
      assert.deepEqual(
        rows.map(({ symbol, orderType }) => [symbol, orderType]),
        [
          ["THYAO", 2],
          ["THYAO", 1],
          ["GARAN", 2],
          ["GARAN", 1],
        ],
      );
    }
  });

  test("another's account is FORBIDDEN, an unknown brokerage INVALID, a missing field INVALID", async () => {
    const life = await startLife();
    refusalOf(await life.query("oco.list", { ...place, accountNumber: "A-8" }), "FORBIDDEN");
    refusalOf(await life.query("oco.list", { ...place, brokerageCode: "paper" }), "INVALID");
    assert.match(
      refusalOf(await life.query("oco.list", { brokerageCode: "PAPER" }), "INVALID"),
      /accountNumber is required/,
    );
  });
});

describe("what an edge asks for itself", () => {
  test("brokerages with their quotas and nothing else of their settings", async () => {
    const life = await startLife(new FakeBrokerage("ONE", { portfolioIntervalSeconds: 3, ordersPerMinute: 60 }));
    const expected = [{ code: "ONE", name: "ONE Brokerage", ordersPerMinute: 60, portfolioIntervalSeconds: 3 }];
    assert.deepEqual(dataOf(await life.query("brokerages.list", {}, { userId: null })), expected);
  });

  test("health", async () => {
    const life = await startLife();
    const timeMs = life.time.nowMs();
    assert.deepEqual(dataOf(await life.query("health", {}, { userId: null })), {
      isReady: true,
      partitions: 1,
      timeMs,
    });
  });
});
