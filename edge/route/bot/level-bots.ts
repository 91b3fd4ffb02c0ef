/**
 * Level bots, their pair orders and the history of an account (behaviour 11.4).
 */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import {
  createdLevelBotSchema,
  levelBotBody,
  levelBotSchema,
  levelPairSchema,
  sellTargetSchema,
} from "../../../src/contract/trading/bot.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId, ofAccount, ofBrokerage } from "../../operation/parameters.ts";
import { addSharedBotOperations } from "./both-kinds.ts";

const tag = "Level bots";
const path = "/api/v1/level-bots";
/** Adds the operations on level bots. */
export function addLevelBotOperations(add: AddOperation): void {
  add({
    operationId: "listLevelBots",
    method: "GET",
    path,
    tag,
    summary: "List the level bots of an account",
    description: "With their settings per symbol.",
    scope: "read",
    query: ofAccount,
    data: z.array(levelBotSchema),
    handle: (call) => call.rows(QUERIES.listLevelBots, call.query, "The level bots of the account"),
  });
  add({
    operationId: "createLevelBot",
    method: "POST",
    path,
    tag,
    summary: "Create a level bot",
    description: "While it is active it buys when the price has fallen by buyGap and sells at its target, per symbol.",
    scope: "trade",
    hasVersion: true,
    body: levelBotBody,
    data: createdLevelBotSchema,
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.createLevelBot, call.body), "The level bot was created"),
  });
  add({
    operationId: "getLevelBot",
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "Show a level bot",
    description: "With its settings per symbol.",
    scope: "read",
    hasVersion: true,
    params: byId,
    query: ofBrokerage,
    data: levelBotSchema,
    handle: async (call) =>
      call.answer(await call.ask(QUERIES.readLevelBot, { ...call.params, ...call.query }), "The level bot"),
  });
  add({
    operationId: "updateLevelBot",
    method: "PUT",
    path: `${path}/:id`,
    tag,
    summary: "Update a level bot",
    description: "The body is the whole bot; its account stays. What is left out and has open pairs still sells them.",
    scope: "trade",
    honoursIfMatch: true,
    hasVersion: true,
    params: byId,
    body: levelBotBody,
    data: levelBotSchema,
    handle: async (call) => {
      const body = { ...call.params, bot: call.body, ...call.versions };
      return call.answer(await call.command(COMMANDS.updateLevelBot, body), "The level bot was updated");
    },
  });
  addSharedBotOperations(add, {
    ...{ tag, path },
    name: "LevelBot",
    words: "level bot",
    deleteCommand: COMMANDS.deleteLevelBot,
    historyQuery: QUERIES.listLevelPairHistory,
    totalsQuery: QUERIES.listLevelTotals,
  });
  add({
    operationId: "listLevelBotPairs",
    method: "GET",
    path: `${path}/:id/pair-orders`,
    tag,
    summary: "List the active pair orders of a level bot",
    description: "Pairs that were bought and are not sold yet.",
    scope: "read",
    params: byId,
    query: ofBrokerage,
    data: z.array(levelPairSchema),
    handle: (call) =>
      call.rows(QUERIES.listLevelPairs, { ...call.params, ...call.query }, "The active pair orders of the bot"),
  });
  add({
    operationId: "listLevelBotTargets",
    method: "GET",
    path: `${path}/:id/pair-orders/targets`,
    tag,
    summary: "List the sell prices of the active pair orders of a level bot",
    description: "By pair, the lowest live price at which it is sold.",
    scope: "read",
    params: byId,
    query: ofBrokerage,
    data: z.array(sellTargetSchema),
    handle: (call) =>
      call.rows(QUERIES.listLevelTargets, { ...call.params, ...call.query }, "The sell prices of the bot's pairs"),
  });
}
