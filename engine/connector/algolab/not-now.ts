/**
 * Which refusals of AlgoLab concern the moment and not the order (docs/brokerage.md, `NOT_NOW`), and which are faults
 * behind AlgoLab.
 *
 * The phrases come from answers that users of AlgoLab published; an operator can add others. A refusal without one of
 * them is final: an order must not be repeated for a reason that no person has read.
 */
import { plainTurkish } from "../../../src/runtime/plain-turkish.ts";
import { NO_REASON } from "./api.ts";

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

/** Texts of faults on the way to the exchange: the order may have got there. In lower case, without Turkish letters. */
const FAULTS = [
  ...["exception", "object reference", "timeout", "time out", "timed out"],
  ...["zaman asimi", "hata olustu", "tekrar dene"],
];

/** Whether a refusal's text leaves the order's outcome open: a fault, or no reason at all. */
export function isFault(text: string): boolean {
  const read = plainTurkish(text);
  return text === NO_REASON || FAULTS.some((phrase) => read.includes(phrase));
}

/** Whether a refusal's text states that market orders are not accepted. */
export function isMarketRefused(text: string): boolean {
  return plainTurkish(text).includes("piyasa emri");
}

/** Whether a refusal's text states that the market, the session or a measure does not accept the order now. */
export function isNotNow(text: string, morePhrases: readonly string[]): boolean {
  const read = plainTurkish(text);
  return [...PHRASES, ...morePhrases.map(plainTurkish)].some((phrase) => read.includes(phrase));
}
