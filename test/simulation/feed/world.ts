/**
 * A world of the feed's real modules: acceptance, live ticks, catching up, last prices, the stream's clock. Prices fall
 * and rise, stops are made, the engine is killed and its clock set; the stream has a clock of its own, is full at
 * times, and is read from servers that lag.
 *
 * Owns: what happens, and what must follow from it by true time, which no part of the world can read.
 *
 * Judged: a stop is sold by a tick that came after it, if that tick was seen or stored; by none from before it except
 * the last price at its making; never by a tick whose own time is too old. The last price is the last that was seen or
 * stored. A span that the stream lacks is reported after a kill.
 */
import { isFromBefore } from "../../../engine/actor/arming.ts";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LastPrices, type PriceSlots } from "../../../engine/feed/last-prices.ts";
import { LiveFeed } from "../../../engine/feed/live.ts";
import { StreamCatchUp } from "../../../engine/feed/stream/catch-up.ts";
import { NO_MEMORY } from "../../../engine/feed/stream/missed-ticks.ts";
import type { FeedMemory } from "../../../engine/ports/feed.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import type { StreamPlace } from "../../../engine/ports/stream.ts";
import type { Log, Timers } from "../../../src/runtime/ports.ts";
import { Random } from "../world/random.ts";
import { VirtualTime } from "../world/virtual-time.ts";
import { SimulatedStream, WAY_MS_MAX } from "./stream.ts";

const START_MS = Date.UTC(2026, 0, 5, 9);
const SYMBOL = "A";
/** If a tick and the making of a stop are closer than this, their order cannot be known. */
const SAME_TIME_MS = 2 * WAY_MS_MAX + 3;
const SLOT_WRITE_MS = 5;
const SHORTEST_WINDOW_MS = 100;
/** A loss is read back once two marks in a row show it. */
const MASKED_MARKS = 2;

/** Faults planted on purpose, to prove that they are found. */
export interface FeedPlant {
  readonly duplicateWindowMs?: number;
  readonly tickAgeMsMax?: number | undefined;
  readonly isFromBefore?: typeof isFromBefore;
  readonly forgetsRefusals?: boolean;
  readonly writesPricesEveryMs?: number;
  readonly asksLagging?: boolean;
  readonly forgetsRefusedByClock?: boolean;
  readonly isOvertakenStale?: boolean;
}

interface Tick {
  readonly trueMs: number;
  /** How many marks the stream had stored by then. */
  readonly atMark: number;
  readonly price: number;
  readonly isTooOld: boolean;
  /** By its publisher's clock, which is the stream's: a wrong clock of ours may refuse it until it is right. */
  readonly isTimed: boolean;
  /** The stream was full, or a message of that id had just come. */
  mayBeLost: boolean;
  isStored: boolean;
  isSeen: boolean;
  /** It reached the engine's server, whether or not the engine was there. */
  isDelivered: boolean;
}

interface Stop {
  readonly level: number;
  readonly madeTrueMs: number;
  readonly facts: { readonly armedSinceMs: number };
  readonly armedAt: StreamPlace | null;
  /** How often our clock had been set by then. */
  readonly steps: number;
  soldBy: Tick | undefined;
}

interface Life {
  isAlive: boolean;
  readonly live: LiveFeed;
  readonly catchUp: StreamCatchUp;
  readonly acceptance: TickAcceptance;
  readonly told: string[];
}

export class FeedWorld {
  violation: string | undefined;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #stream: SimulatedStream;
  readonly #plant: FeedPlant;
  readonly #ticks = new Map<number, Tick>();
  readonly #stops: Stop[] = [];
  readonly #slots: PriceSlots;
  #head: { readonly position: number | null; readonly atMs: number | null; readonly memory: FeedMemory };
  #life: Life;
  /** Whether ticks have times of their own. */
  readonly #isTimed: boolean;
  #price = 100;
  /** Ticks that came unseen while the stream was known to be full. */
  #lostWhileAway = 0;
  #steps = 0;
  /** Count of stored marks at the last tick that was received and not stored. */
  #maskedAtMark = Number.NEGATIVE_INFINITY;
  /** When the repeated message id was stored last. */
  #repeatedMs = Number.NEGATIVE_INFINITY;

  constructor(seed: number, plant: FeedPlant = {}) {
    this.#random = new Random(seed);
    this.#plant = plant;
    this.#time = new VirtualTime(START_MS, (error) => this.#violate(String(error)));
    this.#stream = new SimulatedStream(this.#time, this.#random, plant.duplicateWindowMs ?? 100);
    this.#isTimed = this.#random.chance(0.4);
    this.#stream.asksLagging = plant.asksLagging ?? false;
    this.#slots = new LaggingSlots(this.#time, plant.writesPricesEveryMs ?? 0);
    this.#head = { position: null, atMs: null, memory: NO_MEMORY };
    this.#life = this.#startLife();
  }

  async run(): Promise<void> {
    await this.#time.advance(2_000);
    const count = this.#random.whole(30, 120);
    for (let index = 0; index < count && this.violation === undefined; index += 1) {
      await this.#happen();
      await this.#time.advance(this.#random.pick([1, 3, 12, 150, 700, 2_500]));
    }
    this.#stream.isFull = false;
    // Ticks that a wrong clock refused must be judged again once the clock is right.
    this.#stepClock(this.#stream.nowMs() - this.#time.wallClock.nowMs());
    await this.#time.advance(5_000);
    this.#judge();
  }

  #happen(): Promise<void> | void {
    const happening = this.#random.weighted<() => Promise<void> | void>(
      [
        [12, () => this.#tick()],
        [4, () => this.#makeStop()],
        [1.5, () => this.#restart()],
        [0.6, () => this.#fill()],
        [0.6, () => this.#stream.breakRoute(this.#random.whole(10, 6_000))],
        [0.6, () => this.#overtake()],
        [0.4, () => this.#stepClock(this.#random.pick([-2_000, -300, 300, 2_000]))],
        [this.#isTimed ? 0.4 : 0, () => this.#stepClock(this.#random.pick([-70_000, -7_000, 7_000, 70_000]))],
      ],
      () => this.#tick(),
    );
    return happening();
  }

  #tick(): void {
    this.#price = Math.min(130, Math.max(70, this.#price + this.#random.whole(-4, 4)));
    // No two ticks have the same price, so that the price of a sale identifies its tick.
    const price = Math.round((this.#price + (this.#ticks.size + 1) / 1e5) * 1e5) / 1e5;
    const isTooOld = this.#random.chance(0.05);
    const ownTimeMs = isTooOld ? Math.floor(this.#stream.nowMs() / 1_000) : this.#stream.nowMs();
    const time = isTooOld || this.#isTimed ? `,"time":${ownTimeMs}` : "";
    const id = this.#random.chance(0.3) ? "always the same" : undefined;
    const trueMs = this.#time.steadyClock.nowMs();
    const isRepeated = id !== undefined && trueMs - this.#repeatedMs < SHORTEST_WINDOW_MS;
    if (id !== undefined && !isRepeated && !this.#stream.isFull) this.#repeatedMs = trueMs;
    const mayBeLost = this.#stream.isFull || isRepeated;
    const atMark = this.#stream.markCount;
    const tick: Tick = {
      trueMs,
      atMark,
      price,
      isTooOld,
      isTimed: this.#isTimed,
      mayBeLost,
      isStored: false,
      isSeen: false,
      isDelivered: true,
    };
    this.#ticks.set(price, tick);
    tick.isStored = this.#stream.publish(`ticks.${SYMBOL}`, `{"price":${price}${time}}`, id);
    tick.isDelivered = this.#stream.isDelivered;
    if (tick.isDelivered && !tick.isStored) this.#maskedAtMark = tick.atMark;
    this.#maskUndelivered();
    if (!this.#life.isAlive && this.#stream.isFull) this.#lostWhileAway += 1;
  }

  /**
   * A message that was received and not stored hides a message that was stored and not received near the same marks.
   */
  #maskUndelivered(): void {
    for (const tick of this.#ticks.values()) {
      if (!tick.isDelivered && Math.abs(tick.atMark - this.#maskedAtMark) <= MASKED_MARKS) tick.mayBeLost = true;
    }
  }

  /** The way is whole again before the engine notices a missing tick: a live one overtakes it. */
  async #overtake(): Promise<void> {
    const brokenMs = this.#random.whole(2, 300);
    this.#stream.breakRoute(brokenMs);
    this.#tick();
    await this.#time.advance(brokenMs + 1);
    this.#tick();
  }

  #stepClock(byMs: number): void {
    this.#steps += 1;
    this.#time.stepWallClock(byMs);
  }

  #makeStop(): void {
    const { live, acceptance, catchUp, isAlive } = this.#life;
    if (!isAlive || live.isCatchingUp) return;
    const stop: Stop = {
      level: this.#price - this.#random.whole(-2, 6) - 0.5,
      madeTrueMs: this.#time.steadyClock.nowMs(),
      facts: { armedSinceMs: this.#time.wallClock.nowMs() },
      armedAt: catchUp.clock.place(),
      steps: this.#steps,
      soldBy: undefined,
    };
    const last = acceptance.last(SYMBOL);
    if (last !== undefined) {
      // A clock that is off refuses right prices until it is set, and an engine that knows it is not ready.
      if (catchUp.clock.offMs === 0) this.#checkLast(this.#ticks.get(last.price.value));
      if (last.price.value <= stop.level) stop.soldBy = this.#ticks.get(last.price.value);
    }
    this.#stops.push(stop);
    this.#keepHead();
  }

  #checkLast(last: Tick | undefined): void {
    const nowMs = this.#time.steadyClock.nowMs();
    for (const tick of this.#ticks.values()) {
      // Ticks that the stream lacks are known to the file alone, if a kill came before they were noticed.
      const isSure = tick.isSeen && !tick.mayBeLost && nowMs - tick.trueMs > SLOT_WRITE_MS + 1;
      // If a tick was read back because it did not come live, an older tick that waited may be applied later.
      const isKnown = !tick.isTooOld && tick.isDelivered && (isSure || (tick.isStored && !tick.isTimed));
      if (isKnown && last !== undefined && tick.trueMs > last.trueMs) {
        this.#violate(`${last.price} was taken for the last price after ${tick.price}`);
      }
    }
  }

  async #restart(): Promise<void> {
    const random = this.#random;
    // Writes of the last milliseconds are not on the disk yet.
    await this.#time.advance(SLOT_WRITE_MS + 2);
    const wasTold = this.#life.catchUp.memory().ticksRefusedSinceMs !== null;
    this.#life.isAlive = false;
    this.#stream.handler = undefined;
    this.#lostWhileAway = 0;
    for (let count = random.whole(0, 4); count > 0; count -= 1) {
      await this.#time.advance(random.pick([2, 40, 900, 9_000]));
      this.#tick();
    }
    if (random.chance(0.3)) this.#stepClock(random.pick([-1_500, 1_500]));
    if (random.chance(0.5)) this.#stream.isFull = false;
    if (random.chance(0.4)) this.#stream.lag();
    await this.#time.advance(SAME_TIME_MS);
    this.#life = this.#startLife();
    await this.#time.advance(2_000);
    const isTold = this.#life.told.some((line) => line.includes("took no ticks for a while"));
    if (wasTold && this.#lostWhileAway > 0 && !isTold) this.#violate("a span that the stream lacks was not told");
  }

  /** The stream is full for a while. */
  #fill(): void {
    this.#stream.isFull = true;
    this.#time.after(this.#random.whole(500, 20_000), () => {
      this.#stream.isFull = false;
    });
  }

  #startLife(): Life {
    const { wallClock: clock, steadyClock } = this.#time;
    const told: string[] = [];
    let life: Life | undefined;
    const isAlive = (): boolean => life === undefined || life.isAlive;
    const gated = (task: () => void) => (): void => {
      if (isAlive()) task();
    };
    const timers: Timers = {
      after: (delayMs, task) => this.#time.after(delayMs, gated(task)),
      soon: (task) => this.#time.soon(gated(task)),
    };
    const tell = (_fields: object, message: string): void => void told.push(message);
    const log: Log = { debug: tell, info: tell, warn: tell, error: tell };
    const kept = new LastPrices({ steadyClock, timers, log });
    const acceptance = new TickAcceptance({
      ...{ symbols: { isKnown: (symbol) => symbol === SYMBOL }, clock, log, kept, tickMovePercentMax: undefined },
      tickAgeMsMax: "tickAgeMsMax" in this.#plant ? this.#plant.tickAgeMsMax : 60_000,
      clockOffMs: () => (this.#plant.forgetsRefusedByClock === true ? 0 : (life?.catchUp.clock.offMs ?? null)),
      onTick: (tick) => this.#onTick(tick),
    });
    if (this.#plant.isOvertakenStale === true) acceptance.beginReadingBack = () => undefined;
    const live = new LiveFeed({ bus: this.#stream, clock, acceptance, bufferCapacity: 50 });
    const shared = { bus: this.#stream, stream: this.#stream, live, clock, steadyClock, timers, log };
    const catchUp: StreamCatchUp = new StreamCatchUp({
      ...shared,
      catchUpSeconds: 300,
      onHole: () => kept.forget(),
      onUnknownPast: () => {
        acceptance.forgetLast();
        kept.forgetAll();
      },
      onMemory: () => this.#keepHead(),
    });
    life = { isAlive: true, live, catchUp, acceptance, told };
    this.#life = life;
    kept.open([this.#slots]);
    void catchUp.start(this.#head.position, this.#head.atMs, this.#head.memory);
    return life;
  }

  /** Keeps the head that a batch stores. */
  #keepHead(): void {
    const { catchUp } = this.#life;
    const memory = this.#plant.forgetsRefusals === true ? NO_MEMORY : catchUp.memory();
    this.#head = { position: catchUp.position(), atMs: this.#time.wallClock.nowMs(), memory };
  }

  #onTick(accepted: AcceptedTick): void {
    const tick = this.#ticks.get(accepted.price.value);
    if (tick === undefined || !this.#life.isAlive) return;
    tick.isSeen = true;
    const judge = this.#plant.isFromBefore ?? isFromBefore;
    for (const stop of this.#stops) {
      if (stop.soldBy === undefined && tick.price <= stop.level && !judge(accepted, stop)) this.#sell(stop, tick);
    }
  }

  #sell(stop: Stop, tick: Tick): void {
    stop.soldBy = tick;
    if (tick.isTooOld) this.#violate(`a stop was sold by ${tick.price}, whose time is too old`);
    // The stop was made before the stream could be asked for its position, as it was full; our clock, the only other
    // measure, was set. Or the distance of the stream's clock from ours is not known to this life either.
    const isUnmeasured = this.#life.catchUp.clock.aheadMs === null;
    const isUntold = stop.armedAt === null && (stop.steps !== this.#steps || isUnmeasured);
    if (!isUntold && tick.trueMs < stop.madeTrueMs - SAME_TIME_MS) {
      this.#violate(
        `a stop at ${stop.level} was sold by ${tick.price} from ${stop.madeTrueMs - tick.trueMs} ms before it`,
      );
    }
  }

  #judge(): void {
    for (const stop of this.#stops) {
      const isUntold = stop.armedAt === null && stop.steps !== this.#steps;
      if (stop.soldBy !== undefined || isUntold) continue;
      for (const tick of this.#ticks.values()) {
        const isAfter = tick.trueMs > stop.madeTrueMs + SAME_TIME_MS;
        const mustSell = isAfter && !tick.isTooOld && (tick.isSeen || !tick.mayBeLost);
        if (mustSell && tick.price <= stop.level)
          this.#violate(`a stop at ${stop.level} was not sold by ${tick.price}`);
      }
    }
  }

  #violate(what: string): void {
    this.violation ??= what;
  }
}

/** Slots in memory; a planted fault lets a write reach them only after a while. */
class LaggingSlots implements PriceSlots {
  readonly #time: VirtualTime;
  readonly #everyMs: number;
  #bytes = Buffer.alloc(0);
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(time: VirtualTime, everyMs: number) {
    this.#time = time;
    this.#everyMs = everyMs;
  }

  read(): Uint8Array {
    return Buffer.from(this.#bytes);
  }

  write(bytes: Uint8Array, position: number): void {
    const nowMs = this.#time.steadyClock.nowMs();
    if (nowMs - this.#writtenMs < this.#everyMs) return;
    this.#writtenMs = nowMs;
    if (this.#bytes.length < position + bytes.length) {
      const grown = Buffer.alloc(position + bytes.length);
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, position);
  }

  remove(): void {
    this.#bytes = Buffer.alloc(0);
  }
}
