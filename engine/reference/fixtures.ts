/** The first content of an installation: the files in `fixtures/`, checked. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { restrictionInput, symbolInput } from "../../src/contract/operator/reference.ts";

const symbolSeed = symbolInput.extend({
  /** A price on the tick grid from which simulated markets start. */
  startPrice: z.number().positive(),
});
export type SymbolSeed = z.infer<typeof symbolSeed>;

const listSeed = z.object({ name: z.string(), description: z.string(), symbols: z.array(z.string()).min(1) });
type ListSeed = z.infer<typeof listSeed>;

/** The symbols of the first start. Throws with a readable line on a file that is not as it must be. */
export function readSymbolSeeds(): readonly SymbolSeed[] {
  return read("symbols.json", z.array(symbolSeed));
}

/** The system's INDEX lists of the first start. */
export function readListSeeds(): readonly ListSeed[] {
  return read("symbol-lists.json", z.array(listSeed));
}

/** Restrictions of the first start: examples, so that there is something to see. */
export function readRestrictionSeeds(): readonly z.infer<typeof restrictionInput>[] {
  return read("restrictions.json", z.array(restrictionInput));
}

function read<T>(name: string, schema: z.ZodType<T>): T {
  const text = readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8");
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`fixtures/${name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is wrong"}`);
}
