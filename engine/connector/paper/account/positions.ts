/**
 * What an account holds, as a brokerage tells of it (behaviour 6.5).
 */
import type { PositionRecord } from "../../../../src/contract/trading/order.ts";
import type { Prices } from "../../../ports/price.ts";
import { type PaperOrder, recordOf } from "../market/order.ts";
import type { PaperAccount } from "./account.ts";
import { amountOfMoney, averagePriceOf, moneyOfPrice } from "./money.ts";

/**
 * One record a symbol held, by symbol. `profit` is what selling all of it at the last live price would gain, to the
 * hundredth. With `orders`, each record carries those of its symbol.
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
