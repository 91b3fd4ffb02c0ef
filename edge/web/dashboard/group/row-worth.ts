/**
 * What the lots of a group's rows brought, or bring if they fire. Amounts are in units of the account's currency.
 *
 * Invariant: undefined is not known, which is never zero.
 */
import { type LevelWorth, sumOf, worthOfLots, worthOfRow } from "../part/worth.ts";
import { ACTIVE, type Group, type OcoRow, STOP_LOSS, TRIGGERED } from "../state/model.ts";

/** An order of a row, as far as its fill is stated. */
export interface RowOrder {
  readonly rowId: number;
  readonly refusal: string | null;
  readonly filledDate: string | null;
  readonly filledQuantity: number | null;
  readonly averagePrice: number | null;
}

/** The orders of a group, and the state of its exit. */
export interface OrdersPlan {
  readonly orders: readonly RowOrder[];
  readonly exit: { readonly state: string };
}

/** States of an exit that sends no further order. */
const EXITS_OVER: ReadonlySet<string> = new Set(["none", "sold", "ended"]);

/** The lots that a row has sold, and their price on average. */
export interface RowFill {
  readonly lots: number;
  readonly price: number;
}

/** The fills of a group's rows. */
export interface GroupFills {
  readonly byRow: ReadonlyMap<number, RowFill>;
  /** False: further fills are to be expected. */
  readonly isOver: boolean;
}

/** The fills by row. A row is left out if it sold nothing, or if the price of one of its fills is not known. */
export function fillsOf(orders: readonly RowOrder[]): ReadonlyMap<number, RowFill> {
  const fills = new Map<number, RowFill>();
  const unpriced = new Set<number>();
  for (const { rowId, filledQuantity, averagePrice } of orders) {
    const lots = filledQuantity ?? 0;
    if (lots <= 0) continue;
    if (averagePrice === null) unpriced.add(rowId);
    const before = fills.get(rowId) ?? { lots: 0, price: 0 };
    const amount = before.lots * before.price + lots * (averagePrice ?? 0);
    fills.set(rowId, { lots: before.lots + lots, price: amount / (before.lots + lots) });
  }
  for (const rowId of unpriced) fills.delete(rowId);
  return fills;
}

/** Whether all orders of a row are over, and it has one. */
export function hasEnded(orders: readonly RowOrder[], rowId: number): boolean {
  const own = orders.filter((order) => order.rowId === rowId);
  return own.length > 0 && own.every(({ filledDate, refusal }) => filledDate !== null || refusal !== null);
}

/** Whether no further fill of these rows is to be expected. */
export function areSalesOver({ orders, exit }: OrdersPlan, rowIds: readonly number[]): boolean {
  return EXITS_OVER.has(exit.state) && rowIds.every((id) => hasEnded(orders, id));
}

interface RowWorth extends LevelWorth {
  /** At the price of the fill, at the level of a row under watch, or at the price that fired it. */
  readonly at: "fill" | "level" | "firedPrice";
}

/** Returns undefined for a row that sold nothing. `averagePrice`: what a lot was bought for, if that is known. */
export function rowWorth(
  row: Pick<OcoRow, "status" | "price" | "triggeredPrice" | "quantity">,
  fill: RowFill | undefined,
  averagePrice: number | undefined,
): RowWorth | undefined {
  if (fill !== undefined) return { at: "fill", ...worthOfLots(fill.lots, fill.price, averagePrice) };
  const worth = worthOfRow(row, averagePrice);
  return worth === undefined ? undefined : { at: row.status === ACTIVE ? "level" : "firedPrice", ...worth };
}

/**
 * What a lot gains at a take-profit under watch for each unit that it loses at the stop-loss, both from the average price.
 * Undefined for any other row, and if a sale at the stop-loss loses nothing.
 */
export function rewardOf(
  row: Pick<OcoRow, "status" | "orderType" | "price">,
  rows: readonly Pick<OcoRow, "status" | "orderType" | "price">[],
  averagePrice: number,
): number | undefined {
  const stop = rows.find(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
  if (stop === undefined || row.orderType === STOP_LOSS || row.status !== ACTIVE) return undefined;
  const risk = averagePrice - stop.price;
  return risk > 0 && row.price > averagePrice ? (row.price - averagePrice) / risk : undefined;
}

interface SoldWorth {
  readonly lots: number;
  /** Undefined: what the lots were bought for is not known, or sales continue. */
  readonly profit: number | undefined;
  readonly profitShare: number | undefined;
  /** False: of a row no fill is known, and it counts at the price that fired it. */
  readonly isOfFills: boolean;
}

/**
 * What the fired rows of a group sold together: while sales continue (`isOver` false) only what is known as filled.
 * `averagePrice`: what a lot was bought for, if that is known.
 */
export function soldWorth(
  rows: readonly Pick<OcoRow, "id" | "status" | "price" | "triggeredPrice" | "quantity">[],
  { byRow: fills, isOver }: GroupFills,
  averagePrice: number | undefined,
): SoldWorth {
  const sold = rows.filter(({ id, status }) => fills.has(id) || (isOver && status === TRIGGERED));
  const { sum, missing } = sumOf(sold, (row) => rowWorth(row, fills.get(row.id), averagePrice)?.profit);
  const lots = sold.reduce((all, { id, quantity }) => all + (fills.get(id)?.lots ?? quantity), 0);
  const profit = isOver && missing === 0 ? sum : undefined;
  const cost = lots * (averagePrice ?? 0);
  return {
    ...{ lots, profit, profitShare: profit === undefined || cost <= 0 ? undefined : profit / cost },
    isOfFills: sold.every(({ id }) => fills.has(id)),
  };
}

interface GroupOutcome {
  /** The profit of all that the group sells if its stop-loss fires next, and if all its take-profits fire. */
  readonly stop: number;
  readonly targets: number;
  /** The part of both that fired rows have brought. Undefined: no row has fired. */
  readonly sold: number | undefined;
  /** What all lots of the group were bought for. */
  readonly cost: number;
  /** The lots that take-profits leave under the stop-loss. */
  readonly restLots: number;
}

/**
 * The profit of a running group as a whole. Undefined without a stop-loss under watch, or if a fired row has no known
 * profit. `averagePrice`: what a lot was bought for.
 */
export function groupOutcome(
  rows: readonly Pick<OcoRow, "id" | "status" | "orderType" | "price" | "triggeredPrice" | "quantity">[],
  fills: ReadonlyMap<number, RowFill>,
  averagePrice: number,
): GroupOutcome | undefined {
  const stop = rows.find(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
  if (stop === undefined) return undefined;
  const isOfTarget = ({ orderType }: (typeof rows)[number]): boolean => orderType !== STOP_LOSS;
  const profitOf = (row: (typeof rows)[number]) => rowWorth(row, fills.get(row.id), averagePrice)?.profit;
  const fired = rows.filter((row) => isOfTarget(row) && (row.status === TRIGGERED || fills.has(row.id)));
  const waiting = rows.filter((row) => isOfTarget(row) && row.status === ACTIVE);
  const { sum: sold, missing } = sumOf(fired, profitOf);
  if (missing > 0) return undefined;
  const left = protectedLots(rows);
  return {
    stop: sold + (stop.price - averagePrice) * left,
    targets: sold + sumOf(waiting, profitOf).sum,
    sold: fired.length === 0 ? undefined : sold,
    cost: stop.quantity * averagePrice,
    restLots: Math.max(0, left - waiting.reduce((sum, { quantity }) => sum + quantity, 0)),
  };
}

/** The lots that the stop-loss under watch protects: its own, without the lots of take-profits that fired. */
export function protectedLots(rows: readonly Pick<OcoRow, "status" | "orderType" | "quantity">[]): number {
  const lotsOf = (found: typeof rows): number => found.reduce((sum, { quantity }) => sum + quantity, 0);
  const stops = rows.filter(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
  const fired = rows.filter(({ orderType, status }) => orderType !== STOP_LOSS && status === TRIGGERED);
  return Math.max(0, lotsOf(stops) - lotsOf(fired));
}

/** The lots of a symbol that stop-losses under watch protect, and the first of their groups; undefined: none is under watch. */
export function protectionOf(
  groups: readonly Group[],
  symbol: string,
): { readonly lots: number; readonly groupId: number } | undefined {
  const watched = groups.filter(
    (group) =>
      group.symbol === symbol &&
      group.rows.some(({ status, orderType }) => status === ACTIVE && orderType === STOP_LOSS),
  );
  const [first] = watched;
  if (first === undefined) return undefined;
  return { lots: watched.reduce((sum, { rows }) => sum + protectedLots(rows), 0), groupId: first.id };
}
