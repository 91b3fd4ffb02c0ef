/** Assistant tools for accounts: positions, money, orders, the sell ledger, the trading state, limits. */
import { z } from "zod";
import { limitsRequest } from "../../../src/contract/trading/limits.ts";
import { accountNumber, brokerageCode } from "../../../src/contract/trading/oco.ts";
import { cancelOrderBody, dailyOrdersBody, positionsBody } from "../../../src/contract/trading/trading.ts";
import { flattenRequest } from "../../../src/contract/trading/trading-state.ts";
import { account, nothing, part, since, type TradingTool } from "./trading-tool.ts";

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
    name: "list_positions",
    title: "Positions",
    description: "Lists what an account holds now, as its brokerage reports it.",
    scope: "read",
    method: "POST",
    path: "/api/v1/accounts/positions",
    input: positionsBody,
  },
  {
    name: "get_balance",
    title: "Money of an account",
    description: "Shows cash, buying power and equity of an account, as its brokerage reports them now.",
    scope: "read",
    method: "GET",
    path: "/api/v1/accounts/balance",
    input: account,
  },
  {
    name: "get_sell_ledger",
    title: "Sell ledger",
    description:
      "Shows for each symbol of an account the lots that are held, the sells that are open, and the lots that OCO groups, pending OCOs and bots can still sell. overcommitted: they can sell more than is held. Null is not known, which is never zero.",
    scope: "read",
    method: "GET",
    path: "/api/v1/accounts/sell-ledger",
    input: account,
  },
  {
    name: "list_orders",
    title: "Followed orders",
    description:
      "Lists the orders of an account that the service follows, with their state and owner: orders of OCO groups, pending OCOs and bots, and orders that clients placed. Only in given states, of a symbol, or since a time. With limit the answer may name the cursor of the next part.",
    scope: "read",
    method: "GET",
    path: "/api/v1/orders",
    input: account.extend({ state: z.array(z.string().max(20)).min(1).optional(), since, ...part }),
  },
  {
    name: "get_order",
    title: "One order",
    description: "Shows an order by its number as the brokerage reports it now, and what the service knows of it.",
    scope: "read",
    method: "GET",
    path: "/api/v1/orders/{orderNo}",
    input: account.extend({ orderNo: cancelOrderBody.shape.orderNo }),
  },
  {
    name: "list_daily_orders",
    title: "Orders of the day",
    description: "Lists all orders of the day at the brokerage, also orders that were placed elsewhere.",
    scope: "read",
    method: "POST",
    path: "/api/v1/accounts/daily-orders",
    input: dailyOrdersBody,
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
      "Halts trading (no orders by hand, no take-profits, bots are switched off; stop-losses still fire), or lets only sells pass (reducing): of the user, or with scope account of the account that brokerageCode and accountNumber name. Only a person can resume it. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/trading-state",
    input: z.object({
      scope: z.enum(["user", "account"]),
      brokerageCode: brokerageCode.optional(),
      accountNumber: accountNumber.optional(),
      state: z.enum(["reducing", "halted"]),
      reason: z.string().min(1).max(200),
    }),
  },
  {
    name: "flatten_account",
    title: "Sell all of an account",
    description:
      "Halts an account, cancels its open orders, OCO groups and pending OCOs, and sells all that it holds at market. It cannot be undone. left in the answer names what is not sold, and why. Only a person can resume trading. Ask the person before you call it, and have the person give the word for confirm: FLATTEN.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/accounts/flatten",
    input: flattenRequest,
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
