/** What pairs of bots bring, in units of the account's currency; and their prices, as far as they are known. */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { sumOf } from "../part/worth.ts";
import type { ClosedPair, Pair } from "../state/model.ts";

/** The state of a pair, or of its sale, whose order has not been sent. */
export const NOT_SENT = 0;

/**
 * The profit of open pairs if all are sold at their last prices, also as a share of what they cost; and how many pairs
 * are left out, as it is not known.
 */
export function openProfitOf(pairs: readonly Pair[], priceOf: (symbol: string) => number | undefined) {
  const { sum: profit, missing } = sumOf(pairs, (pair) => pairProfitAt(pair, priceOf(pair.symbol)));
  const { sum: cost } = sumOf(pairs, (pair) =>
    priceOf(pair.symbol) === undefined || pair.buyPrice === null ? undefined : pair.buyPrice * pair.buyQuantity,
  );
  return { profit, share: cost > 0 ? profit / cost : undefined, missing };
}

/** The profit of a closed pair as a share of what its buy cost. Undefined for a pair whose buy failed. */
export function closedShareOf({ buyQuantity, sellOrderDate, profit }: ClosedPair, buyPrice: number | undefined) {
  if (buyPrice === undefined || sellOrderDate === null || buyQuantity === 0) return undefined;
  return profit / (buyPrice * buyQuantity);
}

/** The profit of an open pair if it is sold at `price`. */
export function pairProfitAt(
  { buyPrice, buyQuantity }: Pick<Pair, "buyPrice" | "buyQuantity">,
  price: number | undefined,
): number | undefined {
  return buyPrice === null || price === undefined ? undefined : (price - buyPrice) * buyQuantity;
}

/**
 * Whether the last price has reached the target of an open pair, and its sale was sent. Undefined: neither. A pair whose
 * sale was sent is "selling" also if the price has fallen since.
 */
export function targetStateOf(
  { sellStatus }: Pick<Pair, "sellStatus">,
  target: number | null | undefined,
  price: number | undefined,
): "reached" | "selling" | undefined {
  if (sellStatus !== NOT_SENT) return "selling";
  return target == null || price === undefined || price < target ? undefined : "reached";
}

/** The profit of an open pair at `price` as a share of what its buy cost. */
export function pairShareAt({ buyPrice }: Pick<Pair, "buyPrice">, price: number | undefined): number | undefined {
  return buyPrice === null || buyPrice <= 0 || price === undefined ? undefined : price / buyPrice - 1;
}

/**
 * How long a pair was held, from the order of its buy to the order of its sell: between the seconds that are shown.
 * Undefined without one of them.
 */
export function heldMsOf({ buyOrderDate, sellOrderDate }: Pick<ClosedPair, "buyOrderDate" | "sellOrderDate">) {
  if (buyOrderDate === null || sellOrderDate === null) return undefined;
  const [boughtSeconds, soldSeconds] = [buyOrderDate, sellOrderDate].map((date) =>
    Math.floor(Date.parse(date) / 1_000),
  );
  return ((soldSeconds ?? 0) - (boughtSeconds ?? 0)) * 1_000;
}

/** The prices at which pairs bought, by the pairs' ids. The history of pairs lacks them, and events contain them. */
export function buyPricesOf(events: readonly ToldEvent[]): ReadonlyMap<number, number> {
  const prices = new Map<number, number>();
  for (const { type, row } of events) {
    if (type !== "pair.bought" && type !== "pair.sold") continue;
    const { id, buyPrice } = (row ?? {}) as { readonly id?: unknown; readonly buyPrice?: unknown };
    if (typeof id === "number" && typeof buyPrice === "number") prices.set(id, buyPrice);
  }
  return prices;
}

/** The average price at which a closed pair was sold, to hundredths. Undefined for a pair whose buy failed. */
export function sellPriceOf({ buyQuantity, sellOrderDate, profit }: ClosedPair, buyPrice: number | undefined) {
  if (buyPrice === undefined || sellOrderDate === null || buyQuantity === 0) return undefined;
  return Math.round((buyPrice + profit / buyQuantity) * 100) / 100;
}
