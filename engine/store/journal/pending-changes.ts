/**
 * Changes that become durable in one batch, and what they let out.
 *
 * Owns: the changes, the acts, by how much the changes move the hashes of the store. Does not own: when it is written.
 */

import type { Delete, Put } from "../../ports/storage.ts";
import { isArchiveKey } from "../../table/keys.ts";
import { SetHash } from "./set-hash.ts";

export interface Change {
  /** Null removes. */
  readonly value: Uint8Array | null;
  /** Whether the key certainly held nothing before these changes. */
  readonly isNew: boolean;
}

export class PendingChanges {
  /** By key. */
  readonly changes = new Map<string, Change>();
  /** What runs once the changes are durable, in order. */
  acts: (() => void)[] = [];
  readonly #live = new SetHash();
  readonly #archive = new SetHash();

  get isEmpty(): boolean {
    return this.changes.size === 0;
  }

  /** `before` and `after`: the hashes of what the key held and of what it holds now; undefined where that is nothing. */
  set(key: string, value: Uint8Array | null, before: bigint | undefined, after: bigint | undefined): void {
    const hash = isArchiveKey(key) ? this.#archive : this.#live;
    if (before !== undefined) hash.remove(before);
    if (after !== undefined) hash.add(after);
    const isNew = this.changes.get(key)?.isNew ?? before === undefined;
    this.changes.set(key, { value, isNew });
  }

  /** What is to be written; a key that held nothing and was removed again is left out. */
  operations(): (Put | Delete)[] {
    const operations: (Put | Delete)[] = [];
    for (const [key, { value, isNew }] of this.changes) {
      if (value !== null) operations.push({ type: "put", key, value, isNew });
      else if (!isNew) operations.push({ type: "del", key });
    }
    return operations;
  }

  /** Takes over all of a layer that shares no key with this one; its acts run before the present ones. */
  absorb(other: PendingChanges): void {
    for (const [key, change] of other.changes) this.changes.set(key, change);
    if (other.acts.length > 0) this.acts = [...other.acts, ...this.acts];
    other.moveHashes(this.#live, this.#archive);
  }

  /** Moves the hashes of all live and of all archive pairs by what the changes did. */
  moveHashes(live: SetHash, archive: SetHash): void {
    live.merge(this.#live);
    archive.merge(this.#archive);
  }
}
