/**
 * Looks followed orders up, so that an update that was lost on the way, or came while the engine was down, is caught up
 * (behaviour 5.5).
 *
 * Owns: when which order is asked for. Does not own: who follows it, what its state means.
 *
 * Invariants:
 * 1. Rounds: every order that is followed is asked for once a round, the first one at the start, the next ones at least
 *    `ROUND_MS` apart. An order that is newly followed may also be asked for at once; where the brokerage cannot be
 *    reached then, at every poll until the next round.
 * 2. Never more than `UNDER_WAY_MAX` of a brokerage are asked for at once, and a poll looks at no more orders than it
 *    asks for: however many are followed, the loop is not held up.
 * 3. Brokerages are asked independently: one that hangs delays no other's answers.
 * 4. An order is asked for by its name; by its number if it has no name. A record comes back under the account that was
 *    asked with: a brokerage may write the account's other name (behaviour 1.8).
 * 5. Rounds leave out orders whose end is known, except for the first round (behaviour 13.5). No round asks for a settled
 *    order of a client.
 */
import type { BrokerReply, OrderRecord } from "../../src/contract/trading/order.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Brokerage, Brokerages } from "../ports/brokerage.ts";

const ROUND_MS = 30_000;
const UNDER_WAY_MAX = 64;
/** Of those that could not be asked for, so many a poll: what a brokerage allows is there for orders. */
const AGAIN_MAX = 4;

interface OrderPollOptions {
  /**
   * The followed orders of a brokerage of which an answer is needed; those that come or go meanwhile are counted as they
   * come. `withEnded`: also orders whose end is known and not settled. A walk over them must cost no more than they are.
   */
  readonly asking: (brokerageCode: string, withEnded: boolean) => Iterator<FollowedOrder>;
  readonly brokerages: Brokerages;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** `look`: the number of the look-up that was asked for; null for one of a round. */
  readonly onAnswer: (order: FollowedOrder, look: number | null, answer: LookUpAnswer) => void;
}

/** What a look-up found. One that could not be answered now is asked again and no answer. */
export type LookUpAnswer =
  | { readonly type: "record"; readonly record: OrderRecord }
  | { readonly type: "notFound" | "unknown" | "cannotLookUp" };

/** An order to be asked for. */
interface Question {
  readonly order: FollowedOrder;
  readonly look: number | null;
}

/** How far the asking of one brokerage is. */
interface Asking {
  /** Those to be asked for at once for which there was no room yet, each once. */
  readonly next: Map<string, Question>;
  /** Those that were to be asked for at once when the brokerage could not be reached, until the next round. */
  readonly again: Map<string, Question>;
  round: Iterator<FollowedOrder> | undefined;
  roundStartedMs: number;
  underWay: number;
}

export class OrderPoll {
  readonly #options: OrderPollOptions;
  readonly #askings = new Map<string, Asking>();

  constructor(options: OrderPollOptions) {
    this.#options = options;
  }

  /** Goes on with the rounds. Called every second or two. */
  poll(): void {
    for (const brokerage of this.#options.brokerages.all()) this.#goOn(brokerage);
  }

  /**
   * Asks for an order out of its turn: it is newly followed, and a market order may have been filled before anybody
   * followed it, or it is said to have changed.
   */
  askNow(order: FollowedOrder, look: number | null = null): void {
    const brokerage = this.#options.brokerages.find(order.brokerageCode);
    if (brokerage === undefined) return;
    const asking = this.#askingOf(order.brokerageCode);
    const question = { order, look };
    if (asking.underWay < UNDER_WAY_MAX) void this.#askOutOfTurn(brokerage, asking, question);
    else asking.next.set(keyOf(order), question);
  }

  #goOn(brokerage: Brokerage): void {
    const { code } = brokerage.settings;
    const asking = this.#askingOf(code);
    const nowMs = this.#options.steadyClock.nowMs();
    if (asking.round === undefined && nowMs - asking.roundStartedMs >= ROUND_MS) {
      asking.round = this.#options.asking(code, asking.roundStartedMs === Number.NEGATIVE_INFINITY);
      asking.roundStartedMs = nowMs;
      asking.again.clear();
    }
    for (const [key, { order, look }] of [...asking.again].slice(0, AGAIN_MAX)) {
      asking.again.delete(key);
      this.askNow(order, look);
    }
    while (asking.round !== undefined && asking.underWay < UNDER_WAY_MAX) {
      const next = asking.round.next();
      if (next.done === true) asking.round = undefined;
      else void this.#ask(brokerage, asking, { order: next.value, look: null });
    }
  }

  async #askOutOfTurn(brokerage: Brokerage, asking: Asking, question: Question): Promise<void> {
    const answer = await this.#ask(brokerage, asking, question);
    const isAway = !answer.ok && (answer.code === "UNAVAILABLE" || answer.code === "NOT_SENT");
    if (isAway && brokerage.session?.().canLookUp !== false) asking.again.set(keyOf(question.order), question);
  }

  async #ask(brokerage: Brokerage, asking: Asking, question: Question): Promise<BrokerReply<OrderRecord>> {
    const { userId, accountNumber, orderNo, clientOrderId, createdDate } = question.order;
    asking.underWay += 1;
    const named = clientOrderId ? { clientOrderId } : { orderNo, ...(createdDate !== undefined && { createdDate }) };
    const answer = await brokerage.findOrder({ userId, accountNumber, ...named });
    asking.underWay -= 1;
    this.#tell(brokerage, question, answer);
    for (const [key, next] of asking.next) {
      asking.next.delete(key);
      void this.#askOutOfTurn(brokerage, asking, next);
      break;
    }
    return answer;
  }

  #tell(brokerage: Brokerage, { order, look }: Question, answer: BrokerReply<OrderRecord>): void {
    const { log, onAnswer } = this.#options;
    const { brokerageCode, accountNumber, orderNo, clientOrderId } = order;
    if (answer.ok) {
      onAnswer(order, look, { type: "record", record: { ...answer.data, accountNumber } });
      return;
    }
    const { code } = answer;
    if (brokerage.session?.().canLookUp === false) onAnswer(order, look, { type: "cannotLookUp" });
    else if (code === "NOT_FOUND" || code === "UNKNOWN") {
      log.warn(
        { event: "order.notFound", brokerageCode, orderNo, clientOrderId, code },
        "the brokerage does not know a followed order",
      );
      onAnswer(order, look, { type: code === "UNKNOWN" ? "unknown" : "notFound" });
    } else
      log.debug(
        { event: "order.lookUpFailed", brokerageCode, orderNo, code },
        "a look-up of a followed order was not answered",
      );
  }

  #askingOf(brokerageCode: string): Asking {
    const known = this.#askings.get(brokerageCode);
    if (known !== undefined) return known;
    const asking: Asking = {
      next: new Map(),
      again: new Map(),
      round: undefined,
      roundStartedMs: Number.NEGATIVE_INFINITY,
      underWay: 0,
    };
    this.#askings.set(brokerageCode, asking);
    return asking;
  }
}

function keyOf({ orderNo, accountNumber }: FollowedOrder): string {
  return `${orderNo}/${accountNumber}`;
}
