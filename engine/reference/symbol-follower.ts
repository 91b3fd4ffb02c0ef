/**
 * Symbols in an engine process without the shared partition: asked for over the bus, and stored for the next start.
 *
 * Owns: receiving them, updates, the copy in the store of each partition of this process. Does not own: the look-up
 * (`symbol-directory.ts`), the symbols themselves (`symbol-table.ts`).
 *
 * Invariants:
 * 1. With a copy in any of its stores a process starts without the shared partition. Armed rows are watched while other
 *    processes are down, and for every earlier order or company of its partitions. Without a copy nothing was ever
 *    armed: `start` waits, and a caller that joins partitions to a running follower waits while `isKnown` is false.
 * 2. A known symbol remains known, with its last received state, even if the shared partition is set back to before it
 *    was added: levels on it can be armed (behaviour 10.5).
 * 3. A partition that joins brings its copy, and a partition that left is waited for no more.
 * 4. A message of a change that was missed is made up for by the next refresh, at the latest a minute later.
 */

import { z } from "zod";
import { type Bus, NoResponderError } from "../../src/bus/port.ts";
import { knownSymbolSchema, REFERENCE_QUERIES, referenceChangedSchema } from "../../src/contract/operator/reference.ts";
import { REFERENCE_CHANGED_SUBJECT } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Cancel, Log, Timers } from "../../src/runtime/ports.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { readSharedRows } from "./shared-rows.ts";
import { encode, readAll, SYMBOLS, storedSymbolCopy, symbolKey } from "./stored.ts";
import type { KnownSymbol, SymbolDirectory } from "./symbol-directory.ts";

const RETRY_MS = 1_000;
const REFRESH_MS = 60_000;
const TOLD_SYMBOLS_MAX = 20;
/** How often in turn no process answers in normal operation: its leader starts, or another engine takes it over. */
const USUAL_SILENCES = 10;

/** A partition that keeps a copy of the symbols. */
export interface CopyPlace {
  readonly store: Pick<Store, "scan">;
  readonly journal: Journal;
  /** Runs work in a turn of the partition. */
  readonly decide: <T>(work: () => T) => Promise<T>;
}

interface SymbolFollowerOptions {
  readonly bus: Bus;
  readonly directory: SymbolDirectory;
  readonly timers: Timers;
  readonly log: Log;
}

interface StartOptions extends SymbolFollowerOptions {
  /** The partitions that this process has from the start; others can join and leave. */
  readonly partitions: readonly CopyPlace[];
}

interface Copy {
  readonly place: CopyPlace;
  readonly symbols: Map<string, KnownSymbol>;
  /** Resolves once the partition has left. */
  readonly gone: Promise<void>;
}

export class SymbolFollower {
  readonly #options: SymbolFollowerOptions;
  readonly #copies = new Set<Copy>();
  readonly #stops: (() => void)[] = [];
  /** Symbols of the copy that the shared partition did not name when it was asked last. */
  #lost: ReadonlySet<string> = new Set();
  #cancelNext: Cancel = () => undefined;
  /** Grows with every request for a read: a read that began before the last request is repeated. */
  #wanted = 0;
  #isReading = false;
  #isStopped = false;
  /**
   * The shared partition has named them once: until then the directory holds what every installation began with, too.
   */
  #isRead = false;
  #failedInTurn = 0;
  #isKnown = false;
  #onKnown: () => void = () => undefined;

  private constructor(options: SymbolFollowerOptions) {
    this.#options = options;
  }

  /** Resolves when the directory knows the symbols, from the copy or from the shared partition. */
  static async start({ partitions, ...options }: StartOptions): Promise<SymbolFollower> {
    const follower = new SymbolFollower(options);
    for (const place of partitions) await follower.#add(place);
    const copied = follower.#copied();
    const known = new Promise<void>((resolve) => {
      follower.#onKnown = resolve;
    });
    follower.#listen();
    if (copied.length > 0) {
      options.directory.replaceAll(copied);
      follower.#isKnown = true;
    } else {
      options.log.info({ event: "symbols.waiting" }, "waiting for the symbols of the shared partition");
      await known;
    }
    return follower;
  }

  /** Asks from here on, and waits for nothing: partitions join as they come. */
  static begin(options: SymbolFollowerOptions): SymbolFollower {
    const follower = new SymbolFollower(options);
    follower.#listen();
    return follower;
  }

  /** Whether the directory knows the symbols, from a copy or from the shared partition. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Joins a partition: its copy is known from here on. Returns the function that lets it leave. */
  async join(place: CopyPlace): Promise<Cancel> {
    const leave = await this.#add(place);
    const copied = this.#copied();
    this.#options.directory.learn(copied);
    if (copied.length > 0) this.#isKnown = true;
    this.#refresh();
    return leave;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
    for (const stop of this.#stops) stop();
  }

  #listen(): void {
    const { bus } = this.#options;
    this.#stops.push(bus.subscribe(REFERENCE_CHANGED_SUBJECT, ({ data }) => this.#onChanged(data)));
    this.#stops.push(
      bus.onStatus((status) => {
        if (status === "connected") this.#refresh();
      }),
    );
    this.#refresh();
  }

  async #add(place: CopyPlace): Promise<Cancel> {
    const stored = await readAll(place.store, SYMBOLS, storedSymbolCopy);
    const symbols = new Map(stored.map(({ version: _, ...known }) => [known.symbol, known]));
    let tellGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      tellGone = resolve;
    });
    const copy: Copy = { place, symbols, gone };
    this.#copies.add(copy);
    return () => {
      this.#copies.delete(copy);
      tellGone();
    };
  }

  #onChanged(data: Uint8Array): void {
    const change = referenceChangedSchema.safeParse(parseJson(data));
    if (!change.success || change.data.what === "symbols" || change.data.what === "all") this.#refresh();
  }

  #refresh(): void {
    this.#wanted += 1;
    if (!this.#isReading) void this.#readUntilCurrent();
  }

  /** Reads until no read was requested while it read; then plans the next one. Never rejects. */
  async #readUntilCurrent(): Promise<void> {
    this.#isReading = true;
    this.#cancelNext();
    let isRead = false;
    for (let asked = -1; asked !== this.#wanted && !this.#isStopped; ) {
      asked = this.#wanted;
      isRead = await this.#read();
    }
    this.#isReading = false;
    if (this.#isStopped) return;
    this.#cancelNext = this.#options.timers.after(isRead ? REFRESH_MS : RETRY_MS, () => this.#refresh());
  }

  async #read(): Promise<boolean> {
    const { directory, log } = this.#options;
    try {
      const symbols = await this.#ask();
      if (this.#isStopped) return false;
      const named = new Set(symbols.map(({ symbol }) => symbol));
      const copied = this.#copied();
      const lost = copied.filter(({ symbol }) => !named.has(symbol));
      for (const copy of this.#copies) {
        await Promise.race([copy.place.decide(() => keep(copy, [...symbols, ...lost])), copy.gone]);
      }
      // Before the first copy nothing was ever armed. A partition can have joined since the shared partition was asked.
      if (copied.length === 0 || !this.#isRead) directory.replaceAll([...this.#copied(), ...symbols]);
      else directory.learn(symbols);
      this.#tellOfLost(lost.map(({ symbol }) => symbol));
      this.#failedInTurn = 0;
      this.#isRead = true;
      this.#isKnown = true;
      this.#onKnown();
      return true;
    } catch (error) {
      const what = "the symbols of the shared partition could not be read";
      this.#failedInTurn += 1;
      if (!(error instanceof NoResponderError)) log.warn({ event: "symbols.cannotRead", err: error }, what);
      else
        log[this.#failedInTurn <= USUAL_SILENCES ? "info" : "warn"](
          { event: "symbols.noAnswer", reason: error.message },
          what,
        );
      return false;
    }
  }

  /** Reports each once, until it is named again. */
  #tellOfLost(lost: readonly string[]): void {
    const isNew = lost.some((symbol) => !this.#lost.has(symbol));
    this.#lost = new Set(lost);
    if (!isNew) return;
    const symbols = lost.slice(0, TOLD_SYMBOLS_MAX);
    this.#options.log.error(
      { event: "symbols.removed", symbols, count: lost.length },
      "the shared partition no longer names these symbols: they stay watched here; write them again",
    );
  }

  async #ask(): Promise<readonly KnownSymbol[]> {
    const { listSymbols } = REFERENCE_QUERIES;
    const rows = await readSharedRows(this.#options.bus, listSymbols, "symbol-follower", { hasRenames: true });
    return z.array(knownSymbolSchema).parse(rows);
  }

  /**
   * The symbols of all copies. If they differ one is old: to take a symbol for active only lets orders go to be judged.
   */
  #copied(): KnownSymbol[] {
    const known = new Map<string, KnownSymbol>();
    for (const { symbols } of this.#copies) {
      for (const { symbol, isActive, exchange, renamedTo } of symbols.values()) {
        const before = known.get(symbol);
        // Not active in one of them by a rename: the others are from before it.
        const isNowActive = (isActive || before?.isActive === true) && (renamedTo ?? before?.renamedTo) === undefined;
        known.set(symbol, { symbol, exchange, isActive: isNowActive, renamedTo: renamedTo ?? before?.renamedTo });
      }
    }
    return [...known.values()];
  }
}

/** In a turn of the copy's partition. */
function keep({ place, symbols: copied }: Copy, symbols: readonly KnownSymbol[]): void {
  for (const { symbol, isActive, exchange, renamedTo } of symbols) {
    const before = copied.get(symbol);
    if (before?.isActive === isActive && before.exchange === exchange && before.renamedTo === renamedTo) continue;
    const copy = { symbol, isActive, exchange, ...(renamedTo !== undefined && { renamedTo }) };
    copied.set(symbol, copy);
    place.journal.put(symbolKey(symbol), encode(storedSymbolCopy, { version: 1, ...copy }));
  }
}
