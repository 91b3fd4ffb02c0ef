import type { Connector } from "../../../engine/connector/host/connector.ts";
import type { Instrument, OrderRecord, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { isEnded, LIMIT, SELL } from "../../../src/domain/order/order.ts";
import { CountingConnector } from "./counting-connector.ts";

const FLOOR = 81;

interface AccountPlace {
  readonly userId: number;
  readonly accountNumber: string;
}

/**
 * A market at its lower limit: it buys as many lots of a symbol as `bid` states. The exchange ends a market order with
 * the rest; a limit order at the floor stays open until a bid comes or `close` ends it. Each account held `lots` of
 * each symbol.
 */
export class LimitDownConnector extends CountingConnector {
  readonly #lots: number;
  readonly #bids = new Map<string, number>();
  #listener: (record: OrderRecord) => void = () => undefined;

  constructor(accounts: readonly string[], lots: number) {
    super(accounts);
    this.#lots = lots;
  }

  override status(): ReturnType<Connector["status"]> {
    const status = super.status();
    return { ...status, supports: { orderStatus: true, positions: true, instrument: true } };
  }

  /** The market buys so many lots of a symbol from now on. */
  bid(symbol: string, lots: number): void {
    this.#bids.set(symbol, lots);
    for (const [index, order] of this.orders.entries()) if (order.symbol === symbol) this.#match(index);
  }

  /** The session ends, and with it the open orders of a symbol. */
  close(symbol: string): void {
    for (const [index, order] of this.orders.entries()) if (order.symbol === symbol) this.#end(index);
  }

  soldOf(symbol: string): number {
    return this.orders.reduce((sum, order) => sum + (order.symbol === symbol ? order.filledQuantity : 0), 0);
  }

  override async place(request: PlaceRequest): ReturnType<Connector["place"]> {
    const placed = await super.place(request);
    const index = this.orders.length - 1;
    this.#change(index, { orderStatus: 1, filledQuantity: 0, averagePrice: 0 });
    this.#match(index);
    if (request.orderType !== LIMIT) this.#end(index);
    return placed.ok ? { ok: true, data: { ...placed.data, orderStatus: 1 } } : placed;
  }

  async positions({ accountNumber }: AccountPlace) {
    const symbols = [...new Set(this.orders.map(({ symbol }) => symbol))];
    const data = symbols.map((symbol) => {
      const own = this.orders.filter((order) => order.symbol === symbol && order.accountNumber === accountNumber);
      const quantity = this.#lots - own.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);
      return { symbol, quantity, availableQuantity: quantity, averagePrice: 100, lastPrice: null, profit: null };
    });
    return { ok: true, data } as const;
  }

  async dailyOrders({ accountNumber }: AccountPlace) {
    return { ok: true, data: this.orders.filter((order) => order.accountNumber === accountNumber) } as const;
  }

  async instrument() {
    const band = { basePrice: 90, floorPrice: FLOOR, ceilingPrice: 99 };
    const data: Instrument = { ...band, lotSize: undefined, maxQuantity: undefined, isHalted: undefined };
    return { ok: true, data } as const;
  }

  override onUpdate(listener: (record: OrderRecord) => void = () => undefined) {
    this.#listener = listener;
    return () => undefined;
  }

  #match(index: number): void {
    const order = this.orders[index];
    if (order === undefined || isEnded(order) || order.buySell !== SELL) return;
    const bids = this.#bids.get(order.symbol) ?? 0;
    const lots = Math.min(bids, order.quantity - order.filledQuantity);
    if (lots === 0) return;
    this.#bids.set(order.symbol, bids - lots);
    const filledQuantity = order.filledQuantity + lots;
    const orderStatus = filledQuantity === order.quantity ? 2 : 1;
    this.#change(index, { orderStatus, filledQuantity, averagePrice: FLOOR });
  }

  #end(index: number): void {
    const order = this.orders[index];
    if (order !== undefined && !isEnded(order)) this.#change(index, { orderStatus: 3, endedBy: "exchange" });
  }

  #change(index: number, change: Partial<OrderRecord>): void {
    const order = this.orders[index];
    if (order === undefined) return;
    const changed = { ...order, ...change };
    this.orders[index] = changed;
    this.#listener(changed);
  }
}
