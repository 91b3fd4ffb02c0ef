/**
 * Owns: asking dependency-cruiser for the imports of each module, for breaches of the law, and for unreached modules.
 *
 * The law itself is `.dependency-cruiser.cjs`. Modules count as read only if dependency-cruiser lists them. A caller of
 * `cruise` must compare `imports` with the files on disk: dependency-cruiser does not complain if it reads nothing.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

const ANSWER_LIMIT_BYTES = 256 * 1024 * 1024;

const cruiseSchema = z.object({
  modules: z.array(
    z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string(), module: z.string() })) }),
  ),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** The modules that each module imports, and `rule: from -> to` for each breach of the law. */
export type Cruise = { readonly imports: ReadonlyMap<string, readonly string[]>; readonly breaches: readonly string[] };

/** Reads the folders of `root` under the law of `projectRoot`. Throws when dependency-cruiser gives no answer. */
export function cruise(projectRoot: string, root: string, folders: readonly string[]): Cruise {
  const program = join(projectRoot, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const law = join(projectRoot, ".dependency-cruiser.cjs");
  const answer = spawnSync(process.execPath, [program, "--config", law, "--output-type", "json", ...folders], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: ANSWER_LIMIT_BYTES,
  });
  if (!answer.stdout.startsWith("{")) throw new Error(`dependency-cruiser failed: ${answer.stderr}${answer.stdout}`);
  const { modules, summary } = cruiseSchema.parse(JSON.parse(answer.stdout));
  return {
    imports: new Map(modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)])),
    breaches: summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`),
  };
}

/** The modules of `paths` that no chain of imports joins to an entry. */
export function findUnreached(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: readonly string[],
  entries: readonly string[],
): string[] {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(imports.get(path) ?? []));
  }
  return paths.filter((path) => !reached.has(path));
}
