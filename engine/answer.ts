/**
 * The engine's side of request-reply: bytes in, bytes out.
 *
 * Invariants:
 * 1. Every request is answered. A fault of ours is answered with INTERNAL, without inner detail, and logged with the
 *    request's id.
 * 2. No body is ever logged.
 */
import type { BusMessage } from "../src/bus/port.ts";
import { type Envelope, envelopeSchema, type Reply } from "../src/contract/command.ts";
import type { Log } from "./ports.ts";

/** A reply, or a page of stored rows as bytes. */
export type Answer = Reply | Uint8Array;
export type Answerer = (envelope: Envelope) => Promise<Answer>;

/** Makes a bus handler of an answerer. */
export function answering(answerer: Answerer, log: Log): (message: BusMessage) => Promise<Uint8Array> {
  return async ({ subject, data }) => {
    const envelope = envelopeSchema.safeParse(parseJson(data));
    if (!envelope.success) return encode({ ok: false, code: "INVALID", message: "the request is not an envelope" });
    try {
      return encode(await answerer(envelope.data));
    } catch (error) {
      const { type, requestId } = envelope.data;
      log.error({ err: error, subject, type, requestId }, "a request failed");
      return encode({ ok: false, code: "INTERNAL", message: "internal error" });
    }
  };
}

function encode(answer: Answer): Uint8Array {
  return answer instanceof Uint8Array ? answer : Buffer.from(JSON.stringify(answer));
}

function parseJson(data: Uint8Array): unknown {
  try {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
