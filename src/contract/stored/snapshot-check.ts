/**
 * A plain check of a stored group, for the hot paths: a start reads a million of them, a tick may wake ten thousand.
 *
 * Invariant: what passes here passes the schema and comes out of it as it went in (a test holds the two together). What
 * does not pass is for the schema to judge, and to say why.
 */

import type { OcoGroup, OcoRow } from "../../domain/oco/group.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";

const GROUP_FIELDS = 15;
const ROW_FIELDS = 10;
const HUNDREDTHS_MAX = 999_999_900;

/** Whether `value` is certainly a stored group of the present version. */
export function isStoredGroup(value: unknown): value is OcoGroup {
  if (!isRecord(value) || Object.keys(value).length !== GROUP_FIELDS) return false;
  const group: Partial<Record<keyof OcoGroup, unknown>> = value;
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
    // Where a sell is followed, or the group has what few have, the schema judges: that is seldom, and soon over.
    isEmpty(group.cancelledByStopLoss) &&
    isEmpty(group.followed) &&
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

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
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
