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

/** The text with each `{name}` replaced by the value of that name. */
export function fillIn(text: string, values: TextValues = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
