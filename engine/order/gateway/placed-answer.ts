/**
 * The answer to a placed order, checked by hand: one arrives for every row that fires.
 *
 * Invariant: an answer that passes here passes the contract's schema unchanged (a test compares the two). The schema
 * judges all others: refusals, answers with more fields, and any malformed answer.
 */
import type { OrderAnswer } from "../../../src/contract/trading/order.ts";
import { ORDER_REJECTED, ORDER_WAITING } from "../../../src/domain/order/order.ts";

const ANSWER_FIELDS = 2;
const NUMBER_LENGTH_MAX = 100;

/** Whether this is certainly `{ ok: true, data }` with an order's number and status, and nothing else. */
export function isPlacedAnswer(given: unknown): given is { readonly ok: true; readonly data: OrderAnswer } {
  if (!hasTwoFields(given) || given.ok !== true || !hasTwoFields(given.data)) return false;
  const { orderNo, orderStatus } = given.data;
  return (
    typeof orderNo === "string" &&
    orderNo.length >= 1 &&
    orderNo.length <= NUMBER_LENGTH_MAX &&
    Number.isInteger(orderStatus) &&
    Number(orderStatus) >= ORDER_WAITING &&
    Number(orderStatus) <= ORDER_REJECTED
  );
}

function hasTwoFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.keys(value).length === ANSWER_FIELDS;
}
