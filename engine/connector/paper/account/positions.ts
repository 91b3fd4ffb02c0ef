/** An account's holdings, as a brokerage reports them (behaviour 6.5). */
import type { Balance, PositionRecord } from "../../../../src/contract/trading/order.ts";
import type { Prices } from "../../../ports/price.ts";
import { type PaperOrder, recordOf } from "../market/order.ts";
import { freeCash, type PaperAccount } from "./account.ts";
import { amountOfMoney, averagePriceOf, moneyOfPrice } from "./money.ts";

/** The currency of the paper brokerage, and its payment terms: no credit. */
const CURRENCY = "TRY";

/** The money of an account, to the hundredth. A position without a live price counts at its cost. */
export function balanceOf(account: PaperAccount, prices: Prices): Balance {
  let equity = account.cash;
  for (const [symbol, { quantity, cost }] of account.positions) {
    const live = prices.last(symbol)?.price;
    equity += live === undefined ? cost : moneyOfPrice(live, "sell") * BigInt(quantity);
  }
  return {
    cash: amountOfMoney(account.cash, 2),
    buyingPower: amountOfMoney(freeCash(account), 2),
    equity: amountOfMoney(equity, 2),
    currency: CURRENCY,
  };
}

/**
 * Returns one record per held symbol, by symbol. `profit` is the gain of selling all of it at the last live price, to
 * the hundredth. With `orders`, each record has the orders of its symbol.
 */
export function positionRecords(
  account: PaperAccount,
  prices: Prices,
  orders: readonly PaperOrder[] | undefined,
): PositionRecord[] {
  const symbols = [...account.positions.keys()].sort();
  return symbols.flatMap((symbol) => {
    const position = account.positions.get(symbol);
    if (position === undefined) return [];
    const { quantity, reserved, cost } = position;
    const live = prices.last(symbol)?.price;
    const value = live === undefined ? undefined : moneyOfPrice(live, "sell") * BigInt(quantity);
    const record: PositionRecord = {
      symbol,
      quantity,
      availableQuantity: quantity - reserved,
      averagePrice: averagePriceOf(cost, quantity),
      lastPrice: live?.value ?? null,
      profit: value === undefined ? null : amountOfMoney(value - cost, 2),
    };
    if (orders !== undefined) record.orders = orders.filter((order) => order.symbol === symbol).map(recordOf);
    return [record];
  });
}
