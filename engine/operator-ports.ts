/**
 * What operators may see and do in a partition.
 */
import type { PartitionStats } from "../src/contract/operator/operator.ts";
import type { ActorKindName } from "../src/machine/actor-event.ts";
import type { OperatedOrders } from "./ports.ts";

/** Why an actor was set aside. */
export interface StopRecord {
  readonly reason: string;
  readonly sinceMs: number;
  /** What came since, and is given to it at its release. */
  readonly held: readonly object[];
}

/** What a stored actor tells of itself without being woken. */
export interface StoredActor {
  readonly kind: ActorKindName;
  /** Null where it could not be read. */
  readonly userId: number | null;
  readonly brokerageCode: string;
  /** Whether it would wait in vain without its brokerage. */
  readonly needsBrokerage: boolean;
}

/** The actors that a fault of ours stopped, as operators meet them. */
export interface OperatedActors {
  readonly ward: { ids(): readonly number[]; find(id: number): StopRecord | undefined };
  /** In a turn: lets an actor try again. False when it was not set aside; it may be set aside anew at once. */
  release(id: number): boolean;
  /** What a live actor's row tells, also of one in quarantine; undefined where it cannot be read at all. */
  readStored(bytes: Uint8Array): StoredActor | undefined;
}

/** What operators may see and do in a partition. */
export interface Operator {
  readonly orders: OperatedOrders;
  readonly actors: OperatedActors;
  stats(): PartitionStats;
}
