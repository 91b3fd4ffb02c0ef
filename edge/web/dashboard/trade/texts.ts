/** All words of the view for orders, in one place. */
import { BUY, MARKET } from "../../../../src/domain/order/order.ts";
import { STOP_ENTRY } from "../../../../src/domain/setup.ts";
import { say } from "../language/say.ts";
import { averageText, moneyText, priceText, quantityText } from "../part/words.ts";
import type { OrderBody } from "../state/model.ts";
import type { CountedPrice } from "./counted-price.ts";

export const TEXT = {
  title: say("New order"),
  symbol: say("Symbol"),
  choose: say("Choose a symbol to see its chart and the levels of the order."),
  side: say("Side"),
  buy: say("Buy"),
  sell: say("Sell"),
  kind: say("Order type"),
  market: say("Market"),
  limit: say("Limit"),
  stop: say("Stop"),
  price: say("Limit price"),
  trigger: say("Trigger price"),
  triggerHint: say(
    "The service watches the trigger and buys at market once the price has risen to it. Until then no order exists.",
  ),
  limitPassed: say("The last price has passed the limit: it fills immediately."),
  triggerReached: say("The last price has reached the trigger: it buys immediately."),
  lots: say("Lots"),
  sizeIn: say("Size in"),
  buyingPower: say("the buying power"),
  holding: say("the holding"),
  protect: say("Protect it: stop-loss and take-profits"),
  protectHint: say(
    "The group is made of the first part that is filled, and grows with each further one. If its stop-loss fires, the rest of the buy is cancelled.",
  ),
  dueHint: say("If the buy is not filled when “Watched until” comes, it is cancelled."),
  noAccount: say("No account is known yet: a brokerage that does not answer now is asked again."),
  change: say("Change it"),
  openOrders: say("Open orders"),
  noOpenOrder: say("No open order. Orders that can still fill are listed here, each with a button that cancels it."),
  askAgain: say("Ask again"),
  forget: say("I have looked: forget this order"),
  forgetYes: say("Yes, I know whether it exists"),
  unsureTitle: say("An order without an answer"),
  mayExist: say("The brokerage may have this order."),
  tooOld: say("The service no longer keeps the answer to this request."),
  waiting: say(
    "The brokerage has not answered yet: the buy may exist. Do not send it again. Pending shows the outcome of the buy and of its exits.",
  ),
} as const;

/** An order in a few words, for example "Buy 100 THYAO at market". */
export function orderText({ buySell, quantity, symbol, orderType, price }: OrderBody): string {
  const order = { lots: quantityText(quantity), symbol, price: priceText(price) };
  const isBuy = buySell === BUY;
  if (orderType === MARKET)
    return isBuy ? say("Buy {lots} {symbol} at market", order) : say("Sell {lots} {symbol} at market", order);
  if (orderType === STOP_ENTRY) return say("Buy {lots} {symbol} at market from a price of {price} on", order);
  return isBuy
    ? say("Buy {lots} {symbol} at {price} or better", order)
    : say("Sell {lots} {symbol} at {price} or better", order);
}

/** Returns the title of the button that checks an order, which names the order once it is typed. */
export function checkText(isBuy: boolean, symbol: string, lots = 0): string {
  if (symbol === "" || lots === 0) return say("Review the order");
  const order = { lots: quantityText(lots), symbol };
  return isBuy ? say("Review: buy {lots} {symbol}", order) : say("Review: sell {lots} {symbol}", order);
}

/** When what is not filled of a buy is cancelled. `expires`: as a field for date and time has it. */
export function expiryText(expires: string): string {
  return say("What is not filled by {time} is cancelled.", { time: expires.replace("T", " ") });
}

export function amountText(order: OrderBody, price: number | undefined, last: number | undefined): string {
  const known =
    price === undefined
      ? say("The amount is not known yet.")
      : say("About {money}.", { money: moneyText(price * order.quantity) });
  return `${known} ${say("The last price is {price}.", { price: priceText(last) })}`;
}

/** What the lots cost or bring at the expected price; empty if either is not known. */
export function totalText(price: number | undefined, lots: number | undefined, currency: string | undefined): string {
  return price === undefined || lots === undefined || lots === 0
    ? ""
    : say("Total about {money}, before commission", { money: sumText(price * lots, currency) });
}

/** How many lots the buying power pays; undefined: not known. */
export function affordableText(lots: number | undefined, money: number | undefined, currency = ""): string {
  if (money === undefined) return say("Buying power not known");
  const sum = sumText(money, currency);
  return lots === undefined
    ? say("Buying power {money}", { money: sum })
    : say("At most {lots} lots: buying power {money}.", { money: sum, lots: quantityText(lots) });
}

function sumText(money: number, currency = ""): string {
  return `${moneyText(money)} ${currency}`.trim();
}

/** How many lots the account can sell; undefined: not known. */
export function heldText(lots: number | undefined): string {
  return lots === undefined
    ? say("The holding: not known.")
    : say("At most {lots} lots: the holding without open sells.", { lots: quantityText(lots) });
}

/** Of a sale: lots that OCO groups of the symbol may sell as well. */
export function watchedText(symbol: string, lots: number): string {
  return say(
    "An OCO group watches {lots} {symbol}. If you sell these lots here, its levels may sell more than you hold. Cancel or change the group, too.",
    { lots: quantityText(lots), symbol },
  );
}

/** Of a buy with exits: no level of its symbol fires (behaviour 16.1). */
export function heldSymbolText(symbol: string): string {
  return say("{symbol} is held: no stop-loss and no take-profit of it fires until it is released.", { symbol });
}

/** Of a ticket with the values of an order that can still fill. */
export function copyText(orderNo: string): string {
  return say("Order {number}, which this ticket repeats, is still open: cancel it first, or both can fill.", {
    number: orderNo,
  });
}

export function excessText(symbol: string, lots: number): string {
  return say("The account has {lots} {symbol} free to sell: less than this order.", {
    lots: quantityText(lots),
    symbol,
  });
}

/** Why a buy at market is held to the buying power with another price than the last one. */
export function countedText({ price, source }: CountedPrice): string {
  const at = { price: averageText(price) };
  return source === "ceiling"
    ? say("At market a lot counts {price}, today’s upper limit.", at)
    : say("At market a lot counts {price}, 1% above the expected price, as today’s limits are not known.", at);
}

/** `counted`: with this price the order is too large, and with the expected price it is not. */
export function overBuyingPowerText(money: number, currency: string | undefined, counted?: CountedPrice): string {
  const sum = sumText(money, currency);
  return counted === undefined
    ? say("This order costs more than the buying power of {money}.", { money: sum })
    : say("At {price} a lot this order costs more than the buying power of {money}: the brokerage may refuse it.", {
        price: averageText(counted.price),
        money: sum,
      });
}
