// tier: real
/** The project keeps its own rules. That each rule can fail is shown in test/tidy. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findBannedCalls } from "./tidy/calls.ts";
import {
  findAbsentCitations,
  findDeadLinks,
  findDeadPaths,
  findUnknownCitations,
  listRuleNumbers,
  namesOf,
} from "./tidy/citations.ts";
import { findUnusedExports } from "./tidy/exports.ts";
import { type Cruise, cruise, findUnreached } from "./tidy/import-law.ts";
import { findRepeatedCodes, findUnloggedCodes } from "./tidy/log-events.ts";
import { findLockHoles, findStrayNames, listScriptFiles } from "./tidy/project.ts";
import {
  findLongParagraphs,
  findLongSentences,
  findWordyComments,
  findWordyPhrases,
  findWordyTexts,
} from "./tidy/prose.ts";
import { findBannedComments, findBannedForms, findBarrel, findLongFile, findUndocumented } from "./tidy/shape.ts";
import {
  describeFindings,
  listDocumentPaths,
  listSourcePaths,
  listToolPaths,
  readSources,
  SOURCE_FOLDERS,
  type SourceRule,
} from "./tidy/source.ts";
import { findUnsaid } from "./tidy/unsaid.ts";

/** The entry that esbuild bundles: no module imports it. */
const DASHBOARD = "edge/web/dashboard/main.tsx";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const sourcePaths = listSourcePaths(projectRoot);
const sources = readSources(projectRoot, sourcePaths);
const allSources = [...sources, ...readSources(projectRoot, listToolPaths(projectRoot))];

const recordsSchema = z.record(z.string(), z.string());
const packageSchema = z.object({ scripts: recordsSchema });
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dependencies: recordsSchema.optional(), optionalDependencies: recordsSchema.optional() }),
  ),
});

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(projectRoot, name), "utf8"));
}

const scriptFiles = listScriptFiles(packageSchema.parse(readJson("package.json")).scripts);
const missingScriptFiles = scriptFiles.filter((path) => !existsSync(join(projectRoot, path)));

/** Skips a test while scripts are missing. In CI, where a change is finished, a missing script is a fault. */
function skipUnlessComplete(context: TestContext): boolean {
  if (missingScriptFiles.length === 0 || process.env.CI === "true") return false;
  context.skip(`missing: ${missingScriptFiles.join(", ")}`);
  return true;
}

let cruised: Cruise | undefined;

/** One reading of the project serves all tests of this file. */
function cruiseProject(): Cruise {
  const folders = SOURCE_FOLDERS.filter((folder) => sourcePaths.some((path) => path.startsWith(`${folder}/`)));
  cruised ??= cruise(projectRoot, projectRoot, folders);
  return cruised;
}

function assertKeeps(rule: SourceRule, files = sources): void {
  assert.ok(files.length > 0, "no file was looked at");
  assert.deepEqual(describeFindings(files.flatMap((source) => rule(source))), []);
}

test("modules import only what the import law allows", () => {
  const { imports, breaches } = cruiseProject();
  const unread = sourcePaths.filter((path) => !imports.has(path));
  assert.deepEqual(unread, [], "dependency-cruiser did not read these");
  assert.ok(
    [...imports.values()].some((imported) => imported.length > 0),
    "dependency-cruiser saw no import",
  );
  assert.deepEqual(breaches, []);
});

test("every module of src, engine and edge is reached from an npm script", (context) => {
  if (skipUnlessComplete(context)) return;
  const { imports } = cruiseProject();
  const products = sourcePaths.filter((path) => /^(src|engine|edge)\//.test(path));
  assert.ok(products.length > 0, "no module was looked at");
  const entries = [...scriptFiles.filter((path) => /^(src|engine|edge)\//.test(path)), DASHBOARD];
  assert.deepEqual(findUnreached(imports, products, entries), []);
});

test("every npm script starts a file that exists", (context) => {
  assert.ok(scriptFiles.length > 0, "package.json names no script");
  if (skipUnlessComplete(context)) return;
  assert.deepEqual(missingScriptFiles, []);
});

test("clock, chance, timers, waiting and output are handed in", () => assertKeeps(findBannedCalls));

test("no file holds any, a singleton or a test that hides the others", () => assertKeeps(findBannedForms, allSources));

test("no comment puts work off or switches the type check off", () => assertKeeps(findBannedComments, allSources));

test("no file is long", () => assertKeeps(findLongFile, allSources));

test("nothing is exported that no other file names", () => {
  assert.deepEqual(describeFindings(findUnusedExports(allSources)), []);
});

test("every declared log event is declared once and logged", () => {
  assert.deepEqual(describeFindings([...findRepeatedCodes(sources), ...findUnloggedCodes(sources)]), []);
});

test("each text of the page is said in its reader's language", () => assertKeeps(findUnsaid));

test("no file is a barrel", () => assertKeeps(findBarrel));

test("every exported function of domain and machine is documented", () => assertKeeps(findUndocumented));

test("only known names lie at the top level", () => {
  assert.deepEqual(findStrayNames(readdirSync(projectRoot)), []);
});

test("the lock file holds every package that it refers to", () => {
  assert.deepEqual(findLockHoles(lockSchema.parse(readJson("package-lock.json")).packages), []);
});

const documents = new Map(
  listDocumentPaths(projectRoot).map((path) => [path, readFileSync(join(projectRoot, path), "utf8")]),
);
const ruleNumbers = listRuleNumbers(documents.get("docs/behaviour.md") ?? "");

test("every rule of docs/behaviour.md has a number of its own", () => {
  assert.ok(ruleNumbers.length > 0, "no rule was found");
  assert.deepEqual(
    ruleNumbers.filter((number, index) => ruleNumbers.indexOf(number) !== index),
    [],
  );
});

test("every citation leads to a rule of docs/behaviour.md", () => {
  assertKeeps(findUnknownCitations(new Set(ruleNumbers)), allSources);
});

test("no comment cites a document that is not in the repository", () => {
  assertKeeps(findAbsentCitations, allSources);
});

test("every file of code that a comment or a document names is there", () => {
  const examples = readdirSync(join(projectRoot, "docs/examples")).map((name) => `docs/examples/${name}`);
  const names = namesOf([...allSources.map(({ path }) => path), ...examples]);
  const products = allSources.filter(({ path }) => !path.startsWith("test/tidy/"));
  // The change log uses the names of its time.
  const pages = [...documents].filter(([path]) => path !== "CHANGELOG.md").map(([path, text]) => ({ path, text }));
  const rule = findDeadPaths(names);
  assert.deepEqual(describeFindings([...products, ...pages].flatMap(rule)), []);
});

test("every link in a document leads somewhere", () => {
  const isThere = (path: string): boolean => existsSync(join(projectRoot, path));
  assert.deepEqual(describeFindings(findDeadLinks(documents, isThere)), []);
});

test("no paragraph of a document is long", () => {
  assert.ok(documents.size > 0, "no document was looked at");
  const pages = [...documents].map(([path, text]) => ({ path, text }));
  assert.deepEqual(describeFindings(pages.flatMap(findLongParagraphs)), []);
});

test("at most one sentence in ten of a document is long", () => {
  // The change log keeps the sentences of its time.
  const pages = [...documents].filter(([path]) => path !== "CHANGELOG.md").map(([path, text]) => ({ path, text }));
  assert.ok(pages.length > 0, "no document was looked at");
  assert.deepEqual(describeFindings(pages.flatMap(findLongSentences)), []);
});

test("no document has words with a plainer form", () => {
  // The change log keeps the words of its time.
  const pages = [...documents].filter(([path]) => path !== "CHANGELOG.md").map(([path, text]) => ({ path, text }));
  assert.ok(pages.length > 0, "no document was looked at");
  assert.deepEqual(describeFindings(pages.flatMap(findWordyPhrases)), []);
});

test("no text of the program has words with a plainer form", () => {
  const program = sources.filter(({ path }) => /^(src|engine|edge)\//.test(path));
  assert.deepEqual(describeFindings(program.flatMap(findWordyTexts)), []);
});

test("no comment has words with a plainer form", () => {
  assert.deepEqual(describeFindings(sources.flatMap(findWordyComments)), []);
});
