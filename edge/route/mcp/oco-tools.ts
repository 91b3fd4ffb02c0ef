/** Assistant tools for OCO groups, pending OCOs and entries. */
import { z } from "zod";
import { changeGroupBody, createGroupBody } from "../../../src/contract/trading/oco.ts";
import { changeSetupBody, enterBody, registerSetupBody } from "../../../src/contract/trading/setup.ts";
import { account, byId, id, part, since, type TradingTool } from "./trading-tool.ts";

export const OCO_TOOLS: readonly TradingTool[] = [
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
    name: "get_oco_receipt",
    title: "Receipt of a fired row",
    description:
      "Shows why and when a row fired, and the outcome of its sell: the tick, the times of each step, the attempts and the order. A row that has not fired has no receipt.",
    scope: "read",
    method: "GET",
    path: "/api/v1/oco-orders/{id}/receipt",
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
];
