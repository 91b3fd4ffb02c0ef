/**
 * The names of events for users who choose their notifications, in the dashboard and in its alerts.
 *
 * Invariant: every type of a stored event has a name, in the order in which a choice shows them.
 */
import type { EventType } from "../contract/event/event.ts";
import { fitsPattern } from "../domain/event-pattern.ts";
import { ALARMS } from "./alarm-list.ts";
import { ENGLISH, type EventWords } from "./language.ts";

const NAMES: Readonly<Record<EventType, string>> = {
  "oco.triggered": "A stop-loss or take-profit fired",
  "price.reached": "A price alert was reached",
  "price.expired": "A price alert ended at its time",
  "oco.triggerFailed": "A level was reached and could not be sold",
  "oco.sellIncomplete": "A sell ended with only a part filled",
  "oco.exitContinues": "A stop-loss needs further orders",
  "oco.exitCompleted": "A stop-loss that needed further orders is sold to the last lot",
  "oco.exitStopped": "You stopped the exit of a stop-loss",
  "oco.lateFill": "An entry bought more after its stop-loss had fired; those lots are sold too",
  "oco.waitsForSession": "A sell waits for the market to open",
  "oco.created": "A group was created",
  "oco.changed": "A group was changed",
  "oco.cancelled": "A level is no longer watched",
  "oco.rearmed": "A take-profit is watched again",
  "oco.reduced": "A take-profit sells less, as its stop-loss sold late",
  "oco.sentReduced": "A refused stop-loss was sent again with fewer lots",
  "oco.adjusted": "The levels of a group follow a corporate action or a new name",
  "oco.trailingActivated": "A trailing stop-loss begins to follow the price",
  "oco.stopRaised": "A trailing stop-loss was raised",
  "oco.trailingUncertain": "A trailing stop-loss stays, as prices were lost",
  "oco.restricted": "Measures of the exchange on your symbol changed",
  "oco.unrestricted": "Measures of the exchange on your symbol ended",
  "setup.registered": "A pending OCO waits for its buy",
  "setup.changed": "A pending OCO was changed",
  "setup.converted": "The buy of a pending OCO filled, and its group is under watch",
  "setup.conversionFailed": "The buy of a pending OCO filled, but no group was made",
  "setup.unprotected": "A part of an entry is filled, and no group could be made of it",
  "setup.triggered": "The price reached the trigger of a stop entry",
  "setup.cancelRefused": "The brokerage refuses to cancel the buy of an entry",
  "setup.orderLost": "The brokerage no longer knows the buy of a pending OCO",
  "setup.orderFound": "The brokerage knows the buy of a pending OCO again",
  "setup.entryRefused": "The buy of an entry was refused",
  "setup.removed": "A pending OCO was removed, or its buy ended unfilled",
  "bot.created": "A bot was created",
  "bot.updated": "A bot was changed",
  "bot.removed": "A bot was deleted",
  "bot.secretRotated": "A bot has a new address for its signals",
  "pair.bought": "A bot bought",
  "pair.sold": "A bot sold",
  "pair.buyFailed": "A bot could not buy",
  "pair.sellFailed": "A bot could not sell",
  "pair.leftOut": "A bot's open trade was left out of its details",
  "signal.ignored": "A signal ordered nothing",
  "signal.deferred": "A sell signal waits for the buy",
  "signal.unmatched": "A signal matches no detail of the bot",
  "signal.rejected": "A bot received a request that is not a signal",
  "order.placed": "An order was placed",
  "order.refused": "An order was refused",
  "order.cancelled": "An order was cancelled",
  "order.postponed": "The market does not accept a sell now; it is retried",
  "order.inDoubt": "The brokerage no longer knows an order",
  "order.found": "An order in doubt was found",
  "order.settled": "An operator settled an order in doubt",
  "order.quarantined": "An order must be checked at the brokerage",
  "order.replaced": "The brokerage gave an order another number",
  "order.overfilled": "An order was filled beyond its quantity",
  "order.corrected": "The brokerage reversed fills of an order",
  "alarm.exitStopped": "A stop-loss was not sold to the last lot",
  "alarm.quarantined": "A fault stopped a group, pending OCO or bot",
  "alarm.released": "An operator released what a fault had stopped",
  "alarm.ticksLost": "The service missed prices",
  "alarm.pricesSilent": "A symbol that you watch has no valid price",
  "alarm.measure": "A measure of the exchange keeps a sell back",
  "alarm.clockOff": "The service's clock is wrong",
  "alarm.filledAfterEnd": "An order was filled after its end",
  "alarm.soldAfterEnd": "A sell of a group was filled after its end (older name)",
  "symbol.held": "The levels of a symbol do not fire until it is released",
  "symbol.released": "The levels of a held symbol fire again",
  "trading.stateChanged": "Trading was halted or resumed",
  "ledger.foreignSell": "Lots were sold elsewhere",
  "limits.changed": "The limits of an account were set",
  "alarm.lossLimit": "An account has reached its daily loss",
  "account.flattened": "An account was flattened",
  "token.familyRevoked": "The access of an API key was revoked",
};

/** All types, as a choice lists them. */
export const NAMED_TYPES = Object.keys(NAMES) as readonly EventType[];

/** Patterns that match many types, also types of later versions. */
export const BROAD_PATTERNS = ["alarm.*", "*"] as const;

const BROAD_NAMES: Readonly<Record<string, string>> = {
  "alarm.*": "All alarms",
  "*": "All events",
};

/** The subjects of types that begin alike. */
const SUBJECTS: Readonly<Record<string, string>> = {
  "oco.": "OCO groups",
  "setup.": "Pending OCOs",
  "bot.": "Bots",
  "pair.": "Trades of bots",
  "signal.": "Signals to bots",
  "order.": "Orders",
};

/** The usual choice of traders: a fired level, a reached price alert, and every event that needs attention. */
export const USUAL_PATTERNS: readonly string[] = [
  "alarm.*",
  "oco.triggered",
  "price.reached",
  ...NAMED_TYPES.filter((type) => ALARMS.has(type) && !type.startsWith("alarm.")),
];

/** The name of a type or pattern. A type of a newer service, and a custom pattern, is shown unchanged. */
export function patternName(pattern: string, { say }: Pick<EventWords, "say"> = ENGLISH): string {
  const name = isNamedType(pattern) ? NAMES[pattern] : BROAD_NAMES[pattern];
  if (name !== undefined) return say(name);
  if (!pattern.endsWith(".*")) return pattern;
  const start = pattern.slice(0, -1);
  const subject = SUBJECTS[start];
  return subject === undefined
    ? say("Everything that begins with {start}", { start })
    : say("{subject}: all events", { subject: say(subject) });
}

export function isNamedType(pattern: string): pattern is EventType {
  return Object.hasOwn(NAMES, pattern);
}

/** Whether another of the patterns matches this one, too. */
export function isCovered(pattern: string, patterns: readonly string[]): boolean {
  return patterns.some((other) => other !== pattern && fitsPattern(pattern, other));
}
