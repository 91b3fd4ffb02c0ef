/**
 * The known symbols of this process: look-ups in memory, for every tick and command.
 *
 * Owns: the look-up. Does not own: the symbols (`symbol-table.ts` on the shared partition, `symbol-follower.ts`
 * elsewhere supply them).
 *
 * Invariant: before the first update it has the symbols of the first start; a symbol is never removed, it becomes
 * inactive.
 */

import type { Calendar } from "../../src/domain/market/calendar.ts";
import { presentName, type Renaming } from "../../src/domain/market/rename.ts";
import { type TickTable, tickTableOf } from "../../src/domain/price/tick-table.ts";
import { calendarMicOf, zoneOfExchange } from "../../src/domain/time-zone.ts";
import type { Symbols } from "../ports/price.ts";
import { readSymbolSeeds, type SymbolSeed } from "./fixtures.ts";

/** The fields of a symbol that the directory needs. */
export interface KnownSymbol {
  readonly symbol: string;
  readonly isActive: boolean;
  readonly exchange: string;
  /** Absent: it was not renamed. */
  readonly renamedTo?: string | undefined;
}

interface DirectoryEntry {
  readonly isActive: boolean;
  readonly tickTable: TickTable;
  readonly zone: string;
  readonly calendar: Calendar | undefined;
  readonly renamedTo: string | undefined;
}

export class SymbolDirectory implements Symbols {
  readonly #seeds: readonly SymbolSeed[];
  readonly #startPrices: ReadonlyMap<string, number>;
  /** By the market identifier code. */
  readonly #calendars: ReadonlyMap<string, Calendar>;
  #symbols = new Map<string, DirectoryEntry>();
  #renames: readonly Renaming[] = [];

  constructor(seeds: readonly SymbolSeed[] = readSymbolSeeds(), calendars: ReadonlyMap<string, Calendar> = new Map()) {
    this.#seeds = seeds;
    this.#calendars = calendars;
    this.#startPrices = new Map(seeds.map(({ symbol, startPrice }) => [symbol, startPrice]));
    this.replaceAll(seeds);
  }

  isKnown(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  isActive(symbol: string): boolean {
    return this.#symbols.get(symbol)?.isActive ?? false;
  }

  tickTableOf(symbol: string): TickTable {
    return this.#symbols.get(symbol)?.tickTable ?? "BIST";
  }

  zoneOf(symbol: string): string {
    return this.#symbols.get(symbol)?.zone ?? "UTC";
  }

  calendarOf(symbol: string): Calendar | undefined {
    return this.#symbols.get(symbol)?.calendar;
  }

  presentName(symbol: string): string {
    return this.#renames.length === 0 ? symbol : presentName(this.#renames, symbol);
  }

  renames(): readonly Renaming[] {
    return this.#renames;
  }

  /** A price to begin with if no live price exists; undefined for symbols that were added later. */
  startPriceOf(symbol: string): number | undefined {
    return this.#startPrices.get(symbol);
  }

  /** The active symbols that a simulated market can walk. */
  simulated(): readonly { readonly symbol: string; readonly startPrice: number }[] {
    return this.#seeds
      .map(({ symbol, startPrice }) => ({ symbol: this.presentName(symbol), startPrice }))
      .filter(({ symbol }) => this.isActive(symbol));
  }

  /** Replaces all symbols by these. */
  replaceAll(symbols: Iterable<KnownSymbol>): void {
    this.#symbols = new Map();
    this.learn(symbols);
  }

  /** Adds these, or changes the known ones. */
  learn(symbols: Iterable<KnownSymbol>): void {
    for (const { symbol, isActive, exchange, renamedTo } of symbols) {
      const calendar = this.#calendars.get(calendarMicOf(exchange));
      this.#symbols.set(symbol, {
        isActive,
        tickTable: tickTableOf(exchange),
        zone: zoneOfExchange(exchange),
        calendar,
        renamedTo,
      });
    }
    const renames = [...this.#symbols].flatMap(([from, entry]) => {
      const to = entry.renamedTo === undefined ? undefined : this.#endOf(entry.renamedTo);
      return to === undefined ? [] : [{ from, to }];
    });
    // The same list while nothing was renamed: its readers compare it.
    if (JSON.stringify(renames) !== JSON.stringify(this.#renames)) this.#renames = renames;
  }

  /** The last of the names that follow this one; undefined if it is not known, as a message about it was missed. */
  #endOf(symbol: string): string | undefined {
    const passed = new Set<string>();
    for (let name = symbol; !passed.has(name); ) {
      passed.add(name);
      const known = this.#symbols.get(name);
      if (known === undefined) return undefined;
      if (known.renamedTo === undefined) return name;
      name = known.renamedTo;
    }
    return undefined;
  }
}
