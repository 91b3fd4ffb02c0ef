/**
 * The judgement after every step of a world of several days: the lots that the engine has counted as sold and can still
 * sell, and the position of each account at its exchange.
 *
 * Invariants that are judged:
 * 1. At no moment does the engine count more sold lots than the exchange sold; once it knows all ends, it counts all.
 * 2. With the guard, a group whose ends are all known never has more lots to sell than its account holds. A group that
 *    is held keeps its lots over a reverse split, and is not compared.
 * 3. At rest the sell ledger commits the lots of the stop-losses that have not fired (behaviour 26).
 */
import { commitmentsOf } from "../../../engine/projection/commitments.ts";
import { checkSoldLots } from "../check/sold-lots.ts";
import { ACTIVE, type PlainDisk, TRIGGERED } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Life } from "../world/life.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { DayChecks } from "./day-checks.ts";
import type { DayGroup } from "./day-group.ts";
import type { SessionVenue } from "./session-venue.ts";

interface DayLedgerOptions {
  readonly disk: PlainDisk;
  readonly exchange: Exchange;
  readonly venue: SessionVenue;
  readonly report: Report;
  readonly checks: DayChecks;
  readonly time: VirtualTime;
  readonly life: () => Life;
}

export class DayLedger {
  readonly #options: DayLedgerOptions;

  constructor(options: DayLedgerOptions) {
    this.#options = options;
  }

  /** Judges every group at this moment; more exactly if the engine is still. */
  afterStep(groups: readonly DayGroup[]): void {
    const { disk, report, exchange, checks, life, time } = this.#options;
    checkSoldLots({ disk, report, exchanges: [exchange], isSettled: false });
    if (!life().isAlive || !life().isStarted) return;
    const { inbox, walk, journal, actions } = life().partition;
    if (!inbox.isIdle || !walk.isIdle || journal.isDirty || !actions.isIdle) return;
    const today = new Date(time.wallClock.nowMs()).toISOString().slice(0, 10);
    if (actions.list().some(({ exDate, appliedDate }) => appliedDate === null && exDate <= today)) return;
    const stored = new Map([...disk.snapshots("a/"), ...disk.snapshots("z/")].map((one) => [one.groupId, one]));
    for (const group of groups) {
      const snapshot = stored.get(group.stop.id);
      if (snapshot === undefined || !checks.hasLearnt(group)) continue;
      const sold = checks.soldOf(group.stop.id);
      if (snapshot.soldQuantity !== sold) {
        this.#violate(group, `the ledger counts ${snapshot.soldQuantity} lots of its stop-loss, ${sold} were sold`);
      }
      this.#comparePosition(group, snapshot);
    }
  }

  /** What is left to sell of a group, next to what its account holds. */
  #comparePosition(group: DayGroup, { rows, soldQuantity }: ReturnType<PlainDisk["snapshots"]>[number]): void {
    const { venue, report, checks } = this.#options;
    const [stopLoss, ...takeProfits] = rows;
    if (stopLoss === undefined || !group.options.hasGuard || group.isHeld || group.mayBeHeld) return;
    if (group.lotsMax < Number.POSITIVE_INFINITY) return;
    let taken = 0;
    for (const { id, status, isInFlight, quantity, unsoldQuantity } of takeProfits) {
      const filled = checks.soldOf(id);
      const counted = status === TRIGGERED && !isInFlight ? quantity - unsoldQuantity : 0;
      if (counted !== filled)
        this.#violate(group, `the ledger counts ${counted} lots of row ${id}, ${filled} were sold`);
      taken += counted;
    }
    const isSelling = stopLoss.status === ACTIVE || stopLoss.status === TRIGGERED;
    const left = isSelling && !stopLoss.isInFlight ? stopLoss.quantity - taken - soldQuantity : 0;
    const held = venue.held.get(group.options.accountNumber) ?? 0;
    report.count("ledger: compared with a position");
    if (left > held) this.#violate(group, `can sell ${left} lots, and its account holds ${held}`);
  }

  /** At rest: the ledger commits the lots of each stop-loss that has not fired, or whose order has no answer yet. */
  async atRest(groups: readonly DayGroup[]): Promise<void> {
    const { exchange, disk, life } = this.#options;
    const inFlight = new Set(disk.snapshots("a/").flatMap(({ rows }) => (rows[0]?.isInFlight ? [rows[0].id] : [])));
    for (const accountNumber of new Set(groups.map(({ options }) => options.accountNumber))) {
      const own = groups.filter(({ options }) => options.accountNumber === accountNumber);
      const isCommitted = ({ stop }: DayGroup): boolean => stop.state === "open" || inFlight.has(stop.id);
      const expected = own.filter(isCommitted).reduce((sum, { stop }) => sum + stop.quantity, 0);
      const place = { userId: own[0]?.options.userId ?? 0, brokerageCode: exchange.settings.code, accountNumber };
      const commitments = await commitmentsOf(life().partition.context.store, place);
      const committed = commitments.reduce((sum, { quantity }) => sum + quantity, 0);
      if (committed !== expected && own[0] !== undefined)
        this.#violate(own[0], `the ledger commits ${committed} lots of its account, ${expected} are expected`);
    }
  }

  #violate({ options }: DayGroup, what: string): void {
    this.#options.report.violate(`group ${options.number} of ${options.symbol}: ${what}`);
  }
}
