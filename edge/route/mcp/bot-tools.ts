/** Assistant tools for bots: the same for both kinds. */
import type { z } from "zod";
import { levelBotBody, webhookBotBody } from "../../../src/contract/trading/bot.ts";
import { account, byId, type TradingTool } from "./trading-tool.ts";

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
