/**
 * The terms under which an actor decides: whether it may sell, how many lots in one order, and when its market opens.
 *
 * Owns: which events contain them. Does not own: trading states, calendars, a chart's use of them.
 */
import type { Market } from "../../src/domain/market/calendar.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { HeldLots } from "../../src/domain/order/sell-ledger.ts";
import type { TradingState } from "../../src/domain/order/trading-state.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import type { ActorEvent, EventsOf } from "../../src/machine/actor-event.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Actor } from "./stepped.ts";

export interface TermsOptions {
  /** The trading state of an account; undefined: trading is not limited (behaviour 18). */
  readonly tradingStateOf: (owner: ActorProfile) => TradingState | undefined;
  /** The market of a further order of a symbol; absent: not known (behaviour 21). */
  readonly marketOf?: (owner: ActorProfile, symbol: string) => Market;
  /** The most lots of one order of a group at `price`, or the last one; undefined or absent: any (behaviour 23.5). */
  readonly lotsMaxOf?: (group: OcoGroup, price?: number) => number | undefined;
  /** The lots that the account of a group still holds; undefined or absent: not known (behaviour 26.3). */
  readonly heldMaxOf?: (group: OcoGroup) => HeldLots | undefined;
}

/** Events that can end an order, or that pass a moment for which an exit waits. */
const OF_ORDERS: ReadonlySet<string> = new Set([
  "orderUpdated",
  "orderMissing",
  "orderDecided",
  "orderRefused",
  "deadline",
  "grow",
]);

/** Returns the event with the terms that the actor needs; the same event if it needs none. */
export function withTerms(options: TermsOptions, { kind, snapshot }: Actor, event: ActorEvent): ActorEvent {
  if (kind.name === "group") return withGroupTerms(options, snapshot.context, event);
  if (kind.name !== "setup" || !OF_ORDERS.has(event.type)) return event;
  const setup: PendingSetup = snapshot.context;
  const market = options.marketOf?.(setup, setup.symbol);
  return market === undefined ? event : ({ ...event, market } as EventsOf["setup"]);
}

/** A group that must not even sell at its stop-loss gets that term in every event, as its exit may be under way. */
function withGroupTerms(
  { tradingStateOf, marketOf, lotsMaxOf, heldMaxOf }: TermsOptions,
  group: OcoGroup,
  event: ActorEvent,
): ActorEvent {
  const isHalted = tradingStateOf(group)?.includingStops === true;
  const isExiting = OF_ORDERS.has(event.type) || group.exit?.pursuit !== undefined;
  const market = isExiting ? marketOf?.(group, group.symbol) : undefined;
  const lotsMax = lotsMaxOf?.(group);
  const heldMax = heldMaxOf?.(group);
  if (!isHalted && lotsMax === undefined && heldMax === undefined) {
    // In front: V8 copies an object into one with other fields seven times faster than it adds a field to a copy.
    return market === undefined ? event : ({ market, ...event } as EventsOf["group"]);
  }
  const terms = { ...(isHalted && { isHalted }), ...(market && { market }), ...(lotsMax !== undefined && { lotsMax }) };
  return { ...event, ...terms, ...(heldMax !== undefined && { heldMax }) } as EventsOf["group"];
}
