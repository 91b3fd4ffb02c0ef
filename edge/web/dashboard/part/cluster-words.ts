/** The state of the partitions that engines share, in a line. */
import type { ClusterCondition } from "../state/model.ts";

/** A copy that is further behind would have to read for a while, should it lead. */
const LAG_RECORDS_MAX = 1_000;

interface ClusterWords {
  readonly isGood: boolean;
  readonly text: string;
  readonly hint: string;
}

export function clusterWords(cluster: ClusterCondition): ClusterWords {
  const { partitionCount, ledCount, copiedCount, lagRecordsMax, areServersTrusted } = cluster;
  const faults = [
    copiedCount === partitionCount ? "" : `${partitionCount - copiedCount} without a copy`,
    lagRecordsMax <= LAG_RECORDS_MAX ? "" : "a copy is far behind",
    areServersTrusted ? "" : "the servers of the log cannot be trusted",
  ].filter((fault) => fault !== "");
  return {
    isGood: faults.length === 0 && ledCount === partitionCount,
    text: [`${ledCount} of ${partitionCount} partitions led`, ...faults].join(", "),
    hint: lagRecordsMax === 0 ? "copies have all" : `copies lack ${lagRecordsMax}`,
  };
}
