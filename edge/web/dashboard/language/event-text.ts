/** Events and their names in the language of the page. */
import { type BotNames, eventSentence, type ToldEvent } from "../../../../src/event/describe-event.ts";
import { patternName } from "../../../../src/event/event-names.ts";
import { priceText, quantityText } from "./numbers.ts";
import { sayEvent } from "./say.ts";
import { serviceRemark } from "./service-text.ts";

/** Returns an event as a sentence. What the service adds to it, such as a reason, is translated if it has a pattern. */
export function eventText(event: ToldEvent, names: BotNames): string {
  return eventSentence(event, names, { say: sayEvent, remark: serviceRemark, priceText, quantityText });
}

/** Returns the name of a type of events, or of a pattern of types. */
export function patternText(pattern: string): string {
  return patternName(pattern, { say: sayEvent });
}
