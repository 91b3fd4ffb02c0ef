import assert from "node:assert/strict";
import { test } from "node:test";
import type { PaperAccount } from "../../../../../engine/connector/paper/account/account.ts";
import { freeCash, freeLots } from "../../../../../engine/connector/paper/account/account.ts";
import { type Market, OrderBook } from "../../../../../engine/connector/paper/market/book.ts";
import type { PaperOrder } from "../../../../../engine/connector/paper/market/order.ts";
import { isLive } from "../../../../../engine/connector/paper/market/order.ts";
import {
  decodeAccount,
  decodeOrder,
  encodeAccount,
  encodeOrder,
} from "../../../../../engine/connector/paper/stored/codec.ts";
import fc from "../../../../support/property.ts";
import { priceOf, START_MS } from "../harness.ts";
import { NaiveTwin, type TwinOrder } from "./naive-twin.ts";

const SYMBOLS = ["THYAO", "GARAN"] as const;
const ACCOUNTS = 2;
const START_LOTS = 40;
const START_CASH = 1_200n;
const MONEY_PER_THOUSANDTH = 100_000n;

type Command =
  | {
      type: "place";
      account: number;
      symbol: string;
      isBuy: boolean;
      limit: number | undefined;
      quantity: number;
      after: number | undefined;
    }
  | { type: "cancel"; index: number }
  | { type: "tick"; symbol: string; thousandths: number }
  | { type: "restart" };

const symbol = fc.constantFrom(...SYMBOLS);
/** On the grid on both sides of 20.00, in hundredths. */
const limit = fc.integer({ min: 990, max: 1_010 }).map((half) => half * 2);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("place" as const),
      account: fc.nat(ACCOUNTS - 1),
      symbol,
      isBuy: fc.boolean(),
      limit: fc.option(limit, { nil: undefined }),
      quantity: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 40, max: 60 })),
      after: fc.option(fc.nat(30), { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cancel" as const), index: fc.nat(30) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("tick" as const),
      symbol,
      // Mostly around the limits; sometimes far enough to make the cash of a half filled order too little.
      thousandths: fc.oneof(fc.integer({ min: 19_780, max: 20_220 }), fc.integer({ min: 15_000, max: 40_000 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("restart" as const) }) },
);

/** A book and its twin, driven by the same commands and compared after each. */
class Pair {
  readonly twin: NaiveTwin;
  readonly #share: number;
  readonly #prices = new Map<string, number>();
  readonly #market: Market = {
    nowMs: START_MS,
    tickTableOf: () => "BIST",
    priceOf: (asked) => {
      const thousandths = this.#prices.get(asked);
      return thousandths === undefined ? undefined : priceOf(thousandths / 1_000);
    },
  };
  #book: OrderBook;
  #orders: PaperOrder[] = [];

  constructor(shareInverse: number) {
    this.#share = 1 / shareInverse;
    this.#book = new OrderBook(this.#share);
    const lots = (): Map<string, number> => new Map(SYMBOLS.map((name) => [name, START_LOTS]));
    const accounts = Array.from({ length: ACCOUNTS }, () => ({ cash: START_CASH * 1_000n, lots: lots() }));
    this.twin = new NaiveTwin(accounts, shareInverse);
    for (let userId = 0; userId < ACCOUNTS; userId += 1) {
      const position = () => ({ quantity: START_LOTS, reserved: 0, cost: 1_000_000_000n });
      this.#book.openAccount({
        userId,
        accountNumber: String(userId),
        number: String(userId),
        cash: START_CASH * 1_000n * MONEY_PER_THOUSANDTH,
        reservedCash: 0n,
        positions: new Map(SYMBOLS.map((name) => [name, position()])),
      });
    }
  }

  run(command: Command): void {
    if (command.type === "restart") this.#restart();
    else if (command.type === "tick") this.#tick(command);
    else if (command.type === "place") this.#place(command);
    else this.#cancel(command.index);
    this.#compare();
  }

  #tick({ symbol: name, thousandths }: Extract<Command, { type: "tick" }>): void {
    this.#prices.set(name, thousandths);
    this.twin.tick(name, BigInt(thousandths));
    this.#book.tick(name, priceOf(thousandths / 1_000), START_MS, this.#market);
  }

  #place(placed: Extract<Command, { type: "place" }>): void {
    const sequence = this.#orders.length + 1;
    const reference = placed.after === undefined ? undefined : this.#orders[placed.after];
    const twinReference = placed.after === undefined ? undefined : this.twin.orders[placed.after];
    const isChain = reference !== undefined && reference.accountNumber === String(placed.account);
    const order = this.#book.place(
      {
        orderNo: `P${sequence}`,
        sequence,
        accountNumber: String(placed.account),
        clientOrderId: `order-${sequence}`,
        symbol: placed.symbol,
        buySell: placed.isBuy ? 1 : 2,
        orderType: placed.limit === undefined ? 1 : 2,
        quantity: placed.quantity,
        price: placed.limit === undefined ? 0 : placed.limit / 100,
        referenceOrderNo: isChain ? reference.orderNo : null,
        createdMs: START_MS,
      },
      this.#market,
      isChain ? { reference } : {},
    );
    this.#orders.push(order);
    this.twin.place({
      account: placed.account,
      symbol: placed.symbol,
      isBuy: placed.isBuy,
      limit: placed.limit === undefined ? undefined : BigInt(placed.limit) * 10n,
      quantity: placed.quantity,
      reference: isChain ? twinReference : undefined,
    });
  }

  #cancel(index: number): void {
    const order = this.#orders[index];
    const twin = this.twin.orders[index];
    if (order === undefined || twin === undefined || !isLive(order)) return;
    this.#book.cancel(order, this.#market);
    this.twin.cancel(twin);
  }

  /** Continues with a new book, made of the rows of the old one. */
  #restart(): void {
    const book = new OrderBook(this.#share);
    for (let account = 0; account < ACCOUNTS; account += 1) {
      book.restoreAccount(decodeAccount(Buffer.from(encodeAccount(this.#account(account)))));
    }
    this.#orders = this.#orders.map((order) => decodeOrder(Buffer.from(encodeOrder(order))));
    for (const order of this.#orders) if (isLive(order)) book.restoreOrder(order);
    this.#book = book;
  }

  #account(account: number): PaperAccount {
    const found = this.#book.account(String(account));
    assert.ok(found !== undefined);
    return found;
  }

  #compare(): void {
    const inTwinUnits = (order: PaperOrder) => [order.status, order.filled, order.filledCost];
    const ofTwin = (order: TwinOrder) => [order.status, order.filled, order.spent * MONEY_PER_THOUSANDTH];
    assert.deepEqual(this.#orders.map(inTwinUnits), this.twin.orders.map(ofTwin));
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const account = this.#account(index);
      assert.equal(account.cash, (this.twin.accounts[index]?.cash ?? -1n) * MONEY_PER_THOUSANDTH);
      assert.equal(freeCash(account), this.twin.freeCash(index) * MONEY_PER_THOUSANDTH);
      for (const name of SYMBOLS) {
        assert.equal(account.positions.get(name)?.quantity ?? 0, this.twin.accounts[index]?.lots.get(name));
        assert.equal(freeLots(account, name), this.twin.freeLots(index, name));
      }
      this.#checkConserved(index, account);
    }
  }

  /** Cash and lots are what fills made of what there was; nothing is negative, nothing promised twice. */
  #checkConserved(index: number, account: PaperAccount): void {
    const own = this.#orders.filter((order) => order.accountNumber === String(index));
    const sign = (order: PaperOrder): number => (order.buySell === 1 ? 1 : -1);
    const spent = own.reduce((sum, order) => sum + order.filledCost * BigInt(sign(order)), 0n);
    assert.equal(account.cash, START_CASH * 1_000n * MONEY_PER_THOUSANDTH - spent);
    assert.ok(freeCash(account) >= 0n && account.reservedCash >= 0n);
    for (const name of SYMBOLS) {
      const gained = own
        .filter((order) => order.symbol === name)
        .reduce((sum, order) => sum + order.filled * sign(order), 0);
      const position = account.positions.get(name) ?? { quantity: 0, reserved: 0, cost: 0n };
      assert.equal(position.quantity, START_LOTS + gained);
      assert.ok(position.reserved >= 0 && position.reserved <= position.quantity && position.cost >= 0n);
    }
  }
}

test("any commands: orders, cash and lots are those of the naive twin, conserved and never negative", () => {
  const commands = fc.array(command, { maxLength: 60, size: "max" });
  fc.assert(
    fc.property(commands, fc.constantFrom(1, 2, 4), (list, shareInverse) => {
      const pair = new Pair(shareInverse);
      for (const one of list) pair.run(one);
    }),
    { numRuns: 800 },
  );
});
