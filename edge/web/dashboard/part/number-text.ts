/** Numbers as people type them, and as the pages show them. */
import { numberLocale, say } from "../language/say.ts";

/** `1,312.50` and `1.312,50`: two different signs show which one separates thousands, in any country. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/;
/** `1.312` as Turkish writes a whole number. */
const GROUPED_WHOLE = /^[1-9]\d{0,2}(?:\.\d{3})+$/;
const ONE_SIGN = /^(\d+)([.,])(\d+)$/;
/** A price with one decimal looks cut off next to other prices. */
const PRICE_DECIMALS_MIN = 2;
const PLAIN = /^\d+(?:\.(\d+))?$/;

/**
 * Digits, and after a point or a comma at most `decimalsMax` more; undefined for all else. The sign that the page's
 * language does not write before decimals might separate a thousand if exactly three digits are behind it: `1,000` in
 * English and `1.000` in Turkish are not guessed at, except that no zero has thousands and that a Turkish `1.000` of
 * what has no decimals can be nothing but a thousand. `1e3` is a slip of the hand.
 */
export function readNumber(text: string, decimalsMax: number): number | undefined {
  const [whole, decimals = ""] = PLAIN.exec(plainOf(text.trim(), decimalsMax)) ?? [];
  return whole === undefined || decimals.length > decimalsMax ? undefined : Number(whole);
}

/** The text with a point before its decimals; empty if it is ambiguous. */
function plainOf(text: string, decimalsMax: number): string {
  const sign = decimalSign();
  if (sign === "," && decimalsMax === 0 && GROUPED_WHOLE.test(text)) return text.replaceAll(".", "");
  if (GROUPED.test(text)) return text.replaceAll(/[.,](?=.*[.,])/g, "").replace(",", ".");
  const [, whole = "", typed, decimals = ""] = ONE_SIGN.exec(text) ?? [];
  if (typed === undefined) return text;
  return typed !== sign && decimals.length === 3 && whole !== "0" ? "" : `${whole}.${decimals}`;
}

/** A number as a field has it at first: {@link readNumber} reads it in the language of the page. */
export function typedText(value: number): string {
  return String(value).replace(".", decimalSign());
}

/** A price as a field has it at first: as {@link typedText}, with two decimals or more. */
export function typedPrice(price: number): string {
  const text = price.toFixed(PRICE_DECIMALS_MIN);
  return Number(text) === price ? text.replace(".", decimalSign()) : typedText(price);
}

function decimalSign(): "." | "," {
  return numberLocale() === "tr-TR" ? "," : ".";
}

/** The rule of {@link readNumber}, as text. */
export function numberRule(decimalsMax: number): string {
  return decimalsMax === 0
    ? say("Digits only.")
    : say("Digits, and at most {count} more after a point.", { count: decimalsMax });
}

/** A symbol as it is typed or pasted: in capitals, without blanks around it. Turkish keyboards have two letters I. */
export function readSymbol(text: string): string {
  return text.trim().toUpperCase().replaceAll("İ", "I");
}
