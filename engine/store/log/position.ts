/** How far a store has come: the number of the last record of the log of which all is in its rows and on disk. */
import { z } from "zod";
import { StoreRefused } from "../refused.ts";

/** Behind every key that there can be (`ALL_KEYS`): no scan gives it, no batch holds it, and it is part of no hash. */
export const POSITION_KEY = "\uffffposition";

const schema = z.strictObject({ log: z.number().int().nonnegative() });

export function encodePosition(log: number): Uint8Array {
  return Buffer.from(JSON.stringify({ log }));
}

/** Undefined if the store contains no position. Throws {@link StoreRefused} on anything else than a position. */
export function parsePosition(bytes: Uint8Array | undefined): number | undefined {
  if (bytes === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString())).log;
  } catch (cause) {
    throw new StoreRefused("the store does not contain its log position: it is damaged, restore a backup", { cause });
  }
}
