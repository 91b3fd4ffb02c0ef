/**
 * Symbols and restrictions, written by operators (behaviour 11.7; behaviour 10.2).
 */
import {
  changeRestrictionBody,
  REFERENCE_COMMANDS,
  restrictionSchema,
  writeRestrictionsBody,
  writeSymbolsBody,
  writtenRestrictionsSchema,
  writtenSymbolsSchema,
} from "../../../src/contract/operator/reference.ts";
import { type EngineClient, SHARED_PARTITION } from "../../client/engine-client.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId } from "../../operation/parameters.ts";
import { writeImported } from "./bands.ts";

const tag = "Administration";
const shared = { partition: SHARED_PARTITION };

/** Adds the operations that write reference data. */
export function addReferenceWriting(add: AddOperation, reference: ReferenceClient, engine: EngineClient): void {
  add({
    operationId: "writeSymbols",
    method: "POST",
    path: "/admin/v1/symbols",
    tag,
    summary: "Add and change symbols",
    description:
      "All of them or none. A symbol is never removed. With isActive false nothing new begins with it (orders, OCO groups, " +
      "pending OCOs, running bots); existing ones continue.",
    scope: "admin",
    body: writeSymbolsBody,
    data: writtenSymbolsSchema,
    handle: async (call) => {
      const reply = await call.command(REFERENCE_COMMANDS.writeSymbols, call.body, shared);
      reference.changed("symbols");
      const refusal = reply.ok ? await writeImported(engine, call, call.body.symbols) : undefined;
      if (refusal !== undefined) return call.refuse(refusal);
      return call.answer(reply, "The symbols were written");
    },
  });
  add({
    operationId: "writeRestrictions",
    method: "POST",
    path: "/admin/v1/restrictions",
    tag,
    summary: "Add restrictions",
    description:
      "All of them or none. Without validTo a restriction is active; a symbol has at most one active restriction of " +
      "a type, and a second one is refused with 409.",
    scope: "admin",
    body: writeRestrictionsBody,
    data: writtenRestrictionsSchema,
    handle: async (call) => {
      const reply = await call.command(REFERENCE_COMMANDS.writeRestrictions, call.body, shared);
      reference.changed("restrictions");
      return call.answer(reply, "The restrictions were added");
    },
  });
  add({
    operationId: "endRestriction",
    method: "PUT",
    path: "/admin/v1/restrictions/:id",
    tag,
    summary: "End a restriction",
    description: "Sets when it ends or ended, also for a restriction that has ended already.",
    scope: "admin",
    params: byId,
    body: changeRestrictionBody,
    data: restrictionSchema,
    handle: async (call) => {
      const reply = await call.command(REFERENCE_COMMANDS.endRestriction, { ...call.params, ...call.body }, shared);
      reference.changed("restrictions");
      return call.answer(reply, "The restriction was ended");
    },
  });
}
