/**
 * The four promises of `resend` against a brokerage that loses and delays, with the engine killed in between: exactly
 * one order for every row where that can be had; where it cannot, never two, and a person is called.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "nats";
import { EngineClient, type OcoRow, randomOf } from "../support/engine-client.ts";
import { type Fate, LossyBrokerage, type LossyPromise } from "../support/lossy-brokerage.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../support/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../support/process.ts";
import { pause, until } from "../support/stack.ts";

const USER = 7;
const KILLS = 6;
const PROMISES: readonly LossyPromise[] = ["idempotent", "expiry", "query", "none"];
/** Orders of the last one are refused for good. */
const ACCOUNTS = ["A1", "A2", "A3", "A4", "A5", "REFUSED"];
const SYMBOLS = ["THYAO", "GARAN"];
const ROWS_A_GROUP = 3;
const TIMEOUT_MS = 300;
/** How late an order may be accepted: less than `SETTLE_MS`, which is what a brokerage promises with `query`. */
const LATE_MS = 500;
const SETTLE_MS = 1_200;
const EXPIRY_MS = 1_000;
/** The first reaches nothing, then each take-profit, and at last the stop-loss. */
const PRICES = [105, 111, 121, 100, 89];
const SETTLE_ROUNDS_MAX = 150;
const SETTLE_ROUND_MS = 400;

const codeOf = (promise: LossyPromise): string => promise.toUpperCase();

const brokerages = PROMISES.map((promise) => ({
  ...{ code: codeOf(promise), name: promise, adapter: "gateway", resend: promise, ordersPerMinute: 100_000 },
  ...{ timeoutMs: TIMEOUT_MS, settleMs: SETTLE_MS, expiryMs: EXPIRY_MS },
}));

const TROUBLES: readonly Fate[] = ["loseRequest", "loseReply", "answerLate", "acceptLate", "unavailable"];

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

/** Engine, server and four brokerages. */
class LossyWorld {
  readonly #folder: Folder;
  readonly #server: NatsServer;
  readonly nats: NatsConnection;
  readonly client: EngineClient;
  readonly brokerages = new Map<LossyPromise, LossyBrokerage>();
  /** The names of the orders for which a person was called. */
  readonly quarantined = new Set<string>();
  readonly random = randomOf(20_261_122);
  #engine: Program | undefined;

  private constructor(folder: Folder, server: NatsServer, nats: NatsConnection) {
    this.#folder = folder;
    this.#server = server;
    this.nats = nats;
    this.client = new EngineClient(nats, USER);
    for (const promise of PROMISES) {
      const lossy = new LossyBrokerage(nats, {
        ...{ code: codeOf(promise), promise, accounts: ACCOUNTS, lateMs: LATE_MS },
        fate: ({ accountNumber }, attempt) => this.#fate(accountNumber, attempt),
        answersLookUp: () => this.random() > 0.2,
      });
      this.brokerages.set(promise, lossy);
    }
    nats.subscribe("events.*.order.quarantined", {
      callback: (_, message) => {
        this.quarantined.add(message.json<{ order: { clientOrderId: string } }>().order.clientOrderId);
      },
    });
  }

  static async open(): Promise<LossyWorld> {
    const folder = await temporaryFolder();
    await writeFile(join(folder.path, "brokerages.json"), JSON.stringify(brokerages));
    const server = await startNatsServer({ jetStream: true });
    const world = new LossyWorld(folder, server, await connect({ servers: server.url }));
    await world.startEngine();
    return world;
  }

  async startEngine(): Promise<void> {
    const environment = {
      NATS_URL: this.#server.url,
      BROKERAGES_FILE: join(this.#folder.path, "brokerages.json"),
      DATA_DIR: join(this.#folder.path, "data"),
    };
    this.#engine = await startProgram("engine/main.ts", environment, /engine is ready/);
  }

  async restartEngine(): Promise<void> {
    await this.#engine?.end("SIGKILL");
    await this.startEngine();
  }

  async close(): Promise<void> {
    for (const lossy of this.brokerages.values()) lossy.stop();
    await this.nats.close();
    await this.#engine?.end("SIGKILL");
    await this.#server.stop();
    await this.#folder.remove();
  }

  brokerage(promise: LossyPromise): LossyBrokerage {
    const found = this.brokerages.get(promise);
    assert.ok(found !== undefined);
    return found;
  }

  /** How many orders exist at each brokerage. */
  bookSizes(): number[] {
    return PROMISES.map((promise) => this.brokerage(promise).book.length);
  }

  async tick(symbol: string, price: number): Promise<void> {
    this.nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
    await this.nats.flush();
  }

  async rows(promise: LossyPromise): Promise<OcoRow[]> {
    const lists = ACCOUNTS.map((accountNumber) => this.client.rows(codeOf(promise), accountNumber));
    return (await Promise.all(lists)).flat();
  }

  /** The orders that exist for a row. */
  ordersOf(promise: LossyPromise, row: OcoRow): number {
    return this.brokerage(promise).book.filter(({ clientOrderId }) => clientOrderId.endsWith(`-r${row.id}`)).length;
  }

  isQuarantined(row: OcoRow): boolean {
    return [...this.quarantined].some((clientOrderId) => clientOrderId.endsWith(`-r${row.id}`));
  }

  /** Trouble at most first requests, ever less at later ones, so that every order is settled in the end. */
  #fate(accountNumber: string, attempt: number): Fate {
    if (accountNumber === "REFUSED") return "reject";
    if (this.random() > 0.6 / attempt) return "accept";
    return TROUBLES[Math.floor(this.random() * TROUBLES.length)] ?? "accept";
  }
}

async function createGroups({ client }: LossyWorld): Promise<void> {
  for (const promise of PROMISES) {
    for (const accountNumber of ACCOUNTS) {
      for (const symbol of SYMBOLS) {
        const body = {
          ...{ brokerageCode: codeOf(promise), accountNumber, symbol, stopLossPrice: 90, stopLossQuantity: 10 },
          takeProfitItems: [
            { price: 110, quantity: 3 },
            { price: 120, quantity: 4 },
          ],
        };
        const made = await client.createGroup(body, `${promise}-${accountNumber}-${symbol}`);
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
  let world: LossyWorld;
  let rows: ReadonlyMap<LossyPromise, readonly OcoRow[]> = new Map();

  before(async () => {
    world = await LossyWorld.open();
    await createGroups(world);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const price = PRICES[kill];
      if (price !== undefined) for (const symbol of SYMBOLS) await world.tick(symbol, price);
      await pause(50 + world.random() * 600);
      await world.restartEngine();
    }
    rows = await untilSettled(world);
  });
  after(() => world.close());

  for (const promise of PROMISES) {
    test(`${promise}: a row whose order was refused failed and has none`, () => {
      const refused = (rows.get(promise) ?? []).filter((row) => row.accountNumber === "REFUSED");
      assert.equal(refused.length, SYMBOLS.length * ROWS_A_GROUP);
      for (const row of refused) {
        const isFailed = row.status === 3 || (promise === "none" && world.isQuarantined(row));
        assert.ok(isFailed, JSON.stringify(row));
        assert.equal(world.ordersOf(promise, row), 0);
      }
    });
  }

  for (const promise of PROMISES.filter((one) => one !== "none")) {
    test(`${promise}: every reached row was sold once, whatever was lost and whoever was killed`, () => {
      const reached = (rows.get(promise) ?? []).filter((row) => row.accountNumber !== "REFUSED");
      assert.equal(reached.length, (ACCOUNTS.length - 1) * SYMBOLS.length * ROWS_A_GROUP);
      for (const row of reached) {
        assert.equal(row.status, 2, JSON.stringify(row));
        assert.equal(world.ordersOf(promise, row), 1, JSON.stringify(row));
      }
      assert.equal(world.brokerage(promise).book.length, reached.length);
      const { fateCounts } = world.brokerage(promise);
      for (const trouble of TROUBLES) assert.ok((fateCounts.get(trouble) ?? 0) > 0, `${trouble} did not happen`);
    });
  }

  test("none: no row was sold twice, and for every one that may have been a person was called", () => {
    const reached = (rows.get("none") ?? []).filter((row) => row.accountNumber !== "REFUSED");
    for (const row of reached) {
      const orders = world.ordersOf("none", row);
      if (row.status === 2) assert.equal(orders, 1, JSON.stringify(row));
      else assert.ok(row.status === 1 && orders <= 1 && world.isQuarantined(row), JSON.stringify(row));
    }
    assert.ok(reached.some(({ status }) => status === 1));
    assert.ok(reached.some(({ status }) => status === 2));
  });

  test("what is settled stays settled over another kill", async () => {
    const sizes = world.bookSizes();
    const { size } = world.quarantined;
    await world.restartEngine();
    await pause(SETTLE_MS + 2 * TIMEOUT_MS);
    assert.deepEqual(world.bookSizes(), sizes);
    assert.equal(world.quarantined.size, size);
    assert.deepEqual(await world.rows("query"), rows.get("query"));
  });

  test("updates of unknown orders, repeated and late ones do no harm", async () => {
    const lossy = world.brokerage("idempotent");
    const buy = lossy.add(
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
    const registered = await world.client.command("setup.register", body, "setup");
    assert.equal(registered.ok, true, JSON.stringify(registered));
    const opened = { ...buy };
    const [before] = world.bookSizes();
    for (const nonsense of ["", "{", "[]", "null", JSON.stringify({ ...opened, orderStatus: "done" })])
      lossy.tell(nonsense);
    const filled = { orderStatus: 2, filledQuantity: 5, averagePrice: 100 };
    lossy.tell({ ...opened, ...filled, orderNo: "nobody-knows-it" });
    lossy.tell({ ...opened, ...filled, accountNumber: "A2" });
    const groups = async (): Promise<OcoRow[]> =>
      (await world.client.rows("IDEMPOTENT", "A1")).filter(({ symbol }) => symbol === "ASELS");
    await pause(SETTLE_ROUND_MS);
    assert.deepEqual(await groups(), []);
    Object.assign(buy, filled);
    for (let count = 0; count < 5; count += 1) lossy.tell(buy);
    const made = await until(groups, (found) => found.length > 0);
    lossy.tell(opened);
    lossy.tell({ ...opened, orderStatus: 3 });
    lossy.tell(buy);
    await pause(SETTLE_ROUND_MS);
    assert.deepEqual(await groups(), made);
    assert.deepEqual(
      made.map(({ price, status }) => [price, status]),
      [
        [95, 1],
        [105, 1],
      ],
    );
    assert.equal(world.bookSizes()[0], before);
  });
});
