/** The currency of amounts, by the exchange of their symbols. */
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";

const CURRENCIES: Readonly<Record<TickTable, string>> = { BIST: "TRY", CENT: "USD" };

/** The currency of the prices of a tick table. */
export function currencyOf(table: TickTable): string {
  return CURRENCIES[table];
}

/** Returns the currency that all of `symbols` trade in; undefined for several currencies, or without a symbol. */
export function commonCurrency(
  dashboard: { readonly tickTableOf: (symbol: string) => TickTable },
  symbols: readonly string[],
): string | undefined {
  const [currency, ...others] = new Set(symbols.map((symbol) => currencyOf(dashboard.tickTableOf(symbol))));
  return others.length === 0 ? currency : undefined;
}

/** The title of a column of amounts. */
export function titleOf(title: string, currency: string | undefined): string {
  return currency === undefined ? title : `${title}, ${currency}`;
}
