/** JSON that came from elsewhere. */

/** The value of JSON text or of its bytes; undefined where it is none. What the value is like is for a schema to say. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : textOf(text));
  } catch {
    return undefined;
  }
}

/** The text that bytes stand for. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString();
}
