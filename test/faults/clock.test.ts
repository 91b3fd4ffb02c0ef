/**
 * A wall clock that steps by any amount in either direction: levels still fire once, ticks are believed again as soon
 * as they can be, and a restart in between changes nothing (catalogue 47, 93; behaviour 3.2).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TickAcceptance } from "../../engine/feed/acceptance.ts";
import { NO_LIMITS } from "../engine/feed/support/ports.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../support/world/trading-world.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 5, 9);
const JUMPS: readonly (readonly [string, number])[] = [
  ["a year back", -365 * DAY_MS],
  ["a day back", -DAY_MS],
  ["an hour back", -HOUR_MS],
  ["six seconds back", -6 * SECOND_MS],
  ["a second back", -SECOND_MS],
  ["a second ahead", SECOND_MS],
  ["six seconds ahead", 6 * SECOND_MS],
  ["an hour ahead", HOUR_MS],
  ["a day ahead", DAY_MS],
  ["a year ahead", 365 * DAY_MS],
];

const SYMBOL = "THYAO";
const PAPER = { startingCash: 1e6, startingPositions: { THYAO: 1e6 }, requiresLogin: false, fillShareMax: 1 };
const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: SYMBOL, stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [
    { price: 110, quantity: 4 },
    { price: 120, quantity: 6 },
  ],
};

async function armed(): Promise<TradingWorld> {
  const world = await startWorld({ paper: PAPER });
  await world.tick(SYMBOL, 100);
  await world.done("oco.create", GROUP);
  return world;
}

async function statusesOf(world: TradingWorld): Promise<string> {
  const rows = await world.query("oco.list", { brokerageCode: "PAPER", accountNumber: ACCOUNT });
  return (rows as { status: number }[]).map(({ status }) => status).join();
}

async function assertSold(world: TradingWorld, statuses: string, orderCount: number): Promise<void> {
  assert.equal(await statusesOf(world), statuses);
  assert.equal((await world.orders()).length, orderCount);
  assert.equal(new Set(world.sent).size, orderCount);
}

for (const [name, byMs] of JUMPS) {
  describe(`the engine's clock steps ${name}`, () => {
    test("what was armed before fires once, at the next price that reaches it", async () => {
      const world = await armed();
      world.time.stepClock(byMs);
      await assertSold(world, "1,1,1", 0);
      await world.tick(SYMBOL, 111);
      await world.tick(SYMBOL, 112);
      assert.equal(await statusesOf(world), "1,2,1");
      await world.tick(SYMBOL, 89);
      // Accepted sells that come within 10 ms of each other are settled together.
      await world.time.advance(10);
      assert.equal(await statusesOf(world), "2,2,4");
      assert.equal(new Set(world.sent).size, 2);
      assert.equal(world.sent.length, 2);
    });

    test("with an order on its way: it is sent once, and its row is Triggered", async () => {
      const world = await armed();
      world.isMute = true;
      await world.tick(SYMBOL, 111);
      world.time.stepClock(byMs);
      world.isMute = false;
      await world.restart();
      await world.time.advance(60 * SECOND_MS);
      assert.equal(await statusesOf(world), "1,2,1");
      assert.equal(new Set(world.sent).size, 1);
    });

    test("while the engine is down: its rows are there, and fire once", async () => {
      const world = await armed();
      world.kill(true);
      world.time.stepClock(byMs);
      await world.start();
      await world.tick(SYMBOL, 89);
      await world.tick(SYMBOL, 88);
      assert.equal(await statusesOf(world), "2,4,4");
      assert.equal(world.sent.length, 1);
    });

    test("there and back again: nothing fires for it, and the next price counts", async () => {
      const world = await armed();
      world.time.stepClock(byMs);
      await world.time.advance(SECOND_MS);
      world.time.stepClock(-byMs);
      await world.time.advance(SECOND_MS);
      await assertSold(world, "1,1,1", 0);
      await world.tick(SYMBOL, 111);
      await assertSold(world, "1,2,1", 1);
    });

    test("ticks without a time go on counting, and those whose clock is right count once the engine's is", () => {
      const accepted: number[] = [];
      const acceptance = new TickAcceptance({
        symbols: { isKnown: () => true },
        clock: { nowMs: () => START_MS },
        ...NO_LIMITS,
        onTick: ({ price }) => accepted.push(price.value),
      });
      const offer = (price: number, ownTimeMs: number, atMs: number): boolean => {
        const count = accepted.length;
        acceptance.offer(acceptance.find(SYMBOL) ?? assert.fail(), price, ownTimeMs, atMs);
        return accepted.length > count;
      };
      assert.ok(offer(100, START_MS, START_MS));
      const wrongMs = START_MS + 10 + byMs;
      assert.ok(offer(101, Number.NaN, wrongMs), "no time, no doubt");
      // A right clock stamped this tick while the engine's is wrong: too far ahead of a clock set back (behaviour 3.2).
      const isBelieved = offer(102, START_MS + 20, wrongMs);
      if (byMs < -5 * SECOND_MS) assert.ok(!isBelieved);
      assert.ok(offer(103, Number.NaN, wrongMs + 1));
      const rightMs = START_MS + 30 + Math.max(0, Math.min(byMs, 6 * SECOND_MS));
      const isSmall = byMs > 0 && byMs < 5 * SECOND_MS;
      assert.ok(offer(104, rightMs, rightMs) || isSmall, "the clock is right again, and so is the tick");
      assert.ok(offer(105, Number.NaN, rightMs + 1));
      assert.ok(offer(106, rightMs + 2 + 6 * SECOND_MS, rightMs + 2 + 6 * SECOND_MS));
    });
  });
}
