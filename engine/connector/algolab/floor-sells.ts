/**
 * Triggered sells of symbols of which AlgoLab takes no market order (an order package, a phase): they leave as limit
 * orders at the day's floor, which meet every bid.
 *
 * Owns: which symbols these are, what price a request leaves with. Does not own: sending (connector.ts).
 *
 * Invariants:
 * 1. A second attempt follows only a refusal: no order exists by then.
 * 2. A client's market order is never changed into another one.
 */
import type { BrokerReply, Instrument, OrderAnswer, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { LIMIT } from "../../../src/domain/order/order.ts";
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import { urgencyOf } from "./answers.ts";
import { isMarketRefused } from "./not-now.ts";
import { istanbulDay } from "./protocol.ts";
import { URGENCY } from "./request-queue.ts";

/** `null`: as a market order. */
type Send = (limitPrice: number | null) => Promise<BrokerReply<OrderAnswer>>;

interface FloorSellsOptions {
  readonly instrument: (request: { readonly symbol: string }) => Promise<BrokerReply<Instrument>>;
  readonly clock: Clock;
  readonly log: Log;
}

export class FloorSells {
  readonly #options: FloorSellsOptions;
  /** The day on which a market order of a symbol was last refused. */
  readonly #refusedOn = new Map<string, number>();

  constructor(options: FloorSellsOptions) {
    this.#options = options;
  }

  async place(request: PlaceRequest, send: Send): Promise<BrokerReply<OrderAnswer>> {
    const { symbol, orderType, price, clientOrderId } = request;
    if (orderType === LIMIT) return send(price);
    if (urgencyOf(request) !== URGENCY.triggeredSell) return send(null);
    const { clock, log } = this.#options;
    const isKnown = this.#refusedOn.get(symbol) === istanbulDay(clock.nowMs());
    const knownFloor = isKnown ? await this.#floorOf(symbol) : undefined;
    if (knownFloor !== undefined) return send(knownFloor);
    const reply = await send(null);
    if (reply.ok || reply.code !== "NOT_NOW" || !isMarketRefused(reply.message)) return reply;
    this.#refusedOn.set(symbol, istanbulDay(clock.nowMs()));
    const floor = await this.#floorOf(symbol);
    if (floor === undefined) return reply;
    log.warn(
      { event: "order.sentAtFloor", clientOrderId, symbol, floor },
      "AlgoLab takes no market order of this symbol: the sell leaves as a limit order at the day's floor",
    );
    return send(floor);
  }

  async #floorOf(symbol: string): Promise<number | undefined> {
    const told = await this.#options.instrument({ symbol });
    return told.ok ? told.data.floorPrice : undefined;
  }
}
