/**
 * A world whose data folder is set back, together with its witness, as a snapshot of a volume does it. The engine knows
 * nothing of the lost life and gives out its ids again, while the lost life's orders remain at the brokerage.
 *
 * Owns: what happens, by a seed. Every row and every client's order has a quantity of its own, so that an order
 * identifies its purpose under any name.
 *
 * Judged: every sold row has exactly one order, a row that sold nothing has no order, and an order that was
 * acknowledged to a client exists once, in whichever life it was placed. No order is mistaken for an order that the
 * lost life sent.
 */
import { COMMANDS } from "../../../src/contract/command.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";
import { ACTIVE, PlainDisk, TRIGGERED } from "../oracle/plain-rows.ts";
import { Random } from "../world/random.ts";

const SYMBOLS = ["THYAO", "GARAN"] as const;
const USERS = [1, 2] as const;
const POSITION = 1_000_000;
const FIRST_PRICE = 100;
/** The quantity of a stop-loss is above this, every other one below. */
const STOP_LOSS_QUANTITY = 1_000;
/** Under every stop-loss there is. */
const LOWEST = 40;

interface Tick {
  readonly symbol: string;
  readonly price: number;
  readonly atMs: number;
}

export class SetBackWorld {
  violation: string | undefined;
  setBackCount = 0;
  readonly #random: Random;
  readonly #world: TradingWorld;
  readonly #ticks: Tick[] = [];
  readonly #prices = new Map<string, number>();
  /** Quantities of client orders that were acknowledged. */
  readonly #told: number[] = [];
  #lastQuantity = 0;
  #copy: ReadonlyMap<string, Uint8Array>;

  private constructor(world: TradingWorld, seed: number) {
    this.#world = world;
    this.#random = new Random(seed);
    this.#copy = new Map(world.disk.entries);
  }

  /** Runs the world and judges it. `lifeName`: names the starts of the engine. */
  static async run(seed: number, lifeName = nameOfLife): Promise<SetBackWorld> {
    const startingPositions = Object.fromEntries(SYMBOLS.map((symbol) => [symbol, POSITION]));
    const paper = { startingCash: 1e9, startingPositions, requiresLogin: false, fillShareMax: 1 };
    const world = new SetBackWorld(await startWorld({ paper, lifeName }), seed);
    for (const symbol of SYMBOLS) await world.#tick(symbol, FIRST_PRICE);
    const count = world.#random.whole(10, 30);
    for (let index = 0; index < count && world.violation === undefined; index += 1) await world.#happen();
    await world.#setBack();
    for (const _ of USERS) await world.#create();
    for (const symbol of SYMBOLS) await world.#tick(symbol, LOWEST);
    await world.#world.time.advance(5_000);
    await world.#judge();
    return world;
  }

  async #happen(): Promise<void> {
    const random = this.#random;
    const happening = random.weighted<() => Promise<void> | void>(
      [
        [8, () => this.#move()],
        [6, () => this.#create()],
        [2, () => this.#placeOrder()],
        [1, () => this.#world.time.advance(random.whole(1, 2_000))],
        [1, () => this.#restart()],
        [1, () => this.#setBack()],
        [1.5, () => this.#keepCopy()],
      ],
      () => this.#move(),
    );
    await happening();
  }

  #move(): Promise<void> {
    const symbol = this.#random.pick(SYMBOLS);
    const price = (this.#prices.get(symbol) ?? FIRST_PRICE) + this.#random.whole(-6, 6);
    return this.#tick(symbol, Math.min(130, Math.max(70, price)));
  }

  async #tick(symbol: string, price: number): Promise<void> {
    this.#prices.set(symbol, price);
    const { time } = this.#world;
    await time.advance(1);
    this.#ticks.push({ symbol, price, atMs: time.nowMs() });
    this.#world.give(symbol, price);
    if (this.#random.chance(0.8)) await time.turns();
  }

  /** Creates one more group, if its owner does not have one of the symbol. */
  async #create(): Promise<void> {
    const symbol = this.#random.pick(SYMBOLS);
    const price = this.#prices.get(symbol) ?? FIRST_PRICE;
    const gap = (): number => this.#random.whole(1, 8);
    const stopLossQuantity = STOP_LOSS_QUANTITY + this.#nextQuantity();
    const takeProfitItems = [{ price: price + gap(), quantity: this.#nextQuantity() }];
    const userId = this.#random.pick(USERS);
    const place = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}`, symbol };
    const levels = { stopLossPrice: price - gap(), stopLossQuantity, takeProfitItems };
    await this.#world.time.advance(1);
    await this.#world.command(COMMANDS.createGroup, { ...place, ...levels, dueDate: null, notes: null }, { userId });
  }

  async #placeOrder(): Promise<void> {
    const userId = this.#random.pick(USERS);
    const quantity = this.#nextQuantity();
    const place = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}`, symbol: this.#random.pick(SYMBOLS) };
    const order = { ...place, quantity, buySell: 1, orderType: 1, price: 0 };
    const reply = await this.#world.command(COMMANDS.placeOrder, order, { userId, key: `order-${quantity}` });
    if (reply.ok) this.#told.push(quantity);
    else this.#violate(`the order of ${quantity} was refused: ${reply.message}`);
  }

  #nextQuantity(): number {
    this.#lastQuantity += 1;
    return this.#lastQuantity;
  }

  /** Takes a snapshot of the volume, with everything durable. */
  #keepCopy(): void {
    this.#copy = new Map(this.#world.disk.entries);
  }

  async #setBack(): Promise<void> {
    this.#world.kill(this.#random.chance(0.5));
    const { entries } = this.#world.disk;
    for (const key of [...entries.keys()]) entries.delete(key);
    for (const [key, value] of this.#copy) entries.set(key, value);
    this.setBackCount += 1;
    await this.#start();
  }

  async #restart(): Promise<void> {
    this.#world.kill(this.#random.chance(0.5));
    await this.#start();
  }

  /** The stream still holds every tick; the brokerage has known the prices all the time. */
  async #start(): Promise<void> {
    const world = this.#world;
    for (const tick of this.#ticks) this.#setLast(tick);
    await world.start((partition) => {
      for (const { symbol, price: value, atMs: timeMs } of this.#ticks.slice(world.position)) {
        const price = livePrice(value);
        world.position += 1;
        if (price !== undefined) partition.onTick({ symbol, price, timeMs, isCaughtUp: true });
      }
    });
    await world.time.turns();
  }

  #setLast({ symbol, price: value, atMs: timeMs }: Tick): void {
    const price = livePrice(value);
    if (price !== undefined) this.#world.prices.set(symbol, { price, timeMs });
  }

  async #judge(): Promise<void> {
    const placed: number[] = [];
    for (const userId of USERS) {
      for (const { quantity } of await this.#world.orders(userId)) placed.push(quantity);
    }
    const countOf = (quantity: number): number => placed.filter((one) => one === quantity).length;
    for (const quantity of placed) {
      if (countOf(quantity) > 1) this.#violate(`${quantity} was ordered ${countOf(quantity)} times`);
    }
    for (const quantity of this.#told) {
      if (countOf(quantity) !== 1) this.#violate(`the order of ${quantity} was acknowledged and does not exist`);
    }
    const disk = new PlainDisk(this.#world.disk);
    for (const key of disk.keys("v/oco/")) {
      for (const { id, quantity, status } of disk.rows(key)) {
        if (status === ACTIVE) this.#violate(`row ${id} over ${quantity} is Active under every level`);
        if ((status === TRIGGERED) !== (countOf(quantity) === 1)) {
          this.#violate(`row ${id} over ${quantity} has status ${status} and ${countOf(quantity)} orders`);
        }
      }
    }
  }

  #violate(what: string): void {
    this.violation ??= what;
  }
}

function nameOfLife(life: number): string {
  return `life${String(life).padStart(6, "0")}`;
}
