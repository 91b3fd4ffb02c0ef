/**
 * Reference data of the installation: symbols, lists and restrictions, over the shared partition's journal and store.
 *
 * Owns: opening it at start, its first content, telling the bus of changes. Does not own: the rules of each part of it,
 * who may ask.
 *
 * Invariants:
 * 1. All of it is in memory, read back from the store at every start.
 * 2. The first start writes all of the first content in one batch; no later start writes any of it again.
 * 3. A change is told once it is durable, before the reply to what made it. At start everything is told to have
 *    changed: a crash may have swallowed a word, and others keep what they read for hours.
 */
import { assert } from "../../src/assert.ts";
import type {
  CreateListBody,
  ReferenceChanged,
  RestrictedByTypeView,
  RestrictedSymbolView,
  RestrictionCheckView,
  RestrictionInput,
  RestrictionView,
  SymbolInput,
  SymbolListDetail,
  SymbolListItem,
  SymbolView,
  UpdateListBody,
  WrittenList,
} from "../../src/contract/operator/reference.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import type { ReferenceData } from "../ports/reference.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { readListSeeds, readRestrictionSeeds, readSymbolSeeds } from "./fixtures.ts";
import { Restrictions } from "./restrictions.ts";
import { LISTS, RESTRICTIONS, readAll, SYMBOLS, storedList, storedRestriction, storedSymbol } from "./stored.ts";
import type { SymbolDirectory } from "./symbol-directory.ts";
import { SymbolLists } from "./symbol-lists.ts";
import { SymbolTable, symbolView } from "./symbol-table.ts";

interface ReferenceStoreOptions {
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  /** The process's own; from here on it knows what this store knows. */
  readonly directory: SymbolDirectory;
  /** Told after a change is durable. */
  readonly onChanged: (change: ReferenceChanged) => void;
}

export class ReferenceStore implements ReferenceData {
  readonly #journal: Journal;
  readonly #onChanged: ReferenceStoreOptions["onChanged"];
  readonly #symbols: SymbolTable;
  readonly #lists: SymbolLists;
  readonly #restrictions: Restrictions;

  private constructor(
    options: ReferenceStoreOptions,
    symbols: SymbolTable,
    lists: SymbolLists,
    restrictions: Restrictions,
  ) {
    this.#journal = options.journal;
    this.#onChanged = options.onChanged;
    this.#symbols = symbols;
    this.#lists = lists;
    this.#restrictions = restrictions;
  }

  /** Reads the store back; at the very first start writes the first content. Call before anything else has turns. */
  static async open(options: ReferenceStoreOptions): Promise<ReferenceStore> {
    const { journal, store, directory } = options;
    const symbols = new SymbolTable(journal, directory, await readAll(store, SYMBOLS, storedSymbol));
    const lists = new SymbolLists(journal, directory, await readAll(store, LISTS, storedList));
    const restrictions = new Restrictions(journal, symbols, await readAll(store, RESTRICTIONS, storedRestriction));
    const reference = new ReferenceStore(options, symbols, lists, restrictions);
    if (symbols.isEmpty) {
      reference.#writeFirstContent();
      await reference.whenDurable();
    }
    options.onChanged({ what: "all" });
    return reference;
  }

  writeSymbols(symbols: readonly SymbolInput[]): Result<{ readonly written: number }> {
    return this.#tell("symbols", this.#symbols.write(symbols));
  }

  listSymbols(): readonly SymbolView[] {
    return this.#symbols.all();
  }

  findSymbol(symbol: string): Result<SymbolView> {
    const found = this.#symbols.find(symbol);
    return found === undefined ? refuse("NOT_FOUND", "the symbol was not found") : accept(symbolView(found));
  }

  createList(userId: number, body: CreateListBody): Result<WrittenList> {
    return this.#tell("lists", this.#lists.create(userId, body));
  }

  updateList(userId: number, body: UpdateListBody): Result<WrittenList> {
    return this.#tell("lists", this.#lists.update(userId, body));
  }

  deleteList(userId: number, id: number): Result<true> {
    return this.#tell("lists", this.#lists.delete(userId, id));
  }

  listLists(userId: number): readonly SymbolListItem[] {
    return this.#lists.visibleTo(userId);
  }

  findList(userId: number, id: number): Result<SymbolListDetail> {
    return this.#lists.find(userId, id);
  }

  writeRestrictions(restrictions: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }> {
    return this.#tell("restrictions", this.#restrictions.write(restrictions));
  }

  endRestriction(id: number, validTo: string): Result<RestrictionView> {
    return this.#tell("restrictions", this.#restrictions.end(id, validTo));
  }

  listActiveRestrictions(restrictionType: number | null): readonly RestrictedSymbolView[] {
    return this.#restrictions.activeBySymbol(restrictionType);
  }

  listRestrictedByType(restrictionType: number): readonly RestrictedByTypeView[] {
    return this.#restrictions.activeOfType(restrictionType);
  }

  checkRestriction(code: string, restrictionType: number): Result<RestrictionCheckView> {
    return this.#restrictions.check(code, restrictionType);
  }

  listRestrictionsOf(code: string): Result<readonly RestrictionView[]> {
    return this.#restrictions.historyOf(code);
  }

  whenDurable(): Promise<void> {
    return new Promise((resolve) => this.#journal.afterDurable(resolve));
  }

  #tell<T>(what: ReferenceChanged["what"], result: Result<T>): Result<T> {
    if (result.ok) this.#journal.afterDurable(() => this.#onChanged({ what }));
    return result;
  }

  #writeFirstContent(): void {
    const symbols = this.#symbols.write(readSymbolSeeds());
    assert(symbols.ok, "the first symbols are in order");
    for (const { name, description, symbols } of readListSeeds()) this.#lists.createIndex(name, description, symbols);
    const restrictions = this.#restrictions.write(readRestrictionSeeds());
    assert(restrictions.ok, "the first restrictions are in order");
  }
}
