/**
 * Passes on new facts of executions: to the owner, the log and the counts, and as questions to the brokerage.
 *
 * Owns: the destination of each fact. Does not own: facts (`src/domain/order/execution.ts`), their effect on the owner.
 *
 * Invariants:
 * 1. All of this happens in the turn that learnt the fact; a question leaves once that turn is durable.
 * 2. A fact of an order that several actors of its owner follow is one event, which names them all (behaviour 13.10).
 */
import { unreachable } from "../../src/assert.ts";
import type { EventPayload, EventType } from "../../src/contract/event/event.ts";
import type { OrderRecord } from "../../src/contract/trading/order.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { rowIdOfSell } from "../../src/domain/oco/sell-name.ts";
import { DOUBT_SENTENCES } from "../../src/domain/order/doubt.ts";
import type { Fact } from "../../src/domain/order/evidence.ts";
import type { Execution, ExecutionStep } from "../../src/domain/order/execution.ts";
import type { OrderUpdated } from "../../src/domain/order/order-news.ts";
import { filledQuantityOf, nameOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import type { ActorKindName } from "../../src/machine/actor-event.ts";
import type { LogEvent } from "../../src/runtime/log-event/log-events.ts";
import type { Log } from "../../src/runtime/ports.ts";
import type { OrderPoll } from "../order/order-poll.ts";
import type { ActorProfile, Actors, OrderFollowers } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Journal } from "../ports/storage.ts";
import { subjectOf } from "../projection/alarm.ts";
import type { Receipts } from "../receipt/receipts.ts";
import { RefusedOrders } from "../receipt/refused-orders.ts";
import { ToldFacts } from "./told-facts.ts";

/** The owner of an execution, as events name it: `groupId`, `setupId` or `systemId`. */
interface ExecutionOwner extends ActorProfile {
  readonly subject: Readonly<Record<string, number>>;
}

interface OrderFactsOptions {
  readonly journal: Pick<Journal, "afterDurable">;
  readonly events: Events;
  readonly receipts: Pick<Receipts, "note">;
  readonly log: Log;
  readonly watchbook: Pick<OrderFollowers, "followersOf">;
  readonly actors: Pick<Actors, "find">;
  /** Finds the group that has the row, of any user. */
  readonly findGroup: (rowId: number) => OcoGroup | undefined;
  readonly askNow: OrderPoll["askNow"];
  /** Each counts the lots of a fill. */
  readonly counters: readonly {
    noteFill(owner: ActorProfile, execution: Execution, quantity: number): void;
  }[];
}

const WAYS_OUT =
  "compare with the brokerage; an operator then enters what was filled, or that nothing was (npm run cli -- quarantine)";
/** Kinds of actors that can follow an order together: groups and bots follow orders of their own. */
const FOLLOWERS_OF_ONE_ORDER = ["setup", "clientOrder"] as const satisfies readonly ActorKindName[];
/** Kinds of actors that ask for orders, other than sells of groups. */
const ASKERS = ["levelBot", "webhookBot", "setup", "group"] as const satisfies readonly ActorKindName[];
/** Facts that change the receipt of a sell. */
const IN_RECEIPT: ReadonlySet<Fact["type"]> = new Set(["filled", "ended", "filledAfterEnd"]);
const AFTER_END = "the brokerage reported a fill after the end of the order: compare the position with what is watched";

export class OrderFacts {
  readonly #options: OrderFactsOptions;
  /** Reports that were ignored or contradicted themselves, by code. */
  readonly counts = new Map<string, number>();
  readonly #told = new ToldFacts();
  readonly #refused = new RefusedOrders();

  constructor(options: OrderFactsOptions) {
    this.#options = options;
  }

  /** In a turn: takes in the refusal of an order. */
  noteRefusal(order: OutboxOrder): void {
    this.#refused.note(order);
  }

  /** In a turn: takes in a record of an order that no actor follows. */
  hear(brokerageCode: string, record: OrderRecord, news: OrderUpdated): void {
    const heard = this.#refused.hear(brokerageCode, record, news);
    if (heard === undefined) return;
    const owner = ownerOf(heard.order, this.#subjectOf(heard.order));
    for (const fact of heard.step.facts) this.#tell(owner, heard.step.execution, fact);
  }

  /** In a turn: passes on facts that an actor learnt about its order. */
  ofActor(id: number, kind: ActorKindName, profile: ActorProfile, { execution, facts }: ExecutionStep): void {
    if (facts.some(({ type }) => IN_RECEIPT.has(type))) this.#options.receipts.note(execution);
    const owner = ownerOf(profile, subjectOf(kind, id));
    for (const fact of facts) this.#tell(owner, execution, fact);
  }

  /** In a turn: passes on facts about a row's sell that its group no longer follows. */
  ofRow(rowId: number, brokerageCode: string, { execution, facts }: ExecutionStep): void {
    const group = this.#options.findGroup(rowId);
    if (group?.brokerageCode !== brokerageCode) return;
    const owner = ownerOf(group, { groupId: group.groupId });
    for (const fact of facts) this.#tell(owner, execution, fact);
  }

  #tell(owner: ExecutionOwner, execution: Execution, fact: Fact): void {
    switch (fact.type) {
      case "filled":
        this.#countFill(owner, execution, fact.quantity);
        return;
      case "ended":
        return;
      case "filledAfterEnd":
        this.#countFill(owner, execution, fact.quantity);
        this.#filledAfterEnd(owner, execution, fact);
        return;
      case "overfilled":
        this.#notify(owner, execution, "order.overfilled", {
          overQuantity: fact.quantity,
          message: `the brokerage filled ${fact.quantity} lots more than were ordered`,
        });
        return;
      case "corrected":
        this.#notify(owner, execution, "order.corrected", {
          fromQuantity: fact.from,
          toQuantity: fact.to,
          message: `the brokerage took fills back: ${fact.to} lots instead of ${fact.from}; nothing was changed here`,
        });
        return;
      case "replaced":
        this.#notify(owner, execution, "order.replaced", { orderNo: fact.orderNo });
        return;
      case "inDoubt":
        this.#notify(
          owner,
          execution,
          "order.inDoubt",
          { message: `${DOUBT_SENTENCES[fact.code]}: ${WAYS_OUT}` },
          { code: fact.code },
        );
        return;
      case "found":
        this.#notify(owner, execution, "order.found", {});
        return;
      case "ignored":
        this.#count(owner, execution, "otherOrder", { toldOrderNo: fact.orderNo });
        return;
      case "contradicted":
        this.#count(owner, execution, fact.code, {});
        return;
      case "lookUp":
        this.#ask(owner, execution, fact.look);
        return;
      default:
        unreachable(fact);
    }
  }

  #filledAfterEnd(owner: ExecutionOwner, execution: Execution, fact: Extract<Fact, { type: "filledAfterEnd" }>): void {
    const { quantity, price } = fact;
    this.#notify(owner, execution, "alarm.filledAfterEnd", { quantity, price, message: AFTER_END });
    const { groupId } = owner.subject;
    if (groupId === undefined || rowIdOfSell(execution.clientOrderId ?? "") === undefined) return;
    const { userId, brokerageCode, accountNumber } = owner;
    const order = {
      clientOrderId: execution.clientOrderId ?? "",
      orderNo: orderNoOf(execution),
      symbol: execution.symbol,
      filledQuantity: filledQuantityOf(execution),
      brokerageCode,
      accountNumber,
    };
    const payload: EventPayload<"alarm.soldAfterEnd"> = { groupId, order, message: AFTER_END };
    this.#options.events.emit(userId, "alarm.soldAfterEnd", payload);
  }

  #notify(
    owner: ExecutionOwner,
    execution: Execution,
    type: EventType & LogEvent<"warn">,
    data: object,
    logged: object = {},
  ): void {
    const { userId } = owner;
    const order = toReportedOrder(owner, execution);
    if (!this.#isNews(owner, order, type, data)) return;
    const subject = { ...this.#otherFollowers(owner, order), ...owner.subject };
    this.#options.log.warn({ event: type, userId, ...subject, order, ...data, ...logged }, `${type} ${order.orderNo}`);
    this.#options.events.emit(userId, type, { ...subject, order, ...data });
  }

  /** An order without a name looks the same as a later order with its number: each of its facts is news. */
  #isNews({ userId, subject }: ExecutionOwner, order: ReportedOrder, type: EventType, data: object): boolean {
    const { brokerageCode, accountNumber, orderNo, clientOrderId, filledQuantity } = order;
    if (clientOrderId === null) return true;
    // One follower may know the price of a fill, another not.
    const { price: _, ...fact } = { price: null, ...data };
    const key = [userId, brokerageCode, accountNumber, orderNo, clientOrderId, type, filledQuantity, fact];
    return this.#told.isNews(JSON.stringify(key), JSON.stringify(subject));
  }

  /** The owner's other actors that follow the order, as events name them. */
  #otherFollowers({ userId }: ExecutionOwner, order: ReportedOrder): Readonly<Record<string, number>> {
    const { watchbook, actors } = this.#options;
    const found: Record<string, number> = {};
    for (const id of watchbook.followersOf(order)) {
      for (const kind of FOLLOWERS_OF_ONE_ORDER) {
        const actor = actors.find(kind, id);
        const isHis = actor?.isEnded === false && Reflect.get(actor.context, "userId") === userId;
        if (isHis) Object.assign(found, subjectOf(kind, id));
      }
    }
    return found;
  }

  /** The actor that asked for an order, as events name it; nothing of an order of a client. */
  #subjectOf({ origin }: OutboxOrder): ExecutionOwner["subject"] {
    if (origin.kind === "command") return {};
    const kind = ASKERS.find((kind) => this.#options.actors.find(kind, origin.actorId) !== undefined);
    return kind === undefined ? {} : subjectOf(kind, origin.actorId);
  }

  #countFill(owner: ActorProfile, execution: Execution, quantity: number): void {
    for (const counter of this.#options.counters) counter.noteFill(owner, execution, quantity);
  }

  #count({ userId, subject }: ExecutionOwner, execution: Execution, code: string, data: object): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
    const orderNo = orderNoOf(execution);
    const fields = { event: "order.reportRefused" as const, code, userId, ...subject, orderNo, ...data };
    this.#options.log.warn(fields, `a report of order ${orderNo} does not count: ${code}`);
  }

  #ask({ userId, brokerageCode, accountNumber }: ExecutionOwner, execution: Execution, look: number): void {
    const orderNo = orderNoOf(execution);
    const clientOrderId = execution.createdDate === null ? nameOf(execution) : null;
    const order = { userId, brokerageCode, accountNumber, orderNo, clientOrderId };
    this.#options.journal.afterDurable(() => this.#options.askNow(order, look));
  }
}

/** The profile can be a whole group: a copy of it with one more field would cost more than the rest of a report. */
function ownerOf({ userId, brokerageCode, accountNumber }: ActorProfile, subject: ExecutionOwner["subject"]) {
  return { userId, brokerageCode, accountNumber, subject };
}

type ReportedOrder = ReturnType<typeof toReportedOrder>;

/** An execution as events name it. */
function toReportedOrder({ brokerageCode, accountNumber }: ActorProfile, execution: Execution) {
  const { clientOrderId, symbol, buySell, quantity } = execution;
  const filledQuantity = filledQuantityOf(execution);
  const orderNo = orderNoOf(execution);
  return { clientOrderId, orderNo, brokerageCode, accountNumber, symbol, buySell, quantity, filledQuantity };
}
