/**
 * The markets of orders: where an order is sent, what a measure does to it, and who is notified when it waits for the market
 * to open (behaviour 21, 23).
 *
 * Owns: the calendar, the kind and the limit of an order. Does not own: calendars (the symbols), when an order is sent (the outbox, the
 * exit of a group).
 */
import { type Market, opensInMs } from "../../src/domain/market/calendar.ts";
import { lotsUnderCap, type MeasureWait, waitUnder } from "../../src/domain/market/measure.ts";
import { isSessionWaitTold } from "../../src/domain/oco/exit.ts";
import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { rowOfSell } from "../../src/domain/oco/oco.ts";
import { LIMIT, MARKET, SELL } from "../../src/domain/order/order.ts";
import type { SubmitEffect } from "../../src/machine/effect.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import { waitsForSessionEvent } from "../projection/oco.ts";

interface MarketsOptions {
  readonly clock: Clock;
  readonly symbols: Pick<Symbols, "zoneOf" | "calendarOf">;
  readonly bands: Pick<DayBands, "learn"> & { floorOf(owner: ActorProfile, symbol: string): number | undefined };
  readonly measures: Pick<MeasureTable, "effectsOf">;
  readonly prices: Prices;
  readonly events: Events;
  /** A group that lives or has ended; undefined where the id is no group's. */
  readonly findGroup: (id: number) => OcoGroup | undefined;
}

export class Markets {
  readonly #options: MarketsOptions;
  /** What the outbox must know. */
  readonly ofOutbox = {
    opensInMs: (order: OutboxOrder) => opensInMs(this.of(order), this.#options.clock.nowMs()),
    onWaitsForSession: (order: OutboxOrder, untilMs: number) => this.#tellWaiting(order, untilMs),
    waitOf: (order: OutboxOrder) => this.#waitOf(order),
    termsOf: (order: OutboxOrder) => this.#termsOf(order),
  };
  /** What actors must know. */
  readonly ofActors = {
    marketOf: (owner: ActorProfile, symbol: string) => this.#next(owner, symbol),
    limitOf: (owner: ActorProfile, effect: SubmitEffect) => this.#limitOf(owner, effect),
    lotsMaxOf: (symbol: string) => this.#lotsMaxOf(symbol),
  };

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** The market of an order. */
  of({ symbol, orderType }: Pick<OutboxOrder, "symbol" | "orderType">): Market {
    return this.#marketOf(symbol, orderType === MARKET ? "market" : "limit");
  }

  /** The market of the next order of an exit: a limit order at the floor of the day if that is known (17.2). */
  #next(owner: ActorProfile, symbol: string): Market {
    return this.#marketOf(symbol, this.#options.bands.floorOf(owner, symbol) === undefined ? "market" : "limit");
  }

  /**
   * The limit price of an order that an actor asks for, in currency units; undefined: at market. Where market orders are
   * refused by a measure, sells are limit orders at the floor, and their owner is warned if it is not known (23.3).
   */
  #limitOf(owner: ActorProfile, { urgency, symbol, buySell, isAtFloor = false }: SubmitEffect): number | undefined {
    const { bands, measures, events } = this.#options;
    const isForced = buySell === SELL && measures.effectsOf(symbol).noMarket === true;
    if (urgency !== "stopLoss" && !isForced) return undefined;
    // What ends with a rest goes on at the floor: it should be known by then.
    bands.learn(owner, symbol);
    const floor = isAtFloor || isForced ? bands.floorOf(owner, symbol) : undefined;
    if (isForced && floor === undefined) {
      const { userId, brokerageCode, accountNumber } = owner;
      const message = `${symbol} takes no market orders and its floor of today is not known: its sell leaves as a market order`;
      events.emit(userId, "alarm.measure", { brokerageCode, accountNumber, symbol, message });
    }
    return floor;
  }

  /** Kind and limit of an order of an actor as it is sent now: the floor is that of the day on which it leaves (17.2). */
  #termsOf(order: OutboxOrder): Pick<OutboxOrder, "orderType" | "price"> {
    const { urgency, buySell, symbol, orderType } = order;
    const { bands, measures } = this.#options;
    if (urgency === "client" || buySell !== SELL) return order;
    if (orderType === MARKET && measures.effectsOf(symbol).noMarket !== true) return order;
    bands.learn(order, symbol);
    const floor = bands.floorOf(order, symbol);
    return floor === undefined ? { orderType: MARKET, price: 0 } : { orderType: LIMIT, price: floor };
  }

  /** Why a triggered sell waits under a measure (23.4). */
  #waitOf({ urgency, buySell, symbol }: OutboxOrder): MeasureWait | undefined {
    if (urgency === "client" || buySell !== SELL) return undefined;
    const { measures, symbols, clock } = this.#options;
    return waitUnder(measures.effectsOf(symbol), symbols.calendarOf(symbol), clock.nowMs());
  }

  /** The most lots that one order may have under the measures of a symbol; undefined: any number. */
  #lotsMaxOf(symbol: string): number | undefined {
    const { measures, prices } = this.#options;
    return lotsUnderCap(measures.effectsOf(symbol), prices.last(symbol)?.price.value);
  }

  /** Within a turn: an order of a group waits for the market to open. */
  #tellWaiting({ origin, userId }: OutboxOrder, untilMs: number): void {
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
