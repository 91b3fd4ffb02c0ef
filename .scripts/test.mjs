// Runs the tests: node .scripts/test.mjs [--node-test-flag ...] [path, folder or part of a path ...]
// Lists the files itself and counts what ran, because node's own search finds no .ts file here and calls that a pass.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { ensureInstalled, isStartedFile, projectRoot, runChild } from "./install.mjs";
import { ensureServices } from "./services.mjs";
import { endWithShell } from "./shell.mjs";

const FILE_TIMEOUT_MS = 900_000;
const FILES_AT_ONCE = 2;

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

/** What is wrong with a run that node itself calls a success. `census` is what the census reporter wrote. */
function findCensusFaults(files, census) {
  const faults = files.filter((file) => !(census[file]?.reported > 0)).map((file) => `${file} reported no test`);
  const counts = Object.values(census);
  if (!counts.some((count) => count.reported > count.skipped)) faults.push("no test ran");
  return faults;
}

function readCensus(path, files) {
  let text = "";
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const byAbsolutePath = text === "" ? {} : JSON.parse(text);
  return Object.fromEntries(
    files.map((file) => [file, byAbsolutePath[resolve(projectRoot, file)]]).filter(([, count]) => count),
  );
}

async function runFiles(files, flags) {
  const folder = mkdtempSync(join(tmpdir(), "trading-test-"));
  const censusFile = join(folder, "census.json");
  try {
    const args = [
      ...["--import", "tsx", "--test", `--test-timeout=${FILE_TIMEOUT_MS}`, `--test-concurrency=${FILES_AT_ONCE}`],
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...[`--test-reporter=${join(projectRoot, ".scripts/census-reporter.mjs")}`],
      ...[`--test-reporter-destination=${censusFile}`],
      ...flags,
      ...files,
    ];
    const exitCode = await runChild(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
    const faults = findCensusFaults(files, readCensus(censusFile, files));
    for (const fault of faults) process.stderr.write(`not ok: ${fault}\n`);
    return exitCode === 0 && faults.length > 0 ? 1 : exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chooseFiles(patterns) {
  const all = listTestFiles(projectRoot);
  if (patterns.length === 0) return all;
  const chosen = new Set();
  for (const pattern of patterns) {
    const selected = selectFiles(all, pattern);
    if (selected.length === 0) throw new Error(`no test file fits ${pattern}`);
    for (const file of selected) chosen.add(file);
  }
  return [...chosen];
}

async function main() {
  endWithShell();
  const given = process.argv.slice(2);
  const flags = given.filter((argument) => argument.startsWith("--"));
  const files = chooseFiles(given.filter((argument) => !argument.startsWith("--")));
  if (files.length === 0) throw new Error("there is no test file");
  await ensureInstalled({ development: true });
  await ensureServices();
  process.stdout.write(`Running ${files.length} test files.\n`);
  process.exitCode = await runFiles(files, flags);
}

if (isStartedFile(import.meta.url)) {
  await main().catch((error) => {
    process.stderr.write(`not ok: ${error.message}\n`);
    process.exitCode = 1;
  });
}
