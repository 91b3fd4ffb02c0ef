/**
 * Which refusals of AlgoLab concern the moment and not the order (docs/brokerage.md, `NOT_NOW`).
 *
 * The phrases come from answers that users of AlgoLab published; an operator can add others. A refusal without one of
 * them is final: an order must not be repeated for a reason that nobody has read.
 */
import { plainTurkish } from "../../../src/runtime/plain-turkish.ts";

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

/** Whether a refusal's text says that the market, the session or a measure does not take the order now. */
export function isNotNow(text: string, morePhrases: readonly string[]): boolean {
  const read = plainTurkish(text);
  return [...PHRASES, ...morePhrases.map(plainTurkish)].some((phrase) => read.includes(phrase));
}
