/**
 * The index that a partition keeps in memory of its rows, so that it need not read them again: watches, claims that may
 * be held, actors in quarantine, and the keys of the few rows that every leader reads.
 *
 * Owns: reading it from a store, and keeping it current while a copy follows. Does not own: the changes of a leading
 * partition from then on (the host), the rows themselves.
 *
 * Invariants:
 * 1. After every record it equals the index that reading the store back would give, and its hash covers all live rows.
 * 2. It wakes no actor and writes nothing: a copy fires nothing.
 * 3. No index is made of a store that is not whole.
 */

import type { Facts } from "../../src/machine/effect.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import { ClaimFilter } from "../actor/claim-filter.ts";
import { dependentOf, hydrate, readStoredActor } from "../actor/stored-actor.ts";
import { unwatchFacts, watchChanges } from "../actor/watching.ts";
import type { StoredActor } from "../ports/operator.ts";
import type { Delete, Put, Store } from "../ports/storage.ts";
import { BrokerageUse } from "../query/held-by-brokerage.ts";
import type { Head } from "../store/journal/head.ts";
import { hashOfPair, SetHash } from "../store/journal/set-hash.ts";
import { ReadingProgress } from "../store/reading-progress.ts";
import { readLive } from "../store/recovery.ts";
import { actorKey, HEAD_KEY } from "../table/keys.ts";
import { TABLES, type Table, tableOf } from "../table/tables.ts";
import { PartitionWatchbook } from "../watch/watchbook.ts";
import { kindNamed } from "./kinds.ts";

interface MemoryOptions {
  readonly store: Pick<Store, "scan" | "scanTexts" | "keep">;
  readonly head: Head;
  readonly steadyClock: Clock;
  readonly log: Log;
  /** For tests: see `ClaimFilter`. */
  readonly claimCounters?: number;
}

/** The tables of which every leader reads all rows: they are few. */
const FEW: ReadonlySet<Table | undefined> = new Set([
  TABLES.lives,
  TABLES.outbox,
  TABLES.eventProgress,
  TABLES.holds,
  TABLES.bands,
  TABLES.measures,
  TABLES.corporateActions,
  TABLES.renames,
  TABLES.tradingStates,
  TABLES.limits,
]);

/** The indexed content of an actor's row. */
interface Known {
  /** Undefined if the row is missing, cannot be read, or is in quarantine. */
  readonly facts: Facts | undefined;
  readonly dependent: StoredActor | undefined;
}

const NOTHING: Known = { facts: undefined, dependent: undefined };

export class PartitionIndex {
  readonly watchbook = new PartitionWatchbook();
  readonly claims: ClaimFilter;
  readonly quarantined = new Set<number>();
  /** Actors whose rows cannot be read and that are not in quarantine yet. */
  readonly unreadable = new Set<number>();
  readonly use = new BrokerageUse();
  readonly #few = new Set<string>();
  #hash = new SetHash();

  private constructor(claimCounters?: number) {
    this.claims = new ClaimFilter(claimCounters);
  }

  /** Makes the index of an empty store. */
  static empty(claimCounters?: number): PartitionIndex {
    return new PartitionIndex(claimCounters);
  }

  /** Reads every live row. Throws `StoreRefused` if the store is not whole. */
  static async read({ store, head, steadyClock, log, claimCounters }: MemoryOptions): Promise<PartitionIndex> {
    const memory = new PartitionIndex(claimCounters);
    const { quarantine } = TABLES;
    for await (const page of store.scan({ ...quarantine.range, keysOnly: true })) {
      for (const [key] of page) memory.quarantined.add(quarantine.numberOf(key));
    }
    const progress = new ReadingProgress(steadyClock, log, head.partition);
    await readLive(
      store,
      head,
      (key, value) => {
        store.keep?.(key, value);
        memory.#take(key, value);
      },
      (rowCount) => progress.add(rowCount),
    );
    memory.#hash = SetHash.parse(head.liveHash);
    return memory;
  }

  /** The hash of all live rows, as in the head record. */
  get liveHash(): string {
    return this.#hash.toString();
  }

  /** The keys of the few rows that every leader reads, in order. */
  fewKeys(): string[] {
    return [...this.#few].sort();
  }

  /** Applies the changes of a record; `read` returns the values that keys had before it. */
  follow(operations: readonly (Put | Delete)[], read: (key: string) => Uint8Array | undefined): void {
    const before = new Map<number, Known>();
    const after = new Map<number, Uint8Array | undefined>();
    const remember = (id: number): void => {
      if (!before.has(id)) before.set(id, this.#knownOf(id, read(actorKey(id))));
    };
    for (const operation of operations) {
      const { key } = operation;
      const table = tableOf(key);
      if (table?.isArchive === true || key === HEAD_KEY) continue;
      const value = operation.type === "put" ? operation.value : undefined;
      const held = read(key);
      if (held !== undefined) this.#hash.remove(hashOfPair(key, held));
      if (value !== undefined) this.#hash.add(hashOfPair(key, value));
      if (table === TABLES.actors) {
        const id = table.numberOf(key);
        remember(id);
        after.set(id, value);
      } else if (table === TABLES.quarantine) {
        const id = table.numberOf(key);
        remember(id);
        if (value === undefined) this.quarantined.delete(id);
        else this.quarantined.add(id);
      } else if (table === TABLES.claims) this.#claim(table.nameOf(key), held !== undefined, value !== undefined);
      else if (FEW.has(table)) this.#keep(key, value !== undefined);
    }
    for (const [id, known] of before) {
      this.#replace(id, known, after.has(id) ? after.get(id) : read(actorKey(id)));
    }
  }

  #take(key: string, value: string): void {
    const table = tableOf(key);
    if (table === TABLES.actors) this.#replace(table.numberOf(key), NOTHING, value);
    else if (table === TABLES.claims) this.claims.add(table.nameOf(key));
    else if (FEW.has(table)) this.#few.add(key);
  }

  #claim(claim: string, wasHeld: boolean, isHeld: boolean): void {
    if (isHeld && !wasHeld) this.claims.add(claim);
    else if (wasHeld && !isHeld) this.claims.remove(claim);
  }

  #keep(key: string, isThere: boolean): void {
    if (isThere) this.#few.add(key);
    else this.#few.delete(key);
  }

  #replace(id: number, before: Known, row: Uint8Array | string | undefined): void {
    this.unreadable.delete(id);
    const after = this.#knownOf(id, row);
    this.use.removeActor(before.dependent);
    this.use.addActor(after.dependent);
    if (after.facts !== undefined) watchChanges(this.watchbook, id, before.facts, after.facts, []);
    else if (before.facts !== undefined) unwatchFacts(this.watchbook, id, before.facts);
  }

  /** An actor that is in quarantine, or must be, watches nothing. */
  #knownOf(id: number, row: Uint8Array | string | undefined): Known {
    if (row === undefined) return NOTHING;
    if (this.quarantined.has(id)) return { facts: undefined, dependent: readStoredActor(row, kindNamed) };
    try {
      const actor = hydrate(row, kindNamed);
      return { facts: actor.facts, dependent: dependentOf(actor) };
    } catch {
      this.unreadable.add(id);
      return { facts: undefined, dependent: readStoredActor(row, kindNamed) };
    }
  }
}
