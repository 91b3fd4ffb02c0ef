/** All words of the view for orders, in one place. */
import { BUY } from "../../../../src/domain/order/order.ts";
import { moneyText, priceText, quantityText } from "../part/words.ts";
import type { OrderBody } from "../state/model.ts";

export const TEXT = {
  title: "New order",
  symbol: "Symbol",
  side: "Side",
  buy: "Buy",
  sell: "Sell",
  kind: "Order type",
  market: "Market",
  limit: "Limit",
  stop: "Stop",
  price: "Limit price",
  trigger: "Trigger price",
  triggerHint:
    "The service watches the trigger and buys at market once the price has risen to it. Until then no order exists.",
  limitPassed: "The last price has passed the limit: it fills immediately.",
  triggerReached: "The last price has reached the trigger: it buys immediately.",
  expires: "Cancel the buy at (optional)",
  lots: "Lots",
  buyingPower: "the buying power",
  holding: "the holding",
  protect: "Protect it with a stop-loss and take-profits",
  protectHint:
    "The group is made of the first part that is filled, and grows with each further one. If its stop-loss fires, the rest of the buy is cancelled.",
  dueHint: "If the buy is not filled when “Watched until” comes, it is cancelled.",
  send: "Check the order",
  noAccount: "No account is known yet: a brokerage that does not answer now is asked again.",
  change: "Change it",
  openOrders: "Open orders",
  noOpenOrder: "No open order.",
  askAgain: "Ask again",
  forget: "I have looked: forget this order",
  forgetYes: "Yes, I know whether it exists",
  unsureTitle: "An order without an answer",
  mayExist: "The brokerage may have this order.",
  tooOld: "The service no longer keeps the answer to this request.",
  waiting:
    "The brokerage has not answered yet: the buy may exist. Do not send it again. Pending shows the outcome of the buy and of its exits.",
} as const;

/** An order in a few words, for example "Buy 100 THYAO at market". */
export function orderText({ buySell, quantity, symbol, orderType, price }: OrderBody): string {
  const side = buySell === BUY ? TEXT.buy : TEXT.sell;
  const how = {
    1: "at market",
    2: `at ${priceText(price)} or better`,
    3: `at market from a price of ${priceText(price)} on`,
  };
  return `${side} ${quantityText(quantity)} ${symbol} ${how[orderType]}`;
}

/** When what is not filled of a buy is cancelled. `expires`: as a field for date and time has it. */
export function expiryText(expires: string): string {
  return `What is not filled by ${expires.replace("T", " ")} is cancelled.`;
}

export function amountText(order: OrderBody, price: number | undefined, last: number | undefined): string {
  const known = price === undefined ? "The amount is not known yet." : `About ${moneyText(price * order.quantity)}.`;
  return `${known} The last price is ${priceText(last)}.`;
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
