/** Trading that is halted, that only reduces, and that continues (behaviour 18). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { TRADING_STATE_COMMANDS, TRADING_STATE_QUERIES } from "../../../../src/contract/trading/trading-state.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";
import { buySignal, createLevel, createWebhook, sellSignal, signal } from "./bots.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};
const ORDER = { ...ACCOUNT, symbol: "THYAO", quantity: 1, orderType: 1, price: 0 };

function start(paper: object = {}): Promise<TradingWorld> {
  return startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100, GARAN: 100 }, ...paper }) });
}

async function opened(paper: object = {}): Promise<{ world: TradingWorld; id: number }> {
  const world = await start(paper);
  await world.tick("THYAO", 100);
  const row = (await world.done(COMMANDS.createGroup, GROUP)) as OcoRowView;
  return { world, id: row.id };
}

const set = (world: TradingWorld, change: object) =>
  world.done(TRADING_STATE_COMMANDS.set, { scope: "user", reason: "a test", ...change });
const halt = (world: TradingWorld, change: object = {}) => set(world, { state: "halted", ...change });
const resume = (world: TradingWorld, change: object = {}) =>
  set(world, { state: "active", confirm: "RESUME", ...change });

async function codeOf(world: TradingWorld, type: string, body: object): Promise<string> {
  const reply = await world.command(type, body);
  return reply.ok ? "done" : reply.code;
}

describe("while trading is halted", () => {
  test("a take-profit that is reached stays Active and sells by the last price at RESUME (behaviour 18.3)", async () => {
    const { world, id } = await opened();
    await halt(world);
    await world.tick("THYAO", 111);
    await world.tick("THYAO", 112);
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
    const plan = (await world.query(QUERIES.readPlan, { id })) as PlanView;
    assert.deepEqual(
      plan.rows.map(({ status }) => status),
      [1, 1],
    );
    await resume(world);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
  });

  test("one whose price is no longer reached at RESUME is watched again", async () => {
    const { world } = await opened();
    await halt(world);
    await world.tick("THYAO", 111);
    await world.tick("THYAO", 105);
    await resume(world);
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 110);
    assert.equal(world.sent.length, 1);
  });

  test("the stop-loss fires, also after a take-profit was reached", async () => {
    const { world } = await opened();
    await halt(world);
    await world.tick("THYAO", 111);
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    const [sell] = await world.orders();
    assert.equal(sell?.quantity, 10);
  });

  test("including stops nothing fires until RESUME, over a restart too", async () => {
    const { world } = await opened();
    await halt(world, { includingStops: true });
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    await world.restart();
    await world.tick("THYAO", 88);
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
    await resume(world);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1);
  });

  test("including stops an exit that is under way sends no further order until RESUME", async () => {
    const { world, id } = await opened({ fillShareMax: 0.5, cancelsMarketRest: true });
    await world.tick("THYAO", 89);
    await halt(world, { includingStops: true });
    const sentCount = world.sent.length;
    await world.time.advance(10 * 60_000);
    assert.equal(world.sent.length, sentCount);
    await resume(world);
    await world.time.advance(5 * 60_000);
    const plan = (await world.query(QUERIES.readPlan, { id })) as PlanView;
    assert.deepEqual([plan.exit.state, plan.exit.soldQuantity], ["sold", 10]);
  });

  test("without stops an exit that is under way goes on", async () => {
    const { world, id } = await opened({ fillShareMax: 0.5, cancelsMarketRest: true });
    await world.tick("THYAO", 89);
    await halt(world);
    await world.time.advance(5 * 60_000);
    assert.equal(((await world.query(QUERIES.readPlan, { id })) as PlanView).exit.state, "sold");
  });

  test("a level that was changed meanwhile fires once, by its new price", async () => {
    const { world, id } = await opened();
    await halt(world);
    await world.tick("THYAO", 111);
    const takeProfitItems = [{ id: id + 1, price: 120, quantity: 4 }];
    await world.done(COMMANDS.changeGroup, { id, change: { takeProfitItems } });
    await resume(world);
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 120);
    await world.tick("THYAO", 121);
    assert.equal(world.sent.length, 1);
  });

  test("clients' orders are refused on both sides, cancels are not, and a new group says it", async () => {
    const { world } = await opened();
    await halt(world, { reason: "my account was attacked" });
    for (const buySell of [1, 2]) {
      const reply = await world.command(COMMANDS.placeOrder, { ...ORDER, buySell });
      assert.deepEqual(reply, {
        ok: false,
        code: "TRADING_HALTED",
        message: "trading is halted: my account was attacked",
      });
    }
    const batch = { ...ACCOUNT, items: [{ ...ORDER, buySell: 2 }] };
    const { brokerageCode: _, accountNumber: __, ...item } = ORDER;
    const many = await world.command(COMMANDS.placeBatch, { ...batch, items: [{ ...item, buySell: 2 }] });
    assert.match(JSON.stringify(many), /trading is halted/);
    const made = await world.command(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN" });
    assert.match((made.ok && made.message) || "", /its take-profits do not fire: my account was attacked/);
    assert.deepEqual(world.sent, []);
  });

  test("bots are switched off, stay off afterwards, and what one orders meanwhile is refused", async () => {
    const world = await start();
    await world.tick("THYAO", 100);
    const level = await createLevel(world);
    const webhook = await createWebhook(world);
    await halt(world);
    const isActive = async (type: string, id: number) =>
      ((await world.query(type, { id, brokerageCode: "PAPER" })) as { isActive: boolean }).isActive;
    assert.deepEqual(
      [await isActive(QUERIES.readLevelBot, level), await isActive(QUERIES.readWebhookBot, webhook.id)],
      [false, false],
    );
    await resume(world);
    assert.equal(await isActive(QUERIES.readLevelBot, level), false);
  });
});

test("while trading only reduces, buys are refused and sells are not, and take-profits fire (behaviour 18.2)", async () => {
  const { world } = await opened();
  await set(world, { state: "reducing" });
  assert.equal(await codeOf(world, COMMANDS.placeOrder, { ...ORDER, buySell: 1 }), "TRADING_REDUCING");
  assert.equal(await codeOf(world, COMMANDS.placeOrder, { ...ORDER, buySell: 2 }), "done");
  const sentCount = world.sent.length;
  await world.tick("THYAO", 111);
  assert.equal(world.sent.length, sentCount + 1);
});

test("while trading only reduces, a bot sells and does not buy, and its owner is told why", async () => {
  const world = await start();
  const { secret } = await createWebhook(world);
  await world.tick("THYAO", 100);
  await signal(world, secret, buySignal);
  await world.time.advance(3_000);
  await set(world, { state: "reducing" });
  await signal(world, secret, sellSignal);
  await world.time.advance(3_000);
  assert.equal((await world.orders()).length, 2, "the pair is sold");
  await signal(world, secret, buySignal);
  await world.time.advance(3_000);
  assert.equal((await world.orders()).length, 2);
  const [told, ...others] = world.eventsOf("pair.buyFailed");
  assert.match(JSON.stringify(told), /only sells are taken: a test/);
  assert.equal(others.length, 0);
});

test("while trading only reduces, a level bot asks for a buy once for each fall, and none is sent", async () => {
  const world = await start();
  await set(world, { state: "reducing" });
  await createLevel(world);
  for (const price of [100, 99, 99, 98.9, 99.1, 98.8]) await world.tick("THYAO", price);
  await world.time.advance(5_000);
  assert.deepEqual(world.sent, []);
  assert.ok(world.eventsOf("pair.buyFailed").length <= 3, `${world.eventsOf("pair.buyFailed").length} events`);
});

describe("the state of a scope", () => {
  test("is of one account, of the user or of all, and the strictest counts", async () => {
    const { world } = await opened();
    const account = { scope: "account", ...ACCOUNT };
    await halt(world, account);
    await set(world, { state: "reducing" });
    assert.equal(await codeOf(world, COMMANDS.placeOrder, { ...ORDER, buySell: 2 }), "TRADING_HALTED");
    const states = (await world.query(TRADING_STATE_QUERIES.read, {})) as { scope: string; state: string }[];
    assert.deepEqual(states.map(({ scope, state }) => `${scope} ${state}`).sort(), ["account halted", "user reducing"]);
    await resume(world, account);
    assert.equal(await codeOf(world, COMMANDS.placeOrder, { ...ORDER, buySell: 2 }), "done");
    await world.done(TRADING_STATE_COMMANDS.setInstallation, { state: "halted", reason: "all" });
    assert.equal(await codeOf(world, COMMANDS.placeOrder, { ...ORDER, buySell: 2 }), "TRADING_HALTED");
    const others = (await world.query(TRADING_STATE_QUERIES.read, {}, { userId: 8 })) as { scope: string }[];
    assert.deepEqual(
      others.map(({ scope }) => scope),
      ["installation"],
    );
    assert.equal(world.eventsOf("trading.stateChanged").length, 4);
  });

  test("is refused for an account of another, without the confirmation, and with an unknown word", async () => {
    const world = await start();
    const foreign = {
      scope: "account",
      brokerageCode: "PAPER",
      accountNumber: "PAPER-8",
      state: "halted",
      reason: "x",
    };
    assert.equal(await codeOf(world, TRADING_STATE_COMMANDS.set, foreign), "FORBIDDEN");
    await halt(world);
    const leaving = { scope: "user", state: "active", reason: "x" };
    assert.equal(await codeOf(world, TRADING_STATE_COMMANDS.set, leaving), "INVALID");
    assert.equal(await codeOf(world, TRADING_STATE_COMMANDS.set, { ...leaving, state: "paused" }), "INVALID");
    assert.equal(await codeOf(world, TRADING_STATE_COMMANDS.set, { ...leaving, reason: "" }), "INVALID");
  });

  test("is kept over a kill that follows its answer", async () => {
    const { world } = await opened();
    await halt(world);
    await world.restart();
    await world.tick("THYAO", 111);
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
  });
});
