/** The state of partitions, as an engine that shares them reports it. */
import type { ClusterView } from "../../../src/contract/operator/cluster.ts";

export const clusterView: ClusterView = {
  partitions: [
    { partition: 0, leader: "a", epoch: 40, copies: [{ engine: "b", lagRecords: 12 }] },
    { partition: 1, leader: null, epoch: null, copies: [{ engine: "b", lagRecords: null }] },
  ],
  engines: [
    { engine: "a", leads: 1, isEnding: false, isClockRight: true, takeovers: [{ partition: 0, count: 2 }] },
    { engine: "b", leads: 0, isEnding: false, takeovers: [] },
  ],
  servers: [
    { url: "http://10.0.0.1:8222", name: "n1", version: "2.12.3", isSynced: true },
    { url: "http://10.0.0.2:8222", name: null, version: null, isSynced: null },
  ],
  streams: [
    { stream: "JOURNAL_0", currentReplicas: 2 },
    { stream: "TICKS", currentReplicas: 3 },
  ],
  faults: ["nats-server n2 acknowledges what is not on disk yet"],
};
