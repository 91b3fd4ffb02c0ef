/**
 * The figures of a partition, for operators: gathered from its parts, which each count their own.
 */
import type { FeedStats, PartitionStats } from "../src/contract/operator.ts";

interface Counted {
  readonly length: number;
}
interface Sized {
  readonly size: number;
}

/** The parts of a partition, as far as they count something. */
export interface CountingParts {
  readonly journal: { readonly head: { readonly partition: number; readonly batch: number } };
  readonly outbox: { stats(): PartitionStats["outbox"] };
  readonly watchbook: { readonly armedCount: number; readonly deadlines: Sized };
  readonly host: { readonly ward: { ids(): Counted } };
  readonly inbox: Counted;
  readonly events: { readonly waitingCount: number; readonly unreadableCount: number };
}

/** What the parts say now. */
export function gatherFigures(
  { journal, outbox, watchbook, host, inbox, events }: CountingParts,
  tickPosition: number | null,
  feed: FeedStats | undefined,
): PartitionStats {
  return {
    partition: journal.head.partition,
    ...(feed === undefined ? {} : { feed }),
    tickPosition,
    outbox: outbox.stats(),
    armedCount: watchbook.armedCount,
    deadlineCount: watchbook.deadlines.size,
    stoppedActorCount: host.ward.ids().length,
    inboxLength: inbox.length,
    eventsWaitingCount: events.waitingCount,
    unreadableEventRowCount: events.unreadableCount,
    batch: journal.head.batch,
  };
}
