/**
 * Looks followed orders up, so that an update that was lost on the way, or came while the engine was down, is caught up
 * (decisions 5.5).
 *
 * Owns: when which order is asked for. Does not own: who follows it, what its state means.
 *
 * Invariants:
 * 1. Rounds: every order that is followed is asked for once a round, the first one at the start, the next ones at least
 *    `ROUND_MS` apart. An order that is newly followed may also be asked for at once.
 * 2. Never more than `UNDER_WAY_MAX` are asked for at once, and a poll looks at no more orders than it asks for: however
 *    many are followed, the loop is not held up.
 */
import type { OrderRecord } from "../../src/contract/order.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { Brokerages, Clock, Log } from "../ports.ts";

const ROUND_MS = 30_000;
const UNDER_WAY_MAX = 64;

export interface OrderPollOptions {
  /** Every followed order; those that are followed or no longer followed meanwhile are counted as they come. */
  readonly followed: () => Iterator<FollowedOrder>;
  readonly brokerages: Brokerages;
  readonly steadyClock: Clock;
  readonly log: Log;
  readonly onRecord: (brokerageCode: string, record: OrderRecord) => void;
}

export class OrderPoll {
  readonly #options: OrderPollOptions;
  /** Newly followed ones for which there was no room yet. */
  readonly #new: FollowedOrder[] = [];
  #round: Iterator<FollowedOrder> | undefined;
  #roundStartedMs = Number.NEGATIVE_INFINITY;
  #underWay = 0;

  constructor(options: OrderPollOptions) {
    this.#options = options;
  }

  /** Goes on with the round. Called every second or two. */
  poll(): void {
    const nowMs = this.#options.steadyClock.nowMs();
    if (this.#round === undefined && nowMs - this.#roundStartedMs >= ROUND_MS) {
      this.#round = this.#options.followed();
      this.#roundStartedMs = nowMs;
    }
    while (this.#round !== undefined && this.#underWay < UNDER_WAY_MAX) {
      const next = this.#round.next();
      if (next.done === true) this.#round = undefined;
      else void this.#ask(next.value);
    }
  }

  /** Asks for an order that is newly followed: a market order may have been filled before anybody followed it. */
  askNow(order: FollowedOrder): void {
    if (this.#underWay < UNDER_WAY_MAX) void this.#ask(order);
    else this.#new.push(order);
  }

  async #ask({ userId, brokerageCode, accountNumber, orderNo }: FollowedOrder): Promise<void> {
    const brokerage = this.#options.brokerages.find(brokerageCode);
    if (brokerage === undefined) return;
    this.#underWay += 1;
    const answer = await brokerage.findOrder({ userId, accountNumber, orderNo });
    this.#underWay -= 1;
    if (answer.ok) this.#options.onRecord(brokerageCode, answer.data);
    else this.#options.log.debug({ brokerageCode, orderNo, code: answer.code }, "a followed order was not found out");
    const next = this.#new.shift();
    if (next !== undefined) void this.#ask(next);
  }
}
