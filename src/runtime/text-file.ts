/**
 * Reads text files that people make: configuration, imports, recordings, secrets.
 *
 * Owns: their encoding. Does not own: what the text means, files that the programs write themselves.
 *
 * Invariants:
 * 1. Text is UTF-8, with or without a byte order mark. Bytes that are not are refused with their line; none is replaced.
 * 2. No message repeats what the file holds: it may be a secret.
 */
import { readFileSync } from "node:fs";
import { UserError } from "./user-error.ts";

const REPLACEMENT = "\uFFFD";
const REMEDY = "save the file as UTF-8";

/** The text of the file. Throws an `UserError` where it is not UTF-8; errors of the system pass. */
export function readTextFile(path: string): string {
  return decodeText(path, readFileSync(path));
}

/** The text that the bytes of `path` are, without the byte order mark. Throws an `UserError` that names the line of the first wrong byte. */
export function decodeText(path: string, bytes: Uint8Array): string {
  refuseUtf16(path, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const { line, column } = wrongByteOf(bytes);
    throw new UserError(`${path} line ${line}: byte ${column} is not UTF-8: ${REMEDY}`, { reason: "data", cause });
  }
}

/** UTF-16 of mostly Latin letters is every other byte 0, which UTF-8 allows. */
function refuseUtf16(path: string, bytes: Uint8Array): void {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || bytes.subarray(0, 64).includes(0)) {
    throw new UserError(`${path} is UTF-16 or no text: ${REMEDY}`, { reason: "data" });
  }
}

/** The position of the first byte that is not UTF-8; line and column count from 1. */
function wrongByteOf(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  // All before the first byte that was replaced is as it was.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let at = text.indexOf(REPLACEMENT);
  while (isWritten(bytes, Buffer.byteLength(text.slice(0, at)))) at = text.indexOf(REPLACEMENT, at + 1);
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: Buffer.byteLength(before.at(-1) ?? "") + 1 };
}

/** Whether the file itself contains the replacement character. */
function isWritten(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}
