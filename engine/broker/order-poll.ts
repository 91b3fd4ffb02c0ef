/**
 * Looks followed orders up, so that an update that was lost on the way, or came while the engine was down, is caught up
 * (decisions 5.5).
 *
 * Owns: when which order is asked for. Does not own: who follows it, what its state means.
 *
 * Invariant: an order is asked for soon after it was first followed, at every start, and every `AGAIN_MS` after that;
 * never more than `UNDER_WAY_MAX` at once.
 */
import type { OrderRecord } from "../../src/contract/order.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { Brokerages, Clock, Log } from "../ports.ts";

const AGAIN_MS = 30_000;
const UNDER_WAY_MAX = 64;

export interface OrderPollOptions {
  readonly followed: () => readonly FollowedOrder[];
  readonly brokerages: Brokerages;
  readonly steadyClock: Clock;
  readonly log: Log;
  readonly onRecord: (brokerageCode: string, record: OrderRecord) => void;
}

export class OrderPoll {
  readonly #options: OrderPollOptions;
  #askedAtMs = new Map<string, number>();
  #underWay = 0;

  constructor(options: OrderPollOptions) {
    this.#options = options;
  }

  /** Asks for what is due. Called every second or two. */
  poll(): void {
    const nowMs = this.#options.steadyClock.nowMs();
    const still = new Map<string, number>();
    for (const order of this.#options.followed()) {
      const key = keyOf(order);
      const askedAtMs = this.#askedAtMs.get(key);
      if (askedAtMs !== undefined && nowMs - askedAtMs < AGAIN_MS) still.set(key, askedAtMs);
      else if (this.#underWay < UNDER_WAY_MAX) {
        still.set(key, nowMs);
        void this.#ask(order);
      }
    }
    this.#askedAtMs = still;
  }

  /** Asks for an order that is newly followed: a market order may have been filled before anybody followed it. */
  askNow(order: FollowedOrder): void {
    // Where too many are under way it is the next poll's: it was not asked for yet.
    if (this.#underWay >= UNDER_WAY_MAX) return;
    this.#askedAtMs.set(keyOf(order), this.#options.steadyClock.nowMs());
    void this.#ask(order);
  }

  async #ask({ userId, brokerageCode, accountNumber, orderNo }: FollowedOrder): Promise<void> {
    const brokerage = this.#options.brokerages.find(brokerageCode);
    if (brokerage === undefined) return;
    this.#underWay += 1;
    const answer = await brokerage.findOrder({ userId, accountNumber, orderNo });
    this.#underWay -= 1;
    if (answer.ok) this.#options.onRecord(brokerageCode, answer.data);
    else this.#options.log.debug({ brokerageCode, orderNo, code: answer.code }, "a followed order was not found out");
  }
}

function keyOf({ brokerageCode, accountNumber, orderNo }: FollowedOrder): string {
  return JSON.stringify([brokerageCode, accountNumber, orderNo]);
}
