// Runs the static checks: types, lint and format, import law, two at a time. Fails on any finding. What is kept between
// runs lies in node_modules/.cache, so that a second run reads only what changed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, isStartedFile, projectRoot } from "./install.mjs";
import { endWithShell } from "./shell.mjs";

const SOURCE_FOLDERS = ["src", "engine", "edge", "fixtures", "bench", "test"];

/** The source folders that exist; git keeps no empty ones. */
function listSourceFolders(root) {
  return SOURCE_FOLDERS.filter((folder) => existsSync(join(root, folder)));
}

/** The number of modules that dependency-cruiser says it read: 0 when it did not say. */
function readModuleCount(output) {
  return Number(/\((\d+) modules, \d+ dependencies cruised\)/.exec(output)?.[1] ?? 0);
}

function program(name) {
  return join(projectRoot, "node_modules", ".bin", name);
}

const cacheFolder = join(projectRoot, "node_modules", ".cache", "trading-check");

function incremental(name) {
  return ["--incremental", "--tsBuildInfoFile", join(cacheFolder, `${name}.tsbuildinfo`)];
}

/** Runs a program and returns how it ended and what it printed: two checks that run together must not mix their lines. */
function capture(name, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program(name), args, { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part) => {
        output += part;
      });
    }
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode: exitCode ?? 1, output }));
  });
}

/** dependency-cruiser also calls it a success when it could read nothing, so its count is looked at. */
async function checkImports() {
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "err", ...listSourceFolders(projectRoot)];
  const { exitCode, output } = await capture("depcruise", args);
  if (readModuleCount(output) > 0) return { exitCode, output };
  return { exitCode: exitCode === 0 ? 1 : exitCode, output: `${output}dependency-cruiser read no module\n` };
}

const checkTypes = (name, project) => capture("tsc", ["--noEmit", "-p", project, ...incremental(name)]);

const CHECKS = [
  { name: "types (tsc)", run: () => checkTypes("project", ".") },
  { name: "import law (dependency-cruiser)", run: checkImports },
  { name: "types of the dashboard (tsc)", run: () => checkTypes("dashboard", "edge/web/dashboard") },
  { name: "lint and format (biome)", run: () => capture("biome", ["check", "--error-on-warnings", "."]) },
];
const CHECKS_AT_ONCE = 2;

async function runCheck({ name, run }, failed) {
  const startedMs = performance.now();
  const { exitCode, output } = await run();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const verdict = exitCode === 0 ? "ok" : "FAILED";
  process.stdout.write(`check: ${name}\n${output}check: ${name}: ${verdict} (${seconds} s)\n\n`);
  if (exitCode !== 0) failed.push(name);
}

async function main() {
  endWithShell();
  await ensureInstalled({ development: true });
  const failed = [];
  const waiting = [...CHECKS];
  const runNext = async () => {
    while (waiting.length > 0) await runCheck(waiting.shift(), failed);
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, runNext));
  process.stdout.write(failed.length === 0 ? "check: all ok\n" : `check: FAILED: ${failed.join(", ")}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (isStartedFile(import.meta.url)) await main();
