/** LevelDB with nothing around it: the floor of everything durable. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Level } from "level";
import type { Delete, Put } from "../../engine/ports/storage.ts";
import { WRITE_BUFFER_BYTES } from "../../engine/store/level-store.ts";
import { creationKeys } from "./load/owned-group.ts";
import { idleGroup } from "./load/ticks.ts";

/** The group's own is the one of its stop-loss; two take-profits have theirs. */
const IDS_A_GROUP = 3;

export type Operations = readonly (Put | Delete)[];

export class BareLevel {
  readonly #folder: string;
  readonly #level: Level<string, Uint8Array>;

  /** In a new folder within `parent`. */
  constructor(parent = tmpdir()) {
    this.#folder = mkdtempSync(join(parent, "trading-bench-bare-"));
    // As the engine opens its own.
    this.#level = new Level(this.#folder, {
      keyEncoding: "utf8",
      valueEncoding: "view",
      cacheSize: 64 * 1024 * 1024,
      writeBufferSize: WRITE_BUFFER_BYTES,
    });
  }

  open(): Promise<void> {
    return this.#level.open();
  }

  /** One synced batch in the cheapest form that the library has: a chained batch. */
  write(operations: Operations): Promise<void> {
    const batch = this.#level.batch();
    for (const operation of operations) {
      if (operation.type === "put") batch.put(operation.key, operation.value);
      else batch.del(operation.key);
    }
    return batch.write({ sync: true });
  }

  /** One synced batch in the form that the library's documentation shows first: an array of operations. */
  writeArray(operations: Operations): Promise<void> {
    return this.#level.batch([...operations], { sync: true });
  }

  async close(): Promise<void> {
    await this.#level.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The values of one new group under the keys that group number `index` has: users and symbols lie apart as theirs do.
 */
export function bareCreation(index: number, values: readonly Uint8Array[]): Operations {
  const keys = creationKeys(idleGroup(index), index * IDS_A_GROUP, index);
  return values.map((value, at) => ({ type: "put", key: keys[at] ?? "", value }));
}
