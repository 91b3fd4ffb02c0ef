/**
 * Whether a price counts immediately, or once the next one confirms it (behaviour 19.3): a single bad print then moves
 * nothing.
 */
import type { Hundredths, LiveTick } from "./price.ts";

/** How many prices in a row must confirm a high. With 2 the lower one of both counts. */
export type ConfirmTicks = 1 | 2;

/** A price that counts if the next one confirms it. */
export interface FirstPrint {
  readonly price: Hundredths;
  readonly ownTimeMs: number | null;
}

/** A price with the time that its publisher gave it, if it gave one. */
type Print = Pick<LiveTick, "ownTimeMs"> & { readonly price: Hundredths };

/** The print as it is kept until the next one. */
export function firstPrint({ price, ownTimeMs }: Print): FirstPrint {
  return { price, ownTimeMs: ownTimeMs ?? null };
}

/** The same print sent twice confirms nothing (behaviour 3.4). */
export function isSamePrint(before: FirstPrint | null, { price, ownTimeMs }: Print): boolean {
  return before?.price === price && before.ownTimeMs !== null && before.ownTimeMs === (ownTimeMs ?? null);
}

/** The price that counts with a print; null while the second one is awaited. */
export function countedPrice(
  confirmTicks: ConfirmTicks,
  before: FirstPrint | null,
  { price }: Pick<Print, "price">,
): Hundredths | null {
  if (confirmTicks === 1) return price;
  return before === null ? null : Math.min(before.price, price);
}
