/** Why a profit of the day is not known, as text. */
import { say } from "../language/say.ts";
import type { LeftOutReason } from "./day-profit.ts";

const TEXTS: Readonly<Record<LeftOutReason, (symbols: string) => string>> = {
  base: (symbols) => say("{symbols}: no base price of the day", { symbols }),
  price: (symbols) => say("{symbols}: no price yet", { symbols }),
  fill: (symbols) => say("{symbols}: the price or the day of a fill is not known", { symbols }),
  lots: (symbols) => say("{symbols}: fills of today do not match the lots", { symbols }),
};

/** Names the symbols, separated by commas, and the reason. */
export function leftOutText(reason: LeftOutReason, symbols: string): string {
  return TEXTS[reason](symbols);
}
