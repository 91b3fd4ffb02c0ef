/** A journal for tests: its time, its disk, and the fatal faults that it reported. */
import { firstHead } from "../../../../engine/store/journal/head.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { MemoryDisk } from "../../../support/store/memory-store.ts";

const FIRST_HEAD = firstHead("abcdefghij", { partition: 1, partitions: 2 }, 0);

export interface Given {
  readonly failsNow?: () => boolean;
  readonly unhurriedMs?: number;
  readonly areRowsChecked?: boolean;
  readonly changesMax?: number;
  readonly tickPosition?: () => number;
}

/** A journal over a disk that takes 5 ms to write. */
export function given({ unhurriedMs = 0, areRowsChecked = false, tickPosition = () => 42, ...options }: Given = {}) {
  const { changesMax } = options;
  const time = new FakeTime();
  const disk = new MemoryDisk();
  const fatal: unknown[] = [];
  const store = disk.open({ timers: time, writeMs: () => 5, ...options });
  const journal = new PartitionJournal({
    store,
    head: FIRST_HEAD,
    clock: time,
    timers: time,
    tickPosition,
    unhurriedMs,
    areRowsChecked,
    ...(changesMax === undefined ? {} : { changesMax }),
    fatal: ((reason: string) => {
      fatal.push(reason);
    }) as never,
  });
  return { time, disk, store, journal, fatal };
}

/** Decodes bytes as text. */
export const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();
