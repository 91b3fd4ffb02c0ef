/**
 * Assistant tools that trade: each is an operation of the REST interface, called as its caller would.
 *
 * Owns: which operations are tools, and how a tool's input becomes a request. Does not own: anything about what they
 * do: the inner request meets the scopes, limits, checks and answers of the operation.
 *
 * Invariants:
 * 1. A tool that needs a scope is shown to tokens that have it, and the operation asks for it once more.
 * 2. The caller's token goes to the operation and nowhere else.
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { BARS_ANSWERED_MAX, barInterval } from "../../../src/contract/trading/bars.ts";
import { levelBotBody, webhookBotBody } from "../../../src/contract/trading/bot.ts";
import { limitsRequest } from "../../../src/contract/trading/limits.ts";
import {
  accountNumber,
  brokerageCode,
  changeGroupBody,
  createGroupBody,
  symbolCode,
} from "../../../src/contract/trading/oco.ts";
import { changeSetupBody, enterBody, registerSetupBody } from "../../../src/contract/trading/setup.ts";
import type { Scope } from "../../../src/domain/family.ts";

/** Makes a request of the caller's own to the REST interface. */
export type CallOperation = (method: string, path: string, body: object | undefined) => Promise<Response>;

interface TradingTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Contains `{id}` or `{symbol}` in place of the input's. */
  readonly path: string;
  readonly input: z.ZodObject;
}

const account = z.object({ brokerageCode, accountNumber });
const nothing = z.object({});
const id = z.number().int().positive();
const byId = z.object({ brokerageCode, id });
const since = z.string().max(64).optional();
/** Which part of a list is asked for; the operation knows the rules. */
const part = {
  symbol: symbolCode.optional(),
  limit: z.int().min(1).optional(),
  cursor: z.string().optional(),
};

const TOOLS: readonly TradingTool[] = [
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
    name: "get_prices",
    title: "Last prices",
    description: "Gives the last price of symbols, with its time and age.",
    scope: "read",
    method: "GET",
    path: "/api/v1/prices",
    input: z.object({ symbols: z.array(symbolCode).min(1).max(100) }),
  },
  {
    name: "get_bars",
    title: "Price history",
    description: "Gives what the price of a symbol did before: open, high, low and close by period, the newest last.",
    scope: "read",
    method: "GET",
    path: "/api/v1/symbols/{symbol}/bars",
    input: z.object({
      symbol: symbolCode,
      interval: barInterval,
      limit: z.number().int().min(1).max(BARS_ANSWERED_MAX).optional(),
    }),
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
  {
    name: "list_oco_orders",
    title: "OCO rows",
    description:
      "Lists the stop-loss and take-profit rows of an account, all groups and states, or only rows in given states (1 Active, 2 Triggered, 3 TriggerFailed, 4 Cancelled), of a symbol, or changed since a time. With limit the answer may name the cursor of the next part.",
    scope: "read",
    method: "GET",
    path: "/api/v1/oco-orders",
    input: account.extend({ status: z.array(z.int().min(1).max(4)).min(1).optional(), since, ...part }),
  },
  {
    name: "create_oco_order",
    title: "Create an OCO group",
    description:
      "Puts a stop-loss and take-profits of a position under watch. A level that the price has reached already sells immediately at market. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/oco-orders",
    input: createGroupBody,
  },
  {
    name: "change_oco_order",
    title: "Change a running OCO group",
    description:
      "Moves levels, quantities, due date, notes, exit, trailing stop-loss or ladder of the group that a row belongs to, in one step; what is not given stays. takeProfitItems is the whole new list of open take-profits: a take-profit that it leaves out is cancelled. A level that the price has reached already sells immediately at market. Ask the person before you call it.",
    scope: "trade",
    method: "PATCH",
    path: "/api/v1/oco-orders/{id}",
    input: changeGroupBody.extend({ id }),
  },
  {
    name: "cancel_oco_order",
    title: "Cancel an OCO group",
    description: "Stops watching the group that a row belongs to. The position is then unprotected.",
    scope: "trade",
    method: "DELETE",
    path: "/api/v1/oco-orders/{id}",
    input: byId,
  },
  {
    name: "get_oco_plan",
    title: "Plan of an OCO group",
    description:
      "Shows the rows of a group, how its stop-loss is sold and how far that is, and every order of the group.",
    scope: "read",
    method: "GET",
    path: "/api/v1/oco-orders/{id}/plan",
    input: z.object({ id }),
  },
  {
    name: "get_oco_outlook",
    title: "Outlook of an OCO group",
    description:
      "Shows what would happen if a price reached each level of a group now, and why: whether it fires, the order that leaves, measures of the exchange, session, the day's band, a hold, the trading state. Null is not known.",
    scope: "read",
    method: "GET",
    path: "/api/v1/oco-orders/{id}/outlook",
    input: z.object({ id }),
  },
  {
    name: "stop_oco_exit",
    title: "Stop an exit",
    description:
      "Ends the selling of a stop-loss that has fired: an open order is cancelled and no other one leaves. The lots that are left are then unprotected. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/oco-orders/{id}/stop-exit",
    input: z.object({ id }),
  },
  {
    name: "release_oco_order",
    title: "Release a held OCO group",
    description:
      "While a symbol is held (its price jumped overnight, as after a split), no level of it fires. This lets the levels of one group fire again; a level that the price has reached already sells immediately at market. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/oco-orders/{id}/release",
    input: z.object({ id }),
  },
  {
    name: "list_pending_oco_orders",
    title: "Pending OCOs",
    description: "Lists the setups of an account that wait for a buy order to fill.",
    scope: "read",
    method: "GET",
    path: "/api/v1/oco-orders/pending",
    input: account.extend(part),
  },
  {
    name: "register_pending_oco_order",
    title: "Register a pending OCO",
    description: "Ties levels to a brokerage buy order; the group is made when that order fills.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/oco-orders/register-pending",
    input: registerSetupBody,
  },
  {
    name: "enter_with_exits",
    title: "Enter with exits",
    description:
      "Buys: places a buy order together with its stop-loss and take-profits. Their group is made of the first part that is filled and grows with each fill; with protectPartial false it is made once the buy has ended. Until then the entry is a pending OCO, and removing that cancels the buy. Give exactly one of entry.quantity, entry.cashAmount and entry.riskAmount. A stop entry (orderType 3) buys at market once the price has risen to triggerPrice. Ask the person before you call it.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/oco-orders/entries",
    input: enterBody,
  },
  {
    name: "change_pending_oco_order",
    title: "Change a pending OCO",
    description:
      "Moves levels, quantities, due date, notes, exit, trailing stop-loss or ladder of a setup that still waits for its order, in one step, and of an entry its expiry and the trigger that it waits for; what is not given stays. takeProfitItems is the whole new list. Ask the person before you call it.",
    scope: "trade",
    method: "PATCH",
    path: "/api/v1/oco-orders/pending/{id}",
    input: changeSetupBody.extend({ id }),
  },
  {
    name: "remove_pending_oco_order",
    title: "Remove a pending OCO",
    description:
      "Removes a setup that still waits. What an order that its owner placed buys is then unprotected; the buy of an entry is cancelled, and a group is made of what it bought.",
    scope: "trade",
    method: "DELETE",
    path: "/api/v1/oco-orders/pending/{id}",
    input: byId,
  },
  ...botTools("level", "level-bots", levelBotBody),
  ...botTools("webhook", "webhook-bots", webhookBotBody),
];

function botTools(kind: string, folder: string, body: z.ZodObject): readonly TradingTool[] {
  return [
    {
      name: `list_${kind}_bots`,
      title: `List ${kind} bots`,
      description: `Lists the ${kind} bots of an account.`,
      scope: "read",
      method: "GET",
      path: `/api/v1/${folder}`,
      input: account,
    },
    {
      name: `create_${kind}_bot`,
      title: `Create a ${kind} bot`,
      description: `Makes a ${kind} bot; an active one trades by itself from then on. Ask the person before you call it.`,
      scope: "trade",
      method: "POST",
      path: `/api/v1/${folder}`,
      input: body,
    },
    {
      name: `end_${kind}_bot`,
      title: `End a ${kind} bot`,
      description: "Ends a bot that has no open pair.",
      scope: "trade",
      method: "DELETE",
      path: `/api/v1/${folder}/{id}`,
      input: byId,
    },
  ];
}

/** Adds the tools that the scopes allow. */
export function addTradingTools(server: McpServer, scopes: ReadonlySet<string>, call: CallOperation): void {
  for (const { name, title, description, scope, method, path, input } of TOOLS) {
    if (!scopes.has(scope)) continue;
    const annotations = { readOnlyHint: method === "GET", destructiveHint: method !== "GET", openWorldHint: true };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      const response = await call(method, addressOf(path, method, given), bodyOf(method, given));
      const texts = [await response.text()];
      const cursor = response.headers.get("x-next-cursor");
      if (cursor !== null) texts.push(`There is more: cursor ${cursor}`);
      return { isError: !response.ok, content: texts.map((text) => ({ type: "text", text })) };
    });
  }
}

/** The body of a request that has one: the id of a change is in the path. */
function bodyOf(method: string, given: Readonly<Record<string, unknown>>): object | undefined {
  if (method === "POST" || method === "PUT") return given;
  const { id: _, ...change } = given;
  return method === "PATCH" ? change : undefined;
}

/** The path with the id or symbol in its place, and what else a request without a body has as its query. */
function addressOf(path: string, method: string, given: Readonly<Record<string, unknown>>): string {
  const [, name = "id"] = /\{(\w+)\}/.exec(path) ?? [];
  const rest = Object.entries(given).filter(([key]) => key !== name);
  const query =
    method === "POST" || method === "PUT" || method === "PATCH"
      ? ""
      : new URLSearchParams(rest.map(([key, value]): [string, string] => [key, String(value)])).toString();
  return path.replace(`{${name}}`, String(given[name])) + (query === "" ? "" : `?${query}`);
}
