/**
 * The course of an order that a brokerage took: it fills in parts, completes or is cancelled, and updates report it,
 * twice, late, in any order or not at all.
 *
 * Owns: the state of orders after they were taken. Does not own: which orders exist (`exchange.ts`).
 *
 * Invariant: every order ends; once it has, its record never changes, except if it was cancelled: a client's order, an
 * order of an exit and an order of a bot may be filled after all. An order that is completed has ended once its record
 * contains a price: before that the price may be 0, null or missing (behaviour 5.2).
 */
import { type OrderRecord, orderRecordSchema, type PlaceRequest } from "../../../src/contract/trading/order.ts";
import {
  BUY,
  ORDER_CANCELLED,
  ORDER_COMPLETED,
  ORDER_OPEN,
  ORDER_REJECTED,
  SELL,
} from "../../../src/domain/order/order.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** An order that exists. */
export interface ExchangeOrder {
  readonly request: PlaceRequest;
  record: OrderRecord;
  /** When it was taken, and when it ended, by the steady clock. */
  readonly takenMs: number;
  endedMs: number;
  /** True: the engine asked to cancel it, perhaps without effect: it cannot know then whose cancel ended it. */
  isRecalled: boolean;
  /** Lots that were filled after its end. */
  lateQuantity: number;
  /** It was cancelled, and filled after that. */
  isFilledLate?: boolean;
}

interface FillsOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  /** The share of taken orders that end with a rest. */
  readonly trouble: { readonly cutDown: number };
  readonly isTroubled: () => boolean;
  /** The price of a symbol now, in thousandths. */
  readonly milliOf: (symbol: string) => number;
  readonly tell: (record: OrderRecord) => void;
  /** Called when an order has ended. */
  readonly onEnded: (order: ExchangeOrder) => void;
}

const UPDATE_SOON_MS = 50;
const UPDATE_LATE_MS = 3_000;
/** The price of a completed order comes so late. */
const PRICE_LATE_MS = 8_000;
/** Nothing is filled later after its end by the wall clock: an ended order is asked for within an hour of it. */
const LATEST_FILL_MS = 50 * 60_000;
/** A buy is filled so long after its end. */
const LATE_FILL_MS = { least: 1, most: 9_000 };

export class Fills {
  readonly #options: FillsOptions;
  /** Orders that have not ended. */
  openCount = 0;

  constructor(options: FillsOptions) {
    this.#options = options;
  }

  /** The order was taken: plans its course from here on. */
  begin(order: ExchangeOrder): void {
    const { time, random, report } = this.#options;
    const { quantity } = order.request;
    const endsAfterMs = random.weighted(
      [
        [6, random.whole(0, 300)],
        [3, random.whole(300, 4_000)],
        [1, this.#isTroubled(1) ? random.whole(4_000, 60_000) : 0],
      ],
      0,
    );
    const half = Math.floor(quantity / 2);
    const isHalfFilled = half > 0 && random.chance(0.5);
    const isCancelled = this.#isTroubled(this.#options.trouble.cutDown);
    this.openCount += 1;
    if (isHalfFilled) {
      time.after(random.whole(0, endsAfterMs), () => {
        // Of two events of one millisecond either may come first: an order that has ended fills no more.
        const { orderStatus } = order.record;
        if (orderStatus === ORDER_OPEN) this.#fill(order, half, orderStatus);
      });
    }
    time.after(endsAfterMs, () => {
      const { filledQuantity } = order.record;
      if (order.endedMs < Number.POSITIVE_INFINITY) return;
      if (isCancelled) report.count(filledQuantity > 0 ? "brokerage: cancelled in part" : "brokerage: cancelled");
      if (isCancelled) this.#cancel(order, random.pick([undefined, undefined, "exchange", "owner"]));
      else if (this.#isTroubled(0.15)) this.#completeWithoutPrice(order);
      else this.#end(order, quantity + this.#extraOf(order), ORDER_COMPLETED);
    });
  }

  /** Lots filled beyond the quantity of a client's sell. */
  #extraOf(order: ExchangeOrder): number {
    if (!isSellOfClient(order) || !this.#isTroubled(0.3)) return 0;
    this.#options.report.count("brokerage: filled beyond the quantity");
    return this.#options.random.whole(1, 50);
  }

  /** The engine asked to cancel it. */
  recall(order: ExchangeOrder): void {
    if (order.record.orderStatus !== ORDER_OPEN) return;
    this.#options.report.count("brokerage: cancelled for the engine");
    this.#cancel(order, "owner");
  }

  #cancel(order: ExchangeOrder, endedBy: OrderRecord["endedBy"]): void {
    const { filledQuantity } = order.record;
    if (endedBy !== undefined) order.record = { ...order.record, endedBy };
    this.#end(order, filledQuantity, ORDER_CANCELLED);
    this.#fillBuyLate(order);
    this.#fillRestLate(order);
  }

  /** A client's buy that was cancelled with nothing filled may be filled after all. */
  #fillBuyLate(order: ExchangeOrder): void {
    const { random, onEnded } = this.#options;
    const { buySell, clientOrderId, quantity } = order.request;
    const isClients = buySell === BUY && !/-p\d/.test(clientOrderId);
    if (!isClients || order.record.filledQuantity > 0 || !random.chance(0.5)) return;
    this.#fillLater(random.whole(LATE_FILL_MS.least, LATE_FILL_MS.most), () => {
      order.isFilledLate = true;
      this.#fill(order, quantity, ORDER_COMPLETED);
      onEnded(order);
    });
  }

  /**
   * A fill after the end, unless the wall clock was set ahead by an hour in between: the engine's hour of asking is
   * over then.
   */
  #fillLater(delayMs: number, fill: () => void): void {
    const { time, report } = this.#options;
    const endedMs = time.wallClock.nowMs();
    time.after(delayMs, () => {
      if (time.wallClock.nowMs() - endedMs > LATEST_FILL_MS) return;
      report.count("brokerage: filled after its end");
      fill();
    });
  }

  /**
   * Fills further orders of an exit, orders of bots, of entries and of clients' sells late: others are tried elsewhere.
   */
  #fillRestLate(order: ExchangeOrder): void {
    const { random, onEnded } = this.#options;
    const { filledQuantity, clientOrderId } = order.record;
    const left = order.request.quantity - filledQuantity;
    const isExits = /-n\d+$/.test(clientOrderId ?? "") && this.#isTroubled(0.7);
    const isBots = /-p\d+[bs]/.test(clientOrderId ?? "") && this.#isTroubled(0.4);
    const isClients = isSellOfClient(order) && this.#isTroubled(0.7);
    const isEntrys = /-e\d+$/.test(clientOrderId ?? "") && filledQuantity > 0 && this.#isTroubled(0.5);
    if (!isExits && !isBots && !isClients && !isEntrys) return;
    this.#fillLater(random.whole(500, 20_000), () => {
      order.lateQuantity = random.whole(1, left);
      const isWhole = (isBots || isEntrys) && order.lateQuantity === left;
      order.isFilledLate = isWhole;
      this.#fill(order, filledQuantity + order.lateQuantity, isWhole ? ORDER_COMPLETED : ORDER_CANCELLED);
      // A client may have registered a pending OCO over the buy of a bot.
      if (isWhole || isEntrys) onEnded(order);
    });
  }

  #end(order: ExchangeOrder, filledQuantity: number, orderStatus: OrderRecord["orderStatus"]): void {
    this.openCount -= 1;
    order.endedMs = Math.min(order.endedMs, this.#options.time.steadyClock.nowMs());
    this.#fill(order, filledQuantity, orderStatus);
    this.#options.onEnded(order);
  }

  /** Reports the order first as completed by a record without a price; the right one comes later. */
  #completeWithoutPrice(order: ExchangeOrder): void {
    const { time, random, report } = this.#options;
    const { quantity } = order.request;
    report.count("brokerage: completed without a price at first");
    report.note(() => `${order.record.orderNo} is completed and tells no price`);
    const record = { ...order.record, filledQuantity: quantity, orderStatus: ORDER_COMPLETED };
    order.record = orderRecordSchema.parse({ ...record, averagePrice: random.pick([0, null, undefined]) });
    // Nothing of it can be filled any more: the next order of an exit may leave.
    order.endedMs = time.steadyClock.nowMs();
    this.#tell(order.record);
    time.after(random.whole(1, PRICE_LATE_MS), () => this.#end(order, quantity, ORDER_COMPLETED));
  }

  #fill(order: ExchangeOrder, filledQuantity: number, orderStatus: OrderRecord["orderStatus"]): void {
    const { random, milliOf, report } = this.#options;
    const { record } = order;
    const near = milliOf(record.symbol) + (random.chance(0.8) ? random.whole(-2, 2) * 50 : random.whole(-99, 99));
    const isNew = filledQuantity > record.filledQuantity || (filledQuantity > 0 && record.averagePrice === 0);
    const averagePrice = isNew ? near / 1000 : record.averagePrice;
    order.record = { ...record, filledQuantity, averagePrice, orderStatus };
    report.note(() => `${record.orderNo} has filled ${filledQuantity} at ${averagePrice} (${orderStatus})`);
    this.#tell(order.record);
  }

  #tell(record: OrderRecord): void {
    const { time, random, report, tell } = this.#options;
    if (this.#isTroubled(0.3)) {
      report.count("brokerage: update lost");
      return;
    }
    for (let copies = random.chance(0.2) ? 2 : 1; copies > 0; copies -= 1) {
      time.after(random.whole(0, random.chance(0.5) ? UPDATE_SOON_MS : UPDATE_LATE_MS), () => tell(record));
    }
  }

  #isTroubled(share: number): boolean {
    return this.#options.isTroubled() && this.#options.random.chance(share);
  }
}

/** No pending OCO waits for the sell of a client. */
function isSellOfClient({ request }: ExchangeOrder): boolean {
  return request.buySell === SELL && /-c\d+$/.test(request.clientOrderId);
}

/** Whether an order is completed and its record contains its price: only such a record is a fill. */
export function isFilled({ orderStatus, averagePrice }: OrderRecord): boolean {
  return orderStatus === ORDER_COMPLETED && averagePrice > 0;
}

/** Whether an order came to nothing: rejected, or ended with nothing filled. */
export function isForNothing({ orderStatus, filledQuantity }: OrderRecord): boolean {
  return orderStatus === ORDER_REJECTED || (orderStatus === ORDER_CANCELLED && filledQuantity === 0);
}
