/**
 * Orders that their brokerage took and no longer knows: their list for operators, and the decisions (behaviour 13.6).
 *
 * Owns: which orders these are, which decisions are allowed. Does not own: the consequences of a decision
 * (`execution.ts` and the order's owner).
 */
import type { DoubtDecision } from "../../src/contract/operator/operator.ts";
import { filledQuantityOf, nameOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import type { Events } from "../ports/event.ts";
import type { DoubtfulOrderRecord, OperatedDoubts } from "../ports/operator.ts";
import { subjectOf } from "../projection/alarm.ts";
import { type ExecutionOwner, executionOwnerOf } from "../projection/executions.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import type { Followers } from "./followers.ts";

interface DoubtsOptions {
  readonly watchbook: Pick<PartitionWatchbook, "ownersInDoubt">;
  readonly host: Pick<ActorHost, "find">;
  readonly events: Pick<Events, "emit">;
  readonly clock: Clock;
  readonly log: Log;
  readonly followers: Pick<Followers, "decided">;
}

export class Doubts implements OperatedDoubts {
  readonly #options: DoubtsOptions;

  constructor(options: DoubtsOptions) {
    this.#options = options;
  }

  list(afterActorId: number, limit: number): readonly DoubtfulOrderRecord[] {
    const { watchbook } = this.#options;
    const ids = watchbook.ownersInDoubt().filter((id) => id > afterActorId);
    return ids.slice(0, limit).flatMap((id) => {
      const owner = this.#ownerOf(id);
      return owner === undefined ? [] : recordsOf(id, owner);
    });
  }

  settleInTurn(actorId: number, decision: DoubtDecision): Result<DoubtfulOrderRecord> {
    const { orderNo } = decision;
    const owner = this.#ownerOf(actorId);
    const record = owner && recordsOf(actorId, owner).find((order) => order.orderNo === orderNo);
    if (owner === undefined || record === undefined) {
      return refuse("NOT_FOUND", `order ${orderNo} of ${actorId} is not in doubt`);
    }
    const fill = decision.action === "filled" ? { quantity: decision.quantity, price: decision.price } : null;
    const most = Math.max(record.quantity, record.filledQuantity);
    if (fill !== null && fill.quantity > most) {
      return refuse("INVALID", `quantity must be at most ${most}: so many lots were ordered`);
    }
    if (fill !== null && fill.quantity < record.filledQuantity) {
      return refuse("INVALID", `quantity must be at least ${record.filledQuantity}: so many lots are known as filled`);
    }
    const { events, clock, log, followers } = this.#options;
    const filledQuantity = fill?.quantity ?? record.filledQuantity;
    log.warn(
      { event: "order.settledByHand", actorId, order: record, decision },
      "an order in doubt was settled by hand",
    );
    const { clientOrderId, brokerageCode, accountNumber, symbol, buySell, quantity } = record;
    const place = { clientOrderId, orderNo, brokerageCode, accountNumber, symbol, buySell, quantity };
    events.emit(record.userId, "order.settled", {
      ...subjectOf(owner.kind, actorId),
      order: { ...place, filledQuantity },
    });
    followers.decided(actorId, { type: "orderDecided", orderNo, fill, timeMs: clock.nowMs() });
    return accept(record);
  }

  /** Finds the owner of orders in doubt. A pending OCO is left out: its user decides about its order. */
  #ownerOf(actorId: number): ExecutionOwner | undefined {
    const owner = executionOwnerOf(this.#options.host, actorId);
    return owner?.kind === "setup" ? undefined : owner;
  }
}

function recordsOf(actorId: number, { place, executions, describe }: ExecutionOwner): DoubtfulOrderRecord[] {
  const { userId, brokerageCode, accountNumber } = place;
  return executions.flatMap((execution) => {
    const reason = describe(execution);
    if (reason === null) return [];
    const { symbol, buySell, quantity, sinceMs } = execution;
    const order = {
      actorId,
      orderNo: orderNoOf(execution),
      clientOrderId: nameOf(execution),
      userId,
      brokerageCode,
      accountNumber,
      symbol,
      buySell,
      quantity,
      filledQuantity: filledQuantityOf(execution),
      since: formatTime(sinceMs),
      reason,
    };
    return [order];
  });
}
