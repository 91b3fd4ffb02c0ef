/** Assistant tools for accounts: what they are, their trading state, their limits. */
import { z } from "zod";
import { limitsRequest } from "../../../src/contract/trading/limits.ts";
import { account, nothing, type TradingTool } from "./trading-tool.ts";

export const ACCOUNT_TOOLS: readonly TradingTool[] = [
  {
    name: "list_accounts",
    title: "Accounts",
    description:
      "Lists the caller's brokerage accounts. Other tools name an account by brokerageCode and accountNumber.",
    scope: "read",
    method: "GET",
    path: "/api/v1/accounts",
    input: nothing,
  },
  {
    name: "get_trading_state",
    title: "Trading state",
    description: "Shows what is halted or only reduces positions: the installation, the user, single accounts.",
    scope: "read",
    method: "GET",
    path: "/api/v1/trading-state",
    input: z.object({}),
  },
  {
    name: "halt_trading",
    title: "Halt trading",
    description:
      "Halts the user's trading (no orders by hand, no take-profits, bots are switched off; stop-losses still fire), or lets only sells pass (reducing). Only a person can resume it. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/trading-state",
    input: z.object({
      scope: z.literal("user"),
      state: z.enum(["reducing", "halted"]),
      reason: z.string().min(1).max(200),
    }),
  },
  {
    name: "get_limits",
    title: "Limits",
    description: "Shows the limits of an account, and what own fills of the day have realised. Null: no limit.",
    scope: "read",
    method: "GET",
    path: "/api/v1/limits",
    input: account,
  },
  {
    name: "set_limits",
    title: "Set limits",
    description:
      "Replaces all limits of an account: the loss of a day, orders in a minute, the value of an order. A limit that is left out is removed. Ask the person before you call it.",
    scope: "trade",
    method: "PUT",
    path: "/api/v1/limits",
    input: limitsRequest,
  },
];
