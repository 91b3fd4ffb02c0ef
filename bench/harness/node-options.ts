/** What the project's own scripts give to Node: what is measured runs as users run it. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const packageSchema = z.object({ scripts: z.object({ start: z.string(), engine: z.string() }) });

/** The options of `npm start` or of `npm run engine`. */
export function nodeOptionsOf(script: "start" | "engine"): string[] {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { scripts } = packageSchema.parse(JSON.parse(text));
  return scripts[script].split(" ").filter((word) => word.startsWith("--"));
}
