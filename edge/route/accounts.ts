/**
 * Accounts at brokerages: listing, logging in, positions and the day's orders (specification, "Accounts").
 */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../src/contract/command.ts";
import {
  accountSchema,
  dailyOrderSchema,
  dailyOrdersBody,
  loginBody,
  loginSchema,
  positionSchema,
  positionsBody,
} from "../../src/contract/trading.ts";
import type { AddOperation } from "./operation.ts";

const tag = "Accounts";
const path = "/api/v1/accounts";

/** A brokerage is asked on the way (specification, "Limits": 30 s). */
const patient = { timeoutMs: 30_000 };

/** Adds the operations on accounts. */
export function addAccountOperations(add: AddOperation): void {
  add({
    method: "GET",
    path,
    tag,
    summary: "List accounts",
    description: "The accounts at all brokerages. A brokerage that cannot be asked is left out.",
    scope: "read",
    data: z.array(accountSchema),
    handle: async (call) => call.answer(await call.ask(QUERIES.listAccounts, {}, patient), "Your accounts"),
  });
  add({
    method: "POST",
    path: `${path}/login`,
    tag,
    summary: "Log in to a brokerage account",
    description:
      "Stage 1, without sessionId and sms, has a code sent by SMS and answers otp 1 and a sessionId. Stage 2 repeats " +
      "the fields with both and answers otp 0.",
    scope: "trade",
    body: loginBody,
    data: loginSchema,
    // Under a key a hash of the body would be kept, and with it something to try passwords on.
    isIdempotent: false,
    handle: async (call) => call.answer(await call.command(COMMANDS.login, call.body), sayStage),
  });
  add({
    method: "POST",
    path: `${path}/positions`,
    tag,
    summary: "List positions",
    description:
      "What the account holds now, as the brokerage tells it. With includeOrders each position has its orders of the day.",
    scope: "read",
    body: positionsBody,
    data: z.array(positionSchema),
    limit: (limits, { userId, body }) => limits.portfolio(userId, body.brokerageCode, body.accountNumber),
    handle: (call) => call.rows(QUERIES.listPositions, call.body, "The positions of the account", patient),
  });
  add({
    method: "POST",
    path: `${path}/daily-orders`,
    tag,
    summary: "List the day's orders",
    description: "All orders of the day at the brokerage, oldest first, whoever placed them.",
    scope: "read",
    body: dailyOrdersBody,
    data: z.array(dailyOrderSchema),
    limit: (limits, { userId, body }) => limits.portfolio(userId, body.brokerageCode, body.accountNumber),
    handle: (call) => call.rows(QUERIES.listDailyOrders, call.body, "The day's orders of the account", patient),
  });
}

function sayStage(data: unknown): string {
  const login = loginSchema.safeParse(data);
  return login.success && login.data.otp === 1 ? "A code was sent by SMS" : "You are logged in to the brokerage";
}
