/**
 * The tick tables of the exchanges: the valid prices of orders (behaviour 3.6).
 *
 * Owns which exchange has which table, the bands, the test whether a price is on the grid, neighbours on the grid, and
 * rounding to it. Does not own how a number is read (price.ts) nor which prices are rounded (percent.ts).
 *
 * Invariants:
 * 1. The grid is every multiple of its band's increment within PRICE_MIN and PRICE_MAX. The highest price on Borsa
 *    Istanbul's grid is 9,999,997.50, since 9,999,999 is not a multiple of 2.50.
 * 2. Every band starts on a multiple of its own increment and of the increment below. So one step up from the last grid
 *    price of a band is the first price of the next.
 * 3. A result without a price on the grid is `undefined`; nothing saturates.
 */

import { assert } from "../../assert.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import {
  type Fraction,
  formatPrice,
  type Hundredths,
  PRICE_MAX,
  PRICE_MIN,
  parsePrice,
  refusePriceRange,
} from "./price.ts";

interface Band {
  /** The first price of the band; it ends where the next one starts. */
  readonly from: Hundredths;
  readonly increment: Hundredths;
}

/** `BIST`: Borsa Istanbul's shares, wider steps at higher prices. `CENT`: 0.01 at every price, as in the US. */
export const TICK_TABLES = ["BIST", "CENT"] as const;
export type TickTable = (typeof TICK_TABLES)[number];

/**
 * The exchanges that do not use the table of Borsa Istanbul. Their steps under one dollar are finer than a price here.
 */
const CENT_EXCHANGES: ReadonlySet<string> = new Set([
  ...["NASDAQ", "NYSE", "ARCA", "AMEX", "BATS", "OTC"],
  // By their market identifier codes.
  ...["XNAS", "XNYS", "ARCX", "XASE", "IEXG"],
]);

/** The tick table of an exchange; the table of Borsa Istanbul for an unknown exchange (behaviour 3.6a). */
export function tickTableOf(exchange: string): TickTable {
  return CENT_EXCHANGES.has(exchange.toUpperCase()) ? "CENT" : "BIST";
}

/** The bands from the highest down, so that the first band that starts at or under a price contains it. */
const BANDS_DESCENDING: Readonly<Record<TickTable, readonly Band[]>> = {
  BIST: [
    { from: 250_000, increment: 250 },
    { from: 100_000, increment: 100 },
    { from: 50_000, increment: 50 },
    { from: 25_000, increment: 25 },
    { from: 10_000, increment: 10 },
    { from: 5_000, increment: 5 },
    { from: 2_000, increment: 2 },
  ],
  CENT: [],
};

/** The increment under every band. */
const LOWEST_INCREMENT: Hundredths = 1;

/** The increment of the band that contains `price`. */
export function incrementAt(price: Hundredths, table: TickTable = "BIST"): Hundredths {
  assert(Number.isInteger(price) && price >= 0, `not a price in hundredths: ${price}`);
  for (const band of BANDS_DESCENDING[table]) {
    if (price >= band.from) return band.increment;
  }
  return LOWEST_INCREMENT;
}

/** Whether an order may be placed at `price`: in range and a multiple of its band's increment. */
export function isOnGrid(price: Hundredths, table: TickTable = "BIST"): boolean {
  return Number.isInteger(price) && price >= PRICE_MIN && price <= PRICE_MAX && price % incrementAt(price, table) === 0;
}

/** Refuses (INVALID) a price that is out of range or off the grid: `stopLossPrice 20.01 is not a multiple of 0.02`. */
export function checkOnGrid(price: Hundredths, field: string, table: TickTable = "BIST"): Result<Hundredths> {
  if (isOnGrid(price, table)) return accept(price);
  if (!(price >= PRICE_MIN && price <= PRICE_MAX)) return refusePriceRange(price / 100, field);
  const increment = formatPrice(incrementAt(price, table));
  return refuse("INVALID", `${field} ${formatPrice(price)} is not a multiple of ${increment}`);
}

/** Reads a price given in currency units and checks it against the tick table. Refusals are INVALID. */
export function parseGridPrice(value: number, field: string, table: TickTable = "BIST"): Result<Hundredths> {
  const price = parsePrice(value, field);
  return price.ok ? checkOnGrid(price.value, field, table) : price;
}

/** The smallest grid price over `price`, which need not be on the grid itself; `undefined` past the highest one. */
export function nextUp(price: Hundredths, table: TickTable = "BIST"): Hundredths | undefined {
  const increment = incrementAt(price, table);
  const next = price - (price % increment) + increment;
  return next <= PRICE_MAX ? next : undefined;
}

/** The greatest grid price under `price`, which need not be on the grid itself; `undefined` at 0.01 and below. */
export function nextDown(price: Hundredths, table: TickTable = "BIST"): Hundredths | undefined {
  return price > PRICE_MIN ? gridAtOrBelow(Math.min(price - 1, PRICE_MAX), table) : undefined;
}

/** The greatest grid price at or under `price`; `undefined` under 0.01. */
function gridAtOrBelow(price: Hundredths, table: TickTable): Hundredths | undefined {
  return price >= PRICE_MIN ? price - (price % incrementAt(price, table)) : undefined;
}

/**
 * The whole hundredths at or under an exact price in hundredths; `undefined` when it is not over 0 or over 9,999,999.
 */
function floorInRange(exact: Fraction): Hundredths | undefined {
  const { numerator, denominator } = exact;
  assert(denominator > 0n, "the denominator of a fraction is greater than zero");
  if (numerator <= 0n || numerator > BigInt(PRICE_MAX) * denominator) return undefined;
  return Number(numerator / denominator);
}

/** The greatest grid price at or under an exact price in hundredths; `undefined` if none is in range. */
export function roundDownToGrid(exact: Fraction, table: TickTable = "BIST"): Hundredths | undefined {
  const floor = floorInRange(exact);
  return floor === undefined ? undefined : gridAtOrBelow(floor, table);
}

/** The smallest grid price at or over an exact price in hundredths; `undefined` if none is in range. */
export function roundUpToGrid(exact: Fraction, table: TickTable = "BIST"): Hundredths | undefined {
  const floor = floorInRange(exact);
  if (floor === undefined) return undefined;
  const isWhole = BigInt(floor) * exact.denominator === exact.numerator;
  return isWhole && isOnGrid(floor, table) ? floor : nextUp(floor, table);
}

/**
 * The grid price nearest to an exact price in hundredths, also if its neighbours lie in two bands. `tie` decides a tie.
 * `undefined` if the exact price is not over 0 or over 9,999,999. A value under 0.01 goes to 0.01, and a value over the
 * highest grid price to the highest one.
 */
export function roundToGrid(exact: Fraction, tie: "down" | "up", table: TickTable = "BIST"): Hundredths | undefined {
  const below = roundDownToGrid(exact, table);
  const above = roundUpToGrid(exact, table);
  if (below === undefined || above === undefined) return below ?? above;
  const twice = exact.numerator * 2n;
  const middleTwice = BigInt(below + above) * exact.denominator;
  if (twice === middleTwice) return tie === "down" ? below : above;
  return twice < middleTwice ? below : above;
}
