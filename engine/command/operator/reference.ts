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
import { RENAME_COMMANDS, renamingBody } from "../../../src/contract/operator/rename.ts";
import type { ReferenceData } from "../../ports/reference.ts";
import { type AnyCommandHandler, decidedBy } from "../context.ts";

/** The commands over the reference data, by name. The edge checks scopes; the ownership of lists is checked here. */
export function referenceCommands(reference: ReferenceData): ReadonlyMap<string, AnyCommandHandler> {
  const { symbols, lists, restrictions } = reference;
  return new Map([
    [REFERENCE_COMMANDS.writeSymbols, decidedBy(writeSymbolsBody, (body) => symbols.write(body.symbols))],
    [
      REFERENCE_COMMANDS.writeRestrictions,
      decidedBy(writeRestrictionsBody, (body) => restrictions.write(body.restrictions)),
    ],
    [
      REFERENCE_COMMANDS.endRestriction,
      decidedBy(endRestrictionBody, ({ id, validTo }) => restrictions.end(id, validTo)),
    ],
    [RENAME_COMMANDS.write, decidedBy(renamingBody, (renaming) => reference.rename(renaming))],
    [REFERENCE_COMMANDS.createList, decidedBy(createListBody, (body, userId) => lists.create(userId, body))],
    [REFERENCE_COMMANDS.updateList, decidedBy(updateListBody, (body, userId) => lists.update(userId, body))],
    [REFERENCE_COMMANDS.deleteList, decidedBy(listIdBody, ({ id }, userId) => lists.delete(userId, id))],
  ]);
}
