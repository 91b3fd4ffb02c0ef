/**
 * One FIX message: the fields between the frame's length and its checksum, in their order, and back to bytes.
 *
 * Owns: reading fields (raw data included) and writing a frame. Does not own: cutting a stream into frames
 * (`framing.ts`), which fields a message needs.
 *
 * Invariants:
 * 1. Text is latin1 in memory: every byte of the wire is one character, so nothing is lost on the way through.
 * 2. A field never contains the separator, except raw data behind its length. A value of ours with a separator is a
 *    bug: it throws.
 */
import { assert } from "../../../../src/assert.ts";
import { RAW_DATA, Tag } from "./tag.ts";

export const SEPARATOR = "\x01";
const ZERO = 0x30;
const TAG_DIGITS_MAX = 9;
const CHECKSUM_MODULUS = 256;

export type Field = readonly [tag: number, value: string];

/** A message as it was read. */
export class FixMessage {
  readonly fields: readonly Field[];
  readonly type: string;

  constructor(fields: readonly Field[]) {
    this.fields = fields;
    this.type = this.get(Tag.MsgType) ?? "";
  }

  /** The first value of a field; of repeating groups use `groups`. */
  get(tag: number): string | undefined {
    for (const field of this.fields) if (field[0] === tag) return field[1];
    return undefined;
  }

  /** A whole number of at least 0; undefined if the field is absent or has another form. */
  int(tag: number): number | undefined {
    const text = this.get(tag);
    if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
    return Number(text);
  }

  /** A decimal number; undefined if the field is absent or has another form. */
  decimal(tag: number): number | undefined {
    const text = this.get(tag);
    if (text === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return undefined;
    return Number(text);
  }

  is(tag: number): boolean {
    return this.get(tag) === "Y";
  }

  /** The entries of a repeating group: each begins with `first`, and the last ends with the message. */
  groups(count: number, first: number): FixMessage[] {
    const start = this.fields.findIndex(([tag]) => tag === count);
    if (start < 0) return [];
    const entries: Field[][] = [];
    for (const field of this.fields.slice(start + 1)) {
      if (field[0] === first) entries.push([field]);
      else entries.at(-1)?.push(field);
    }
    return entries.map((fields) => new FixMessage(fields));
  }
}

/** Sum of all bytes, as the three digits of field 10. */
export function checksumOf(bytes: Uint8Array): string {
  let sum = 0;
  // By index: an iterator costs more than the sum.
  for (let index = 0; index < bytes.length; index += 1) sum += bytes[index] ?? 0;
  return String(sum % CHECKSUM_MODULUS).padStart(3, "0");
}

/** A whole frame: `beginString`, the length, `fields` in their order (35 first), the checksum. */
export function encode(beginString: string, fields: readonly Field[]): Buffer {
  const body = fields.map(renderField).join("");
  const head = Buffer.from(`8=${beginString}${SEPARATOR}9=${body.length}${SEPARATOR}${body}`, "latin1");
  return Buffer.concat([head, Buffer.from(`10=${checksumOf(head)}${SEPARATOR}`, "latin1")]);
}

function renderField([tag, value]: Field): string {
  assert(value !== "", "an empty FIX field");
  assert(!value.includes(SEPARATOR) || [...RAW_DATA.values()].includes(tag), "a separator in a FIX field");
  return `${tag}=${value}${SEPARATOR}`;
}

/** Parses the fields of a body. Undefined if a field has no tag, no value, or raw data whose length is wrong. */
export function parseFields(body: Buffer): Field[] | undefined {
  const text = body.toString("latin1");
  const fields: Field[] = [];
  let position = 0;
  let rawTag: number | undefined;
  let rawLength = 0;
  while (position < text.length) {
    const equals = text.indexOf("=", position);
    const tag = equals < 0 ? undefined : tagAt(text, position, equals);
    if (tag === undefined) return undefined;
    const end = tag === rawTag ? equals + 1 + rawLength : text.indexOf(SEPARATOR, equals);
    if (end < 0 || text[end] !== SEPARATOR || end === equals + 1) return undefined;
    const value = text.slice(equals + 1, end);
    fields.push([tag, value]);
    const dataTag = RAW_DATA.get(tag);
    rawTag = dataTag !== undefined && /^\d{1,9}$/.test(value) ? dataTag : undefined;
    rawLength = rawTag === undefined ? 0 : Number(value);
    position = end + 1;
  }
  return fields;
}

/** One to nine digits, the first none of 0. */
function tagAt(text: string, start: number, end: number): number | undefined {
  if (end === start || end - start > TAG_DIGITS_MAX || text.charCodeAt(start) === ZERO) return undefined;
  let tag = 0;
  for (let index = start; index < end; index += 1) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    tag = tag * 10 + digit;
  }
  return tag;
}

/** Text that a person wrote, at most `length` characters: as UTF-8 if it is valid, else unchanged. */
export function readText(text: string | undefined, length = 300): string {
  const bytes = Buffer.from(text ?? "", "latin1");
  const decoded = bytes.toString("utf8");
  return (decoded.includes("\uFFFD") ? bytes.toString("latin1") : decoded).slice(0, length);
}
