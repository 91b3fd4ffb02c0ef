/** A price alert as the service shows it and as its form has it, and what is wrong with it (behaviour 29). */
import { dateFault, type Faults, fieldTextOf, ownZone } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { numberRule, readNumber, typedText } from "../part/number-text.ts";

export const PRICE_ALERTS_PATH = "/api/v1/price-alerts";

export const DIRECTIONS = ["atOrAbove", "atOrBelow"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface PriceAlert {
  readonly id: number;
  readonly symbol: string;
  readonly direction: Direction;
  readonly price: number;
  readonly note: string | null;
  readonly createdDate: string;
  readonly status: "watching" | "reached" | "expired";
  readonly repeat: boolean;
  readonly until: string | null;
  /** False: it was reached, and waits for a price on the other side. */
  readonly armed: boolean;
  readonly reachedCount: number;
  readonly reachedDate: string | null;
  readonly reachedPrice: number | null;
  readonly endedDate: string | null;
}

export interface PriceAlertDraft {
  readonly symbol: string;
  readonly direction: Direction;
  readonly price: string;
  readonly note: string;
  readonly repeat: boolean;
  /** As a field for date and time has it, by the clocks of the browser; empty: none. */
  readonly until: string;
}

export const EMPTY_ALERT: PriceAlertDraft = {
  ...{ symbol: "", direction: "atOrAbove", price: "", note: "", repeat: false, until: "" },
};

const PRICE_DECIMALS = 2;

/** A price alert as the form that changes it begins. */
export function draftOfAlert({ symbol, direction, price, note, repeat, until }: PriceAlert): PriceAlertDraft {
  const untilText = until === null ? "" : fieldTextOf(until, ownZone());
  return { symbol, direction, price: typedText(price), note: note ?? "", repeat, until: untilText };
}

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

/** What is wrong, by field. The service checks whether `until` has passed: the clock of this machine may be wrong. */
export function alertFaults(draft: PriceAlertDraft): Faults {
  const price = alertPriceOf(draft);
  const until = dateFault(draft.until);
  return {
    ...(draft.symbol === "" && { symbol: say("Choose a symbol.") }),
    ...(price === undefined && { price: numberRule(PRICE_DECIMALS) }),
    ...(price === 0 && { price: say("Must be greater than 0.") }),
    ...(until !== undefined && { until }),
  };
}

/** The body of a create, of a draft without faults. */
export function alertBody(draft: PriceAlertDraft): object {
  const { symbol, direction } = draft;
  return { symbol, direction, ...alertChange(draft, { ...EMPTY_ALERT, direction }) };
}

/** What of a draft without faults differs from before, as the body of a change names it: null takes a field away. */
export function alertChange(draft: PriceAlertDraft, before: PriceAlertDraft): object {
  const { direction, repeat, until } = draft;
  const [price, note] = [alertPriceOf(draft), draft.note.trim()];
  return {
    ...(direction !== before.direction && { direction }),
    ...(price !== alertPriceOf(before) && { price }),
    ...(note !== before.note && { note: note === "" ? null : note }),
    ...(repeat !== before.repeat && { repeat }),
    ...(until !== before.until && { until: until === "" ? null : new Date(until).toISOString() }),
  };
}
