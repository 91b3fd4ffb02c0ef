/** The former names of an actor's symbols, as they are stored with it. */
import { z } from "zod";
import type { Renaming } from "../../domain/market/rename.ts";

const renaming = z.strictObject({ from: z.string(), to: z.string() }) satisfies z.ZodType<Renaming>;

export const renamedSnapshot = z.array(renaming).min(1).readonly().exactOptional();
