import type { CommitLog } from "../../../../engine/ports/log.ts";

/** A log that is held by other machines: it does not end with one engine. */
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
