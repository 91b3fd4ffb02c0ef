/**
 * The answer to an order that was placed, checked by hand: one comes for every row that fires.
 *
 * Invariant: what passes here passes the contract's schema unchanged (a test holds the two together). What does not is
 * for the schema to judge: refusals, answers with more fields, and whatever is wrong.
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
