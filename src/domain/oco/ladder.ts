/**
 * A stop-loss that rises as the take-profits of its group sell (behaviour 20).
 *
 * Owns: which rungs are valid, and the level of the stop-loss by the sold take-profits. Does not own: sales (`oco.ts`,
 * `order/sell-end.ts`), watching.
 *
 * Invariants:
 * 1. Each take-profit counts once, when its order has ended and all of it was sold; the stop-loss only rises.
 * 2. It rises at a deadline, the moment of that sale: earlier prices, which can still be read back, meet the stop-loss
 *    at its earlier level.
 */
import { fractionOf, type Hundredths, PRICE_MAX } from "../price/price.ts";
import { roundDownToGrid, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import {
  armStopLoss,
  changeRows,
  isOpen,
  type Ladder,
  type OcoGroup,
  type OcoRow,
  type Rung,
  STOP_LOSS,
  stopLossOf,
  TRIGGERED,
} from "./group.ts";
import type { Notice } from "./oco.ts";

/** A client's request, already of the right shape. */
export interface LadderRequest {
  readonly stopLossLadder?:
    | readonly {
        readonly afterTakeProfits: number;
        readonly to: Rung["to"];
        readonly offset?: number | undefined;
      }[]
    | null
    | undefined;
  readonly entryPrice?: number | null | undefined;
}

/** A take-profit, as far as rungs use it. */
type Priced = Pick<OcoRow, "price">;

interface LadderTerms {
  /** How many take-profits the group has. */
  readonly takeProfitCount: number;
  /** True: the price of the entry is the price of a future fill. */
  readonly isEntryKnownLater: boolean;
  readonly table: TickTable;
}

/** Checks the rungs (behaviour 20.1). A refusal is INVALID and names field and rule. */
export function planLadder(request: LadderRequest, terms: LadderTerms): Result<Ladder | undefined> {
  const { stopLossLadder } = request;
  const entryPrice = request.entryPrice ?? null;
  if (!stopLossLadder) {
    return entryPrice === null ? accept(undefined) : refuse("INVALID", "entryPrice is of use with stopLossLadder only");
  }
  if (entryPrice !== null && !(entryPrice > 0 && entryPrice <= PRICE_MAX / 100)) {
    return refuse("INVALID", `entryPrice ${entryPrice} is not a price up to ${PRICE_MAX / 100}`);
  }
  const rungs: Rung[] = [];
  for (const [index, { afterTakeProfits, to, offset = 0 }] of stopLossLadder.entries()) {
    const field = `stopLossLadder[${index}]`;
    const hundredths = Math.round(offset * 100);
    if (hundredths / 100 !== offset) return refuse("INVALID", `${field}.offset ${offset} has more than two decimals`);
    if (afterTakeProfits > terms.takeProfitCount) {
      return refuse("INVALID", `${field}.afterTakeProfits must be at most ${terms.takeProfitCount}`);
    }
    if (afterTakeProfits <= (rungs.at(-1)?.afterTakeProfits ?? 0)) {
      return refuse("INVALID", `${field}.afterTakeProfits must be above the value of the rung before`);
    }
    if (to === "previousTakeProfit" && afterTakeProfits < 2) {
      return refuse("INVALID", `${field}.to previousTakeProfit needs at least 2 take-profits`);
    }
    if (to === "entry" && entryPrice === null && !terms.isEntryKnownLater) {
      return refuse("INVALID", `${field}.to entry needs entryPrice`);
    }
    rungs.push({ afterTakeProfits, to, offset: hundredths });
  }
  return accept({ rungs, entryPrice, tickTable: terms.table, climbed: 0, dueAtMs: null });
}

/** Refuses a rung that would lie at or above the take-profit after which it counts: it would sell immediately. */
export function checkRungs(ladder: Ladder | undefined, takeProfits: readonly Priced[]): Result<void> {
  for (const [index, rung] of (ladder?.rungs ?? []).entries()) {
    const limit = takeProfits[rung.afterTakeProfits - 1]?.price;
    const level = ladder === undefined ? undefined : levelOf(ladder, rung, takeProfits);
    if (level === undefined || limit === undefined || level >= limit) {
      return refuse("INVALID", `stopLossLadder[${index}] must lie under the take-profit after which it counts`);
    }
  }
  return accept(undefined);
}

/**
 * Returns the level of a rung; `sold`: the take-profits by price. Undefined if no price of the tick table lies there.
 */
function levelOf(ladder: Ladder, rung: Rung, sold: readonly Priced[]): Hundredths | undefined {
  if (rung.to === "previousTakeProfit") {
    const before = sold[rung.afterTakeProfits - 2]?.price;
    if (before === undefined) return undefined;
    return roundDownToGrid({ numerator: BigInt(before + rung.offset), denominator: 1n }, ladder.tickTable);
  }
  const entry = ladder.entryPrice === null ? undefined : fractionOf(ladder.entryPrice);
  if (entry === undefined) return undefined;
  const numerator = entry.numerator * 100n + BigInt(rung.offset) * entry.denominator;
  return roundDownToGrid({ numerator, denominator: entry.denominator }, ladder.tickTable);
}

/** Notes that the group's stop-loss is to rise if take-profits were sold that have not counted. */
export function noteSold(group: OcoGroup, timeMs: number): OcoGroup {
  const { ladder } = group;
  if (ladder === undefined || ladder.dueAtMs !== null || soldTakeProfits(group).length <= ladder.climbed) return group;
  return { ...group, ladder: { ...ladder, dueAtMs: timeMs } };
}

/** Whether the stop-loss is to rise at or before a moment. */
export function isClimbDue({ ladder }: OcoGroup, timeMs: number): boolean {
  return ladder !== undefined && ladder.dueAtMs !== null && ladder.dueAtMs <= timeMs;
}

/** The rungs of a ladder as a client gives them. */
export function requestedRungs(ladder: Ladder | undefined) {
  return ladder?.rungs.map(({ offset, ...rung }) => ({ ...rung, offset: offset / 100 }));
}

/** Raises the stop-loss for the take-profits sold since the last raise; returns undefined without a ladder. */
export function climb(group: OcoGroup, timeMs: number): { group: OcoGroup; notices: readonly Notice[] } | undefined {
  const { ladder } = group;
  const stop = stopLossOf(group);
  if (ladder === undefined) return undefined;
  const sold = soldTakeProfits(group);
  const reached = ladder.rungs.filter(
    ({ afterTakeProfits }) => afterTakeProfits > ladder.climbed && afterTakeProfits <= sold.length,
  );
  const levels = reached.map((rung) => levelOf(ladder, rung, sold) ?? 0);
  const climbed = Math.max(ladder.climbed, sold.length);
  const counted: OcoGroup = { ...group, ladder: { ...ladder, climbed, dueAtMs: null } };
  const level = Math.max(0, ...levels);
  if (level <= stop.price || !isOpen(stop)) return { group: counted, notices: [] };
  const raised = changeRows(counted, [STOP_LOSS], (row) => ({ ...row, price: level, updatedAtMs: timeMs }));
  return { group: armStopLoss(raised, timeMs), notices: [{ type: "oco.stopRaised", row: STOP_LOSS }] };
}

/** Take-profits of which every lot was sold, and whose order is settled, by price. */
function soldTakeProfits({ rows, followed }: OcoGroup): readonly OcoRow[] {
  return rows
    .filter((row, index) => {
      const isSettled = !followed.some((sell) => sell.row === index);
      return index !== STOP_LOSS && row.status === TRIGGERED && isSettled && row.unsoldQuantity <= 0;
    })
    .sort((left, right) => left.price - right.price);
}

/** The ladder as a client gives it, for the plan of a group (behaviour 20.4). */
export function viewLadder({ ladder }: OcoGroup) {
  if (ladder === undefined) return null;
  const { rungs, entryPrice, climbed } = ladder;
  return { rungs: rungs.map(({ offset, ...rung }) => ({ ...rung, offset: offset / 100 })), entryPrice, climbed };
}
