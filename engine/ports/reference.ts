/** Symbols, lists and restrictions. Interfaces only. */
import type {
  CreateListBody,
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
import type { Result } from "../../src/domain/refusal.ts";

/**
 * Symbols, symbol lists and restrictions of the whole installation; only the shared partition has them (behaviour
 * 12.5). What changes something is to be called inside a turn, and is told to the bus once it is durable.
 */
export interface ReferenceData {
  readonly symbols: SymbolCatalogue;
  readonly lists: UserLists;
  readonly restrictions: SymbolRestrictions;
  /** Resolves once all that the methods of these have told so far is durable. */
  whenDurable(): Promise<void>;
}

export interface SymbolCatalogue {
  /** Adds and changes symbols. INVALID where one is listed twice. */
  write(symbols: readonly SymbolInput[]): Result<{ readonly written: number }>;
  /** All symbols by their codes. */
  all(): readonly SymbolView[];
  /** NOT_FOUND for an unknown symbol. */
  view(symbol: string): Result<SymbolView>;
}

export interface UserLists {
  /** A new list of the user's. FORBIDDEN for the system's type, INVALID as the rules say. */
  create(userId: number, body: CreateListBody): Result<WrittenList>;
  /** Changes name, symbols and, where it is given, description of the user's list. */
  update(userId: number, body: UpdateListBody): Result<WrittenList>;
  delete(userId: number, id: number): Result<true>;
  /** What the user may read, oldest first: the system's, the user's own and what others made public. */
  visibleTo(userId: number): readonly SymbolListItem[];
  /** NOT_FOUND where the user may not read it. */
  find(userId: number, id: number): Result<SymbolListDetail>;
}

export interface SymbolRestrictions {
  /**
   * Adds restrictions, all of them or none. INVALID for an unknown symbol, a wrong time or an end before the start;
   * CONFLICT where a symbol has an active restriction of the type already.
   */
  write(restrictions: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }>;
  /** Sets when a restriction ends or ended; `validTo` is ISO 8601. NOT_FOUND for an unknown id. */
  end(id: number, validTo: string): Result<RestrictionView>;
  /** Every symbol with an active restriction, by its code; null: of all types. */
  activeBySymbol(restrictionType: number | null): readonly RestrictedSymbolView[];
  /** Every symbol that is under the type now, by its code. */
  activeOfType(restrictionType: number): readonly RestrictedByTypeView[];
  /** Whether a symbol is under the type now. NOT_FOUND for an unknown symbol. */
  check(code: string, restrictionType: number): Result<RestrictionCheckView>;
  /** Active and past, newest first. NOT_FOUND for an unknown symbol. */
  historyOf(code: string): Result<readonly RestrictionView[]>;
}
