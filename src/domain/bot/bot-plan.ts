/**
 * Valid requests for a bot, as far as both kinds share their rules.
 *
 * Owns: the name, the number of details, price limits, quantities. Does not own: the rules of only one kind
 * (`level-bot.ts`, `webhook-bot.ts`), the shape of the body and which symbols exist.
 */

import { type Hundredths, numberText } from "../price/price.ts";
import { parseQuantity, QUANTITY_MIN } from "../price/quantity.ts";
import { parseGridPrice, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import type { PriceLimits } from "./bot.ts";

/** The longest name of a bot, in characters (code points). */
export const BOT_NAME_LENGTH_MAX = 100;
/** Most details in a bot (behaviour 7.4). */
export const BOT_DETAILS_MAX = 100;

/** The fields that the details of both kinds have; 0, null and absent mean no limit (behaviour 8). */
export interface DetailRequest {
  readonly symbol: string;
  readonly quantity?: number | null | undefined;
  readonly maxBuyPrice?: number | null | undefined;
  readonly minBuyPrice?: number | null | undefined;
  readonly maxSellPrice?: number | null | undefined;
  readonly minSellPrice?: number | null | undefined;
}

/** The tick table of a symbol. */
export type TableOf = (symbol: string) => TickTable;

/** The terms that both kinds share, checked. */
export interface DetailTerms {
  readonly symbol: string;
  readonly quantity: number;
  readonly limits: PriceLimits;
}

/** A valid bot without an id. */
export interface BotPlan<T> {
  readonly name: string;
  readonly isActive: boolean;
  readonly details: readonly T[];
}

/**
 * Checks the name and every detail. `keyOf` returns the key that must be unique, described by `keyFields`; `plan`
 * checks one detail and calls fields by `field`. Refusals are INVALID and name the field and the rule.
 */
export function planBot<R extends DetailRequest, T>(
  request: { readonly name: string; readonly isActive: boolean },
  details: readonly R[],
  rules: {
    readonly field: string;
    readonly keyFields: string;
    readonly keyOf: (detail: R) => string;
    readonly plan: (detail: R, field: string) => Result<T>;
  },
): Result<BotPlan<T>> {
  const { name, isActive } = request;
  const length = [...name].length;
  if (length > BOT_NAME_LENGTH_MAX || name.trim() === "") {
    return refuse("INVALID", `name must have 1 to ${BOT_NAME_LENGTH_MAX} characters and not only blanks`);
  }
  if (details.length === 0) return refuse("INVALID", `${rules.field} must have at least 1 element`);
  if (details.length > BOT_DETAILS_MAX) {
    return refuse("INVALID", `${rules.field} must have at most ${BOT_DETAILS_MAX} elements`);
  }
  const planned: T[] = [];
  const keys = new Set<string>();
  for (const [index, detail] of details.entries()) {
    const field = `${rules.field}[${index}]`;
    const key = rules.keyOf(detail);
    if (keys.has(key)) return refuse("INVALID", `${field} repeats the ${rules.keyFields} of another element`);
    keys.add(key);
    const plan = rules.plan(detail, field);
    if (!plan.ok) return plan;
    planned.push(plan.value);
  }
  return accept({ name, isActive, details: planned });
}

/** Checks quantity (default 1) and limits of a detail by its symbol's table; each minimum at most its maximum. */
export function planTerms(detail: DetailRequest, field: string, table: TickTable): Result<DetailTerms> {
  const quantity = parseQuantity(detail.quantity ?? QUANTITY_MIN, `${field}.quantity`);
  if (!quantity.ok) return quantity;
  const minBuyPrice = parseLimit(detail.minBuyPrice, `${field}.minBuyPrice`, table);
  if (!minBuyPrice.ok) return minBuyPrice;
  const maxBuyPrice = parseLimit(detail.maxBuyPrice, `${field}.maxBuyPrice`, table);
  if (!maxBuyPrice.ok) return maxBuyPrice;
  const minSellPrice = parseLimit(detail.minSellPrice, `${field}.minSellPrice`, table);
  if (!minSellPrice.ok) return minSellPrice;
  const maxSellPrice = parseLimit(detail.maxSellPrice, `${field}.maxSellPrice`, table);
  if (!maxSellPrice.ok) return maxSellPrice;
  const limits = {
    minBuyPrice: minBuyPrice.value,
    maxBuyPrice: maxBuyPrice.value,
    minSellPrice: minSellPrice.value,
    maxSellPrice: maxSellPrice.value,
  };
  if (isReversed(limits.minBuyPrice, limits.maxBuyPrice)) {
    return refuse("INVALID", `${field}.minBuyPrice must not be higher than maxBuyPrice`);
  }
  if (isReversed(limits.minSellPrice, limits.maxSellPrice)) {
    return refuse("INVALID", `${field}.minSellPrice must not be higher than maxSellPrice`);
  }
  return accept({ symbol: detail.symbol, quantity: quantity.value, limits });
}

/** The labels that signals are matched by: a blank at an end would be invisible, and no signal would match. */
const LABEL = /^\S([\s\S]*\S)?$/;

/** Checks a text of 1 to `lengthMax` characters with no blank at its ends (behaviour 9.2). */
export function parseLabel(text: string, field: string, lengthMax: number): Result<string> {
  const read = parseText(text, field, lengthMax);
  if (!read.ok || LABEL.test(text)) return read;
  return refuse("INVALID", `${field} must not be blank, nor begin or end with a blank`);
}

/** Checks a text of 1 to `lengthMax` characters. */
export function parseText(text: string, field: string, lengthMax: number): Result<string> {
  const length = [...text].length;
  if (length >= 1 && length <= lengthMax) return accept(text);
  return refuse("INVALID", `${field} must have 1 to ${lengthMax} characters`);
}

/** Checks a number that asks for something when it is over 0 and for nothing at 0, null or absence. */
export function parseAtLeastZero(value: number | null | undefined, field: string): Result<number> {
  const given = value ?? 0;
  if (given >= 0 && Number.isFinite(given) && !Object.is(given, -0)) return accept(given);
  return refuse("INVALID", `${field} ${numberText(given)} is not a number of at least 0`);
}

function parseLimit(value: number | null | undefined, field: string, table: TickTable): Result<Hundredths | null> {
  if (value === null || value === undefined || Object.is(value, 0)) return accept(null);
  return parseGridPrice(value, field, table);
}

function isReversed(low: Hundredths | null, high: Hundredths | null): boolean {
  return low !== null && high !== null && low > high;
}
