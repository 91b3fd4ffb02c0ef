/** A symbol that its exchange renamed, as it crosses a process (behaviour 30). */
import { z } from "zod";
import { body } from "../fields.ts";
import { symbolCode } from "../trading/oco.ts";

/** `write`: the shared partition alone, which the others follow. `check` and `follow`: each partition. */
export const RENAME_COMMANDS = {
  check: "symbols.checkRename",
  write: "symbols.rename",
  follow: "symbols.followRename",
} as const;

export const renameRequest = body({
  to: symbolCode.meta({ description: "The new name: of a symbol that is unknown so far, or of one without levels" }),
}).meta({ id: "SymbolRename" });

/** Body of all of these commands. */
export const renamingBody = z.object({ from: symbolCode, to: symbolCode });

/** The answer of the shared partition, and of each other. */
export const renameChangedSchema = z.object({ isChanged: z.boolean() });

const count = z.number().int();

/** A rename as a partition stores it, under the former name. */
export const storedRenameSchema = z.strictObject({
  version: z.literal(1),
  from: symbolCode,
  to: symbolCode,
  /** Prices under the new name count from then on. */
  atMs: count,
  /** The last price under the former name in currency units, and when it came; null: it is not known. */
  last: z.strictObject({ price: z.number().positive(), timeMs: z.number() }).nullable(),
  /** When all levels had followed; null: they have not. */
  followedAtMs: count.nullable(),
  /** False until a price under the new name came: it is compared with the last one under the former name (16.2). */
  isOpened: z.boolean(),
});
export type StoredRename = z.infer<typeof storedRenameSchema>;
