/** The totals of bots: exact sums of all closed pairs, however many, and their open pairs (behaviour 8.6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ScanRange, Store } from "../../../../engine/ports/storage.ts";
import { closedTotalsOf, viewOfTotals } from "../../../../engine/query/trading/bot-totals.ts";
import { viewKey } from "../../../../engine/table/keys.ts";
import { QUERIES } from "../../../../src/contract/command.ts";
import type { BotTotalsView, SellTargetView } from "../../../../src/contract/trading/bot.ts";
import { startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";
import {
  buySignal,
  createLevel,
  createWebhook,
  historyOf,
  levelBot,
  pairsOf,
  place,
  sellSignal,
  signal,
  tradeOnce,
} from "../../command/trading/bots.ts";

async function totalsOf(world: TradingWorld, type: string = QUERIES.listLevelTotals): Promise<BotTotalsView[]> {
  return (await world.query(type, place)) as BotTotalsView[];
}

async function targetsOf(world: TradingWorld, id: number): Promise<SellTargetView[]> {
  return (await world.query(QUERIES.listLevelTargets, { id, brokerageCode: "PAPER" })) as SellTargetView[];
}

describe("totals of bots", () => {
  test("sum all closed pairs, more than one answer of the history has", async () => {
    const world = await startWorld();
    const id = await createLevel(world);
    const next = [{ symbol: "THYAO", buyPrice: null, sellPrice: null }];
    const nothing = {
      ...{ closedCount: 0, buyFailedCount: 0, winCount: 0, lossCount: 0, profit: 0 },
      ...{ grossProfit: 0, grossLoss: 0, profitFactor: null, winRate: null, largestDrawdown: 0 },
      highestProfit: 0,
      ...{ openCount: 0, open: [] },
    };
    assert.deepEqual(await totalsOf(world), [{ systemId: id, ...nothing, next }]);
    await world.tick("THYAO", 102);
    for (let round = 0; round < 103; round += 1) {
      await world.tick("THYAO", 100);
      await world.tick("THYAO", 102);
      // The brokerage takes a number of orders in a minute.
      if (round % 50 === 0) await world.time.advance(60_000);
      if (round === 50) assert.equal((await totalsOf(world))[0]?.profit, 51 * 6, "read while it grows");
    }
    const { items, totalCount } = await historyOf(world, { pageSize: 100 });
    assert.deepEqual([items.length, totalCount], [100, 103]);
    const sums = {
      ...{ ...nothing, closedCount: 103, winCount: 103, winRate: 1 },
      ...{ profit: 103 * 6, grossProfit: 103 * 6, highestProfit: 103 * 6 },
    };
    const running = { ...sums, next: [{ symbol: "THYAO", buyPrice: 101, sellPrice: null }] };
    assert.deepEqual(await totalsOf(world), [{ systemId: id, ...running }]);
    assert.deepEqual(await totalsOf(world), [{ systemId: id, ...running }], "a second read counts nothing twice");
    assert.equal((await world.command("levelBots.delete", { id })).ok, true);
    assert.deepEqual(await totalsOf(world), [{ systemId: id, ...sums }], "a deleted bot keeps what it brought");
  });

  test("tell bots apart, with open pairs by symbol, and are of their owner alone", async () => {
    const world = await startWorld();
    const first = await createLevel(world);
    await tradeOnce(world);
    const second = await createLevel(world, {
      levelBotDetails: [{ ...levelBot.levelBotDetails[0], quantity: 2 }],
    });
    // The second one has its anchor here, and buys with the first one at the end.
    await world.tick("THYAO", 101);
    await world.tick("THYAO", 100);
    const [one, two] = await totalsOf(world);
    assert.deepEqual(one?.open, [{ symbol: "THYAO", quantity: 3, cost: 300, pairCount: 1 }]);
    assert.deepEqual([one.systemId, one.closedCount, one.profit, one.openCount], [first, 1, 6, 1]);
    assert.deepEqual(two?.open, [{ symbol: "THYAO", quantity: 2, cost: 200, pairCount: 1 }]);
    assert.deepEqual([two.systemId, two.closedCount, two.openCount], [second, 0, 1]);
    const foreign = await world.query(QUERIES.listLevelTotals, place, { userId: USER + 1 });
    assert.equal((foreign as { readonly ok: boolean }).ok, false);
  });

  test("of webhook bots count losses", async () => {
    const world = await startWorld();
    const { id, secret } = await createWebhook(world);
    await world.tick("THYAO", 100);
    await signal(world, secret, buySignal);
    await world.tick("THYAO", 99);
    await signal(world, secret, sellSignal);
    const [totals] = await totalsOf(world, QUERIES.listWebhookTotals);
    assert.deepEqual(
      [totals?.systemId, totals?.closedCount, totals?.winCount, totals?.lossCount, totals?.profit],
      [id, 1, 0, 1, -5],
    );
    assert.deepEqual(
      [totals?.grossProfit, totals?.grossLoss, totals?.profitFactor, totals?.winRate, totals?.largestDrawdown],
      [0, 5, 0, 0, 5],
    );
    assert.deepEqual(await totalsOf(world), [], "of the other kind there is none");
  });

  test("count a failed buy as closed, without a profit", async () => {
    const paper = { startingCash: 10, startingPositions: {}, requiresLogin: false, fillShareMax: 1 };
    const world = await startWorld({ paper });
    await createLevel(world);
    await world.tick("THYAO", 100);
    await world.tick("THYAO", 99);
    const [totals] = await totalsOf(world);
    assert.deepEqual([totals?.closedCount, totals?.buyFailedCount, totals?.profit], [1, 1, 0]);
    assert.equal(totals?.winRate, null, "it is no trade that could have gained");
  });
});

describe("next levels of a level bot", () => {
  test("follow its anchor and its open pairs, inside the limits (behaviour 8.6)", async () => {
    const world = await startWorld();
    const detail = { ...levelBot.levelBotDetails[0], maxBuyPrice: 101 };
    const id = await createLevel(world, { levelBotDetails: [detail] });
    const next = async (): Promise<unknown> => {
      const [bot] = await totalsOf(world);
      return bot?.next?.map(({ buyPrice, sellPrice }) => [buyPrice, sellPrice]);
    };
    assert.deepEqual(await next(), [[null, null]], "before the first price");
    await world.tick("THYAO", 100);
    assert.deepEqual(await next(), [[99, null]]);
    await world.tick("THYAO", 105);
    assert.deepEqual(await next(), [[101, null]], "at most at its limit");
    await world.tick("THYAO", 101);
    assert.deepEqual(await next(), [[100, 103]]);
    await world.tick("THYAO", 99.5);
    assert.deepEqual(await next(), [[98.5, 101.5]], "the lowest one of its pairs");
    const off = { ...levelBot, levelBotDetails: [detail], isActive: false };
    await world.done("levelBots.update", { id, bot: off });
    assert.deepEqual(await next(), [[null, 101.5]], "it buys nothing while it is off");
  });
});

describe("targets of a level bot", () => {
  test("are the prices at which its pairs are sold, inside the limits (behaviour 8.6a)", async () => {
    for (const [change, sellPrice] of [
      [{}, 101],
      [{ minSellPrice: 103 }, 103],
      [{ maxSellPrice: 101 }, 101],
      [{ maxSellPrice: 100 }, null],
    ] as const) {
      const world = await startWorld();
      const id = await createLevel(world, { levelBotDetails: [{ ...levelBot.levelBotDetails[0], ...change }] });
      await world.tick("THYAO", 100);
      await world.tick("THYAO", 99);
      const [pair] = await pairsOf(world, "level", id);
      assert.deepEqual(await targetsOf(world, id), [{ id: pair?.id, sellPrice }], JSON.stringify(change));
      if (sellPrice === null) continue;
      await world.tick("THYAO", sellPrice - 0.05);
      assert.equal((await pairsOf(world, "level", id)).length, 1, "one step under it nothing is sold");
      await world.tick("THYAO", sellPrice);
      assert.equal((await pairsOf(world, "level", id)).length, 0);
      assert.deepEqual(await targetsOf(world, id), []);
    }
  });

  test("are not found by another user", async () => {
    const world = await startWorld();
    const id = await createLevel(world);
    const foreign = await world.query(QUERIES.listLevelTargets, { id, brokerageCode: "PAPER" }, { userId: USER + 1 });
    assert.deepEqual(
      [foreign].map((reply) => (reply as { readonly ok: boolean; readonly code: string }).code),
      ["NOT_FOUND"],
    );
  });
});

/** A store of history rows that counts the rows whose values it gave. */
class CountedStore implements Pick<Store, "scan"> {
  readonly rows = new Map<string, string>();
  valuesRead = 0;

  add(name: string, row: { readonly systemId: number; readonly sellQuantity: number; readonly profit: number }): void {
    this.rows.set(viewKey(`history/${name}`), JSON.stringify(row));
  }

  async *scan({ gte, lt, keysOnly }: ScanRange) {
    const keys = [...this.rows.keys()].filter((key) => key >= gte && key < lt).sort();
    if (keysOnly !== true) this.valuesRead += keys.length;
    yield keys.map((key) => [key, Buffer.from(keysOnly === true ? "" : (this.rows.get(key) ?? ""))] as const);
  }
}

describe("sums of a history", () => {
  const row = { systemId: 7, sellQuantity: 1, profit: 0.1 };
  const profitOf = async (store: CountedStore) => (await closedTotalsOf(store, "history/")).get(7)?.profit;

  test("are exact, and read only rows that are newer than the ones they know", async () => {
    const store = new CountedStore();
    assert.equal(await profitOf(store), undefined);
    for (const name of ["5", "6", "7"]) store.add(name, row);
    assert.equal(await profitOf(store), "0.3");
    assert.equal(store.valuesRead, 3);
    store.add("4", { ...row, profit: -0.25 });
    assert.equal(await profitOf(store), "0.05");
    assert.equal(store.valuesRead, 4, "one more");
    assert.equal(await profitOf(store), "0.05");
    assert.equal(store.valuesRead, 4);
  });

  test("contain a pair that closed with an earlier date than pairs they know", async () => {
    const store = new CountedStore();
    for (const name of ["5", "7"]) store.add(name, row);
    assert.equal(await profitOf(store), "0.2");
    store.add("6", { ...row, profit: 1 });
    store.add("4", { ...row, systemId: 8, profit: 2 });
    assert.equal(await profitOf(store), "1.2");
    assert.equal((await closedTotalsOf(store, "history/")).get(8)?.profit, "2");
  });

  /** The view of the bot's totals after these profits, the oldest first. The keys of a history begin with the newest. */
  async function viewAfter(profits: readonly number[], readAt: readonly number[] = []): Promise<BotTotalsView> {
    const store = new CountedStore();
    for (const [index, profit] of profits.entries()) {
      store.add(String(900 - index), { ...row, profit });
      if (readAt.includes(index)) await closedTotalsOf(store, "history/");
    }
    return viewOfTotals(7, (await closedTotalsOf(store, "history/")).get(7), { openCount: 0, open: [] });
  }

  test("have gains and losses apart, their ratio, and the part that gained (behaviour 8.6)", async () => {
    const { grossProfit, grossLoss, profitFactor, winRate, profit } = await viewAfter([0.1, 0.2, -0.7, 0, 0.4]);
    assert.deepEqual([grossProfit, grossLoss, profit], [0.7, 0.7, 0]);
    assert.deepEqual([profitFactor, winRate], [1, 0.6]);
    assert.equal((await viewAfter([2, 1, -1.3])).profitFactor, 2.3077, "to four decimals");
    assert.equal((await viewAfter([1])).profitFactor, null, "without a loss there is no ratio");
  });

  test("have the highest running profit, and the largest fall from its highest value before (behaviour 8.6)", async () => {
    for (const [profits, drawdown, highest] of [
      [[1, 2, 3], 0, 6],
      [[-4, 10], 4, 6],
      [[5, -0.1, -0.2, 9, -0.2], 0.3, 13.7],
      [[5, -6, 1, -3, 20], 8, 17],
      [[-1, -2, 4, -3], 3, 1],
      [[-1, -2], 3, 0],
    ] as const) {
      const { largestDrawdown, highestProfit } = await viewAfter(profits);
      assert.deepEqual([largestDrawdown, highestProfit], [drawdown, highest], profits.join());
    }
  });

  test("have the same fall wherever the history was read before", async () => {
    const step = (index: number): number => ((index * 7919) % 23) - 11;
    const profits = Array.from({ length: 60 }, (_, index) => step(index));
    let [sum, peak, drawdown] = [0, 0, 0];
    for (const profit of profits) {
      sum += profit;
      peak = Math.max(peak, sum);
      drawdown = Math.max(drawdown, peak - sum);
    }
    for (const readAt of [[], [0], [10, 11, 40], profits.map((_, index) => index)]) {
      const { largestDrawdown, highestProfit } = await viewAfter(profits, readAt);
      assert.deepEqual([largestDrawdown, highestProfit], [drawdown, peak], readAt.join());
    }
  });
});
