/**
 * The four promises of `resend` against a brokerage that loses and delays, with the engine killed in between: exactly
 * one order for every row if the promise allows it; otherwise never two, and a person is called.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Fate, LossyBrokerage, type LossyPromise } from "../../support/brokerage/lossy-brokerage.ts";
import { type OcoRow, randomOf } from "../../support/client/engine-client.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../../support/world/engine-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const KILLS = 6;
const PROMISES: readonly LossyPromise[] = ["idempotent", "expiry", "query", "none"];
/** The brokerage refuses orders of the last account for good. */
const ACCOUNTS = ["A1", "A2", "A3", "A4", "A5", "REFUSED"];
const SYMBOLS = ["THYAO", "GARAN"];
const ROWS_A_GROUP = 3;
const TIMEOUT_MS = 300;
/**
 * How late a brokerage accepts an order. With `query` it promises at most `SETTLE_MS`; the difference is how long this
 * process can be frozen on a busy machine while the engine runs.
 */
const LATE_MS = 500;
const SETTLE_MS = 6_500;
const EXPIRY_MS = 1_000;
/** The first reaches nothing, then each take-profit, and at last the stop-loss. */
const PRICES = [105, 111, 121, 100, 89];
const SETTLE_ROUNDS_MAX = 600;
const SETTLE_ROUND_MS = 400;

const codeOf = (promise: LossyPromise): string => promise.toUpperCase();

const brokerages = PROMISES.map((promise) => ({
  ...{ code: codeOf(promise), name: promise, adapter: "gateway", resend: promise, ordersPerMinute: 100_000 },
  ...{ timeoutMs: TIMEOUT_MS, settleMs: SETTLE_MS, expiryMs: EXPIRY_MS },
}));

const TROUBLES: readonly Fate[] = ["loseRequest", "loseReply", "answerLate", "acceptLate", "unavailable"];

/** An engine and four brokerages. */
class LossyWorld {
  readonly world: EngineWorld;
  readonly brokerages = new Map<LossyPromise, LossyBrokerage>();
  /** The names of the orders for which a person was called. */
  readonly quarantined = new Set<string>();
  readonly random = randomOf(20_261_122);

  private constructor(world: EngineWorld) {
    this.world = world;
    for (const promise of PROMISES) {
      const troubles = [...TROUBLES];
      const lossy = new LossyBrokerage(world.nats, {
        ...{ code: codeOf(promise), promise, accounts: ACCOUNTS, lateMs: LATE_MS },
        fate: ({ accountNumber }, attempt) => this.#fate(troubles, accountNumber, attempt),
        answersLookUp: () => this.random() > 0.2,
      });
      this.brokerages.set(promise, lossy);
    }
    world.nats.subscribe("events.*.order.quarantined", {
      callback: (_, message) => {
        this.quarantined.add(message.json<{ order: { clientOrderId: string } }>().order.clientOrderId);
      },
    });
  }

  static async open(): Promise<LossyWorld> {
    const lossy = new LossyWorld(await EngineWorld.open({ brokerages }));
    await lossy.world.startEngine();
    return lossy;
  }

  async close(): Promise<void> {
    for (const lossy of this.brokerages.values()) lossy.stop();
    await this.world.close();
  }

  brokerage(promise: LossyPromise): LossyBrokerage {
    const found = this.brokerages.get(promise);
    assert.ok(found !== undefined);
    return found;
  }

  /** Returns the number of orders at each brokerage. */
  bookSizes(): number[] {
    return PROMISES.map((promise) => this.brokerage(promise).orders.length);
  }

  async rows(promise: LossyPromise): Promise<OcoRow[]> {
    const lists = ACCOUNTS.map((accountNumber) => this.world.client.rows(codeOf(promise), accountNumber));
    return (await Promise.all(lists)).flat();
  }

  /** The orders that exist for a row. */
  ordersOf(promise: LossyPromise, row: OcoRow): number {
    return this.brokerage(promise).orders.filter(({ clientOrderId }) => clientOrderId.endsWith(`-r${row.id}`)).length;
  }

  /** Whether a person was called. A refused stop-loss may have been sent again under its own name (behaviour 4.5b). */
  isQuarantined({ id }: OcoRow): boolean {
    const names = [`-r${id}`, `-r${id}-${id}`];
    return [...this.quarantined].some((clientOrderId) => names.some((name) => clientOrderId.endsWith(name)));
  }

  /** Each trouble once, then chance: at most first requests, ever less at later ones, so that every order is settled. */
  #fate(troubles: Fate[], accountNumber: string, attempt: number): Fate {
    if (accountNumber === "REFUSED") return "reject";
    const [trouble] = troubles.splice(0, 1);
    if (trouble !== undefined) return trouble;
    if (this.random() > 0.6 / attempt) return "accept";
    return TROUBLES[Math.floor(this.random() * TROUBLES.length)] ?? "accept";
  }
}

async function createGroups({ world }: LossyWorld): Promise<void> {
  for (const promise of PROMISES) {
    for (const accountNumber of ACCOUNTS) {
      for (const symbol of SYMBOLS) {
        const group = groupOf(codeOf(promise), accountNumber, symbol);
        const made = await world.client.createGroup(group, `${promise}-${accountNumber}-${symbol}`);
        assert.ok("groupId" in made, JSON.stringify(made));
      }
    }
  }
}

/** Every row that is not Active, or that a person was called for; and nothing on its way at a brokerage. */
async function untilSettled(world: LossyWorld): Promise<ReadonlyMap<LossyPromise, readonly OcoRow[]>> {
  for (let round = 0; round < SETTLE_ROUNDS_MAX; round += 1) {
    const rows = new Map<LossyPromise, readonly OcoRow[]>();
    for (const promise of PROMISES) rows.set(promise, await world.rows(promise));
    const isSettled = [...rows.values()].flat().every((row) => row.status !== 1 || world.isQuarantined(row));
    if (isSettled && [...world.brokerages.values()].every((lossy) => !lossy.isBusy)) return rows;
    await pause(SETTLE_ROUND_MS);
  }
  const rows = (await Promise.all(PROMISES.map((promise) => world.rows(promise)))).flat();
  const open = rows.filter((row) => row.status === 1 && !world.isQuarantined(row));
  return assert.fail(`${open.length} rows were never settled, e.g. ${JSON.stringify(open[0])}`);
}

natsSuite("a brokerage that loses and delays", () => {
  let lossy: LossyWorld;
  let rows: ReadonlyMap<LossyPromise, readonly OcoRow[]> = new Map();

  before(async () => {
    lossy = await LossyWorld.open();
    const { world, random } = lossy;
    await createGroups(lossy);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const price = PRICES[kill];
      if (price !== undefined) for (const symbol of SYMBOLS) await world.tick(symbol, price);
      await pause(50 + random() * 600);
      await world.restartEngine();
    }
    rows = await untilSettled(lossy);
  });
  after(() => lossy.close());

  for (const promise of PROMISES) {
    test(`${promise}: a row whose order was refused failed and has none`, () => {
      const refused = (rows.get(promise) ?? []).filter((row) => row.accountNumber === "REFUSED");
      assert.equal(refused.length, SYMBOLS.length * ROWS_A_GROUP);
      for (const row of refused) {
        const isFailed = row.status === 3 || (promise === "none" && lossy.isQuarantined(row));
        assert.ok(isFailed, JSON.stringify(row));
        assert.equal(lossy.ordersOf(promise, row), 0);
      }
    });
  }

  for (const promise of PROMISES.filter((one) => one !== "none")) {
    test(`${promise}: every reached row was sold once, whatever was lost and whoever was killed`, () => {
      const reached = (rows.get(promise) ?? []).filter((row) => row.accountNumber !== "REFUSED");
      assert.equal(reached.length, (ACCOUNTS.length - 1) * SYMBOLS.length * ROWS_A_GROUP);
      for (const row of reached) {
        assert.equal(row.status, 2, JSON.stringify(row));
        assert.equal(lossy.ordersOf(promise, row), 1, JSON.stringify(row));
      }
      assert.equal(lossy.brokerage(promise).orders.length, reached.length);
      const { fateCounts } = lossy.brokerage(promise);
      for (const trouble of TROUBLES) assert.ok((fateCounts.get(trouble) ?? 0) > 0, `${trouble} did not happen`);
    });
  }

  test("none: no row was sold twice, and for every one that may have been a person was called", () => {
    const reached = (rows.get("none") ?? []).filter((row) => row.accountNumber !== "REFUSED");
    for (const row of reached) {
      const orders = lossy.ordersOf("none", row);
      if (row.status === 2) assert.equal(orders, 1, JSON.stringify(row));
      else assert.ok(row.status === 1 && orders <= 1 && lossy.isQuarantined(row), JSON.stringify(row));
    }
    assert.ok(reached.some(({ status }) => status === 1));
    assert.ok(reached.some(({ status }) => status === 2));
  });

  test("what is settled stays settled over another kill", async () => {
    const sizes = lossy.bookSizes();
    const { size } = lossy.quarantined;
    await lossy.world.restartEngine();
    await pause(SETTLE_MS + 2 * TIMEOUT_MS);
    assert.deepEqual(lossy.bookSizes(), sizes);
    assert.equal(lossy.quarantined.size, size);
    assert.deepEqual(await lossy.rows("query"), rows.get("query"));
  });

  test("updates of unknown orders, repeated and late ones do no harm", async () => {
    const brokerage = lossy.brokerage("idempotent");
    const { client } = lossy.world;
    const buy = brokerage.add(
      {
        ...{ accountNumber: "A1", clientOrderId: "by-hand", symbol: "ASELS", quantity: 5 },
        buySell: 1,
        orderType: 1,
        price: 0,
      },
      1,
    );
    const body = {
      ...{ brokerageCode: "IDEMPOTENT", accountNumber: "A1", brokerOrderNo: buy.orderNo, symbol: "ASELS" },
      ...{ stopLossQuantity: 5, stopLossPercent: 5, takeProfitItems: [{ percent: 5, quantity: 5 }] },
    };
    const registered = await client.command("setup.register", body, "setup");
    assert.equal(registered.ok, true, JSON.stringify(registered));
    const opened = { ...buy };
    const [before] = lossy.bookSizes();
    for (const nonsense of ["", "{", "[]", "null", JSON.stringify({ ...opened, orderStatus: "done" })])
      brokerage.tell(nonsense);
    const filled = { orderStatus: 2, filledQuantity: 5, averagePrice: 100 };
    brokerage.tell({ ...opened, ...filled, orderNo: "nobody-knows-it" });
    brokerage.tell({ ...opened, ...filled, accountNumber: "A2" });
    const groups = async (): Promise<OcoRow[]> =>
      (await client.rows("IDEMPOTENT", "A1")).filter(({ symbol }) => symbol === "ASELS");
    await pause(SETTLE_ROUND_MS);
    assert.deepEqual(await groups(), []);
    Object.assign(buy, filled);
    for (let count = 0; count < 5; count += 1) brokerage.tell(buy);
    const made = await until(groups, (found) => found.length > 0);
    brokerage.tell(opened);
    brokerage.tell({ ...opened, orderStatus: 3 });
    brokerage.tell(buy);
    await pause(SETTLE_ROUND_MS);
    assert.deepEqual(await groups(), made);
    assert.deepEqual(
      made.map(({ price, status }) => [price, status]),
      [
        [95, 1],
        [105, 1],
      ],
    );
    assert.equal(lossy.bookSizes()[0], before);
  });
});
