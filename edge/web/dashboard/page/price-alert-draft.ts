/** A price alert as its form has it, and what is wrong with it (behaviour 29.1). */
import { say } from "../language/say.ts";
import { numberRule, readNumber } from "../part/number-text.ts";

export const DIRECTIONS = ["atOrAbove", "atOrBelow"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface PriceAlertDraft {
  readonly symbol: string;
  readonly direction: Direction;
  readonly price: string;
  readonly note: string;
}

export const EMPTY_ALERT: PriceAlertDraft = { symbol: "", direction: "atOrAbove", price: "", note: "" };

const PRICE_DECIMALS = 2;

/** The typed price; undefined if it is not a number. */
export function alertPriceOf({ price }: PriceAlertDraft): number | undefined {
  return readNumber(price, PRICE_DECIMALS);
}

/** Whether the last price has reached the typed price: the alert would come immediately. */
export function isReached(draft: PriceAlertDraft, last: number | undefined): boolean {
  const price = alertPriceOf(draft) ?? 0;
  if (last === undefined || price === 0) return false;
  return draft.direction === "atOrAbove" ? last >= price : last <= price;
}

/** What is wrong, by field. */
export function alertFaults(draft: PriceAlertDraft): { readonly symbol?: string; readonly price?: string } {
  const price = alertPriceOf(draft);
  return {
    ...(draft.symbol === "" && { symbol: say("Choose a symbol.") }),
    ...(price === undefined && { price: numberRule(PRICE_DECIMALS) }),
    ...(price === 0 && { price: say("Must be greater than 0.") }),
  };
}
