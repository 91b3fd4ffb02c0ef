/** Assistant tools for bots: the same for both kinds. */
import { z } from "zod";
import { levelBotBody, webhookBotBody } from "../../../src/contract/trading/bot.ts";
import { account, byId, id, type TradingTool } from "./trading-tool.ts";

export const BOT_TOOLS: readonly TradingTool[] = [
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
      name: `update_${kind}_bot`,
      title: `Update a ${kind} bot`,
      description: `Replaces the settings of a ${kind} bot; the input is the whole bot. With isActive false it orders nothing any more, and its open pairs are not sold. Ask the person before you call it.`,
      scope: "trade",
      method: "PUT",
      path: `/api/v1/${folder}/{id}`,
      input: body.extend({ id }),
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
    {
      name: `list_${kind}_bot_pairs`,
      title: `Open pairs of a ${kind} bot`,
      description: "Lists the pairs of a bot that were bought and are not sold yet.",
      scope: "read",
      method: "GET",
      path: `/api/v1/${folder}/{id}/pair-orders`,
      input: byId,
    },
    {
      name: `list_${kind}_bot_history`,
      title: `Closed pairs of ${kind} bots`,
      description: `Lists the closed pairs of an account's ${kind} bots with their profit, newest first, page by page.`,
      scope: "read",
      method: "GET",
      path: `/api/v1/${folder}/pair-orders/history`,
      input: account.extend({ page: z.int().min(1).optional(), pageSize: z.int().min(1).max(100).optional() }),
    },
    {
      name: `list_${kind}_bot_totals`,
      title: `Totals of ${kind} bots`,
      description: `Lists the profit of each of an account's ${kind} bots over all closed pairs, and what it holds by symbol.`,
      scope: "read",
      method: "GET",
      path: `/api/v1/${folder}/pair-orders/totals`,
      input: account,
    },
  ];
}
