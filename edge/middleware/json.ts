/**
 * Reads JSON that a stranger sent.
 *
 * Invariants:
 * 1. Depth is checked on the bytes before anything is built: `JSON.parse` takes millions of nested brackets, and what
 *    comes out can be neither written nor logged.
 * 2. Bytes are valid UTF-8 without a byte order mark.
 * 3. `__proto__` is dropped at every depth. Of a repeated key the last one counts, as in `JSON.parse`.
 */
import { isUtf8 } from "node:buffer";
import type { Refusal } from "../client/engine-client.ts";
import { refusal } from "./errors.ts";

/** Deeper than any body of the interface by far. */
export const DEPTH_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface JsonValue {
  readonly ok: true;
  readonly value: unknown;
}

/** The value that the bytes stand for. */
export function readJson(bytes: Buffer): JsonValue | Refusal {
  if (!isUtf8(bytes)) return malformed("is not valid UTF-8");
  if (isTooDeep(bytes)) return malformed(`is nested deeper than ${DEPTH_MAX}`);
  const text = bytes.toString("utf8");
  try {
    // An escape may spell the key too; most bodies have neither and need no second walk.
    const mayNameProto = text.includes("__proto__") || text.includes("\\u");
    return { ok: true, value: mayNameProto ? JSON.parse(text, dropProto) : JSON.parse(text) };
  } catch {
    return malformed("is not valid JSON");
  }
}

function malformed(rule: string): Refusal {
  return refusal("INVALID", `the body ${rule}`);
}

function dropProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

/** Counts brackets outside of strings. What is not JSON may be counted wrongly; it is refused a moment later. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return false;
}
