/** Why an engine must not run a partition: the other engine that does, its host, and the way out. */
import type { OwnershipAnnouncement } from "../../../src/contract/ownership.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { UserError } from "../../../src/runtime/user-error.ts";

/** Another engine runs a partition of this one. The message names it, its host, and the remedy. */
export class OwnershipRefused extends UserError {
  override readonly name = "OwnershipRefused";

  constructor(message: string) {
    super(message, { reason: "unavailable" });
  }
}

/** Names the engine that has the better claim. */
export function conflictWith({ partition, installation, host, pid, stage, sinceMs }: OwnershipAnnouncement): string {
  const folder = installation === null ? "" : ` of installation ${installation}`;
  const state = stage === "asking" ? "is being started" : `has run since ${formatTime(sinceMs)}`;
  return (
    `partition ${partition} belongs to another engine, process ${pid} on host ${host}${folder}, which ${state}. ` +
    "Two engines would sell every row twice: end that one, or give this one a NATS server of its own (NATS_URL) " +
    "or other partitions (ENGINE_PARTITIONS)"
  );
}

/** Names an engine whose installation has a different number of partitions; `own`: the number here. */
export function otherSize({ partition, partitions, host, pid }: OwnershipAnnouncement, own: number): string {
  return (
    `partition ${partition} of an installation of ${partitions} partitions is run on this NATS server by process ${pid} ` +
    `on host ${host}, and PARTITIONS is ${own} here: two installations cannot share one NATS server`
  );
}

/** An engine is subscribed and does not answer, and the folder here is new. */
export function silentOwner(partition: number): string {
  return (
    `partition ${partition} belongs to another engine, which is connected to NATS and does not answer, and DATA_DIR is ` +
    "new here: end that engine, then start this one, or put the partition's folder in its place"
  );
}
