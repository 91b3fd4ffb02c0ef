/** The currency of amounts, by the exchange of their symbols. */
import { currencyOf } from "../group/draft-worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

/** Returns the currency that all of `symbols` trade in; undefined for several currencies, or without a symbol. */
export function commonCurrency(
  dashboard: Pick<DashboardState, "tickTableOf">,
  symbols: readonly string[],
): string | undefined {
  const [currency, ...others] = new Set(symbols.map((symbol) => currencyOf(dashboard.tickTableOf(symbol))));
  return others.length === 0 ? currency : undefined;
}

/** The title of a column of amounts. */
export function titleOf(title: string, currency: string | undefined): string {
  return currency === undefined ? title : `${title}, ${currency}`;
}
