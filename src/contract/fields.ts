/**
 * The permitted values of request fields. Each helper makes one schema. It is both the rule that refuses and the limit
 * that the OpenAPI document shows.
 *
 * Owns: limits of single fields; that a body contains no field without a name here. Does not own: rules between fields.
 *
 * Invariants:
 * 1. A limit is defined once. A schema enforces what its JSON Schema shows, and the other way round.
 * 2. Text is counted in characters (code points), as JSON Schema counts it.
 */
import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { STOP_LOSS_PERCENT_LIMIT, TAKE_PROFIT_PERCENT_MAX } from "../domain/price/percent.ts";
import { PRICE_MAX, PRICE_MIN } from "../domain/price/price.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "../domain/price/quantity.ts";

/** The message for a missing field, for which Zod only gives the permitted values. */
const REQUIRED = "is required";
/** The longest name that is repeated: a longer one in a message would be a text of its sender's. */
const SHOWN_NAME_LENGTH_MAX = 64;
const HUNDREDTHS = 100;
/** The highest quantity at the highest price. */
const AMOUNT_MAX = (QUANTITY_MAX * PRICE_MAX) / HUNDREDTHS;

/**
 * Makes the schema of a body, or of an object in one. An unknown field is refused with the nearest known one
 * (behaviour 1.3): a misspelt `dueDate` or `quantity` costs money.
 */
export function body<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? refuseField(issue.keys, known, "field") : undefined),
  });
}

/**
 * Makes the message `dueDat is not a field; did you mean dueDate?` for the first of the names; `kind` states what the
 * names should be.
 */
export function refuseField(names: readonly string[], known: readonly string[], kind: string): string {
  const [name = ""] = names;
  const shown = isShownName(name) ? name : "an invalid name";
  const nearest = nearestOf(name.slice(0, SHOWN_NAME_LENGTH_MAX), known);
  return `${shown} is not a ${kind}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
}

/** Whether a name that a sender gave can be repeated: it looks like a name, and is short. */
export function isShownName(name: string): boolean {
  return /^[\w.-]+$/.test(name) && name.length <= SHOWN_NAME_LENGTH_MAX;
}

/** The known name that takes the fewest changes, if they are fewer than half of it. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, changeCount: distance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((left, right) => left.changeCount - right.changeCount);
  const [nearest] = ranked;
  return nearest !== undefined && nearest.changeCount <= nearest.one.length / 2 ? nearest.one : undefined;
}

/** Text of this many characters. */
export function text(lengthMin: number, lengthMax: number) {
  return z.string().check(characters(lengthMin, lengthMax)).meta({ minLength: lengthMin, maxLength: lengthMax });
}

/** As ranges: validators in Python compile the pattern of the OpenAPI document, too, and know no `\P{Cc}`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const NO_CONTROL_CHARACTER = /^[^\u0000-\u001f\u007f-\u009f]*$/u;

/** Text of one line that is trimmed and then of 1 to this many characters. */
export function line(lengthMax: number) {
  return z
    .string()
    .trim()
    .check(characters(1, lengthMax))
    .regex(NO_CONTROL_CHARACTER, "must not hold control characters")
    .meta({ minLength: 1, maxLength: lengthMax });
}

/** The rule of {@link text}, for text that has another rule too. `meta` must show it in addition. */
export function characters(lengthMin: number, lengthMax: number): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    // A character is one or two units: most texts need not be walked.
    const isInside = value.length <= lengthMax && value.length >= 2 * lengthMin;
    const length = isInside ? lengthMin : [...value].length;
    const limit = { origin: "string", inclusive: true, input: value };
    if (length < lengthMin) issues.push({ code: "too_small", minimum: lengthMin, ...limit });
    if (length > lengthMax) issues.push({ code: "too_big", maximum: lengthMax, ...limit });
  };
}

/** Lots of an order or row (behaviour 1.4). */
export const lots = z.int().min(QUANTITY_MIN).max(QUANTITY_MAX).meta({ description: "Lots" });

type Choice = number | string | boolean;

/** One of a few values that have a meaning; `otherwise` is the message for any other value. */
export function choice<const T extends readonly [Choice, ...Choice[]]>(values: T, otherwise?: string) {
  return z.literal(values, { error: ({ input }) => (input === undefined ? REQUIRED : otherwise) });
}

/**
 * For the document: the numbers that a field can have, and the names of their meanings, from which client generators
 * make an enumeration.
 */
export function named(names: Readonly<Record<string, number>>) {
  const pairs = Object.entries(names);
  return {
    enum: pairs.map(([, value]) => value),
    "x-enum-varnames": pairs.map(([name]) => name),
    description: pairs.map(([name, value]) => `${value} = ${name}`).join(", "),
  };
}

/** A price; another check tests whether it is a multiple of its tick (behaviour 1.4). */
export const price = z
  .number()
  .min(PRICE_MIN / HUNDREDTHS)
  .max(PRICE_MAX / HUNDREDTHS);

/** -0 would be written as 0 in JSON, which means "no limit" or "at market". */
const notMinusZero = (value: number): boolean => !Object.is(value, -0);

/** A price, or 0 for no price. */
export const priceOrZero = z
  .number()
  .min(0)
  .max(PRICE_MAX / HUNDREDTHS)
  .refine(notMinusZero, "must not be -0");

/** Percent below a fill price. */
export const stopLossPercent = z.number().gt(0).lt(STOP_LOSS_PERCENT_LIMIT);

/** Percent above a fill price. */
export const takeProfitPercent = z.number().gt(0).max(TAKE_PROFIT_PERCENT_MAX);

/** Percent above a price, or 0 if no percent is asked for. */
export const profitPercent = z.number().min(0).max(TAKE_PROFIT_PERCENT_MAX).refine(notMinusZero, "must not be -0");

/** An amount of money, or 0 for no amount. */
export const amountOrZero = z.number().min(0).refine(notMinusZero, "must not be -0");

/** An amount of money. */
export const amount = z.number().positive().max(AMOUNT_MAX);

/** A time as ISO 8601; another check tests its form. */
export const time = text(0, 64);
