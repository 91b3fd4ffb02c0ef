/**
 * The names of symbols at the exchange. A world knows a symbol by its first name, under which its prices, groups and
 * accounts are kept; the exchange, the feed and the engine know it by the present one (behaviour 30).
 */
import type { Renaming } from "../../../src/domain/market/rename.ts";

export class SymbolNames {
  /** Every name that a symbol has had, the present one last. */
  readonly #names = new Map<string, string[]>();
  /** Every former name with the present one. The same list until a symbol is renamed. */
  renames: readonly Renaming[] = [];

  /** The present name of a symbol. */
  of(symbol: string): string {
    return this.#names.get(symbol)?.at(-1) ?? symbol;
  }

  /** The symbol that has, or had, a name. */
  symbolOf(name: string): string {
    for (const [symbol, names] of this.#names) if (names.includes(name)) return symbol;
    return name;
  }

  present(name: string): string {
    return this.of(this.symbolOf(name));
  }

  rename(symbol: string, to: string): void {
    const before = this.#names.get(symbol) ?? [symbol];
    this.#names.set(symbol, [...before.filter((name) => name !== to), to]);
    this.renames = [...this.#names.values()].flatMap((names) => {
      const present = names.at(-1) ?? "";
      return names.slice(0, -1).map((from) => ({ from, to: present }));
    });
  }
}
