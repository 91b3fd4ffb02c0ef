/** Random lives of level bots, held to the rules written the plain way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { levelBotSnapshot } from "../../../src/contract/stored/bot-snapshot.ts";
import type { LevelBot } from "../../../src/domain/bot/level-bot-levels.ts";
import type { LevelDetailRequest } from "../../../src/domain/bot/level-bot-plan.ts";
import { type Amount, isAtLeast, minus, plus } from "../../../src/domain/price/amount.ts";
import type { LevelBotEvent } from "../../../src/machine/level-bot.ts";
import fc from "../../support/property.ts";
import { levelActor, levelPlan } from "./bot-samples.ts";
import { BotWorld, type Thousandths, units } from "./bot-world.ts";
import { NaiveLevelBot, type NaiveTerms } from "./naive-level-bot.ts";

const SYMBOLS = ["AAA", "BBB", "CCC"];

const limit = (low: number, high: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.integer({ min: low, max: high }).map((unit) => unit * 1_000),
  );

const terms = fc
  .record({
    quantity: fc.integer({ min: 1, max: 5 }),
    buyGap: fc.integer({ min: 1, max: 250 }).map((hundredths) => hundredths * 10),
    sellGap: fc.integer({ min: 0, max: 250 }).map((hundredths) => hundredths * 10),
    targetProfitTenths: fc.constantFrom(0, 5, 10, 25),
    profit: fc.constantFrom(0, 0, 3_000, 20_000),
    minBuyPrice: limit(92, 98),
    maxBuyPrice: limit(98, 104),
    minSellPrice: limit(96, 100),
    maxSellPrice: limit(100, 106),
    confirmTicks: fc.constantFrom<1 | 2>(1, 2),
  })
  .map((one) => one);

const plan = fc.record({
  isActive: fc.constantFrom(true, true, false),
  details: fc
    .array(fc.record({ symbol: fc.constantFrom(...SYMBOLS), terms }), { minLength: 1, maxLength: 3 })
    .map((details): NaiveTerms[] => [
      ...new Map(details.map((one) => [one.symbol, { symbol: one.symbol, ...one.terms }])).values(),
    ]),
});

const price = fc.oneof(
  fc.integer({ min: 90, max: 110 }).map((unit) => unit * 1_000),
  fc.integer({ min: 1_800, max: 2_200 }).map((twentieths) => twentieths * 50),
  fc.integer({ min: 90_000, max: 110_000 }),
);

const pick = fc.nat(50);

const move = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant("tick" as const), symbol: fc.constantFrom(...SYMBOLS), price }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      pick,
      isTaken: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("report" as const),
      pick,
      status: fc.constantFrom(1, 2, 2, 2, 2, 3, 4),
      filled: fc.nat(5),
      slip: fc.integer({ min: -300, max: 300 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("update" as const), plan }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(1_000, 30_000, 61_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("repeat" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reload" as const) }) },
);

type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function requestOf(details: readonly NaiveTerms[]): LevelDetailRequest[] {
  return details.map((one) => ({
    symbol: one.symbol,
    quantity: one.quantity,
    buyGap: units(one.buyGap),
    sellGap: units(one.sellGap),
    targetProfit: one.targetProfitTenths / 10,
    profit: units(one.profit),
    minBuyPrice: units(one.minBuyPrice),
    maxBuyPrice: units(one.maxBuyPrice),
    minSellPrice: units(one.minSellPrice),
    maxSellPrice: units(one.maxSellPrice),
    confirmTicks: one.confirmTicks,
  }));
}

function planOf({ isActive, details }: Plan) {
  return levelPlan({ isActive, levelBotDetails: requestOf(details) });
}

function isSameAmount(amount: Amount, thousandths: number): boolean {
  const given = units(thousandths);
  return isAtLeast(amount, given) && isAtLeast(minus("0", amount), -given);
}

class LevelLife {
  readonly world: BotWorld<LevelBot, LevelBotEvent>;
  readonly naive = new NaiveLevelBot();
  earned: Amount = "0";

  constructor(first: Plan) {
    this.world = new BotWorld<LevelBot, LevelBotEvent>(levelActor(planOf(first)), (bot) => {
      levelBotSnapshot.parse(bot);
    });
    this.naive.update(first.details, first.isActive);
  }

  play(given: Move): void {
    const { world } = this;
    world.timeMs += 5;
    const symbol = this.#act(given);
    this.#passTime();
    for (const [one, last] of world.last) this.naive.see(one, last, world.timeMs, one === symbol);
    this.#compare();
  }

  /** Does the move on both sides; answers the symbol that has a new tick. */
  #act(given: Move): string | undefined {
    const { world, naive } = this;
    switch (given.type) {
      case "tick":
        world.tick(given.symbol, given.price);
        return given.symbol;
      case "answer": {
        const name = pickOf(world.waiting, given.pick);
        if (name === undefined) return;
        const isBuy = world.waiting.get(name)?.buySell === 1;
        if (!given.isTaken && isBuy) naive.buyEnded(name, 0, 0);
        if (!given.isTaken && !isBuy) naive.sellEnded(name, 0, 0, world.timeMs);
        world.answer(name, given.isTaken);
        return;
      }
      case "report":
        this.#report(given);
        return;
      case "update":
        naive.update(given.plan.details, given.plan.isActive);
        world.deliver({ type: "update", plan: planOf(given.plan), timeMs: world.timeMs });
        return;
      case "wait":
        world.timeMs += given.ms;
        return;
      case "repeat": {
        const event = world.told[given.pick % Math.max(1, world.told.length)];
        if (event !== undefined) world.tell(event);
        return;
      }
      case "reload":
        world.actor.reload();
    }
  }

  #report(given: Move & { type: "report" }): void {
    const { world, naive } = this;
    const orderNo = pickOf(world.placed, given.pick);
    const order = orderNo === undefined ? undefined : world.placed.get(orderNo);
    if (orderNo === undefined || order === undefined) return;
    const part = Math.max(world.filledOf(orderNo), Math.min(given.filled, order.quantity - 1));
    const quantity = given.status === 2 ? order.quantity : part;
    const fillPrice: Thousandths = (world.last.get(order.symbol) ?? 100_000) + given.slip;
    const averagePrice = quantity === 0 ? 0 : units(fillPrice);
    if (given.status >= 2 && order.buySell === 1) naive.buyEnded(order.name, quantity, fillPrice);
    if (given.status >= 2 && order.buySell === 2) naive.sellEnded(order.name, quantity, fillPrice, world.timeMs);
    world.report(orderNo, { orderStatus: given.status, filledQuantity: quantity, averagePrice });
  }

  #passTime(): void {
    const { world } = this;
    for (;;) {
      const { deadlineMs } = world.actor.facts;
      if (deadlineMs === null || deadlineMs > world.timeMs) return;
      world.deliver({ type: "deadline", timeMs: deadlineMs });
      assert.notEqual(world.actor.facts.deadlineMs, deadlineMs, "a deadline that passed is not waited for again");
    }
  }

  #compare(): void {
    const { world, naive } = this;
    for (const { name, symbol, buySell, quantity } of world.takeSubmitted()) {
      assert.ok(naive.name({ symbol, buySell, quantity }, name), `the rules ask for ${name}`);
    }
    assert.deepEqual(naive.unnamed, [], "what the rules ask for is ordered");
    const { details } = world.actor.context;
    assert.deepEqual(
      details.map(({ symbol, isRemoved, pairs }) => [symbol, isRemoved, pairs.length]),
      naive.details.map(({ terms: { symbol }, isRemoved, pairs }) => [symbol, isRemoved, pairs.length]),
    );
    for (const [index, detail] of details.entries()) {
      const realised = naive.details[index]?.realised ?? 0;
      assert.ok(isSameAmount(detail.realisedProfit, realised), `${detail.realisedProfit} is ${realised} thousandths`);
    }
  }
}

function pickOf<T>(map: ReadonlyMap<string, T>, index: number): string | undefined {
  return [...map.keys()][index % Math.max(1, map.size)];
}

test("a bot that wakes only at its levels orders what the rules ask for at every price, and nothing else", () => {
  fc.assert(
    fc.property(plan, fc.array(move, { maxLength: 120, size: "max" }), (first, moves) => {
      const life = new LevelLife(first);
      for (const one of moves) life.play(one);
    }),
    { numRuns: 400 },
  );
});

test("the realised profit is the sum over the history, and each pair is kept once", () => {
  fc.assert(
    fc.property(
      plan,
      fc.array(
        move.filter(({ type }) => type !== "update"),
        { maxLength: 120, size: "max" },
      ),
      (first, moves) => {
        const life = new LevelLife(first);
        for (const one of moves) life.play(one);
        const { kept, actor } = life.world;
        const sum = kept.reduce((total, { data }) => plus(total, String(data.profit)), "0");
        const realised = actor.context.details.reduce((total, detail) => plus(total, detail.realisedProfit), "0");
        assert.equal(sum, realised);
        const ids = kept.map(({ data }) => (data.pair as { pairId: number }).pairId);
        assert.equal(new Set(ids).size, ids.length);
        const open = actor.context.details.reduce((count, { pairs }) => count + pairs.length, 0);
        assert.equal(ids.length + open, actor.context.lastPairNumber);
      },
    ),
    { numRuns: 150 },
  );
});
