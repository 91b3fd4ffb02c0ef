/**
 * The paper brokerage's rows as bytes.
 *
 * Owns keys, row formats and their check on reading. Does not own when a row is written.
 *
 * Invariants:
 * 1. Keys of one kind sort by account, then by day or order number: lists are range reads.
 * 2. A row that does not pass its schema is a damaged store: reading it throws, and nothing is guessed.
 */
import { z } from "zod";
import { assert } from "../../../../src/assert.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import type { LastPrice } from "../../../ports/price.ts";
import type { PaperAccount } from "../account/account.ts";
import type { PaperOrder } from "../market/order.ts";

/** The row that identifies the store and has the number of rows of each live kind. */
export const HEAD_KEY = "head";
export const ACCOUNTS_PREFIX = "account!";
/** Orders that are waiting or open, by number; the order itself is under `orderKey`. */
export const LIVE_PREFIX = "live!";
/** Orders whose last change was perhaps not reported. */
export const UNTOLD_PREFIX = "untold!";
export const LOGINS_PREFIX = "login!";
/** The last price of each symbol. */
export const PRICES_PREFIX = "price!";
/** The corporate actions that the book has followed. */
export const ACTIONS_PREFIX = "action!";

export const accountKey = (userId: number): string => `${ACCOUNTS_PREFIX}${userId}`;
export const orderKey = (orderNo: string): string => `order!${orderNo}`;
export const liveKey = (orderNo: string): string => `${LIVE_PREFIX}${orderNo}`;
export const untoldKey = (orderNo: string): string => `${UNTOLD_PREFIX}${orderNo}`;
export const priceKey = (symbol: string): string => `${PRICES_PREFIX}${symbol}`;
/** Present once the book follows corporate actions. */
export const ACTIONS_BEGUN_KEY = "actionsBegun";
export const actionKey = (actionId: string): string => `${ACTIONS_PREFIX}${actionId}`;
export const loginKey = (userId: number): string => `${LOGINS_PREFIX}${userId}`;
/** Holds the number of the order that a `clientOrderId` named. */
export const clientKey = (accountNumber: string, clientOrderId: string): string =>
  `client!${accountNumber}!${clientOrderId}`;
/** All orders that changed on a day (`2026-03-01`, UTC). */
export const dayPrefix = (accountNumber: string, day: string): string => `day!${accountNumber}!${day}!`;
export const dayKey = (accountNumber: string, day: string, orderNo: string): string =>
  `${dayPrefix(accountNumber, day)}${orderNo}`;

/** The range of all keys that start with `prefix`; keys are ASCII. */
export function rangeOf(prefix: string): { gte: string; lt: string } {
  return { gte: prefix, lt: `${prefix}\x7f` };
}

const count = z.number().int().nonnegative();
const money = z.string().regex(/^\d+$/);

const headSchema = z.object({
  version: z.literal(1),
  lastSequence: count,
  accountCount: count,
  liveCount: count,
});
export type Head = z.infer<typeof headSchema>;

const accountSchema = z.object({
  userId: z.number().int(),
  accountNumber: z.string(),
  number: z.string(),
  cash: money,
  positions: z.array(z.tuple([z.string(), z.number().int().positive(), money])),
});

const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
const oneOrTwo = z.union([z.literal(1), z.literal(2)]);

const orderSchema = z.object({
  orderNo: z.string(),
  sequence: count,
  accountNumber: z.string(),
  clientOrderId: z.string(),
  symbol: z.string(),
  buySell: oneOrTwo,
  orderType: oneOrTwo,
  quantity: count,
  price: z.number().nonnegative(),
  referenceOrderNo: z.string().nullable(),
  createdMs: count,
  limit: count,
  status,
  firstStatus: status,
  reason: z.string().nullable(),
  filled: count,
  filledCost: money.transform(BigInt),
  reservedCash: money.transform(BigInt),
  liveSinceMs: count,
  updatedMs: count.nullable(),
});

const priceSchema = z.strictObject({ value: z.number(), timeMs: count });

export function encodePrice({ price, timeMs }: LastPrice): string {
  return JSON.stringify({ value: price.value, timeMs } satisfies z.infer<typeof priceSchema>);
}

export function decodePrice(bytes: Uint8Array): LastPrice {
  const { value, timeMs } = priceSchema.parse(parseJson(bytes));
  const price = livePrice(value);
  assert(price !== undefined, "a stored price is one");
  return { price, timeMs };
}

const followedSchema = z.strictObject({ symbol: z.string(), exMs: z.number().int() });
/** A followed corporate action: its symbol, and from when on prices are on the new base. */
export type FollowedAction = z.infer<typeof followedSchema>;

export function encodeFollowed(followed: FollowedAction): string {
  return JSON.stringify(followed);
}

export function decodeFollowed(bytes: Uint8Array): FollowedAction {
  return followedSchema.parse(parseJson(bytes));
}

export function encodeHead(head: Head): string {
  return JSON.stringify(head);
}

export function decodeHead(bytes: Uint8Array): Head {
  return headSchema.parse(parseJson(bytes));
}

/** Reservations are not stored: resting orders reserve again when they are restored. */
export function encodeAccount(account: PaperAccount): string {
  const positions = [...account.positions].map(([symbol, { quantity, cost }]) => [symbol, quantity, String(cost)]);
  const { userId, accountNumber, number, cash } = account;
  return JSON.stringify({ userId, accountNumber, number, cash: String(cash), positions });
}

export function decodeAccount(bytes: Uint8Array): PaperAccount {
  const row = accountSchema.parse(parseJson(bytes));
  const positions = row.positions.map(
    ([symbol, quantity, cost]) => [symbol, { quantity, reserved: 0, cost: BigInt(cost) }] as const,
  );
  return { ...row, cash: BigInt(row.cash), reservedCash: 0n, positions: new Map(positions) };
}

export function encodeOrder(order: PaperOrder): string {
  return JSON.stringify({
    ...order,
    filledCost: String(order.filledCost),
    reservedCash: String(order.reservedCash),
  });
}

export function decodeOrder(bytes: Uint8Array): PaperOrder {
  return orderSchema.parse(parseJson(bytes));
}

export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(decodeText(bytes));
}
