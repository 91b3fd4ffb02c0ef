/**
 * A stop-loss that follows the price, at the paper brokerage: restarts, missed prices, holds, halts, changes (behaviour
 * 19).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import type { ReceiptView } from "../../../../src/contract/trading/receipt.ts";
import { TRADING_STATE_COMMANDS } from "../../../../src/contract/trading/trading-state.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber: "PAPER-7", symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [{ price: 150, quantity: 60 }],
};
const BY_5 = { distance: 5, confirmTicks: 1 };

async function running(stopLossTrailing: object | null = BY_5): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld();
  await world.tick("THYAO", 94);
  const { id } = (await world.done(COMMANDS.createGroup, {
    ...{ ...GROUP, stopLossTrailing },
  })) as OcoRowView;
  return { world, id };
}

/** Raises that came within the last second are written then. */
const pass = (world: TradingWorld): Promise<void> => world.time.advance(1_000);

const stopOf = async (world: TradingWorld, id: number): Promise<OcoRowView> => {
  await pass(world);
  const [stop] = (await world.query(QUERIES.readGroup, { id })) as readonly OcoRowView[];
  assert.ok(stop !== undefined);
  return stop;
};

const sold = async (world: TradingWorld): Promise<readonly number[]> =>
  (await world.orders()).map(({ quantity }) => quantity);

const change = (world: TradingWorld, id: number, request: object): Promise<Reply> =>
  world.command(COMMANDS.changeGroup, { id, change: request });

const planOf = async (world: TradingWorld, id: number): Promise<PlanView> =>
  (await world.query(QUERIES.readPlan, { id })) as PlanView;

async function give(world: TradingWorld, ...values: readonly number[]): Promise<void> {
  for (const value of values) await world.tick("THYAO", value);
}

/** Ticks that the engine reads back when it starts, in order, `apartMs` apart from `fromMs` on. */
function missed(world: TradingWorld, fromMs: number, values: readonly number[], firstSequence = 1, apartMs = 1) {
  return (partition: TradingWorld["partition"]): void => {
    for (const [index, value] of values.entries()) {
      const price = livePrice(value);
      assert.ok(price !== undefined);
      const timeMs = fromMs + index * apartMs;
      const stored = { stream: "s", sequence: firstSequence + index, timeMs };
      world.prices.set("THYAO", { price, timeMs });
      partition.onTick({ symbol: "THYAO", price, timeMs, isCaughtUp: true, stored });
    }
    partition.onCaughtUp();
  };
}

describe("a stop-loss that trails", () => {
  test("is raised with each high and sells once where the price falls back to it", async () => {
    const { world, id } = await running();
    await give(world, 100, 104, 110, 106);
    assert.equal((await stopOf(world, id)).price, 105);
    assert.deepEqual(await sold(world), []);
    await give(world, 105, 104, 90);
    assert.deepEqual(await sold(world), [100]);
    const { triggeredPrice, price } = await stopOf(world, id);
    assert.deepEqual([triggeredPrice, price], [105, 105]);
    const receipt = (await world.query(QUERIES.readReceipt, { id })) as ReceiptView;
    assert.deepEqual([receipt.level, receipt.tick?.price, receipt.tick?.isCaughtUp], [105, 105, false]);
  });

  test("keeps its high over a kill, and sells once after it", async () => {
    const { world, id } = await running();
    await give(world, 100, 110);
    await pass(world);
    await world.restart();
    assert.equal((await stopOf(world, id)).price, 105);
    await give(world, 105);
    await world.restart();
    await give(world, 105, 104);
    assert.deepEqual(await sold(world), [100]);
  });

  test("walks through missed prices in order: one sell, by the price that fell back", async () => {
    const { world, id } = await running();
    await give(world, 100);
    world.kill();
    await world.time.advance(5_000);
    await world.start(missed(world, world.time.nowMs() - 4_000, [110, 104, 108]));
    await world.time.turns();
    assert.deepEqual(await sold(world), [100]);
    assert.equal((await stopOf(world, id)).triggeredPrice, 104);
  });

  test("takes no price that it had before a kill for a new one", async () => {
    const { world, id } = await running();
    await give(world, 100, 104);
    const beforeMs = world.time.nowMs();
    await give(world, 110, 112);
    await pass(world);
    world.kill();
    await world.time.advance(5_000);
    // Read back once more: 104 came before the high that made it a price under the stop-loss.
    await world.start(missed(world, beforeMs, [104]));
    await world.time.turns();
    assert.deepEqual(await sold(world), []);
    assert.equal((await stopOf(world, id)).price, 107);
    await give(world, 107);
    assert.deepEqual(await sold(world), [100]);
  });

  test("of missed prices that are given twice raises and sells as if they came once", async () => {
    const { world, id } = await running();
    await give(world, 100);
    world.kill();
    await world.time.advance(5_000);
    const fromMs = world.time.nowMs() - 4_000;
    await world.start(missed(world, fromMs, [103, 110, 108]));
    await world.time.turns();
    assert.equal((await stopOf(world, id)).price, 105);
    await world.restart(false, missed(world, fromMs, [103, 110, 108]));
    assert.deepEqual(await sold(world), []);
    await world.restart(false, missed(world, fromMs, [103, 110, 108, 105]));
    assert.deepEqual(await sold(world), [100]);
  });

  test("sells by a price under its level of before that came in the millisecond of its last raise", async () => {
    const { world, id } = await running();
    await give(world, 100, 110);
    const raisedMs = world.time.nowMs();
    await pass(world);
    // 97 lies under the level of after the raise alone: it may have come before it.
    for (const [values, quantities] of [
      [[110, 97, 112], []],
      [[110, 95, 112], [100]],
    ] as const) {
      world.kill();
      await world.time.advance(5);
      await world.start(missed(world, raisedMs, values, 1, 0));
      await world.time.turns();
      assert.deepEqual(await sold(world), quantities);
    }
    assert.equal((await stopOf(world, id)).triggeredPrice, 95);
  });

  test("sells by the prices of a millisecond in the order of the stream if its raise was not written yet", async () => {
    const { world, id } = await running();
    await give(world, 100, 110);
    const raisedMs = world.time.nowMs();
    world.kill();
    await world.time.advance(5);
    await world.start(missed(world, raisedMs, [110, 105.5, 104, 112], 1, 0));
    await world.time.turns();
    assert.deepEqual(await sold(world), [100]);
    assert.equal((await stopOf(world, id)).triggeredPrice, 104);
  });

  test("waits for its activation and for a second price, and tells both", async () => {
    const { world, id } = await running({ distance: 5, activationPrice: 108 });
    await give(world, 120, 100, 107.9, 107.9);
    assert.equal((await planOf(world, id)).trailing?.isActivated, false);
    await give(world, 109, 108);
    const { trailing, version } = await planOf(world, id);
    assert.deepEqual([trailing?.isActivated, trailing?.high, version], [true, 108, 1]);
    assert.equal((await stopOf(world, id)).price, 103);
    assert.equal(world.eventsOf("oco.trailingActivated").length, 1);
    assert.equal(world.eventsOf("oco.stopRaised").length, 1);
    await give(world, 112, 111, 114, 113);
    assert.equal(world.eventsOf("oco.stopRaised").length, 1, "one a minute");
    await world.time.advance(60_000);
    await give(world, 116, 116);
    await pass(world);
    assert.equal(world.eventsOf("oco.stopRaised").length, 2);
  });

  test("sells its take-profit too, and a price that is reached by it still raises the stop-loss", async () => {
    const { world, id } = await running();
    await give(world, 150);
    assert.deepEqual(await sold(world), [60]);
    assert.equal((await stopOf(world, id)).price, 145);
  });

  test("begins and ends by a change, without a moment in which it is not watched", async () => {
    const { world, id } = await running(null);
    await give(world, 100, 110);
    assert.equal((await stopOf(world, id)).price, 90);
    assert.ok((await change(world, id, { stopLossTrailing: BY_5 })).ok);
    assert.equal((await stopOf(world, id)).price, 105, "by the last price");
    assert.ok((await change(world, id, { stopLossTrailing: null })).ok);
    await give(world, 120);
    assert.equal((await stopOf(world, id)).price, 105);
    assert.equal((await planOf(world, id)).trailing, null);
    await give(world, 105);
    assert.deepEqual(await sold(world), [100]);
  });

  test("is lowered by a change alone, and begins anew from there", async () => {
    const { world, id } = await running();
    await give(world, 110);
    assert.ok((await change(world, id, { stopLossPrice: 80 })).ok);
    // The last price counts immediately: 110 raises it again.
    assert.equal((await stopOf(world, id)).price, 105);
    await give(world, 106);
    const reply = await change(world, id, { stopLossPrice: 80, stopLossTrailing: { distance: 20, confirmTicks: 1 } });
    assert.ok(reply.ok);
    assert.equal((await stopOf(world, id)).price, 86);
    const again = await change(world, id, { stopLossTrailing: { distance: 20, confirmTicks: 1 } });
    assert.ok(again.ok && again.version === reply.version, "the same terms change nothing");
  });

  test("of a held symbol neither rises nor fires; a group that its owner released does both", async () => {
    const { world, id } = await running();
    await give(world, 100);
    await world.done("symbols.hold", { symbol: "THYAO", reason: "bonus issue" });
    await give(world, 120, 80);
    assert.equal((await stopOf(world, id)).price, 95);
    assert.deepEqual(await sold(world), []);
    await world.tick("THYAO", 97);
    await world.done(COMMANDS.releaseGroup, { id });
    await give(world, 104);
    assert.equal((await stopOf(world, id)).price, 99);
    await give(world, 99);
    assert.deepEqual(await sold(world), [100]);
  });

  test("under a halt that includes stop-losses rises, and fires by the last price once trading goes on", async () => {
    const { world, id } = await running();
    const account = { scope: "account", brokerageCode: "PAPER", accountNumber: "PAPER-7" };
    const state = (body: object) => world.done(TRADING_STATE_COMMANDS.set, { ...account, reason: "test", ...body });
    await state({ state: "halted", includingStops: true });
    await give(world, 110, 104);
    assert.equal((await stopOf(world, id)).price, 105);
    assert.deepEqual(await sold(world), []);
    await state({ state: "active", confirm: "RESUME" });
    assert.deepEqual(await sold(world), [100]);
  });

  test("is inherited by the group of a pending OCO", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const buy = await world.order({ price: 99, quantity: 100 });
    const { brokerageCode, accountNumber, symbol } = GROUP;
    await world.done(COMMANDS.registerSetup, {
      ...{ brokerageCode, accountNumber, symbol, brokerOrderNo: buy.orderNo },
      ...{ stopLossPrice: 90, stopLossQuantity: 100, stopLossTrailing: BY_5 },
      takeProfitItems: [{ price: 150, quantity: 60 }],
    });
    await give(world, 99, 110);
    await world.time.advance(3_000);
    await give(world, 112, 107);
    assert.deepEqual(
      (await world.orders()).filter(({ buySell }) => buySell === 2).map(({ quantity }) => quantity),
      [100],
    );
  });
});
