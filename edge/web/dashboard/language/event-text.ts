/** Events and their names in the language of the page. */
import { BUY, SELL } from "../../../../src/domain/order/order.ts";
import { type BotNames, eventSentence, type ToldEvent } from "../../../../src/event/describe-event.ts";
import { patternName } from "../../../../src/event/event-names.ts";
import type { TextValues } from "../../../../src/event/language.ts";
import { priceText, quantityText } from "./numbers.ts";
import { numberLocale, say, sayEvent, type Text } from "./say.ts";
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
  "{orderNo} ({symbol})": "{orderNo}",
  "The pending OCO of {symbol} is gone, and what was bought has no group":
    "The pending OCO is gone, and what was bought has no group",
  "A part of the buy of {symbol} is filled and not protected yet": "A part of the buy is filled and not protected yet",
  "The price reached the trigger of the entry of {symbol}: its buy is sent":
    "The price reached the trigger of the entry: its buy is sent",
  "The buy of the entry of {symbol} could not be cancelled": "The buy of the entry could not be cancelled",
  "The buy of {symbol} filled, but no group was made": "The buy filled, but no group was made",
  "The brokerage no longer knows the buy of {symbol} of a pending OCO":
    "The brokerage no longer knows the buy of a pending OCO",
  "The brokerage knows the buy of {symbol} again": "The brokerage knows the buy of a pending OCO again",
  "The entry of {symbol} was refused: nothing was bought": "The entry was refused: nothing was bought",
  "{bot} still has an open trade of {symbol} that its details leave out":
    "{bot} still has an open trade that its details leave out",
  "A signal for {symbol} to {bot} ordered nothing": "A signal to {bot} ordered nothing",
  "A sell signal for {symbol} to {bot} waits until the buy is filled":
    "A sell signal to {bot} waits until the buy is filled",
  "A signal for {symbol} matches no detail of {bot}": "A signal matches no detail of {bot}",
  "ALARM: {filled} {symbol} of {what} were sold after all, by order {orderNo}":
    "ALARM: {filled} lots of {what} were sold after all, by order {orderNo}",
  "{quantity} {symbol} were sold elsewhere": "{quantity} lots were sold elsewhere",
  "The measures of {symbol} changed": "The measures of the exchange changed",
  "{symbol} is no longer under a measure": "No longer under a measure of the exchange",
  "ALARM: a measure keeps a sell of {symbol} back": "ALARM: a measure keeps a sell back",
  "ALARM: the levels of {symbol} do not fire": "ALARM: the levels do not fire",
  "The levels of {symbol} fire again": "The levels fire again",
  "{symbol} is at {reached}: at or below {price}": "Price alert at {price}: the price fell to {reached}",
  "{symbol} is at {reached}: at or above {price}": "Price alert at {price}: the price rose to {reached}",
  "The price alert on {symbol} at or below {price} has ended": "Price alert expired: falls to {price}",
  "The price alert on {symbol} at or above {price} has ended": "Price alert expired: rises to {price}",
  "{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: profit {amount}": SALE,
  "{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: loss {amount}": SALE,
};

/** The filled lots of an order, of how many. */
interface FilledLots {
  readonly lots: number;
  readonly ofLots: number | undefined;
}

/**
 * Returns an event as a sentence for a list that shows its symbol, filled lots and profit next to the sentence. `fill`:
 * of its order.
 */
export function listedText(event: ToldEvent, names: BotNames, fill?: FilledLots): string {
  const own = filledText(event, fill) ?? entryText(event);
  if (own !== undefined) return own;
  const sayListed = (text: string, values?: TextValues): string => sayEvent(LISTED[text] ?? text, values);
  return eventSentence(event, names, { say: sayListed, remark: serviceRemark, priceText, quantityText });
}

/** The order of a client that has filled since it was placed. */
function filledText({ type, order }: ToldEvent, fill: FilledLots | undefined): string | undefined {
  if (type !== "order.placed" || fill === undefined || fill.lots === 0) return undefined;
  const { buySell } = fieldsOf(order);
  const values = { filled: quantityText(fill.lots), lots: quantityText(fill.ofLots ?? fill.lots) };
  const isWhole = values.filled === values.lots;
  if (buySell === BUY)
    return isWhole ? say("Bought {lots} lots", values) : say("Bought {filled} of {lots} lots", values);
  if (buySell === SELL) return isWhole ? say("Sold {lots} lots", values) : say("Sold {filled} of {lots} lots", values);
  return undefined;
}

/** The buy that a pending OCO has placed, or places at its trigger. */
function entryText({ type, row }: ToldEvent): string | undefined {
  const { quantity, price, triggerPrice } = fieldsOf(fieldsOf(row).entry);
  if (type !== "setup.registered" || typeof quantity !== "number") return undefined;
  const lots = quantityText(quantity);
  if (typeof triggerPrice === "number")
    return say("Buy of {lots} lots waits for the price {price}", { lots, price: priceText(triggerPrice) });
  return typeof price === "number" && price > 0
    ? say("Buy of {lots} lots at {price} waits", { lots, price: priceText(price) })
    : say("Buy of {lots} lots at market waits", { lots });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Returns the name of a type of events, or of a pattern of types. */
export function patternText(pattern: string): string {
  return patternName(pattern, { say: sayEvent });
}

/** Returns the names of several patterns as one text: only the first one begins with a capital. */
export function patternsText(patterns: readonly string[]): string {
  return patterns
    .map((pattern, index) => (index === 0 ? patternText(pattern) : inText(patternText(pattern))))
    .join(", ");
}

/** A name within a text. A name that begins with an abbreviation, such as OCO, keeps its capitals. */
function inText(name: string): string {
  const [first = "", second = ""] = name;
  const isAbbreviation = second !== second.toLocaleLowerCase(numberLocale());
  return isAbbreviation ? name : `${first.toLocaleLowerCase(numberLocale())}${name.slice(first.length)}`;
}
