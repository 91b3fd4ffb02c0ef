/**
 * Looks followed orders up, so that an update that was lost, or that was sent while the engine was down, is caught up
 * (behaviour 5.5).
 *
 * Owns: when each order is asked for. Does not own: the followers of an order, what its state means.
 *
 * Invariants:
 * 1. Rounds: every followed order is asked for once per round. The first round begins at the start, the next ones at
 *    least `ROUND_MS` apart. A newly followed order can also be asked for immediately; if the brokerage cannot be
 *    reached then, at every poll until the next round.
 * 2. At most `UNDER_WAY_MAX` look-ups of a brokerage are under way, and a poll visits no more orders than it asks for:
 *    however many are followed, the loop is not blocked.
 * 3. Brokerages are asked independently: a brokerage that hangs delays no answers of others.
 * 4. An order is asked for by its name, or by its number if it has no name. A record is returned under the account that
 *    was asked with: a brokerage may write the account's other name (behaviour 1.8).
 * 5. Rounds leave out orders whose end is known, except for the first round (behaviour 13.5). No round asks for a
 *    settled order of a client.
 */
import type { BrokerReply, OrderRecord } from "../../src/contract/trading/order.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Brokerage, Brokerages } from "../ports/brokerage.ts";
import { adapterAnswer } from "./adapter-answer.ts";

const ROUND_MS = 30_000;
const UNDER_WAY_MAX = 64;
/** The most failed look-ups that a poll repeats: the brokerage's allowance is needed for orders. */
const AGAIN_MAX = 4;

interface OrderPollOptions {
  /**
   * Iterates over the followed orders of a brokerage that need an answer, as they are during the walk. `withEnded`:
   * also over orders whose end is known and not settled. The walk must cost no more than the number of these orders.
   */
  readonly asking: (brokerageCode: string, withEnded: boolean) => Iterator<FollowedOrder>;
  readonly brokerages: Brokerages;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** `look`: the number of a requested look-up; null for a look-up of a round. */
  readonly onAnswer: (order: FollowedOrder, look: number | null, answer: LookUpAnswer) => void;
}

/** The result of a look-up. A look-up that could not be answered now has no result and is repeated. */
export type LookUpAnswer =
  | { readonly type: "record"; readonly record: OrderRecord }
  | { readonly type: "notFound" | "unknown" | "cannotLookUp" };

/** An order to be asked for. */
interface Question {
  readonly order: FollowedOrder;
  readonly look: number | null;
}

/** The progress of the look-ups at one brokerage. */
interface Asking {
  /** Orders to be asked for immediately that wait for room, each once. */
  readonly next: Map<string, Question>;
  /** Orders to be asked for immediately when the brokerage could not be reached, until the next round. */
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

  /** Continues the rounds. Called every second or two. */
  poll(): void {
    for (const brokerage of this.#options.brokerages.all()) this.#goOn(brokerage);
  }

  /**
   * Asks for an order out of its turn: it is reported to have changed, or it is newly followed. A market order may have
   * been filled before it was followed.
   */
  askNow(order: FollowedOrder, look: number | null = null): void {
    const brokerage = this.#options.brokerages.find(order.brokerageCode);
    if (brokerage === undefined) return;
    const asking = this.#askingOf(order.brokerageCode);
    const question = { order, look };
    if (asking.underWay < UNDER_WAY_MAX) void this.#askOutOfTurn(brokerage, asking, question);
    else wait(asking.next, question);
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
    if (isAway && brokerage.session?.().canLookUp !== false) wait(asking.again, question);
  }

  async #ask(brokerage: Brokerage, asking: Asking, question: Question): Promise<BrokerReply<OrderRecord>> {
    const { userId, accountNumber, orderNo, clientOrderId, createdDate } = question.order;
    asking.underWay += 1;
    const named = clientOrderId ? { clientOrderId } : { orderNo, ...(createdDate !== undefined && { createdDate }) };
    const request = { userId, accountNumber, ...named };
    const fields = { brokerageCode: brokerage.settings.code };
    // It never rejects: the question would keep its place among the pending ones.
    const answer = await adapterAnswer(() => brokerage.findOrder(request), this.#options.log, fields);
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

/** Adds a question to the waiting questions. A question without a number does not replace a numbered question. */
function wait(waiting: Map<string, Question>, question: Question): void {
  const key = keyOf(question.order);
  const known = waiting.get(key);
  waiting.set(key, question.look === null && known !== undefined ? known : question);
}

function keyOf({ orderNo, accountNumber }: FollowedOrder): string {
  return `${orderNo}/${accountNumber}`;
}
