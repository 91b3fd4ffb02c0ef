/** The language of events: texts with named values, and numbers. English, unless a reader's words are given. */

export type TextValues = Readonly<Record<string, string | number>>;

export interface EventWords {
  /** The text in the reader's language. It may name values: `{level} is watched again`. */
  readonly say: (text: string, values?: TextValues) => string;
  /** A remark of the service at the end of a sentence, such as a reason. */
  readonly remark: (message: string) => string;
  readonly priceText: (price: number) => string;
  readonly quantityText: (quantity: number) => string;
}

const priceFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const quantityFormat = new Intl.NumberFormat("en-US");

export const ENGLISH: EventWords = {
  say: fillIn,
  remark: (message) => message,
  priceText: (price) => priceFormat.format(price),
  quantityText: (quantity) => quantityFormat.format(quantity),
};

/** Lots after their number, in English: a Turkish noun has no plural after a number. */
const LOTS = /\{(\w+)\}( bought)? lots( are)?\b/g;

/** The text with each `{name}` replaced by the value of that name: `{lots} lots are sold` with 1 is `1 lot is sold`. */
export function fillIn(text: string, values: TextValues = {}): string {
  const counted = text.replaceAll(LOTS, (found, name: string, bought = "", are?: string) =>
    String(values[name]) === "1" ? `{${name}}${bought} lot${are === undefined ? "" : " is"}` : found,
  );
  return counted.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
