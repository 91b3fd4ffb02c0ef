// tier: real
/** Every test file is in exactly one tier, and a file of the fast tier keeps what the tier promises. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { z } from "zod";
import {
  describeFindings,
  type Finding,
  findingAt,
  listSourcePaths,
  parseSource,
  readSources,
  type Source,
} from "./source.ts";

const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

type Graph = { readonly filesOf: unknown; readonly packagesOf: unknown };
const graphSchema = z.custom<Graph>((value) => typeof value === "object" && value !== null && "packagesOf" in value);
const graphModule = z.object({
  readImportGraph: z.function({ input: [z.string(), z.array(z.string())], output: z.promise(graphSchema) }),
  makeImportGraph: z.function({ input: [z.unknown()], output: graphSchema }),
});
const tierModule = z.object({
  TIERS: z.array(z.string()),
  findTier: z.function({ input: [z.string(), z.string(), graphSchema], output: z.string() }),
});
const runModule = z.object({ readDurations: z.function({ input: [], output: z.record(z.string(), z.number()) }) });

const load = (name: string): Promise<unknown> => import(join(projectRoot, ".scripts", name));
const { readImportGraph, makeImportGraph } = graphModule.parse(await load("import-graph.mjs"));
const { TIERS, findTier } = tierModule.parse(await load("tiers.mjs"));
const { readDurations } = runModule.parse(await load("test-run.mjs"));

const testPaths = listSourcePaths(projectRoot).filter((path) => path.endsWith(".test.ts"));
const testSources = readSources(projectRoot, testPaths);
const graph = await readImportGraph(projectRoot, testPaths);

const HOOKS: ReadonlySet<string> = new Set(["before", "after", "beforeEach", "afterEach"]);

/** Hooks outside of every suite: in a shared process they would run around the tests of other files, too. */
function findFileHooks(source: Source): Finding[] {
  return source.tree.statements.flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
    const { expression: callee } = statement.expression;
    const isHook = ts.isIdentifier(callee) && HOOKS.has(callee.text);
    return isHook ? [findingAt(source, statement.getStart(), `${callee.text} belongs into a describe`)] : [];
  });
}

function tiersOf(option: string): string[] {
  return option.split(",");
}

test("every test file is in exactly one tier, and each tier has files", () => {
  const counts = new Map(TIERS.map((tier) => [tier, 0]));
  for (const { path, text } of testSources) {
    const tier = findTier(path, text, graph);
    counts.set(tier, (counts.get(tier) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()], TIERS);
  assert.ok(Math.min(...counts.values()) > 0, JSON.stringify([...counts]));
  assert.equal(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    testPaths.length,
  );
});

test("what the continuous integration runs is every tier, each once", () => {
  const script = readFileSync(join(projectRoot, ".ci/run"), "utf8");
  const runner = readFileSync(join(projectRoot, ".scripts/test.mjs"), "utf8");
  const byDefault = /DEFAULT_TIERS = \[([^\]]*)\]/.exec(runner)?.[1]?.replaceAll(/["\s]/g, "") ?? "";
  const runs = [...script.matchAll(/^npm test --(?: --tiers=(\S+))? --repeat-failed$/gm)].map(
    ([, option]) => option ?? byDefault,
  );
  assert.deepEqual(runs.flatMap(tiersOf).sort(), [...TIERS].sort());
});

test("no file of the fast tier has a hook outside of every suite", () => {
  const fast = testSources.filter(({ path, text }) => findTier(path, text, graph) === "fast");
  assert.ok(fast.length > 100, `${fast.length} files are fast`);
  assert.deepEqual(describeFindings(fast.flatMap(findFileHooks)), []);
});

test("a hook outside of every suite is found, and one inside is allowed", () => {
  const find = (text: string): string[] => describeFindings(findFileHooks(parseSource("test/a.test.ts", text)));
  assert.deepEqual(find('const a = 1;\nafterEach(() => a);\ndescribe("b", () => {\n  after(() => a);\n});\n'), [
    "test/a.test.ts:2 afterEach belongs into a describe",
  ]);
});

test("the tier follows from the imports, and one line in the file overrules it", () => {
  const outside = { path: "node:net", external: true };
  const made = makeImportGraph({
    "test/plain.test.ts": { imports: [{ path: "engine/a.ts" }] },
    "test/own.test.ts": { imports: [{ path: "test/helper.ts" }] },
    "test/product.test.ts": { imports: [{ path: "engine/b.ts" }] },
    "test/helper.ts": { imports: [outside, { path: "test/own.test.ts" }] },
    "engine/a.ts": { imports: [{ path: "zod", external: true }] },
    "engine/b.ts": { imports: [outside] },
  });
  const tierOf = (path: string, text = ""): string => findTier(`test/${path}.test.ts`, text, made);
  assert.deepEqual([tierOf("plain"), tierOf("own"), tierOf("product")], ["fast", "full", "full"]);
  assert.deepEqual([tierOf("plain", "// tier: real\n"), tierOf("own", "a();\n// tier: real\n")], ["real", "real"]);
  assert.equal(tierOf("product", "// tier: fast\n"), "fast");
  assert.throws(() => tierOf("own", "// tier: fast\n"), /its test code imports net, which the fast tier refuses/);
  assert.throws(() => tierOf("plain", "// tier: fast\n"), /already put it into the tier fast/);
  assert.throws(() => tierOf("plain", "// tier: quick\n"), /no tier is called quick/);
  assert.throws(() => tierOf("plain", "// tier: real\n// tier: full\n"), /2 lines that name a tier/);
});

test("durations are recorded of files that exist", () => {
  const known = new Set(testPaths);
  assert.deepEqual(
    Object.keys(readDurations()).filter((path) => !known.has(path)),
    [],
  );
});
