/**
 * A stored event as the bus brings it.
 */

import { publishedEventSchema } from "../../src/contract/event/event.ts";
import { parseJson } from "../../src/runtime/json.ts";
import { storedFrame } from "./frame.ts";

export interface PublishedEvent {
  readonly sequence: number;
  /** The user has no event between this and `sequence`. */
  readonly previous: number;
  readonly id: string;
  readonly type: string;
  /** As every stream sends it: made once, however many there are. */
  readonly frame: Uint8Array;
}

const LINK = /^\{"previous":[0-9]+,/;

/** Undefined for what is no event. */
export function readPublished(data: Uint8Array): PublishedEvent | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
  const read = publishedEventSchema.safeParse(parseJson(text));
  if (!read.success || !LINK.test(text)) return undefined;
  const { sequence, previous, id, type } = read.data;
  return { sequence, previous, id, type, frame: Buffer.from(storedFrame(id, type, text.replace(LINK, "{"))) };
}
