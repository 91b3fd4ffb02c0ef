/**
 * Alarms that nobody has put away yet.
 *
 * Invariant: what is told again (after a restart) stands once, and what was released stands no more.
 */
import type { ToldEvent } from "./describe-event.ts";

const ALARMS: ReadonlySet<string> = new Set([
  "alarm.quarantined",
  "alarm.ticksLost",
  "alarm.soldAfterEnd",
  "order.quarantined",
]);
const KEPT = 20;

/** The alarms once an event was heard, the newest first; the same list where it is no news of one. */
export function hearAlarm(alarms: readonly ToldEvent[], event: ToldEvent): readonly ToldEvent[] {
  const isAlarm = ALARMS.has(event.type);
  if (!isAlarm && event.type !== "alarm.released") return alarms;
  const others = alarms.filter((one) => subjectOf(one) !== subjectOf(event));
  return isAlarm ? [event, ...others].slice(0, KEPT) : others;
}

/** What an alarm is about; ticks that were lost for one reason are one. */
function subjectOf({ groupId, setupId, systemId, familyId, order, reason }: ToldEvent): string {
  return JSON.stringify([groupId, setupId, systemId, familyId, order, order === undefined ? reason : undefined]);
}
