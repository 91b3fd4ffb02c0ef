/**
 * An exchange of sessions: it takes orders while it is open and between the day's two limits, fills them from the lots
 * that are asked for, and ends them at the close.
 *
 * Owns: prices, limits and bids of the day, the lots of each account. Does not own: when a session begins or a price
 * moves (`days-world.ts`).
 *
 * Judged here, at every order and every fill:
 * 1. A stop-loss has one open order at a time.
 * 2. An order with a limit has it at the floor of its day.
 * 3. No account sells more lots than it holds.
 */
import type { Instrument, OrderRecord, PlaceRequest, PositionRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_CANCELLED, ORDER_COMPLETED, ORDER_OPEN } from "../../../src/domain/order/order.ts";
import { gridDown, gridUp } from "../oracle/naive-grid.ts";
import type { Course, Venue } from "../world/exchange.ts";
import type { ExchangeOrder } from "../world/fills.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { SymbolNames } from "./symbol-names.ts";

const LIMIT = 2;
/** The limits of a day lie so far from its base. */
const BAND_SHARE = 0.1;
/** An order of a stop-loss for lots that a take-profit left: it can be open next to the order of the stop-loss itself. */
const EXTRA = /-r\d+-\d+$/;
const TOLD_MS = { soon: 60, late: 4_000 };

/** A symbol at the exchange. */
interface Listing {
  /** The last price in thousandths. */
  milli: number;
  floorMilli: number;
  ceilingMilli: number;
  /** The lots that the market still buys at this price. */
  bids: number;
}

interface SessionVenueOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly isTroubled: () => boolean;
  /** Accounts answer with their lots. */
  readonly hasPositions: boolean;
}

export class SessionVenue implements Venue {
  readonly #options: SessionVenueOptions;
  readonly listings = new Map<string, Listing>();
  readonly names = new SymbolNames();
  /** The lots that each account holds of its symbol. */
  readonly held = new Map<string, number>();
  /** The symbol of each account. */
  readonly symbols = new Map<string, string>();
  /** When the lots of an account were last asked for, by the steady clock. */
  readonly askedMs = new Map<string, number>();
  readonly #open = new Set<ExchangeOrder>();
  #tell: (record: OrderRecord) => void = () => undefined;
  isOpen = false;

  constructor(options: SessionVenueOptions) {
    this.#options = options;
  }

  listing(symbol: string): Listing {
    const listing = this.listings.get(this.names.symbolOf(symbol));
    if (listing === undefined) throw new Error(`${symbol} is not listed`);
    return listing;
  }

  /** A day begins: its limits follow from the last price. */
  beginDay(): void {
    for (const listing of this.listings.values()) {
      listing.floorMilli = gridUp(Math.ceil(listing.milli * (1 - BAND_SHARE)));
      listing.ceilingMilli = gridDown(Math.floor(listing.milli * (1 + BAND_SHARE)));
      listing.bids = Number.POSITIVE_INFINITY;
    }
  }

  /**
   * An account gets new lots for old ones. Where these are fewer, rows that have fired sell the `unsold` lots that they
   * had (behaviour 28.4), which are left as they were.
   */
  exchangeLots(accountNumber: string, [numerator, denominator]: readonly [number, number], unsold: number): void {
    const all = this.held.get(accountNumber) ?? 0;
    if (all === Number.POSITIVE_INFINITY) return;
    const firing = numerator > denominator ? 0 : Math.min(all, unsold);
    this.held.set(accountNumber, Math.floor(((all - firing) * numerator) / denominator) + firing);
  }

  /** The session ends, and with it every order. */
  close(): void {
    this.isOpen = false;
    for (const order of [...this.#open]) {
      this.#options.report.count("days: orders ended by the close");
      this.#end(order, this.#options.random.pick([undefined, "exchange"] as const));
    }
  }

  /** The market asks for more lots of a symbol: waiting orders are filled, the oldest first. */
  bid(symbol: string, lots: number): void {
    this.listing(symbol).bids = lots;
    for (const order of [...this.#open]) {
      if (this.names.symbolOf(order.request.symbol) !== symbol) continue;
      this.#match(order);
    }
  }

  /** The open orders of a row under all of its numbers, without orders for lots that a take-profit left. */
  openOrdersOf(rowId: number): readonly ExchangeOrder[] {
    return [...this.#open].filter(({ request }) => {
      return rowOf(request) === rowId && !isExtra(request);
    });
  }

  // ------------------------------------------------------------------------------------------------ for the brokerage

  bandOf(symbol: string): Instrument {
    const { floorMilli, ceilingMilli } = this.listing(symbol);
    const limits = { floorPrice: floorMilli / 1000, ceilingPrice: ceilingMilli / 1000 };
    return { ...limits, basePrice: undefined, lotSize: undefined, maxQuantity: undefined, isHalted: undefined };
  }

  notNow(): string | undefined {
    return this.isOpen ? undefined : "the market is closed";
  }

  positionsOf(accountNumber: string): readonly PositionRecord[] | undefined {
    const { hasPositions, time } = this.#options;
    if (!hasPositions) return undefined;
    this.askedMs.set(accountNumber, time.steadyClock.nowMs());
    const [symbol, quantity] = [this.symbols.get(accountNumber), this.held.get(accountNumber) ?? 0];
    if (symbol === undefined || quantity === 0) return [];
    const unknown = { averagePrice: 0, lastPrice: null, profit: null };
    return [{ symbol: this.names.of(symbol), quantity, availableQuantity: quantity, ...unknown }];
  }

  courseOf(tell: (record: OrderRecord) => void): Course {
    this.#tell = tell;
    const open = this.#open;
    return {
      get openCount() {
        return open.size;
      },
      begin: (order) => this.#begin(order),
      recall: (order) => this.#end(order, "owner"),
    };
  }

  #begin(order: ExchangeOrder): void {
    const { random, time, report } = this.#options;
    const { symbol, orderType, price, clientOrderId } = order.request;
    const rowId = rowOf(order.request);
    if (!isExtra(order.request) && this.openOrdersOf(rowId).length > 0)
      report.violate(`row ${rowId} has two orders at a time: ${clientOrderId}`);
    const { floorMilli } = this.listing(symbol);
    if (orderType === LIMIT && Math.round(price * 1000) !== floorMilli) {
      report.violate(`${clientOrderId} has the limit ${price}, and the floor of its day is ${floorMilli / 1000}`);
    }
    this.#open.add(order);
    if (orderType === LIMIT) report.count("days: orders at the floor");
    time.after(random.whole(0, 800), () => {
      if (!this.#open.has(order)) return;
      this.#match(order);
      if (orderType === LIMIT || !this.#open.has(order)) return;
      report.count("days: market orders without a bid");
      this.#end(order, random.pick([undefined, "exchange"] as const));
    });
  }

  /** Fills what the market asks for. */
  #match(order: ExchangeOrder): void {
    if (!this.isOpen) return;
    const listing = this.listing(order.request.symbol);
    const { filledQuantity } = order.record;
    const { quantity } = order.request;
    const lots = Math.min(listing.bids, quantity - filledQuantity);
    if (lots <= 0) return;
    listing.bids -= lots;
    this.#take(order, lots);
    const filled = filledQuantity + lots;
    const orderStatus = filled === quantity ? ORDER_COMPLETED : ORDER_OPEN;
    order.record = { ...order.record, filledQuantity: filled, averagePrice: listing.milli / 1000, orderStatus };
    if (filled === quantity) this.#over(order);
    this.#report(order);
  }

  #take({ request }: ExchangeOrder, lots: number): void {
    const { accountNumber, clientOrderId } = request;
    const left = (this.held.get(accountNumber) ?? 0) - lots;
    this.held.set(accountNumber, left);
    if (left < 0)
      this.#options.report.violate(`${clientOrderId} sold ${-left} lots that ${accountNumber} does not hold`);
  }

  #end(order: ExchangeOrder, endedBy: OrderRecord["endedBy"]): void {
    if (!this.#open.has(order)) return;
    this.#over(order);
    order.record = { ...order.record, orderStatus: ORDER_CANCELLED, ...(endedBy !== undefined && { endedBy }) };
    this.#report(order);
  }

  #over(order: ExchangeOrder): void {
    this.#open.delete(order);
    order.endedMs = this.#options.time.steadyClock.nowMs();
  }

  /** An update may be lost: then the engine asks. */
  #report({ record }: ExchangeOrder): void {
    const { random, time, report, isTroubled } = this.#options;
    report.note(() => `${record.orderNo} has filled ${record.filledQuantity} (${record.orderStatus})`);
    if (isTroubled() && random.chance(0.15)) return;
    time.after(random.whole(0, random.chance(0.8) ? TOLD_MS.soon : TOLD_MS.late), () => this.#tell(record));
  }
}

/** The row that an order sells: its name ends with it, and from the second order on with a number. */
export function rowOf({ clientOrderId }: Pick<PlaceRequest, "clientOrderId">): number {
  return Number(/-r(\d+)/.exec(clientOrderId)?.[1]);
}

/** Whether an order sells lots that a take-profit left. */
export function isExtra({ clientOrderId }: Pick<PlaceRequest, "clientOrderId">): boolean {
  return EXTRA.test(clientOrderId);
}
