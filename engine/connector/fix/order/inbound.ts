/**
 * Reads the broker's messages, by kind.
 *
 * Owns: which order a message is about, and which call waits for it. Does not own: how a report changes an order
 * (`order.ts`).
 *
 * Invariants:
 * 1. A message that makes no sense changes no order: it is logged, and the session continues.
 * 2. "Duplicate order" (OrdRejReason 6) is not a refusal: the order is asked for. The broker knows the name from
 *    another attempt than ours. From then on, an answer that it does not know the order proves nothing.
 */

import type { PendingReplies } from "../../host/pending-replies.ts";
import { showMasked } from "../wire/mask.ts";
import { type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import type { ConnectorContext } from "./context.ts";
import { isRejectedAsClosed } from "./ended-by.ts";
import type { LookUps } from "./look-up.ts";
import { applyReport, type KnownOrder, wireNameOf } from "./order.ts";
import { DUPLICATE_ORDER, type Report, readReport, saysUnknownOrder } from "./report.ts";

/** Why a waiting call ends. */
export type Word =
  | { readonly kind: "changed" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "notSent"; readonly text: string }
  | { readonly kind: "cancelRefused"; readonly text: string }
  | { readonly kind: "late" };

/** BusinessRejectReason: the application is not available now, or was sent too much in a short time. */
const NOT_NOW: ReadonlySet<number | undefined> = new Set([4, 8, 9]);
/** BusinessRejectReason: unknown id. */
const UNKNOWN_ID = 1;
/** BusinessRejectReason: a kind of message that is not supported, or that we cannot send. */
const NEVER_TAKEN: ReadonlySet<number | undefined> = new Set([3, 6]);

interface InboundOptions {
  readonly context: ConnectorContext;
  readonly lookUps: LookUps;
  /** Calls that wait, by the order's name, or by the name of the request to cancel. */
  readonly waiting: PendingReplies<Word>;
  readonly onPositions: (message: FixMessage) => void;
}

export class Inbound {
  readonly #options: InboundOptions;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  read(message: FixMessage): void {
    switch (message.type) {
      case MsgType.ExecutionReport:
        this.#readReport(message);
        break;
      case MsgType.OrderCancelReject:
        this.#readCancelReject(message);
        break;
      case MsgType.Reject:
      case MsgType.BusinessReject:
        this.#readReject(message);
        break;
      case MsgType.PositionReport:
      case MsgType.RequestForPositionsAck:
        this.#options.onPositions(message);
        break;
      default:
        this.#options.context.log.info(
          { event: "fix.messageIgnored", type: readText(message.type, 4) },
          "a message of no interest",
        );
    }
  }

  #readReport(message: FixMessage): void {
    const { context, lookUps, waiting } = this.#options;
    const { sentOrders, log, clock, session } = context;
    const report = readReport(message);
    if (typeof report === "string")
      return void log.error({ event: "fix.reportUnreadable", why: report, ...shown(message) }, "an unreadable report");
    const order = sentOrders.find([report.originalClientOrderId, report.clientOrderId], report.orderId);
    if (order === undefined)
      return void log.error(
        { event: "fix.reportForeign", ...shown(message) },
        "a report about an order that is not ours",
      );
    this.#keepNewName(order, report.clientOrderId);
    const unknown = saysUnknownOrder(report);
    if (unknown !== "no") {
      if (!lookUps.unknown(order, message, unknown === "yes"))
        log.warn({ event: "fix.answerUnasked", ...shown(message) }, "an answer that was not asked for");
    } else if (report.rejectReason === DUPLICATE_ORDER && report.status === "8") {
      if (order.standing === "leaving") sentOrders.keep({ ...order, isOneLife: false });
      waiting.settle(order.clientOrderId, { kind: "duplicate" });
    } else if (this.#isOfEarlierAttempt(order, report)) {
      log.warn({ event: "fix.answerUnasked", ...shown(message) }, "an answer that was not asked for");
    } else if (order.standing === "leaving" && order.isOneLife && isRejectedAsClosed(report)) {
      // Its key does not count: a broker that does not number its rejections gives the next one the same key.
      const { text } = report;
      sentOrders.keep({ ...order, standing: "notNow", text, life: session.life, updatedMs: clock.nowMs() });
      lookUps.known(order.clientOrderId);
      waiting.settle(order.clientOrderId, { kind: "changed" });
    } else this.#apply(order, message, report);
  }

  /**
   * Whether this repeats the rejection of an attempt made while the exchange was closed: it is not about the attempt
   * after it.
   */
  #isOfEarlierAttempt(order: KnownOrder, report: Report): boolean {
    if (report.status !== "8" || report.filledQuantity > 0) return false;
    return (
      order.standing === "notNow" || this.#options.context.sentOrders.isEarlierAttemptOf(report.clientOrderId, order)
    );
  }

  /** Stores the new name of an order that the broker's desk replaced. */
  #keepNewName(order: KnownOrder, name: string | undefined): void {
    const { sentOrders } = this.#options.context;
    if (name === undefined || sentOrders.find([name], undefined) !== undefined) return;
    sentOrders.keepName(name, order.clientOrderId, "broker");
  }

  #apply(order: KnownOrder, message: FixMessage, report: Report): void {
    const { context, lookUps, waiting } = this.#options;
    const { sentOrders, clock, log, session } = context;
    const seen = sentOrders.keysOf(order.clientOrderId);
    const isOurCancel = sentOrders.isCancelOf(report.clientOrderId, order.clientOrderId);
    const changed = applyReport(order, report, seen, clock.nowMs(), isOurCancel);
    const isNews = report.key !== undefined && !seen.has(report.key);
    if (changed !== order || isNews || order.life !== session.life)
      sentOrders.keep({ ...changed, life: session.life }, report.key);
    const wasRefused = changed.standing === "refused" || order.standing === "notNow";
    if (wasRefused && report.filledQuantity > 0)
      log.error({ event: "fix.refusedOrderFilled", ...shown(message) }, "a refused order was filled");
    lookUps.known(order.clientOrderId);
    // PendingNew and PendingCancel are no answers yet.
    if (report.status !== "A") waiting.settle(order.clientOrderId, { kind: "changed" });
    const cancel = report.clientOrderId;
    const isDecided = report.status !== "6" && report.status !== "A";
    if (cancel !== undefined && cancel !== order.clientOrderId && isDecided)
      waiting.settle(cancel, { kind: "changed" });
  }

  #readCancelReject(message: FixMessage): void {
    const name = message.get(Tag.ClOrdID) ?? "";
    const text =
      readText(message.get(Tag.Text)) || `the request to cancel was refused (${message.get(Tag.CxlRejReason)})`;
    if (!this.#options.waiting.settle(name, { kind: "cancelRefused", text })) {
      this.#options.context.log.warn(
        { event: "fix.lateCancelRefusal", ...shown(message) },
        "a late refusal of a cancellation",
      );
    }
  }

  /** 35=3 and 35=j: the message with that number was not processed. */
  #readReject(message: FixMessage): void {
    const { context, lookUps } = this.#options;
    const number = message.int(Tag.RefSeqNum) ?? 0;
    const reason = message.int(Tag.BusinessRejectReason);
    const text = readText(message.get(Tag.Text)) || "the counterparty rejected the message";
    context.log.error({ event: "fix.rejectReceived", ...shown(message) }, "the counterparty rejected a message");
    const asked = lookUps.askedBy(number);
    if (asked !== undefined) this.#rejectQuestion(asked, number, message);
    else this.#rejectOrder(number, message.get(Tag.BusinessRejectRefID), NOT_NOW.has(reason), text);
  }

  #rejectQuestion(clientOrderId: string, number: number, message: FixMessage): void {
    const { context, lookUps } = this.#options;
    const order = context.sentOrders.get(clientOrderId);
    const reason = message.int(Tag.BusinessRejectReason);
    if (order !== undefined && reason === UNKNOWN_ID) lookUps.unknown(order, message, true);
    else if (message.type === MsgType.Reject || NEVER_TAKEN.has(reason)) lookUps.refused(clientOrderId);
    else lookUps.unanswered(clientOrderId, number);
  }

  #rejectOrder(number: number, name: string | undefined, isLater: boolean, text: string): void {
    const { context, waiting } = this.#options;
    const { sentOrders, session, clock } = context;
    // RefSeqNum is optional in 35=j: then the message is known by its name.
    const isMeant = (one: KnownOrder): boolean => (number > 0 ? one.number === number : wireNameOf(one) === name);
    const order = sentOrders
      .orders()
      .find((one) => one.standing === "leaving" && one.life === session.life && isMeant(one));
    if (order !== undefined) {
      const standing = isLater ? "notSent" : "refused";
      const refused = { orderStatus: 4 as const, text, updatedMs: clock.nowMs() };
      sentOrders.keep({ ...order, standing, ...(isLater ? { text } : refused) });
      waiting.settle(order.clientOrderId, isLater ? { kind: "notSent", text } : { kind: "changed" });
    } else if (name !== undefined) waiting.settle(name, { kind: "cancelRefused", text });
  }
}

function shown(message: FixMessage): { readonly message: string } {
  return { message: showMasked(message.fields, 500) };
}
