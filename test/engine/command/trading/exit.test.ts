/** A stop-loss that is sold until it is sold, at the paper brokerage (behaviour 14). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};
const SHARED = { startingPositions: { THYAO: 100 }, fillShareMax: 0.5 };

function paper(cancelsMarketRest: boolean | string[]) {
  return paperSettingsSchema.parse({ ...SHARED, cancelsMarketRest });
}

/** A group whose stop-loss a price has reached. */
async function stopped(cancelsMarketRest: boolean | string[], fields: object = {}): Promise<TradingWorld> {
  const world = await startWorld({ paper: paper(cancelsMarketRest) });
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, { ...GROUP, ...fields });
  await world.tick("THYAO", 89);
  await world.time.advance(500);
  return world;
}

async function rowsOf(world: TradingWorld): Promise<readonly OcoRowView[]> {
  return (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
}

async function planOf(world: TradingWorld): Promise<PlanView> {
  const [row] = await rowsOf(world);
  return (await world.query(QUERIES.readPlan, { id: row?.id ?? 0 })) as PlanView;
}

async function soldLots(world: TradingWorld): Promise<number> {
  return (await world.orders()).reduce((sum, order) => sum + order.filledQuantity, 0);
}

describe("an exit at an exchange that cancels the rest of market orders", () => {
  test("sells to the last lot, exactly once, and shows every order", async () => {
    const world = await stopped(true);
    const waiting = await planOf(world);
    assert.equal(waiting.exit.state, "waiting");
    assert.notEqual(waiting.exit.nextOrderDate, null);
    assert.match(waiting.rows[0]?.triggerErrorMessage ?? "", /^\d of 10 sold, selling the rest$/);
    await world.time.advance(120_000);
    assert.equal(await soldLots(world), 10);
    const [stopLoss, takeProfit] = await rowsOf(world);
    assert.deepEqual([stopLoss?.status, stopLoss?.triggerErrorMessage, takeProfit?.status], [2, null, 4]);
    const { exit, orders } = await planOf(world);
    assert.deepEqual([exit.state, exit.soldQuantity, exit.leftQuantity], ["sold", 10, 0]);
    assert.deepEqual(
      orders.map(({ quantity, filledQuantity }) => [quantity, filledQuantity]),
      [
        [10, 5],
        [5, 2],
        [3, 1],
        [2, 1],
        [1, 1],
      ],
    );
    assert.equal(exit.orderCount, orders.length);
    assert.equal(world.eventsOf("oco.exitContinues").length, 4);
    assert.equal(world.eventsOf("oco.exitCompleted").length, 1);
  });

  test("continues where it was after a restart, with one order", async () => {
    const world = await stopped(true);
    const sentCount = world.sent.length;
    await world.restart();
    await world.time.advance(200);
    assert.equal(world.sent.length, sentCount, "it waits for its moment");
    await world.time.advance(120_000);
    assert.equal(await soldLots(world), 10);
    assert.equal(new Set(world.sent).size, world.sent.length);
  });

  test("is one order with `exit` once, and with the account left out of the setting", async () => {
    const once = await stopped(true, { exit: { stopLoss: "once" } });
    await once.time.advance(120_000);
    assert.equal(await soldLots(once), 5);
    assert.match((await rowsOf(once))[0]?.triggerErrorMessage ?? "", /^5 of 10 sold: the exchange cancelled the rest/);
    assert.equal((await planOf(once)).exit.state, "ended");
    const other = await stopped(["PAPER-8"]);
    await other.time.advance(120_000);
    assert.deepEqual(
      (await other.orders()).map(({ orderStatus }) => orderStatus),
      [1],
      "its rest stays open",
    );
    assert.equal((await planOf(other)).exit.state, "selling");
  });

  test("is one order for a pending OCO that says so", async () => {
    const world = await startWorld({ paper: paper(true) });
    await world.tick("THYAO", 100);
    const order = await world.order({ price: 100, quantity: 10 });
    const levels = { stopLossQuantity: 10, stopLossPrice: 90, takeProfitItems: [{ price: 110, quantity: 4 }] };
    const exit = { stopLoss: "once" };
    await world.done(COMMANDS.registerSetup, {
      ...ACCOUNT,
      symbol: "THYAO",
      brokerOrderNo: order.orderNo,
      exit,
      ...levels,
    });
    await world.restart();
    await world.tick("THYAO", 99);
    await world.time.advance(500);
    await world.tick("THYAO", 99);
    await world.time.advance(500);
    const { exit: shown } = await planOf(world);
    assert.deepEqual([shown.stopLoss, shown.state], ["once", "none"]);
  });
});

describe("stop-exit", () => {
  test("cancels the open order, and the exit ends with what was filled", async () => {
    const world = await stopped(false);
    const [row] = await rowsOf(world);
    const id = row?.id ?? 0;
    assert.deepEqual(await world.done(COMMANDS.stopExit, { id: id + 1, brokerageCode: "PAPER" }), true);
    await world.time.advance(1_000);
    assert.deepEqual(
      (await world.orders()).map(({ orderStatus, filledQuantity }) => [orderStatus, filledQuantity]),
      [[3, 5]],
    );
    assert.equal((await rowsOf(world))[0]?.triggerErrorMessage, "5 of 10 sold: stopped by its owner");
    assert.equal((await planOf(world)).exit.state, "ended");
    assert.equal(world.eventsOf("oco.exitStopped").length, 1);
    assert.equal(world.eventsOf("alarm.exitStopped").length, 0);
    await world.time.advance(120_000);
    assert.equal(await soldLots(world), 5);
    const again = await world.command(COMMANDS.stopExit, { id });
    assert.deepEqual([again.ok, again.ok ? "" : again.code], [false, "INVALID"]);
  });

  test("asks again after a restart where the brokerage did not answer", async () => {
    const world = await stopped(false);
    const [row] = await rowsOf(world);
    await world.done(COMMANDS.stopExit, { id: row?.id });
    await world.restart();
    await world.time.advance(60_000);
    assert.equal((await rowsOf(world))[0]?.triggerErrorMessage, "5 of 10 sold: stopped by its owner");
  });

  test("is refused for another user's group, an unknown brokerage, and a stop-loss that is not being sold", async () => {
    const world = await startWorld({ paper: paper(true) });
    await world.tick("THYAO", 100);
    const { groupId: id } = (await world.done(COMMANDS.createGroup, GROUP)) as { groupId: number };
    const codeOf = async (body: object, userId?: number): Promise<string> => {
      const reply = await world.command(COMMANDS.stopExit, body, userId === undefined ? {} : { userId });
      return reply.ok ? "OK" : reply.code;
    };
    assert.equal(await codeOf({ id }), "INVALID");
    assert.equal(await codeOf({ id, brokerageCode: "NOSUCH" }), "INVALID");
    assert.equal(await codeOf({ id }, 99), "NOT_FOUND");
    assert.equal((await rowsOf(world))[0]?.status, 1);
  });
});
