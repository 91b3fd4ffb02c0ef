/** The places of records in the stream, found by binary search because the numbers of frames rise. */
import { decodeFrame, type Frame, NO_RECORD } from "./frame.ts";
import type { LogStream } from "./log-stream.ts";

/**
 * Returns the first message of record `number`, or of the first later record that the stream holds. Returns a place
 * after the last message if the stream has no such record.
 */
export async function sequenceOf(stream: LogStream, number: number): Promise<number> {
  const { firstSequence, lastSequence } = await stream.state();
  let [low, high] = [Math.max(1, firstSequence), lastSequence + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const frame = await frameAt(stream, middle);
    // A missing message was removed during the search.
    if (frame === undefined || frame.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the first record that the stream holds from its first part; undefined: no such record. */
export async function firstRecord(stream: LogStream): Promise<number | undefined> {
  const { firstSequence, lastSequence } = await stream.state();
  if (lastSequence < firstSequence || lastSequence === 0) return undefined;
  const first = await frameAt(stream, firstSequence);
  if (first === undefined) return firstRecord(stream);
  if (first.kind === "part" && first.part === 0) return first.number;
  const next = await frameAt(stream, await sequenceOf(stream, first.number + 1));
  return next?.number;
}

/** The number of the last whole record; undefined: no record. */
export function lastRecord(frame: Frame): number | undefined {
  const isWhole = frame.kind !== "part" || frame.isLast;
  const number = isWhole ? frame.number : frame.number - 1;
  return number === NO_RECORD ? undefined : number;
}

/** The frame of a message; undefined if no such message exists. */
export async function frameAt(stream: LogStream, sequence: number): Promise<Frame | undefined> {
  const message = await stream.read(sequence);
  return message === undefined ? undefined : decodeFrame(message.data);
}
