/**
 * The ticks that a level bot counts: every live tick, and a tick that is read back only if it came after the bot's
 * levels.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { walkTicks } from "../../../src/domain/bot/level-bot-walk.ts";
import { type LiveTick, livePrice } from "../../../src/domain/price/price.ts";
import { CREATED_MS, levelActorOf } from "../../machine/bot/bot-samples.ts";

const SYMBOL = "ACME";
const detail = { symbol: SYMBOL, buyGap: 1, sellGap: 5, quantity: 1 };
const T = CREATED_MS + 1_000;

function tick(value: number, change: Partial<LiveTick> = {}): LiveTick {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return { symbol: SYMBOL, price, timeMs: T, isCaughtUp: false, ...change };
}

function readBack(value: number, sequence: number, timeMs = T, stream = "TICKS of today"): LiveTick {
  return tick(value, { isCaughtUp: true, timeMs, stored: { stream, sequence, timeMs } });
}

/** Walks the bot over the ticks, together and one by one alike; returns the number of buys, and the bot after them. */
function walked(ticks: readonly LiveTick[]): { readonly buys: number; readonly bot: object } {
  const start = levelActorOf(detail).context;
  const atOnce = walkTicks(start, ticks);
  let bot = start;
  let buys = 0;
  for (const one of ticks) {
    const step = walkTicks(bot, [one]);
    bot = step?.bot ?? bot;
    buys += step?.orders.length ?? 0;
  }
  assert.equal(atOnce?.orders.length ?? 0, buys);
  assert.deepEqual(atOnce?.bot ?? start, bot);
  return { buys, bot };
}

test("live ticks of one millisecond all count", () => {
  assert.equal(walked([tick(105), tick(104), tick(103)]).buys, 2);
});

test("so do ticks that are read back: the stream says which of one millisecond came first", () => {
  assert.equal(walked([readBack(105, 7), readBack(104, 8), readBack(103, 9)]).buys, 2);
});

test("the same ticks read back again by a later life count no second time", () => {
  const ticks = [readBack(105, 7), readBack(104, 8), readBack(103, 9)];
  assert.equal(walked([...ticks, ...ticks, readBack(102, 10)]).buys, 3);
});

test("after a change that no stored tick made, one of its millisecond may have come before, and counts not", () => {
  assert.equal(walked([tick(105), readBack(104, 8), readBack(103, 9, T + 1)]).buys, 1);
  const [ofOther, ofNone] = [readBack(104, 8, T, "TICKS of yesterday"), tick(104, { isCaughtUp: true })];
  for (const unclear of [ofOther, ofNone]) assert.equal(walked([readBack(105, 7), unclear]).buys, 0);
});
