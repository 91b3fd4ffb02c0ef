/**
 * Which refusals of AlgoLab concern the moment and not the order (docs/brokerage.md, `NOT_NOW`).
 *
 * The phrases come from answers that users of AlgoLab published; an operator can add others. A refusal without one of
 * them is final: an order must not be repeated for a reason that nobody has read.
 */

/** In lower case, without Turkish letters. */
const PHRASES = [
  "seans disi",
  "seans kapali",
  "piyasa kapali",
  "emir kabul edilmiyor",
  "gecici olarak durdurul",
  "islem sirasi kapali",
  "devre kesici",
  "fiyat limit disi",
  "taban fiyat",
  "tavan fiyat",
  "piyasa emri girilemez",
  "emir iptal edilemez",
  "tek fiyat",
];

const LETTERS: Readonly<Record<string, string>> = { ı: "i", ş: "s", ğ: "g", ü: "u", ö: "o", ç: "c" };

/** Lower case, with Latin letters for Turkish ones, so that both spellings of AlgoLab are found. */
function plain(text: string): string {
  return text
    .toLocaleLowerCase("tr")
    .replace(/[ışğüöç]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, " ");
}

/** Whether a refusal's text says that the market, the session or a measure does not take the order now. */
export function isNotNow(text: string, morePhrases: readonly string[]): boolean {
  const read = plain(text);
  return [...PHRASES, ...morePhrases.map(plain)].some((phrase) => read.includes(phrase));
}
