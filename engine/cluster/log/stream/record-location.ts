/** Where records lie in the stream: found by halving, for the numbers of frames rise with it. */
import { decodeFrame, type Frame, NO_RECORD } from "./frame.ts";
import type { LogStream } from "./log-stream.ts";

/**
 * The first message of record `number`, or of the first record after it that the stream holds. A message after the last
 * one where there is none.
 */
export async function sequenceOf(stream: LogStream, number: number): Promise<number> {
  const { firstSequence, lastSequence } = await stream.state();
  let [low, high] = [Math.max(1, firstSequence), lastSequence + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const frame = await frameAt(stream, middle);
    // What is not there was removed meanwhile.
    if (frame === undefined || frame.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the first record that is there from its first part on; undefined: there is none. */
export async function firstRecord(stream: LogStream): Promise<number | undefined> {
  const { firstSequence, lastSequence } = await stream.state();
  if (lastSequence < firstSequence || lastSequence === 0) return undefined;
  const first = await frameAt(stream, firstSequence);
  if (first === undefined) return firstRecord(stream);
  if (first.kind === "part" && first.part === 0) return first.number;
  const next = await frameAt(stream, await sequenceOf(stream, first.number + 1));
  return next?.number;
}

/** The number of the last whole record; undefined: there is none. */
export function lastRecord(frame: Frame): number | undefined {
  const isWhole = frame.kind !== "part" || frame.isLast;
  const number = isWhole ? frame.number : frame.number - 1;
  return number === NO_RECORD ? undefined : number;
}

/** The frame of a message; undefined where there is no such message. */
export async function frameAt(stream: LogStream, sequence: number): Promise<Frame | undefined> {
  const message = await stream.read(sequence);
  return message === undefined ? undefined : decodeFrame(message.data);
}
