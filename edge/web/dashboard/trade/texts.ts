/** All words of the view for orders, in one place. */
import { BUY } from "../../../../src/domain/order/order.ts";
import { moneyText, priceText, quantityText } from "../part/words.ts";
import type { OrderBody, Protection } from "../state/order-plan.ts";

export const TEXT = {
  title: "New order",
  symbol: "Symbol",
  side: "Side",
  buy: "Buy",
  sell: "Sell",
  kind: "Order type",
  market: "Market",
  limit: "Limit",
  price: "Limit price",
  lots: "Lots",
  buyingPower: "the buying power",
  holding: "the holding",
  protect: "Protect it with a stop-loss and a take-profit",
  protectHint: "Both are watched as soon as the buy is filled, for all lots, in percent of the fill price.",
  stopLossPercent: "Stop-loss, % below",
  takeProfitPercent: "Take-profit, % above",
  send: "Check the order",
  noAccount: "No account is known yet: a brokerage that does not answer now is asked again.",
  change: "Change it",
  openOrders: "Open orders",
  noOpenOrder: "No open order.",
  askAgain: "Ask again",
  forget: "I have looked: forget this order",
  forgetYes: "Yes, I know whether it exists",
  unsureTitle: "An order without an answer",
  tooOld: "The service no longer keeps the answer to this request.",
  unprotectedHint: "Protect the position by hand: make an OCO group, or register a pending OCO for the order number.",
} as const;

/** An order in a few words, for example "Buy 100 THYAO at market". */
export function orderText({ buySell, quantity, symbol, orderType, price }: OrderBody): string {
  const side = buySell === BUY ? TEXT.buy : TEXT.sell;
  return `${side} ${quantityText(quantity)} ${symbol} ${orderType === 1 ? "at market" : `at ${priceText(price)} or better`}`;
}

export function amountText(order: OrderBody, price: number | undefined, last: number | undefined): string {
  const known = price === undefined ? "The amount is not known yet." : `About ${moneyText(price * order.quantity)}.`;
  return `${known} The last price is ${priceText(last)}.`;
}

export function protectionText({ stopLossPercent, takeProfitPercent }: Protection): string {
  return `When it is filled, a stop-loss ${stopLossPercent} % below and a take-profit ${takeProfitPercent} % above the fill price are watched for all lots.`;
}

export function leftText(lots: number | undefined, what: string, money?: number): string {
  if (lots === undefined) return `${upper(what)}: not known.`;
  const amount = money === undefined ? "" : `${moneyText(money)}, `;
  return `${upper(what)}: ${amount}${quantityText(lots)} lots.`;
}

/** Of a sale: lots that OCO groups of the symbol may sell as well. */
export function watchedText(symbol: string, lots: number): string {
  return `An OCO group watches ${quantityText(lots)} ${symbol}. If you sell these lots here, its levels may sell more than you hold. Cancel or change the group, too.`;
}

export function excessText(symbol: string, lots: number): string {
  return `The account has ${quantityText(lots)} ${symbol} free to sell: less than this order.`;
}

export function overBuyingPowerText(money: number): string {
  return `This order costs more than the buying power of ${moneyText(money)}.`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
