/** Levels follow a symbol that was renamed: once, without a price lost, over kills (behaviour 30). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { BAND_COMMANDS, BAND_QUERIES, type BandView } from "../../../src/contract/operator/band.ts";
import { ACTION_COMMANDS, ACTION_QUERIES, type ActionView } from "../../../src/contract/operator/corporate-action.ts";
import { HOLD_COMMANDS } from "../../../src/contract/operator/hold.ts";
import { RENAME_COMMANDS } from "../../../src/contract/operator/rename.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { Renaming } from "../../../src/domain/market/rename.ts";
import { startWorld, type TradingWorld, type WorldOptions } from "../../support/world/trading-world.ts";
import { refusalOf } from "../command/harness.ts";

const [OLD, NEW] = ["THYAO", "TURK"] as const;
const RENAMING = { from: OLD, to: NEW };
const DAY_MS = 86_400_000;
const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...PLACE, symbol: OLD, stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [
    { price: 110, quantity: 40 },
    { price: 120, quantity: 60 },
  ],
};
const OF_EIGHT = [{ ...GROUP, accountNumber: "PAPER-8" }, { userId: 8 }] as const;

async function opened(terms: object = {}, options: WorldOptions = {}): Promise<{ world: TradingWorld; id: number }> {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 1_000, TURK: 1_000 } });
  const world = await startWorld({ paper, symbols: [OLD, NEW, "GARAN"], ...options });
  await world.tick(OLD, 100);
  const row = (await world.done(COMMANDS.createGroup, { ...GROUP, ...terms })) as OcoRowView;
  return { world, id: row.id };
}

/** The shared partition knows the rename, and an operator's request comes to this partition. */
async function rename(world: TradingWorld, renaming: Renaming = RENAMING): Promise<void> {
  world.renames = [...world.renames.filter(({ from }) => from !== renaming.to), renaming];
  await world.done(RENAME_COMMANDS.follow, renaming);
  await world.time.advance(1_000);
}

const rowsOf = async (world: TradingWorld, userId = 7) =>
  ((await world.query(QUERIES.listGroups, PLACE, { userId })) as OcoRowView[]).map(({ symbol, status }) => [
    symbol,
    status,
  ]);
const soldOf = async (world: TradingWorld) =>
  (await world.orders()).map(({ symbol, quantity, buySell }) => [symbol, quantity, buySell]);

describe("a symbol that is renamed takes its levels along:", () => {
  test("they are reached by prices under the new name alone, and sold under it, also after a restart", async () => {
    const { world } = await opened();
    await rename(world);
    assert.deepEqual((await rowsOf(world))[0], [NEW, 1]);
    const [told] = world.eventsOf("oco.adjusted");
    assert.match(String(told?.message), /THYAO was renamed to TURK/);
    await world.tick(OLD, 80);
    await world.restart();
    await world.tick(NEW, 95);
    assert.deepEqual(world.sent, []);
    await world.tick(NEW, 89);
    assert.deepEqual(await soldOf(world), [[NEW, 100, 2]]);
    assert.equal(world.eventsOf("oco.adjusted").length, 1);
  });

  test("each group follows once and sells once, wherever a kill comes", async () => {
    for (const turnCount of [0, 1, 2, 3, 4, 5, 6, 8, 10, 13]) {
      const { world } = await opened();
      const users = Array.from({ length: 140 }, (_, index) => 100 + index);
      for (const userId of users) {
        await world.done(COMMANDS.createGroup, { ...GROUP, accountNumber: `PAPER-${userId}` }, { userId });
      }
      world.renames = [RENAMING];
      void world.partition.handleCommand({ type: RENAME_COMMANDS.follow, userId: 7, requestId: "r", body: RENAMING });
      for (let turn = 0; turn < turnCount; turn += 1) await world.time.turn();
      await world.restart(turnCount % 2 === 0);
      await world.time.advance(3_000);
      await world.tick(NEW, 89);
      await world.time.advance(3_000);
      assert.equal(new Set(world.sent).size, users.length + 1, `${turnCount} turns`);
      assert.equal(world.sent.length, users.length + 1, `${turnCount} turns`);
      // An event is published again where a kill came before that was noted, under its id.
      const told = new Set(world.eventsOf("oco.adjusted").map(({ id }) => id));
      assert.equal(told.size, users.length + 1, `${turnCount} turns`);
    }
  });

  test("prices under both names wait until all have followed, and then count", async () => {
    const { world } = await opened();
    world.renames = [RENAMING];
    const following = world.command(RENAME_COMMANDS.follow, RENAMING);
    await world.time.turn();
    world.give(OLD, 100);
    world.give(NEW, 89);
    world.give(NEW, 100);
    assert.ok((await following).ok);
    await world.time.advance(1_000);
    assert.deepEqual(await soldOf(world), [[NEW, 100, 2]]);
  });

  test("a price of the old name from before still fires, where a kill kept it from being handled", async () => {
    const { world } = await opened();
    const beforeMs = world.time.nowMs();
    await world.time.advance(5_000);
    world.renames = [RENAMING];
    void world.partition.handleCommand({ type: RENAME_COMMANDS.follow, userId: 7, requestId: "r", body: RENAMING });
    // The rename is in the store, and no level has followed.
    await world.time.turn();
    await world.time.turn();
    world.kill(true);
    await world.restartMissing(OLD, 89, beforeMs + 1);
    await world.time.advance(2_000);
    await world.tick(NEW, 100);
    await world.time.advance(10_000);
    assert.deepEqual(await soldOf(world), [[NEW, 100, 2]]);
    assert.deepEqual((await rowsOf(world))[0], [NEW, 2]);
  });

  test("the last price under the new name counts immediately, as nothing else would bring it again", async () => {
    const { world } = await opened();
    await world.tick(NEW, 89);
    assert.deepEqual(world.sent, []);
    await rename(world);
    assert.equal(world.sent.length, 1);
  });

  test("after a restart no price under the former name counts, if one came under the new name", async () => {
    for (const [isOpened, last] of [
      [false, 100],
      [true, undefined],
    ] as const) {
      const { world } = await opened();
      await rename(world);
      if (isOpened) await world.tick(NEW, 105);
      await world.time.advance(1_000);
      await world.restart(true);
      assert.equal(world.partition.renames.lastBefore(NEW)?.price.value, last, `${isOpened}`);
    }
  });

  test("a partition follows by itself, where the request of the operator did not come to it", async () => {
    const { world } = await opened();
    world.renames = [RENAMING];
    await world.time.advance(2_000);
    await world.tick(NEW, 89);
    assert.equal(world.sent.length, 1);
  });

  test("a stop-loss that trails keeps its high, and follows prices under the new name", async () => {
    const { world } = await opened({ stopLossTrailing: { distance: 10, confirmTicks: 1 } });
    await world.tick(OLD, 105);
    await rename(world);
    await world.tick(NEW, 96);
    assert.deepEqual(world.sent, []);
    await world.tick(NEW, 108);
    await world.time.advance(5_000);
    await world.tick(NEW, 97.9);
    assert.deepEqual(await soldOf(world), [[NEW, 100, 2]]);
  });

  test("a pending OCO converts where the brokerage reports its buy under the new name", async () => {
    const { world, id } = await opened();
    const bought = await world.order({ symbol: OLD, price: 80, quantity: 10 });
    await world.done(COMMANDS.registerSetup, {
      ...{ ...PLACE, accountNumber: "PAPER-7", symbol: OLD, brokerOrderNo: bought.orderNo },
      ...{ stopLossQuantity: 10, stopLossPrice: 70, takeProfitItems: [{ quantity: 10, price: 95 }] },
    });
    await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" });
    await rename(world);
    assert.equal(world.eventsOf("setup.changed").length, 1);
    await world.tell({ ...bought, symbol: NEW, orderStatus: 2, filledQuantity: 10, averagePrice: 80 });
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("setup.converted").length, 1);
    await world.tick(NEW, 69);
    assert.equal(world.sent.length, 1);
  });

  test("a buy that was placed under the former name is registered under the new one", async () => {
    const { world, id } = await opened({}, { keepsFormerNames: true });
    const bought = await world.order({ symbol: OLD, price: 80, quantity: 10 });
    await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" });
    await rename(world);
    const exits = { stopLossQuantity: 10, stopLossPrice: 70, takeProfitItems: [{ quantity: 10, price: 95 }] };
    const terms = { ...PLACE, brokerOrderNo: bought.orderNo, ...exits };
    const reply = await world.command(COMMANDS.registerSetup, { ...terms, symbol: "GARAN" });
    assert.match(reply.ok ? "" : reply.message, /an order of another symbol than GARAN/);
    await world.done(COMMANDS.registerSetup, { ...terms, symbol: NEW });
    await world.tell({ ...bought, orderStatus: 2, filledQuantity: 10, averagePrice: 80 });
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("setup.converted").length, 1);
  });

  test("a stop entry waits for its trigger under the new name", async () => {
    const { world, id } = await opened();
    await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" });
    const entry = { quantity: 10, orderType: 3, triggerPrice: 105 };
    const exits = { stopLossPrice: 60, takeProfitItems: [{ quantity: 10, price: 130 }] };
    await world.done(COMMANDS.enter, { ...PLACE, symbol: OLD, entry, ...exits });
    await rename(world);
    await world.tick(OLD, 106);
    assert.deepEqual(world.sent, []);
    await world.tick(NEW, 106);
    assert.deepEqual(await soldOf(world), [[NEW, 10, 1]]);
  });

  test("a sell that the market did not take before is sent under the new name, once", async () => {
    const { world } = await opened();
    world.isClosed = true;
    await world.tick(OLD, 89);
    assert.deepEqual([new Set(world.sent).size, await soldOf(world)], [1, []]);
    await rename(world);
    await world.restart();
    world.isClosed = false;
    await world.tick(NEW, 100);
    await world.time.advance(120_000);
    assert.deepEqual([new Set(world.sent).size, await soldOf(world)], [1, [[NEW, 100, 2]]]);
  });

  test("a level bot trades under the new name", async () => {
    const { world } = await opened();
    const levelBotDetails = [{ symbol: OLD, buyGap: 5, sellGap: 5, quantity: 10 }];
    await world.done(COMMANDS.createLevelBot, { ...PLACE, name: "levels", isActive: true, levelBotDetails });
    await world.tick(OLD, 100);
    await rename(world);
    assert.equal(world.eventsOf("bot.updated").length, 1);
    await world.tick(OLD, 94);
    assert.deepEqual(world.sent, []);
    await world.tick(NEW, 94.9);
    assert.deepEqual(await soldOf(world), [[NEW, 10, 1]]);
  });

  test("a webhook bot takes signals under either name, and orders under the new one", async () => {
    const { world } = await opened();
    const webhookBotDetails = [{ symbol: OLD, algoName: "trend", period: "1h", quantity: 10 }];
    const body = { ...PLACE, name: "signals", isActive: true, webhookBotDetails };
    const { webhookPath } = (await world.done(COMMANDS.createWebhookBot, body)) as { webhookPath: string };
    await rename(world);
    const webhookSecret = webhookPath.slice(webhookPath.lastIndexOf("/") + 1);
    const signal = { algoName: "trend", period: "1h", symbol: OLD, side: "buy", price: 94 };
    const heard = await world.commandOfNobody(COMMANDS.hearSignal, { webhookSecret, signal, bodyHash: "a" });
    assert.deepEqual(heard, { ok: true, data: { matched: 1 } });
    await world.time.advance(1_000);
    assert.deepEqual(await soldOf(world), [[NEW, 10, 1]]);
    const told = JSON.stringify(world.eventsOf("bot.updated"));
    assert.ok(!told.includes(webhookSecret) && told.includes(NEW), told);
  });

  test("new levels are refused for a moment, and then under the former name with the new one", async () => {
    const { world } = await opened();
    const creating = async (symbol: string) => {
      const reply = await world.command(COMMANDS.createGroup, { ...OF_EIGHT[0], symbol }, OF_EIGHT[1]);
      return reply.ok ? "" : `${reply.code} ${reply.message}`;
    };
    const alerting = (symbol: string) =>
      world.command(COMMANDS.createPriceAlert, { symbol, direction: "atOrAbove", price: 500 });
    world.isCatchingUp = true;
    world.renames = [RENAMING];
    assert.match(await creating(NEW), /UNAVAILABLE the levels of TURK follow a change of its name now/);
    assert.match(refusalOf(await alerting(NEW), "UNAVAILABLE"), /^the levels of TURK follow a change of its name now/);
    world.isCatchingUp = false;
    await world.time.advance(2_000);
    assert.match(await creating(OLD), /INVALID symbol THYAO was renamed: it is TURK now/);
    assert.equal(await creating(NEW), "");
    assert.equal((await alerting(NEW)).ok, true);
  });

  test("a hold and a corporate action of the symbol go along", async () => {
    const { world } = await opened();
    const exDate = new Date(world.time.nowMs() + DAY_MS).toISOString().slice(0, 10);
    await world.done(ACTION_COMMANDS.add, { symbol: OLD, type: "bonus", ratio: 1, exDate });
    await world.done(HOLD_COMMANDS.hold, { symbol: OLD });
    await rename(world);
    await world.tick(NEW, 89);
    assert.deepEqual(world.sent, []);
    const listed = (await world.query(ACTION_QUERIES.list, {})) as ActionView[];
    assert.deepEqual(
      listed.map(({ symbol, actionId }) => [symbol, actionId]),
      [[NEW, `TURK-bonus-${exDate}`]],
    );
    await world.restart();
    await world.done(HOLD_COMMANDS.release, { symbol: NEW });
    assert.equal(world.sent.length, 0, "a price from before the restart is not known");
    await world.tick(NEW, 89);
    assert.equal(world.sent.length, 1);
  });

  test("today's band goes along, also where the new name has one of yesterday (behaviour 30.5)", async () => {
    const { world } = await opened();
    const write = (symbol: string, floorPrice: number) =>
      world.done(BAND_COMMANDS.write, { source: "operator", bands: [{ symbol, floorPrice, ceilingPrice: 110 }] });
    await write(NEW, 70);
    await world.time.advance(DAY_MS);
    await write(OLD, 81);
    await rename(world);
    const floorOf = async (symbol: string) =>
      ((await world.query(BAND_QUERIES.read, { symbol })) as BandView | null)?.floorPrice;
    assert.equal(await floorOf(NEW), 81);
    assert.equal(await floorOf(OLD), undefined);
    await world.restart();
    assert.equal(await floorOf(NEW), 81);
  });

  test("the first price under the new name is compared with the last one under the former name", async () => {
    for (const [first, held] of [
      [60, 1],
      [98, 0],
    ] as const) {
      const { world } = await opened();
      await rename(world);
      await world.restart();
      await world.tick(NEW, first);
      await world.time.advance(1_000);
      assert.equal(world.partition.holds.heldCount, held, `${first}`);
      assert.deepEqual(world.sent, []);
    }
  });

  test("the new name must have no levels of its own", async () => {
    const { world } = await opened();
    const check = async () => {
      const reply = await world.command(RENAME_COMMANDS.check, RENAMING);
      return reply.ok ? "" : `${reply.code} ${reply.message}`;
    };
    assert.equal(await check(), "");
    const row = (await world.done(COMMANDS.createGroup, { ...OF_EIGHT[0], symbol: NEW }, OF_EIGHT[1])) as OcoRowView;
    assert.match(await check(), /CONFLICT to TURK has 1 groups, pending OCOs or bots of its own/);
    await world.done(COMMANDS.cancelGroup, { id: row.id, brokerageCode: "PAPER" }, OF_EIGHT[1]);
    assert.equal(await check(), "");
  });

  test("a group whose place under the new name was taken meanwhile is quarantined, and its owner is told", async () => {
    const { world } = await opened();
    await world.done(COMMANDS.createGroup, { ...GROUP, symbol: NEW, stopLossPrice: 80 });
    await rename(world);
    assert.equal(world.eventsOf("alarm.quarantined").length, 1);
    await world.tick(NEW, 79);
    assert.equal(world.sent.length, 1, "the other group is as it was");
  });

  test("positions that a brokerage reports under the former name are of the new one", async () => {
    const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } });
    const { world } = await opened({ followPosition: true }, { paper, sellLedger: "refuse" });
    await rename(world);
    await world.time.advance(300_000);
    assert.deepEqual([world.eventsOf("ledger.foreignSell"), (await rowsOf(world))[0]], [[], [NEW, 1]]);
    const ledger = await world.query(QUERIES.readSellLedger, PLACE);
    assert.ok(JSON.stringify(ledger).includes(`"symbol":"${NEW}","held":100`), JSON.stringify(ledger));
    const more = { ...GROUP, symbol: NEW, accountNumber: "PAPER-8" };
    const refused = await world.command(COMMANDS.createGroup, { ...more, stopLossQuantity: 101 }, { userId: 8 });
    assert.equal(refused.ok ? "" : refused.code, "OVERCOMMITTED");
  });

  test("a second rename follows the first, also where both come together", async () => {
    const { world } = await opened();
    world.renames = [RENAMING];
    void world.partition.handleCommand({ type: RENAME_COMMANDS.follow, userId: 7, requestId: "r", body: RENAMING });
    await world.time.turn();
    world.renames = [
      { from: OLD, to: "GARAN" },
      { from: NEW, to: "GARAN" },
    ];
    await world.time.advance(3_000);
    assert.deepEqual((await rowsOf(world))[0], ["GARAN", 1]);
    await world.tick("GARAN", 89);
    assert.deepEqual(world.sent.length, 1);
  });

  test("a repeated request changes nothing, and a rename can be taken back", async () => {
    const { world } = await opened();
    await rename(world);
    assert.deepEqual(await world.done(RENAME_COMMANDS.follow, RENAMING), { isChanged: false });
    await world.time.advance(1_000);
    await rename(world, { from: NEW, to: OLD });
    assert.deepEqual((await rowsOf(world))[0], [OLD, 1]);
    await world.tick(NEW, 80);
    assert.deepEqual(world.sent, []);
    await world.tick(OLD, 89);
    assert.deepEqual(await soldOf(world), [[OLD, 100, 2]]);
    assert.equal(world.eventsOf("oco.adjusted").length, 2);
  });
});
