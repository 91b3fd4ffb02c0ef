/**
 * The figures of a partition for operators. Each part counts its own; this module gathers them.
 */

import {
  type BrokerageStats,
  type Histogram,
  type PartitionStats,
  TIMING_BUCKETS_MS,
  type TriggerTimings,
} from "../../src/contract/operator/operator.ts";
import { BucketCounts } from "../../src/runtime/bucket-counts.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import type { ArmedPrices } from "./feed-alarms.ts";
import type { PartitionOptions } from "./options.ts";

interface Counted {
  readonly length: number;
}
interface Sized {
  readonly size: number;
}

/** The parts of a partition that count something. */
interface CountingParts {
  readonly journal: {
    readonly head: { readonly partition: number; readonly batch: number };
    readonly batchSizes: { read(): Histogram };
  };
  readonly outbox: {
    stats(): PartitionStats["outbox"];
    pending(page: { readonly limit: number }): readonly { readonly since: string }[];
  };
  readonly watchbook: { readonly armedCount: number; readonly deadlines: Sized };
  readonly host: { readonly quarantine: { ids(): Counted } };
  readonly inbox: Counted;
  readonly alarms: { armedPrices(): ArmedPrices };
  readonly holds: { readonly heldCount: number };
  readonly receipts: { readonly timings: TriggerTimings };
  readonly orderFacts: { readonly counts: ReadonlyMap<string, number> };
  readonly events: {
    readonly waitingCount: number;
    readonly unreadableCount: number;
    readonly unsoldCounts: PartitionStats["unsold"];
  };
}

const NOT_TIMED = new BucketCounts(TIMING_BUCKETS_MS);

/** Gathers the current figures of the parts. */
export function gatherMetrics(
  { journal, outbox, watchbook, host, inbox, events, alarms, holds, receipts, orderFacts }: CountingParts,
  { brokerages, feed: given, processMemory, logAppends, cluster: shared }: PartitionOptions,
  tickPosition: number | null,
): PartitionStats {
  const [feed, cluster] = [given.stats(), shared?.()];
  const memory = processMemory?.();
  const [oldest] = outbox.pending({ limit: 1 });
  return {
    partition: journal.head.partition,
    ...(feed === undefined ? {} : { feed }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(memory === undefined ? {} : { memory: { ...memory } }),
    tickPosition,
    outbox: outbox.stats(),
    brokerages: brokerages.all().flatMap(sessionOf),
    armedCount: watchbook.armedCount,
    armedPrices: alarms.armedPrices(),
    heldSymbolCount: holds.heldCount,
    deadlineCount: watchbook.deadlines.size,
    quarantinedActorCount: host.quarantine.ids().length,
    inboxLength: inbox.length,
    eventsWaitingCount: events.waitingCount,
    unreadableEventRowCount: events.unreadableCount,
    unsold: { ...events.unsoldCounts },
    refusedReports: Object.fromEntries(orderFacts.counts),
    batch: journal.head.batch,
    batchSizes: journal.batchSizes.read(),
    timings: { ...receipts.timings, logAppend: (logAppends ?? NOT_TIMED).read() },
    oldestOrderSinceMs: oldest === undefined ? null : Date.parse(oldest.since),
  };
}

/** Returns the session of a brokerage behind the gateway; a brokerage in the process is always available. */
function sessionOf({ settings: { code }, session }: Brokerage): BrokerageStats[] {
  if (session === undefined) return [];
  const { state, since, needsLogin, resend, refusal } = session();
  return [{ code, state, since, resend, refusal, ...(needsLogin && { needsLogin }) }];
}
