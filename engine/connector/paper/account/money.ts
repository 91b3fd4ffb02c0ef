/**
 * Money of the paper brokerage, in whole numbers.
 *
 * Owns the unit, and the conversion of prices, cash and averages. Does not own the owners of amounts.
 *
 * Invariants:
 * 1. Money is a bigint of hundred-millionths of the currency unit; nothing is added or multiplied as a double.
 * 2. A live price with more than eight decimals is rounded against the trader, which never takes it past a limit:
 *    limits are whole hundredths.
 */
import { assert } from "../../../../src/assert.ts";
import { type Fraction, fractionOf, type Hundredths, type LivePrice } from "../../../../src/domain/price/price.ts";

/** An amount of money, or a price of one lot, in hundred-millionths of the currency unit. */
export type Money = bigint;

const MONEY_PER_UNIT = 100_000_000n;
const MONEY_PER_HUNDREDTH = 1_000_000n;

/** The money of a limit price. */
export function moneyOfLimit(limit: Hundredths): Money {
  return BigInt(limit) * MONEY_PER_HUNDREDTH;
}

/** The money that one lot costs (`buy`, rounded up) or brings (`sell`, rounded down, at least the smallest amount). */
export function moneyOfPrice(price: LivePrice, side: "buy" | "sell"): Money {
  if (price.floor === price.ceil) return moneyOfLimit(price.floor);
  const exact = exactOf(price.value);
  const down = (exact.numerator * MONEY_PER_UNIT) / exact.denominator;
  const isWhole = down * exact.denominator === exact.numerator * MONEY_PER_UNIT;
  const rounded = isWhole || side === "sell" ? down : down + 1n;
  return rounded > 0n ? rounded : 1n;
}

/** Converts an amount in currency units to money, truncated to the smallest amount. */
export function moneyOfAmount(amount: number): Money {
  const exact = exactOf(amount);
  return (exact.numerator * MONEY_PER_UNIT) / exact.denominator;
}

/**
 * Converts money to a number of currency units with at most `decimals` (0 to 8) decimals; ties round away from zero.
 */
export function amountOfMoney(money: Money, decimals: number): number {
  const step = 10n ** BigInt(8 - decimals);
  return Number(divideRounded(money, step)) / 10 ** decimals;
}

/** The average price of `quantity` lots that cost `cost` together, in currency units with at most eight decimals. */
export function averagePriceOf(cost: Money, quantity: number): number {
  return quantity === 0 ? 0 : amountOfMoney(divideRounded(cost, BigInt(quantity)), 8);
}

/** The whole number nearest to a quotient; ties round away from zero. `divisor` is greater than zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  assert(divisor > 0n, "money is divided by a number greater than zero");
  const half = dividend >= 0n ? divisor / 2n : -(divisor / 2n);
  return (dividend + half) / divisor;
}

/** Money as the text of a number with two decimals, truncated: for messages. */
export function moneyText(money: Money): string {
  const hundredths = money / MONEY_PER_HUNDREDTH;
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}

function exactOf(value: number): Fraction {
  const exact = fractionOf(value);
  assert(exact !== undefined, "an amount of money is a finite number");
  return exact;
}
