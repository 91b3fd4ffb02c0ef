/** What the project's own scripts give to Node: what is measured runs as users run it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "./program.ts";

const packageSchema = z.object({ scripts: z.object({ start: z.string(), engine: z.string() }) });

/** The options of `npm start` or of `npm run engine`, in a checkout of the project. */
export function nodeOptionsOf(script: "start" | "engine", root = ROOT): string[] {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { scripts } = packageSchema.parse(JSON.parse(text));
  return scripts[script].split(" ").filter((word) => word.startsWith("--"));
}
