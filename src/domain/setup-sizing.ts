/**
 * How many lots an entry buys (behaviour 24.10): given, or as many as an amount of cash or of risk allows.
 *
 * Owns: the arithmetic from an amount to lots. Does not own: which price counts for a market entry (the engine), other
 * rules of an entry (`setup-entry.ts`).
 *
 * Invariant: amounts and prices count with their shortest decimal text, and lots are rounded down once, at the end.
 */
import { stopLossLevel } from "./price/percent.ts";
import { type Fraction, fractionOf, numberText, priceToNumber } from "./price/price.ts";
import { parseQuantity, QUANTITY_MAX } from "./price/quantity.ts";
import type { TickTable } from "./price/tick-table.ts";
import { accept, type Result, refuse } from "./refusal.ts";
import { planTier, type SetupRequest, tierAt } from "./setup.ts";

/** How much an entry buys: exactly one is given. */
export interface SizeRequest {
  readonly quantity?: number | undefined;
  /** In currency units; fees are not counted. */
  readonly cashAmount?: number | undefined;
  /** What is lost, in currency units, if the stop-loss sells at its level. */
  readonly riskAmount?: number | undefined;
}

/** What an amount is counted with. */
interface SizingTerms extends Pick<SetupRequest, "stopLossPercent" | "stopLossPrice"> {
  readonly symbol: string;
  /** In currency units: the limit, the trigger or the last live price; undefined: none is known that is recent. */
  readonly price: number | undefined;
  readonly table: TickTable;
}

const STOP_LOSS = { quantity: "stopLossQuantity", percent: "stopLossPercent", price: "stopLossPrice" };

/** The lots of an entry. Refusals are INVALID and name the field and the rule. */
export function sizeEntry(size: SizeRequest, terms: SizingTerms): Result<number> {
  const { quantity, cashAmount, riskAmount } = size;
  const given = [quantity, cashAmount, riskAmount].filter((one) => one !== undefined);
  if (given.length !== 1) {
    return refuse("INVALID", "exactly one of entry.quantity, entry.cashAmount and entry.riskAmount must be given");
  }
  if (quantity !== undefined) return parseQuantity(quantity, "entry.quantity");
  const field = cashAmount !== undefined ? "entry.cashAmount" : "entry.riskAmount";
  const { price, symbol } = terms;
  if (price === undefined) {
    return refuse("INVALID", `${field} needs a price of ${symbol} that is at most 60 s old; give entry.quantity`);
  }
  if (cashAmount !== undefined) return lotsFor(cashAmount, price, field, `the price ${numberText(price)}`);
  const level = stopLevel(terms, price);
  if (!level.ok) return level;
  if (level.value >= price) {
    const what = `the stop-loss ${numberText(level.value)} is not under ${numberText(price)}`;
    return refuse("INVALID", `${field} needs a stop-loss under the price of the entry, and ${what}`);
  }
  const distance = difference(price, level.value);
  const what = `the risk of one lot, from ${numberText(price)} to ${numberText(level.value)}`;
  return lotsFor(riskAmount ?? 0, distance, field, what);
}

/** The level of the stop-loss in currency units, if the entry fills at `price`. */
function stopLevel({ stopLossPercent, stopLossPrice, table }: SizingTerms, price: number): Result<number> {
  const given = { quantity: 1, percent: stopLossPercent, price: stopLossPrice };
  const tier = planTier(given, STOP_LOSS, "stopLoss", table);
  if (!tier.ok) return tier;
  const level = tierAt(tier.value, price, stopLossLevel, table);
  return level.ok ? accept(priceToNumber(level.value.price)) : level;
}

/** How often `perLot` is in an amount. `what`: `perLot` as text. */
function lotsFor(amount: number, perLot: number | Fraction, field: string, what: string): Result<number> {
  const whole = fractionOf(amount);
  const part = typeof perLot === "number" ? fractionOf(perLot) : perLot;
  if (whole === undefined || part === undefined || whole.numerator <= 0n) {
    return refuse("INVALID", `${field} ${numberText(amount)} is not an amount greater than 0`);
  }
  const lots = (whole.numerator * part.denominator) / (whole.denominator * part.numerator);
  if (lots === 0n) return refuse("INVALID", `${field} ${numberText(amount)} is less than ${what}: it buys no lot`);
  if (lots <= QUANTITY_MAX) return accept(Number(lots));
  return refuse("INVALID", `${field} ${numberText(amount)} buys more than ${QUANTITY_MAX} lots at ${what}`);
}

function difference(high: number, low: number): Fraction | number {
  const [from, to] = [fractionOf(high), fractionOf(low)];
  if (from === undefined || to === undefined) return Number.NaN;
  return {
    numerator: from.numerator * to.denominator - to.numerator * from.denominator,
    denominator: from.denominator * to.denominator,
  };
}
