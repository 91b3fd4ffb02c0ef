/**
 * A user's stored events from one of them on: what streams of events are made of, over any edge.
 */
import {
  type EventsPage,
  eventsPageSchema,
  eventsSinceBody,
  formatPosition,
  parsePosition,
} from "../../src/contract/event/event.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { forUser, type QueryContext } from "./context.ts";

export const readEventsSince = forUser({
  schema: eventsSinceBody,
  handle: async (context, userId, { after }) => {
    const { installation, partition, history } = context;
    const position = (sequence: number): string => formatPosition({ installation, partition, sequence });
    if (after === null) {
      const through = position(history.durableThrough);
      return { ok: true, data: { events: [], through, isLast: true, gapTo: null } satisfies EventsPage };
    }
    const sequence = sequenceOf(context, after);
    if (!sequence.ok) return sequence;
    const { events, through, isLast, gapTo } = await history.since(userId, sequence.value);
    const shown = { through: position(through), gapTo: gapTo === null ? null : position(gapTo) };
    return { ok: true, data: eventsPageSchema.parse({ events, isLast, ...shown }) };
  },
});

/** The sequence of an id that this partition has given to one of its events. */
function sequenceOf({ installation, partition, history }: QueryContext, id: string): Result<number> {
  const position = parsePosition(id);
  if (position === undefined) return refuse("INVALID", "Last-Event-ID is not the id of an event");
  if (position.installation !== installation || position.partition !== partition) {
    return refuse("INVALID", "Last-Event-ID is not the id of an event of this user and installation");
  }
  if (position.sequence > history.durableThrough) {
    return refuse("INVALID", "Last-Event-ID lies in the future: no such event has happened");
  }
  return accept(position.sequence);
}
