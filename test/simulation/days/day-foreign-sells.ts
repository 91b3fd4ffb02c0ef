/**
 * Owners who sell lots of an account elsewhere, while a group of it is active (behaviour 26.3 to 26.5).
 *
 * Owns: when lots are sold elsewhere, and what must follow from it. Does not own: the lots of an account
 * (`session-venue.ts`), how a group shrinks (`day-group.ts`).
 *
 * Each sell happens while nothing else does, so that it has one result:
 * 1. A group that follows its position has shrunk after two readings.
 * 2. If the engine dies first, the group has shrunk, or nothing has changed. Then the owner buys the lots back.
 * 3. With `SELL_LEDGER=refuse` a stop-loss that fires after one reading sells the lots that are held, and no more.
 */
import type { SellLedgerRule } from "../../../src/domain/order/sell-ledger.ts";
import { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { DayChecks } from "./day-checks.ts";
import type { DayEngine } from "./day-engine.ts";
import type { DayGroup } from "./day-group.ts";
import type { DayOperator } from "./day-operator.ts";
import type { SessionVenue } from "./session-venue.ts";

const SEEDS = 8_000_000;
/** Three readings of a position, which are 50 s apart. */
const READINGS_MS = 160_000;
const PER_WORLD = 3;

interface Ledger {
  readonly random: Random;
  readonly sellLedger: SellLedgerRule;
  readonly hasPositions: boolean;
}

/** Draws the ledger of a world from a seed of its own, so that worlds without one remain as they are. */
export function drawLedger(seed: number): Ledger {
  const random = new Random(seed + SEEDS);
  const hasPositions = random.chance(0.5);
  return { random, hasPositions, sellLedger: hasPositions && random.chance(0.6) ? "refuse" : "warn" };
}

interface DayForeignSellsOptions extends Ledger {
  readonly hasLedger: boolean;
  readonly report: Report;
  readonly time: VirtualTime;
  readonly engine: DayEngine;
  readonly venue: SessionVenue;
  readonly checks: DayChecks;
  readonly operator: DayOperator;
  readonly tick: (symbol: string, milli: number) => void;
  readonly calm: () => Promise<void>;
  /** True: no trouble, and no price while the engine is down. */
  readonly setAlone: (isAlone: boolean) => void;
}

export class DayForeignSells {
  readonly #options: DayForeignSellsOptions;
  #left = PER_WORLD;

  constructor(options: DayForeignSellsOptions) {
    this.#options = options;
  }

  /** Now and then lots of one of these groups are sold elsewhere. */
  async mayHappen(groups: readonly DayGroup[]): Promise<void> {
    const { random, hasLedger, report, calm, tick, venue, setAlone } = this.#options;
    if (!hasLedger || this.#left === 0 || !random.chance(0.15)) return;
    const group = random.among(groups.filter((one) => this.#isSuited(one)));
    if (group === undefined) return;
    const { symbol } = group.options;
    this.#left -= 1;
    await calm();
    // A price of the day shows that shares are on its base.
    if (report.violation === undefined) tick(symbol, venue.listing(symbol).milli);
    await calm();
    if (report.violation !== undefined || !this.#isSuited(group) || !this.#isSettled(group)) return;
    setAlone(true);
    await this.#options.time.advance(READINGS_MS);
    await this.#sell(group);
    setAlone(false);
    await calm();
  }

  #isSuited(group: DayGroup): boolean {
    const { operator, sellLedger } = this.#options;
    const { symbol, isFollowing, isToBeHeld } = group.options;
    // Fewer shares by an action explain a fall.
    const isExplained = operator.actions.some((one) => one.symbol === symbol && one.lots[0] < one.lots[1]);
    if (isExplained || operator.hasLate(symbol) || isToBeHeld || group.isHeld || group.mayBeHeld) return false;
    return group.stop.state === "open" && (isFollowing || sellLedger === "refuse");
  }

  /** The engine knows the ends of all its orders, and none is open. */
  #isSettled(group: DayGroup): boolean {
    const { checks } = this.#options;
    const orders = group.rows.flatMap(({ id }) => checks.ordersOf(id));
    const areOver = orders.every(({ endedMs }) => endedMs < Number.POSITIVE_INFINITY);
    return areOver && group.isCertain && checks.hasLearnt(group) && this.#held(group) === this.#unsold(group);
  }

  #held({ options }: DayGroup): number {
    return this.#options.venue.held.get(options.accountNumber) ?? 0;
  }

  #taken(group: DayGroup): number {
    return group.takeProfits.reduce((sum, { id }) => sum + this.#options.checks.soldOf(id), 0);
  }

  #unsold(group: DayGroup): number {
    return group.stop.quantity - this.#taken(group);
  }

  async #sell(group: DayGroup): Promise<void> {
    const { random, venue, sellLedger, report } = this.#options;
    const { accountNumber, isFollowing, number } = group.options;
    const before = this.#held(group);
    const isLimited = sellLedger === "refuse" && (!isFollowing || random.chance(0.4));
    const lots = isLimited ? random.whole(1, before - 1) : random.chance(0.15) ? before : random.whole(1, before);
    if (before === 0 || (isLimited && lots === before)) return;
    report.note(() => `the owner of group ${number} sells ${lots} of ${before} lots elsewhere`);
    venue.held.set(accountNumber, before - lots);
    if (isLimited) await this.#fire(group, before);
    else if (random.chance(0.4)) await this.#die(group, before);
    else {
      await this.#options.time.advance(READINGS_MS);
      group.shrink(before - lots, this.#taken(group));
      report.count("days: groups that shrank with their position");
    }
  }

  /** The engine dies before or after it believes the fall. */
  async #die(group: DayGroup, before: number): Promise<void> {
    const { random, engine, time, venue, report } = this.#options;
    await time.advance(random.whole(1, 110_000));
    engine.life.die("after lots were sold elsewhere");
    await engine.restart();
    await time.advance(READINGS_MS);
    const held = this.#held(group);
    const taken = this.#taken(group);
    const [stored] = engine.disk.rows(group.options.viewKey);
    const hasShrunk = stored === undefined || stored.quantity === taken + held || (held === 0 && stored.status !== 1);
    report.count(`days: ${hasShrunk ? "shrank" : "did not shrink"} before a kill`);
    if (hasShrunk) group.shrink(held, taken);
    else venue.held.set(group.options.accountNumber, before);
  }

  /** After one reading a price reaches the stop-loss: it sells the lots that are held. */
  async #fire(group: DayGroup, before: number): Promise<void> {
    const { random, venue, time, tick, report } = this.#options;
    const { accountNumber, symbol } = group.options;
    const soldMs = time.steadyClock.nowMs();
    for (let step = 0; step < 120 && (venue.askedMs.get(accountNumber) ?? 0) <= soldMs; step += 1)
      await time.advance(500);
    await time.advance(random.whole(100, 30_000));
    const { floorMilli } = venue.listing(symbol);
    if (group.stop.milli < floorMilli) {
      venue.held.set(accountNumber, before);
      return;
    }
    venue.bid(symbol, Number.POSITIVE_INFINITY);
    group.lotsMax = this.#held(group);
    tick(symbol, group.stop.milli);
    await time.advance(15_000);
    report.count("days: stop-losses that sold what was held");
  }
}
