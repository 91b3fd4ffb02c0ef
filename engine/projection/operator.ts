/**
 * What is stuck or under way, as operators see it.
 */
import {
  type DoubtfulOrderView,
  type OutboxOrderView,
  type QuarantinedActorView,
  quarantineId,
} from "../../src/contract/operator/operator.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { DoubtfulOrderRecord, PendingOrderRecord, QuarantineRecord } from "../ports/operator.ts";

/** An order without an outcome. */
export function outboxOrderView(partition: number, order: PendingOrderRecord): OutboxOrderView {
  return { id: quarantineId({ type: "order", partition, number: order.sequence }), type: "order", partition, ...order };
}

/** An order in doubt. */
export function doubtfulOrderView(partition: number, order: DoubtfulOrderRecord): DoubtfulOrderView {
  const id = quarantineId({ type: "doubt", partition, number: order.actorId });
  return { id, type: "doubt", partition, ...order };
}

/** An actor that was quarantined. */
export function quarantinedActorView(partition: number, actorId: number, stop: QuarantineRecord): QuarantinedActorView {
  return {
    id: quarantineId({ type: "actor", partition, number: actorId }),
    type: "actor",
    partition,
    actorId,
    since: formatTime(stop.sinceMs),
    reason: stop.reason,
    heldEventCount: stop.held.length,
  };
}
