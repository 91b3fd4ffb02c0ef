import type { CommitLog } from "../../../../engine/ports/log.ts";

/** As the log of other machines: its end does not come with that of one engine. */
export function lentLog(own: CommitLog): CommitLog {
  return {
    get firstSequence() {
      return own.firstSequence;
    },
    get lastSequence() {
      return own.lastSequence;
    },
    append: (expected, records) => own.append(expected, records),
    readFrom: (sequence) => own.readFrom(sequence),
    trim: async () => undefined,
    close: async () => undefined,
  };
}
