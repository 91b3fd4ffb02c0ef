/**
 * A plain check of a stored group, for the hot paths: a start reads a million of them, a tick can wake ten thousand.
 *
 * Invariant: a value that passes here passes the schema and comes out of it unchanged (a test holds the two together).
 * The schema judges every other value, and gives the reason.
 */

import type { FollowedSell, OcoGroup, OcoRow } from "../../domain/oco/group.ts";
import type { Execution } from "../../domain/order/execution.ts";
import type { NumberedOrder } from "../../domain/order/order-number.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";

const GROUP_FIELDS = 15;
const ROW_FIELDS = 10;
const EXECUTION_FIELDS = 15;
const NUMBER_FIELDS = 6;
const PHASES: readonly unknown[] = ["open", "unclear", "ending", "ended", "settled"] satisfies Execution["phase"][];
const HUNDREDTHS_MAX = 999_999_900;

/** Whether `value` is certainly a stored group of the present version. */
export function isStoredGroup(value: unknown): value is OcoGroup {
  if (!isRecord(value)) return false;
  const group: Partial<Record<keyof OcoGroup, unknown>> = value;
  // If the group has seldom fields, the schema judges.
  if (Object.keys(value).length !== GROUP_FIELDS) return false;
  return (
    group.version === 1 &&
    isNatural(group.groupId, 1) &&
    isNatural(group.userId, 1) &&
    typeof group.brokerageCode === "string" &&
    typeof group.accountNumber === "string" &&
    typeof group.symbol === "string" &&
    isNatural(group.createdAtMs, 0) &&
    isNaturalOrNull(group.dueAtMs) &&
    isTextOrNull(group.notes) &&
    typeof group.hasOversellGuard === "boolean" &&
    isNatural(group.stopLossOrdersOpen, 0) &&
    isNatural(group.stopLossSoldQuantity, 0) &&
    Array.isArray(group.cancelledByStopLoss) &&
    group.cancelledByStopLoss.every((row) => isNatural(row, 0)) &&
    Array.isArray(group.followed) &&
    group.followed.every(isFollowedSell) &&
    Array.isArray(group.rows) &&
    group.rows.length >= 1 &&
    group.rows.every(isStoredRow)
  );
}

function isStoredRow(value: unknown): value is OcoRow {
  if (!isRecord(value) || Object.keys(value).length !== ROW_FIELDS) return false;
  const row: Partial<Record<keyof OcoRow, unknown>> = value;
  return (
    isNatural(row.id, 1) &&
    isNatural(row.quantity, 1) &&
    row.quantity <= QUANTITY_MAX &&
    isNatural(row.price, 1) &&
    row.price <= HUNDREDTHS_MAX &&
    (row.status === 1 || row.status === 2 || row.status === 3 || row.status === 4) &&
    typeof row.isInFlight === "boolean" &&
    (row.triggeredPrice === null || isPositive(row.triggeredPrice)) &&
    isNaturalOrNull(row.triggeredAtMs) &&
    isTextOrNull(row.triggerErrorMessage) &&
    isNaturalOrNull(row.updatedAtMs) &&
    isNatural(row.unsoldQuantity, Number.MIN_SAFE_INTEGER)
  );
}

function isFollowedSell(value: unknown): value is FollowedSell {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  return isNatural(value.row, 0) && isUsualExecution(value.execution);
}

/**
 * An execution of a market sell whose end was not reported yet, and that is not in doubt: as every trigger leaves one.
 */
function isUsualExecution(value: unknown): value is Execution {
  if (!isRecord(value) || Object.keys(value).length !== EXECUTION_FIELDS) return false;
  const execution: Partial<Record<keyof Execution, unknown>> = value;
  return (
    execution.clientOrderId !== "" &&
    isTextOrNull(execution.clientOrderId) &&
    typeof execution.symbol === "string" &&
    execution.buySell === 2 &&
    isNatural(execution.quantity, 0) &&
    execution.quantity <= QUANTITY_MAX &&
    execution.limitPrice === null &&
    execution.needsPrice === false &&
    execution.createdDate === null &&
    Array.isArray(execution.orders) &&
    execution.orders.length >= 1 &&
    execution.orders.every(isNumberedOrder) &&
    PHASES.includes(execution.phase) &&
    isNatural(execution.sinceMs, 0) &&
    isNatural(execution.askCount, 0) &&
    isNatural(execution.lookCount, 0) &&
    isNaturalOrNull(execution.askAtMs) &&
    isNaturalOrNull(execution.missingSinceMs) &&
    execution.end === null
  );
}

function isNumberedOrder(value: unknown): value is NumberedOrder {
  if (!isRecord(value) || Object.keys(value).length !== NUMBER_FIELDS) return false;
  const order: Partial<Record<keyof NumberedOrder, unknown>> = value;
  return (
    typeof order.orderNo === "string" &&
    order.orderNo !== "" &&
    isTextOrNull(order.name) &&
    isNatural(order.filledQuantity, 0) &&
    (order.averagePrice === null || isPositive(order.averagePrice)) &&
    typeof order.isEnded === "boolean" &&
    isNaturalOrNull(order.correctedQuantity)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNatural(value: unknown, least: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}

function isNaturalOrNull(value: unknown): boolean {
  return value === null || isNatural(value, 0);
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}
