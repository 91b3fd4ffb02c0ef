import assert from "node:assert/strict";
import { test } from "node:test";
import type { PaperAccount } from "../../../../../engine/connector/paper/account/account.ts";
import { moneyOfAmount } from "../../../../../engine/connector/paper/account/money.ts";
import { type Market, OrderBook } from "../../../../../engine/connector/paper/market/book.ts";
import { type OrderDraft, type PaperOrder, recordOf } from "../../../../../engine/connector/paper/market/order.ts";
import { priceOf, START_MS } from "../harness.ts";

/** A book with one account and prices set by hand. */
class BookWorld {
  readonly book: OrderBook;
  readonly account: PaperAccount;
  readonly prices = new Map<string, number>();
  nowMs = START_MS;
  #sequence = 0;

  constructor(fillShareMax = 1, cash = 10_000) {
    this.book = new OrderBook(fillShareMax);
    this.account = {
      userId: 1,
      accountNumber: "A",
      number: "1000000000",
      cash: moneyOfAmount(cash),
      reservedCash: 0n,
      positions: new Map([["THYAO", { quantity: 100, reserved: 0, cost: moneyOfAmount(9_000) }]]),
    };
    this.book.openAccount(this.account);
  }

  get market(): Market {
    const priceOfSymbol = (symbol: string) => {
      const price = this.prices.get(symbol);
      return price === undefined ? undefined : priceOf(price);
    };
    return {
      nowMs: this.nowMs,
      priceOf: priceOfSymbol,
      tickTableOf: (symbol) => (symbol === "AAPL" ? "CENT" : "BIST"),
    };
  }

  place(side: "buy" | "sell", quantity: number, price = 0, reference?: PaperOrder, symbol = "THYAO"): PaperOrder {
    this.#sequence += 1;
    const draft: OrderDraft = {
      orderNo: `P${this.#sequence}`,
      sequence: this.#sequence,
      accountNumber: "A",
      clientOrderId: `order-${this.#sequence}`,
      symbol,
      buySell: side === "buy" ? 1 : 2,
      orderType: price === 0 ? 1 : 2,
      quantity,
      price,
      referenceOrderNo: reference?.orderNo ?? null,
      createdMs: this.nowMs,
    };
    return this.book.place(draft, this.market, reference === undefined ? {} : { reference });
  }

  tick(price: number, timeMs = this.nowMs, symbol = "THYAO"): void {
    this.prices.set(symbol, price);
    this.book.tick(symbol, priceOf(price), timeMs, this.market);
  }

  lots(symbol = "THYAO"): number {
    return this.account.positions.get(symbol)?.quantity ?? 0;
  }
}

function stateOf(order: PaperOrder): [status: number, filled: number, averagePrice: number] {
  const { orderStatus, filledQuantity, averagePrice } = recordOf(order);
  return [orderStatus, filledQuantity, averagePrice];
}

test("a market order fills whole at the last live price, and without one is rejected", () => {
  const world = new BookWorld();
  assert.deepEqual(stateOf(world.place("sell", 10)), [4, 0, 0]);
  world.tick(101.2345);
  assert.deepEqual(stateOf(world.place("sell", 10)), [2, 10, 101.2345]);
  assert.equal(world.account.cash, moneyOfAmount(10_000) + moneyOfAmount(1_012.345));
});

test("a limit order fills exactly when the price crosses, not a thousandth before", () => {
  const world = new BookWorld();
  const buy = world.place("buy", 1, 20);
  const sell = world.place("sell", 1, 20.02);
  world.tick(20.001);
  assert.deepEqual([buy.status, sell.status], [1, 1]);
  world.tick(20.019);
  assert.deepEqual([buy.status, sell.status], [1, 1]);
  world.tick(20.02);
  assert.deepEqual([buy.status, sell.status], [1, 2]);
  world.tick(20);
  assert.equal(buy.status, 2);
});

test("a marketable limit order fills at once at the better price", () => {
  const world = new BookWorld();
  world.tick(100);
  assert.deepEqual(stateOf(world.place("buy", 10, 105)), [2, 10, 100]);
  assert.deepEqual(stateOf(world.place("sell", 10, 95)), [2, 10, 100]);
  assert.equal(world.account.reservedCash, 0n);
});

test("resting orders reserve: nothing is promised twice, and a cancel lets go", () => {
  const world = new BookWorld();
  world.tick(100);
  const sell = world.place("sell", 60, 150);
  assert.equal(world.place("sell", 41).reason, "not enough THYAO: 41 to sell, 40 available");
  const buy = world.place("buy", 60, 90);
  assert.equal(world.place("buy", 50, 95).reason, "not enough cash: 4750.00 needed, 4600.00 available");
  world.book.cancel(sell, world.market);
  world.book.cancel(buy, world.market);
  assert.equal(world.place("sell", 100).status, 2);
});

test("a price fills at most the configured share of an order, at least one lot, and ticks fill the rest", () => {
  const world = new BookWorld(0.3);
  world.tick(100);
  const order = world.place("buy", 10);
  assert.deepEqual(stateOf(order), [1, 3, 100]);
  world.tick(101);
  world.tick(102);
  assert.deepEqual(stateOf(order), [1, 9, 101]);
  world.tick(110);
  assert.deepEqual(stateOf(order), [2, 10, 101.9]);
  const single = world.place("sell", 2);
  assert.equal(single.filled, 1);
});

test("the share is exact: 0.29 of 100 lots is 29 lots", () => {
  const world = new BookWorld(0.29);
  world.tick(10);
  assert.equal(world.place("buy", 100).filled, 29);
});

test("a market buy whose cash runs out keeps what it got and loses the rest", () => {
  const world = new BookWorld(0.5, 1_000);
  world.tick(100);
  const order = world.place("buy", 10);
  world.tick(200);
  assert.deepEqual(stateOf(order), [3, 7, 128.57142857]);
  assert.equal(world.account.cash, moneyOfAmount(100));
  assert.equal(world.account.reservedCash, 0n);
});

test("of two market buys the older one gets the cash that is left", () => {
  const world = new BookWorld(0.5, 1_120);
  world.tick(100);
  const older = world.place("buy", 4);
  const younger = world.place("buy", 6);
  world.tick(160);
  assert.deepEqual([older.status, younger.filled], [2, 4]);
});

test("a price from before an order was placed does not fill it", () => {
  const world = new BookWorld();
  const order = world.place("buy", 1, 90);
  world.tick(80, START_MS - 1);
  assert.equal(order.status, 1);
  world.tick(80, START_MS);
  assert.equal(order.status, 2);
});

test("a chain of orders is placed link by link, and what cannot be placed cancels the links behind it", () => {
  const world = new BookWorld();
  world.tick(100);
  const first = world.place("buy", 10, 95);
  const second = world.place("sell", 110, 0, first);
  const third = world.place("sell", 1, 0, second);
  const fourth = world.place("sell", 1, 0, third);
  assert.deepEqual([second.status, third.status, fourth.status], [0, 0, 0]);
  world.tick(94);
  assert.deepEqual([first.status, second.status], [2, 2]);
  assert.equal(third.reason, "not enough THYAO: 1 to sell, 0 available");
  assert.deepEqual([third.status, fourth.status], [4, 3]);
});

test("a waiting order reserves nothing, can be cancelled alone, and goes with its reference", () => {
  const world = new BookWorld();
  world.tick(100);
  const reference = world.place("buy", 10, 50);
  const alone = world.place("sell", 100, 0, reference);
  const along = world.place("sell", 100, 0, reference);
  world.book.cancel(alone, world.market);
  assert.deepEqual([alone.status, along.status], [3, 0]);
  assert.equal(world.place("sell", 100).status, 2);
  world.book.cancel(reference, world.market);
  assert.equal(along.status, 3);
  assert.equal(world.place("buy", 1, 0, reference).reason, "referenceOrderNo P1 is cancelled or rejected");
  assert.equal(world.book.liveCount, 0);
});

test("an order chained to a completed one is placed at once", () => {
  const world = new BookWorld();
  world.tick(100);
  const done = world.place("buy", 1);
  assert.equal(world.place("sell", 1, 0, done).firstStatus, 2);
});

test("a sale takes its share of the cost along, so the average price stays", () => {
  const world = new BookWorld();
  world.tick(97);
  world.place("sell", 33);
  assert.deepEqual([world.lots(), world.account.positions.get("THYAO")?.cost], [67, moneyOfAmount(6_030)]);
  world.place("sell", 67);
  assert.equal(world.account.positions.has("THYAO"), false);
});

test("off the tick table, or a market order with a price: rejected, and says why", () => {
  const world = new BookWorld();
  world.tick(100);
  assert.equal(world.place("buy", 1, 20.01).reason, "price 20.01 is not a multiple of 0.02");
  assert.equal(world.place("buy", 1, 10.004).status, 4);
});

test("a tick knows without a walk whether it reaches anybody", () => {
  const world = new BookWorld();
  const isReachedAt = (price: number): boolean => world.book.isReached("THYAO", priceOf(price));
  assert.equal(isReachedAt(90), false);
  const buy = world.place("buy", 1, 90);
  const sell = world.place("sell", 1, 110);
  assert.deepEqual([89.99, 90, 90.01, 109.99, 110].map(isReachedAt), [true, true, false, false, true]);
  world.book.cancel(buy, world.market);
  world.book.cancel(sell, world.market);
  assert.deepEqual([90, 110].map(isReachedAt), [false, false]);
});
