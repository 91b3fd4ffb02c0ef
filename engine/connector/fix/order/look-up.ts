/**
 * Questions about orders (35=H) and what their answers prove.
 *
 * Owns: which question an answer "unknown" belongs to, and whether it is proof. Does not own: the use of the proof.
 *
 * Invariants:
 * 1. "Unknown" proves that the order does not exist only if every attempt to send it, and then the question, went in
 *    one life of the numbers. The broker reads in order: it received the order before the question, or never will.
 * 2. An answer that does not name its question counts for the oldest open one: at worst a proof is missed.
 */

import { PendingReplies } from "../../host/pending-replies.ts";
import type { FixMessage } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import { type ConnectorContext, subjectOf } from "./context.ts";
import { statusRequest } from "./message.ts";
import type { KnownOrder } from "./order.ts";

/**
 * `known`: the broker's news is among the sent orders. `absent`: proof that the broker does not have it. `unknowable`:
 * it knows no such order, which proves nothing. `notTaken`: it does not accept such questions. `noAnswer`: it can be
 * asked again.
 */
export type LookUpAnswer = "known" | "absent" | "unknowable" | "notTaken" | "noAnswer";

interface Question {
  readonly name: string;
  readonly life: number;
  readonly number: number;
}

export class LookUps {
  readonly #context: ConnectorContext;
  readonly #waiting: PendingReplies<LookUpAnswer>;
  readonly #questions = new Map<string, Question[]>();
  readonly #byNumber = new Map<number, string>();

  constructor(context: ConnectorContext) {
    this.#context = context;
    this.#waiting = new PendingReplies(context.timers);
  }

  /** Asks the broker about an order that was sent. */
  async ask(order: KnownOrder): Promise<LookUpAnswer> {
    const { settings, session, newName } = this.#context;
    const subject = subjectOf(settings, order);
    if (settings.lookUp === "none" || subject === undefined) return "notTaken";
    const name = newName("Q");
    const place = session.send(MsgType.OrderStatusRequest, statusRequest(subject, order, name), () => undefined);
    if (place === undefined) return "noAnswer";
    const { clientOrderId } = order;
    const open = this.#questions.get(clientOrderId) ?? [];
    this.#questions.set(clientOrderId, [...open.filter(({ life }) => life === place.life), { name, ...place }]);
    this.#byNumber.set(place.number, clientOrderId);
    return this.#waiting.waitFor(clientOrderId, settings.answerTimeoutMs, "noAnswer");
  }

  /** Settles the questions about an order once the broker sent news of it. */
  known(clientOrderId: string): void {
    this.#questions.delete(clientOrderId);
    this.#waiting.settle(clientOrderId, "known");
  }

  /** Notes that the broker does not know the order, for certain or not. Returns false if no question was open. */
  unknown(order: KnownOrder, message: FixMessage, isCertain: boolean): boolean {
    const open = this.#questions.get(order.clientOrderId) ?? [];
    const name = message.get(Tag.OrdStatusReqID);
    const named = open.findIndex((question) => question.name === name);
    const question = open[Math.max(0, named)];
    if (question === undefined) return false;
    this.#questions.set(
      order.clientOrderId,
      open.filter((other) => other.number > question.number),
    );
    const isOfLast = order.isOneLife && order.life === question.life && question.number > order.number;
    // An answer to a question from before the last attempt proves nothing; the answer to the later question still
    // comes.
    if (!isOfLast && question.life === order.life && order.isOneLife) return true;
    this.#waiting.settle(order.clientOrderId, isOfLast && isCertain ? "absent" : "unknowable");
    return true;
  }

  /**
   * Returns the order that a rejected question (35=3, 35=j) was about. Undefined: the number belongs to no question.
   */
  askedBy(number: number): string | undefined {
    return this.#byNumber.get(number);
  }

  /** Notes a question that the broker does not accept: it will not accept the next one either. */
  refused(clientOrderId: string): void {
    this.#questions.delete(clientOrderId);
    this.#waiting.settle(clientOrderId, "notTaken");
  }

  /**
   * Notes a question that the broker did not accept now. It can accept the next one, and a question in progress is
   * waited for.
   */
  unanswered(clientOrderId: string, number: number): void {
    const open = this.#questions.get(clientOrderId) ?? [];
    const others = open.filter((question) => question.number !== number);
    this.#questions.set(clientOrderId, others);
    if (!others.some((question) => question.number > number)) this.#waiting.settle(clientOrderId, "noAnswer");
  }

  /** Forgets the numbers after a reset: they name other messages now. */
  forgetNumbers(): void {
    this.#byNumber.clear();
    this.#questions.clear();
  }
}
