/**
 * Delivers news of orders to the actors that follow them, and to the receipts of orders without a follower.
 *
 * Owns: the recipients of a record, and when an order is looked up out of turn. Does not own: which actor follows which
 * order (the watchbook), the look-ups (the poll), the meaning of a record (`src/domain/order/execution.ts`).
 */
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import { ORDER_COMPLETED } from "../../src/domain/order/order.ts";
import type { OrderNews } from "../../src/domain/order/order-news.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { WakeEvent } from "../../src/machine/wake-event.ts";
import { Gathering } from "../../src/runtime/gathering.ts";
import type { Clock, Timers } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import { mayReclaim } from "../actor/reclaim.ts";
import type { LookUpAnswer, OrderPoll } from "../order/order-poll.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { OrderOutcome, OutboxOrder } from "../ports/order.ts";
import type { Symbols } from "../ports/price.ts";
import type { Receipts } from "../receipt/receipts.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import type { PartitionInbox } from "./inbox.ts";

/** Orders that are taken this soon after a look-up are looked up together: under load each costs far less work. */
const TOGETHER_MS = 10;

interface FollowersOptions {
  readonly watchbook: PartitionWatchbook;
  readonly host: ActorHost;
  readonly inbox: PartitionInbox;
  /** Each takes in records of orders that no actor follows. */
  readonly hearers: readonly Pick<Receipts, "hear">[];
  readonly symbols: Pick<Symbols, "presentName">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly askNow: OrderPoll["askNow"];
  readonly feed: Pick<PartitionFeed, "isCatchingUp">;
}

type PlacedOutcome = Extract<OrderOutcome, { type: "placed" }>;

interface Waiting {
  readonly owner: number;
  readonly news: OrderNews;
}

export class Followers {
  readonly #options: FollowersOptions;
  /** News that arrived while missed ticks are read back, for actors that take those ticks first. */
  readonly #waiting: Waiting[] = [];
  readonly #placed: Gathering<FollowedOrder>;

  constructor(options: FollowersOptions) {
    const { timers, askNow } = options;
    this.#options = options;
    this.#placed = new Gathering({ timers, pauseMs: TOGETHER_MS, handle: (orders) => orders.forEach(askNow) });
  }

  /**
   * Takes in a record that a brokerage published. It may name the account by its other name (behaviour 1.8): the order
   * is then looked up by the known name.
   */
  onUpdate(brokerageCode: string, record: OrderRecord): void {
    this.tell(brokerageCode, record);
    for (const order of this.#options.watchbook.numbered(brokerageCode, record.orderNo)) {
      if (order.accountNumber !== record.accountNumber) this.#options.askNow(order);
    }
  }

  /** Takes in the answer to a look-up of an order that is followed, or that has a receipt. */
  onAnswer(order: FollowedOrder, look: number | null, answer: LookUpAnswer): void {
    if (answer.type === "record") {
      this.tell(order.brokerageCode, answer.record, look);
      return;
    }
    const { watchbook, clock } = this.#options;
    const { orderNo } = order;
    const news: OrderNews = { type: "orderMissing", orderNo, answer: answer.type, timeMs: clock.nowMs() };
    for (const owner of watchbook.followersOf(order)) this.#enqueue(owner, news);
  }

  /** Wakes the followers of a record's order, in turns of the inbox. `look`: as in the news. */
  tell(brokerageCode: string, record: OrderRecord, look?: number | null): void {
    const { watchbook, inbox, hearers, clock } = this.#options;
    const timeMs = clock.nowMs();
    const type = "orderUpdated";
    const news: OrderNews = look === undefined ? { type, record, timeMs } : { type, record, timeMs, look };
    const { accountNumber, orderNo, clientOrderId, replaces } = record;
    const owners = watchbook.followersOf({ brokerageCode, accountNumber, orderNo, clientOrderId, replaces });
    if (owners.length === 0) {
      inbox.enqueue(() => {
        for (const hearer of hearers) hearer.hear(brokerageCode, record, news);
      });
    }
    for (const owner of owners) this.#enqueue(owner, news);
  }

  /** Delivers the waiting news. Called in a turn, once all missed ticks were delivered. */
  tellWaiting(): void {
    if (this.#options.feed.isCatchingUp()) return;
    const timeMs = this.#options.clock.nowMs();
    for (const { owner, news } of this.#waiting.splice(0)) this.#wake(owner, { ...news, timeMs });
  }

  /** In a turn: delivers a person's decision about an order. */
  decided(owner: number, news: OrderNews): void {
    this.#wake(owner, news);
  }

  #enqueue(owner: number, news: OrderNews): void {
    this.#options.inbox.enqueue(() => this.#wake(owner, news));
  }

  #wake(owner: number, news: OrderNews): void {
    if (this.#waitsForTicks(owner)) {
      this.#waiting.push({ owner, news });
      return;
    }
    const { host } = this.#options;
    // Only an answer, or a person's decision, makes an end sure, and only then a group can reclaim; a setup always can.
    const isSure = news.type !== "orderUpdated" || typeof news.look === "number";
    const isSetup = host.find("setup", owner) !== undefined;
    host.wake(owner, { mayReclaim: (isSure || isSetup) && mayReclaim(host, owner), ...news });
  }

  /** A level bot takes missed ticks as older than a fill that it knows; a setup may end a group that they reach. */
  #waitsForTicks(owner: number): boolean {
    const { host, feed } = this.#options;
    return feed.isCatchingUp() && (host.find("levelBot", owner) ?? host.find("setup", owner)) !== undefined;
  }

  /**
   * Delivers the answer to an order to the actor that asked for it; returns false without such an actor. A market
   * order is often filled, and reported, before its number is known here. `end`: such a report, which had no follower.
   */
  placed(owner: number, event: WakeEvent, order: OutboxOrder, outcome: PlacedOutcome, end?: OrderRecord): boolean {
    const { host, clock } = this.#options;
    const record = this.#reportOf(order, outcome, end);
    // A group takes both in one change. Others may first have to take missed ticks.
    if (record === undefined || host.isQuarantined(owner) || host.find("group", owner) === undefined) {
      const isHeard = host.wake(owner, event);
      if (isHeard) this.#findOut(order, outcome, record);
      return isHeard;
    }
    // Such a report makes no end sure, as no look-up asked for it.
    const report: WakeEvent = { type: "orderUpdated", record, timeMs: clock.nowMs(), mayReclaim: false };
    const isHeard = host.wake(owner, event, report);
    // A group that failed at it holds both until its release: its receipt and the limits do not wait for that.
    if (isHeard && host.isQuarantined(owner)) this.tell(order.brokerageCode, record);
    return isHeard;
  }

  /** Finds out the outcome of a client's order that was just placed. `end`: as in `placed`. */
  taken(order: OutboxOrder, outcome: PlacedOutcome, end?: OrderRecord): void {
    this.#findOut(order, outcome, this.#reportOf(order, outcome, end));
  }

  /** Without a report of its fill, an order is looked up. */
  #findOut(order: OutboxOrder, { orderNo }: PlacedOutcome, record: OrderRecord | undefined): void {
    const { brokerageCode, accountNumber, clientOrderId, userId } = order;
    if (record !== undefined) {
      this.tell(brokerageCode, record);
      return;
    }
    const followed = { userId, brokerageCode, accountNumber, orderNo, clientOrderId };
    if (this.#options.watchbook.followersOf(followed).length > 0) this.#placed.add(followed);
  }

  /** What is known of an order with its answer: its end that was reported before, or the fill that the answer names. */
  #reportOf(order: OutboxOrder, { orderNo, fill }: PlacedOutcome, end?: OrderRecord): OrderRecord | undefined {
    const { accountNumber } = order;
    if (end !== undefined) return { ...end, accountNumber };
    if (fill === undefined) return undefined;
    const { clientOrderId, symbol, buySell, orderType, quantity, price } = order;
    const { clock, symbols } = this.#options;
    return {
      orderNo,
      clientOrderId,
      accountNumber,
      symbol: symbols.presentName(symbol),
      buySell,
      orderType,
      quantity,
      price,
      orderStatus: ORDER_COMPLETED,
      filledQuantity: fill.quantity,
      averagePrice: fill.price,
      createdDate: formatTime(clock.nowMs()),
      updatedDate: null,
    };
  }

  /** Asks for nothing more. The next start asks for every followed order. */
  stop(): void {
    this.#placed.stop();
  }
}
