/**
 * Removes from the log's stream what no copy needs any more.
 *
 * Owns: how far. Does not own: what copies hold, when it is asked for.
 *
 * Invariants:
 * 1. Every record after `heldTo` stays, and about `keepBytes` before it: for a copy that was away it is less to be given the
 *    end of the log than all rows.
 * 2. What is left begins with a whole record, or with what is none.
 */
import type { LogStream } from "./log-stream.ts";
import { frameAt, sequenceOf } from "./record-location.ts";

/** Removing costs the servers a round: what is less than this share of what is kept waits. */
const WORTH_SHARE = 1 / 16;

/** True: something was removed. `heldTo`: the record up to which the copies have all on their disks. */
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

/** The message with which the record begins that `sequence` is a part of. */
async function recordStart(stream: LogStream, sequence: number): Promise<number> {
  if (sequence <= 0) return 0;
  const frame = await frameAt(stream, sequence);
  if (frame?.kind !== "part" || frame.part === 0) return sequence;
  return sequenceOf(stream, frame.number);
}
