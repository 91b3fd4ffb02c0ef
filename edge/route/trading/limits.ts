/** The limits of an account of the caller (behaviour 27). */
import { z } from "zod";
import {
  LIMITS_COMMANDS,
  LIMITS_QUERIES,
  limitsQuery,
  limitsRequest,
  limitsSchema,
} from "../../../src/contract/trading/limits.ts";
import type { AddOperation } from "../../operation/operation.ts";

const tag = "Accounts";
const path = "/api/v1/limits";

/** Adds reading and setting of an account's limits. */
export function addLimitsOperations(add: AddOperation): void {
  add({
    operationId: "getLimits",
    method: "GET",
    path,
    tag,
    summary: "Show the limits of an account",
    description:
      "The limits that were set, what own fills of the exchange's day have realised, and how many orders counted in the last minute. Null: no limit.",
    scope: "read",
    query: limitsQuery,
    data: limitsSchema,
    handle: async (call) => call.answer(await call.ask(LIMITS_QUERIES.read, call.query), "The limits"),
  });
  add({
    operationId: "setLimits",
    method: "PUT",
    path,
    tag,
    summary: "Set the limits of an account",
    description:
      "Replaces all limits of the account; a limit that is left out is removed. Durable once it is answered. Once own fills of the exchange's day have lost maxDailyLoss, only sells are taken until POST /api/v1/trading-state. Orders above maxOrdersPerMinute or maxOrderValue are a 409 ACCOUNT_LIMIT. Orders of OCO groups, and sells of bots, are never limited.",
    scope: "trade",
    isIdempotent: false,
    body: limitsRequest,
    data: z.literal(true),
    handle: async (call) => call.answer(await call.command(LIMITS_COMMANDS.set, call.body), "The limits were set"),
  });
}
