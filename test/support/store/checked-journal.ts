/** The engine's journal for tests of those who write to it: each mark is checked, and a failed write throws. */

import type { Store } from "../../../engine/ports/storage.ts";
import type { Head } from "../../../engine/store/journal/head.ts";
import { PartitionJournal } from "../../../engine/store/journal/journal.ts";
import type { FakeTime } from "../machine/fake-time.ts";

/** A journal that starts from `head` over `store`. */
export function checkedJournal(store: Store, head: Head, time: FakeTime): PartitionJournal {
  return new PartitionJournal({
    store,
    head,
    clock: time,
    timers: time,
    fatal: (reason, cause) => {
      throw new Error(reason, { cause });
    },
    tickPosition: () => null,
    areRowsChecked: true,
  });
}
