/**
 * The markets of orders: where an order is sent, and who is notified when it waits for the market to open (behaviour 21).
 *
 * Owns: the calendar and the kind of an order. Does not own: calendars (the symbols), when an order is sent (the outbox, the
 * exit of a group).
 */
import type { Market } from "../../src/domain/market/calendar.ts";
import { isSessionWaitTold } from "../../src/domain/oco/exit.ts";
import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { rowOfSell } from "../../src/domain/oco/oco.ts";
import { MARKET } from "../../src/domain/order/order.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Symbols } from "../ports/price.ts";
import { waitsForSessionEvent } from "../projection/oco.ts";

interface MarketsOptions {
  readonly symbols: Pick<Symbols, "zoneOf" | "calendarOf">;
  readonly bands: { floorOf(owner: ActorProfile, symbol: string): number | undefined };
  readonly events: Events;
  /** A group that lives or has ended; undefined where the id is no group's. */
  readonly findGroup: (id: number) => OcoGroup | undefined;
}

export class Markets {
  readonly #options: MarketsOptions;

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** The market of an order. */
  of({ symbol, orderType }: Pick<OutboxOrder, "symbol" | "orderType">): Market {
    return this.#marketOf(symbol, orderType === MARKET ? "market" : "limit");
  }

  /** The market of the next order of an exit: a limit order at the floor of the day if that is known (17.2). */
  next(owner: ActorProfile, symbol: string): Market {
    return this.#marketOf(symbol, this.#options.bands.floorOf(owner, symbol) === undefined ? "market" : "limit");
  }

  /** Within a turn: an order of a group waits for the market to open. */
  tellWaiting({ origin, userId }: OutboxOrder, untilMs: number): void {
    if (origin.kind !== "actor") return;
    const group = this.#options.findGroup(origin.actorId);
    const row = group === undefined ? undefined : rowOfSell(group, origin.name);
    if (group === undefined || row === undefined) return;
    if (row === STOP_LOSS && isSessionWaitTold(group)) return;
    this.#options.events.emit(userId, "oco.waitsForSession", waitsForSessionEvent(group, row, untilMs));
  }

  #marketOf(symbol: string, order: Market["order"]): Market {
    const { symbols } = this.#options;
    const calendar = symbols.calendarOf(symbol);
    return { zone: calendar?.zone ?? symbols.zoneOf(symbol), calendar, order };
  }
}
