/**
 * A world of many owners' level bots on one level: ticks come in bursts, fills between them, and the engine dies in the
 * middle, while other work waits in front of every event.
 *
 * Owns: what happens, by a seed, and how busy the engine is then, by another seed. Does not own: the effect of one
 * price on one bot (`level-twin.ts`).
 *
 * Judged: every bot equals its naive twin that saw every tick and every fill as it came (behaviour 8.2). So the same
 * seed asks for the same orders, however busy the engine is.
 */
import { COMMANDS } from "../../../src/contract/command.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";
import { buyName, sellName } from "../oracle/bot-model.ts";
import { expectedStep } from "../oracle/level-twin.ts";
import { type PlainBot, PlainDisk, type PlainLevelDetail, type PlainPair } from "../oracle/plain-rows.ts";
import { Random } from "../world/random.ts";

const SYMBOL = "THYAO";
const FIRST_MILLI = 100_000;
const LIMITS = { minBuyPrice: 0, maxBuyPrice: 0, minSellPrice: 0, maxSellPrice: 0 };
const DETAIL = { symbol: SYMBOL, buyGap: 1, sellGap: 2, targetProfit: 0, profit: 0, quantity: 3, ...LIMITS };
const NO_LIMITS = { minBuyPrice: null, maxBuyPrice: null, minSellPrice: null, maxSellPrice: null };
const NOT_SENT = { quantity: 3, sentAtMs: null, orderNo: null, completedAtMs: null, averagePrice: null };

interface Tick {
  readonly milli: number;
  readonly atMs: number;
}

/** A bot as the plain rules leave it, given every event in the moment in which it comes. */
class NaiveBot {
  readonly botId: number;
  readonly asked: string[] = [];
  #bot: PlainBot;

  constructor(botId: number) {
    this.botId = botId;
    const terms = { buyGap: 100, sellGap: 200, targetProfit: 0, profit: 0, realisedProfit: "0" };
    const detail = {
      ...terms,
      symbol: SYMBOL,
      quantity: 3,
      limits: NO_LIMITS,
      isRemoved: false,
      pairs: [],
      anchor: null,
    };
    this.#bot = {
      kind: "levelBot",
      botId,
      name: "",
      isActive: true,
      lastPairNumber: 0,
      details: [detail],
      pastOrders: [],
    };
  }

  see(milli: number): void {
    const { orders, anchor } = expectedStep(this.#bot, this.#detail, milli);
    this.asked.push(...orders);
    const buys = orders.filter((name) => name.endsWith("b"));
    const pairs = this.#detail.pairs.map((pair) => {
      const isSold = orders.includes(sellName({ ...pair, sellAttempts: pair.sellAttempts + 1 }));
      return isSold ? { ...pair, sellAttempts: pair.sellAttempts + 1, sell: { ...NOT_SENT, sentAtMs: 1 } } : pair;
    });
    const lastPairNumber = this.#bot.lastPairNumber + buys.length;
    const pairId = this.botId * 1_000_000 + lastPairNumber;
    const bought: PlainPair = {
      pairId,
      buy: { ...NOT_SENT, sentAtMs: 1 },
      sell: NOT_SENT,
      sellAttempts: 0,
      soldQuantity: 0,
      executions: [],
    };
    this.#replace({ anchor, pairs: buys.length === 0 ? pairs : [...pairs, bought] }, lastPairNumber);
  }

  /** The names of the orders that have not ended, oldest pair first. */
  get open(): string[] {
    return this.#detail.pairs.flatMap((pair) => {
      if (pair.buy.completedAtMs === null) return [buyName(pair)];
      return pair.sell.sentAtMs === null ? [] : [sellName(pair)];
    });
  }

  /** Completes an order at a price, and acts on the last price. */
  fill(name: string, milli: number, lastMilli: number): void {
    const { pairs, anchor } = this.#detail;
    if (name.endsWith("b")) {
      const done = { completedAtMs: 1, averagePrice: milli / 1_000 };
      const held = pairs.map((pair) => (buyName(pair) === name ? { ...pair, buy: { ...pair.buy, ...done } } : pair));
      this.#replace({ pairs: held, anchor });
    } else this.#replace({ pairs: pairs.filter((pair) => sellName(pair) !== name), anchor: Math.floor(milli / 10) });
    this.see(lastMilli);
  }

  digest(): string {
    return digestOf(this.#bot);
  }

  get #detail(): PlainLevelDetail {
    return this.#bot.details[0] as PlainLevelDetail;
  }

  #replace(change: Pick<PlainLevelDetail, "pairs" | "anchor">, lastPairNumber = this.#bot.lastPairNumber): void {
    this.#bot = { ...this.#bot, lastPairNumber, details: [{ ...this.#detail, ...change } as PlainLevelDetail] };
  }
}

interface CrowdOptions {
  readonly seed: number;
  readonly ownerCount: number;
  /** Decides how much other work exists, and when it is done; 0: none. */
  readonly loadSeed: number;
}

export class CrowdWorld {
  violation: string | undefined;
  readonly #random: Random;
  readonly #load: Random | undefined;
  readonly #ticks: Tick[] = [];
  readonly #bots: NaiveBot[] = [];
  readonly #world: TradingWorld;
  #milli = FIRST_MILLI;
  #orderCount = 0;
  /** Fills were reported that may not be durable yet: a brokerage would have to be asked for them again. */
  #hasNews = false;

  private constructor(world: TradingWorld, { seed, loadSeed }: CrowdOptions) {
    this.#world = world;
    this.#random = new Random(seed);
    this.#load = loadSeed === 0 ? undefined : new Random(seed * 1_000 + loadSeed);
  }

  /** Runs the world and judges it. */
  static async run(options: CrowdOptions): Promise<CrowdWorld> {
    const crowd = new CrowdWorld(await startWorld(), options);
    for (let userId = 1; userId <= options.ownerCount; userId += 1) await crowd.#create(userId);
    crowd.#world.isMute = true;
    crowd.#tick(FIRST_MILLI);
    await crowd.#world.time.turns();
    const count = crowd.#random.whole(6, 16);
    for (let index = 0; index < count && crowd.violation === undefined; index += 1) await crowd.#happen();
    await crowd.#world.time.turns();
    crowd.#judge();
    return crowd;
  }

  /** Every order that was asked for. */
  digest(): string {
    return this.#asked().join();
  }

  async #create(userId: number): Promise<void> {
    const account = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}` };
    const body = { ...account, name: `of ${userId}`, isActive: true, levelBotDetails: [DETAIL] };
    const { id } = (await this.#world.done(COMMANDS.createLevelBot, body, { userId })) as { id: number };
    this.#bots.push(new NaiveBot(id));
  }

  async #happen(): Promise<void> {
    const random = this.#random;
    const happening = random.weighted<() => Promise<void>>(
      [
        [6, () => this.#burst()],
        [3, () => this.#fill()],
        [1, () => this.#restart()],
      ],
      () => this.#burst(),
    );
    await happening();
    if (random.chance(0.1)) await this.#world.time.turns();
  }

  /** Ticks back to back, except for the turns that the load leaves between them. */
  async #burst(): Promise<void> {
    for (let left = this.#random.whole(1, 6); left > 0; left -= 1) {
      await this.#keepBusy();
      this.#tick(Math.max(60_000, this.#milli + this.#random.whole(-8, 8) * 500));
    }
  }

  #tick(milli: number): void {
    this.#milli = milli;
    this.#world.time.stepClock(1);
    this.#ticks.push({ milli, atMs: this.#world.time.nowMs() });
    this.#world.give(SYMBOL, milli / 1_000);
    for (const bot of this.#bots) bot.see(milli);
  }

  /** Some orders of some bots are completed; the news waits in the inbox like everything else. */
  async #fill(): Promise<void> {
    await this.#keepBusy();
    const share = this.#random.pick([0.2, 1]);
    for (const bot of this.#bots) {
      for (const name of bot.open) if (this.#random.chance(share)) this.#complete(bot, name);
    }
  }

  #complete(bot: NaiveBot, name: string): void {
    this.#hasNews = true;
    this.#orderCount += 1;
    const { time, partition } = this.#world;
    const orderNo = `F${this.#orderCount}`;
    const timeMs = time.nowMs();
    const buySell = name.endsWith("b") ? 1 : 2;
    const done = { orderStatus: 2, filledQuantity: 3, averagePrice: this.#milli / 1_000 };
    const record = { orderNo, symbol: SYMBOL, buySell, ...done } as const;
    const placed = { type: "orderPlaced", name, orderNo, orderStatus: 1, quantity: 3, timeMs } as const;
    partition.inbox.enqueue(() => void partition.host.wake(bot.botId, placed));
    partition.inbox.enqueue(() => void partition.host.wake(bot.botId, { type: "orderUpdated", record, timeMs }));
    bot.fill(name, this.#milli, this.#milli);
  }

  /** The engine dies with ticks in hand; its unfinished ticks are given again. */
  async #restart(): Promise<void> {
    const world = this.#world;
    if (this.#hasNews) await world.time.turns();
    this.#hasNews = false;
    await this.#burst();
    for (let turns = this.#load?.whole(0, 3) ?? 0; turns > 0; turns -= 1) await world.time.turn();
    world.kill(this.#load?.chance(0.5) ?? false);
    this.#setLast(this.#ticks.at(-1));
    await world.start((partition) => {
      for (const tick of this.#ticks.slice(world.position)) {
        const price = this.#setLast(tick);
        world.position += 1;
        if (price !== undefined) partition.onTick({ symbol: SYMBOL, price, timeMs: tick.atMs, isCaughtUp: true });
      }
    });
  }

  #setLast(tick: Tick | undefined) {
    const price = tick === undefined ? undefined : livePrice(tick.milli / 1_000);
    if (tick !== undefined && price !== undefined) this.#world.prices.set(SYMBOL, { price, timeMs: tick.atMs });
    return price;
  }

  /** Adds other work in front of the next event, and does some of it. */
  async #keepBusy(): Promise<void> {
    const load = this.#load;
    if (load === undefined) return;
    for (let pieces = load.pick([0, 1, 40, 700]); pieces > 0; pieces -= 1) {
      this.#world.partition.inbox.enqueue(() => undefined);
    }
    for (let turns = load.pick([0, 0, 0, 1]); turns > 0; turns -= 1) await this.#world.time.turn();
  }

  #judge(): void {
    for (const bot of this.#bots) {
      const found = this.#world.partition.host.find("levelBot", bot.botId);
      const engine = found === undefined ? "nothing" : digestOf({ ...found.context, kind: "levelBot" });
      if (engine !== bot.digest()) this.violation ??= `bot ${bot.botId} is at ${engine}; it must be at ${bot.digest()}`;
    }
    const twins = this.#bots.flatMap(({ asked }) => asked).sort();
    const asked = this.#asked();
    const surplus = asked.filter((name) => !twins.includes(name));
    const missing = twins.filter((name) => !asked.includes(name));
    if (surplus.length > 0) this.violation ??= `${surplus.join()} asked for, and no tick asks for them`;
    if (missing.length > 0) this.violation ??= `${missing.join()} never asked for`;
    if (asked.length !== twins.length) this.violation ??= `${asked.length} orders asked for, and not ${twins.length}`;
  }

  /** No order is ever answered, so that all of them wait. */
  #asked(): string[] {
    const stored = new PlainDisk(this.#world.disk).outbox();
    return stored.map(({ name }) => name.replace(/-.*/, "")).sort();
  }
}

function digestOf(bot: PlainBot): string {
  const [detail] = bot.details;
  const { anchor, pairs } = detail as PlainLevelDetail;
  const plain = pairs.map((pair) => {
    const isBought = pair.buy.completedAtMs !== null;
    return `${pair.pairId}${isBought ? " bought" : ""}${pair.sell.sentAtMs === null ? "" : ` sell ${pair.sellAttempts}`}`;
  });
  return `${bot.lastPairNumber} pairs, anchor ${anchor}, open ${plain.join("; ")}`;
}
