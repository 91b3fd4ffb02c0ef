/**
 * Receipts: when each sell of a group was decided, durable, sent, answered and filled.
 *
 * Owns: those moments, from a decision to the order's end, and the histograms of the times between them.
 * Does not own: the decision, the sending, the view for clients (query/trading/receipt.ts).
 *
 * Invariants:
 * 1. A trigger's own batch contains nothing of a receipt: the moments known in memory are written with the order's
 *    outcome. Moments that a restart lost are null, never guessed.
 * 2. A receipt is kept forever, one small row for each sell.
 * 3. The receipt of an order that its group follows contains the facts that the group learnt. If the group is over and
 *    follows it no more, the receipt is the execution: a record is judged with it (`src/domain/order/execution.ts`).
 */

import { TIMING_BUCKETS_MS, type TriggerTimings } from "../../src/contract/operator/operator.ts";
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import { type StoredReceipt, storedReceiptSchema } from "../../src/contract/trading/receipt.ts";
import { rowIdOfSell } from "../../src/domain/oco/sell-name.ts";
import { beginExecution, type Execution, type ExecutionStep, isQuiet } from "../../src/domain/order/execution.ts";
import { isEnded, ORDER_COMPLETED, ORDER_OPEN, SELL } from "../../src/domain/order/order.ts";
import { hear, type OrderUpdated } from "../../src/domain/order/order-news.ts";
import { averagePriceOf, filledQuantityOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import { BucketCounts } from "../../src/runtime/bucket-counts.ts";
import { textOf } from "../../src/runtime/json.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { OrderOutcome, Outbox, OutboxOrder } from "../ports/order.ts";
import type { Journal, Row } from "../ports/storage.ts";
import { receiptKey } from "../table/keys.ts";

/** The most orders on their way that are remembered: the oldest are forgotten, and their receipts contain less. */
const OPEN_MAX = 100_000;
/**
 * Receipts of open orders in memory: most orders end within seconds, and a read from the store costs more than the rest
 * of a receipt.
 */
const RECENT_MAX = 8_192;

/** A tick that is being handled. */
export interface HandledTick {
  readonly ownTimeMs: number | null;
  readonly arrivedAtMs: number;
  readonly arrivedSteadyMs: number;
  readonly isCaughtUp: boolean;
}

interface Open {
  readonly tick: StoredReceipt["tick"];
  readonly decidedAtMs: number;
  readonly arrivedSteadyMs: number;
  durableAtMs: number | null;
  durableSteadyMs: number;
  sentAtMs: number | null;
  attempts: number;
  /** The end that the brokerage reported before it answered. */
  end: OrderRecord | undefined;
}

/** A stored receipt and its row; only this module writes it. */
interface Kept {
  readonly receipt: StoredReceipt;
  readonly row: Row;
}

interface ReceiptsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** Called in a turn: facts about the sell of a row, which its group follows no more. */
  readonly onTold: (rowId: number, brokerageCode: string, step: ExecutionStep) => void;
}

export class Receipts {
  readonly #options: ReceiptsOptions;
  readonly #open = new Map<string, Open>();
  readonly #recent = new LruCache<string, Kept>(RECENT_MAX);
  readonly #toDurable = new BucketCounts(TIMING_BUCKETS_MS);
  readonly #toSent = new BucketCounts(TIMING_BUCKETS_MS);
  #tick: HandledTick | undefined;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** The durations of the steps of triggers since the process started. */
  get timings(): TriggerTimings {
    return { tickToDurable: this.#toDurable.read(), durableToSent: this.#toSent.read() };
  }

  /** Notes the arrival of a tick that reached a level. `ownTimeMs`: by its publisher; null or NaN if it gave none. */
  arrival(ownTimeMs: number | null, isCaughtUp: boolean): HandledTick {
    const { clock, steadyClock } = this.#options;
    const own = ownTimeMs === null || Number.isNaN(ownTimeMs) ? null : ownTimeMs;
    return { ownTimeMs: own, arrivedAtMs: clock.nowMs(), arrivedSteadyMs: steadyClock.nowMs(), isCaughtUp };
  }

  /** Wraps the outbox so that its orders are noted when they are submitted. */
  noting(outbox: Outbox): Outbox {
    return {
      submit: (order) => {
        this.decided(order);
        outbox.submit(order);
      },
      withdraw: (name, message) => outbox.withdraw(name, message),
      withdrawOf: (actorId, message) => outbox.withdrawOf(actorId, message),
      withdrawRefused: (refusalOf) => outbox.withdrawRefused(refusalOf),
    };
  }

  /** Runs `work`: its orders count as decided on this tick, except orders within a nested `during`. */
  during(tick: HandledTick, work: () => void): void {
    const around = this.#tick;
    this.#tick = tick;
    try {
      work();
    } finally {
      this.#tick = around;
    }
  }

  /** In the turn of the decision: notes an order that was given to the outbox. */
  decided({ clientOrderId, urgency }: OutboxOrder): void {
    if (urgency === "client") return;
    const { clock, steadyClock, journal } = this.#options;
    const tick = this.#tick;
    const open: Open = {
      tick:
        tick === undefined
          ? null
          : { ownTimeMs: tick.ownTimeMs, arrivedAtMs: tick.arrivedAtMs, isCaughtUp: tick.isCaughtUp },
      decidedAtMs: clock.nowMs(),
      arrivedSteadyMs: tick?.arrivedSteadyMs ?? steadyClock.nowMs(),
      durableAtMs: null,
      durableSteadyMs: 0,
      sentAtMs: null,
      attempts: 0,
      end: undefined,
    };
    if (this.#open.size >= OPEN_MAX) this.#open.delete(this.#open.keys().next().value ?? "");
    this.#open.set(clientOrderId, open);
    journal.afterDurable(() => {
      open.durableAtMs = clock.nowMs();
      open.durableSteadyMs = steadyClock.nowMs();
      this.#toDurable.add(open.durableSteadyMs - open.arrivedSteadyMs);
    });
  }

  /** Notes that an attempt of an order leaves. */
  sent(clientOrderId: string): void {
    const open = this.#open.get(clientOrderId);
    if (open === undefined) return;
    const { clock, steadyClock } = this.#options;
    if (open.attempts === 0 && open.durableAtMs !== null) this.#toSent.add(steadyClock.nowMs() - open.durableSteadyMs);
    open.attempts += 1;
    open.sentAtMs = clock.nowMs();
  }

  /** In the turn of the outcome: writes the receipt. Returns the order's end if its brokerage reported it before. */
  settled({ clientOrderId, quantity, brokerageCode }: OutboxOrder, outcome: OrderOutcome): OrderRecord | undefined {
    const open = this.#open.get(clientOrderId);
    this.#open.delete(clientOrderId);
    const placed = outcome.type === "placed" ? outcome : undefined;
    const end = open?.end;
    const endOfPlaced = end !== undefined && end.orderNo === placed?.orderNo ? end : undefined;
    const key = keyOf(clientOrderId);
    if (key === undefined) return endOfPlaced;
    const nowMs = this.#options.clock.nowMs();
    const receipt: StoredReceipt = {
      clientOrderId,
      quantity,
      tick: open?.tick ?? null,
      decidedAtMs: open?.decidedAtMs ?? null,
      durableAtMs: open?.durableAtMs ?? null,
      sentAtMs: open?.sentAtMs ?? null,
      attempts: open?.attempts ?? null,
      answeredAtMs: nowMs,
      orderNo: placed?.orderNo ?? null,
      orderStatus: placed?.orderStatus ?? null,
      refusal: outcome.type === "refused" ? outcome.message : null,
      filledQuantity: null,
      averagePrice: null,
      endedAtMs: null,
    };
    // An order has one outcome, and no other order has its name: the key is free.
    this.#recent.set(key, { receipt, row: this.#options.journal.insert(key, JSON.stringify(receipt)) });
    if (end !== undefined && placed === undefined) {
      this.hear(brokerageCode, end, { type: "orderUpdated", record: end, timeMs: nowMs });
    }
    return endOfPlaced;
  }

  /** In a turn: writes the facts that a group learnt about its sell. */
  note(execution: Execution): void {
    const key = keyOf(execution.clientOrderId);
    const known = key === undefined ? undefined : this.#read(key);
    if (key === undefined || known === undefined) return;
    this.#write(key, known, execution);
  }

  /**
   * In a turn: takes in a record of an order that no actor follows. A record that is published before the order's own
   * answer is kept until then.
   */
  hear(brokerageCode: string, record: OrderRecord, news: OrderUpdated): void {
    const open = this.#open.get(record.clientOrderId ?? "");
    if (open !== undefined) {
      if (isEnded(record)) open.end = record;
      return;
    }
    const key = keyOf(record.clientOrderId);
    const known = key === undefined ? undefined : this.#read(key);
    if (key === undefined || known === undefined) return;
    const before = executionOf(known.receipt, record, news.look ?? 0);
    const step = hear(before, news);
    this.#write(key, known, step.execution);
    const rowId = rowIdOfSell(record.clientOrderId ?? "");
    if (rowId !== undefined && step.facts.length > 0) this.#options.onTold(rowId, brokerageCode, step);
  }

  #write(key: string, { receipt: known, row }: Kept, execution: Execution): void {
    const { clientOrderId, symbol, end } = execution;
    const filledQuantity = filledQuantityOf(execution);
    const averagePrice = averagePriceOf(execution);
    if (
      filledQuantity === (known.filledQuantity ?? 0) &&
      averagePrice === known.averagePrice &&
      known.endedAtMs !== null
    ) {
      return;
    }
    const isOver = isQuiet(execution);
    const isFull = filledQuantity >= execution.quantity;
    const orderStatus = isOver
      ? isFull
        ? ORDER_COMPLETED
        : (end?.orderStatus ?? known.orderStatus)
      : known.orderStatus;
    const endedAtMs = known.endedAtMs ?? (isOver ? this.#options.clock.nowMs() : null);
    // A copy that is changed is far less expensive than an object made of several objects.
    const receipt: StoredReceipt = { ...known };
    receipt.orderStatus = orderStatus;
    receipt.endedAtMs = endedAtMs;
    if (isOver || filledQuantity > 0) {
      receipt.filledQuantity = filledQuantity;
      receipt.averagePrice = averagePrice;
    }
    this.#options.journal.replace(row, JSON.stringify(receipt));
    if (!isOver) {
      this.#recent.set(key, { receipt, row });
      return;
    }
    // Hardly ever asked for again: memory that many ended orders share would be copied at each collection.
    this.#recent.delete(key);
    const fields = { symbol, orderNo: orderNoOf(execution), clientOrderId, orderStatus, filledQuantity, averagePrice };
    this.#options.log.info(
      { event: "order.ended", ...fields },
      `sold ${filledQuantity} ${symbol} at ${averagePrice}, order ${clientOrderId}`,
    );
  }

  #read(key: string): Kept | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const { journal } = this.#options;
    const bytes = journal.read(key);
    if (bytes === undefined) return undefined;
    return { receipt: storedReceiptSchema.parse(JSON.parse(textOf(bytes))), row: journal.rowOf(key, bytes) };
  }
}

/** Makes the execution of an order that is no longer followed, as far as its receipt knows it. */
function executionOf(receipt: StoredReceipt, { symbol, orderNo }: OrderRecord, look: number): Execution {
  const { clientOrderId, quantity, filledQuantity, averagePrice, answeredAtMs } = receipt;
  const wish = { clientOrderId, symbol, buySell: SELL, quantity } as const;
  const terms = { limitPrice: null, needsPrice: false, createdDate: null };
  const { execution } = beginExecution({ ...wish, ...terms }, receipt.orderNo ?? orderNo, ORDER_OPEN, answeredAtMs);
  const isOver = receipt.endedAtMs !== null || receipt.refusal !== null;
  const known = { filledQuantity: filledQuantity ?? 0, averagePrice, isEnded: isOver };
  const orders = execution.orders.map((order) => ({ ...order, ...known }));
  return { ...execution, orders, phase: isOver ? "ended" : "open", lookCount: look };
}

/** Returns the key of the receipt of a group's sell; undefined for other orders. */
function keyOf(clientOrderId: string | null): string | undefined {
  const rowId = clientOrderId === null ? undefined : rowIdOfSell(clientOrderId);
  return rowId === undefined || clientOrderId === null ? undefined : receiptKey(rowId, clientOrderId);
}
