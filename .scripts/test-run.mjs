// Owns: one run of node's test runner over chosen files, and what is wrong with a run that node itself calls a success.
// Files of the fast tier share two processes, each other file has its own. The longest start first.
// Does not own: which files are chosen (test.mjs).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot, runChild } from "./install.mjs";

const FILE_TIMEOUT_MS = 900_000;
/** Files of the fast tier compute all the time. */
const FAST_PROCESSES = 2;
/** Most other files wait for a process or a server for more than half of their time. */
const PROCESSES_AT_ONCE = 3;
/** For a file that test/durations.json does not hold: it lists what takes a second or more. */
const SHORT_SECONDS = 0.3;

/** Seconds that files took, by path; only of files that take one or more. */
export function readDurations() {
  const path = join(projectRoot, "test/durations.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** Spreads files over `count` groups of about the same length: the longest first, each to the shortest group. */
function spread(files, count) {
  const groups = Array.from({ length: count }, () => ({ files: [], seconds: 0 }));
  for (const file of files) {
    const shortest = groups.reduce((best, group) => (group.seconds < best.seconds ? group : best));
    shortest.files.push(file);
    shortest.seconds += file.seconds;
  }
  return groups.filter((group) => group.files.length > 0);
}

/** The processes of a run, longest first: each `{name, paths, isShared}`. */
function planProcesses(files, durations) {
  const longestFirst = files
    .map((file) => ({ ...file, seconds: durations[file.path] ?? SHORT_SECONDS }))
    .sort((one, other) => other.seconds - one.seconds);
  const shared = spread(
    longestFirst.filter(({ tier }) => tier === "fast"),
    FAST_PROCESSES,
  ).map((group, index) => ({
    ...{ name: group.files.length > 1 ? `test/fast-${index + 1}` : group.files[0].path, seconds: group.seconds },
    isShared: true,
    paths: group.files.map(({ path }) => path).sort(),
  }));
  const own = longestFirst
    .filter(({ tier }) => tier !== "fast")
    .map(({ path, seconds }) => ({ name: path, seconds, isShared: false, paths: [path] }));
  return [...shared, ...own].sort((one, other) => other.seconds - one.seconds);
}

const urlOf = (path) => JSON.stringify(pathToFileURL(join(projectRoot, path)).href);

/** What a process runs. A file that cannot be loaded is a failed test of its name; the others of its process still run. */
function entryText({ paths, isShared }) {
  if (!isShared) return `import ${urlOf(paths[0])};\n`;
  const load = (path) =>
    `await import(${urlOf(path)}).catch((error) => test(${JSON.stringify(path)}, () => { throw error; }));`;
  return [
    `import { test } from "node:test";`,
    `import ${urlOf(".scripts/fast-guard.mjs")};`,
    ...paths.map(load),
    "",
  ].join("\n");
}

/** The name of a process by the file that it runs. Node sorts these files: a number before the name keeps their order. */
function writeEntries(folder, processes) {
  const entries = processes.map((one, index) => {
    const path = join(folder, String(index).padStart(4, "0"), `${one.name}.mjs`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entryText(one));
    return [path, one.name];
  });
  return new Map(entries);
}

/** What is wrong with a run that node itself calls a success. `census` is what the census reporter counted. */
function findCensusFaults(paths, census) {
  const faults = paths.filter((path) => !(census[path]?.reported > 0)).map((path) => `${path} reported no test`);
  const counts = Object.values(census);
  if (!counts.some((count) => count.reported > count.skipped)) faults.push("no test ran");
  return faults;
}

/**
 * What the census reporter wrote: `counts` by path, and `failed`, the test file of each failure. A failure of which none of
 * the chosen files is known has the name of whatever file it came from.
 */
function readCensus(path, paths, entries) {
  const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  const { counts, failures } = text === "" ? { counts: {}, failures: [] } : JSON.parse(text);
  const pathOf = (file) => entries.get(file) ?? relative(projectRoot, file).replaceAll("\\", "/");
  const failed = failures
    .map((files) => files.map(pathOf))
    .map((names) => names.find((name) => paths.includes(name)) ?? names[0]);
  const known = paths.map((file) => [file, counts[resolve(projectRoot, file)]]).filter(([, count]) => count);
  return { counts: Object.fromEntries(known), failed: [...new Set(failed)].sort() };
}

/** The folder of the programs that `files` can start; undefined if they start none. */
async function buildProgramsFor(files) {
  if (files.every(({ tier }) => tier === "fast")) return undefined;
  // esbuild is one of the packages that ensureInstalled brings.
  const { buildPrograms } = await import("./programs.mjs");
  return buildPrograms();
}

/**
 * Runs `files` ({path, tier}) with `flags` for node's test runner. Returns its exit code, the seconds of each file, and
 * `failed`: the paths of the files in which a test failed, or that took too long.
 */
export async function runFiles(files, flags) {
  const programs = await buildProgramsFor(files);
  const folder = mkdtempSync(join(tmpdir(), "trading-test-"));
  const censusFile = join(folder, "census.json");
  try {
    const entries = writeEntries(folder, planProcesses(files, readDurations()));
    const args = [
      ...["--import", "tsx", "--test", `--test-timeout=${FILE_TIMEOUT_MS}`, `--test-concurrency=${PROCESSES_AT_ONCE}`],
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...[`--test-reporter=${join(projectRoot, ".scripts/census-reporter.mjs")}`],
      ...[`--test-reporter-destination=${censusFile}`],
      ...flags,
      ...entries.keys(),
    ];
    const env = programs === undefined ? process.env : { ...process.env, TEST_PROGRAMS: programs };
    const exitCode = await runChild(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"], env });
    const paths = files.map(({ path }) => path);
    const { counts, failed } = readCensus(censusFile, paths, entries);
    const faults = findCensusFaults(paths, counts);
    for (const fault of faults) process.stderr.write(`not ok: ${fault}\n`);
    const seconds = Object.entries(counts).map(([path, { durationMs }]) => [path, Math.round(durationMs / 1_000)]);
    return {
      exitCode: exitCode === 0 && faults.length > 0 ? 1 : exitCode,
      ...{ seconds: Object.fromEntries(seconds), failed: faults.length > 0 ? [] : failed },
    };
  } finally {
    for (const made of programs === undefined ? [folder] : [folder, programs])
      rmSync(made, { recursive: true, force: true });
  }
}
