/**
 * Answers about orders, checked by hand: two arrive for every row that fires, the one to the order and its record.
 *
 * Invariant: an answer that passes here passes the contract's schema unchanged (a test compares the two). The schema
 * judges all others: refusals, answers with more fields, and any malformed answer.
 */
import type { OrderAnswer, OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_REJECTED, ORDER_WAITING } from "../../../src/domain/order/order.ts";

interface PlainAnswer<T> {
  readonly ok: true;
  readonly data: T;
}

type Fields = Readonly<Record<string, unknown>>;

const ANSWER_FIELDS = 2;
const FILLED_FIELDS = 4;
const NUMBER_LENGTH_MAX = 100;
/** Fields that every record has. */
const RECORD_FIELDS = 13;

/**
 * Whether this is certainly `{ ok: true, data }` with an order's number and status, with or without quantity and price of
 * its fill, and nothing else.
 */
export function isPlacedAnswer(given: unknown): given is PlainAnswer<OrderAnswer> {
  if (!hasFields(given, ANSWER_FIELDS) || given.ok !== true) return false;
  const { data } = given;
  if (hasFields(data, ANSWER_FIELDS)) return isNumber(data.orderNo) && isStatus(data.orderStatus);
  if (!hasFields(data, FILLED_FIELDS) || !isNumber(data.orderNo) || !isStatus(data.orderStatus)) return false;
  return isCount(data.filledQuantity) && isAmount(data.averagePrice);
}

/** Whether this is certainly `{ ok: true, data }` with an order's record without a word on its end, and no more. */
export function isRecordAnswer(given: unknown): given is PlainAnswer<OrderRecord> {
  if (!hasFields(given, ANSWER_FIELDS) || given.ok !== true || !hasFields(given.data, RECORD_FIELDS)) return false;
  const { data } = given;
  return (
    isNumber(data.orderNo) &&
    (data.clientOrderId === null || isText(data.clientOrderId, 0, NUMBER_LENGTH_MAX)) &&
    isText(data.accountNumber, 1, NUMBER_LENGTH_MAX) &&
    typeof data.symbol === "string" &&
    (data.buySell === 1 || data.buySell === 2) &&
    (data.orderType === 1 || data.orderType === 2) &&
    isCount(data.quantity) &&
    isAmount(data.price) &&
    isStatus(data.orderStatus) &&
    isCount(data.filledQuantity) &&
    isAmount(data.averagePrice) &&
    typeof data.createdDate === "string" &&
    (data.updatedDate === null || typeof data.updatedDate === "string")
  );
}

function hasFields(value: unknown, count: number): value is Fields {
  return typeof value === "object" && value !== null && Object.keys(value).length === count;
}

function isText(value: unknown, lengthMin: number, lengthMax: number): boolean {
  return typeof value === "string" && value.length >= lengthMin && value.length <= lengthMax;
}

/** Whether this is an order's number. */
function isNumber(value: unknown): boolean {
  return isText(value, 1, NUMBER_LENGTH_MAX);
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= ORDER_WAITING && Number(value) <= ORDER_REJECTED;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isAmount(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0;
}
