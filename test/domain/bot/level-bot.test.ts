import assert from "node:assert/strict";
import { test } from "node:test";
import { canNumberPair, numberPair, PAIR_NUMBER_MAX } from "../../../src/domain/bot/bot.ts";
import { checkLevelBotUpdate, createLevelBot, reachLevels, updateLevelBot } from "../../../src/domain/bot/level-bot.ts";
import {
  buyRange,
  DETAIL_SLOTS,
  freeSlot,
  type LevelBot,
  levelWatches,
  purposesOf,
} from "../../../src/domain/bot/level-bot-levels.ts";
import { openPair } from "../../../src/domain/bot/pair.ts";
import { levelPlan } from "../../machine/bot/bot-samples.ts";

const OWNER = { botId: 3, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };

function planOf(symbols: readonly string[]) {
  return levelPlan({ levelBotDetails: symbols.map((symbol) => ({ symbol, buyGap: 1 })) });
}

function symbolsFrom(first: number): string[] {
  return Array.from({ length: 100 }, (_, index) => `S${first + index}`);
}

/** The bot with a pair open in every detail. */
function withPairs(bot: LevelBot): LevelBot {
  let next = bot;
  for (const price of [100, 50]) {
    const watches = levelWatches(next).map(({ watch }) => watch);
    next = reachLevels(next, { watches, price, timeMs: 2_000 })?.bot ?? next;
  }
  return next;
}

test("pair ids are the bot's id and a running number, and end before they would run into another bot's", () => {
  const bot = createLevelBot(planOf(["ACME"]), OWNER, 1_000);
  const open = (pairId: number) => openPair(pairId, 5, 2_000);
  const first = numberPair(bot, open);
  assert.equal(first.pair.pairId, 3_000_001);
  assert.equal(numberPair(first.bot, open).pair.pairId, 3_000_002);
  const last = { ...bot, lastPairNumber: PAIR_NUMBER_MAX };
  assert.ok(!canNumberPair(last));
  assert.deepEqual(levelWatches(last), [], "a bot without numbers buys no more");
  assert.throws(() => numberPair(last, open), /has numbers left/);
});

test("watch numbers of a bot stay apart and under 65,536, however often symbols are replaced", () => {
  let bot = createLevelBot(planOf(symbolsFrom(0)), OWNER, 1_000);
  for (let round = 1; round <= 4; round += 1) {
    bot = updateLevelBot(withPairs(bot), planOf(symbolsFrom(round * 100)), 3_000).bot;
    const watches = levelWatches(bot).map(({ watch }) => watch);
    assert.equal(new Set(watches).size, watches.length);
    assert.ok(watches.every((watch) => watch < 65_536));
  }
  assert.equal(bot.details.length, 500);
  assert.ok(bot.details.length <= DETAIL_SLOTS);
  const full = withPairs(bot);
  const sixth = checkLevelBotUpdate(full, planOf(symbolsFrom(500)));
  assert.ok(!sixth.ok);
  assert.match(sixth.message, /^levelBotDetails leaves out too many symbols that still have open pairs \(500\)$/);
  assert.ok(checkLevelBotUpdate(full, planOf(symbolsFrom(300))).ok);
});

test("a symbol without pairs leaves at once, and its slot is free again", () => {
  const bot = createLevelBot(planOf(["AAA", "BBB"]), OWNER, 1_000);
  const { details } = updateLevelBot(bot, planOf(["BBB", "CCC"]), 2_000).bot;
  assert.deepEqual(
    details.map(({ symbol, slot }) => [symbol, slot]),
    [
      ["BBB", 1],
      ["CCC", 0],
    ],
  );
});

test("the lowest free slot is taken", () => {
  assert.equal(freeSlot([]), 0);
  assert.equal(freeSlot([{ slot: 0 }, { slot: 2 }]), 1);
});

test("watch numbers say detail and purpose", () => {
  assert.deepEqual(purposesOf([0, 1, 2, 101, 130], 0), { isAnchor: true, isBuy: true, pairs: [0, 99] });
  assert.deepEqual(purposesOf([0, 130], 1), { isAnchor: false, isBuy: false, pairs: [0] });
  assert.equal(purposesOf([0, 130], 2), undefined);
});

test("a price with more decimals than the grid is an anchor like any, and levels stay on the grid", () => {
  const bot = createLevelBot(planOf(["ACME"]), OWNER, 1_000);
  const anchored = reachLevels(bot, { watches: [0], price: 100.0999, timeMs: 2_000 })?.bot;
  assert.ok(anchored !== undefined);
  const [detail] = anchored.details;
  assert.ok(detail !== undefined);
  assert.deepEqual(buyRange(anchored, detail), { low: null, high: 9_905 });
  assert.equal(reachLevels(anchored, { watches: [1], price: 99.0501, timeMs: 2_001 }), undefined);
  assert.equal(reachLevels(anchored, { watches: [1], price: 99.05, timeMs: 2_001 })?.orders.length, 1);
});

test("a price that is none changes nothing", () => {
  const bot = createLevelBot(planOf(["ACME"]), OWNER, 1_000);
  for (const price of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(reachLevels(bot, { watches: [0], price, timeMs: 2_000 }), undefined);
  }
});
