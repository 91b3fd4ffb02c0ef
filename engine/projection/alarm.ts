/**
 * Names the thing that a fault stopped to its owner, in the terms of the public interface.
 */
import type { StoredActor } from "../ports/operator.ts";

/** The field of an event that contains the id, by kind of actor. */
const ID_FIELDS = {
  group: "groupId",
  setup: "setupId",
  levelBot: "systemId",
  webhookBot: "systemId",
  clientOrder: "orderId",
  family: "familyId",
  priceAlert: "alertId",
} as const satisfies Record<StoredActor["kind"], string>;

/** Identifies an actor in an event. */
export function subjectOf(kind: StoredActor["kind"], actorId: number): Readonly<Record<string, number>> {
  return { [ID_FIELDS[kind]]: actorId };
}

/** Identifies an actor in an alarm's event. */
export function alarmSubject({ kind }: StoredActor, actorId: number): Readonly<Record<string, number>> {
  return subjectOf(kind, actorId);
}
