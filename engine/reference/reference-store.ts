/**
 * Reference data of the installation: symbols, lists and restrictions, over the shared partition's journal and store.
 *
 * Owns: opening it at start, its first content, when a change is published. Does not own: the rules of each part of it,
 * access rights.
 *
 * Invariants:
 * 1. All of it is in memory, read back from the store at every start.
 * 2. The first start writes all of the first content in one batch; no later start writes any of it again.
 * 3. A change is published once it is durable, before the reply to its request. At start everything is reported as
 *    changed: a crash can have lost a message, and others keep their copies for hours.
 */
import { assert } from "../../src/assert.ts";
import type { ReferenceChanged } from "../../src/contract/operator/reference.ts";
import type { ReferenceData } from "../ports/reference.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { readListSeeds, readRestrictionSeeds, readSymbolSeeds } from "./fixtures.ts";
import { Restrictions } from "./restrictions.ts";
import { LISTS, RESTRICTIONS, readAll, SYMBOLS, storedList, storedRestriction, storedSymbol } from "./stored.ts";
import type { SymbolDirectory } from "./symbol-directory.ts";
import { SymbolLists } from "./symbol-lists.ts";
import { SymbolTable } from "./symbol-table.ts";

interface ReferenceOptions {
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  /** The process's own; from here on it has the symbols of this store. */
  readonly directory: SymbolDirectory;
  /** Called after a change is durable. */
  readonly onChanged: (change: ReferenceChanged) => void;
}

/** Reads all of it back; at the very first start writes the first content. Call before anything else has turns. */
export async function openReferenceData(options: ReferenceOptions): Promise<ReferenceData> {
  const { journal, store, directory, onChanged } = options;
  let isOpen = false;
  // The first content is not published by itself: once it is there everything is reported as changed.
  const tell = (what: ReferenceChanged["what"]) => (): void => {
    if (isOpen) journal.afterDurable(() => onChanged({ what }));
  };
  const symbols = new SymbolTable(journal, directory, await readAll(store, SYMBOLS, storedSymbol), tell("symbols"));
  const lists = new SymbolLists(journal, directory, await readAll(store, LISTS, storedList), tell("lists"));
  const stored = await readAll(store, RESTRICTIONS, storedRestriction);
  const restrictions = new Restrictions(journal, symbols, stored, tell("restrictions"));
  const whenDurable = (): Promise<void> => new Promise((resolve) => journal.afterDurable(resolve));
  if (symbols.isEmpty) {
    writeFirstContent(symbols, lists, restrictions);
    await whenDurable();
  }
  isOpen = true;
  onChanged({ what: "all" });
  const rename: ReferenceData["rename"] = (renaming) => {
    const renamed = symbols.rename(renaming);
    if (!renamed.ok || !renamed.value.isChanged) return renamed;
    lists.rename(renaming);
    restrictions.rename(renaming);
    return renamed;
  };
  return { symbols, lists, restrictions, rename, whenDurable };
}

function writeFirstContent(symbols: SymbolTable, lists: SymbolLists, restrictions: Restrictions): void {
  assert(symbols.write(readSymbolSeeds()).ok, "the first symbols are in order");
  for (const list of readListSeeds()) lists.createIndex(list.name, list.description, list.symbols);
  assert(restrictions.write(readRestrictionSeeds()).ok, "the first restrictions are in order");
}
