/** The limits of an account: its loss of a day, orders in a minute, the value of an order (behaviour 27). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, type Reply } from "../../../../src/contract/command.ts";
import { LIMITS_COMMANDS, LIMITS_QUERIES, type LimitsView } from "../../../../src/contract/trading/limits.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { TRADING_STATE_COMMANDS } from "../../../../src/contract/trading/trading-state.ts";
import { startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";
import { buySignal, createWebhook, signal } from "./bots.ts";

const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const HOUR_MS = 3_600_000;
const LEVELS = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 1 }] };
const buy = { ...PLACE, symbol: "THYAO", quantity: 10, buySell: 1, orderType: 1, price: 0 };
const sell = { ...buy, buySell: 2 };

async function start(limits: object, held = 100): Promise<TradingWorld> {
  const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: held } }) });
  for (const symbol of ["THYAO", "GARAN"]) await world.tick(symbol, 100);
  await world.done(LIMITS_COMMANDS.set, { ...PLACE, ...limits });
  return world;
}

const read = (world: TradingWorld) => world.query(LIMITS_QUERIES.read, PLACE) as Promise<LimitsView>;
const order = (world: TradingWorld, body: object) => world.command(COMMANDS.placeOrder, body);
const codeOf = (reply: Reply): string => (reply.ok ? "done" : reply.code);
const resume = (world: TradingWorld) =>
  world.done(TRADING_STATE_COMMANDS.set, { scope: "account", ...PLACE, state: "active", reason: "go on" });
const sold = async (world: TradingWorld) =>
  (await world.orders()).filter(({ buySell }) => buySell === 2).map(({ quantity }) => quantity);

test("limits are shown, told, replaced as a whole, and kept over a restart", async () => {
  const world = await start({ maxOrderValue: 5_000, maxOrdersPerMinute: 3 });
  const all = {
    maxDailyLoss: null,
    maxOrdersPerMinute: 3,
    maxOrderValue: 5_000,
    realisedToday: null,
    ordersLastMinute: 0,
  };
  assert.deepEqual(await read(world), all);
  await world.done(LIMITS_COMMANDS.set, { ...PLACE, maxDailyLoss: 70 });
  const told = world.eventsOf("limits.changed").map(({ maxDailyLoss, maxOrderValue }) => [maxDailyLoss, maxOrderValue]);
  assert.deepEqual(told, [
    [null, 5_000],
    [70, null],
  ]);
  await world.restart();
  assert.deepEqual(await read(world), {
    maxDailyLoss: 70,
    maxOrdersPerMinute: null,
    maxOrderValue: null,
    realisedToday: 0,
    ordersLastMinute: null,
  });
  const foreign = await world.command(LIMITS_COMMANDS.set, { ...PLACE, accountNumber: "PAPER-8" });
  assert.equal(codeOf(foreign), "FORBIDDEN");
});

describe("an order above a limit is refused", () => {
  test("by its value, at its limit price or at the last price", async () => {
    const world = await start({ maxOrderValue: 1_000 });
    assert.equal(codeOf(await order(world, buy)), "done");
    assert.equal(codeOf(await order(world, { ...buy, quantity: 11 })), "ACCOUNT_LIMIT");
    assert.equal(codeOf(await order(world, { ...sell, orderType: 2, price: 100.1 })), "ACCOUNT_LIMIT");
    const items = [buy, { ...buy, quantity: 11 }].map(({ brokerageCode: _, accountNumber: __, ...item }) => item);
    const batch = await world.command(COMMANDS.placeBatch, { ...PLACE, items });
    assert.match(JSON.stringify(batch), /quantity 11 makes an order of 1100, above maxOrderValue 1000/);
    const entry = { orderType: 3, triggerPrice: 120, quantity: 9 };
    const levels = { symbol: "GARAN", stopLossPercent: 5, takeProfitItems: [{ percent: 10, quantity: 9 }] };
    const entered = await world.command(COMMANDS.enter, { ...PLACE, ...levels, entry });
    assert.match(JSON.stringify(entered), /"ACCOUNT_LIMIT","message":"quantity 9 makes an order of 1080/);
    assert.equal(world.sent.length, 2);
  });

  test("by its number in a minute, which passes", async () => {
    const world = await start({ maxOrdersPerMinute: 2 });
    const codes = [];
    for (let count = 0; count < 3; count += 1) codes.push(codeOf(await order(world, buy)));
    assert.equal((await read(world)).ordersLastMinute, 2, "a refused order does not count (behaviour 27.1)");
    await world.time.advance(60_000);
    assert.equal((await read(world)).ordersLastMinute, 0);
    codes.push(codeOf(await order(world, sell)));
    assert.deepEqual(codes, ["done", "done", "ACCOUNT_LIMIT", "done"]);
  });

  test("as a buy of a bot is, and never the stop-loss of a group", async () => {
    const world = await start({ maxOrdersPerMinute: 1, maxOrderValue: 100 });
    await world.done(COMMANDS.createGroup, { ...PLACE, symbol: "THYAO", ...LEVELS });
    const { secret } = await createWebhook(world);
    await signal(world, secret, buySignal);
    await world.time.turns();
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 89);
    assert.deepEqual(await sold(world), [100]);
  });
});

describe("a realised loss that reaches the limit", () => {
  test("lets only sells pass, of bought and of held lots, once per day and limit", async () => {
    const world = await start({ maxDailyLoss: 70 });
    await order(world, { ...buy, symbol: "GARAN" });
    await world.tick("GARAN", 95);
    await order(world, { ...sell, symbol: "GARAN" });
    await world.time.advance(1_000);
    assert.deepEqual([(await read(world)).realisedToday, codeOf(await order(world, buy))], [-50, "done"]);
    await world.tick("THYAO", 98);
    await order(world, sell);
    await world.time.advance(1_000);
    assert.equal((await read(world)).realisedToday, -70);
    assert.equal(codeOf(await order(world, buy)), "TRADING_REDUCING");
    assert.equal(codeOf(await order(world, sell)), "done");
    const [alarm, ...others] = world.eventsOf("alarm.lossLimit");
    assert.equal(alarm?.message, "own fills of today have lost 70, and maxDailyLoss is 70");
    assert.equal(others.length, 0);
  });

  test("counts what a stop-loss lost, over a restart, and holds no stop-loss back", async () => {
    const world = await start({ maxDailyLoss: 1_000 });
    await world.done(COMMANDS.createGroup, { ...PLACE, symbol: "THYAO", ...LEVELS, stopLossQuantity: 60 });
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    assert.equal((await read(world)).realisedToday, -660);
    await world.restart();
    await world.tick("THYAO", 100);
    await world.done(COMMANDS.createGroup, { ...PLACE, symbol: "THYAO", ...LEVELS, stopLossQuantity: 40 });
    await world.tick("THYAO", 80);
    await world.time.advance(1_000);
    assert.equal((await read(world)).realisedToday, -1_460);
    assert.deepEqual(await sold(world), [60, 40]);
    assert.equal(codeOf(await order(world, buy)), "TRADING_REDUCING");
  });

  test("a person resumes trading; a further fill of the day ends it again, and one of the next day does not", async () => {
    const world = await start({ maxDailyLoss: 10 });
    await world.tick("THYAO", 99);
    const step = async (): Promise<string> => {
      await order(world, { ...sell, quantity: 10 });
      await world.time.advance(1_000);
      const code = codeOf(await order(world, { ...buy, quantity: 1 }));
      await resume(world);
      return code;
    };
    assert.equal(await step(), "TRADING_REDUCING");
    assert.equal(await step(), "TRADING_REDUCING");
    await world.time.advance(24 * HOUR_MS);
    assert.equal((await read(world)).realisedToday, 0);
    await world.tick("THYAO", 100);
    assert.equal(await step(), "done");
  });

  test("a limit that is lowered under the loss counts immediately, and a halted account stays halted", async () => {
    const world = await start({ maxDailyLoss: 1_000 });
    await world.tick("THYAO", 99);
    await order(world, sell);
    await world.time.advance(1_000);
    await world.done(LIMITS_COMMANDS.set, { ...PLACE, maxDailyLoss: 10 });
    assert.equal(codeOf(await order(world, buy)), "TRADING_REDUCING");
    const halted = { scope: "account", ...PLACE, state: "halted", reason: "by hand" };
    await world.done(TRADING_STATE_COMMANDS.set, halted);
    await world.done(LIMITS_COMMANDS.set, { ...PLACE, maxDailyLoss: 5 });
    assert.equal(codeOf(await order(world, sell)), "TRADING_HALTED");
  });

  test("an order that is followed twice, as a client's and as a pending OCO's, counts once", async () => {
    const world = await start({ maxDailyLoss: 1_000 });
    const { orderNo } = (await world.done(COMMANDS.placeOrder, {
      ...{ ...buy, symbol: "GARAN", orderType: 2, price: 95 },
    })) as { orderNo: string };
    const tiers = { stopLossQuantity: 10, stopLossPercent: 10, takeProfitItems: [{ quantity: 10, percent: 50 }] };
    await world.done("setup.register", { ...PLACE, symbol: "GARAN", brokerOrderNo: orderNo, ...tiers });
    await world.tick("GARAN", 95);
    await world.time.advance(1_000);
    const view = world.partition.limits.find({ userId: USER, ...PLACE });
    assert.equal(view.realisedToday, 0);
    await world.tick("GARAN", 85);
    await world.time.advance(1_000);
    assert.equal((await read(world)).realisedToday, -100);
  });
});
