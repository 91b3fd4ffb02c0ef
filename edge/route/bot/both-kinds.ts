/** The shared operations of level bots and webhook bots: their end, and the history of their pairs. */
import { z } from "zod";
import { botTotalsSchema, pairHistorySchema } from "../../../src/contract/trading/bot.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId, ofAccount, ofAnyBrokerage, wholeNumberParameter } from "../../operation/parameters.ts";

const PAGE_MAX = 1_000_000_000;
const PAGE_SIZE_MAX = 100;
const PAGE_SIZE_DEFAULT = 10;

const ofHistory = ofAccount.extend({
  page: wholeNumberParameter(1, PAGE_MAX, 1),
  pageSize: wholeNumberParameter(1, PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT),
});

interface BotResource {
  readonly tag: string;
  readonly path: string;
  /** The form in names of operations: `LevelBot`. */
  readonly name: string;
  /** The form in messages to people: `level bot`. */
  readonly words: string;
  readonly deleteCommand: string;
  readonly historyQuery: string;
  readonly totalsQuery: string;
}

/** Adds the end of a bot, and the closed pairs and the totals of all bots of an account. */
export function addSharedBotOperations(add: AddOperation, resource: BotResource): void {
  const { tag, path, name, words, deleteCommand, historyQuery, totalsQuery } = resource;
  add({
    operationId: `delete${name}`,
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: `Delete a ${words}`,
    description: "Only one without open pair orders; else 409.",
    scope: "trade",
    canConflict: true,
    honoursIfMatch: true,
    params: byId,
    query: ofAnyBrokerage,
    data: z.literal(true),
    handle: async (call) => {
      const body = { ...call.params, ...call.query, ...call.versions };
      return call.answer(await call.command(deleteCommand, body), `The ${words} was deleted`);
    },
  });
  add({
    operationId: `list${name}PairHistory`,
    method: "GET",
    path: `${path}/pair-orders/history`,
    tag,
    summary: `List the closed pair orders of an account's ${words}s, newest first`,
    scope: "read",
    query: ofHistory,
    data: pairHistorySchema,
    handle: async (call) =>
      call.answer(await call.ask(historyQuery, call.query), "The pair order history of the account"),
  });
  add({
    operationId: `list${name}Totals`,
    method: "GET",
    path: `${path}/pair-orders/totals`,
    tag,
    summary: `List what each of an account's ${words}s brought and holds`,
    description:
      "Sums of all closed pairs, however old, and the open pairs by symbol. Deleted bots with closed pairs count.",
    scope: "read",
    query: ofAccount,
    data: z.array(botTotalsSchema),
    handle: (call) => call.rows(totalsQuery, call.query, `The totals of the account's ${words}s`),
  });
}
