/**
 * One account of the paper brokerage: cash, lots, and what resting orders hold back of them.
 *
 * Owns the arithmetic of buying, selling and reserving. Does not own when an order fills or at what price.
 *
 * Invariants, asserted at every change:
 * 1. 0 <= reserved <= held, for cash and for the lots of every symbol. Nothing is sold short and nothing bought on
 *    credit.
 * 2. A position's cost is what its lots were bought for; a sale takes its share of the cost along, so the average
 *    price stays what it was.
 */
import { assert } from "../../../../src/assert.ts";
import { divideRounded, type Money } from "./money.ts";

/** Lots held of one symbol. */
export interface Position {
  quantity: number;
  /** Lots that resting sell orders hold back. */
  reserved: number;
  cost: Money;
}

/** What an account holds, cash and lots. */
export interface Holdings {
  readonly cash: Money;
  readonly positions: Map<string, Position>;
}

export interface PaperAccount {
  readonly userId: number;
  readonly accountNumber: string;
  /** The ten digits by which a customer knows the account. */
  readonly number: string;
  cash: Money;
  /** Cash that resting buy orders hold back. */
  reservedCash: Money;
  readonly positions: Map<string, Position>;
}

/** Cash that a new order may use. */
export function freeCash(account: PaperAccount): Money {
  return account.cash - account.reservedCash;
}

/** Lots that a new sell order may use. */
export function freeLots(account: PaperAccount, symbol: string): number {
  const position = account.positions.get(symbol);
  return position === undefined ? 0 : position.quantity - position.reserved;
}

/** Holds back `amount` more of the cash; a negative amount lets go. */
export function reserveCash(account: PaperAccount, amount: Money): void {
  account.reservedCash += amount;
  assert(account.reservedCash >= 0n && account.reservedCash <= account.cash, "more cash reserved than there is");
}

/** Holds back `lots` more of a symbol; a negative number lets go. */
export function reserveLots(account: PaperAccount, symbol: string, lots: number): void {
  const position = account.positions.get(symbol);
  assert(position !== undefined, "lots are reserved of a symbol that is held");
  position.reserved += lots;
  assert(position.reserved >= 0 && position.reserved <= position.quantity, "more lots reserved than there are");
}

/** Takes `lots` in at `price` each. Reserved cash must have been let go of before. */
export function takeIn(account: PaperAccount, symbol: string, lots: number, price: Money): void {
  const amount = price * BigInt(lots);
  assert(amount <= freeCash(account), "bought for more than the free cash");
  account.cash -= amount;
  const position = account.positions.get(symbol) ?? { quantity: 0, reserved: 0, cost: 0n };
  position.quantity += lots;
  assert(Number.isSafeInteger(position.quantity), "a position is a safe integer");
  position.cost += amount;
  account.positions.set(symbol, position);
}

/** Gives `lots` away at `price` each. Reserved lots must have been let go of before. */
export function giveAway(account: PaperAccount, symbol: string, lots: number, price: Money): void {
  const position = account.positions.get(symbol);
  assert(position !== undefined && lots <= freeLots(account, symbol), "sold more than the free lots");
  account.cash += price * BigInt(lots);
  const kept = position.quantity - lots;
  position.cost = divideRounded(position.cost * BigInt(kept), BigInt(position.quantity));
  position.quantity = kept;
  if (kept === 0) account.positions.delete(symbol);
}

/** Has the account hold `holdings` and nothing else. Nothing may be reserved. */
export function replaceHoldings(account: PaperAccount, { cash, positions }: Holdings): void {
  assert(account.reservedCash === 0n, "no cash is reserved of an account that is set back");
  for (const { reserved } of account.positions.values()) assert(reserved === 0, "no lots are reserved of it");
  account.cash = cash;
  account.positions.clear();
  for (const [symbol, position] of positions) account.positions.set(symbol, position);
}
