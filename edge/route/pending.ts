/**
 * Pending OCO setups (specification, "Register pending").
 */
import { COMMANDS } from "../../src/contract/command.ts";
import { registerSetupBody, setupIdSchema } from "../../src/contract/setup.ts";
import type { AddOperation } from "./operation.ts";

/** Adds the registration of pending OCO setups. */
export function addPendingOperations(add: AddOperation): void {
  add({
    operationId: "registerPendingOcoOrder",
    method: "POST",
    path: "/api/v1/oco-orders/register-pending",
    tag: "OCO orders",
    summary: "Register a pending OCO",
    description: "When the brokerage order completes, its levels are computed from the fill price and a group is made.",
    scope: "trade",
    body: registerSetupBody,
    data: setupIdSchema,
    invalidData: 0,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.registerSetup, call.body), "The pending OCO was registered"),
  });
}
