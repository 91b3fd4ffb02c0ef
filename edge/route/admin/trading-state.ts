/** The trading state of the whole installation, over all partitions (behaviour 18). */
import { z } from "zod";
import { installationStateRequest, TRADING_STATE_COMMANDS } from "../../../src/contract/trading/trading-state.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { tellEach } from "./partitions.ts";

/** Adds the operation that halts everybody's trading. */
export function addInstallationState(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "setInstallationState",
    method: "POST",
    path: "/admin/v1/trading-state",
    tag: "Administration",
    summary: "Halt trading of all users, let only sells pass, or resume",
    description:
      "As POST /api/v1/trading-state, for everybody. A partition that does not answer is named with 503: repeat the request.",
    scope: "admin",
    isIdempotent: false,
    body: installationStateRequest,
    data: z.literal(true),
    handle: async (call) => {
      const { setInstallation } = TRADING_STATE_COMMANDS;
      const told = await tellEach(engine, (partition) => call.command(setInstallation, call.body, { partition }));
      if (!told.ok) return call.refuse(told);
      return answerData(call.context, "The trading state of the installation was set", true);
    },
  });
}
