/** JSON that came from elsewhere. */

/** Returns the value of JSON text or of its bytes; undefined if it is not JSON. A schema judges the value. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : textOf(text));
  } catch {
    return undefined;
  }
}

/** The text of UTF-8 bytes. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString();
}
