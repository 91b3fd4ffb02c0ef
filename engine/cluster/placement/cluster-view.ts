/**
 * The state of shared partitions, combined from the engines' heartbeats.
 *
 * Pure. If two engines report that they lead, the higher epoch counts: the other one does not know of its loss yet.
 */
import type { ClusterStanding, ClusterView } from "../../../src/contract/operator/cluster.ts";
import type { Heartbeat } from "./presence.ts";
import { givenName } from "./rank.ts";

type PartitionView = ClusterView["partitions"][number];

/** Returns the view of all partitions and engines from all heartbeats, including this engine's own. */
export function viewOf(words: readonly Heartbeat[], partitions: number): Pick<ClusterView, "partitions" | "engines"> {
  const sorted = [...words].sort((left, right) => (left.engine < right.engine ? -1 : 1));
  return {
    partitions: Array.from({ length: partitions }, (_, partition) => partitionView(sorted, partition)),
    engines: sorted.map(({ engine, leads, isEnding, isClockRight, takeovers }) => ({
      ...{ engine: givenName(engine), leads: Object.keys(leads).length, isEnding },
      ...(isClockRight === undefined ? {} : { isClockRight }),
      takeovers: Object.entries(takeovers).map(([partition, count]) => ({ partition: Number(partition), count })),
    })),
  };
}

export function standingOf({ partitions, faults }: ClusterView): ClusterStanding {
  const best = partitions.map(({ copies }) =>
    copies.flatMap(({ lagRecords }) => (lagRecords === null ? [] : [lagRecords])).sort((left, right) => left - right),
  );
  return {
    partitionCount: partitions.length,
    ledCount: partitions.filter(({ leader }) => leader !== null).length,
    copiedCount: best.filter(({ length }) => length > 0).length,
    lagRecordsMax: Math.max(0, ...best.flatMap(([first = 0]) => first)),
    areServersTrusted: faults.length === 0,
  };
}

function partitionView(words: readonly Heartbeat[], partition: number): PartitionView {
  const key = String(partition);
  const [leader] = words
    .filter(({ leads }) => leads[key] !== undefined)
    .sort((left, right) => (right.leads[key] ?? 0) - (left.leads[key] ?? 0));
  // An engine that is ending takes nothing over: its copies do not count.
  const copying = words.filter(
    ({ leads, isEnding, keeps }) => leads[key] === undefined && !isEnding && keeps?.includes(partition) !== false,
  );
  const end = leader?.positions[key] ?? Math.max(0, ...copying.map(({ positions }) => positions[key] ?? 0));
  return {
    partition,
    leader: leader === undefined ? null : givenName(leader.engine),
    epoch: leader?.leads[key] ?? null,
    copies: copying.map(({ engine, lags, positions }) => ({
      engine: givenName(engine),
      // Heartbeats are sent one after another: a copy's heartbeat can be ahead of its leader's.
      lagRecords: lags[key] === undefined ? null : Math.max(0, end - (positions[key] ?? 0)),
    })),
  };
}
