/** Sales among events: what each brought, and what all of a list brought together, before commission. */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";

export interface Sales {
  /** Sales whose profit is known. */
  readonly count: number;
  /** Sales of groups that have filled, whose profit is not known. */
  readonly unknownCount: number;
  /** Profits by currency. */
  readonly sums: ReadonlyMap<string, number>;
}

/** What the order of a fired row of a group has sold. */
export interface RowSale {
  readonly lots: number;
  /** On average. */
  readonly price: number;
  /** Undefined: what the lots were bought for is not known. */
  readonly profit: number | undefined;
}

/** A fired row of a group, as its event has it. */
interface FiredRow {
  readonly id: number;
  readonly groupId: number;
}

/** Returns the profit of a pair that was sold, to hundredths; undefined for any other event, or without its prices. */
export function saleProfitOf({ type, row }: ToldEvent): number | undefined {
  if (type !== "pair.sold" || typeof row !== "object" || row === null) return undefined;
  const { buyPrice, sellPrice, buyQuantity } = row as Readonly<Record<string, unknown>>;
  if (typeof buyPrice !== "number" || typeof sellPrice !== "number" || typeof buyQuantity !== "number")
    return undefined;
  return Math.round((sellPrice - buyPrice) * buyQuantity * 100) / 100;
}

/** Returns the row that an event reports as fired; undefined for any other event. */
export function firedRowOf({ type, row }: ToldEvent): FiredRow | undefined {
  if (type !== "oco.triggered" || typeof row !== "object" || row === null) return undefined;
  const { id, groupId } = row as Readonly<Record<string, unknown>>;
  return typeof id === "number" && typeof groupId === "number" ? { id, groupId } : undefined;
}

/** Returns how many sales are among `events`, and their profits together in each currency. `saleOf`: by row. */
export function salesOf(
  events: readonly ToldEvent[],
  currencyOf: (symbol: string) => string,
  saleOf: (rowId: number) => RowSale | undefined = () => undefined,
): Sales {
  const sums = new Map<string, number>();
  let count = 0;
  let unknownCount = 0;
  for (const event of events) {
    const fired = firedRowOf(event);
    const sale = fired && saleOf(fired.id);
    const profit = sale === undefined ? saleProfitOf(event) : sale.profit;
    if (profit === undefined) {
      if (sale !== undefined) unknownCount += 1;
      continue;
    }
    const currency = currencyOf(symbolOf(event));
    sums.set(currency, (sums.get(currency) ?? 0) + profit);
    count += 1;
  }
  return { count, unknownCount, sums };
}

/** The symbol that an event names by itself or in its row; empty: none. */
export function symbolOf({ symbol, row }: ToldEvent): string {
  if (typeof symbol === "string") return symbol;
  const { symbol: ofRow } = (row ?? {}) as { readonly symbol?: unknown };
  return typeof ofRow === "string" ? ofRow : "";
}
