/** Sales of bots among events: what one brought, and what all of a list brought together, before commission. */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";

export interface Sales {
  readonly count: number;
  /** By currency. */
  readonly sums: ReadonlyMap<string, number>;
}

/** Returns the profit of a pair that was sold, to hundredths; undefined for any other event, or without its prices. */
export function saleProfitOf({ type, row }: ToldEvent): number | undefined {
  if (type !== "pair.sold" || typeof row !== "object" || row === null) return undefined;
  const { buyPrice, sellPrice, buyQuantity } = row as Readonly<Record<string, unknown>>;
  if (typeof buyPrice !== "number" || typeof sellPrice !== "number" || typeof buyQuantity !== "number")
    return undefined;
  return Math.round((sellPrice - buyPrice) * buyQuantity * 100) / 100;
}

/** Returns how many sales of known profit are among `events`, and their sum in each currency. */
export function salesOf(events: readonly ToldEvent[], currencyOf: (symbol: string) => string): Sales {
  const sums = new Map<string, number>();
  let count = 0;
  for (const event of events) {
    const profit = saleProfitOf(event);
    if (profit === undefined) continue;
    const currency = currencyOf(String(event.symbol));
    sums.set(currency, (sums.get(currency) ?? 0) + profit);
    count += 1;
  }
  return { count, sums };
}
