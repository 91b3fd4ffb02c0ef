/**
 * Orders that their brokerage took and does not know any more: what an operator sees of them, and decides (behaviour 13.6).
 *
 * Owns: which orders these are, what may be decided. Does not own: what follows from a decision (`execution.ts` and the
 * order's owner).
 */
import type { DoubtDecision } from "../../src/contract/operator/operator.ts";
import { executionsOf } from "../../src/domain/bot/bot.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { doubtText, type Execution } from "../../src/domain/order/execution.ts";
import { filledQuantityOf, nameOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { DoubtfulOrderRecord, OperatedDoubts } from "../ports/operator.ts";
import { botOf } from "../projection/executions.ts";
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
    return ids.slice(0, limit).flatMap((id) => this.#ofActor(id));
  }

  settleInTurn(actorId: number, decision: DoubtDecision): Result<DoubtfulOrderRecord> {
    const { orderNo } = decision;
    const owner = this.#ownerOf(actorId);
    const record = this.#ofActor(actorId).find((order) => order.orderNo === orderNo);
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
    log.warn({ actorId, order: record, decision }, "an order in doubt was settled by hand");
    const { clientOrderId, brokerageCode, accountNumber, symbol, buySell, quantity } = record;
    const place = { clientOrderId, orderNo, brokerageCode, accountNumber, symbol, buySell, quantity };
    events.emit(record.userId, "order.settled", { ...owner.subject, order: { ...place, filledQuantity } });
    followers.decided(actorId, { type: "orderDecided", orderNo, fill, timeMs: clock.nowMs() });
    return accept(record);
  }

  #ofActor(actorId: number): DoubtfulOrderRecord[] {
    const owner = this.#ownerOf(actorId);
    if (owner === undefined) return [];
    return owner.executions.flatMap((execution) => {
      const reason = doubtText(execution);
      return reason === null ? [] : [toRecord(actorId, owner, execution, reason)];
    });
  }

  #ownerOf(actorId: number): ExecutionOwner | undefined {
    const { host } = this.#options;
    const group = host.find("group", actorId)?.context as OcoGroup | undefined;
    if (group !== undefined) {
      const executions = group.followed.map(({ execution }) => execution);
      return { ...accountOf(group), subject: { groupId: actorId }, executions };
    }
    const bot = botOf(host, actorId);
    return bot && { ...accountOf(bot), subject: { systemId: actorId }, executions: executionsOf(bot) };
  }
}

/** Who has orders that a person may decide about. */
interface ExecutionOwner extends ActorProfile {
  /** As events name it. */
  readonly subject: Readonly<Record<string, number>>;
  readonly executions: readonly Execution[];
}

function accountOf({ userId, brokerageCode, accountNumber }: ActorProfile): ActorProfile {
  return { userId, brokerageCode, accountNumber };
}

function toRecord(
  actorId: number,
  { userId, brokerageCode, accountNumber }: ActorProfile,
  execution: Execution,
  reason: string,
): DoubtfulOrderRecord {
  const { symbol, buySell, quantity, sinceMs } = execution;
  return {
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
}
