/**
 * The measures of the exchange that are in force, as a partition knows them (behaviour 23).
 *
 * Owns: the measures of each symbol, stored, and notifying its owners of a change. Does not own: the list of
 * restrictions (the shared partition), the effect on an order (`markets.ts`, the exit of a group).
 *
 * Invariants:
 * 1. After a restart the measures of before are known, and changes from the downtime are learnt.
 * 2. Owners are notified of a change once it is stored; after a restart only of changes that they were not notified of.
 */

import { type StoredMeasures, storedMeasuresSchema } from "../../src/contract/operator/measure.ts";
import type { SymbolMeasures } from "../../src/contract/operator/reference.ts";
import { areSameEffects, type Effects, mergeEffects, textOfEffects } from "../../src/domain/market/measure.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { MeasureTable } from "../ports/reference.ts";
import type { Journal } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

interface MeasuresOptions {
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Notifies the owners of the symbol's groups; resolves with whether all were notified. Never rejects. */
  readonly tellChanged: (symbol: string, effects: Effects) => Promise<boolean>;
  /** Called in the turn: orders of the symbol that a measure kept back may leave. */
  readonly onChanged: (symbol: string) => void;
}

interface Known {
  readonly row: StoredMeasures;
  /** The combined effects of all its measures. */
  readonly effects: Effects;
}

const { measures: TABLE } = TABLES;
const NO_EFFECTS: Effects = {};

export class Measures implements MeasureTable {
  readonly #options: MeasuresOptions;
  readonly #bySymbol = new Map<string, Known>();
  #isStarted = false;

  constructor(options: MeasuresOptions) {
    this.#options = options;
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    const row = storedMeasuresSchema.parse(JSON.parse(Buffer.from(value).toString()));
    this.#bySymbol.set(row.symbol, { row, effects: mergeEffects(row.measures) });
  }

  /** Begins to notify owners, first of changes that a restart kept from them. */
  start(): void {
    this.#options.inbox.enqueue(() => {
      this.#isStarted = true;
      for (const known of this.#bySymbol.values()) if (!known.row.isTold) this.#tell(known);
    });
  }

  of(symbol: string): StoredMeasures["measures"] {
    return this.#bySymbol.get(symbol)?.row.measures ?? [];
  }

  effectsOf(symbol: string): Effects {
    return this.#bySymbol.get(symbol)?.effects ?? NO_EFFECTS;
  }

  /** In a turn: replaces all measures in force. */
  replaceInTurn(all: readonly SymbolMeasures[]): void {
    const named = new Set(all.map(({ symbol }) => symbol));
    const ended = [...this.#bySymbol.keys()].filter((symbol) => !named.has(symbol));
    for (const given of [...all, ...ended.map((symbol) => ({ symbol, measures: [] }))]) this.#replace(given);
  }

  /** In a turn: the measures of a former name are of the new one, unless that has its own (behaviour 30.5). */
  renameInTurn({ from, to }: Renaming): void {
    const known = this.#bySymbol.get(from);
    if (known === undefined) return;
    this.#bySymbol.delete(from);
    this.#options.journal.remove(TABLE.key(from));
    if (this.of(to).length === 0) this.#keep({ ...known, row: { ...known.row, symbol: to } });
  }

  #replace({ symbol, measures }: SymbolMeasures): void {
    const before = this.#bySymbol.get(symbol);
    if (JSON.stringify(before?.row.measures ?? []) === JSON.stringify(measures)) return;
    const { clock, log, onChanged } = this.#options;
    const effects = mergeEffects(measures);
    const isSame = areSameEffects(before?.effects ?? NO_EFFECTS, effects);
    const isTold = isSame ? (before?.row.isTold ?? true) : false;
    const known = { row: { version: 1, symbol, measures, sinceMs: clock.nowMs(), isTold }, effects } as const;
    this.#keep(known);
    if (isSame) return;
    log.warn(
      { event: "measures.changed", symbol, effects: textOfEffects(effects) },
      "the measures of a symbol changed",
    );
    onChanged(symbol);
    if (this.#isStarted) this.#tell(known);
  }

  /** Notifies the owners; repeated after a restart until all are notified. */
  #tell({ row: { symbol, sinceMs }, effects }: Known): void {
    const { tellChanged, inbox } = this.#options;
    const noteTold = (): void => {
      const now = this.#bySymbol.get(symbol);
      if (now?.row.sinceMs === sinceMs) this.#keep({ ...now, row: { ...now.row, isTold: true } });
    };
    void tellChanged(symbol, effects).then((areTold) => areTold && inbox.enqueue(noteTold));
  }

  #keep(known: Known): void {
    const { symbol } = known.row;
    this.#bySymbol.set(symbol, known);
    this.#options.journal.put(TABLE.key(symbol), JSON.stringify(known.row));
  }
}
