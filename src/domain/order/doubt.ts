/**
 * Why an order is in doubt, as a closed set of codes with a sentence each (behaviour 13.6).
 */

/**
 * - `notFound`: the brokerage answered NOT_FOUND twice, at least 30 s apart.
 * - `unknown`: the brokerage answered UNKNOWN.
 * - `completedWithoutQuantity`: reported as completed for ten minutes with nothing filled.
 * - `completedWithoutPrice`: reported as completed for ten minutes without a price that its owner needs.
 */
export const DOUBT_CODES = ["notFound", "unknown", "completedWithoutQuantity", "completedWithoutPrice"] as const;
export type DoubtCode = (typeof DOUBT_CODES)[number];

export const DOUBT_SENTENCES: Readonly<Record<DoubtCode, string>> = {
  notFound: "the brokerage does not know it any more",
  unknown: "the brokerage cannot report the outcome",
  completedWithoutQuantity: "the brokerage reports it as completed without the filled quantity",
  completedWithoutPrice: "the brokerage reports it as completed without the price",
};
