/** The state of the partitions that engines share, in a line. */
import { say } from "../language/say.ts";
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
    copiedCount === partitionCount ? "" : say("{count} without a copy", { count: partitionCount - copiedCount }),
    lagRecordsMax <= LAG_RECORDS_MAX ? "" : say("a copy is far behind"),
    areServersTrusted ? "" : say("the servers of the log cannot be trusted"),
  ].filter((fault) => fault !== "");
  return {
    isGood: faults.length === 0 && ledCount === partitionCount,
    text: [say("{led} of {count} partitions led", { led: ledCount, count: partitionCount }), ...faults].join(", "),
    hint: lagRecordsMax === 0 ? say("copies have all") : say("copies lack {count}", { count: lagRecordsMax }),
  };
}
