/** Held symbols, as they cross a process: their levels do not fire (behaviour 16). */
import { z } from "zod";
import { body, text } from "../fields.ts";
import { symbolCode } from "../trading/oco.ts";

/** Every partition has its own: an edge sends the command to each of them. */
export const HOLD_COMMANDS = { hold: "symbols.hold", release: "symbols.release" } as const;
export const HOLD_QUERIES = { listHolds: "symbols.holds" } as const;

const HELD_BY = ["guard", "operator"] as const;

export const holdRequest = body({
  reason: text(1, 200).exactOptional().meta({ description: "The reason that owners of groups of the symbol receive" }),
}).meta({ id: "SymbolHold" });

/** Body of `symbols.hold`. */
export const holdSymbolBody = holdRequest.extend({ symbol: symbolCode });
/** Body of `symbols.release`. */
export const releaseSymbolBody = z.object({ symbol: symbolCode });
/** Body of `symbols.holds`. */
export const listHoldsBody = z.object({ from: z.string().nullish() });

/** Why a symbol is held, and since when. */
export const holdSchema = z
  .object({
    since: z.string().meta({ description: "UTC, ISO 8601" }),
    by: z.enum(HELD_BY).meta({
      description: "guard: its first price of a session lies too far from the last close; operator: by hand",
    }),
    reason: z.string(),
    from: z.number().nullable().meta({ description: "The last close; null: held by hand" }),
    to: z.number().nullable().meta({ description: "The first price of the session; null: held by hand" }),
  })
  .meta({ id: "Hold" });

export const heldSymbolSchema = holdSchema
  .extend({
    symbol: z.string(),
    partition: z.number().int(),
    releasedGroups: z.number().int().meta({ description: "Groups that their owners released" }),
  })
  .meta({ id: "HeldSymbol" });
export type HeldSymbolView = z.infer<typeof heldSymbolSchema>;

/** A partition's answer to a hold or a release: whether anything changed. */
export const holdChangedSchema = z.object({ isChanged: z.boolean() });

const place = z.object({ stream: z.string(), sequence: z.number(), aheadMs: z.number() }).nullable();

/** A hold as a partition stores it; `released` once it is over. */
export const storedHoldSchema = z.strictObject({
  version: z.literal(1),
  symbol: symbolCode,
  sinceMs: z.number(),
  by: z.enum(HELD_BY),
  reason: z.string(),
  fromPrice: z.number().nullable(),
  toPrice: z.number().nullable(),
  /** Groups that their owners released: their levels fire anyway. */
  releasedGroups: z.array(z.number().int()),
  /** Whether owners were notified of its begin. */
  isTold: z.boolean(),
  /** Earlier ticks than this are not given to levels any more. */
  released: z.strictObject({ atMs: z.number(), place }).nullable(),
});
export type StoredHold = z.infer<typeof storedHoldSchema>;
