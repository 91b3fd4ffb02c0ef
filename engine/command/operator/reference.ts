/**
 * Changes of symbols, lists and restrictions. Only the shared partition takes these.
 */
import {
  createListBody,
  endRestrictionBody,
  listIdBody,
  REFERENCE_COMMANDS,
  updateListBody,
  writeRestrictionsBody,
  writeSymbolsBody,
} from "../../../src/contract/operator/reference.ts";
import type { ReferenceData } from "../../ports/reference.ts";
import { type AnyCommandHandler, checked, replyOf } from "../context.ts";

/** The commands over the reference data, by name. Scopes are the edge's to check; ownership of lists is checked here. */
export function referenceCommands(reference: ReferenceData): ReadonlyMap<string, AnyCommandHandler> {
  return new Map([
    [
      REFERENCE_COMMANDS.writeSymbols,
      checked({
        schema: writeSymbolsBody,
        handle: (_context, { symbols }, turn) => turn.decide(() => replyOf(reference.writeSymbols(symbols))),
      }),
    ],
    [
      REFERENCE_COMMANDS.writeRestrictions,
      checked({
        schema: writeRestrictionsBody,
        handle: (_context, { restrictions }, turn) =>
          turn.decide(() => replyOf(reference.writeRestrictions(restrictions))),
      }),
    ],
    [
      REFERENCE_COMMANDS.endRestriction,
      checked({
        schema: endRestrictionBody,
        handle: (_context, { id, validTo }, turn) => turn.decide(() => replyOf(reference.endRestriction(id, validTo))),
      }),
    ],
    [
      REFERENCE_COMMANDS.createList,
      checked({
        schema: createListBody,
        handle: (_context, body, turn) => turn.decide(() => replyOf(reference.createList(turn.userId, body))),
      }),
    ],
    [
      REFERENCE_COMMANDS.updateList,
      checked({
        schema: updateListBody,
        handle: (_context, body, turn) => turn.decide(() => replyOf(reference.updateList(turn.userId, body))),
      }),
    ],
    [
      REFERENCE_COMMANDS.deleteList,
      checked({
        schema: listIdBody,
        handle: (_context, { id }, turn) => turn.decide(() => replyOf(reference.deleteList(turn.userId, id))),
      }),
    ],
  ]);
}
