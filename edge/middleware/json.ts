/**
 * Reads JSON that a stranger sent.
 *
 * Invariants:
 * 1. Depth is checked on the bytes before anything is built: `JSON.parse` takes millions of nested brackets, and its
 *    result can be neither written nor logged.
 * 2. Bytes are valid UTF-8 without a byte order mark.
 * 3. A key occurs in an object once, and is never `__proto__`. `JSON.parse` would take the last of two quantities,
 *    other readers the first: only the sender knows which one was meant.
 */
import { isUtf8 } from "node:buffer";
import type { Refusal } from "../client/engine-client.ts";
import { refusal } from "./errors.ts";

/** Deeper than any body of the interface by far. */
const DEPTH_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

interface JsonValue {
  readonly ok: true;
  readonly value: unknown;
}

/** Returns the value that the bytes represent. */
export function readJson(bytes: Buffer): JsonValue | Refusal {
  if (!isUtf8(bytes)) return malformed("is not valid UTF-8");
  const shape = shapeOf(bytes);
  if (shape === undefined) return malformed(`is nested deeper than ${DEPTH_MAX}`);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("is not valid JSON");
  }
  const keyCount = keysIn(value);
  if (keyCount === undefined) return malformed("has a field __proto__");
  // A repeated key was written once more than it was read.
  return keyCount === shape.keyCount ? { ok: true, value } : malformed(repeatedKey(text));
}

function malformed(rule: string): Refusal {
  return refusal("INVALID", `the body ${rule}`);
}

/** How many keys a value contains at every depth; undefined if one of them is `__proto__`. */
function keysIn(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return 0;
  if (Object.hasOwn(value, "__proto__")) return undefined;
  const inner: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) {
    const within = keysIn(one);
    if (within === undefined) return undefined;
    count += within;
  }
  return count;
}

const SHOWN_KEY = /^[\w.-]{1,64}$/;

/** Names the key that an object of the text, which is JSON, has twice. Only called if one exists. */
function repeatedKey(text: string): string {
  const seenOf: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") seenOf.push(new Set());
    else if (token === "}") seenOf.pop();
    else if (key !== undefined) {
      const name: unknown = JSON.parse(key);
      const seen = seenOf.at(-1);
      if (typeof name !== "string" || seen === undefined) continue;
      if (seen.has(name)) return SHOWN_KEY.test(name) ? `has the field ${name} twice` : "has a field twice";
      seen.add(name);
    }
  }
  return "has a field twice";
}

/**
 * Counts brackets, and colons, outside of strings; returns undefined if it is too deep. Text that is not JSON can be
 * counted wrongly; it is refused a moment later.
 */
function shapeOf(bytes: Buffer): { readonly keyCount: number } | undefined {
  let depth = 0;
  let keyCount = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COLON) {
      keyCount += 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEPTH_MAX) return undefined;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return { keyCount };
}
