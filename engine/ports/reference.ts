/** Symbols, lists and restrictions. Interfaces only. */
import type { BandView, StoredBand } from "../../src/contract/operator/band.ts";
import type {
  CreateListBody,
  KnownSymbolView,
  RestrictedByTypeView,
  RestrictedSymbolView,
  RestrictionCheckView,
  RestrictionInput,
  RestrictionView,
  SymbolInput,
  SymbolListDetail,
  SymbolListItem,
  SymbolMeasures,
  SymbolView,
  UpdateListBody,
  WrittenList,
} from "../../src/contract/operator/reference.ts";
import type { BandRequest } from "../../src/domain/market/band.ts";
import type { Effects } from "../../src/domain/market/measure.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { Result } from "../../src/domain/refusal.ts";

/**
 * Symbols, symbol lists and restrictions of the whole installation; only the shared partition has them
 * (behaviour 12.5). Calls that change something belong inside a turn. The bus receives a change once it is durable.
 */
export interface ReferenceData {
  readonly symbols: SymbolCatalogue;
  readonly lists: UserLists;
  readonly restrictions: SymbolRestrictions;
  /**
   * Gives a symbol a new name, with its lists and active restrictions (behaviour 30.5). `isChanged` false: it has it
   * already. NOT_FOUND for an unknown symbol; CONFLICT if either was renamed to another name; INVALID for a name of
   * another exchange.
   */
  rename(renaming: Renaming): Result<{ readonly isChanged: boolean }>;
  /** Resolves once all results that these methods have returned so far are durable. */
  whenDurable(): Promise<void>;
}

/** The bands of symbols for today, as a partition knows them (behaviour 17). */
export interface DayBands {
  /**
   * In a turn: all of them or none; returns how many. NOT_FOUND for an unknown symbol, INVALID for a band that breaks a
   * rule.
   */
  writeInTurn(
    source: StoredBand["source"],
    requests: readonly (BandRequest & { readonly symbol: string })[],
  ): Result<number>;
  /** The band that counts today; undefined if it is not known. Without a code no brokerage's band counts. */
  find(symbol: string, brokerageCode?: string): BandView | undefined;
  /** Makes the brokerage report today's band, at most every ten minutes for a symbol; no caller waits for it. */
  learn(asker: { readonly userId: number; readonly brokerageCode: string }, symbol: string): void;
}

/** The measures in force, as a partition knows them (behaviour 23). */
export interface MeasureTable {
  /** The measures of a symbol; an empty list if none are known. */
  of(symbol: string): SymbolMeasures["measures"];
  /** The merged effects of these measures. */
  effectsOf(symbol: string): Effects;
  /** In a turn: replaces all the measures that are in force; a symbol that they leave out has no measures any more. */
  replaceInTurn(all: readonly SymbolMeasures[]): void;
}

export interface SymbolCatalogue {
  /** Adds and changes symbols. INVALID if one is listed twice. */
  write(symbols: readonly SymbolInput[]): Result<{ readonly written: number }>;
  /** All symbols by their codes. */
  all(): readonly SymbolView[];
  /** NOT_FOUND for an unknown symbol. */
  view(symbol: string): Result<SymbolView>;
  /** The same, with the names that followed former ones. */
  known(): readonly KnownSymbolView[];
}

export interface UserLists {
  /** Creates a list of the user's. FORBIDDEN for the system's type, INVALID for a list that breaks a rule. */
  create(userId: number, body: CreateListBody): Result<WrittenList>;
  /** Changes name, symbols and, if it is given, description of the user's list. */
  update(userId: number, body: UpdateListBody): Result<WrittenList>;
  delete(userId: number, id: number): Result<true>;
  /** The lists that the user can read, oldest first: the system's, the user's own and other users' public lists. */
  visibleTo(userId: number): readonly SymbolListItem[];
  /** NOT_FOUND if the user cannot read it. */
  find(userId: number, id: number): Result<SymbolListDetail>;
}

export interface SymbolRestrictions {
  /**
   * Adds restrictions, all of them or none. INVALID for an unknown symbol, a wrong time or an end before the start;
   * CONFLICT if a symbol has an active restriction of the type already.
   */
  write(restrictions: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }>;
  /** Sets when a restriction ends or ended; `validTo` is ISO 8601. NOT_FOUND for an unknown id. */
  end(id: number, validTo: string): Result<RestrictionView>;
  /** Every symbol with an active restriction, by its code; null: of all types. */
  activeBySymbol(restrictionType: number | null): readonly RestrictedSymbolView[];
  /** The measures of every symbol with an active restriction, by its code. */
  measures(): readonly SymbolMeasures[];
  /** Every symbol that is under the type now, by its code. */
  activeOfType(restrictionType: number): readonly RestrictedByTypeView[];
  /** Whether a symbol is under the type now. NOT_FOUND for an unknown symbol. */
  check(code: string, restrictionType: number): Result<RestrictionCheckView>;
  /** Active and past, newest first. NOT_FOUND for an unknown symbol. */
  historyOf(code: string): Result<readonly RestrictionView[]>;
}
