/** The trading state of the whole installation, over all partitions (behaviour 18). */
import { z } from "zod";
import { installationStateRequest, TRADING_STATE_COMMANDS } from "../../../src/contract/trading/trading-state.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { ofPartition } from "./partitions.ts";

/** Adds the operation that halts everybody's trading. */
export function addInstallationState(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "setInstallationState",
    method: "POST",
    path: "/admin/v1/trading-state",
    tag: "Administration",
    summary: "Halt trading of all users, let only sells pass, or go on",
    description:
      "As POST /api/v1/trading-state, for everybody. A partition that does not answer is named with 503: repeat the request.",
    scope: "admin",
    isIdempotent: false,
    body: installationStateRequest,
    data: z.literal(true),
    handle: async (call) => {
      for (let partition = 0; partition < engine.partitions; partition += 1) {
        const reply = await call.command(TRADING_STATE_COMMANDS.setInstallation, call.body, { partition });
        if (!reply.ok) return call.refuse(ofPartition(partition, reply));
      }
      return answerData(call.context, "The trading state of the installation was set", true);
    },
  });
}
