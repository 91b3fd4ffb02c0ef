/**
 * What the owner of something that a fault stopped is told: what it is, in the words of the public interface.
 */
import type { StoredActor } from "../ports/operator.ts";

/** The field that names it, in an event. */
const ID_FIELDS = {
  group: "groupId",
  setup: "setupId",
  levelBot: "systemId",
  webhookBot: "systemId",
  clientOrder: "orderId",
  family: "familyId",
} as const satisfies Record<StoredActor["kind"], string>;

/** What an event says of an actor. */
export function subjectOf(kind: StoredActor["kind"], actorId: number): Readonly<Record<string, number>> {
  return { [ID_FIELDS[kind]]: actorId };
}

/** What an alarm's event says of an actor. */
export function alarmSubject({ kind }: StoredActor, actorId: number): Readonly<Record<string, number>> {
  return subjectOf(kind, actorId);
}
