/**
 * A whole world from one seed: an engine that dies and starts again, its disk, its clock, the tick stream, brokerages
 * and clients.
 *
 * Owns: what happens next. Does not own: what must follow from it (`oracle.ts`, `checks.ts`).
 */
import type { Witness } from "../../engine/commit/witness.ts";
import type { Brokerages } from "../../engine/ports.ts";
import { MemoryDisk } from "../support/memory-store.ts";
import { checkEnding } from "./checks.ts";
import { Clients } from "./clients.ts";
import { Exchange } from "./exchange.ts";
import { INSTALLATION, Life, type Plant } from "./life.ts";
import type { GroupOwner } from "./model.ts";
import { Oracle } from "./oracle.ts";
import { PlainDisk } from "./plain-rows.ts";
import { Random } from "./random.ts";
import { Report } from "./report.ts";
import { PROMISES, type Promised, settingsOf, troubleOf } from "./settings.ts";
import { TickStream } from "./tick-stream.ts";
import { VirtualTime } from "./virtual-time.ts";
import { compareWatches } from "./watches.ts";

const START_MS = Date.UTC(2026, 0, 5, 9);
/** A clock that was set back by an hour, several times over, makes an `expiry` wait that long. */
const DRAIN_MS_MAX = 10 * 60 * 60_000;

export interface WorldOptions {
  readonly seed: number;
  /** How many things happen; by default as many as the seed says. */
  readonly operations?: number | undefined;
  readonly isTracing?: boolean | undefined;
  readonly plant?: Plant | undefined;
}

export class World {
  readonly report: Report;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #disk = new MemoryDisk();
  readonly #plain = new PlainDisk(this.#disk);
  readonly #stream = new TickStream();
  readonly #exchanges = new Map<string, Exchange>();
  readonly #prices = new Map<string, number>();
  readonly #symbols: readonly [string, ...string[]];
  readonly #codes: readonly [Promised, ...Promised[]];
  readonly #oracle: Oracle;
  readonly #clients: Clients;
  readonly #events = new Map<number, Set<string>>();
  readonly #plant: Plant;
  readonly #hasOversellGuard: boolean;
  readonly #operationCount: number;
  readonly #dieShare: number;
  readonly #failShare: number;
  readonly #stepsClock: boolean;
  #witness: Witness | undefined;
  #life: Life;
  #lifeCount = 0;
  #isTroubled = true;

  constructor({ seed, operations, isTracing = false, plant = {} }: WorldOptions) {
    const random = new Random(seed);
    this.#random = random;
    this.#plant = plant;
    this.report = new Report(isTracing);
    this.#time = new VirtualTime(START_MS, (error) => this.report.fault(error));
    this.report.now = () => new Date(this.#time.wallClock.nowMs()).toISOString().slice(11, 23);
    this.#operationCount = operations ?? random.whole(40, 160);
    this.#hasOversellGuard = random.chance(0.25);
    this.#dieShare = random.pick([0, 0.002, 0.01, 0.03]);
    this.#failShare = random.pick([0, 0, 0.005]);
    this.#stepsClock = random.chance(0.2);
    this.#symbols = random.chance(0.5) ? ["AAA"] : ["AAA", "BBB"];
    for (const symbol of this.#symbols) this.#prices.set(symbol, 100_000);
    const trouble = troubleOf(random);
    const first = random.pick(PROMISES);
    const second = random.pick(PROMISES);
    this.#codes = first === second || random.chance(0.5) ? [first] : [first, second];
    for (const code of this.#codes) {
      const settings = settingsOf(code, random);
      const shared = { time: this.#time, random, report: this.report, trouble };
      this.#exchanges.set(code, new Exchange({ ...shared, settings, isTroubled: () => this.#isTroubled }));
    }
    this.#oracle = new Oracle({
      disk: this.#plain,
      report: this.report,
      wasRefused: (owner, rowId) => this.#wasRefused(owner, rowId),
    });
    this.#life = this.#newLife();
    this.#clients = new Clients({
      oracle: this.#oracle,
      disk: this.#plain,
      stream: this.#stream,
      time: this.#time,
      random,
      report: this.report,
      life: () => this.#life,
      hasOversellGuard: this.#hasOversellGuard,
      brokerageCodes: this.#codes,
      symbols: this.#symbols,
      milliOf: (symbol) => this.#prices.get(symbol) ?? 0,
    });
  }

  /** Lets it all happen, then judges. The report says what came of it. */
  async run(): Promise<void> {
    await this.#boot();
    for (let index = 0; index < this.#operationCount && this.report.violation === undefined; index += 1) {
      if (!this.#life.isAlive) await this.#restart();
      this.#happen();
      await this.#pass();
    }
    if (this.report.violation !== undefined) return;
    this.#isTroubled = false;
    if (!this.#life.isAlive || this.#random.chance(0.3)) await this.#restart();
    await this.#drain();
    if (this.report.violation === undefined) await this.#judge();
  }

  /** What the world came to, for comparing two runs of one seed. */
  digest(): string {
    const orders = [...this.#exchanges.values()].map((exchange) => [...exchange.orders.keys()].join());
    return `${orders.join(";")}|${this.#disk.writeCount}|${this.#time.steadyClock.nowMs()}|${this.#lifeCount}`;
  }

  // ------------------------------------------------------------------------------------------------------- the engine

  #newLife(): Life {
    this.#lifeCount += 1;
    return new Life({
      number: this.#lifeCount,
      disk: this.#disk,
      stream: this.#stream,
      time: this.#time,
      random: this.#random,
      report: this.report,
      hasOversellGuard: this.#hasOversellGuard,
      plant: this.#plant,
      connect: (life) => this.#connect(life),
      witness: this.#witness,
      onWitness: (witness) => {
        this.#witness = witness;
      },
      onEvent: (event) => this.#onEvent(event),
      dieShare: () => (this.#isTroubled ? this.#dieShare : 0),
      failShare: () => (this.#isTroubled ? this.#failShare : 0),
    });
  }

  #connect(life: Life): Brokerages {
    const connected = [...this.#exchanges.values()].map((exchange) => exchange.connect(life));
    return {
      find: (code) => connected.find(({ settings }) => settings.code === code),
      all: () => connected,
    };
  }

  /** Starts the life: reads back, catches up, begins to act. It may die on the way. */
  async #boot(): Promise<void> {
    const life = this.#life;
    const position = (await life.recover()).tickPosition ?? this.#stream.lastSequence;
    const nowMs = this.#time.wallClock.nowMs();
    const missed = this.#stream.missed(position, nowMs);
    this.report.note(() => `life ${life.number} recovers at position ${position}, ${missed.length} ticks missed`);
    this.#oracle.recover(position, missed, nowMs);
    for (const tick of missed) {
      if (life.mayDieHere("while catching up")) return;
      const timeMs = Math.min(tick.atMs, this.#time.wallClock.nowMs());
      this.report.note(() => `caught up: tick ${tick.sequence} ${tick.symbol} ${tick.milli / 1000}`);
      this.#oracle.tick(tick, timeMs, true);
      life.give(tick, true);
      if (this.#random.chance(0.3)) await this.#time.turns();
    }
    if (life.mayDieHere("before the start")) return;
    this.#oracle.see(this.#time.wallClock.nowMs());
    life.start();
    life.mayDieHere("at the start");
  }

  async #restart(): Promise<void> {
    this.#life.die("ended");
    for (;;) {
      this.#clients.loseReplies();
      const downMs = this.#random.weighted(
        [
          [6, this.#random.whole(0, 50)],
          [3, this.#random.whole(50, 8_000)],
          [0.3, this.#random.whole(8_000, 400_000)],
        ],
        0,
      );
      const pieces = this.#random.whole(1, 3);
      for (let piece = 0; piece < pieces; piece += 1) {
        await this.#time.advance(Math.floor(downMs / pieces));
        if (this.#random.chance(0.5)) this.#tick();
      }
      this.#life = this.#newLife();
      await this.#boot();
      if (this.#life.isAlive || this.report.violation !== undefined) return;
    }
  }

  #onEvent(event: object): void {
    const type = String(Reflect.get(event, "type"));
    const row: unknown = Reflect.get(event, "row");
    if (typeof row !== "object" || row === null) return;
    const id = Number(Reflect.get(row, "id"));
    this.#events.set(id, (this.#events.get(id) ?? new Set()).add(type));
  }

  #wasRefused({ brokerageCode }: GroupOwner, rowId: number): boolean {
    const exchange = this.#exchanges.get(brokerageCode);
    const name = `${INSTALLATION}-r${rowId}`;
    const wasRejected = (exchange?.orders.get(name) ?? []).some(({ record }) => record.orderStatus === 4);
    return wasRejected || (exchange?.refusals.get(name) ?? []).some(({ code }) => code !== "UNKNOWN");
  }

  // ------------------------------------------------------------------------------------------------------ what happens

  #happen(): void {
    const random = this.#random;
    const happening = random.weighted(
      [
        [10, () => this.#tick()],
        [5, () => this.#clients.create()],
        [2, () => this.#clients.cancel()],
        [1.5, () => this.#clients.placeOrder()],
        [1.5, () => this.#clients.repeat()],
        [0.7, () => this.#life.die("at once")],
        [0.7, () => this.#dieLater()],
        [0.3, () => this.#goAway()],
        [this.#stepsClock ? 0.6 : 0, () => this.#stepClock()],
      ],
      () => this.#tick(),
    );
    happening();
  }

  /** The price moves by a little, or jumps, or stays. */
  #tick(): void {
    const random = this.#random;
    const symbol = random.pick(this.#symbols);
    const was = this.#prices.get(symbol) ?? 0;
    const moved = random.weighted(
      [
        [5, was + random.whole(-20, 20) * 50],
        [3, Math.round(was / 1000) * 1000 + random.whole(-2, 2) * 1000],
        [1, was + random.whole(-6, 6) * 1000],
        [1, was + random.whole(-999, 999)],
        [1, was],
      ],
      was,
    );
    const milli = Math.min(180_000, Math.max(60_000, moved));
    this.#prices.set(symbol, milli);
    const nowMs = this.#time.wallClock.nowMs();
    const tick = this.#stream.publish(symbol, milli, nowMs);
    const life = this.#life;
    this.report.note(() => `tick ${tick.sequence} ${symbol} ${milli / 1000}${life.isAlive ? "" : " (missed)"}`);
    if (!life.isAlive) return;
    for (let copies = random.chance(0.1) ? 2 : 1; copies > 0; copies -= 1) {
      this.#oracle.tick(tick, nowMs, false);
      life.give(tick, false);
    }
  }

  #dieLater(): void {
    const life = this.#life;
    this.#time.after(this.#random.whole(0, 400), () => life.die("some time later"));
  }

  #goAway(): void {
    const exchange = this.#random.among([...this.#exchanges.values()]);
    this.report.count("brokerage: away for a while");
    exchange?.goAway(this.#random.whole(1_000, 70_000));
  }

  #stepClock(): void {
    const byMs = this.#random.pick([-3_600_000, -5_000, -200, 200, 5_000, 3_600_000]);
    this.report.count("clock: stepped");
    this.report.note(() => `the clock steps by ${byMs} ms`);
    this.#time.stepWallClock(byMs);
    this.#oracle.stepCount += 1;
  }

  /** Some time passes, often none at all, so that things happen in one turn. */
  async #pass(): Promise<void> {
    const random = this.#random;
    const ms = random.weighted(
      [
        [4, -1],
        [3, 0],
        [6, random.whole(1, 20)],
        [4, random.whole(20, 500)],
        [2, random.whole(500, 5_000)],
        [0.4, random.whole(5_000, 70_000)],
      ],
      0,
    );
    if (ms === 0) await this.#time.turns();
    if (ms > 0) await this.#time.advance(ms);
    if (this.#life.isAlive) this.#oracle.see(this.#time.wallClock.nowMs());
  }

  // --------------------------------------------------------------------------------------------------------- the end

  /** Until nothing is on its way any more but what waits for a person. */
  async #drain(): Promise<void> {
    const untilMs = this.#time.steadyClock.nowMs() + DRAIN_MS_MAX;
    let quiet = 0;
    while (quiet < 4) {
      await this.#time.advance(this.#random.whole(500, 2_000));
      if (this.report.violation !== undefined) return;
      if (!this.#life.isAlive) await this.#restart();
      quiet = this.#isQuiet() ? quiet + 1 : 0;
      if (quiet === 2) this.#clients.repeatAll();
      if (this.#time.steadyClock.nowMs() > untilMs) {
        const { outbox, inbox, journal, events } = this.#life.partition;
        const waits = JSON.stringify(outbox.pending());
        const rest = `inbox ${inbox.length}, dirty ${journal.isDirty}, events ${events.waitingCount}, outbox ${waits}`;
        this.report.violate(`the engine did not come to rest: ${rest}`);
        return;
      }
    }
  }

  #isQuiet(): boolean {
    const { outbox, inbox, journal } = this.#life.partition;
    const { quarantined, ...byState } = outbox.stats().byState;
    const isBusy = Object.values(byState).some((count) => count > 0);
    const onTheWay = [...this.#exchanges.values()].some((exchange) => exchange.onTheWay > 0);
    return !isBusy && !onTheWay && inbox.isIdle && !journal.isDirty && this.#areEventsOut();
  }

  #areEventsOut(): boolean {
    return this.#life.partition.events.waitingCount === 0 && this.#plain.keys("e/").length === 0;
  }

  async #judge(): Promise<void> {
    const quarantined = this.#life.partition.outbox.quarantined().map(({ clientOrderId }) => clientOrderId);
    checkEnding({
      disk: this.#plain,
      report: this.report,
      groups: this.#oracle.groups,
      orders: this.#clients.orders,
      exchanges: this.#exchanges,
      quarantined: new Set(quarantined),
      events: this.#events,
      nowMs: this.#time.wallClock.nowMs() - 1_000,
    });
    const twin = this.#newLife();
    await twin.recover();
    compareWatches(this.#life.partition.watchbook, twin.partition.watchbook, this.#plain, this.#symbols, this.report);
    for (const group of this.#oracle.groups) {
      if (group.fate !== "exists") continue;
      for (const row of group.rows) {
        if (row.must !== undefined) this.report.count("rows that a tick had to sell");
      }
    }
    this.report.count("worlds");
  }
}
