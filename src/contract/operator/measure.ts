/** Measures of the exchange as a partition stores them (behaviour 23). */
import { z } from "zod";
import { symbolMeasuresSchema } from "./reference.ts";

/** The measures of a symbol; none: the last one ended. */
export const storedMeasuresSchema = z.strictObject({
  version: z.literal(1),
  ...symbolMeasuresSchema.shape,
  /** When the partition learnt them. */
  sinceMs: z.number(),
  /** Whether owners were notified of the change to them. */
  isTold: z.boolean(),
});
export type StoredMeasures = z.infer<typeof storedMeasuresSchema>;
