/**
 * The messages between a copy that is seeded and the leader. The request for an offer is empty; the request for a page
 * is its number as text. A part is u8 (1: the last of its record) and bytes of a record as the log holds it.
 */
import { z } from "zod";

const offerSchema = z.union([
  /** The rows as they are at `batch`, under a name of their own. */
  z.object({ name: z.string().regex(/^[a-z0-9]+$/), batch: z.number().int().nonnegative() }),
  z.object({ refusal: z.string() }),
]);
type SeedOffer = z.infer<typeof offerSchema>;

interface SeedPart {
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

const LAST = 1;

export function encodeOffer(offer: SeedOffer): Uint8Array {
  return Buffer.from(JSON.stringify(offer));
}

/** Throws if the data is not an offer. */
export function decodeOffer(data: Uint8Array): SeedOffer {
  return offerSchema.parse(JSON.parse(Buffer.from(data).toString()));
}

export function encodePart({ isLast, bytes }: SeedPart): Uint8Array {
  const data = Buffer.allocUnsafe(1 + bytes.byteLength);
  data[0] = isLast ? LAST : 0;
  data.set(bytes, 1);
  return data;
}

export function decodePart(data: Uint8Array): SeedPart {
  return { isLast: data[0] === LAST, bytes: data.subarray(1) };
}
