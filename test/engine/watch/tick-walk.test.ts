/** Level bots count every tick, in order, however many wake and however much waits (behaviour 8.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LastPrice } from "../../../engine/ports/price.ts";
import { TickWalk } from "../../../engine/watch/tick-walk.ts";
import { COMMANDS } from "../../../src/contract/command.ts";
import type { LevelBot } from "../../../src/domain/bot/level-bot-levels.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { type LevelBotEvent, levelBotFacts, levelBotMachine } from "../../../src/machine/level-bot.ts";
import { TestActor } from "../../machine/actor.ts";
import { BotWorld, units } from "../../machine/bot/bot-world.ts";
import fc from "../../support/property.ts";
import { testFeed } from "../../support/world/test-feed.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../support/world/trading-world.ts";
import { levelBot, limits } from "../command/trading/bots.ts";

const DETAIL = { symbol: "THYAO", buyGap: 1, sellGap: 2, targetProfit: 0, profit: 0, quantity: 3, ...limits };

/** Level bots of one owner each, and a brokerage that answers nothing. */
async function crowd(count: number, details: readonly object[] = [DETAIL]): Promise<[TradingWorld, number[]]> {
  const world = await startWorld();
  const ids: number[] = [];
  for (let user = 1; user <= count; user += 1) {
    const body = { ...levelBot, accountNumber: `PAPER-${user}`, levelBotDetails: details };
    const created = (await world.done("levelBots.create", body, { userId: user })) as { id: number };
    ids.push(created.id);
  }
  world.isMute = true;
  return [world, ids];
}

function botOf(world: TradingWorld, id: number): LevelBot {
  const found = world.partition.host.find("levelBot", id);
  assert.ok(found !== undefined);
  return found.context as LevelBot;
}

/** Work that waits in the inbox and does nothing. */
function keepBusy(world: TradingWorld, pieces: number): void {
  for (let count = 0; count < pieces; count += 1) world.partition.inbox.enqueue(() => undefined);
}

function countOf(numbers: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

describe("level bots count every tick", () => {
  for (const [owners, waiting] of [
    [1, 0],
    [150, 0],
    [1, 3_000],
    [200, 3_000],
  ] as const) {
    test(`${owners} of one level with ${waiting} pieces of work before them all buy after a rise between`, async () => {
      const [world, ids] = await crowd(owners);
      await world.tick("THYAO", 100);
      keepBusy(world, waiting);
      for (const price of [105, 110, 104.5]) world.give("THYAO", price);
      await world.time.turns();
      assert.deepEqual(countOf(ids.map((id) => botOf(world, id).lastPairNumber)), { 1: owners });
      assert.equal(world.partition.outbox.pending().length, owners);
      assert.ok(ids.every((id) => botOf(world, id).details[0]?.anchor === 10_450));
    });
  }

  test("a lone bot makes every buy of a fall though other work waits before each tick", async () => {
    const [world, [id = 0]] = await crowd(1);
    await world.tick("THYAO", 100);
    for (let step = 1; step <= 40; step += 1) {
      keepBusy(world, 300);
      world.give("THYAO", 100 - step);
    }
    await world.time.turns();
    assert.equal(botOf(world, id).lastPairNumber, 40);
  });

  test("a fill that came before a rise and a fall arms the sell that the rise fires", async () => {
    const [world, [id = 0]] = await crowd(1);
    await world.tick("THYAO", 100);
    await world.tick("THYAO", 99);
    const { host, inbox } = world.partition;
    const name = `p${botOf(world, id).details[0]?.pairs[0]?.pairId}b`;
    const timeMs = world.time.nowMs();
    const record = {
      orderNo: "B",
      symbol: "THYAO",
      buySell: 1,
      orderStatus: 2,
      filledQuantity: 3,
      averagePrice: 99,
    } as const;
    keepBusy(world, 500);
    inbox.enqueue(
      () => void host.wake(id, { type: "orderPlaced", name, orderNo: "B", orderStatus: 1, quantity: 1, timeMs }),
    );
    inbox.enqueue(() => void host.wake(id, { type: "orderUpdated", record, timeMs }));
    for (const price of [101, 99.5]) world.give("THYAO", price);
    await world.time.turns();
    assert.equal(botOf(world, id).details[0]?.pairs[0]?.sellAttempts, 1);
  });

  for (const waiting of [0, 1]) {
    test(`of two symbols that fell within one message that is read back both are bought, with ${waiting} pieces of work before it`, async () => {
      const details = SYMBOLS.map((symbol) => ({ ...DETAIL, symbol }));
      const [world, [id = 0]] = await crowd(1, details);
      for (const symbol of SYMBOLS) await world.tick(symbol, 100);
      await world.time.advance(100);
      world.isCatchingUp = true;
      keepBusy(world, waiting);
      for (const symbol of SYMBOLS) world.give(symbol, 99, true);
      await world.time.turns();
      world.isCatchingUp = false;
      world.partition.onCaughtUp();
      await world.time.turns();
      assert.equal(botOf(world, id).lastPairNumber, SYMBOLS.length);
    });
  }

  test("a bot that is released buys by no price of the time in which it was quarantined", async () => {
    const [world, [id = 0]] = await crowd(1, [{ ...DETAIL, maxBuyPrice: 99 }]);
    await world.tick("THYAO", 100);
    const price = livePrice(98);
    assert.ok(price !== undefined);
    const held = { symbol: "THYAO", price, timeMs: world.time.nowMs(), isCaughtUp: false };
    const { host, watchbook, inbox } = world.partition;
    for (const watch of levelBotFacts(botOf(world, id)).watches) watchbook.disarm(id, watch);
    host.quarantine.admit(id, "a fault of ours", { type: "ticksPassed", ticks: [held] });
    await world.time.advance(3_600_000);
    await world.tick("THYAO", 120);
    inbox.enqueue(() => void host.release(id));
    await world.time.turns();
    assert.equal(botOf(world, id).lastPairNumber, 0);
    await world.tick("THYAO", 98);
    assert.notEqual(botOf(world, id).lastPairNumber, 0, "it is under watch");
  });

  test("a symbol that only bots count is one that ticks are wanted of, whatever the reference data say", async () => {
    const [world] = await crowd(1);
    await world.tick("THYAO", 100);
    assert.deepEqual(
      SYMBOLS.map((symbol) => world.partition.hasArmed(symbol)),
      [true, false],
    );
  });

  test("rows that are reached are sold though bots wait by the thousand", async () => {
    const [world] = await crowd(200);
    await world.tick("THYAO", 100);
    const group = { brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: "THYAO", stopLossPrice: 90 };
    const rows = { stopLossQuantity: 10, takeProfitItems: [{ price: 120, quantity: 10 }] };
    await world.done(COMMANDS.createGroup, { ...group, ...rows });
    for (const price of [105, 99, 106, 98]) world.give("THYAO", price);
    assert.ok(!world.partition.walk.isIdle);
    world.give("THYAO", 90);
    const sells = world.partition.outbox.pending().filter(({ clientOrderId }) => /-r\d+/.test(clientOrderId));
    assert.equal(sells.length, 1, "the stop-loss is asked for in the call that brought its price");
    await world.time.turns();
  });
});

const SYMBOLS = ["THYAO", "GARAN"] as const;
const pick = fc.nat(20);
const price = fc.oneof(
  fc.integer({ min: 190, max: 210 }).map((halves) => halves * 500),
  fc.integer({ min: 95_000, max: 105_000 }),
);
const move = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant("tick" as const), symbol: fc.constantFrom(...SYMBOLS), price }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("answer" as const), pick, isTaken: fc.constantFrom(true, true, false) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("report" as const),
      pick,
      status: fc.constantFrom(2, 2, 3),
      filled: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("busy" as const), pieces: fc.constantFrom(1, 40, 700) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("turn" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("turns" as const) }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** A bot of the engine, and its twin that is given everything in the moment in which it comes. */
class Twins {
  readonly world: TradingWorld;
  readonly ids: readonly number[];
  readonly twins: readonly BotWorld<LevelBot, LevelBotEvent>[];

  constructor(world: TradingWorld, ids: readonly number[]) {
    this.world = world;
    this.ids = ids;
    this.twins = ids.map((id) => {
      const actor = new TestActor<LevelBot, LevelBotEvent>(levelBotMachine, "active", botOf(world, id), levelBotFacts);
      const twin = new BotWorld<LevelBot, LevelBotEvent>(actor, () => undefined);
      twin.timeMs = world.time.nowMs();
      return twin;
    });
  }

  async play(given: Move): Promise<void> {
    const { world } = this;
    if (given.type === "busy") keepBusy(world, given.pieces);
    else if (given.type === "turn") await world.time.turn();
    else if (given.type === "turns") await world.time.turns();
    else if (given.type === "tick") {
      world.give(given.symbol, units(given.price));
      for (const twin of this.twins) twin.tick(given.symbol, given.price);
    } else this.#tell(given);
  }

  compare(): void {
    for (const [index, id] of this.ids.entries()) {
      assert.deepEqual(botOf(this.world, id), this.twins[index]?.actor.context);
    }
  }

  #tell(given: Extract<Move, { pick: number }>): void {
    const index = given.pick % this.twins.length;
    const twin = this.twins[index];
    const id = this.ids[index];
    if (twin === undefined || id === undefined) return;
    const open = [...(given.type === "answer" ? twin.waiting : twin.placed).keys()];
    const subject = open[given.pick % Math.max(1, open.length)];
    if (subject === undefined) return;
    const toldBefore = twin.told.length;
    if (given.type === "answer") twin.answer(subject, given.isTaken);
    else {
      const last = twin.last.get(twin.placed.get(subject)?.symbol ?? "") ?? 100_000;
      const filledQuantity = given.status === 2 ? 3 : given.filled;
      twin.report(subject, { orderStatus: given.status, filledQuantity, averagePrice: units(last) });
    }
    const { host, inbox } = this.world.partition;
    for (const event of twin.told.slice(toldBefore)) inbox.enqueue(() => void host.wake(id, event));
  }
}

test("whatever waits and however turns fall, a bot does what a twin does that sees everything as it comes", async () => {
  const details = SYMBOLS.map((symbol) => ({ ...DETAIL, symbol, maxSellPrice: symbol === "GARAN" ? 103 : 0 }));
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60, size: "max" }), async (moves) => {
      const [world, ids] = await crowd(3, details);
      const twins = new Twins(world, ids);
      for (const one of moves) await twins.play(one);
      await world.time.turns();
      twins.compare();
    }),
    { numRuns: 50 },
  );
});

test("a crowd of one level does what one of it does", async () => {
  const rises = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(rises, { minLength: 1, maxLength: 4 }), async (bursts) => {
      const [world, ids] = await crowd(80);
      const twins = new Twins(world, ids.slice(0, 1));
      for (const burst of bursts) {
        for (const unit of burst) await twins.play({ type: "tick", symbol: "THYAO", price: unit * 1_000 });
        await world.time.turn();
      }
      await world.time.turns();
      twins.compare();
      const [first] = ids.map((id) => botOf(world, id).details);
      const plain = (details: unknown): string => JSON.stringify(details).replaceAll(/"pairId":\d+/g, "");
      for (const id of ids) assert.equal(plain(botOf(world, id).details), plain(first));
    }),
    { numRuns: 6 },
  );
});

describe("the last price that an actor has seen", () => {
  function walking() {
    const inbox = { isIdle: true, receivedCount: 0, finishedCount: 0 };
    const last = new Map<string, LastPrice>();
    const walk = new TickWalk({
      inbox,
      watchbook: {
        everyTickNumber: (symbol) => ["THYAO", "GARAN"].indexOf(symbol),
        ...{ symbolsOfEveryTick: () => [], collectEveryTick: () => 0 },
      },
      prices: { last: (symbol) => last.get(symbol) },
      timers: { soon: () => undefined, after: () => () => undefined },
      steadyClock: { nowMs: () => 0 },
      give: () => undefined,
      ...{ feed: testFeed(), isReadBack: () => false },
      fatal: (message) => assert.fail(message),
    });
    const know = (symbol: string, value: number): void => {
      const price = livePrice(value);
      assert.ok(price !== undefined);
      last.set(symbol, { price, timeMs: value });
    };
    const tick = (symbol: string, value: number): void => {
      know(symbol, value);
      const price = last.get(symbol)?.price;
      assert.ok(price !== undefined);
      walk.onTick({ symbol, price, timeMs: value, isCaughtUp: false });
    };
    const hold = (value: number): void => {
      know("THYAO", value);
      walk.pass("THYAO");
    };
    const seen = (symbol = "THYAO"): number | undefined => walk.lastSeenBy(7, symbol)?.price.value;
    return { inbox, walk, know, tick, hold, seen };
  }

  test("is one of a hold, though a later tick waits behind the work that makes the actor", () => {
    const { inbox, walk, tick, hold, seen } = walking();
    tick("THYAO", 105);
    hold(98);
    Object.assign(inbox, { isIdle: false, receivedCount: 2 });
    tick("THYAO", 97);
    walk.begin(7);
    assert.equal(seen(), 98);
  });

  test("is one of a hold, though a tick from before the hold waits for others", () => {
    const { inbox, walk, tick, hold, seen } = walking();
    inbox.isIdle = false;
    tick("THYAO", 105);
    hold(98);
    walk.begin(7);
    assert.equal(seen(), 98);
  });

  test("is known though only ticks of other symbols were ever counted", () => {
    const { inbox, walk, know, tick, seen } = walking();
    know("GARAN", 50);
    inbox.isIdle = false;
    tick("THYAO", 105);
    walk.begin(7);
    assert.equal(seen("GARAN"), 50);
  });
});
