/**
 * The markets of orders: the market of each order, the effect of a measure on it, and the notice that it waits for the
 * opening (behaviour 21, 23).
 *
 * Owns: the calendar, the kind and the limit of an order. Does not own: calendars (the symbols), when an order is sent
 * (the outbox, the exit of a group).
 */
import { type Market, opensAtMs as openingMs, opensInMs } from "../../src/domain/market/calendar.ts";
import {
  lotsUnderCap,
  type MeasureWait,
  type SellTerms,
  sellTerms,
  waitUnder,
} from "../../src/domain/market/measure.ts";
import { highestPriceOf, isSessionWaitTold } from "../../src/domain/oco/exit.ts";
import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { rowOfSell } from "../../src/domain/oco/oco.ts";
import { LIMIT, MARKET, SELL } from "../../src/domain/order/order.ts";
import type { SubmitEffect } from "../../src/machine/effect.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { ForeseenOrder, OutboxOrder } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import { waitsForSessionEvent } from "../projection/oco.ts";

interface MarketsOptions {
  readonly clock: Clock;
  readonly symbols: Pick<Symbols, "zoneOf" | "calendarOf" | "presentName">;
  readonly bands: Pick<DayBands, "learn" | "find">;
  readonly measures: Pick<MeasureTable, "effectsOf">;
  readonly prices: Prices;
  readonly events: Events;
  /** Finds a group that lives or has ended; undefined if the id is not of a group. */
  readonly findGroup: (id: number) => OcoGroup | undefined;
}

export class Markets {
  readonly #options: MarketsOptions;
  /** The functions for the outbox. */
  readonly ofOutbox = {
    opensInMs: (order: OutboxOrder) => opensInMs(this.of(this.#named(order)), this.#options.clock.nowMs()),
    onWaitsForSession: (order: OutboxOrder, untilMs: number) => this.#tellWaiting(order, untilMs),
    waitOf: (order: OutboxOrder) => this.#waitOf(this.#named(order)),
    termsOf: (order: OutboxOrder) => this.#termsOf(this.#named(order)),
    isSameSymbol: (left: string, right: string) => this.#presentName(left) === this.#presentName(right),
  };
  /** The functions for actors. */
  readonly ofActors = {
    marketOf: (owner: ActorProfile, symbol: string) => this.#next(owner, symbol),
    limitOf: (owner: ActorProfile, effect: SubmitEffect) => this.#limitOf(owner, effect),
    lotsMaxOf: (group: OcoGroup, price?: number) => this.#lotsMaxOf(group, price),
  };

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** Returns the order under the present name of its symbol: under that it is sent (behaviour 30.4). */
  #named(order: OutboxOrder): OutboxOrder {
    const symbol = this.#presentName(order.symbol);
    return symbol === order.symbol ? order : { ...order, symbol };
  }

  #presentName(symbol: string): string {
    return this.#options.symbols.presentName(symbol);
  }

  /** Returns the market of an order. */
  of({ symbol, orderType }: Pick<OutboxOrder, "symbol" | "orderType">): Market {
    return this.#marketOf(symbol, orderType === MARKET ? "market" : "limit");
  }

  /** Returns the market of the next order of an exit: a limit order at today's floor if that is known (17.2). */
  #next(owner: ActorProfile, symbol: string): Market {
    const market = this.#marketOf(symbol, this.#floorOf(owner, symbol) === undefined ? "market" : "limit");
    return { ...market, nowMs: this.#options.clock.nowMs() };
  }

  /** Returns how an order of an actor would be sent now. Asks no brokerage and notifies no user. */
  foresee(owner: ActorProfile, effect: SubmitEffect): ForeseenOrder {
    const { symbol, quantity } = effect;
    const { limit, isFloorMissing } = this.#sellTerms(owner, effect);
    const orderType = limit === undefined ? MARKET : LIMIT;
    const opensAtMs = openingMs(this.of({ symbol, orderType }), this.#options.clock.nowMs());
    return { quantity, limit, isFloorMissing, wait: this.#waitOf(effect), opensAtMs };
  }

  #sellTerms(owner: ActorProfile, { symbol, buySell, isAtFloor = false }: SubmitEffect): SellTerms {
    const effects = buySell === SELL ? this.#options.measures.effectsOf(symbol) : {};
    return sellTerms(effects, isAtFloor, () => this.#floorOf(owner, symbol));
  }

  #floorOf({ brokerageCode }: ActorProfile, symbol: string): number | undefined {
    return this.#options.bands.find(symbol, brokerageCode)?.floorPrice;
  }

  /**
   * Returns the limit price of an order that an actor asks for, in currency units; undefined: at market. If a measure
   * forbids market orders, sells are limit orders at the floor, and their owner is warned if it is not known (23.3).
   */
  #limitOf(owner: ActorProfile, effect: SubmitEffect): number | undefined {
    const { urgency, symbol } = effect;
    const { bands, events } = this.#options;
    const { limit, isFloorMissing } = this.#sellTerms(owner, effect);
    // An exit that ends with a rest continues at the floor: it should be known by then.
    if (urgency === "stopLoss" || limit !== undefined || isFloorMissing) bands.learn(owner, symbol);
    if (isFloorMissing) {
      const { userId, brokerageCode, accountNumber } = owner;
      const message = `${symbol} takes no market orders and its floor of today is not known: its sell leaves as a market order`;
      events.emit(userId, "alarm.measure", { brokerageCode, accountNumber, symbol, message });
    }
    return limit;
  }

  /** Returns an order as it is sent now: of an actor's sell kind and limit, with the floor of its day of sending (17.2). */
  #termsOf(order: OutboxOrder): Pick<OutboxOrder, "symbol" | "orderType" | "price"> {
    const { urgency, buySell, symbol, orderType } = order;
    const { bands, measures } = this.#options;
    // While it waits it keeps its kind: the floor of the moment in which it leaves is not known yet.
    if (urgency === "client" || buySell !== SELL || this.#waitOf(order) !== undefined) return order;
    const effects = measures.effectsOf(symbol);
    const isAtFloor = orderType === LIMIT;
    if (isAtFloor || effects.noMarket === true) bands.learn(order, symbol);
    const { limit } = sellTerms(effects, isAtFloor, () => this.#floorOf(order, symbol));
    return limit === undefined ? { symbol, orderType: MARKET, price: 0 } : { symbol, orderType: LIMIT, price: limit };
  }

  /** Returns why a triggered sell waits under a measure (23.4). */
  #waitOf({ urgency, buySell, symbol }: Pick<OutboxOrder, "urgency" | "buySell" | "symbol">): MeasureWait | undefined {
    if (urgency === "client" || buySell !== SELL) return undefined;
    const { measures, symbols, clock } = this.#options;
    return waitUnder(measures.effectsOf(symbol), symbols.calendarOf(symbol), clock.nowMs());
  }

  /**
   * Returns the most lots that one order of a group may have under the measures of its symbol; undefined: any number.
   * Without a known price, the ceiling of the day or else the highest price that the group names counts (23.5).
   */
  #lotsMaxOf(group: OcoGroup, price?: number): number | undefined {
    const { symbol, brokerageCode } = group;
    const { measures, prices, bands } = this.#options;
    const effects = measures.effectsOf(symbol);
    // Most symbols have no cap: a sell needs no lookup for them.
    if (typeof effects.valueCap !== "number") return undefined;
    const known = price ?? prices.last(symbol)?.price.value;
    return lotsUnderCap(effects, known ?? bands.find(symbol, brokerageCode)?.ceilingPrice ?? highestPriceOf(group));
  }

  /** In a turn: notifies the owner that an order of a group waits for the market to open. */
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
