/**
 * A stored event as the bus brings it.
 *
 * The engine's bytes are not parsed: the head is read in place, and the rest is passed on as bytes. Most events of an
 * edge pass types that their streams leave out, so a frame is made when the first stream sends it, once for all of
 * them.
 */

import { publishedEventSchema } from "../../src/contract/event/event.ts";
import { parseJson, textOf } from "../../src/runtime/json.ts";
import { storedFrame } from "./frame.ts";

interface Head {
  readonly sequence: number;
  /** The user has no event between this and `sequence`. */
  readonly previous: number;
  readonly id: string;
  readonly type: string;
}

/** Fields in the engine's order, none with an escape; no head is longer. */
const HEAD =
  /^\{"previous":([0-9]{1,15}),"id":"([a-z0-9-]+)","sequence":([1-9][0-9]{0,14}),"time":"[^"\\]+","userId":[0-9]+,"type":"([A-Za-z.]+)"[,}]/;
const HEAD_BYTES = 512;
const LINK = /^\{"previous":[0-9]+,/;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const END = "}".charCodeAt(0);

export class PublishedEvent implements Head {
  readonly sequence: number;
  readonly previous: number;
  readonly id: string;
  readonly type: string;
  /** One line of JSON, within the socket's buffer. Undefined once there is a frame. */
  #bytes: Uint8Array | undefined;
  #frame: Uint8Array | undefined;

  constructor({ sequence, previous, id, type }: Head, bytes: Uint8Array) {
    this.sequence = sequence;
    this.previous = previous;
    this.id = id;
    this.type = type;
    this.#bytes = bytes;
  }

  /** As every stream sends it. */
  get frame(): Uint8Array {
    this.#frame ??= Buffer.from(
      storedFrame(this.id, this.type, textOf(this.#bytes ?? new Uint8Array()).replace(LINK, "{")),
    );
    this.#bytes = undefined;
    return this.#frame;
  }

  /** To be called before the event is kept for later: the socket's buffer is larger by far. */
  detach(): void {
    this.#frame = this.frame;
  }
}

/** Returns undefined for data that is not an event. */
export function readPublished(data: Uint8Array): PublishedEvent | undefined {
  // A line that breaks would be two for a client.
  if (data.includes(LINE_FEED) || data.includes(CARRIAGE_RETURN)) return undefined;
  const head = readHead(data) ?? parseHead(data);
  return head === undefined ? undefined : new PublishedEvent(head, data);
}

function readHead(data: Uint8Array): Head | undefined {
  if (data.at(-1) !== END) return undefined;
  const match = HEAD.exec(headOf(data));
  if (match === null) return undefined;
  const [, previous, id = "", sequence, type = ""] = match;
  return { previous: Number(previous), id, sequence: Number(sequence), type };
}

/** Parses the head of an event in another notation. */
function parseHead(data: Uint8Array): Head | undefined {
  const text = textOf(data);
  const read = publishedEventSchema.safeParse(parseJson(text));
  return read.success && LINK.test(text) ? read.data : undefined;
}

function headOf(bytes: Uint8Array): string {
  const length = Math.min(bytes.byteLength, HEAD_BYTES);
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("latin1");
}
