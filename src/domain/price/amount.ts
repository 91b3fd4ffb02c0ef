/**
 * Exact amounts of money: prices times quantities, and their sums.
 *
 * Owns: the arithmetic and its stored form. Does not own: prices of orders and levels (`price.ts`).
 *
 * Invariants:
 * 1. An amount is decimal text without needless zeros (`"12.5"`, `"-3"`, `"0"`), as exact as the prices it came from:
 *    an average fill price may have any number of decimals.
 * 2. Nothing is ever rounded.
 */
import { assert } from "../../assert.ts";
import { fractionOf } from "./price.ts";

/** An exact amount in currency units, as decimal text. */
export type Amount = string;

export const NO_AMOUNT: Amount = "0";

/** The form of an amount's text. */
export const AMOUNT_TEXT = /^(?:0|-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.\d*[1-9]))$/;

/** A whole number of units of ten to the power of minus `decimals`. */
interface Decimal {
  readonly units: bigint;
  readonly decimals: number;
}

/** `price` in currency units times a quantity. `price` counts with its shortest decimal text. */
export function amountOf(price: number, quantity: number): Amount {
  assert(Number.isInteger(quantity), `a quantity is an integer: ${quantity}`);
  const { units, decimals } = decimalOf(price);
  return textOf({ units: units * BigInt(quantity), decimals });
}

/** The sum of two amounts. */
export function plus(left: Amount, right: Amount): Amount {
  const [a, b, decimals] = aligned(parse(left), parse(right));
  return textOf({ units: a + b, decimals });
}

/** `left` less `right`. */
export function minus(left: Amount, right: Amount): Amount {
  const [a, b, decimals] = aligned(parse(left), parse(right));
  return textOf({ units: a - b, decimals });
}

/** The larger one of two amounts. */
export function largerOf(left: Amount, right: Amount): Amount {
  const [a, b] = aligned(parse(left), parse(right));
  return a < b ? right : left;
}

/** Whether an amount has reached a number of currency units. */
export function isAtLeast(amount: Amount, least: number): boolean {
  const [a, b] = aligned(parse(amount), decimalOf(least));
  return a >= b;
}

function decimalOf(value: number): Decimal {
  const fraction = fractionOf(value);
  assert(fraction !== undefined, `not a finite number: ${value}`);
  // The denominator is a power of ten: one digit more than there are decimals.
  return { units: fraction.numerator, decimals: String(fraction.denominator).length - 1 };
}

function parse(amount: Amount): Decimal {
  assert(AMOUNT_TEXT.test(amount), "an amount is decimal text");
  const [whole = "", decimals = ""] = amount.split(".");
  return { units: BigInt(whole + decimals), decimals: decimals.length };
}

function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const decimals = Math.max(left.decimals, right.decimals);
  const scaled = (value: Decimal): bigint => value.units * 10n ** BigInt(decimals - value.decimals);
  return [scaled(left), scaled(right), decimals];
}

function textOf({ units, decimals }: Decimal): Amount {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  const sign = units < 0n ? "-" : "";
  return sign + digits.slice(0, point) + (fraction === "" ? "" : `.${fraction}`);
}
