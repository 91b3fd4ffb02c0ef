/**
 * One replay: the same ticks over the same bots and setups, with or without kills, in a process of its own (the hooks
 * of node's test runner make promises several times as expensive). Arguments: the seed of the kills, none without;
 * prints the outcome as JSON.
 *
 * The outcome contains each order, the moment of its decision, its fill price and its end. It leaves out the times at
 * which the brokerage's reports arrive: after a kill they come later.
 */
import assert from "node:assert/strict";
import { WEBHOOK_PATH, type WebhookBotRow } from "../../../src/contract/trading/bot.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const TICKS = 100_000;
/** Every symbol has a tick of its own in a round; the next round comes when all that followed is settled. */
const ROUND_MS = 200;
const KILLS = 20;
/** Time to settle what a kill cut off; every run gets it. */
const PAUSE_MS = 60_000;
const USERS = 100;
const LEVEL_BOTS_A_USER = 9;
const SETUPS_A_USER = 10;
const BOT_SYMBOLS = Array.from({ length: 10 }, (_, index) => `BOT${index}`);
const SETUP_SYMBOLS = Array.from({ length: 10 }, (_, index) => `SETUP${index}`);
const SYMBOLS = [...BOT_SYMBOLS, ...SETUP_SYMBOLS];
const ROUNDS = TICKS / SYMBOLS.length;
const SIGNAL_EVERY_ROUNDS = 100;

interface Tick {
  readonly symbol: string;
  readonly price: number;
}

/** A small deterministic random source. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** Prices that wander between 80 and 125. */
function makeRounds(): Tick[][] {
  const random = randomOf(1);
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, 10_000]));
  const tick = (symbol: string): Tick => {
    const step = Math.round((random() - 0.5) * 60);
    const hundredths = Math.min(12_500, Math.max(8_000, (prices.get(symbol) ?? 0) + step));
    prices.set(symbol, hundredths);
    return { symbol, price: hundredths / 100 };
  };
  return Array.from({ length: ROUNDS }, () => SYMBOLS.map(tick));
}

const users = Array.from({ length: USERS }, (_, index) => index + 1);

function placeOf(userId: number): { brokerageCode: string; accountNumber: string } {
  return { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}` };
}

/**
 * Makes 900 level bots, 100 webhook bots, 1,000 setups for orders that rest below the market. Returns the webhooks'
 * secrets.
 */
async function populate(world: TradingWorld): Promise<string[]> {
  const random = randomOf(2);
  for (const symbol of SYMBOLS) world.give(symbol, 100);
  const secrets: string[] = [];
  for (const userId of users) {
    const bot = { ...placeOf(userId), isActive: true };
    for (let index = 0; index < LEVEL_BOTS_A_USER; index += 1) {
      const gaps = { buyGap: 3 + Math.floor(random() * 5), sellGap: 3 + Math.floor(random() * 5) };
      const levelBotDetails = [{ symbol: BOT_SYMBOLS[index], quantity: 1 + Math.floor(random() * 9), ...gaps }];
      await world.done("levelBots.create", { ...bot, name: `level ${index}`, levelBotDetails }, { userId });
    }
    const webhookBotDetails = [{ symbol: BOT_SYMBOLS[9], algoName: "A", period: "1H", quantity: 5 }];
    const created = await world.done("webhookBots.create", { ...bot, name: "hook", webhookBotDetails }, { userId });
    secrets.push((created as WebhookBotRow).webhookPath.slice(WEBHOOK_PATH.length));
    for (let index = 0; index < SETUPS_A_USER; index += 1) {
      const symbol = SETUP_SYMBOLS[index] ?? "";
      const order = { symbol, price: 82 + Math.floor(random() * 18), clientOrderId: `rest-${userId}-${index}` };
      const { orderNo: brokerOrderNo } = await world.order(order, userId);
      const takeProfitItems = [
        { percent: 2, quantity: 4 },
        { percent: 6, quantity: 5 },
      ];
      const setup = { ...placeOf(userId), symbol, brokerOrderNo, stopLossQuantity: 10, stopLossPercent: 4 };
      await world.done("setup.register", { ...setup, takeProfitItems }, { userId });
    }
  }
  return secrets;
}

interface Outcome {
  readonly orders: readonly string[];
  readonly openPairs: readonly string[];
  readonly history: readonly string[];
  readonly rows: readonly string[];
}

async function replay(rounds: readonly (readonly Tick[])[], killSeed: number | undefined): Promise<Outcome> {
  const random = randomOf(killSeed ?? 0);
  const paper = { startingCash: 1_000_000_000, startingPositions: {}, requiresLogin: false, fillShareMax: 1 };
  const world = await startWorld({ symbols: SYMBOLS, paper });
  const secrets = await populate(world);
  const startMs = world.time.nowMs();
  const firstPosition = world.position;
  const given: { readonly tick: Tick; readonly timeMs: number }[] = [];
  for (const [index, round] of rounds.entries()) {
    await world.time.advance(ROUND_MS);
    for (const tick of round) {
      given.push({ tick, timeMs: world.time.nowMs() });
      world.give(tick.symbol, tick.price);
    }
    if (index % SIGNAL_EVERY_ROUNDS === 0) signalAll(world, secrets, index / SIGNAL_EVERY_ROUNDS);
    if (index % (ROUNDS / KILLS) !== ROUNDS / KILLS / 2) continue;
    if (killSeed !== undefined) {
      const turns = Math.floor(random() * 10);
      for (let turn = 0; turn < turns; turn += 1) await world.time.turn();
      await world.restart(random() < 0.5, (partition) => {
        for (const { tick: missed, timeMs } of given.slice(world.position - firstPosition)) {
          const price = livePrice(missed.price);
          assert.ok(price !== undefined);
          world.position += 1;
          partition.onTick({ symbol: missed.symbol, price, timeMs, isCaughtUp: true });
        }
      });
    }
    await world.time.advance(PAUSE_MS);
  }
  await world.time.advance(PAUSE_MS);
  assert.ok(world.time.nowMs() - startMs < 3_600_000, "hours held stay 0, whenever a fill was heard of");
  assert.deepEqual(
    world.log.filter(({ level }) => level === "error"),
    [],
  );
  return outcomeOf(world);
}

function signalAll(world: TradingWorld, secrets: readonly string[], round: number): void {
  const side = round % 2 === 0 ? ("buy" as const) : ("sell" as const);
  const signal = { algoName: "A", period: "1H", symbol: BOT_SYMBOLS[9], side, id: round };
  for (const webhookSecret of secrets) world.giveOfNobody("webhook.signal", { webhookSecret, signal, bodyHash: "" });
}

/** Leaves out the numbers that the brokerage gave out, or that depend on the order of its reports. */
async function outcomeOf(world: TradingWorld): Promise<Outcome> {
  const orders: string[] = [];
  const openPairs: string[] = [];
  const history: string[] = [];
  const rows: string[] = [];
  for (const userId of users) {
    for (const order of await world.orders(userId)) {
      const { clientOrderId, symbol, buySell, quantity, averagePrice, orderStatus } = order;
      const isPair = /-p\d+[bs]/.test(clientOrderId ?? "");
      orders.push(
        [userId, isPair ? clientOrderId : "", symbol, buySell, quantity, averagePrice, orderStatus].join(" "),
      );
    }
    for (const kind of ["level", "webhook"]) {
      const bots = (await world.query(`${kind}Bots.list`, placeOf(userId), { userId })) as { id: number }[];
      for (const { id } of bots) {
        const asked = { id, brokerageCode: "PAPER" };
        for (const pair of (await world.query(`${kind}Bots.pairs`, asked, { userId })) as Record<string, unknown>[]) {
          openPairs.push(JSON.stringify({ ...pair, buyOrderNo: "", sellOrderNo: "" }));
        }
      }
    }
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const asked = { ...placeOf(userId), page, pageSize: 100 };
      const data = (await world.query("levelBots.history", asked, { userId })) as { items: Record<string, unknown>[] };
      isLast = data.items.length < 100;
      for (const item of data.items) history.push(JSON.stringify({ ...item, buyOrderNo: "", sellOrderNo: "" }));
    }
    for (const row of (await world.query("oco.list", placeOf(userId), { userId })) as Record<string, unknown>[]) {
      const { symbol, orderType, quantity, price, status, triggeredPrice, triggeredDate, triggerErrorMessage } = row;
      const parts = [userId, symbol, orderType, quantity, price, status, triggeredPrice, triggeredDate];
      rows.push([...parts, triggerErrorMessage].join(" "));
    }
  }
  return { orders: orders.sort(), openPairs: openPairs.sort(), history: history.sort(), rows: rows.sort() };
}

const [, , killSeed] = process.argv;
const outcome = await replay(makeRounds(), killSeed === undefined ? undefined : Number(killSeed));
process.stdout.write(JSON.stringify(outcome));
