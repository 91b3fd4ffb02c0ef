/**
 * Reference data of the installation: symbols, lists and restrictions, over the shared partition's journal and store.
 *
 * Owns: opening it at start, its first content, telling the bus of changes. Does not own: the rules of each book, who
 * may ask.
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
import type { ReferenceBook } from "../ports/reference.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { readListSeeds, readRestrictionSeeds, readSymbolSeeds } from "./fixtures.ts";
import { ListBook } from "./list-book.ts";
import { RestrictionBook } from "./restriction-book.ts";
import { LISTS, RESTRICTIONS, readAll, SYMBOLS, storedList, storedRestriction, storedSymbol } from "./stored.ts";
import { SymbolBook, symbolView } from "./symbol-book.ts";
import type { SymbolDirectory } from "./symbol-directory.ts";

export interface ReferenceRoomOptions {
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  /** The process's own; from here on it knows what the room knows. */
  readonly directory: SymbolDirectory;
  /** Told after a change is durable. */
  readonly onChanged: (change: ReferenceChanged) => void;
}

export class ReferenceRoom implements ReferenceBook {
  readonly #journal: Journal;
  readonly #onChanged: ReferenceRoomOptions["onChanged"];
  readonly #symbols: SymbolBook;
  readonly #lists: ListBook;
  readonly #restrictions: RestrictionBook;

  private constructor(
    options: ReferenceRoomOptions,
    symbols: SymbolBook,
    lists: ListBook,
    restrictions: RestrictionBook,
  ) {
    this.#journal = options.journal;
    this.#onChanged = options.onChanged;
    this.#symbols = symbols;
    this.#lists = lists;
    this.#restrictions = restrictions;
  }

  /** Reads the store back; at the very first start writes the first content. Call before anything else has turns. */
  static async open(options: ReferenceRoomOptions): Promise<ReferenceRoom> {
    const { journal, store, directory } = options;
    const symbols = new SymbolBook(journal, directory, await readAll(store, SYMBOLS, storedSymbol));
    const lists = new ListBook(journal, directory, await readAll(store, LISTS, storedList));
    const restrictions = new RestrictionBook(journal, symbols, await readAll(store, RESTRICTIONS, storedRestriction));
    const room = new ReferenceRoom(options, symbols, lists, restrictions);
    if (symbols.isEmpty) {
      room.#writeFirstContent();
      await room.whenDurable();
    }
    options.onChanged({ what: "all" });
    return room;
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
