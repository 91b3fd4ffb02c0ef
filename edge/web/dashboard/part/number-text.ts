/** Numbers as people type them, and as the pages show them. */

/** `1,312.50` and `1.312,50`: two different signs show which one separates thousands, in any country. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/;
/** `312,50`: phones in many countries offer nothing but a comma. With three digits behind it it might be a thousand. */
const COMMA = /^\d+,\d{1,2}$/;
const PLAIN = /^\d+(?:\.(\d+))?$/;

/**
 * Digits, and after a point or a comma at most `decimalsMax` more; undefined for all else. `1.000` is a thousand to some
 * and one to others, `1,000` likewise, and `1e3` is a slip of the hand: none is guessed at.
 */
export function readNumber(text: string, decimalsMax: number): number | undefined {
  const [whole, decimals = ""] = PLAIN.exec(plainOf(text.trim())) ?? [];
  return whole === undefined || decimals.length > decimalsMax ? undefined : Number(whole);
}

function plainOf(text: string): string {
  if (COMMA.test(text)) return text.replace(",", ".");
  if (!GROUPED.test(text)) return text;
  const point = text.lastIndexOf(".") > text.lastIndexOf(",") ? "." : ",";
  const [whole = "", decimals = ""] = text.split(point);
  return `${whole.replaceAll(/\D/g, "")}.${decimals}`;
}

/** The rule of {@link readNumber}, as text. */
export function numberRule(decimalsMax: number): string {
  return decimalsMax === 0 ? "Digits only." : `Digits, and at most ${decimalsMax} more after a point.`;
}

/** A symbol as it is typed or pasted: in capitals, without blanks around it. */
export function readSymbol(text: string): string {
  return text.trim().toUpperCase();
}
