// Runs the tests: node .scripts/test.mjs [options] [--node-test-flag ...] [path, folder or part of a path ...]
//   --tiers=fast,real   the tiers to run (tiers.mjs); without paths the default is fast,real, with paths every tier
//   --changed[=commit]  only files that import a file which differs from the commit (HEAD), and those that read all
//   --watch             runs again, after each change, the files that import the changed file
//   --no-install        no Debian package and no nats-server is installed; tests that need one are reported as skipped
//   --repeat-failed     runs a file once more that failed, if it needs processes or servers, and names it (.ci/run)
//   --record            notes how long each file took in test/durations.json
// Lists the files itself and counts what ran, because node's own search finds no .ts file here and calls that a pass.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureInstalled, isStartedFile, projectRoot } from "./install.mjs";
import { ensureServices } from "./services.mjs";
import { endWithShell } from "./shell.mjs";
import { readDurations, runFiles } from "./test-run.mjs";
import { findTier, TIERS } from "./tiers.mjs";

const DEFAULT_TIERS = ["fast", "real"];
/** A change of one of these can change the outcome of any test. */
const COMMON_FILES = ["package.json", "package-lock.json", "tsconfig.json"];
/** Tests that read the text of all sources: no import tells on which change they depend. */
const READERS_OF_ALL = ["test/tidy.test.ts", "test/tidy/", "test/mutate/"];
/** More files than that do not fail by the moods of a machine. */
const REPEATED_FILES_MAX = 3;
/** Editors write a file in several steps. */
const CHANGE_SETTLE_MS = 100;

/** Every test file under `test`, sorted, as paths from the project's folder with forward slashes. */
function listTestFiles(root) {
  return readdirSync(join(root, "test"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/"))
    .sort();
}

/** The files that a pattern names: the file itself, a folder of files, or a part of the path. */
function selectFiles(files, pattern) {
  const path = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  const named = files.filter((file) => file === path || file.startsWith(`${path}/`));
  return named.length > 0 ? named : files.filter((file) => file.includes(path));
}

function chooseFiles(all, patterns) {
  if (patterns.length === 0) return all;
  const chosen = new Set();
  for (const pattern of patterns) {
    const selected = selectFiles(all, pattern);
    if (selected.length === 0) throw new Error(`no test file fits ${pattern}`);
    for (const file of selected) chosen.add(file);
  }
  return [...chosen];
}

const readText = (path) => readFileSync(join(projectRoot, path), "utf8");

/** True if `file` imports one of the changed files, or a file that it loads names one that is never imported. */
function dependsOn(graph, file, changed) {
  if (changed.some((path) => COMMON_FILES.includes(path))) return true;
  const loaded = graph.filesOf(file);
  if (changed.some((path) => loaded.has(path))) return true;
  const names = changed.filter((path) => !path.endsWith(".ts") && !path.endsWith(".tsx")).map((path) => basename(path));
  return names.length > 0 && [...loaded].some((path) => names.some((name) => readText(path).includes(name)));
}

/** The files that differ from `commit`, new ones included. */
function listChanged(commit) {
  const git = (...args) => execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).split("\n");
  return [
    ...git("diff", "--name-only", "--relative", commit, "--"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ].filter((path) => path !== "");
}

function readTiers(value) {
  const tiers = value.split(",");
  const unknown = tiers.filter((tier) => !TIERS.includes(tier));
  if (unknown.length > 0) throw new Error(`no tier is called ${unknown.join(", ")}; there are ${TIERS.join(", ")}`);
  return tiers;
}

/** Splits the arguments into this script's options, flags for node's test runner, and paths. */
function readArguments(given) {
  const flags = given.filter((argument) => argument.startsWith("--"));
  const patterns = given.filter((argument) => !argument.startsWith("--"));
  const take = (name) => {
    const index = flags.findIndex((flag) => flag === name || flag.startsWith(`${name}=`));
    return index < 0 ? undefined : flags.splice(index, 1)[0].slice(name.length + 1);
  };
  const tiers = take("--tiers");
  const changed = take("--changed");
  const options = {
    tiers: tiers === undefined ? (patterns.length === 0 ? DEFAULT_TIERS : TIERS) : readTiers(tiers),
    changed: changed === "" ? "HEAD" : changed,
    isWatching: take("--watch") !== undefined,
    mayInstall: take("--no-install") === undefined,
    isRepeating: take("--repeat-failed") !== undefined,
    isRecording: take("--record") !== undefined,
  };
  return { ...options, patterns, flags };
}

/** Each chosen file with its tier. */
async function plan({ tiers, changed, patterns }, changedFiles) {
  const all = listTestFiles(projectRoot);
  const chosen = chooseFiles(all, patterns);
  // esbuild is one of the packages that ensureInstalled brings.
  const { readImportGraph } = await import("./import-graph.mjs");
  const graph = await readImportGraph(projectRoot, chosen);
  const differing = changedFiles ?? (changed === undefined ? undefined : listChanged(changed));
  const alwaysRuns = (path) => changedFiles === undefined && READERS_OF_ALL.some((start) => path.startsWith(start));
  return chosen
    .map((path) => ({ path, tier: findTier(path, readText(path), graph) }))
    .filter(({ tier }) => tiers.includes(tier))
    .filter(({ path }) => differing === undefined || alwaysRuns(path) || dependsOn(graph, path, differing));
}

function describePlan(files) {
  const counts = TIERS.map((tier) => [tier, files.filter((file) => file.tier === tier).length]);
  const parts = counts.filter(([, count]) => count > 0).map(([tier, count]) => `${count} ${tier}`);
  return `Running ${files.length} test files (${parts.join(", ")}).\n`;
}

function recordDurations(seconds) {
  const all = new Set(listTestFiles(projectRoot));
  const merged = Object.entries({ ...readDurations(), ...seconds }).filter(
    ([path, value]) => all.has(path) && value >= 1,
  );
  const sorted = Object.fromEntries(merged.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(join(projectRoot, "test/durations.json"), `${JSON.stringify(sorted, undefined, 2)}\n`);
}

/**
 * The files of a failed run that are worth a second look: a busy machine can be at fault where real servers and processes
 * are. None if something failed that no machine can be blamed for.
 */
function findRepeatable(files, failed) {
  const repeatable = files.filter(({ path, tier }) => tier !== "fast" && failed.includes(path));
  const isWhole = repeatable.length === failed.length && failed.length <= REPEATED_FILES_MAX;
  return isWhole ? repeatable : [];
}

async function runPlan(files, { flags, isRecording, isRepeating }) {
  process.stdout.write(describePlan(files));
  const { exitCode, seconds, failed } = await runFiles(files, flags);
  if (isRecording) recordDurations(seconds);
  const repeatable = exitCode === 0 || !isRepeating ? [] : findRepeatable(files, failed);
  if (repeatable.length === 0) return exitCode;
  const names = repeatable.map(({ path }) => path).join(", ");
  process.stdout.write(`Failed and repeated: ${names}.\n`);
  const again = await runFiles(repeatable, flags);
  if (again.exitCode === 0) process.stderr.write(`unsteady: ${names} failed once and passed when repeated\n`);
  return again.exitCode;
}

/** Runs what each change concerns, until the process is ended. */
async function watchFiles(options) {
  const changed = new Set();
  for (const folder of ["src", "engine", "edge", "fixtures", "bench", "test"]) {
    watch(join(projectRoot, folder), { recursive: true }, (_event, name) => {
      if (name !== null && !name.split(/[\\/]/).includes("generated"))
        changed.add(`${folder}/${name.replaceAll("\\", "/")}`);
    });
  }
  process.stdout.write("Watching for changes.\n");
  for (;;) {
    await sleep(CHANGE_SETTLE_MS);
    if (changed.size === 0) continue;
    const paths = [...changed];
    changed.clear();
    try {
      const files = await plan(options, paths);
      if (files.length > 0) await runPlan(files, options);
      process.stdout.write(`${paths.join(", ")}: ${files.length} test files depend on it. Watching for changes.\n`);
    } catch (error) {
      process.stdout.write(`${error.message}\n`);
    }
  }
}

async function main() {
  endWithShell();
  const options = readArguments(process.argv.slice(2));
  if (listTestFiles(projectRoot).length === 0) throw new Error("there is no test file");
  chooseFiles(listTestFiles(projectRoot), options.patterns);
  await ensureInstalled({ development: true });
  const files = await plan(options);
  if (files.some(({ tier }) => tier !== "fast")) await ensureServices({ mayInstall: options.mayInstall });
  if (files.length > 0) process.exitCode = await runPlan(files, options);
  else if (options.changed !== undefined)
    process.stdout.write(`No test file depends on what differs from ${options.changed}.\n`);
  else throw new Error(`no chosen test file is in the tiers ${options.tiers.join(", ")}`);
  if (options.isWatching) await watchFiles(options);
}

if (isStartedFile(import.meta.url)) {
  await main().catch((error) => {
    process.stderr.write(`not ok: ${error.message}\n`);
    process.exitCode = 1;
  });
}
