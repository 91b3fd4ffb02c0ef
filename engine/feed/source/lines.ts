/**
 * The lines of a file, as they are read.
 *
 * Invariant: no more than one read and one line are in memory, however long the file or a line of it is.
 */
import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";

const LINE_FEED = 0x0a;
const READ_BYTES = 64 * 1024;

/**
 * Yields every line without its end, and undefined for a line of more than `lineBytesMax` bytes or one not in UTF-8.
 * Rejects if the file cannot be read further. Does not close the file.
 */
export async function* readLines(file: FileHandle, lineBytesMax: number): AsyncGenerator<string | undefined> {
  const chunk = Buffer.alloc(READ_BYTES);
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= lineBytesMax) parts.push(Buffer.from(part));
  };
  const finish = (): string | undefined => {
    const line = length <= lineBytesMax ? textOf(Buffer.concat(parts)) : undefined;
    parts = [];
    length = 0;
    return line?.endsWith("\r") ? line.slice(0, -1) : line;
  };
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, READ_BYTES, null);
    if (bytesRead === 0) break;
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1 || end >= bytesRead) break;
      take(chunk.subarray(start, end));
      start = end + 1;
      yield finish();
    }
    take(chunk.subarray(start, bytesRead));
  }
  if (length > 0) yield finish();
}

/** Undefined if the bytes are not UTF-8: a replacement character could make a different line of it. */
function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
