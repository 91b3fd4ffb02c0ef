/**
 * Symbol lists (behaviour 11.5; behaviour 10.1).
 */
import { z } from "zod";
import type { Reply } from "../../../src/contract/command.ts";
import {
  changeListBody,
  createListBody,
  REFERENCE_COMMANDS,
  symbolListDetailSchema,
  symbolListItemSchema,
  writtenListSchema,
} from "../../../src/contract/operator/reference.ts";
import { SHARED_PARTITION } from "../../client/engine-client.ts";
import { REFERENCE_TIMEOUT_MS, type ReferenceClient } from "../../client/reference-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId } from "../../operation/parameters.ts";
import { answerReference, requestIdOf } from "./reference-answer.ts";

const tag = "Symbol lists";
const path = "/api/v1/symbol-lists";
const shared = { partition: SHARED_PARTITION, timeoutMs: REFERENCE_TIMEOUT_MS };

/** Adds the operations on symbol lists. */
export function addSymbolListOperations(add: AddOperation, reference: ReferenceClient): void {
  /** The next read from here sees a write from here, whenever the message about it arrives. */
  const written = async (writing: Promise<Reply>): Promise<Reply> => {
    const reply = await writing;
    reference.changed("lists");
    return reply;
  };
  add({
    operationId: "listSymbolLists",
    method: "GET",
    path,
    tag,
    summary: "List the symbol lists that you may read",
    description: "Your own, what others made public, and the system's INDEX lists.",
    scope: "read",
    data: z.array(symbolListItemSchema),
    handle: ({ context, userId }) =>
      answerReference(context, reference.lists(userId, requestIdOf(context)), "The symbol lists"),
  });
  add({
    operationId: "getSymbolList",
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "One symbol list",
    description: "With its symbols.",
    scope: "read",
    params: byId,
    data: symbolListDetailSchema,
    handle: ({ context, userId, params }) =>
      answerReference(context, reference.list(userId, params.id, requestIdOf(context)), "The symbol list"),
  });
  add({
    operationId: "createSymbolList",
    method: "POST",
    path,
    tag,
    summary: "Create a symbol list",
    description: "Its symbols must be known; a symbol that is listed twice is kept once.",
    scope: "trade",
    body: createListBody,
    data: writtenListSchema,
    handle: async (call) => {
      const reply = await written(call.command(REFERENCE_COMMANDS.createList, call.body, shared));
      return call.answer(reply, "The symbol list was created");
    },
  });
  add({
    operationId: "updateSymbolList",
    method: "PUT",
    path: `${path}/:id`,
    tag,
    summary: "Change name, description and symbols of your symbol list",
    description: "A description that is left out stays.",
    scope: "trade",
    params: byId,
    body: changeListBody,
    data: writtenListSchema,
    handle: async (call) => {
      const body = { id: call.params.id, ...call.body };
      return call.answer(
        await written(call.command(REFERENCE_COMMANDS.updateList, body, shared)),
        "The symbol list was changed",
      );
    },
  });
  add({
    operationId: "deleteSymbolList",
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Delete your symbol list",
    description: "For good.",
    scope: "trade",
    params: byId,
    handle: async (call) => {
      const reply = await written(call.command(REFERENCE_COMMANDS.deleteList, { id: call.params.id }, shared));
      return call.answer(reply.ok ? { ok: true, data: undefined } : reply, "The symbol list was deleted");
    },
  });
}
