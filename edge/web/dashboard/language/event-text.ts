/** Events and their names in the language of the page. */
import { type BotNames, eventSentence, type ToldEvent } from "../../../../src/event/describe-event.ts";
import { patternName } from "../../../../src/event/event-names.ts";
import type { TextValues } from "../../../../src/event/language.ts";
import { priceText, quantityText } from "./numbers.ts";
import { sayEvent } from "./say.ts";
import { serviceRemark } from "./service-text.ts";

/** Returns an event as a sentence. What the service adds to it, such as a reason, is translated if it has a pattern. */
export function eventText(event: ToldEvent, names: BotNames): string {
  return eventSentence(event, names, { say: sayEvent, remark: serviceRemark, priceText, quantityText });
}

/** The text of a sale without its profit, which has its own place in a list. */
const SALE = "{bot} sold {lots} at {sellPrice}, bought at {buyPrice}";
const SALES: Readonly<Record<string, string>> = {
  [`${SALE}: profit {amount}`]: SALE,
  [`${SALE}: loss {amount}`]: SALE,
};

/** Returns the sale of a pair as a sentence without its profit. */
export function saleText(event: ToldEvent, names: BotNames): string {
  const saySale = (text: string, values?: TextValues): string => sayEvent(SALES[text] ?? text, values);
  return eventSentence(event, names, { say: saySale, remark: serviceRemark, priceText, quantityText });
}

/** Returns the name of a type of events, or of a pattern of types. */
export function patternText(pattern: string): string {
  return patternName(pattern, { say: sayEvent });
}
