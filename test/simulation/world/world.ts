/**
 * A whole world from one seed: an engine that dies and starts again, its disk, its clock, the tick stream, brokerages
 * and clients.
 *
 * Owns: what happens next. Does not own: what must follow from it (`oracle.ts`, `checks.ts`).
 */

import type { Brokerages } from "../../../engine/ports/brokerage.ts";
import type { Witness } from "../../../engine/store/folder/witness.ts";
import { assertKnownEvent } from "../../support/client/known-event.ts";
import { LoggedDisk } from "../../support/store/logged-disk.ts";
import { checkEnding } from "../check/checks.ts";
import { LevelWatch } from "../check/level-watch.ts";
import { groupsOfParts } from "../check/part-checks.ts";
import { Protection } from "../check/protection.ts";
import { isAtRest } from "../check/rest.ts";
import { checkSoldLots } from "../check/sold-lots.ts";
import { compareWatches } from "../check/watches.ts";
import { Bots } from "../client/bots.ts";
import { Clients } from "../client/clients.ts";
import { Entries } from "../client/entries.ts";
import { Holder } from "../client/holder.ts";
import { Regulator } from "../client/regulator.ts";
import { Requests } from "../client/requests.ts";
import { Setups } from "../client/setups.ts";
import { Signals } from "../client/signals.ts";
import type { GroupOwner } from "../oracle/model.ts";
import { Oracle } from "../oracle/oracle.ts";
import { INSTALLATION, plainName } from "../oracle/plain-name.ts";
import { PlainDisk } from "../oracle/plain-rows.ts";
import { FollowingCopy } from "./copy.ts";
import { Exchange } from "./exchange.ts";
import { isForNothing } from "./fills.ts";
import { Life, type Plant } from "./life.ts";
import { Market } from "./market.ts";
import { Random } from "./random.ts";
import { Report } from "./report.ts";
import {
  anyOwner,
  PROMISES,
  type Promised,
  settingsOf,
  troubleOf,
  type WorldSettings,
  worldSettingsOf,
} from "./settings.ts";
import { type StreamTick, TickStream } from "./tick-stream.ts";
import { VirtualTime } from "./virtual-time.ts";

const ENTRY_SEEDS = 5_000_000;
const START_MS = Date.UTC(2026, 0, 5, 9);
/** A clock that was set back by an hour, several times over, makes an `expiry` wait that long. */
const DRAIN_MS_MAX = 10 * 60 * 60_000;

export interface WorldOptions {
  readonly seed: number;
  /** The number of operations; default: the seed's. */
  readonly operations?: number | undefined;
  readonly isTracing?: boolean | undefined;
  readonly plant?: Plant | undefined;
}

export class World {
  readonly report: Report;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #disk = new LoggedDisk();
  readonly #copy = new FollowingCopy(this.#disk);
  readonly #plain = new PlainDisk(this.#disk);
  readonly #stream = new TickStream();
  readonly #exchanges = new Map<string, Exchange>();
  readonly #market: Market;
  readonly #codes: readonly [Promised, ...Promised[]];
  readonly #oracle: Oracle;
  readonly #requests: Requests;
  readonly #clients: Clients;
  readonly #holder: Holder;
  readonly #regulator: Regulator;
  readonly #setups: Setups;
  readonly #entries: Entries;
  readonly #entryRandom: Random;
  readonly #bots: Bots;
  readonly #signals: Signals;
  readonly #levelWatch: LevelWatch;
  readonly #events = new Map<number, Set<string>>();
  readonly #plant: Plant;
  readonly #settings: WorldSettings;
  #witness: Witness | undefined;
  #life: Life;
  #lifeCount = 0;
  #isTroubled = true;

  constructor({ seed, operations, isTracing = false, plant = {} }: WorldOptions) {
    const random = new Random(seed);
    this.#random = random;
    // Its own, so that worlds without entries are unchanged.
    this.#entryRandom = new Random(seed + ENTRY_SEEDS);
    this.#plant = plant;
    this.report = new Report(isTracing);
    this.#time = new VirtualTime(START_MS, (error) => this.report.fault(error));
    this.report.now = () => new Date(this.#time.wallClock.nowMs()).toISOString().slice(11, 23);
    this.#settings = worldSettingsOf(random, seed, operations);
    this.#market = new Market(random);
    const { symbols, milliOf } = this.#market;
    const trouble = troubleOf(random);
    const first = random.pick(PROMISES);
    const second = random.pick(PROMISES);
    this.#codes = first === second || random.chance(0.5) ? [first] : [first, second];
    for (const code of this.#codes) {
      const settings = settingsOf(code, random);
      const shared = { time: this.#time, random, report: this.report, trouble };
      const exchange = new Exchange({
        ...shared,
        settings,
        isTroubled: () => this.#isTroubled,
        milliOf,
        onSent: (request) => {
          this.#bots.onSent(request);
          this.#regulator.onSent(request);
        },
        onEnded: (order) => {
          this.#entries.orderEnded(order);
          this.#setups.orderEnded(order);
        },
      });
      this.#exchanges.set(code, exchange);
    }
    this.#oracle = new Oracle({
      disk: this.#plain,
      report: this.report,
      wasRefused: (owner, rowId) => this.#wasRefused(owner, rowId),
    });
    this.#life = this.#newLife();
    this.#requests = new Requests(random, this.report, () => this.#life);
    const shared = {
      ...{ symbols, random, milliOf, requests: this.#requests, oracle: this.#oracle, disk: this.#plain },
      life: () => this.#life,
      exchanges: this.#exchanges,
      time: this.#time,
      report: this.report,
      hasOversellGuard: this.#settings.hasOversellGuard,
      anyOwner: () => anyOwner(random, this.#codes, symbols),
      lastSequence: () => this.#stream.lastSequence,
      lastTick: (symbol: string) => this.#lastTick(symbol),
    };
    this.#clients = new Clients(shared);
    this.#holder = new Holder(shared);
    const { exitPolicy, stepsClock } = this.#settings;
    this.#regulator = new Regulator({ ...shared, hasCaps: exitPolicy === "untilSold", hasClock: !stepsClock });
    const protection = new Protection(shared);
    const entryRandom = this.#entryRandom;
    const anyEntryOwner = () => anyOwner(entryRandom, this.#codes, symbols);
    this.#entries = new Entries({ ...shared, protection, random: entryRandom, anyOwner: anyEntryOwner });
    this.#setups = new Setups({
      ...{ ...shared, protection },
      isOfOpenEntry: (order) => this.#entries.isWaitedFor(order),
    });
    this.#bots = new Bots(shared);
    this.#signals = new Signals({ ...shared, bots: this.#bots });
    this.#levelWatch = new LevelWatch({ bots: this.#bots, report: this.report });
  }

  /** Runs the world, then judges it. The report contains the result. */
  async run(): Promise<void> {
    await this.#boot();
    for (let index = 0; index < this.#settings.operationCount && this.report.violation === undefined; index += 1) {
      if (!this.#life.isAlive) await this.#restart();
      this.#happen();
      await this.#pass();
      this.#compareSoldLots();
    }
    if (this.report.violation !== undefined) return;
    this.#isTroubled = false;
    if (!this.#life.isAlive || this.#random.chance(0.3)) await this.#restart();
    if (this.#settings.hasMeasures) this.#regulator.lift();
    await this.#drain();
    if (this.report.violation === undefined) await this.#judge();
  }

  #compareSoldLots(): void {
    const exchanges = [...this.#exchanges.values()];
    const isSettled = this.#life.isStarted && this.#life.isAlive && isAtRest(this.#life, exchanges);
    checkSoldLots({ disk: this.#plain, report: this.report, exchanges, isSettled });
  }

  /** A digest of the world's end, for comparing two runs of one seed. */
  digest(): string {
    const orders = [...this.#exchanges.values()].map((exchange) => [...exchange.orders.keys()].join());
    return `${orders.join(";")}|${this.#disk.writeCount}|${this.#time.steadyClock.nowMs()}|${this.#lifeCount}`;
  }

  // ------------------------------------------------------------------------------------------------------- the engine

  #newLife(): Life {
    this.#lifeCount += 1;
    return new Life({
      number: this.#lifeCount,
      copy: this.#copy,
      stream: this.#stream,
      time: this.#time,
      random: this.#random,
      report: this.report,
      ...this.#settings,
      plant: this.#plant,
      connect: (life) => this.#connect(life),
      witness: this.#witness,
      onWitness: (witness) => {
        this.#witness = witness;
      },
      onEvent: (event) => this.#onEvent(event),
      onBatch: (operations) => this.#bots.onDurable(operations),
      dieShare: () => (this.#isTroubled ? this.#settings.dieShare : 0),
      failShare: () => (this.#isTroubled ? this.#settings.failShare : 0),
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
    this.#entries.recover(position, missed);
    this.#bots.recover();
    this.#regulator.recover();
    for (const tick of missed) {
      if (life.mayDieHere("while catching up")) return;
      const timeMs = Math.min(tick.atMs, this.#time.wallClock.nowMs());
      this.report.note(() => `caught up: tick ${tick.sequence} ${tick.symbol} ${tick.milli / 1000}`);
      this.#oracle.tick(tick, timeMs, true);
      this.#entries.tick(tick, timeMs, true);
      this.#levelWatch.around(life, tick, timeMs, true, () => life.give(tick, true));
      if (this.#random.chance(0.3)) await this.#time.turns();
    }
    if (life.mayDieHere("before the start")) return;
    this.#oracle.see(this.#time.wallClock.nowMs());
    life.start();
    this.#setups.started();
    if (this.#settings.hasMeasures) this.#regulator.started();
    this.#entries.started();
    life.mayDieHere("at the start");
  }

  async #restart(): Promise<void> {
    this.#life.die("ended");
    for (;;) {
      this.#requests.loseReplies();
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
    assertKnownEvent(event);
    const type = String(Reflect.get(event, "type"));
    if (type === "alarm.measure") this.report.count("measures: owners warned of a sell");
    const row: unknown = Reflect.get(event, "row");
    const isRow = typeof row === "object" && row !== null;
    const named = isRow ? Reflect.get(row, "id") : undefined;
    // Alarms name a pending OCO without its row.
    const id = Number(named ?? Reflect.get(isRow ? row : event, "setupId"));
    if (Number.isNaN(id)) return;
    this.#events.set(id, (this.#events.get(id) ?? new Set()).add(type));
  }

  /** The last tick of a symbol that the engine knows. */
  #lastTick(symbol: string): StreamTick | undefined {
    if (!this.#life.isAlive || this.#life.feed.last(symbol) === undefined) return undefined;
    return this.#stream.ticks.findLast((tick) => tick.symbol === symbol);
  }

  #wasRefused({ brokerageCode }: GroupOwner, rowId: number): boolean {
    const exchange = this.#exchanges.get(brokerageCode);
    const name = `${INSTALLATION}-r${rowId}`;
    const wasRejected = (exchange?.orders.get(name) ?? []).some(({ record }) => isForNothing(record));
    return wasRejected || (exchange?.refusals.of(name) ?? []).some(({ code }) => code !== "UNAVAILABLE");
  }

  // ------------------------------------------------------------------------------------------------------ what happens

  #happen(): void {
    const random = this.#random;
    const happening = random.weighted(
      [
        [10, () => this.#tick()],
        [5, () => this.#clients.create()],
        [2, () => this.#clients.cancel()],
        [this.#settings.hasChanges ? 4 : 0, () => this.#clients.change()],
        [this.#settings.hasSetups ? 5 : 1.5, () => this.#clients.placeOrder()],
        [this.#settings.hasSetups ? 4.5 : 0, () => this.#setups.register()],
        [this.#settings.hasSetups ? 0.6 : 0, () => this.#setups.remove()],
        [this.#settings.hasHolds ? 1.5 : 0, () => this.#holder.act()],
        [this.#settings.hasMeasures ? 3 : 0, () => this.#regulator.act()],
        [this.#settings.hasBots ? 1 : 0, () => this.#bots.create()],
        [this.#settings.hasBots ? 1 : 0, () => this.#bots.update()],
        [this.#settings.hasBots ? 0.25 : 0, () => this.#bots.delete()],
        [this.#settings.hasBots ? 0.25 : 0, () => this.#bots.rotate()],
        [this.#settings.hasBots ? 5 : 0, () => this.#signals.send()],
        [this.#settings.hasBots ? 0.4 : 0, () => this.#signals.sendToGivenUp()],
        [1.5, () => this.#requests.repeat()],
        [0.7, () => this.#life.die("at once")],
        [0.7, () => this.#dieLater()],
        [0.3, () => this.#goAway()],
        [this.#settings.stepsClock ? 0.6 : 0, () => this.#stepClock()],
      ],
      () => this.#tick(),
    );
    happening();
    if (!this.#settings.hasEntries || !this.#life.isAlive) return;
    if (this.#entryRandom.chance(0.12)) this.#entries.enter();
    if (this.#entryRandom.chance(0.04)) this.#entries.remove();
  }

  #tick(): void {
    const { symbol, milli } = this.#market.move();
    const nowMs = this.#time.wallClock.nowMs();
    const tick = this.#stream.publish(symbol, milli, nowMs);
    const life = this.#life;
    this.report.note(() => `tick ${tick.sequence} ${symbol} ${milli / 1000}${life.isAlive ? "" : " (missed)"}`);
    if (!life.isAlive) return;
    for (let copies = this.#random.chance(0.1) ? 2 : 1; copies > 0; copies -= 1) {
      this.#oracle.tick(tick, nowMs, false);
      this.#entries.tick(tick, nowMs, false);
      this.#levelWatch.around(life, tick, nowMs, false, () => life.give(tick, false));
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
    this.#oracle.stepClock();
    this.#signals.stepClock();
    this.#levelWatch.stepClock(byMs);
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
    if (!this.#life.isAlive) return;
    this.#oracle.see(this.#time.wallClock.nowMs());
    this.#oracle.discover();
  }

  // --------------------------------------------------------------------------------------------------------- the end

  /** Runs until nothing is on its way any more except what waits for a person. */
  async #drain(): Promise<void> {
    const untilMs = this.#time.steadyClock.nowMs() + DRAIN_MS_MAX;
    let [quiet, published] = [0, 0];
    while (quiet < 4) {
      await this.#time.advance(this.#random.whole(500, 2_000));
      if (this.report.violation !== undefined) return;
      if (!this.#life.isAlive) await this.#restart();
      this.#oracle.discover();
      // The position up to which events were published is stored a little later.
      const { publishedThrough } = this.#life.partition.events;
      const isStill = publishedThrough === published;
      published = publishedThrough;
      quiet = isStill && isAtRest(this.#life, [...this.#exchanges.values()]) ? quiet + 1 : 0;
      if (quiet === 2) this.#requests.repeatAll();
      if (this.#time.steadyClock.nowMs() > untilMs) {
        const { outbox, inbox, journal, events } = this.#life.partition;
        const waits = JSON.stringify(outbox.pending());
        const rest = `inbox ${inbox.length}, dirty ${journal.isDirty}, events ${events.waitingCount}, outbox ${waits}`;
        this.report.violate(`the engine did not come to rest: ${rest}`);
        return;
      }
    }
  }

  async #judge(): Promise<void> {
    const { outbox, watchbook } = this.#life.partition;
    const quarantined = outbox.quarantined().map(({ clientOrderId }) => plainName(clientOrderId));
    checkEnding({
      disk: this.#plain,
      report: this.report,
      groups: [...this.#oracle.groups, ...groupsOfParts(this.#entries.entries, this.#plain)],
      orders: this.#clients.orders,
      setups: this.#setups.setups,
      entries: this.#entries.entries,
      bots: this.#bots,
      signals: this.#signals,
      levelWatch: this.#levelWatch,
      exchanges: this.#exchanges,
      quarantined: new Set(quarantined),
      events: this.#events,
      nowMs: this.#time.wallClock.nowMs() - 1_000,
      hasSteppedClock: this.#oracle.stepCount > 0,
      exitPolicy: this.#settings.exitPolicy,
      mayBeAtFloor: (symbol) => this.#regulator.mayBeAtFloor(symbol),
    });
    const nowMs = this.#time.wallClock.nowMs();
    this.#levelWatch.checkAtRest(this.#life, nowMs, (symbol) => this.#lastTick(symbol));
    const twin = this.#newLife();
    await twin.recover();
    compareWatches(watchbook, twin.partition.watchbook, this.#plain, this.#market.symbols, this.report);
    for (const group of this.#oracle.groups) {
      if (group.fate !== "exists") continue;
      for (const row of group.rows) if (row.must !== undefined) this.report.count("rows that a tick had to sell");
    }
    this.report.count("worlds");
  }
}
