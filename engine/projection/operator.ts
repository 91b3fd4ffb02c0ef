/**
 * What is stuck or under way, as operators see it.
 */
import { type OutboxOrderView, quarantineId, type StoppedActorView } from "../../src/contract/operator/operator.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { PendingOrderRecord, StopRecord } from "../ports/operator.ts";

/** An order without an outcome. */
export function outboxOrderView(partition: number, order: PendingOrderRecord): OutboxOrderView {
  return { id: quarantineId({ type: "order", partition, number: order.sequence }), type: "order", partition, ...order };
}

/** An actor that was set aside. */
export function stoppedActorView(partition: number, actorId: number, stop: StopRecord): StoppedActorView {
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
