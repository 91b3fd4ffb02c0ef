/**
 * What is on the disk, read as plain JSON: the oracle and the checks share no code with the engine that wrote it.
 */
import type { MemoryDisk } from "../support/memory-store.ts";

/** A row as a client sees it. */
export interface PlainRow {
  readonly id: number;
  readonly groupId: number;
  readonly symbol: string;
  readonly accountNumber: string;
  readonly orderType: number;
  readonly quantity: number;
  readonly price: number;
  readonly status: number;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly triggerErrorMessage: string | null;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly createdDate: string;
  readonly updatedDate: string | null;
}

/** The context of a group's snapshot, as far as the checks look at it. */
export interface PlainGroup {
  readonly key: string;
  readonly groupId: number;
  readonly symbol: string;
  readonly dueAtMs: number | null;
  readonly rows: readonly {
    readonly id: number;
    readonly price: number;
    readonly quantity: number;
    readonly status: number;
    readonly isInFlight: boolean;
  }[];
}

export const ACTIVE = 1;
export const TRIGGERED = 2;
export const FAILED = 3;
export const CANCELLED = 4;

export class PlainDisk {
  readonly #disk: MemoryDisk;
  readonly #parsed = new WeakMap<Uint8Array, readonly PlainRow[]>();

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  /** The keys under a prefix that ends in a slash. */
  keys(prefix: string): string[] {
    return this.#disk.entries.keysIn({ gte: prefix, lt: `${prefix.slice(0, -1)}0` });
  }

  text(key: string): string {
    return Buffer.from(this.#disk.entries.get(key) ?? "").toString();
  }

  /** The rows of a view, the stop-loss first; empty when there is none. */
  rows(key: string): readonly PlainRow[] {
    const bytes = this.#disk.entries.get(key);
    if (bytes === undefined) return [];
    const known = this.#parsed.get(bytes);
    if (known !== undefined) return known;
    const rows: PlainRow[] = JSON.parse(`[${Buffer.from(bytes).toString()}]`);
    this.#parsed.set(bytes, rows);
    return rows;
  }

  /** Every listed group: the key of its view by its notes. */
  groupsByNotes(): Map<string, string> {
    const found = new Map<string, string>();
    for (const key of this.keys("v/oco/")) {
      const notes = this.rows(key)[0]?.notes;
      if (typeof notes === "string") found.set(notes, key);
    }
    return found;
  }

  /** The stored snapshots of groups, live ones (`a/`) or ended ones (`z/`). */
  snapshots(prefix: "a/" | "z/"): PlainGroup[] {
    return this.keys(prefix).flatMap((key) => {
      const stored: { kind: string; context: Omit<PlainGroup, "key"> } = JSON.parse(this.text(key));
      return stored.kind === "group" ? [{ ...stored.context, key }] : [];
    });
  }
}
