/**
 * The judgement over a world of several days: at each rest on levels, lots and fired rows, at the end on what was sold.
 *
 * Invariants that are judged:
 * 1. A row fired if a price reached it, and only then. Prices and levels of two bases are never compared.
 * 2. Levels and lots equal the naive computation: each action and each rung counted once.
 * 3. While the market is open, an exit that is not sold out has one order, at the floor of the day.
 * 4. The engine knows of each exit as many sold lots as its brokerage; in the end all of them are sold, once.
 */

import { queryHandlers } from "../../../engine/query/queries.ts";
import { QUERIES } from "../../../src/contract/command.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { plainName } from "../oracle/plain-name.ts";
import { ACTIVE, CANCELLED, FAILED, type PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { ExchangeOrder } from "../world/fills.ts";
import type { Life } from "../world/life.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { DayGroup, DayRow } from "./day-group.ts";
import { isExtra, rowOf, type SessionVenue } from "./session-venue.ts";

const ORDER_OPEN = 1;
const LIMIT = 2;
/** Deadlines pass so often, and a while after a standstill. */
const RISES_WITHIN_MS = 1_000;

interface DayChecksOptions {
  readonly disk: PlainDisk;
  readonly exchange: Exchange;
  readonly venue: SessionVenue;
  readonly report: Report;
  readonly time: VirtualTime;
  readonly life: () => Life;
}

/** A row as the engine stored it. */
interface StoredRow {
  readonly hasFired: boolean;
  readonly status: number;
  /** No order of the stop-loss waits for an answer. */
  readonly isAnswered: boolean;
}

export class DayChecks {
  readonly #options: DayChecksOptions;
  /** Since when the engine knows the ends of all orders of a group. */
  readonly #learntMs = new Map<DayGroup, number>();

  constructor(options: DayChecksOptions) {
    this.#options = options;
  }

  /** Every order of a row, with the orders for lots that a take-profit left. */
  ordersOf(rowId: number): readonly ExchangeOrder[] {
    return [...this.#options.exchange.orders.values()].flat().filter(({ request }) => rowOf(request) === rowId);
  }

  /** Lots that the orders of a row have sold. */
  soldOf(rowId: number): number {
    return sum(this.ordersOf(rowId));
  }

  /** Notes the take-profits that have sold all of their lots, and lots that they left. */
  noteSales(groups: readonly DayGroup[]): void {
    for (const group of groups) {
      for (const row of group.takeProfits) {
        if (row.isSold || !(row.state === "fired" || (row.state === "open" && row.may))) continue;
        const [order] = this.ordersOf(row.id);
        if (order === undefined || order.record.orderStatus === ORDER_OPEN) continue;
        const { filledQuantity } = order.record;
        if (filledQuantity >= row.quantity) {
          group.climb(row, this.#options.time.wallClock.nowMs());
          this.#learntMs.delete(group);
        } else row.unsold = row.quantity - filledQuantity;
      }
    }
  }

  /** The engine has done all that it was given: judges every group, and takes over which rows have fired. */
  atRest(groups: readonly DayGroup[]): void {
    const snapshots = new Map(
      [...this.#options.disk.snapshots("a/"), ...this.#options.disk.snapshots("z/")].map((one) => [one.groupId, one]),
    );
    for (const group of groups) {
      const stored = snapshots.get(group.stop.id);
      if (stored === undefined) {
        this.#violate(group, "is not stored");
        continue;
      }
      // Until its order has an answer, its take-profits show Active and are out of the watch.
      const isAnswered = stored.rows.every(({ id, isInFlight }) => id !== group.stop.id || !isInFlight);
      for (const row of group.rows) {
        const view = stored.rows.find(({ id }) => id === row.id);
        if (view === undefined) this.#violate(group, `has no row ${row.id}`);
        else this.#judgeFired(group, row, { hasFired: view.triggeredAtMs !== null, status: view.status, isAnswered });
      }
      this.#judgeLevels(group);
    }
  }

  #judgeFired(group: DayGroup, row: DayRow, stored: StoredRow): void {
    const { report } = this.#options;
    const { hasFired, status, isAnswered } = stored;
    if (row.state === "open") {
      if (hasFired && !row.may) this.#violate(group, `row ${row.id} fired, and no price of its base reached it`);
      if (!hasFired && row.must) this.#violate(group, `row ${row.id} did not fire, and a price reached it`);
      if (hasFired) {
        row.state = "fired";
        report.count(row === group.stop ? "days: stop-losses fired" : "days: take-profits fired");
        if (row === group.stop) for (const other of group.takeProfits) if (other.state === "open") other.state = "over";
      }
    } else if (row.state === "over" && hasFired) {
      // A take-profit may have fired just before its stop-loss.
      if (row.may) row.state = "fired";
      else this.#violate(group, `row ${row.id} fired, and it was over`);
    }
    row.may = false;
    row.must = false;
    if (status === FAILED && row.state === "fired" && this.#soldNothing(group, row)) row.state = "failed";
    if (status === FAILED && row.state !== "failed")
      this.#violate(group, `row ${row.id} failed, and its brokerage refuses nothing`);
    if (row === group.stop && row.state === "open" && status === CANCELLED && group.mayBeSoldOut()) row.state = "over";
    if (row.state === "open" && status !== ACTIVE) this.#violate(group, `row ${row.id} has the status ${status}`);
    if (row.state === "over" && status === ACTIVE && isAnswered)
      this.#violate(group, `row ${row.id} is Active, and it was over`);
  }

  /** Whether the only order of a take-profit ended with nothing. */
  #soldNothing(group: DayGroup, row: DayRow): boolean {
    const orders = this.ordersOf(row.id);
    return (
      row !== group.stop && orders.length === 1 && orders[0]?.record.orderStatus !== ORDER_OPEN && sum(orders) === 0
    );
  }

  /** Levels and lots of open rows. */
  #judgeLevels(group: DayGroup): void {
    const { disk, venue } = this.#options;
    const views = disk.rows(group.options.viewKey);
    const hasRaised = group.stop.state === "open" && this.#hasRaised(group);
    if (hasRaised) group.stop.milli = group.raisedMilli;
    for (const row of group.rows) {
      const view = views.find(({ id }) => id === row.id);
      if (row.state !== "open" || view === undefined) continue;
      const milli = Math.round(view.price * 1000);
      const name = venue.names.of(group.options.symbol);
      if (view.symbol !== name) this.#violate(group, `row ${row.id} is of ${view.symbol}, whose name is ${name}`);
      const most = row === group.stop ? group.highestMilli : row.milli;
      if (milli < row.milli || milli > most || view.quantity !== row.quantity) {
        const expected = `${row.quantity} at ${row.milli / 1000}${most > row.milli ? ` to ${most / 1000}` : ""}`;
        this.#violate(group, `row ${row.id} sells ${view.quantity} at ${view.price}, expected ${expected}`);
      }
      if (row === group.stop && hasRaised) group.settle(milli);
    }
  }

  /** Whether the engine knows the end of every order of the group for so long that its stop-loss has risen. */
  #hasRaised(group: DayGroup): boolean {
    const { time, life } = this.#options;
    const nowMs = time.wallClock.nowMs();
    if (!this.hasLearnt(group)) this.#learntMs.delete(group);
    else if (!this.#learntMs.has(group)) this.#learntMs.set(group, nowMs);
    const sinceMs = Math.max(this.#learntMs.get(group) ?? nowMs, life().startedMs);
    return nowMs - sinceMs >= RISES_WITHIN_MS;
  }

  /** Whether the engine knows the end of every order of the group. */
  hasLearnt(group: DayGroup): boolean {
    const { life, exchange } = this.#options;
    const { outbox, watchbook } = life().partition;
    // An order that waits for the market to open has sold nothing.
    const isUnanswered = outbox.pending().some(({ accountNumber, clientOrderId }) => {
      return accountNumber === group.options.accountNumber && exchange.orders.has(plainName(clientOrderId));
    });
    if (isUnanswered) return false;
    for (const order of watchbook.followed(exchange.settings.code)) {
      if (order.accountNumber === group.options.accountNumber && order.isQuiet !== true) return false;
    }
    return true;
  }

  /** The market is open and calm for minutes: each exit that is not sold out has one order at the floor. */
  async exits(groups: readonly DayGroup[]): Promise<void> {
    const { venue, report } = this.#options;
    for (const group of groups) {
      if (group.stop.state !== "fired") continue;
      const open = venue.openOrdersOf(group.stop.id);
      const sold = sum(this.ordersOf(group.stop.id));
      const wanted = this.#wantedOf(group);
      if (sold >= wanted) continue;
      report.count("days: exits that wait at the floor");
      const [order] = open;
      // The order before it left while the floor was not known: it ended immediately, and the next one follows soon.
      const newest = this.ordersOf(group.stop.id)
        .filter(({ request }) => !isExtra(request))
        .at(-1);
      if (open.length < 2 && newest?.request.orderType !== LIMIT) continue;
      if (open.length !== 1 || order === undefined) {
        this.#violate(group, `sold ${sold} of ${wanted} lots and has ${open.length} open orders`);
      } else {
        const left = wanted - sold + order.record.filledQuantity;
        // What an order for the rest of a take-profit did not sell follows with the next order.
        const extra = this.ordersOf(group.stop.id).filter(({ request }) => isExtra(request));
        const unsold = extra.reduce((total, { record }) => total + record.quantity - record.filledQuantity, 0);
        const { quantity } = order.record;
        if (quantity > left || quantity < left - unsold) {
          this.#violate(group, `has ${left} lots left and an order of ${quantity}`);
        }
      }
    }
    for (const group of groups) await this.#judgeKnowledge(group);
  }

  /** What the engine believes to be sold is what the brokerage sold. */
  async #judgeKnowledge(group: DayGroup): Promise<void> {
    if (group.stop.state !== "fired" || !this.#hasLearntEnds(group)) return;
    const plan = await this.#planOf(group);
    const known = plan.exit.soldQuantity;
    const ended = this.ordersOf(group.stop.id).filter(({ record }) => record.orderStatus !== ORDER_OPEN);
    if (known !== sum(ended)) this.#violate(group, `sold ${sum(ended)} lots, and the engine knows of ${known}`);
  }

  /** Whether the engine follows no order of the group whose end the brokerage knows. */
  #hasLearntEnds(group: DayGroup): boolean {
    const { life, exchange } = this.#options;
    for (const order of life().partition.watchbook.followed(exchange.settings.code)) {
      if (order.accountNumber !== group.options.accountNumber || order.isQuiet === true) continue;
      if (exchange.numbered(order.orderNo)?.record.orderStatus !== ORDER_OPEN) return false;
    }
    return true;
  }

  async isHeldByAction(group: DayGroup): Promise<boolean> {
    return (await this.#planOf(group)).corporateActions.isHeld;
  }

  async #planOf({ options, stop }: DayGroup): Promise<PlanView> {
    const handler = queryHandlers.get(QUERIES.readPlan);
    const answer = await handler?.(this.#options.life().partition.context, options.userId, { id: stop.id }, undefined);
    if (answer === undefined || answer instanceof Uint8Array || !answer.ok) throw new Error("a plan was not answered");
    return answer.data as PlanView;
  }

  /** Lots of rows that have fired and are not sold yet. */
  unsoldOf(group: DayGroup): number {
    const fired = group.rows.filter(({ state, must }) => state === "fired" || must);
    return fired.reduce((total, row) => {
      const wanted = row === group.stop ? this.#wantedOf(group) : row.quantity - row.unsold;
      return total + Math.max(0, wanted - sum(this.ordersOf(row.id)));
    }, 0);
  }

  /** Lots that the orders of a stop-loss must sell in all. */
  #wantedOf({ stop, takeProfits, options, lotsMax }: DayGroup): number {
    const taken = takeProfits.flatMap(({ id, state }) => (state === "fired" ? this.ordersOf(id) : []));
    return Math.min(lotsMax, stop.quantity - (options.hasGuard ? sum(taken) : 0));
  }

  /** All bids are there again and everything is sold. */
  atEnd(groups: readonly DayGroup[]): void {
    for (const group of groups) {
      for (const row of group.rows) {
        const orders = this.ordersOf(row.id);
        if (row.state !== "fired") {
          if (row.state !== "failed" && orders.length > 0)
            this.#violate(group, `row ${row.id} did not fire and has ${orders.length} orders`);
          continue;
        }
        const sold = sum(orders);
        if (row === group.stop) {
          const wanted = this.#wantedOf(group);
          if (sold !== wanted) this.#violate(group, `its stop-loss sold ${sold} of ${wanted} lots`);
          if (orders.length > 1) this.#options.report.count("days: exits with further orders");
          const names = new Set(orders.map(({ request }) => plainName(request.clientOrderId)));
          if (names.size < orders.length) this.#violate(group, "an order of its stop-loss exists twice");
        } else if (orders.length !== 1 || sold > row.quantity) {
          this.#violate(group, `take-profit ${row.id} has ${orders.length} orders and sold ${sold} of ${row.quantity}`);
        }
      }
    }
  }

  #violate({ options }: DayGroup, what: string): void {
    this.#options.report.violate(`group ${options.number} of ${options.symbol}: ${what}`);
  }
}

function sum(orders: readonly ExchangeOrder[]): number {
  return orders.reduce((total, { record }) => total + record.filledQuantity, 0);
}
