/**
 * Figures for a monitoring system (behaviour 11.7).
 */
import type { EngineClient } from "../../client/engine-client.ts";
import type { EdgeMetrics } from "../../metrics.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answer } from "../../server/request-state.ts";
import { requestIdOf } from "../reference/reference-answer.ts";

/** Adds the figures. */
export function addMetricsOperation(add: AddOperation, engine: EngineClient, metrics: EdgeMetrics): void {
  add({
    operationId: "readMetrics",
    method: "GET",
    path: "/admin/v1/metrics",
    tag: "Administration",
    summary: "Read the figures of edge and engine",
    description:
      "In the text format of Prometheus: requests of this edge, and ticks, orders and watches of each partition.",
    scope: "admin",
    textType: "text/plain",
    handle: async ({ context }) => {
      const text = await metrics.read(engine, requestIdOf(context));
      return answer(context, 200, text, { "content-type": metrics.contentType });
    },
  });
}
