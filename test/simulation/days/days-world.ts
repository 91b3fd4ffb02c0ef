/**
 * A world of several days from one seed: sessions and nights, days at the lower limit, corporate actions, stop-losses
 * that rise with sold take-profits, and an engine that dies at any moment (behaviour 14, 17, 20, 28).
 *
 * Owns: what happens next. Does not own: what must follow from it (`day-group.ts`), the judgement (`day-checks.ts`), the
 * exchange (`session-venue.ts`).
 *
 * Before each night the world comes to rest, so that no price is lost: a price counts for five minutes.
 */
import { gridDown } from "../oracle/naive-grid.ts";
import { Exchange } from "../world/exchange.ts";
import type { Life, Plant } from "../world/life.ts";
import { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import { settingsOf } from "../world/settings.ts";
import { VirtualTime } from "../world/virtual-time.ts";
import { DayChecks } from "./day-checks.ts";
import { DayEngine } from "./day-engine.ts";
import { DayForeignSells, drawLedger } from "./day-foreign-sells.ts";
import type { DayGroup } from "./day-group.ts";
import { DayLedger } from "./day-ledger.ts";
import { type DayAction, DayOperator } from "./day-operator.ts";
import { DayOwners } from "./day-owners.ts";
import { DayRenames } from "./day-renames.ts";
import { inOrder, marketAfter } from "./naive-action.ts";
import { SessionVenue } from "./session-venue.ts";

const SEEDS = 7_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday; no world reaches its Saturday. */
const FIRST_DAY_MS = Date.UTC(2026, 0, 5);
const OPEN_MS = 10 * HOUR_MS;
const CLOSE_MS = 18 * HOUR_MS;
const SESSION_AFTER_MS = 4 * HOUR_MS;
/** Lost updates are asked for within this time. */
const CALM_MS = 100_000;
/** After a standstill the engine first looks for missed ticks. */
const WAKES_MS = 600;
const DRAIN_MS_MAX = 30 * 60_000;
/** The base price guard holds a symbol whose first price lies further from the close. */
const GUARD_SHARE = 0.25;

interface DaysOptions {
  readonly seed: number;
  readonly report: Report;
  readonly plant?: Plant | undefined;
}

/** A symbol's last tick. */
interface LastTick {
  readonly milli: number;
  readonly atMs: number;
}

export class DaysWorld {
  readonly #report: Report;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #engine: DayEngine;
  readonly #venue: SessionVenue;
  readonly #exchange: Exchange;
  readonly #checks: DayChecks;
  readonly #ledger: DayLedger;
  readonly #owners: DayOwners;
  readonly #operator: DayOperator;
  readonly #elsewhere: DayForeignSells;
  readonly #renames: DayRenames;
  readonly #last = new Map<string, LastTick>();
  readonly #limitDownDays = new Map<string, number>();
  /** Symbols that the base price guard holds. */
  readonly #held = new Set<string>();
  #isTroubled = true;
  /** A price would have two results: an operator's late action may be durable already, or lots are sold elsewhere. */
  #isEntering = false;
  #dayMs = FIRST_DAY_MS;

  constructor({ seed, report, plant = {} }: DaysOptions) {
    const random = new Random(seed + SEEDS);
    this.#random = random;
    this.#report = report;
    this.#time = new VirtualTime(FIRST_DAY_MS + OPEN_MS - 60_000, (error) => report.fault(error));
    report.now = () => new Date(this.#nowMs()).toISOString().slice(8, 23);
    const time = this.#time;
    const isTroubled = (): boolean => this.#isTroubled;
    const ledger = drawLedger(seed);
    const { sellLedger, hasPositions } = ledger;
    this.#venue = new SessionVenue({ time, random, report, isTroubled, hasPositions });
    const share = (): number => (random.chance(0.5) ? 0 : random.next() * 0.15);
    this.#exchange = new Exchange({
      ...{ time, random, report, isTroubled },
      settings: { ...settingsOf(random.pick(["idempotent", "query"]), random), ordersPerMinute: 500 },
      trouble: {
        ...{ lostRequest: share(), lostReply: share(), lateAccept: share(), lying: share(), nonsense: share() },
        ...{ unreachable: share() / 2, slow: share(), rejected: 0, unauthorized: 0, cutDown: 0 },
      },
      milliOf: (symbol) => this.#venue.listing(symbol).milli,
      onSent: (request) => this.#renames.noteSent(request),
      onEnded: () => undefined,
      venue: this.#venue,
    });
    const hasOversellGuard = random.chance(0.5);
    const exchange = this.#exchange;
    this.#engine = new DayEngine({
      ...{ time, random, report, plant, hasOversellGuard, sellLedger, isTroubled, names: this.#venue.names },
      connect: (life) => {
        const connected = exchange.connect(life);
        return { find: (code) => (code === connected.settings.code ? connected : undefined), all: () => [connected] };
      },
      onDown: async () => {
        if (random.chance(0.3) && !this.#isEntering) await this.#move();
      },
    });
    const engine = this.#engine;
    const shared = {
      ...{
        random,
        report,
        time,
        disk: engine.disk,
        stream: engine.stream,
        venue: this.#venue,
        exchange,
        hasOversellGuard,
      },
      life: () => engine.life,
      ask: (type: string, userId: number, body: object) => engine.ask(type, userId, body),
    };
    this.#checks = new DayChecks(shared);
    this.#ledger = new DayLedger({ ...shared, checks: this.#checks });
    const hasLedger = hasPositions && hasOversellGuard;
    this.#owners = new DayOwners({ ...shared, follows: () => hasLedger && ledger.random.chance(0.5) });
    this.#operator = new DayOperator(shared);
    this.#renames = new DayRenames({
      ...{ seed, report, time, engine, names: this.#venue.names },
      tick: (symbol) => this.#tick(symbol, this.#near(symbol), false),
      setEntering: (isEntering) => {
        this.#isEntering = isEntering;
      },
    });
    this.#elsewhere = new DayForeignSells({
      ...{ ...shared, ...ledger, hasLedger, engine, checks: this.#checks, operator: this.#operator },
      ...{ tick: (symbol, milli) => this.#tick(symbol, milli), calm: () => this.#calm() },
      setAlone: (isAlone) => {
        this.#isTroubled = !isAlone;
        this.#isEntering = isAlone;
      },
    });
  }

  /** Runs the world and judges it. The report contains the result. */
  async run(): Promise<void> {
    const random = this.#random;
    for (const symbol of random.chance(0.5) ? ["AAA"] : ["AAA", "BBB"]) {
      const milli = random.whole(50, 150) * 1_000;
      this.#venue.listings.set(symbol, { milli, floorMilli: 0, ceilingMilli: 0, bids: 0 });
    }
    this.#venue.beginDay();
    await this.#engine.boot();
    if (!this.#life.isAlive) await this.#engine.restart();
    const dayCount = random.whole(2, 4);
    for (let day = 1; day <= dayCount && !this.#isBroken; day += 1) {
      await this.#session(day === dayCount);
      if (day === dayCount || this.#isBroken) break;
      await this.#night();
    }
    if (!this.#isBroken) await this.#finish();
    this.#life.die("ended");
    this.#report.count("days: worlds");
  }

  get #life(): Life {
    return this.#engine.life;
  }

  get #isBroken(): boolean {
    return this.#report.violation !== undefined;
  }

  get #groups(): readonly DayGroup[] {
    return this.#owners.groups;
  }

  get #symbols(): readonly string[] {
    return [...this.#venue.listings.keys()];
  }

  #nowMs(): number {
    return this.#time.wallClock.nowMs();
  }

  // ------------------------------------------------------------------------------------------------------- the prices

  /** A price of the market, which the engine gets or misses. */
  #tick(symbol: string, milli: number, isSure = true): void {
    const atMs = this.#nowMs();
    this.#checks.noteSales(this.#groups);
    this.#touchByRaise();
    const last = this.#last.get(symbol);
    const closeMilli = last !== undefined && atMs - last.atMs >= SESSION_AFTER_MS ? last.milli : undefined;
    this.#last.set(symbol, { milli, atMs });
    this.#venue.listing(symbol).milli = milli;
    const tick = this.#engine.stream.publish(this.#venue.names.of(symbol), milli, atMs, closeMilli);
    this.#report.note(() => `tick ${tick.sequence} ${symbol} ${milli / 1000}${this.#life.isAlive ? "" : " (missed)"}`);
    const groups = this.#groups.filter(({ options }) => options.symbol === symbol);
    if (last !== undefined && closeMilli !== undefined && groups.some((group) => !group.isOver)) {
      const expectedMilli = this.#operator.closeAfter(symbol, last, atMs);
      if (Math.abs(milli / expectedMilli - 1) > GUARD_SHARE) this.#held.add(symbol);
    }
    if (!this.#held.has(symbol)) for (const group of groups) group.touch(milli, isSure);
    if (this.#life.isAlive) this.#life.give(tick, false);
  }

  /** The price of a symbol moves a little within the limits of its day; at the lower limit it stays. */
  async #move(): Promise<void> {
    const random = this.#random;
    const symbol = random.among(this.#symbols) ?? "AAA";
    await this.#time.advance(random.whole(1, 30));
    const { milli, floorMilli, ceilingMilli } = this.#venue.listing(symbol);
    const share = random.weighted(
      [
        [4, 0.006],
        [2, 0.02],
        [1, 0.04],
      ],
      0.006,
    );
    const moved = gridDown(Math.round(milli * (1 + (random.next() * 2 - 1) * share)));
    const isDown = (this.#limitDownDays.get(symbol) ?? 0) > 0;
    this.#tick(symbol, isDown ? milli : Math.min(ceilingMilli, Math.max(floorMilli, moved)));
  }

  // ---------------------------------------------------------------------------------------------------------- the day

  async #session(isLastDay: boolean): Promise<void> {
    const random = this.#random;
    await this.#until(OPEN_MS);
    this.#venue.isOpen = true;
    for (const symbol of this.#symbols) {
      if (this.#life.isAlive && random.chance(0.1)) this.#life.die("at the opening");
      this.#open(symbol, isLastDay);
      await this.#time.advance(random.whole(1, 400));
    }
    await this.#enterLate();
    for (let count = random.whole(8, 20); count > 0 && !this.#isBroken; count -= 1) {
      await this.#happen();
      if (!this.#isBroken) await this.#renames.mayHappen(this.#symbols);
      if (!this.#isBroken)
        await this.#elsewhere.mayHappen(this.#groups.filter(({ options }) => !this.#isStuck(options.symbol)));
    }
    await this.#calm();
    if (this.#isBroken) return;
    await this.#checks.exits(this.#groups);
    await this.#until(CLOSE_MS);
    this.#venue.close();
    await this.#calm();
  }

  /** At its lower limit, or held. */
  #isStuck(symbol: string): boolean {
    return (this.#limitDownDays.get(symbol) ?? 0) > 0 || this.#held.has(symbol);
  }

  #open(symbol: string, isLastDay: boolean): void {
    const random = this.#random;
    const listing = this.#venue.listing(symbol);
    const left = (this.#limitDownDays.get(symbol) ?? 0) - 1;
    const days = left > 0 ? left : random.chance(0.35) ? random.whole(1, 3) : 0;
    this.#limitDownDays.set(symbol, isLastDay ? 0 : days);
    if (days > 0 && !isLastDay) {
      this.#report.count("days: at the lower limit");
      listing.bids = random.pick([0, 0, random.whole(1, 40)]);
      this.#tick(symbol, listing.floorMilli);
    } else this.#tick(symbol, gridDown(Math.round(listing.milli * (0.95 + random.next() * 0.1))));
  }

  async #happen(): Promise<void> {
    const random = this.#random;
    if (!this.#life.isAlive && random.chance(0.6)) await this.#engine.restart();
    const happening = random.weighted<() => Promise<void> | void>(
      [
        [10, () => this.#move()],
        [4, () => this.#create()],
        [1.5, () => this.#operator.enterAhead(this.#dayMs + DAY_MS, random.among(this.#symbols) ?? "AAA")],
        [0.3, () => this.#operator.remove(this.#nowMs())],
        [1.5, () => this.#life.die("at once")],
        [2, () => this.#bid()],
        [2, () => this.#atRest()],
        [2, () => this.#time.advance(random.whole(1, 3_000))],
        [0.4, () => this.#time.advance(random.whole(3_000, 60_000))],
      ],
      () => this.#move(),
    );
    await happening();
    this.#ledger.afterStep(this.#groups);
  }

  async #create(): Promise<void> {
    const symbol = this.#random.among(this.#symbols) ?? "AAA";
    // A row and a price of one millisecond have no order.
    await this.#time.advance(2);
    await this.#owners.create(symbol);
    await this.#time.advance(2);
  }

  /** The market asks for some lots, or for any number where it is not at its lower limit. */
  #bid(): void {
    const { random } = { random: this.#random };
    const symbol = random.among(this.#symbols) ?? "AAA";
    const isDown = (this.#limitDownDays.get(symbol) ?? 0) > 0;
    const some = random.whole(0, isDown ? 30 : 60);
    this.#venue.bid(symbol, !isDown && random.chance(0.6) ? Number.POSITIVE_INFINITY : some);
  }

  // -------------------------------------------------------------------------------------------------------- the night

  async #night(): Promise<void> {
    const random = this.#random;
    const exMs = this.#dayMs + DAY_MS;
    for (const symbol of this.#symbols) if (random.chance(0.5)) await this.#operator.enterAhead(exMs, symbol);
    await this.#calm();
    if (this.#isBroken) return;
    if (random.chance(0.3)) this.#life.die("for the night");
    const isAround = this.#life.isAlive || random.chance(0.5);
    if (isAround && !this.#life.isAlive) await this.#engine.restart();
    await this.#until(DAY_MS - (isAround ? random.pick([5, 900, 4_000]) : 60_000));
    if (isAround) await this.#aroundMidnight(exMs);
    else this.#time.sleep(exMs - this.#nowMs() + random.whole(0, 3 * HOUR_MS));
    this.#dayMs = exMs;
    if (!isAround) this.#turnDay(exMs);
    if (isAround) await this.#calm();
    if (this.#isBroken) return;
    await this.#enterLate(0.3);
    if (this.#life.isAlive && random.chance(0.2)) {
      await this.#calm();
      this.#life.die("before the opening");
    }
  }

  /** Prices right before and after the day begins, and the engine may die in between. */
  async #aroundMidnight(exMs: number): Promise<void> {
    const random = this.#random;
    const mayDie = (): void => {
      if (this.#life.isAlive && random.chance(0.2)) this.#life.die("around midnight");
    };
    for (const symbol of this.#symbols) if (random.chance(0.4)) this.#tick(symbol, this.#near(symbol));
    mayDie();
    await this.#time.advance(Math.max(0, exMs - this.#nowMs() + random.pick([1, 1, 2, 40])));
    this.#turnDay(exMs);
    for (let count = random.whole(0, 6); count > 0; count -= 1) {
      const symbol = random.among(this.#symbols) ?? "AAA";
      if (!this.#operator.hasLate(symbol)) this.#tick(symbol, this.#near(symbol));
      mayDie();
      if (!this.#life.isAlive && random.chance(0.5)) await this.#engine.restart();
      await this.#time.advance(random.pick([1, 1, 1, 2, 10, 1_000]));
      this.#ledger.afterStep(this.#groups);
    }
    if (!this.#life.isAlive) await this.#engine.restart();
  }

  #near(symbol: string): number {
    const { milli } = this.#venue.listing(symbol);
    return gridDown(Math.round(milli * (0.97 + this.#random.next() * 0.06)));
  }

  /** The market is on the base of the day: its prices and the lots that accounts hold. */
  #turnDay(exMs: number): void {
    for (const symbol of this.#symbols) {
      const listing = this.#venue.listing(symbol);
      const closeMilli = listing.milli;
      const isOfDay = (action: DayAction): boolean => action.symbol === symbol && action.exMs === exMs;
      for (const action of inOrder(this.#operator.actions.filter(isOfDay))) {
        action.closeMilli = closeMilli;
        listing.milli = gridDown(Math.max(1_000, Math.round(marketAfter(action, listing.milli))));
        for (const group of this.#owners.newest(symbol))
          this.#venue.exchangeLots(group.options.accountNumber, action.lots, this.#checks.unsoldOf(group));
      }
      const known = this.#operator.actions.filter((action) => isOfDay(action) && !action.isLate);
      this.#follow(symbol, known, closeMilli);
    }
    this.#venue.beginDay();
  }

  #follow(symbol: string, actions: readonly DayAction[], closeMilli: number): void {
    const ordered = inOrder(actions);
    const expectedMilli = ordered.reduce((milli, action) => marketAfter(action, milli), closeMilli);
    for (const group of this.#groups) {
      if (group.options.symbol !== symbol) continue;
      if (!group.isCertain && ordered.length > 0) this.#report.count("days: followed while a price was under way");
      for (const action of ordered) group.follow(action, action.isLate, expectedMilli);
    }
    for (const action of ordered) action.isApplied = true;
  }

  /** The operator enters actions of this day that he did not know before. */
  async #enterLate(share = 1): Promise<void> {
    const random = this.#random;
    for (const action of this.#operator.actions) {
      if (!action.isLate || action.isApplied || !random.chance(share)) continue;
      const { symbol } = action;
      await this.#atRest();
      const { closeMilli } = action;
      const groups = this.#groups.filter(({ options }) => options.symbol === symbol);
      // Lots and levels of an action follow from the sales that the engine knows of.
      if (!groups.every((group) => group.isCertain && this.#checks.hasLearnt(group))) await this.#calm();
      this.#isEntering = true;
      await this.#operator.enterLate(action);
      this.#isEntering = false;
      if (this.#isBroken) return;
      this.#follow(symbol, [action], closeMilli);
      // Prices that passed during the hold fire nothing (16.3), and after a kill these may be the waiting ones too.
      const wasHeld = this.#held.delete(symbol);
      const last = this.#last.get(symbol);
      if (last !== undefined && last.atMs >= action.exMs) for (const group of groups) group.touch(last.milli, false);
      for (let count = random.whole(0, 4); count > 0; count -= 1) {
        await this.#time.advance(random.pick([1, 1, 5]));
        this.#tick(symbol, this.#near(symbol), !wasHeld);
        if (this.#life.isAlive && random.chance(0.2)) this.#life.die("after an action was entered");
      }
      await this.#calm();
    }
  }

  // ---------------------------------------------------------------------------------------------------------- at rest

  /** Lets the engine do all that it was given, and judges. */
  async #atRest(): Promise<void> {
    for (let step = 0; !this.#isBroken; step += 1) {
      if (!this.#life.isAlive) await this.#engine.restart();
      const { inbox, walk, journal, actions, renames } = this.#life.partition;
      const today = new Date(this.#nowMs()).toISOString().slice(0, 10);
      const isBehind = actions.list().some(({ exDate, appliedDate }) => appliedDate === null && exDate <= today);
      const isStill = inbox.isIdle && walk.isIdle && !journal.isDirty && actions.isIdle && renames.isIdle && !isBehind;
      if (step > 0 && isStill && this.#life.isAlive) break;
      if (step > 500) this.#report.violate("the engine did not come to rest");
      await this.#time.advance(step < 20 ? 20 : 1_000);
    }
    if (this.#isBroken) return;
    this.#checks.noteSales(this.#groups);
    this.#touchByRaise();
    this.#checks.atRest(this.#groups);
    this.#ledger.afterStep(this.#groups);
    await this.#ledger.atRest(this.#groups);
    for (const group of this.#groups.filter(({ mayBeHeld }) => mayBeHeld)) {
      group.isHeld = await this.#checks.isHeldByAction(group);
      group.mayBeHeld = false;
    }
  }

  /** A stop-loss that was raised is compared with the last price. */
  #touchByRaise(): void {
    for (const group of this.#groups) {
      const last = this.#last.get(group.options.symbol);
      const isRaised = group.highestMilli > group.stop.milli;
      if (last !== undefined && isRaised && !this.#held.has(group.options.symbol)) group.touch(last.milli, false);
    }
  }

  /** Without trouble for so long that lost updates are known, then at rest. */
  async #calm(): Promise<void> {
    this.#isTroubled = false;
    await this.#atRest();
    await this.#time.advance(CALM_MS);
    await this.#atRest();
    this.#isTroubled = true;
  }

  /** Passes the time up to a moment of the day; the machine is suspended. */
  async #until(ofDayMs: number): Promise<void> {
    // A request does not stay on its way for hours.
    while (this.#exchange.onTheWay > 0) await this.#time.advance(5_000);
    const leftMs = this.#dayMs + ofDayMs - WAKES_MS - this.#nowMs();
    if (leftMs > 0) this.#time.sleep(leftMs);
    await this.#time.advance(WAKES_MS);
  }

  /** The market asks for every lot again. */
  async #finish(): Promise<void> {
    this.#isTroubled = false;
    this.#dayMs += DAY_MS;
    this.#turnDay(this.#dayMs);
    await this.#until(OPEN_MS);
    this.#venue.isOpen = true;
    for (const symbol of this.#symbols) this.#venue.bid(symbol, Number.POSITIVE_INFINITY);
    await this.#atRest();
    const untilMs = this.#nowMs() + DRAIN_MS_MAX;
    while (!this.#isBroken && !this.#isSold()) {
      await this.#time.advance(5_000);
      if (this.#nowMs() > untilMs) this.#report.violate("exits were not sold though every lot is asked for");
    }
    await this.#calm();
    if (!this.#isBroken) this.#checks.atEnd(this.#groups);
  }

  #isSold(): boolean {
    const { outbox } = this.#life.partition;
    const exiting = this.#engine.disk.snapshots("a/").some(({ exitAtMs }) => exitAtMs !== null);
    return !exiting && outbox.pending().length === 0 && this.#exchange.openCount + this.#exchange.onTheWay === 0;
  }
}
