/** Events and their names in the language of the page. */
import { type BotNames, eventSentence, type ToldEvent } from "../../../../src/event/describe-event.ts";
import { patternName } from "../../../../src/event/event-names.ts";
import type { TextValues } from "../../../../src/event/language.ts";
import { priceText, quantityText } from "./numbers.ts";
import { sayEvent, type Text } from "./say.ts";
import { serviceRemark } from "./service-text.ts";

/** Returns an event as a sentence. What the service adds to it, such as a reason, is translated if it has a pattern. */
export function eventText(event: ToldEvent, names: BotNames): string {
  return eventSentence(event, names, { say: sayEvent, remark: serviceRemark, priceText, quantityText });
}

const SALE = "{bot} sold, bought at {buyPrice}";
/** Texts of a list in which the symbol, the filled lots and the profit of an event have places of their own. */
const LISTED: Readonly<Record<string, Text>> = {
  "{symbol} group is under watch: stop-loss {stopLoss}, take-profit {takeProfits}":
    "Group is under watch: stop-loss {stopLoss}, take-profit {takeProfits}",
  "{symbol} group was changed: stop-loss {stopLoss}, take-profit {takeProfits}":
    "Group was changed: stop-loss {stopLoss}, take-profit {takeProfits}",
  "{symbol} stop-loss at {price}": "Stop-loss at {price}",
  "{symbol} take-profit at {price}": "Take-profit at {price}",
  "market order to sell {lots} lots placed": "market sell of {lots} lots",
  "{bot} bought {lots}": "{bot} bought",
  "{quantity} {symbol}": "{quantity} lots",
  "Order {orderNo} for {symbol} cancelled": "Order {orderNo} cancelled",
  "A pending OCO waits for the buy of {symbol}": "A pending OCO waits for its buy",
  "The pending OCO of {symbol} was changed": "The pending OCO was changed",
  "The pending OCO of {symbol} was removed": "The pending OCO was removed",
  "The pending OCO of {symbol} is gone: nothing was bought": "The pending OCO is gone: nothing was bought",
  "The buy of {symbol} filled: its OCO group is under watch": "The buy filled: its OCO group is under watch",
  "{symbol} is at {reached}: at or below {price}": "The price is {reached}: at or below {price}",
  "{symbol} is at {reached}: at or above {price}": "The price is {reached}: at or above {price}",
  "The price alert on {symbol} at or below {price} has ended": "The price alert at or below {price} has ended",
  "The price alert on {symbol} at or above {price} has ended": "The price alert at or above {price} has ended",
  "{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: profit {amount}": SALE,
  "{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: loss {amount}": SALE,
};

/** Returns an event as a sentence for a list that shows its symbol, filled lots and profit next to the sentence. */
export function listedText(event: ToldEvent, names: BotNames): string {
  const sayListed = (text: string, values?: TextValues): string => sayEvent(LISTED[text] ?? text, values);
  return eventSentence(event, names, { say: sayListed, remark: serviceRemark, priceText, quantityText });
}

/** Returns the name of a type of events, or of a pattern of types. */
export function patternText(pattern: string): string {
  return patternName(pattern, { say: sayEvent });
}
