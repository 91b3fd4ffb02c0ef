/**
 * Accounts at brokerages: listing, logging in, positions and the day's orders (behaviour 11.1).
 */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { ledgerRowSchema } from "../../../src/contract/trading/ledger.ts";
import {
  accountSchema,
  balanceViewSchema,
  dailyOrderSchema,
  dailyOrdersBody,
  loginBody,
  loginSchema,
  positionSchema,
  positionsBody,
  resetBody,
  type resolveAccountBody,
  resolvedAccountSchema,
} from "../../../src/contract/trading/trading.ts";
import {
  flattenedSchema,
  flattenRequest,
  TRADING_STATE_COMMANDS,
} from "../../../src/contract/trading/trading-state.ts";
import type { Limits } from "../../middleware/limits.ts";
import type { Call } from "../../operation/call.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { ofAccount } from "../../operation/parameters.ts";
import type { Allowance } from "../../server/request-state.ts";

const tag = "Accounts";
const path = "/api/v1/accounts";

/** Adds the operations on accounts. */
export function addAccountOperations(add: AddOperation): void {
  add({
    operationId: "listAccounts",
    method: "GET",
    path,
    tag,
    summary: "List accounts",
    description: "The accounts at all brokerages. A brokerage that cannot be asked is left out.",
    scope: "read",
    data: z.array(accountSchema),
    handle: async (call) => call.answer(await call.ask(QUERIES.listAccounts, {}), "Your accounts"),
  });
  add({
    operationId: "logInToAccount",
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
    operationId: "listPositions",
    method: "POST",
    path: `${path}/positions`,
    tag,
    summary: "List positions",
    description:
      "What the account holds now, as the brokerage reports it. With includeOrders each position has its orders, as the brokerage returns them: the paper brokerage returns the open ones.",
    scope: "read",
    body: positionsBody,
    data: z.array(positionSchema),
    limit: (limits, call) => portfolioLimit(limits, call, call.body),
    handle: (call) => call.rows(QUERIES.listPositions, call.body, "The positions of the account"),
  });
  add({
    operationId: "listDailyOrders",
    method: "POST",
    path: `${path}/daily-orders`,
    tag,
    summary: "List the day's orders",
    description: "All orders of the day at the brokerage, oldest first, regardless of who placed them.",
    scope: "read",
    body: dailyOrdersBody,
    data: z.array(dailyOrderSchema),
    limit: (limits, call) => portfolioLimit(limits, call, call.body),
    handle: (call) => call.rows(QUERIES.listDailyOrders, call.body, "The day's orders of the account"),
  });
  add({
    operationId: "readBalance",
    method: "GET",
    path: `${path}/balance`,
    tag,
    summary: "Show the money of an account",
    description: "As the brokerage reports it now. A brokerage that does not report balances causes a 400.",
    scope: "read",
    query: ofAccount,
    data: balanceViewSchema,
    limit: (limits, call) => portfolioLimit(limits, call, call.query),
    handle: async (call) => call.answer(await call.ask(QUERIES.readBalance, call.query), "The money of the account"),
  });
  add({
    operationId: "resetPaperAccount",
    method: "POST",
    path: `${path}/reset`,
    tag,
    summary: "Set a paper account back",
    description:
      "Cancels its open orders and gives it the cash and positions that it began with. Only at a paper brokerage within the engine; 409 while the account has OCO groups, pending OCOs, bots or orders without an answer.",
    scope: "trade",
    isIdempotent: false,
    canConflict: true,
    body: resetBody,
    data: balanceViewSchema,
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.resetAccount, call.body), "The account is set back"),
  });
  add({
    operationId: "readSellLedger",
    method: "GET",
    path: `${path}/sell-ledger`,
    tag,
    summary: "Show what may still be sold of each symbol",
    description:
      "What the account holds, the sells that are open, and what OCO groups, pending OCOs and bots can still sell. A part that the brokerage does not report now is null.",
    scope: "read",
    query: ofAccount,
    data: z.array(ledgerRowSchema),
    limit: (limits, call) => portfolioLimit(limits, call, call.query),
    handle: async (call) => call.answer(await call.ask(QUERIES.readSellLedger, call.query), "The sell ledger"),
  });
  add({
    operationId: "flattenAccount",
    method: "POST",
    path: `${path}/flatten`,
    tag,
    summary: "Sell all that an account holds",
    description:
      "Halts the account, cancels its open orders, its OCO groups and its pending OCOs, and sells what it holds at market, each symbol until its last lot is sold: an OCO group without take-profits does so, which stop-exit ends. What is not sold is named in left, with the reason. A stop-loss that is being sold continues by itself. Nothing is done if the brokerage does not report what is held (503). Trading stays halted until POST /api/v1/trading-state.",
    scope: "trade",
    isIdempotent: false,
    body: flattenRequest,
    data: flattenedSchema,
    handle: async (call) =>
      call.answer(await call.command(TRADING_STATE_COMMANDS.flatten, call.body), "The account is being sold"),
  });
}

/**
 * One limit for an account, whichever of its names the request uses. If the engine cannot resolve the account, the name
 * itself counts: the request then has no effect.
 */
async function portfolioLimit(
  limits: Limits,
  call: Pick<Call<unknown, unknown, unknown>, "ask" | "userId">,
  named: z.output<typeof resolveAccountBody>,
): Promise<Allowance | undefined> {
  const { brokerageCode, accountNumber } = named;
  const reply = await call.ask(QUERIES.resolveAccount, { brokerageCode, accountNumber });
  const account = reply.ok ? resolvedAccountSchema.parse(reply.data) : named;
  return limits.portfolio(call.userId, brokerageCode, account.accountNumber);
}

function sayStage(data: unknown): string {
  const login = loginSchema.safeParse(data);
  return login.success && login.data.otp === 1 ? "A code was sent by SMS" : "You are logged in to the brokerage";
}
