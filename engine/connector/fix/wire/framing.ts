/**
 * A stream of bytes -> frames.
 *
 * Owns: the beginning and end of a frame, its length and checksum. Does not own: the meaning of a message.
 *
 * Invariants:
 * 1. A garbled frame (length, checksum, fields, order of the first three) is skipped as a whole and counted, as the
 *    standard requires. Its number is not taken, so the gap shows and the message is asked for again.
 * 2. However the stream is split, the frames are the same.
 * 3. Memory stays below one frame of the longest length and one chunk, for any input.
 */
import { checksumOf, FixMessage, parseFields, SEPARATOR } from "./message.ts";
import { Tag } from "./tag.ts";

const BEGIN = Buffer.from("8=FIX", "latin1");
const TRAILER_LENGTH = 7;
/** The longest "8=FIXT.1.1|9=123456|" that is waited for. */
const HEAD_LENGTH_MAX = 40;
const HEAD = new RegExp(`^8=(FIXT?\\.\\d\\.\\d(?:SP\\d)?)${SEPARATOR}9=(\\d{1,7})${SEPARATOR}`);
const HEAD_BEGUN = new RegExp(`^(8(=(F(IX?)?)?)?)?$|^8=FIXT?[.\\dSP]*(${SEPARATOR}(9(=\\d*)?)?)?$`);
const TRAILER = new RegExp(`^10=\\d{3}${SEPARATOR}$`);

export interface Frame {
  readonly beginString: string;
  readonly message: FixMessage;
}

interface FrameReaderOptions {
  readonly bodyLengthMax: number;
  /** Receives every stretch that is skipped. */
  readonly onGarbled: (reason: string, byteCount: number) => void;
}

/** Cuts one connection's stream; a new connection needs a new one. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  #rest: Buffer = Buffer.alloc(0);

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** Gives the frames that `chunk` completes, in order. */
  push(chunk: Buffer): Frame[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (;;) {
      const begin = findBegin(bytes);
      if (begin > 0) this.#options.onGarbled("bytes outside a message", begin);
      bytes = bytes.subarray(begin);
      const cut = cutFrame(bytes, this.#options.bodyLengthMax);
      if (cut.kind === "wait") break;
      if (cut.kind === "frame") frames.push(cut.frame);
      else this.#options.onGarbled(cut.reason, cut.length);
      bytes = bytes.subarray(cut.length);
    }
    // A copy: the rest of a chunk must not keep all of it in memory.
    this.#rest = Buffer.from(bytes);
    return frames;
  }
}

/** Finds where the next frame can begin; bytes before it belong to no frame. */
function findBegin(bytes: Buffer): number {
  const found = bytes.indexOf(BEGIN);
  if (found >= 0) return found;
  // The end may be the beginning of the mark.
  for (let length = Math.min(BEGIN.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(BEGIN.subarray(0, length))) return bytes.length - length;
  }
  return bytes.length;
}

type Cut =
  | { readonly kind: "wait" }
  | { readonly kind: "frame"; readonly frame: Frame; readonly length: number }
  | { readonly kind: "garbled"; readonly reason: string; readonly length: number };

function cutFrame(bytes: Buffer, bodyLengthMax: number): Cut {
  const head = HEAD.exec(bytes.toString("latin1", 0, HEAD_LENGTH_MAX));
  if (head === null) {
    if (bytes.length < HEAD_LENGTH_MAX && isPossibleHead(bytes)) return { kind: "wait" };
    return { kind: "garbled", reason: "no length", length: toNextBegin(bytes) };
  }
  const bodyLength = Number(head[2]);
  if (bodyLength > bodyLengthMax) return { kind: "garbled", reason: "too long", length: toNextBegin(bytes) };
  const bodyStart = head[0].length;
  const bodyEnd = bodyStart + bodyLength;
  const length = bodyEnd + TRAILER_LENGTH;
  if (bytes.length < length) return { kind: "wait" };
  const trailer = bytes.toString("latin1", bodyEnd, length);
  if (bytes[bodyEnd - 1] !== 1 || !TRAILER.test(trailer)) {
    return { kind: "garbled", reason: "wrong length", length: toNextBegin(bytes) };
  }
  if (trailer.slice(3, 6) !== checksumOf(bytes.subarray(0, bodyEnd))) {
    return { kind: "garbled", reason: "wrong checksum", length };
  }
  const fields = parseFields(bytes.subarray(bodyStart, bodyEnd));
  if (fields === undefined || fields[0]?.[0] !== Tag.MsgType) {
    return { kind: "garbled", reason: "fields that cannot be read", length };
  }
  return { kind: "frame", frame: { beginString: head[1] ?? "", message: new FixMessage(fields) }, length };
}

/** True while `bytes` can still become a head: nothing in it is wrong so far. */
function isPossibleHead(bytes: Buffer): boolean {
  return HEAD_BEGUN.test(bytes.toString("latin1"));
}

/** Past this mark, up to the next one: a wrong length must not swallow the messages that follow. */
function toNextBegin(bytes: Buffer): number {
  const next = bytes.indexOf(BEGIN, 1);
  return next >= 0 ? next : Math.max(1, bytes.length - BEGIN.length + 1);
}
