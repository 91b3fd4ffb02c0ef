/** The options that another checkout's own script gives to Node: a measured program runs as its users ran it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const packageSchema = z.object({ scripts: z.object({ engine: z.string() }) });

/**
 * The options of `npm run engine` in a checkout of the project. Older checkouts have some; since then the code sets
 * them.
 */
export function nodeOptionsOf(root: string): string[] {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { scripts } = packageSchema.parse(JSON.parse(text));
  return scripts.engine.split(" ").filter((word) => word.startsWith("--"));
}
