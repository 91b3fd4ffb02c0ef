/**
 * Webhook bots and their pair orders (behaviour 11.4; behaviour 9.1).
 *
 * The engine returns a bot's address as a path: only the edge knows the address of the installation.
 *
 * Invariant: only callers who can trade receive a bot's address, as it lets its holder trade.
 */
import { z } from "zod";
import { COMMANDS, QUERIES, type Reply } from "../../../src/contract/command.ts";
import {
  webhookBotBody,
  webhookBotRowSchema,
  webhookBotSchema,
  webhookPairSchema,
} from "../../../src/contract/trading/bot.ts";
import type { OriginOf } from "../../middleware/origin.ts";
import type { Call } from "../../operation/call.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId, ofAccount, ofBrokerage } from "../../operation/parameters.ts";
import { addSharedBotOperations } from "./both-kinds.ts";

const tag = "Webhook bots";
const path = "/api/v1/webhook-bots";

type AnyCall = Pick<Call<unknown, unknown, unknown>, "context" | "caller">;

/** Adds the operations on webhook bots. */
export function addWebhookBotOperations(add: AddOperation, originOf: OriginOf): void {
  const withUrl = ({ context, caller }: AnyCall) => {
    const origin = caller.scopes.has("trade") ? originOf(context) : undefined;
    return (row: unknown): object => {
      const { webhookPath, ...bot } = webhookBotRowSchema.parse(row);
      return origin === undefined ? bot : { ...bot, webhookUrl: origin + webhookPath };
    };
  };
  const replyWithUrl = (call: AnyCall, reply: Reply): Reply =>
    reply.ok ? { ...reply, data: withUrl(call)(reply.data) } : reply;

  add({
    operationId: "listWebhookBots",
    method: "GET",
    path,
    tag,
    summary: "List the webhook bots of an account",
    description:
      "With their settings per symbol and, for callers with the scope `trade`, the address that signals are sent to.",
    scope: "read",
    query: ofAccount,
    data: z.array(webhookBotSchema),
    handle: (call) =>
      call.rows(QUERIES.listWebhookBots, call.query, "The webhook bots of the account", {
        mapRow: withUrl(call),
      }),
  });
  add({
    operationId: "createWebhookBot",
    method: "POST",
    path,
    tag,
    summary: "Create a webhook bot",
    description: "Returns the address that signals are sent to; anyone who knows it can trade with the bot.",
    scope: "trade",
    hasVersion: true,
    body: webhookBotBody,
    data: webhookBotSchema,
    handle: async (call) => {
      const reply = await call.command(COMMANDS.createWebhookBot, call.body);
      return call.answer(replyWithUrl(call, reply), "The webhook bot was created");
    },
  });
  add({
    operationId: "getWebhookBot",
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "Show a webhook bot",
    description:
      "With its settings per symbol and, for callers with the scope `trade`, the address that signals are sent to.",
    scope: "read",
    hasVersion: true,
    params: byId,
    query: ofBrokerage,
    data: webhookBotSchema,
    handle: async (call) => {
      const reply = await call.ask(QUERIES.readWebhookBot, { ...call.params, ...call.query });
      return call.answer(replyWithUrl(call, reply), "The webhook bot");
    },
  });
  add({
    operationId: "updateWebhookBot",
    method: "PUT",
    path: `${path}/:id`,
    tag,
    summary: "Update a webhook bot",
    description: "The body is the whole bot; its account and its webhookUrl stay.",
    scope: "trade",
    honoursIfMatch: true,
    hasVersion: true,
    params: byId,
    body: webhookBotBody,
    data: webhookBotSchema,
    handle: async (call) => {
      const body = { ...call.params, bot: call.body, ...call.versions };
      const reply = await call.command(COMMANDS.updateWebhookBot, body);
      return call.answer(replyWithUrl(call, reply), "The webhook bot was updated");
    },
  });
  addSharedBotOperations(add, {
    ...{ tag, path },
    name: "WebhookBot",
    words: "webhook bot",
    deleteCommand: COMMANDS.deleteWebhookBot,
    historyQuery: QUERIES.listWebhookPairHistory,
    totalsQuery: QUERIES.listWebhookTotals,
  });
  add({
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: `${path}/:id/rotate-secret`,
    tag,
    summary: "Give a webhook bot a new address",
    description: "Signals to the old webhookUrl are refused from here on.",
    scope: "trade",
    isIdempotent: false,
    honoursIfMatch: true,
    hasVersion: true,
    params: byId,
    data: webhookBotSchema,
    handle: async (call) => {
      const reply = await call.command(COMMANDS.rotateWebhookSecret, { ...call.params, ...call.versions });
      return call.answer(replyWithUrl(call, reply), "The webhook bot has a new address");
    },
  });
  add({
    operationId: "listWebhookBotPairs",
    method: "GET",
    path: `${path}/:id/pair-orders`,
    tag,
    summary: "List the active pair orders of a webhook bot",
    description: "Pairs that were bought and are not sold yet.",
    scope: "read",
    params: byId,
    query: ofBrokerage,
    data: z.array(webhookPairSchema),
    handle: (call) =>
      call.rows(QUERIES.listWebhookPairs, { ...call.params, ...call.query }, "The active pair orders of the bot"),
  });
}
