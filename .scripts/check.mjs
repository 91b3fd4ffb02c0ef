// Runs the static checks one after the other: types, lint and format, import law. Fails on any finding.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, isStartedFile, projectRoot, runChild } from "./install.mjs";
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

async function checkPlainly(name, args) {
  return runChild(program(name), args, { stdio: ["ignore", "inherit", "inherit"] });
}

/** dependency-cruiser also calls it a success when it could read nothing, so its count is looked at. */
function checkImports() {
  return new Promise((resolve, reject) => {
    const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "err", ...listSourceFolders(projectRoot)];
    const child = spawn(program("depcruise"), args, { cwd: projectRoot, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      output += part;
      process.stdout.write(part);
    });
    child.once("error", reject);
    child.once("close", (exitCode) => {
      const hasRead = readModuleCount(output) > 0;
      if (!hasRead) process.stdout.write("dependency-cruiser read no module\n");
      resolve(exitCode === 0 && !hasRead ? 1 : (exitCode ?? 1));
    });
  });
}

const CHECKS = [
  { name: "types (tsc)", run: () => checkPlainly("tsc", ["--noEmit", "-p", "."]) },
  { name: "types of the dashboard (tsc)", run: () => checkPlainly("tsc", ["--noEmit", "-p", "edge/web/dashboard"]) },
  { name: "lint and format (biome)", run: () => checkPlainly("biome", ["check", "--error-on-warnings", "."]) },
  { name: "import law (dependency-cruiser)", run: checkImports },
];

async function main() {
  endWithShell();
  await ensureInstalled({ development: true });
  const failed = [];
  for (const { name, run } of CHECKS) {
    process.stdout.write(`check: ${name}\n`);
    const startedMs = performance.now();
    const exitCode = await run();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    process.stdout.write(`check: ${name}: ${exitCode === 0 ? "ok" : "FAILED"} (${seconds} s)\n\n`);
    if (exitCode !== 0) failed.push(name);
  }
  process.stdout.write(failed.length === 0 ? "check: all ok\n" : `check: FAILED: ${failed.join(", ")}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (isStartedFile(import.meta.url)) await main();
