/** Numbers as the language of the page writes them. */
import { numberLocale } from "./say.ts";

const priceFormat = formatOf({ minimumFractionDigits: 2, maximumFractionDigits: 6 });
const moneyFormat = formatOf({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const profitFormat = formatOf({
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});
const quantityFormat = formatOf({});
const percentFormat = formatOf({
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** Has no width, and keeps both sides of it in one line. */
const WORD_JOINER = "\u2060";

/** A price with two to six decimals; a dash if the price is missing. */
export function priceText(price: number | null | undefined): string {
  return price === null || price === undefined ? "–" : priceFormat(price);
}

export function quantityText(quantity: number): string {
  return quantityFormat(quantity);
}

/** An amount of money: two decimals, so that decimals align in a column. */
export function moneyText(amount: number): string {
  return moneyFormat(amount);
}

/** A profit: money with its sign. */
export function profitText(amount: number): string {
  return profitFormat(amount);
}

/** A share in percent, with its sign. A line never ends between the sign and the percent that Turkish has behind it. */
export function shareText(share: number): string {
  return percentFormat(share).replace("%", (percent, at: number) => (at === 1 ? `${WORD_JOINER}${percent}` : percent));
}

/** Makes the format of a language when it is first needed: that takes long, and tables have many numbers. */
function formatOf(options: Intl.NumberFormatOptions): (value: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (value) => {
    const locale = numberLocale();
    const format = formats.get(locale) ?? new Intl.NumberFormat(locale, options);
    formats.set(locale, format);
    return format.format(value);
  };
}
