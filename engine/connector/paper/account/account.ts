/**
 * One account of the paper brokerage: cash, lots, and the amounts that resting orders reserve.
 *
 * Owns the arithmetic of buying, selling and reserving. Does not own when an order fills or at what price.
 *
 * Invariants, asserted at every change: 1. 0 <= reserved <= held, for cash and for the lots of every symbol. Nothing is
 * sold short and nothing bought on credit.
 * 2. A position's cost is the price paid for its lots. A sale removes its share of the cost, so the average price does
 *    not change.
 */
import { assert } from "../../../../src/assert.ts";
import { divideRounded, type Money } from "./money.ts";

/** Lots held of one symbol. */
export interface Position {
  quantity: number;
  /** Lots that resting sell orders reserve. */
  reserved: number;
  cost: Money;
}

/** An account's cash and lots. */
export interface Holdings {
  readonly cash: Money;
  readonly positions: Map<string, Position>;
}

export interface PaperAccount {
  readonly userId: number;
  readonly accountNumber: string;
  /** The ten digits that identify the account to a customer. */
  readonly number: string;
  cash: Money;
  /** Cash that resting buy orders reserve. */
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

/** Reserves `amount` more of the cash; a negative amount releases. */
export function reserveCash(account: PaperAccount, amount: Money): void {
  account.reservedCash += amount;
  assert(account.reservedCash >= 0n && account.reservedCash <= account.cash, "more cash reserved than there is");
}

/** Reserves `lots` more of a symbol; a negative number releases. */
export function reserveLots(account: PaperAccount, symbol: string, lots: number): void {
  const position = account.positions.get(symbol);
  assert(position !== undefined, "lots are reserved of a symbol that is held");
  position.reserved += lots;
  assert(position.reserved >= 0 && position.reserved <= position.quantity, "more lots reserved than there are");
}

/** Takes `lots` in at `price` each. Reserved cash must have been released before. */
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

/** Gives `lots` away at `price` each. Reserved lots must have been released before. */
export function giveAway(account: PaperAccount, symbol: string, lots: number, price: Money): void {
  const position = account.positions.get(symbol);
  assert(position !== undefined && lots <= freeLots(account, symbol), "sold more than the free lots");
  account.cash += price * BigInt(lots);
  const kept = position.quantity - lots;
  position.cost = divideRounded(position.cost * BigInt(kept), BigInt(position.quantity));
  position.quantity = kept;
  if (kept === 0) account.positions.delete(symbol);
}

/** Moves the lots of a symbol to its new name, and adds them to its lots. Returns whether there were any. */
export function renamePosition({ positions }: PaperAccount, from: string, to: string): boolean {
  const moved = positions.get(from);
  if (moved === undefined) return false;
  const { quantity, reserved, cost } = positions.get(to) ?? { quantity: 0, reserved: 0, cost: 0n };
  positions.delete(from);
  positions.set(to, {
    quantity: quantity + moved.quantity,
    reserved: reserved + moved.reserved,
    cost: cost + moved.cost,
  });
  return true;
}

/** Replaces the number of lots of a symbol, at the cost that they had. None of them can be reserved. */
export function replaceLots(
  { positions }: PaperAccount,
  symbol: string,
  lotsOf: (quantity: number) => number,
): boolean {
  const position = positions.get(symbol);
  if (position === undefined) return false;
  assert(position.reserved === 0, "no lots are reserved whose number changes");
  position.quantity = lotsOf(position.quantity);
  assert(Number.isSafeInteger(position.quantity), "a position is a safe integer");
  if (position.quantity === 0) positions.delete(symbol);
  return true;
}

/** Replaces the account's holdings by `holdings`. Nothing can be reserved. */
export function replaceHoldings(account: PaperAccount, { cash, positions }: Holdings): void {
  assert(account.reservedCash === 0n, "no cash is reserved of an account that is set back");
  for (const { reserved } of account.positions.values()) assert(reserved === 0, "no lots are reserved of it");
  account.cash = cash;
  account.positions.clear();
  for (const [symbol, position] of positions) account.positions.set(symbol, position);
}
