/**
 * A synthetic OCO group: its rows, and questions about them.
 *
 * Owns: the shape of a group, row status codes, questions about rows. Does not own: changes (`oco.ts`,
 * `order/sell-end.ts`).
 */
import { assert } from "../../assert.ts";
import type { ActionPolicy, Adjustment } from "../market/corporate-action.ts";
import type { Renamed } from "../market/rename.ts";
import type { Execution } from "../order/execution.ts";
import type { ConfirmTicks, FirstPrint } from "../price/confirm.ts";
import type { Hundredths, StreamSequence } from "../price/price.ts";
import type { TickTable } from "../price/tick-table.ts";

/** Row status codes (behaviour 4.13). */
export const ACTIVE = 1;
export const TRIGGERED = 2;
export const TRIGGER_FAILED = 3;
export const CANCELLED = 4;
type RowStatus = typeof ACTIVE | typeof TRIGGERED | typeof TRIGGER_FAILED | typeof CANCELLED;

/** Index of the stop-loss in `rows`, and its watch number. */
export const STOP_LOSS = 0;
/** The watch number of the next price that raises a stop-loss: above the numbers of all rows. */
export const RAISE = 1_000;

export interface OcoRow {
  readonly id: number;
  readonly quantity: number;
  readonly price: Hundredths;
  readonly status: RowStatus;
  /** True from the trigger until the brokerage's answer is known. */
  readonly isInFlight: boolean;
  /** The live price that fired the row, as it came in; null also of a row that the clock fired. */
  readonly triggeredPrice: number | null;
  readonly triggeredAtMs: number | null;
  readonly triggerErrorMessage: string | null;
  readonly updatedAtMs: number | null;
  /**
   * Lots that the brokerage took to sell and then did not sell; negative: lots that it sold beyond the ordered ones.
   */
  readonly unsoldQuantity: number;
}

/** A sell that the brokerage took and that is not settled. */
export interface FollowedSell {
  readonly row: number;
  readonly execution: Execution;
}

/** How the stop-loss is sold once it has fired: until its last lot is sold, or by one order (behaviour 14.1). */
export const EXIT_POLICIES = ["untilSold", "once"] as const;
export type ExitPolicy = (typeof EXIT_POLICIES)[number];

/** How a group's stop-loss is sold (behaviour 14). */
export interface Exit {
  readonly stopLoss: ExitPolicy;
  /**
   * Orders of the stop-loss by their numbers so far; after it was armed again, its next order too; absent: at most the
   * first.
   */
  readonly orderCount?: number;
  /** True: the exit was ended with a rest, and no more of it is sold. */
  readonly isStopped?: true;
  /** True: `flatten` made the group to sell its lots immediately; its stop-loss has no level (behaviour 18.5). */
  readonly isFlatten?: true;
  /** Present from the first end with a rest until nothing more is sold. */
  readonly pursuit?: Pursuit;
}

/** When a stop-loss sells by the clock, as its owner gave it (behaviour 21.4). */
export interface ExitTimes {
  readonly atMs: number | null;
  /** Before the end of the day's last phase. */
  readonly beforeCloseMinutes: number | null;
}

export interface TimedExit extends ExitTimes {
  /** The resulting moment; null: no calendar has the close. */
  readonly firesAtMs: number | null;
}

/** The state of an exit that continues. */
export interface Pursuit {
  /** The exchange's day of `ordersToday`, in days since the epoch. */
  readonly day: number;
  readonly ordersToday: number;
  /** When the next order leaves, or a cancel is asked for again; null: it waits for the order in progress. */
  readonly nextAtMs: number | null;
  /** True: the market is closed by its calendar, and the next order or the one in progress is tried anyway. */
  readonly isForSession?: boolean;
  /** When it opens; absent: it is not waited for. */
  readonly opensAtMs?: number;
  /** Lots that are sold once the order in progress is, which sells a part under a cap; null or absent: it sells all. */
  readonly sliceEndsAt?: number | null;
  /** Why no further order leaves; null while it continues. */
  readonly stop: { readonly reason: string; readonly isByOwner: boolean } | null;
  /** True: the order in progress sells more than is left and is cancelled. */
  readonly isRecalled: boolean;
}

/** How the stop-loss follows the price (behaviour 19.1). */
export interface TrailingTerms {
  /** Under the high; null: `distanceBasisPoints` defines it. */
  readonly distance: Hundredths | null;
  /** Under the high, in hundredths of a percent of it; null: `distance` defines it. */
  readonly distanceBasisPoints: number | null;
  /** No price counts before one reaches this; null: all do. */
  readonly activationPrice: Hundredths | null;
  /** A high counts in whole steps above the first one; null: any does. */
  readonly step: Hundredths | null;
  readonly confirmTicks: ConfirmTicks;
  /** The symbol's tick table when the terms were given. */
  readonly tickTable: TickTable;
}

/** A stop-loss that follows the price, as far as it has come. */
export interface Trailing extends TrailingTerms {
  /** The highest price that counted; null: none did yet. */
  readonly high: Hundredths | null;
  /** A price that raises the stop-loss if the next one confirms it. */
  readonly before: FirstPrint | null;
  /** The tick, read back from the stream, that moved it last. */
  readonly movedBy: { readonly timeMs: number; readonly stored: StreamSequence | null } | null;
  /**
   * Where the stop-loss was before the millisecond in which a tick moved it last; absent: it was armed in that
   * millisecond, or not moved yet.
   */
  readonly movedFrom?: { readonly timeMs: number; readonly stop: Hundredths };
  /** When its owner was last notified of a raise. */
  readonly toldAtMs: number | null;
}

/** The level of the stop-loss once this many take-profits were sold. */
export interface Rung {
  readonly afterTakeProfits: number;
  readonly to: "entry" | "previousTakeProfit";
  /** Added to the price; may be negative. */
  readonly offset: Hundredths;
}

/** A stop-loss that rises as take-profits are sold (behaviour 20.1). */
export interface Ladder {
  /** By `afterTakeProfits`. */
  readonly rungs: readonly Rung[];
  /** The entry price, in currency units; null: no rung leads there. */
  readonly entryPrice: number | null;
  readonly tickTable: TickTable;
  /** How many sold take-profits have counted. */
  readonly climbed: number;
  /** When take-profits were sold that are still to count; null: none was. */
  readonly dueAtMs: number | null;
}

/** The buy of an entry whose lots the group takes over as they are filled (behaviour 24.7). */
export interface Growth {
  readonly setupId: number;
  /** Lots that were bought so far: a total, so that none counts twice. */
  readonly bought: number;
  /** False: nothing more is bought. */
  readonly isBuying: boolean;
  /** The places in the entry of the take-profits, by row from 1 on; absent: a change by the owner ended them. */
  readonly tiers?: readonly number[];
}

/** The index of a row, and the moment from which it is armed. */
type Arming = readonly [row: number, timeMs: number];

export interface OcoGroup extends Renamed {
  readonly version: 1;
  readonly groupId: number;
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly createdAtMs: number;
  readonly dueAtMs: number | null;
  readonly notes: string | null;
  /**
   * The setting `OCO_OVERSELL_GUARD` when the group was made (behaviour 4.3); true too once its stop-loss was sent with
   * fewer lots (behaviour 4.5b).
   */
  readonly hasOversellGuard: boolean;
  readonly rows: readonly OcoRow[];
  /** Sells of the stop-loss that the brokerage has not answered: more than one only with the oversell guard. */
  readonly stopLossOrdersOpen: number;
  /** Lots that ended sells of the stop-loss have sold. */
  readonly stopLossSoldQuantity: number;
  /** The take-profits that the stop-loss cancelled, for as long as it is possible that nothing of it is sold. */
  readonly cancelledByStopLoss: readonly number[];
  readonly followed: readonly FollowedSell[];
  /** Absent: `untilSold`, and nothing of it was done yet. */
  readonly exit?: Exit;
  /** How often rows or terms of the group have changed, by triggers too; absent: never. */
  readonly changes?: number;
  /**
   * Rows whose level was changed, or that were added, and when: earlier prices do not fire them. Absent: no such row.
   */
  readonly armings?: readonly Arming[];
  /** Absent: the stop-loss does not move. */
  readonly trailing?: Trailing;
  readonly ladder?: Ladder;
  /** Absent: the stop-loss sells by its price alone. */
  readonly timedExit?: TimedExit;
  /** Absent: all of its lots were bought before it was made. */
  readonly growth?: Growth;
  /** True: it shrinks with its position (behaviour 26.5). */
  readonly followsPosition?: true;
  /** Absent: levels follow corporate actions, and none has counted yet. */
  readonly corporate?: Corporate;
}

/** The policy of a group for corporate actions, and their results (behaviour 28). */
export interface Corporate {
  /** Absent: `adjust`. */
  readonly policy?: ActionPolicy;
  /** The ids of actions that have counted, the oldest first: none counts twice. */
  readonly counted?: readonly string[];
  /** The change by the last of them, as text. */
  readonly note?: string;
  /** Actions that count once the stop-loss is not being sold. */
  readonly waiting?: readonly Adjustment[];
  /** True: no level fires until the owner releases the group. */
  readonly isHeld?: true;
}

/** Terms with a policy; undefined or null: the policy before. Counted actions remain. */
export function withActionPolicy(
  before: Corporate | undefined,
  policy: ActionPolicy | null | undefined,
): { readonly corporate?: Corporate } {
  const { policy: was = "adjust", ...rest } = before ?? {};
  const now = policy ?? was;
  const corporate = now === "adjust" ? rest : { ...rest, policy: now };
  return Object.keys(corporate).length === 0 ? {} : { corporate };
}

/** Whether no level of the group fires, as a corporate action changed the base of its prices (behaviour 28.7). */
export function isHeldByAction({ corporate }: Pick<OcoGroup, "corporate">): boolean {
  return corporate?.isHeld === true;
}

/** How the stop-loss of a group is sold (behaviour 14.1). */
export function exitPolicyOf({ exit }: Pick<OcoGroup, "exit">): ExitPolicy {
  return exit?.stopLoss ?? "untilSold";
}

/** The version of a group: it rises with every change of any row (behaviour 15.2). */
export function versionOf({ changes = 0 }: Pick<OcoGroup, "changes">): number {
  return 1 + changes;
}

/** An Active row to which nothing has happened yet. */
export function newRow(id: number, { price, quantity }: Pick<OcoRow, "price" | "quantity">): OcoRow {
  return {
    id,
    quantity,
    price,
    status: ACTIVE,
    isInFlight: false,
    triggeredPrice: null,
    triggeredAtMs: null,
    triggerErrorMessage: null,
    updatedAtMs: null,
    unsoldQuantity: 0,
  };
}

/** Indexes of the rows as they are listed: the stop-loss first, take-profits by price (behaviour 4.9). */
export function listedRows({ rows }: Pick<OcoGroup, "rows">): readonly number[] {
  const indexes = rows.map((_, index) => index);
  const priceAt = (index: number): number => (index === STOP_LOSS ? -1 : (rows[index]?.price ?? 0));
  return indexes.sort((left, right) => priceAt(left) - priceAt(right));
}

/** True while the row is Active and its sell is not in progress: it can fire and be cancelled. */
export function isOpen(row: OcoRow | undefined): row is OcoRow {
  return row !== undefined && row.status === ACTIVE && !row.isInFlight;
}

/** A group is active while it has an Active row (behaviour 4.1). */
export function isActive(group: OcoGroup): boolean {
  return group.rows.some((row) => row.status === ACTIVE);
}

/** True when a cancel would change something (behaviour 4.8). */
export function canCancel(group: OcoGroup): boolean {
  return group.rows.some(isOpen);
}

/** Whether the group only sells the lots that an account held when it was flattened (behaviour 18.5). */
export function isFlattening({ exit }: Pick<OcoGroup, "exit">): boolean {
  return exit?.isFlatten === true;
}

/** Whether an entry can still buy lots for the group (behaviour 24.7). */
export function isBuying({ growth }: Pick<OcoGroup, "growth">): boolean {
  return growth?.isBuying === true;
}

/** True while the stop-loss has fired and is not settled. */
export function isStopping(group: OcoGroup): boolean {
  return stopLossOf(group).isInFlight;
}

/** Arms the group's stop-loss at that moment: prices from before it, which can be read back, do not count. */
export function armStopLoss(group: OcoGroup, timeMs: number): OcoGroup {
  const others = (group.armings ?? []).filter(([row]) => row !== STOP_LOSS);
  return { ...group, armings: [...others, [STOP_LOSS, timeMs]] };
}

/** From the due date on, nothing fires (behaviour 4.7). */
export function isDue(group: OcoGroup, timeMs: number): boolean {
  return group.dueAtMs !== null && timeMs >= group.dueAtMs;
}

/** The stop-loss row. */
export function stopLossOf(group: OcoGroup): OcoRow {
  const row = group.rows[STOP_LOSS];
  assert(row !== undefined, "a group has a stop-loss");
  return row;
}

/** Returns the row at `index`; an index without a row is a bug. */
export function rowAt(group: OcoGroup, index: number): OcoRow {
  const row = group.rows[index];
  assert(row !== undefined, () => `group ${group.groupId} has row ${index}`);
  return row;
}

/** The group with some rows changed. */
export function changeRows(group: OcoGroup, indexes: readonly number[], change: (row: OcoRow) => OcoRow): OcoGroup {
  if (indexes.length === 0) return group;
  const rows = [...group.rows];
  for (const index of indexes) rows[index] = change(rowAt(group, index));
  return { ...group, rows };
}
