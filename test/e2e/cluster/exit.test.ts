/** A leader is killed while an exit is sold in parts at the lower limit: the next one sells exactly the rest (14). */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import type { LedgerRowView } from "../../../src/contract/trading/ledger.ts";
import { LimitDownConnector } from "../../support/brokerage/limit-down-connector.ts";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { stoppingAt, stopText } from "../../support/machine/process.ts";
import { ACCOUNTS, FailoverWorld } from "../../support/world/failover-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const ENGINES = ["a", "b"];
const ACCOUNT = "A1";
/** The lots of a group, and of each position. */
const LOTS = 10;
const SOLD_FIRST = 4;

clusterSuite("a leader that is killed while a stop-loss is sold in parts at the lower limit", () => {
  const market = new LimitDownConnector(ACCOUNTS, LOTS);
  let world: FailoverWorld;
  const stopFile = (engine: string): string => join(world.folder, `stop-${engine}`);
  const start = (engine: string): Promise<unknown> => world.startEngine(engine, stoppingAt("log", stopFile(engine)));

  before(async () => {
    world = await FailoverWorld.open({ connector: market });
    for (const engine of ENGINES) await start(engine);
    await world.untilLed();
  });
  afterEach(async () => {
    for (const engine of ENGINES) if (world.engine(engine).hasEnded()) await start(engine);
  });
  after(() => world.close());

  /** A stop-loss fires, and the market buys only a part of its lots. */
  async function fire(symbol: string): Promise<void> {
    market.bid(symbol, SOLD_FIRST);
    await world.tick(symbol, 100);
    await world.create(symbol);
    await world.tick(symbol, 89);
  }

  /**
   * The newest order of the exit waits at the floor with the rest. A new leader may not know the floor yet: its first
   * order then is a market order, which ends without a bid. Returns the number of orders.
   */
  async function untilAtFloor(symbol: string): Promise<number> {
    const newest = await until(
      async () => world.ordersOf(symbol).at(-1),
      (order) => order?.price === 81,
    );
    assert.deepEqual([newest?.quantity, newest?.price, newest?.orderStatus], [LOTS - SOLD_FIRST, 81, 1]);
    const [first, ...further] = world.ordersOf(symbol);
    assert.equal(first?.filledQuantity, SOLD_FIRST);
    assert.ok(
      further.slice(0, -1).every(({ filledQuantity, orderStatus }) => filledQuantity === 0 && orderStatus === 3),
    );
    return 1 + further.length;
  }

  async function kill(): Promise<string> {
    const leader = await world.untilLed();
    await world.engine(leader).end("SIGKILL");
    return leader;
  }

  async function exitOf(symbol: string): Promise<{ readonly state: string; readonly soldQuantity: number }> {
    const rows = await world.client.rows("FAR", ACCOUNT);
    const id = rows.find((row) => row.symbol === symbol)?.id;
    const answer = await world.client.query("oco.plan", { id });
    return (answer.data as { exit: { state: string; soldQuantity: number } }).exit;
  }

  /** All lots are sold, once; the engine, its sell ledger and the position agree. */
  async function isSoldOnce(symbol: string): Promise<void> {
    const exit = await until(
      () => exitOf(symbol),
      ({ state }) => state === "sold",
    );
    assert.deepEqual([exit.state, exit.soldQuantity], ["sold", LOTS]);
    assert.equal(market.soldOf(symbol), LOTS);
    assert.deepEqual(world.doubled(), []);
    const place = { brokerageCode: "FAR", accountNumber: ACCOUNT };
    const answer = await world.client.query("accounts.sellLedger", place);
    const row = (answer.data as LedgerRowView[]).find((one) => one.symbol === symbol);
    assert.deepEqual([row?.held, row?.openSells, row?.committed.groups, row?.worstCase], [0, 0, 0, 0]);
    await world.tick(symbol, 85);
    await pause(500);
    assert.equal(market.soldOf(symbol), LOTS, "a later price sells nothing");
  }

  test("the order at the floor is open: the next leader waits for it and sends no other", async () => {
    await fire("THYAO");
    assert.equal(await untilAtFloor("THYAO"), 2);
    const killed = await kill();
    await world.untilLed(killed);
    await pause(1_500);
    assert.equal(world.ordersOf("THYAO").length, 2);
    market.bid("THYAO", LOTS);
    await isSoldOnce("THYAO");
    assert.equal(world.ordersOf("THYAO").length, 2);
  });

  test("the order at the floor ends partly sold while no engine leads: the next leader sells exactly the rest", async () => {
    await fire("GARAN");
    assert.equal(await untilAtFloor("GARAN"), 2);
    const killed = await kill();
    market.bid("GARAN", 1);
    market.close("GARAN");
    await world.untilLed(killed);
    await world.untilOrders("GARAN", 3);
    assert.equal(world.ordersOf("GARAN")[2]?.quantity, LOTS - SOLD_FIRST - 1);
    market.bid("GARAN", LOTS);
    await isSoldOnce("GARAN");
  });

  for (const at of ["written", "durable"] as const) {
    const symbol = at === "written" ? "AKBNK" : "ASELS";
    test(`the batch with the second order is ${at}: the next leader sends it once`, async () => {
      for (const engine of ENGINES) writeFileSync(stopFile(engine), stopText(at, '-n2"'));
      await fire(symbol);
      const stopped = await until(
        async () => ENGINES.find((engine) => !existsSync(stopFile(engine))),
        (engine) => engine !== undefined,
      );
      for (const engine of ENGINES) rmSync(stopFile(engine), { force: true });
      assert.ok(stopped !== undefined, "the leader stopped at the batch");
      assert.equal(world.ordersOf(symbol).length, 1, "the second order has not left");
      await world.engine(stopped).end("SIGKILL");
      await world.untilLed(stopped);
      const count = await untilAtFloor(symbol);
      assert.ok(count <= 3, `${count} orders`);
      market.bid(symbol, LOTS);
      await isSoldOnce(symbol);
      assert.equal(world.ordersOf(symbol).length, count);
    });
  }
});
