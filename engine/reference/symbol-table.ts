/**
 * The symbols of the installation, on the shared partition.
 *
 * Invariants:
 * 1. A symbol keeps its id forever and is never removed.
 * 2. The process's directory has the symbols of this table.
 */
import { assert } from "../../src/assert.ts";
import type { KnownSymbolView, SymbolInput, SymbolView } from "../../src/contract/operator/reference.ts";
import { planBand } from "../../src/domain/market/band.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import { tickTableOf } from "../../src/domain/price/tick-table.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { zoneOfExchange } from "../../src/domain/time-zone.ts";
import type { SymbolCatalogue } from "../ports/reference.ts";
import type { Journal } from "../ports/storage.ts";
import { encode, type StoredSymbol, storedSymbol, symbolKey } from "./stored.ts";
import type { SymbolDirectory } from "./symbol-directory.ts";

export class SymbolTable implements SymbolCatalogue {
  readonly #journal: Journal;
  readonly #directory: SymbolDirectory;
  readonly #bySymbol: Map<string, StoredSymbol>;
  readonly #onChanged: () => void;

  /** `stored`: the symbols in the store. If it is empty the directory does not change until the first write. */
  constructor(journal: Journal, directory: SymbolDirectory, stored: readonly StoredSymbol[], onChanged: () => void) {
    this.#journal = journal;
    this.#directory = directory;
    this.#onChanged = onChanged;
    this.#bySymbol = new Map(stored.map((symbol) => [symbol.symbol, symbol]));
    if (stored.length > 0) directory.replaceAll(stored);
  }

  get isEmpty(): boolean {
    return this.#bySymbol.size === 0;
  }

  find(symbol: string): StoredSymbol | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Returns a symbol that another row refers to: it exists. */
  get(symbol: string): StoredSymbol {
    const found = this.#bySymbol.get(symbol);
    assert(found !== undefined, `symbol ${symbol} is known`);
    return found;
  }

  view(symbol: string): Result<SymbolView> {
    const found = this.#bySymbol.get(symbol);
    return found === undefined ? refuse("NOT_FOUND", "the symbol was not found") : accept(symbolView(found));
  }

  all(): readonly SymbolView[] {
    return [...this.#bySymbol.values()].map(symbolView).sort((left, right) => (left.symbol < right.symbol ? -1 : 1));
  }

  write(inputs: readonly SymbolInput[]): Result<{ readonly written: number }> {
    const given = new Set<string>();
    for (const [index, { symbol }] of inputs.entries()) {
      if (given.has(symbol)) return refuse("INVALID", `symbols[${index}].symbol ${symbol} is listed twice`);
      given.add(symbol);
      const band = checkBand(inputs[index], `symbols[${index}].`);
      if (!band.ok) return band;
      const to = this.#bySymbol.get(symbol)?.renamedTo;
      if (to !== undefined && inputs[index]?.isActive === true) {
        return refuse("INVALID", `symbols[${index}].symbol ${symbol} was renamed to ${to}: leave it out, or inactive`);
      }
    }
    const added = inputs.filter(({ symbol }) => !this.#bySymbol.has(symbol));
    const ids = this.#journal.allocateIds(added.length);
    const idOf = new Map(added.map(({ symbol }, index) => [symbol, ids[index]]));
    for (const { symbol, name, exchange, isActive, logoUrl } of inputs) {
      const known = this.#bySymbol.get(symbol);
      const id = known?.id ?? idOf.get(symbol);
      assert(id !== undefined, "a new symbol has got an id");
      const written: StoredSymbol = {
        version: 1,
        id,
        symbol,
        name,
        exchange,
        isActive,
        logoUrl: logoUrl ?? known?.logoUrl ?? "",
        ...(known?.renamedTo !== undefined && { renamedTo: known.renamedTo }),
      };
      this.#keep(written);
    }
    this.#directory.learn(inputs.map(({ symbol }) => this.get(symbol)));
    this.#onChanged();
    return accept({ written: inputs.length });
  }

  rename({ from, to }: Renaming): Result<{ readonly isChanged: boolean }> {
    const [known, target] = [this.#bySymbol.get(from), this.#bySymbol.get(to)];
    if (from === to) return refuse("INVALID", `to ${to} must differ from the symbol`);
    if (known === undefined) return refuse("NOT_FOUND", `symbol ${from} is not known`);
    if (known.renamedTo === to) return accept({ isChanged: false });
    if (known.renamedTo !== undefined) {
      return refuse("CONFLICT", `symbol ${from} was renamed to ${known.renamedTo} already: rename that`);
    }
    if (target?.renamedTo !== undefined && target.renamedTo !== from) {
      return refuse("CONFLICT", `to ${to} is a former name of ${target.renamedTo}`);
    }
    if (target !== undefined && target.exchange !== known.exchange) {
      return refuse("INVALID", `to ${to} is of exchange ${target.exchange}, ${from} of ${known.exchange}`);
    }
    const { renamedTo: _, ...before } = target ?? { ...known, id: this.#newId(), symbol: to };
    const [former, present] = [
      { ...known, isActive: false, renamedTo: to },
      { ...before, isActive: true },
    ];
    for (const written of [former, present]) this.#keep(written);
    this.#directory.learn([present, former]);
    this.#onChanged();
    return accept({ isChanged: true });
  }

  known(): readonly KnownSymbolView[] {
    return this.all().map((view) => {
      const { renamedTo } = this.get(view.symbol);
      return renamedTo === undefined ? view : { ...view, renamedTo };
    });
  }

  #newId(): number {
    const [id] = this.#journal.allocateIds(1);
    assert(id !== undefined, "an id was allocated");
    return id;
  }

  #keep(written: StoredSymbol): void {
    this.#bySymbol.set(written.symbol, written);
    this.#journal.put(symbolKey(written.symbol), encode(storedSymbol, written));
  }
}

/** Checks the band that comes with a symbol, which every partition stores by itself. */
function checkBand(input: SymbolInput | undefined, prefix: string): Result<unknown> {
  if (input?.floorPrice === undefined || input.ceilingPrice === undefined) return accept(undefined);
  const { floorPrice, ceilingPrice, basePrice, bandDate, exchange } = input;
  const terms = { table: tickTableOf(exchange), zone: zoneOfExchange(exchange), nowMs: 0 };
  return planBand({ floorPrice, ceilingPrice, basePrice, bandDate }, terms, prefix);
}

/** A symbol as clients see it. */
function symbolView({ symbol, name, exchange, isActive }: StoredSymbol): SymbolView {
  return { symbol, name, exchange, isActive };
}
