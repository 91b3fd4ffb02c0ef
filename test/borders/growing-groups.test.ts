/** The group of an entry whose engine is killed between fills of the buy: no lot is lost or counted twice (24.7, 24.8). */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { SetupView } from "../../src/contract/trading/setup.ts";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { stoppingAt, stopText, temporaryFolder } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "PARTS";
const PLACE = { brokerageCode: CODE, accountNumber: "A1" };
const LOTS = 100;
const ACTIVE = 1;

natsSuite("the group of an entry beside kill -9 of its engine", () => {
  let world: ScriptedWorld;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let stopFile: string;

  before(async () => {
    folder = await temporaryFolder();
    stopFile = join(folder.path, "stop");
    const answer = (ask: Parameters<ScriptedWorld["connector"]["accept"]>[0]) =>
      ask.buySell === 1 ? world.connector.accept(ask, 1, 0) : world.connector.accept(ask, 2, ask.quantity);
    const settings = { timeoutMs: 300, settleMs: 1_000 };
    world = await ScriptedWorld.start(CODE, settings, answer, stoppingAt("log", stopFile));
    world.connector.takesCancels = true;
  });
  after(async () => {
    await world.close();
    await folder.remove();
  });

  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];

  const kill = () => world.engines.engine.end("SIGKILL");

  /** A limit buy of 100 lots at 100 with a stop-loss at 90 and two take-profits; returns the buy. */
  async function enter(symbol: string): Promise<Order> {
    await world.engines.tick(symbol, 101);
    const body = {
      ...{ ...PLACE, symbol, stopLossPercent: 10 },
      entry: { orderType: 2, price: 100, quantity: LOTS },
      takeProfitItems: [
        { percent: 50, quantityPercent: 60 },
        { percent: 60, quantityPercent: 40 },
      ],
    };
    const reply = await world.engines.client.command("setup.enter", body, `enter-${symbol}`);
    assert.ok(reply.ok, JSON.stringify(reply));
    return world.ordersOf(symbol)[0] ?? assert.fail("the buy was sent");
  }

  /** The brokerage has filled so many lots of the buy in all, and reports it unless the report is lost. */
  function fill(buy: Order, filledQuantity: number, isLost = false): void {
    const change = { filledQuantity, averagePrice: 100, orderStatus: filledQuantity === LOTS ? 2 : 1 };
    if (isLost) Object.assign(buy, change);
    else world.tell(buy, change);
  }

  /** Fills, and kills the engine right before the batch of that fill is written, or right after it is durable. */
  async function fillAndKill(buy: Order, lots: number, at: "written" | "durable"): Promise<void> {
    writeFileSync(stopFile, stopText(at, `"bought":${lots},`));
    fill(buy, lots);
    const isAtBatch = await until(
      async () => !existsSync(stopFile),
      (isGone) => isGone,
    );
    assert.ok(isAtBatch, `the engine stopped at the batch of ${lots} lots: ${world.engines.engine.output()}`);
    await kill();
  }

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await world.engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);

  /** One stop-loss protects the filled lots, and the take-profits sell no more than them. */
  async function untilProtected(symbol: string, lots: number): Promise<void> {
    const lotsOf = async () => {
      const rows = (await rowsOf(symbol)).filter(({ status }) => status === ACTIVE);
      const [stops, takes] = [2, 1].map((type) => rows.filter(({ orderType }) => orderType === type));
      const taken = takes?.reduce((sum, { quantity }) => sum + quantity, 0);
      return JSON.stringify([stops?.map(({ quantity }) => quantity), taken]);
    };
    const expected = JSON.stringify([[lots], lots]);
    assert.equal(await until(lotsOf, (shown) => shown === expected), expected);
  }

  async function pendingOf(symbol: string): Promise<SetupView | undefined> {
    const setups = await world.engines.client.records<SetupView>("setup.list", PLACE);
    return setups.find((setup) => setup.symbol === symbol);
  }

  const sellsOf = (symbol: string): number[] =>
    world
      .ordersOf(symbol)
      .filter(({ buySell }) => buySell === 2)
      .map(({ quantity }) => quantity);

  async function untilSold(symbol: string, expected: readonly number[]): Promise<void> {
    await until(
      async () => sellsOf(symbol).length,
      (count) => count >= expected.length,
    );
    assert.deepEqual(sellsOf(symbol), expected);
  }

  /** After one more kill nothing else is sold: the engine repeats what it would before it answers. */
  async function staysSold(symbol: string, expected: readonly number[]): Promise<void> {
    await world.engines.restartEngine();
    await world.engines.tick(symbol, 88);
    const [stopLoss, ...others] = await rowsOf(symbol);
    assert.deepEqual(sellsOf(symbol), expected);
    const lots = expected.reduce((sum, quantity) => sum + quantity, 0);
    assert.deepEqual([stopLoss?.status, stopLoss?.quantity], [2, lots]);
    assert.ok(others.every(({ status }) => status !== ACTIVE));
  }

  test("grows to the filled lots wherever a kill comes, and its stop-loss sells exactly them", async () => {
    const symbol = "THYAO";
    const buy = await enter(symbol);
    await fillAndKill(buy, 10, "written");
    await world.engines.startEngine();
    await untilProtected(symbol, 10);
    const { groupId } = (await pendingOf(symbol))?.entry ?? {};
    assert.equal(typeof groupId, "number");

    // Between two fills.
    fill(buy, 20);
    await untilProtected(symbol, 20);
    await world.engines.restartEngine();
    await untilProtected(symbol, 20);

    await fillAndKill(buy, 35, "written");
    await world.engines.startEngine();
    await untilProtected(symbol, 35);

    await fillAndKill(buy, 50, "durable");
    // A fill that no engine received.
    fill(buy, 60, true);
    await world.engines.startEngine();
    await untilProtected(symbol, 60);

    await fillAndKill(buy, 75, "durable");
    await world.engines.startEngine();
    // Reports that come twice, or late, bring no lots.
    for (const filledQuantity of [75, 50, 10]) {
      world.engines.nats.publish(`broker.${CODE}.updates`, JSON.stringify({ ...buy, filledQuantity }));
    }
    await untilProtected(symbol, 75);

    const group = await rowsOf(symbol);
    assert.equal(new Set(group.map(({ groupId }) => groupId)).size, 1);
    const pending = await pendingOf(symbol);
    assert.deepEqual([pending?.entry?.groupId, pending?.entry?.filledQuantity], [groupId, 75]);
    await world.engines.tick(symbol, 89);
    await untilSold(symbol, [75]);
    await staysSold(symbol, [75]);
    assert.deepEqual([buy.orderStatus, world.ordersOf(symbol).length], [3, 2], "the rest of the buy is cancelled");
  });

  test("of a buy that is filled whole before its kill is sold once, whole", async () => {
    const symbol = "GARAN";
    const buy = await enter(symbol);
    fill(buy, 40);
    await untilProtected(symbol, 40);
    await fillAndKill(buy, LOTS, "written");
    await world.engines.startEngine();
    await untilProtected(symbol, LOTS);
    await world.untilTold(symbol, "setup.converted");
    await world.engines.tick(symbol, 89);
    await untilSold(symbol, [LOTS]);
    await staysSold(symbol, [LOTS]);
  });

  test("sells lots that a fill adds while no engine runs and the price falls under its stop-loss", async () => {
    const symbol = "AKBNK";
    const buy = await enter(symbol);
    fill(buy, 40);
    await untilProtected(symbol, 40);
    await kill();
    fill(buy, 60, true);
    await world.engines.tick(symbol, 89);
    await world.engines.startEngine();
    const sum = () => sellsOf(symbol).reduce((lots, quantity) => lots + quantity, 0);
    await until(
      async () => sum(),
      (lots) => lots >= 60,
    );
    await staysSold(symbol, sellsOf(symbol));
    assert.equal(sum(), 60);
  });

  test("sells lots that are filled after its stop-loss fired once, over a kill before their batch", async () => {
    const symbol = "SISE";
    world.connector.takesCancels = false;
    const buy = await enter(symbol);
    fill(buy, 40);
    await untilProtected(symbol, 40);
    await world.engines.tick(symbol, 89);
    await untilSold(symbol, [40]);
    await fillAndKill(buy, 55, "written");
    await world.engines.startEngine();
    await untilSold(symbol, [40, 15]);
    await world.untilTold(symbol, "oco.lateFill");
    await staysSold(symbol, [40, 15]);
  });
});
