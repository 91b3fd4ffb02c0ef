/**
 * The rules for every `Brokerage`, on any carrier: run over the paper brokerage itself and over every adapter with a
 * paper brokerage behind it. Waits for updates instead of expecting them immediately: they may cross a bus.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Brokerage } from "../../../engine/ports/brokerage.ts";
import type {
  BrokerFailureCode,
  BrokerReply,
  ChainRequest,
  OrderRecord,
  PlaceRequest,
} from "../../../src/contract/trading/order.ts";
import { orderRecordSchema, positionRecordSchema } from "../../../src/contract/trading/order.ts";
import type { Cancel } from "../../../src/runtime/ports.ts";

/** The account behind the harness at its start. */
export interface HarnessSettings {
  readonly startingCash: number;
  readonly startingPositions: Readonly<Record<string, number>>;
  readonly requiresLogin: boolean;
}

export interface BrokerageHarness {
  /** The brokerage now; another one after `restart`. */
  readonly brokerage: Brokerage;
  /** Makes `price` the live price of `symbol`, and fills what it reaches. */
  fillPrice(symbol: string, price: number): Promise<void>;
  /** The code of the last text message, once it was sent. */
  lastSmsCode(): string | undefined;
  /** Stops brokerage and adapter, and starts them over the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const USER = 4711;
const OTHER_USER = 4712;
const SYMBOL = "THYAO";
const UNPRICED_SYMBOL = "GARAN";
const WAIT_ROUNDS_MAX = 6_000;
const WAIT_MS = 10;

const SETTINGS: HarnessSettings = {
  startingCash: 100_000,
  startingPositions: { [SYMBOL]: 100 },
  requiresLogin: false,
};

/** Runs the suite; `make` starts a brokerage with fresh data. */
export function describeBrokerage(name: string, make: (settings: HarnessSettings) => Promise<BrokerageHarness>): void {
  describe(`${name}: trading`, () => {
    const suite = new TradingSuite(() => make(SETTINGS));
    before(() => suite.open());
    after(() => suite.close());
    suite.defineAccountTests();
    suite.defineOrderTests();
    suite.defineChainTests();
  });
  describe(`${name}: login`, () => {
    test("answers UNAUTHORIZED until both stages of the login passed", async () => {
      const harness = await make({ ...SETTINGS, requiresLogin: true });
      try {
        await checkLogin(harness);
      } finally {
        await harness.close();
      }
    });
  });
}

class TradingSuite {
  readonly #make: () => Promise<BrokerageHarness>;
  #harness: BrokerageHarness | undefined;
  #accountNumber = "";
  #updates: OrderRecord[] = [];
  #stopListening: Cancel = () => {};
  #lastName = 0;

  constructor(make: () => Promise<BrokerageHarness>) {
    this.#make = make;
  }

  async open(): Promise<void> {
    this.#harness = await this.#make();
    this.#listen();
    await this.harness.fillPrice(SYMBOL, 100);
    const [account] = dataOf(await this.brokerage.accounts({ userId: USER }));
    assert.ok(account !== undefined);
    this.#accountNumber = account.accountNumber;
  }

  async close(): Promise<void> {
    await this.#harness?.close();
  }

  get harness(): BrokerageHarness {
    assert.ok(this.#harness !== undefined);
    return this.#harness;
  }

  get brokerage(): Brokerage {
    return this.harness.brokerage;
  }

  get #account(): { userId: number; accountNumber: string } {
    return { userId: USER, accountNumber: this.#accountNumber };
  }

  #listen(): void {
    this.#stopListening = this.brokerage.onUpdate((record) => this.#updates.push(record));
  }

  #order(fields: Partial<PlaceRequest>): PlaceRequest {
    this.#lastName += 1;
    return {
      ...this.#account,
      clientOrderId: `conformance-${this.#lastName}`,
      symbol: SYMBOL,
      quantity: 1,
      buySell: 1,
      orderType: (fields.price ?? 0) === 0 ? 1 : 2,
      price: 0,
      ...fields,
    };
  }

  async #find(orderNo: string): Promise<OrderRecord> {
    return dataOf(await this.brokerage.findOrder({ ...this.#account, orderNo }));
  }

  async #updateOf(orderNo: string, orderStatus: number): Promise<OrderRecord> {
    const isMeant = (record: OrderRecord): boolean => record.orderNo === orderNo && record.orderStatus === orderStatus;
    await waitFor(() => this.#updates.some(isMeant), `an update of ${orderNo} to status ${orderStatus}`);
    const record = this.#updates.find(isMeant);
    assert.ok(record !== undefined);
    return orderRecordSchema.parse(record);
  }

  async #position(symbol: string): Promise<{ quantity: number; availableQuantity: number }> {
    const positions = dataOf(await this.brokerage.positions({ ...this.#account, includeOrders: false }));
    return positions.find((position) => position.symbol === symbol) ?? { quantity: 0, availableQuantity: 0 };
  }

  defineAccountTests(): void {
    test("tells a user's accounts, and one of them is the default", async () => {
      const accounts = dataOf(await this.brokerage.accounts({ userId: USER }));
      assert.equal(accounts.filter((account) => account.isDefault).length, 1);
      assert.ok(accounts.every((account) => account.isActive));
      assert.notEqual(accounts[0]?.number, accounts[0]?.accountNumber);
    });

    test("another user's account and orders are NOT_FOUND", async () => {
      const placed = dataOf(await this.brokerage.place(this.#order({ price: 50 })));
      const stranger = { userId: OTHER_USER, accountNumber: this.#accountNumber };
      const { orderNo } = placed;
      refusalOf(await this.brokerage.positions({ ...stranger, includeOrders: true }), "NOT_FOUND");
      refusalOf(await this.brokerage.dailyOrders(stranger), "NOT_FOUND");
      refusalOf(await this.brokerage.findOrder({ ...stranger, orderNo }), "NOT_FOUND");
      refusalOf(await this.brokerage.cancel({ ...stranger, orderNo, symbol: SYMBOL }), "NOT_FOUND");
      refusalOf(await this.brokerage.place(this.#order(stranger)), "NOT_FOUND");
      const [own] = dataOf(await this.brokerage.accounts({ userId: OTHER_USER }));
      const elsewhere = { userId: OTHER_USER, accountNumber: own?.accountNumber ?? "" };
      refusalOf(await this.brokerage.findOrder({ ...elsewhere, orderNo }), "NOT_FOUND");
      assert.equal((await this.#find(orderNo)).orderStatus, 1);
    });

    test("positions carry their open orders when asked to", async () => {
      const { orderNo } = dataOf(await this.brokerage.place(this.#order({ price: 50 })));
      const positions = dataOf(await this.brokerage.positions({ ...this.#account, includeOrders: true }));
      for (const position of positions) positionRecordSchema.parse(position);
      const orders = positions.find((position) => position.symbol === SYMBOL)?.orders ?? [];
      assert.ok(orders.some((order) => order.orderNo === orderNo));
      const plain = dataOf(await this.brokerage.positions({ ...this.#account, includeOrders: false }));
      assert.ok(plain.every((position) => position.orders === undefined));
    });

    test("an order ended today and one still open are among the daily orders", async () => {
      const ended = dataOf(await this.brokerage.place(this.#order({})));
      const open = dataOf(await this.brokerage.place(this.#order({ price: 50 })));
      const records = dataOf(await this.brokerage.dailyOrders(this.#account));
      for (const record of records) orderRecordSchema.parse(record);
      assert.deepEqual(
        [ended, open].map(({ orderNo }) => records.find((record) => record.orderNo === orderNo)?.orderStatus),
        [2, 1],
      );
    });
  }

  defineOrderTests(): void {
    test("a market order fills at the last live price, and is told", async () => {
      await this.harness.fillPrice(SYMBOL, 101.5);
      const held = await this.#position(SYMBOL);
      const placed = dataOf(await this.brokerage.place(this.#order({ quantity: 3 })));
      const told = await this.#updateOf(placed.orderNo, 2);
      assert.deepEqual([told.filledQuantity, told.averagePrice], [3, 101.5]);
      assert.equal((await this.#position(SYMBOL)).quantity, held.quantity + 3);
      assert.deepEqual(await this.#find(placed.orderNo), told);
    });

    test("a market order of a symbol without a live price is rejected", async () => {
      refusalOf(await this.brokerage.place(this.#order({ symbol: UNPRICED_SYMBOL })), "REJECTED");
    });

    test("a limit order rests until the price crosses, and fills at the price that came", async () => {
      await this.harness.fillPrice(SYMBOL, 101);
      const placed = dataOf(await this.brokerage.place(this.#order({ price: 100.5 })));
      assert.equal(placed.orderStatus, 1);
      await this.harness.fillPrice(SYMBOL, 100.6);
      assert.equal((await this.#find(placed.orderNo)).orderStatus, 1);
      await this.harness.fillPrice(SYMBOL, 100.2);
      assert.equal((await this.#updateOf(placed.orderNo, 2)).averagePrice, 100.2);
    });

    test("what the account does not hold or cannot pay is rejected", async () => {
      await this.harness.fillPrice(SYMBOL, 100);
      const { availableQuantity } = await this.#position(SYMBOL);
      refusalOf(await this.brokerage.place(this.#order({ buySell: 2, quantity: availableQuantity + 1 })), "REJECTED");
      refusalOf(await this.brokerage.place(this.#order({ quantity: 1_000_000 })), "REJECTED");
      refusalOf(await this.brokerage.place(this.#order({ price: 100.05 })), "REJECTED");
    });

    test("a known clientOrderId gives the first answer again and makes no second order", async () => {
      const request = this.#order({ quantity: 2 });
      const first = await this.brokerage.place(request);
      const held = await this.#position(SYMBOL);
      assert.deepEqual(await this.brokerage.place(request), first);
      assert.deepEqual(await this.brokerage.place({ ...request, quantity: 5 }), first);
      assert.deepEqual(await this.#position(SYMBOL), held);
      const { accountNumber, clientOrderId } = request;
      const found = dataOf(await this.brokerage.findOrder({ userId: USER, accountNumber, clientOrderId }));
      assert.equal(found.orderNo, dataOf(first).orderNo);
    });

    test("a rejection is the answer for ever, even when the order would be good by now", async () => {
      const request = this.#order({ buySell: 2, quantity: 1_000 });
      const first = await this.brokerage.place(request);
      refusalOf(first, "REJECTED");
      assert.deepEqual(await this.brokerage.place({ ...request, quantity: 1 }), first);
    });

    test("an order that comes after its expiresAt is rejected", async () => {
      const late = this.#order({ expiresAt: "2001-01-01T00:00:00.000Z" });
      refusalOf(await this.brokerage.place(late), "REJECTED");
      dataOf(await this.brokerage.place(this.#order({ expiresAt: "2999-01-01T00:00:00.000Z" })));
    });

    test("an open order can be cancelled, a completed one cannot", async () => {
      await this.harness.fillPrice(SYMBOL, 100);
      const open = dataOf(await this.brokerage.place(this.#order({ buySell: 2, quantity: 5, price: 150 })));
      const { availableQuantity } = await this.#position(SYMBOL);
      const request = { ...this.#account, orderNo: open.orderNo, symbol: SYMBOL };
      assert.deepEqual(dataOf(await this.brokerage.cancel(request)), { orderNo: open.orderNo, orderStatus: 3 });
      await this.#updateOf(open.orderNo, 3);
      assert.equal((await this.#position(SYMBOL)).availableQuantity, availableQuantity + 5);
      const done = dataOf(await this.brokerage.place(this.#order({})));
      refusalOf(await this.brokerage.cancel({ ...request, orderNo: done.orderNo }), "REJECTED");
      refusalOf(await this.brokerage.cancel({ ...request, orderNo: "no-such-order" }), "NOT_FOUND");
    });

    test("an order that nobody named or numbered so is NOT_FOUND", async () => {
      refusalOf(await this.brokerage.findOrder({ ...this.#account, clientOrderId: "never-sent" }), "NOT_FOUND");
      refusalOf(await this.brokerage.findOrder({ ...this.#account, orderNo: "never-given" }), "NOT_FOUND");
    });

    test("a restart keeps answers, positions and resting orders", async () => {
      await this.harness.fillPrice(SYMBOL, 100);
      const request = this.#order({ price: 90 });
      const first = await this.brokerage.place(request);
      const held = await this.#position(SYMBOL);
      this.#stopListening();
      await this.harness.restart();
      this.#listen();
      assert.deepEqual(await this.brokerage.place(request), first);
      assert.deepEqual(await this.#position(SYMBOL), held);
      await this.harness.fillPrice(SYMBOL, 89.5);
      await this.#updateOf(dataOf(first).orderNo, 2);
    });
  }

  defineChainTests(): void {
    test("a chain order waits for its reference and is placed once that completes", async () => {
      await this.harness.fillPrice(SYMBOL, 100);
      const reference = dataOf(await this.brokerage.place(this.#order({ price: 95 })));
      const chained = dataOf(await this.brokerage.chain(this.#chain(reference.orderNo, { buySell: 2 })));
      assert.equal(chained.orderStatus, 0);
      await this.harness.fillPrice(SYMBOL, 94);
      assert.equal((await this.#updateOf(chained.orderNo, 2)).averagePrice, 94);
    });

    test("a chain order is cancelled with its reference", async () => {
      const reference = dataOf(await this.brokerage.place(this.#order({ price: 50 })));
      const chained = dataOf(await this.brokerage.chain(this.#chain(reference.orderNo, { buySell: 2 })));
      dataOf(await this.brokerage.cancel({ ...this.#account, orderNo: reference.orderNo, symbol: SYMBOL }));
      await this.#updateOf(chained.orderNo, 3);
    });

    test("a chain order whose reference is unknown is rejected", async () => {
      refusalOf(await this.brokerage.chain(this.#chain("no-such-order", {})), "REJECTED");
    });
  }

  #chain(referenceOrderNo: string, fields: Partial<PlaceRequest>): ChainRequest {
    return { ...this.#order(fields), referenceOrderNo };
  }
}

async function checkLogin(harness: BrokerageHarness): Promise<void> {
  const { brokerage } = harness;
  refusalOf(await brokerage.accounts({ userId: USER }), "UNAUTHORIZED");
  const accountNumber = `${brokerage.settings.code}-${USER}`;
  refusalOf(await brokerage.positions({ userId: USER, accountNumber, includeOrders: false }), "UNAUTHORIZED");
  const credentials = { userId: USER, username: "12345678901", password: "secret", accountNumber };
  refusalOf(await brokerage.login({ ...credentials, accountNumber: "not-mine" }), "REJECTED");

  const started = dataOf(await brokerage.login(credentials));
  assert.ok(started.otp === 1);
  await waitFor(() => harness.lastSmsCode() !== undefined, "a text message");
  const sms = harness.lastSmsCode() ?? "";
  const wrong = sms === "000000" ? "000001" : "000000";
  const { sessionId } = started;
  refusalOf(await brokerage.login({ ...credentials, sessionId, sms: wrong }), "REJECTED");
  assert.deepEqual(dataOf(await brokerage.login({ ...credentials, sessionId, sms })), { otp: 0, isLoggedIn: true });
  assert.equal(dataOf(await brokerage.accounts({ userId: USER }))[0]?.accountNumber, accountNumber);
}

function dataOf<Data>(reply: BrokerReply<Data>): Data {
  assert.ok(reply.ok, reply.ok ? "" : `${reply.code}: ${reply.message}`);
  return reply.data;
}

function refusalOf(reply: BrokerReply<unknown>, code: BrokerFailureCode): void {
  assert.ok(!reply.ok, `a yes where ${code} was expected`);
  assert.equal(reply.code, code, reply.message);
}

async function waitFor(isTrue: () => boolean, what: string): Promise<void> {
  for (let round = 0; !isTrue(); round += 1) {
    assert.ok(round < WAIT_ROUNDS_MAX, `${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}
