/**
 * A group as its owner expects it: which prices must, and which may, fire its rows, where its stop-loss is after its
 * take-profits were sold (behaviour 20), and its levels and lots after a corporate action (behaviour 28).
 *
 * Owns: the naive computation. Does not own: what the engine did (`day-checks.ts`).
 *
 * The stop-loss lies between two bounds while the engine may not have learnt of a sale yet; at rest both are one.
 */
import { gridDown } from "../oracle/naive-grid.ts";
import {
  entryAfter,
  entryUnits,
  lotsAfter,
  type NaiveAction,
  offsetAfter,
  overEntry,
  stopAfter,
  takeProfitsAfter,
} from "./naive-action.ts";

export interface DayRow {
  readonly id: number;
  milli: number;
  quantity: number;
  /** `failed`: a take-profit whose order sold nothing. */
  state: "open" | "fired" | "failed" | "over";
  /** Since the last rest: a price may have fired it, and a price must have. */
  may: boolean;
  must: boolean;
  /** Lots that a take-profit surely did not sell. */
  unsold: number;
  /** All of its lots are sold. */
  isSold: boolean;
}

export interface NaiveRung {
  readonly after: number;
  readonly to: "entry" | "previousTakeProfit";
  readonly offsetMilli: number;
}

interface NaiveLadder {
  readonly entry: bigint;
  readonly rungs: readonly NaiveRung[];
  readonly climbed: number;
}

interface DayGroupOptions {
  readonly number: number;
  readonly userId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly hasGuard: boolean;
  readonly isToBeHeld: boolean;
  readonly isFollowing: boolean;
  readonly createdMs: number;
  readonly viewKey: string;
  readonly ladder: { readonly entryMilli: number; readonly rungs: readonly NaiveRung[] } | undefined;
  readonly stop: { readonly id: number; readonly milli: number; readonly quantity: number };
  readonly takeProfits: readonly { readonly id: number; readonly milli: number; readonly quantity: number }[];
}

export class DayGroup {
  readonly options: DayGroupOptions;
  readonly stop: DayRow;
  /** By price. */
  readonly takeProfits: readonly DayRow[];
  /** The highest level that the stop-loss can have, and the least once the engine knows of all sales. */
  highestMilli: number;
  raisedMilli: number;
  /** No level fires any more after a corporate action. */
  isHeld = false;
  /** True: whether it is held follows from a price that is near its levels. */
  mayBeHeld = false;
  /** The most lots that its stop-loss can sell, as its account held no more when it fired (behaviour 26.3). */
  lotsMax = Number.POSITIVE_INFINITY;
  /** When it was made, or its stop-loss last rose: from then on its levels are on the base of that moment. */
  #levelsSinceMs: number;
  #ladder: NaiveLadder | undefined;

  constructor(options: DayGroupOptions) {
    this.options = options;
    this.stop = rowOf(options.stop);
    this.takeProfits = options.takeProfits.map(rowOf);
    this.highestMilli = this.stop.milli;
    this.raisedMilli = this.stop.milli;
    this.#levelsSinceMs = options.createdMs;
    const { ladder } = options;
    if (ladder !== undefined) this.#ladder = { entry: entryUnits(ladder.entryMilli), rungs: ladder.rungs, climbed: 0 };
  }

  get rows(): readonly DayRow[] {
    return [this.stop, ...this.takeProfits];
  }

  get hasLadder(): boolean {
    return this.#ladder !== undefined;
  }

  get isOver(): boolean {
    return this.rows.every(({ state }) => state !== "open");
  }

  /** A price that counts for the group. `isSure`: it certainly does. */
  touch(milli: number, isSure: boolean): void {
    const { stop } = this;
    if (this.isHeld || stop.state === "fired" || stop.must) return;
    const isCertain = isSure && !this.mayBeHeld;
    for (const row of this.takeProfits) {
      if (row.state !== "open" || milli < row.milli) continue;
      row.may = true;
      if (isCertain && !stop.may) row.must = true;
    }
    if (stop.state !== "open" || milli > this.highestMilli) return;
    stop.may = true;
    if (isCertain && milli <= stop.milli && !this.mayBeSoldOut()) stop.must = true;
  }

  /** With the guard nothing may be left for the stop-loss. */
  mayBeSoldOut(): boolean {
    const { hasGuard } = this.options;
    const fired = this.takeProfits.filter(({ state, may }) => state === "fired" || may);
    return hasGuard && fired.reduce((sum, { quantity }) => sum + quantity, 0) >= this.stop.quantity;
  }

  /** A take-profit has sold all of its lots: the stop-loss may rise from now on. */
  climb(row: DayRow, nowMs: number): void {
    if (row.isSold) return;
    row.isSold = true;
    const ladder = this.#ladder;
    if (ladder === undefined || this.stop.state !== "open") return;
    const sold = this.takeProfits.filter(({ isSold }) => isSold);
    const reached = ladder.rungs.filter(({ after }) => after > ladder.climbed && after <= sold.length);
    const levelAt = ({ to, offsetMilli }: NaiveRung, before: number): number =>
      to === "entry" ? overEntry(ladder.entry, offsetMilli) : gridDown((sold[before]?.milli ?? 0) + offsetMilli);
    // If the engine learns of the highest sales first, the one before the last that counts is a higher one.
    const least = reached.map((rung) => levelAt(rung, rung.after - 2));
    const most = reached.map((rung) => levelAt(rung, sold.length - 2));
    this.raisedMilli = Math.max(this.stop.milli, ...least);
    this.highestMilli = Math.max(this.highestMilli, this.raisedMilli, ...most);
    if (this.raisedMilli > this.stop.milli) this.#levelsSinceMs = nowMs;
  }

  /** The level of the stop-loss is known. */
  settle(milli: number): void {
    this.stop.milli = milli;
    this.raisedMilli = milli;
    this.highestMilli = milli;
    if (this.#ladder === undefined) return;
    this.#ladder = { ...this.#ladder, climbed: this.takeProfits.filter(({ isSold }) => isSold).length };
  }

  /** Whether the lots and levels of the group are certain, so that an action has one result. */
  get isCertain(): boolean {
    return this.stop.milli === this.highestMilli && this.rows.every(({ may, must }) => may === must);
  }

  /** An action counts. `expectedMilli`: the price that it makes of the last one. */
  follow(action: NaiveAction, isLate: boolean, expectedMilli: number): void {
    const { stop } = this;
    const isExiting = stop.state === "fired" || stop.must;
    if (isExiting || this.isOver) return;
    if (isLate && this.#levelsSinceMs >= action.exMs) {
      this.mayBeHeld = this.mayBeHeld || this.#isReachedBy(expectedMilli);
      return;
    }
    if (this.options.isToBeHeld) this.isHeld = true;
    if (this.isHeld) return;
    this.#adjust(action);
  }

  /**
   * Lots were sold elsewhere, and `left` are held for it (behaviour 26.5). `sold`: lots that take-profits have sold.
   * One lot after the other is taken from the open take-profit with the highest price.
   */
  shrink(left: number, sold: number): void {
    const { stop } = this;
    const open = this.takeProfits.filter(({ state }) => state === "open");
    if (left === 0) {
      for (const row of [stop, ...open]) row.state = "over";
      return;
    }
    stop.quantity = sold + left;
    for (let lots = open.reduce((sum, { quantity }) => sum + quantity, 0); lots > left; lots -= 1) {
      const highest = open.findLast(({ quantity }) => quantity > 0);
      if (highest !== undefined) highest.quantity -= 1;
    }
    for (const row of open) if (row.quantity === 0) row.state = "over";
  }

  #isReachedBy(milli: number): boolean {
    const isOpen = ({ state }: DayRow): boolean => state === "open";
    const isByStop = isOpen(this.stop) && this.highestMilli >= milli;
    return isByStop || this.takeProfits.some((row) => isOpen(row) && row.milli <= milli);
  }

  #adjust(action: NaiveAction): void {
    const { stop, takeProfits } = this;
    const isFired = ({ state, must }: DayRow): boolean => state === "fired" || must;
    if (stop.state === "open") {
      const gone = takeProfits.filter(isFired).reduce((sum, { quantity, unsold }) => sum + quantity - unsold, 0);
      const sold = Math.min(stop.quantity, gone);
      const left = lotsAfter(action, stop.quantity - sold);
      if (left === 0 && sold < stop.quantity) stop.state = "over";
      else stop.quantity = sold + left;
      this.settle(stopAfter(action, stop.milli));
    }
    const followers = takeProfits.filter((row) => {
      return isFired(row) ? this.#ladder !== undefined : row.state === "open";
    });
    const before = followers.map(({ milli }) => milli);
    const levels = takeProfitsAfter(action, before, stop.state === "open" ? stop.milli : 10);
    for (const [index, row] of followers.entries()) {
      row.milli = levels[index] ?? row.milli;
      if (isFired(row)) continue;
      const quantity = lotsAfter(action, row.quantity);
      if (quantity === 0) row.state = "over";
      else row.quantity = quantity;
    }
    const ladder = this.#ladder;
    if (ladder === undefined) return;
    const rungs = ladder.rungs.map((rung) => ({ ...rung, offsetMilli: offsetAfter(action, rung.offsetMilli) }));
    this.#ladder = { ...ladder, rungs, entry: entryAfter(action, ladder.entry) };
  }
}

function rowOf({ id, milli, quantity }: DayGroupOptions["stop"]): DayRow {
  return { id, milli, quantity, state: "open", may: false, must: false, unsold: 0, isSold: false };
}
