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
  writeSymbols(symbols: readonly SymbolInput[]): Result<{ readonly written: number }>;
  listSymbols(): readonly SymbolView[];
  findSymbol(symbol: string): Result<SymbolView>;

  createList(userId: number, body: CreateListBody): Result<WrittenList>;
  updateList(userId: number, body: UpdateListBody): Result<WrittenList>;
  deleteList(userId: number, id: number): Result<true>;
  /** The lists that the user may read. */
  listLists(userId: number): readonly SymbolListItem[];
  findList(userId: number, id: number): Result<SymbolListDetail>;

  writeRestrictions(restrictions: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }>;
  /** `validTo` is ISO 8601. */
  endRestriction(id: number, validTo: string): Result<RestrictionView>;
  /** Grouped by symbol; null: of all types. */
  listActiveRestrictions(restrictionType: number | null): readonly RestrictedSymbolView[];
  listRestrictedByType(restrictionType: number): readonly RestrictedByTypeView[];
  checkRestriction(code: string, restrictionType: number): Result<RestrictionCheckView>;
  /** Active and past, newest first. */
  listRestrictionsOf(code: string): Result<readonly RestrictionView[]>;

  /** Resolves once all that the methods above have told so far is durable. */
  whenDurable(): Promise<void>;
}
