/**
 * Tells actors what a brokerage says of the orders that they follow.
 *
 * Owns: who hears a record, and when an order is asked about. Does not own: who follows what (the watchbook), asking (the
 * poll).
 */
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import { isUndone, lacksPrice } from "../../src/domain/order/order.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import { mayReclaim } from "../actor/reclaim.ts";
import type { OrderPoll } from "../order/order-poll.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Receipts } from "../receipt/receipts.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import type { PartitionInbox } from "./inbox.ts";

interface FollowersOptions {
  readonly watchbook: PartitionWatchbook;
  readonly host: ActorHost;
  readonly inbox: PartitionInbox;
  readonly receipts: Receipts;
  readonly clock: Clock;
  readonly askNow: OrderPoll["askNow"];
  readonly isCatchingUp: () => boolean;
}

export class Followers {
  readonly #options: FollowersOptions;
  /** What came while missed ticks are read back, for whom those come first. */
  readonly #waiting: { readonly owner: number; readonly record: OrderRecord }[] = [];

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /**
   * What a brokerage tells unasked. Where it names another account than the one that follows an order of that number,
   * it may mean the same one by its other name (behaviour 1.8): the order is asked for by the name that is known.
   */
  onUpdate(brokerageCode: string, record: OrderRecord): void {
    this.tell(brokerageCode, record);
    for (const order of this.#options.watchbook.numbered(brokerageCode, record.orderNo)) {
      if (order.accountNumber !== record.accountNumber || lacksPrice(record)) this.#options.askNow(order);
    }
  }

  /** Wakes who follows the order of this record, in turns of the inbox. */
  tell(brokerageCode: string, record: OrderRecord): void {
    const { watchbook, inbox, receipts, clock } = this.#options;
    if (receipts.isEnd(record)) inbox.enqueue(() => receipts.ended(record));
    const { accountNumber, orderNo } = record;
    const timeMs = clock.nowMs();
    for (const owner of watchbook.followersOf({ brokerageCode, accountNumber, orderNo })) {
      inbox.enqueue(() => this.#wake(owner, record, timeMs));
    }
  }

  /** To be called in a turn, once all that was missed has been given. */
  tellWaiting(): void {
    if (this.#options.isCatchingUp()) return;
    const timeMs = this.#options.clock.nowMs();
    for (const { owner, record } of this.#waiting.splice(0)) this.#wake(owner, record, timeMs);
  }

  #wake(owner: number, record: OrderRecord, timeMs: number): void {
    if (this.#waitsForTicks(owner)) {
      this.#waiting.push({ owner, record });
      return;
    }
    const { host } = this.#options;
    const isFree = isUndone(record) && mayReclaim(host, owner);
    host.wake(owner, { type: "orderUpdated", record, timeMs, mayReclaim: isFree });
  }

  /** A level bot takes missed ticks for older than a fill that it was told; a setup may end a group that they reach. */
  #waitsForTicks(owner: number): boolean {
    const { host, isCatchingUp } = this.#options;
    return isCatchingUp() && (host.find("levelBot", owner) ?? host.find("setup", owner)) !== undefined;
  }

  /** A market order is often filled, and told, before its number was known here: nobody followed it then. */
  askAgain({ userId, brokerageCode, accountNumber }: OutboxOrder, orderNo: string): void {
    const order = { userId, brokerageCode, accountNumber, orderNo };
    if (this.#options.watchbook.followersOf(order).length > 0) this.#options.askNow(order);
  }
}
