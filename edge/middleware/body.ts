/**
 * Takes a request's body off the wire.
 *
 * Invariants:
 * 1. Never more than `BODY_BYTES_MAX` are kept, for any promise or omission of the headers.
 * 2. A body that was refused unread closes its connection: later bytes on it could not be distinguished from a request.
 *    The client is given time to read the reason (`../server/lingering-end.ts`).
 * 3. No content coding is undone: a small body cannot become a large one.
 * 4. A body that breaks off is the client's fault and not an error of ours: any client can make one, as often as it
 *    likes.
 */
import type { IncomingMessage } from "node:http";
import type { Refusal } from "../client/engine-client.ts";
import type { EdgeContext } from "../server/request-state.ts";
import { refusal } from "./errors.ts";

const BODY_BYTES_MAX = 1_048_576;

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";
export const TEXT_TYPE = "text/plain";

interface Body {
  readonly ok: true;
  /** Media type, lower case, without parameters. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Reads the body of a request whose media type is one of `mediaTypes`. */
export async function readBody(context: EdgeContext, mediaTypes: readonly string[]): Promise<Body | Refusal> {
  const mediaType = readMediaType(context.req.header("content-type"));
  if (mediaType === undefined || !mediaTypes.includes(mediaType)) {
    return refusal("INVALID", `Content-Type must be ${mediaTypes.join(" or ")}, in UTF-8`);
  }
  const coding = context.req.header("content-encoding");
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    return refusal("INVALID", "Content-Encoding is not supported: send the body as it is");
  }
  if (Number(context.req.header("content-length") ?? 0) > BODY_BYTES_MAX) return tooLarge();
  const { incoming } = context.env;
  const bytes = incoming === undefined ? await collect(webChunks(context)) : await collectIncoming(incoming);
  return bytes instanceof Uint8Array ? { ok: true, mediaType, bytes } : bytes;
}

function tooLarge(): Refusal {
  return refusal("PAYLOAD_TOO_LARGE", `the body is larger than ${BODY_BYTES_MAX} bytes`);
}

/** Undefined if it is missing, malformed, or names another character set than UTF-8. */
function readMediaType(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [mediaType = "", ...parameters] = header.toLowerCase().split(";");
  for (const parameter of parameters) {
    const [name, value = ""] = parameter.trim().split("=");
    if (name === "charset" && !isUtf8Label(value)) return undefined;
  }
  return mediaType.trim();
}

/** True for every label of UTF-8 in the Encoding Standard (`utf8`, `UTF-8`), quoted or not. */
function isUtf8Label(value: string): boolean {
  try {
    return new TextDecoder(value.replace(/^"(.*)"$/, "$1")).encoding === "utf-8";
  } catch {
    return false;
  }
}

/** Reads from the socket's own stream: a web stream around it costs more than the whole of a short request. */
function collectIncoming(incoming: HttpIncoming): Promise<Buffer | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let byteCount = 0;
    const settle = (finish: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", breakOff).off("close", breakOff);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      byteCount += chunk.length;
      if (byteCount > BODY_BYTES_MAX) settle(() => resolve(tooLarge()));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // No client is left to read this answer, unless the client has only closed its own direction.
    const breakOff = (): void => settle(() => resolve(refusal("INVALID", "the body was not sent to its end")));
    incoming.on("data", onData).on("end", onEnd).on("error", breakOff).on("close", breakOff);
  });
}
type HttpIncoming = Pick<IncomingMessage, "on" | "off">;

async function* webChunks(context: EdgeContext): AsyncGenerator<Uint8Array> {
  const reader = context.req.raw.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer | Refusal> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of source) {
    byteCount += chunk.length;
    if (byteCount > BODY_BYTES_MAX) return tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
