/**
 * Removes the messages that no copy needs any more from the log's stream.
 *
 * Owns: how far. Does not own: what copies hold, when it is asked for.
 *
 * Invariants:
 * 1. Every record after `heldTo` remains, and about `keepBytes` before it: a copy that was disconnected then reads the
 *    end of the log, which is less than all rows.
 * 2. The remaining stream begins with a whole record, or with a message that is not a record.
 */
import type { LogStream } from "./log-stream.ts";
import { frameAt, sequenceOf } from "./record-location.ts";

/** Removing costs the servers a round trip: less than this share of the kept bytes waits. */
const WORTH_SHARE = 1 / 16;

/** True: messages were removed. `heldTo`: the record up to which all copies are on disk. */
export async function purgeBehind(stream: LogStream, heldTo: number, keepBytes: number): Promise<boolean> {
  const { firstSequence, lastSequence, byteCount } = await stream.state();
  if (byteCount <= keepBytes * (1 + WORTH_SHARE)) return false;
  const messageBytes = byteCount / (lastSequence - firstSequence + 1);
  const held = await sequenceOf(stream, heldTo + 1);
  const cut = await recordStart(stream, held - Math.ceil(keepBytes / messageBytes));
  if (cut <= firstSequence || (cut - firstSequence) * messageBytes < keepBytes * WORTH_SHARE) return false;
  await stream.purge(cut);
  return true;
}

/** The first message of the record of which `sequence` is a part. */
async function recordStart(stream: LogStream, sequence: number): Promise<number> {
  if (sequence <= 0) return 0;
  const frame = await frameAt(stream, sequence);
  if (frame?.kind !== "part" || frame.part === 0) return sequence;
  return sequenceOf(stream, frame.number);
}
