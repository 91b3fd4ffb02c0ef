/**
 * The state of partitions that engines share: the leader, the progress of the copies, the servers of the log
 * (behaviour 11.7).
 */
import { clusterSchema } from "../../../src/contract/operator/cluster.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { requestIdOf } from "../reference/reference-answer.ts";

/** Adds the view of the cluster. */
export function addClusterOperation(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "readCluster",
    method: "GET",
    path: "/admin/v1/cluster",
    tag: "Administration",
    summary: "Read the state of the partitions that engines share",
    description:
      "The leader of each, the copies of other engines, the engines that are there and the nats-servers of the log, as the " +
      "engine that answers first sees them, up to a second old. `data` is null if engines share no partitions.",
    scope: "admin",
    data: clusterSchema.nullable(),
    handle: async (call) => {
      const reply = await engine.cluster({ userId: null, requestId: requestIdOf(call.context), body: {} });
      return call.answer(reply, "The partitions that engines share");
    },
  });
}
