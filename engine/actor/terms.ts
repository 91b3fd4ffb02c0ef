/**
 * What an actor must know of the world around it when it decides: whether it may sell, how
 * many lots at once, and when its market opens.
 *
 * Owns: which events carry it. Does not own: trading states, calendars, what a chart makes of them.
 */
import type { Market } from "../../src/domain/market/calendar.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { TradingState } from "../../src/domain/order/trading-state.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import type { ActorEvent, EventsOf } from "../../src/machine/actor-event.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Actor } from "./stepped.ts";

export interface TermsOptions {
  /** Whether trading goes on for an account; undefined: it does (behaviour 18). */
  readonly tradingStateOf: (owner: ActorProfile) => TradingState | undefined;
  /** Where a further order of a symbol is sent; absent: not known (behaviour 21). */
  readonly marketOf?: (owner: ActorProfile, symbol: string) => Market;
  /** The most lots that one order of a group may have at `price`, or the last one; undefined or absent: any number (behaviour 23.5). */
  readonly lotsMaxOf?: (group: OcoGroup, price?: number) => number | undefined;
}

/** Events that can end an order, or pass a moment that an exit waits for. */
const OF_ORDERS: ReadonlySet<string> = new Set([
  "orderUpdated",
  "orderMissing",
  "orderDecided",
  "orderRefused",
  "deadline",
  "grow",
]);

/** The event with what the actor must know; the same one where it needs nothing. */
export function withTerms(options: TermsOptions, { kind, snapshot }: Actor, event: ActorEvent): ActorEvent {
  if (kind.name === "group") return withGroupTerms(options, snapshot.context, event);
  if (kind.name !== "setup" || !OF_ORDERS.has(event.type)) return event;
  const setup: PendingSetup = snapshot.context;
  const market = options.marketOf?.(setup, setup.symbol);
  return market === undefined ? event : ({ ...event, market } as EventsOf["setup"]);
}

/** A group that may not even sell its stop-loss is told so, as its exit may be under way. */
function withGroupTerms(
  { tradingStateOf, marketOf, lotsMaxOf }: TermsOptions,
  group: OcoGroup,
  event: ActorEvent,
): ActorEvent {
  const isHalted = tradingStateOf(group)?.includingStops === true;
  const isExiting = OF_ORDERS.has(event.type) || group.exit?.pursuit !== undefined;
  const market = isExiting ? marketOf?.(group, group.symbol) : undefined;
  const lotsMax = lotsMaxOf?.(group);
  if (!isHalted && market === undefined && lotsMax === undefined) return event;
  const terms = { ...(isHalted && { isHalted }), ...(market && { market }), ...(lotsMax !== undefined && { lotsMax }) };
  return { ...event, ...terms } as EventsOf["group"];
}
