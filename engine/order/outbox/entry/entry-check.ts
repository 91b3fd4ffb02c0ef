/**
 * A plain check of an entry before it is written, for the hot path: each row that fires writes one.
 *
 * Invariant: an entry that passes here passes the schema unchanged (a test compares the two). The schema judges all
 * others and names the fault: orders of clients, quarantine, and any invalid entry.
 */

import { MARKET } from "../../../../src/domain/order/order.ts";
import { QUANTITY_MAX } from "../../../../src/domain/price/quantity.ts";
import type { OutboxOrder } from "../../../ports/order.ts";

const ENTRY_FIELDS = 9;
const ORDER_FIELDS = 11;
const ORIGIN_FIELDS = 3;
const NAME_LENGTH_MAX = 100;
const CODE = /^[A-Za-z0-9_]{1,32}$/;
const SYMBOL = /^[A-Z0-9_]{1,16}$/;

/** The checked fields of an entry. Its schema is in `entry.ts`, which uses this check. */
interface CheckedEntry {
  readonly version: number;
  readonly sequence: number;
  readonly order: OutboxOrder;
  readonly createdMs: number;
  readonly promise: string;
  readonly attempt: number;
  readonly attemptRecordedMs: number | null;
  readonly expiresAtMs: number | null;
  readonly quarantine: object | null;
}

/** Whether this is certainly a valid entry of an actor's market order. */
export function isUsualEntry(entry: CheckedEntry): boolean {
  const { attempt, attemptRecordedMs, expiresAtMs } = entry;
  const isMarkRight =
    attemptRecordedMs === null
      ? isNatural(attempt) && expiresAtMs === null
      : isNatural(attempt) &&
        attempt > 0 &&
        isNatural(attemptRecordedMs) &&
        (entry.promise === "expiry" ? isNatural(expiresAtMs) : expiresAtMs === null);
  return (
    Object.keys(entry).length === ENTRY_FIELDS &&
    entry.version === 1 &&
    isNatural(entry.sequence) &&
    isNatural(entry.createdMs) &&
    isPromise(entry.promise) &&
    entry.quarantine === null &&
    isMarkRight &&
    isUsualOrder(entry.order)
  );
}

function isUsualOrder(order: OutboxOrder): boolean {
  const { origin, urgency } = order;
  return (
    Object.keys(order).length === ORDER_FIELDS &&
    isNatural(order.userId) &&
    order.userId > 0 &&
    isOfForm(order.brokerageCode, CODE) &&
    isName(order.accountNumber) &&
    isName(order.clientOrderId) &&
    (urgency === "stopLoss" || urgency === "triggered") &&
    isOfForm(order.symbol, SYMBOL) &&
    isNatural(order.quantity) &&
    order.quantity >= 1 &&
    order.quantity <= QUANTITY_MAX &&
    (order.buySell === 1 || order.buySell === 2) &&
    order.orderType === MARKET &&
    Object.is(order.price, 0) &&
    origin.kind === "actor" &&
    Object.keys(origin).length === ORIGIN_FIELDS &&
    isNatural(origin.actorId) &&
    typeof origin.name === "string" &&
    origin.name !== ""
  );
}

function isPromise(promise: unknown): boolean {
  return promise === "query" || promise === "idempotent" || promise === "expiry" || promise === "none";
}

function isNatural(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length >= 1 && value.length <= NAME_LENGTH_MAX;
}

function isOfForm(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}
