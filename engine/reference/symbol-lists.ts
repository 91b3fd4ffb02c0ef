/**
 * Symbol lists (behaviour 10.1), on the shared partition.
 *
 * Invariants:
 * 1. A list is changed by its owner only. A private list of another user's does not exist for anybody else (404); a
 *    public one, and the system's INDEX lists, can be read and not changed (403).
 * 2. A list holds known symbols, each once, in the order in which they were first given.
 * 3. A user has at most `LISTS_PER_USER_MAX` lists: they are kept in memory.
 */
import { assert } from "../../src/assert.ts";
import {
  type CreateListBody,
  LIST_SYMBOLS_MAX,
  LIST_TYPES,
  type ListTypeCode,
  type SymbolListDetail,
  type SymbolListItem,
  type UpdateListBody,
  type WrittenList,
} from "../../src/contract/operator/reference.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import type { Symbols } from "../ports/price.ts";
import type { UserLists } from "../ports/reference.ts";
import type { Journal } from "../ports/storage.ts";
import { encode, listKey, type StoredList, storedList } from "./stored.ts";

export const LISTS_PER_USER_MAX = 1_000;

export class SymbolLists implements UserLists {
  readonly #journal: Journal;
  readonly #symbols: Pick<Symbols, "isKnown">;
  readonly #byId = new Map<number, StoredList>();
  readonly #byUser = new Map<number | null, Set<number>>();
  readonly #public = new Set<number>();
  readonly #onChanged: () => void;

  constructor(
    journal: Journal,
    symbols: Pick<Symbols, "isKnown">,
    stored: readonly StoredList[],
    onChanged: () => void,
  ) {
    this.#journal = journal;
    this.#symbols = symbols;
    this.#onChanged = onChanged;
    for (const list of stored) this.#keep(list);
  }

  visibleTo(userId: number): readonly SymbolListItem[] {
    const ids = new Set([...this.#public, ...(this.#byUser.get(userId) ?? [])]);
    return [...ids].sort((left, right) => left - right).map((id) => listItem(this.#get(id)));
  }

  find(userId: number, id: number): Result<SymbolListDetail> {
    const list = this.#readable(userId, id);
    if (!list.ok) return list;
    const { name, symbols, listType } = list.value;
    return accept({ id, name, symbols, listType });
  }

  create(userId: number, body: CreateListBody): Result<WrittenList> {
    const listType = body.listType ?? "CUSTOM";
    if (!LIST_TYPES.some(({ code }) => code === listType)) {
      return refuse("INVALID", `listType must be ${LIST_TYPES.map(({ code }) => code).join(" or ")}`);
    }
    if (listType !== "CUSTOM") return refuse("FORBIDDEN", "INDEX lists belong to the system: create a CUSTOM list");
    if ((this.#byUser.get(userId)?.size ?? 0) >= LISTS_PER_USER_MAX) {
      return refuse("INVALID", `you have ${LISTS_PER_USER_MAX} symbol lists; delete one first`);
    }
    const symbols = this.#checkSymbols(body.symbols);
    if (!symbols.ok) return symbols;
    const { name, description, isPublic } = body;
    return accept(
      this.#add({
        userId,
        name,
        description: description ?? "",
        symbols: symbols.value,
        listType,
        isPublic: isPublic ?? false,
      }),
    );
  }

  /** In a turn: a list of the system's. Its symbols are known. */
  createIndex(name: string, description: string, symbols: readonly string[]): WrittenList {
    const checked = this.#checkSymbols(symbols);
    assert(checked.ok, `the symbols of ${name} are known and not too many`);
    return this.#add({ userId: null, name, description, symbols: checked.value, listType: "INDEX", isPublic: true });
  }

  update(userId: number, { id, name, description, symbols: given }: UpdateListBody): Result<WrittenList> {
    const list = this.#changeable(userId, id);
    if (!list.ok) return list;
    const symbols = this.#checkSymbols(given);
    if (!symbols.ok) return symbols;
    const changed: StoredList = {
      ...list.value,
      name,
      description: description ?? list.value.description,
      symbols: symbols.value,
    };
    this.#write(changed);
    return accept(writtenList(changed));
  }

  delete(userId: number, id: number): Result<true> {
    const list = this.#changeable(userId, id);
    if (!list.ok) return list;
    this.#byId.delete(id);
    this.#public.delete(id);
    this.#byUser.get(userId)?.delete(id);
    this.#journal.remove(listKey(id));
    this.#onChanged();
    return accept(true);
  }

  /** In a turn: lists that contain a former name contain the new one, at its place (behaviour 30.5). */
  rename({ from, to }: Renaming): void {
    for (const list of this.#byId.values()) {
      if (!list.symbols.includes(from)) continue;
      const symbols = new Set(list.symbols.map((symbol) => (symbol === from ? to : symbol)));
      this.#write({ ...list, symbols: [...symbols] });
    }
  }

  #readable(userId: number, id: number): Result<StoredList> {
    const list = this.#byId.get(id);
    const isReadable = list !== undefined && (list.isPublic || list.userId === userId);
    return isReadable ? accept(list) : refuse("NOT_FOUND", `symbol list ${id} was not found`);
  }

  #changeable(userId: number, id: number): Result<StoredList> {
    const list = this.#readable(userId, id);
    if (!list.ok || list.value.userId === userId) return list;
    if (list.value.userId === null) return refuse("FORBIDDEN", "INDEX lists belong to the system and are read-only");
    return refuse("FORBIDDEN", `symbol list ${id} belongs to another user`);
  }

  #checkSymbols(given: readonly string[]): Result<string[]> {
    const unknown = given.findIndex((symbol) => !this.#symbols.isKnown(symbol));
    if (unknown !== -1) return refuse("INVALID", `symbols[${unknown}] ${given[unknown]} is not known`);
    const symbols = [...new Set(given)];
    if (symbols.length > LIST_SYMBOLS_MAX) {
      return refuse("INVALID", `symbols must be at most ${LIST_SYMBOLS_MAX} without duplicates`);
    }
    return accept(symbols);
  }

  #add(list: Omit<StoredList, "version" | "id">): WrittenList {
    const [id] = this.#journal.allocateIds(1);
    assert(id !== undefined, "an id was allocated");
    const added: StoredList = { version: 1, id, ...list };
    this.#write(added);
    return writtenList(added);
  }

  #write(list: StoredList): void {
    this.#keep(list);
    this.#journal.put(listKey(list.id), encode(storedList, list));
    this.#onChanged();
  }

  #keep(list: StoredList): void {
    const { id, userId, isPublic } = list;
    this.#byId.set(id, list);
    if (isPublic) this.#public.add(id);
    const own = this.#byUser.get(userId);
    if (own === undefined) this.#byUser.set(userId, new Set([id]));
    else own.add(id);
  }

  #get(id: number): StoredList {
    const list = this.#byId.get(id);
    assert(list !== undefined, `symbol list ${id} is known`);
    return list;
  }
}

function listItem({ id, name, description, symbols, listType, isPublic }: StoredList): SymbolListItem {
  const type: ListTypeCode = listType;
  return { id, name, description, symbolCount: symbols.length, listType: type, isPublic };
}

function writtenList(list: StoredList): WrittenList {
  return { ...listItem(list), symbols: list.symbols };
}
