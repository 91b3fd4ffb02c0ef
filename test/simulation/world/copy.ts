/** Another engine's copy of the partition, as far as it is remembered: it receives every record of the log. */
import type { PartitionIndex } from "../../../engine/partition/partition-index.ts";
import type { LoggedDisk } from "../../support/store/logged-disk.ts";

export class FollowingCopy {
  readonly disk: LoggedDisk;
  #memory: PartitionIndex | undefined;

  constructor(disk: LoggedDisk) {
    this.disk = disk;
    disk.onRecord = (operations) => this.#memory?.follow(operations, (key) => disk.entries.get(key));
  }

  /** Returns the memory until now; from here on another copy follows, which begins with `next`. */
  exchange(next: PartitionIndex): PartitionIndex | undefined {
    const memory = this.#memory;
    this.#memory = next;
    return memory;
  }
}
