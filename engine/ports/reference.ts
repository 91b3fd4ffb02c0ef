/** Symbols, lists and restrictions. Interfaces only. */
import type { BandView, StoredBand } from "../../src/contract/operator/band.ts";
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
  SymbolMeasures,
  SymbolView,
  UpdateListBody,
  WrittenList,
} from "../../src/contract/operator/reference.ts";
import type { BandRequest } from "../../src/domain/market/band.ts";
import type { Effects } from "../../src/domain/market/measure.ts";
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

/** The bands of symbols for today, as a partition knows them (behaviour 17). */
export interface DayBands {
  /** In a turn: all of them or none; returns how many. NOT_FOUND for an unknown symbol, INVALID as the rules say. */
  writeInTurn(
    source: StoredBand["source"],
    requests: readonly (BandRequest & { readonly symbol: string })[],
  ): Result<number>;
  /** The one that counts today; undefined where none is known. Without a code no brokerage is heard. */
  find(symbol: string, brokerageCode?: string): BandView | undefined;
  /** Has the brokerage asked for today's, at most every ten minutes for a symbol; nobody waits for it. */
  learn(asker: { readonly userId: number; readonly brokerageCode: string }, symbol: string): void;
}

/** The measures in force, as a partition knows them (behaviour 23). */
export interface MeasureTable {
  /** Those of a symbol; an empty list where none is known. */
  of(symbol: string): SymbolMeasures["measures"];
  /** The effects of them together. */
  effectsOf(symbol: string): Effects;
  /** In a turn: these are all the measures that are in force; a symbol that they leave out has none any more. */
  replaceInTurn(all: readonly SymbolMeasures[]): void;
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
  /** The measures of every symbol with an active restriction, by its code. */
  measures(): readonly SymbolMeasures[];
  /** Every symbol that is under the type now, by its code. */
  activeOfType(restrictionType: number): readonly RestrictedByTypeView[];
  /** Whether a symbol is under the type now. NOT_FOUND for an unknown symbol. */
  check(code: string, restrictionType: number): Result<RestrictionCheckView>;
  /** Active and past, newest first. NOT_FOUND for an unknown symbol. */
  historyOf(code: string): Result<readonly RestrictionView[]>;
}
