// Owns: node_modules being what package-lock.json says, before anything of the project is loaded.
// Does not own: what is then run (run.mjs, test.mjs, check.mjs).
// Plain Node and no dependency, because it runs in a fresh clone. All it says goes to stderr, so that the
// output of a command can be piped from the very first call.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The project's own folder, whatever the current one is. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

const lockFile = join(projectRoot, "package-lock.json");
/** npm writes this one last, so an installation that was cut off does not have it. */
const installedFile = join(projectRoot, "node_modules", ".package-lock.json");
const turnFile = join(projectRoot, ".install.lock");
const TURN_POLL_MS = 200;
/** A turn that is older was left by a process that is gone, whoever bears its number now. */
const TURN_MAX_MS = 300_000;

/**
 * Says why node_modules does not fit the lock file, or returns undefined when it does.
 * Packages for other platforms may be missing; so may development ones unless `development` is set.
 * `isThere` says whether a package that npm noted as installed is on disk.
 */
function findInstallReason({ lockText, installedText, isThere, development }) {
  if (installedText === undefined) return "node_modules is missing or incomplete";
  const wanted = JSON.parse(lockText).packages;
  let installed;
  try {
    installed = JSON.parse(installedText).packages ?? {};
  } catch {
    return "node_modules is incomplete";
  }
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "") continue;
    const found = installed[path];
    if (found === undefined) {
      const mayBeMissing = entry.optional || (!development && (entry.dev || entry.devOptional));
      if (!mayBeMissing) return `${path} is missing`;
    } else if (found.version !== entry.version) {
      return `${path} is ${found.version}, the lock file says ${entry.version}`;
    } else if (!isThere(path)) {
      return `${path} is missing`;
    }
  }
  return undefined;
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function findReason(development) {
  return findInstallReason({
    lockText: readFileSync(lockFile, "utf8"),
    installedText: readIfThere(installedFile),
    isThere: (path) => existsSync(join(projectRoot, path, "package.json")),
    development,
  });
}

/** True if an earlier installation brought development packages: a later one for `npm start` keeps them. */
function hasDevelopmentPackages() {
  try {
    return Object.values(JSON.parse(readIfThere(installedFile) ?? "{}").packages ?? {}).some(({ dev }) => dev === true);
  } catch {
    return false;
  }
}

function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The turn's owner, and the npm that it started and may have left behind when it was killed. */
function isTurnTaken() {
  let ageMs = 0;
  try {
    ageMs = Date.now() - statSync(turnFile).mtimeMs;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
  const text = readIfThere(turnFile) ?? "";
  if (ageMs > TURN_MAX_MS) return false;
  // Empty: its owner has just made it.
  return text === "" || text.split(" ").some((id) => Number(id) !== process.pid && isAlive(Number(id)));
}

/** Two first starts at once (engine and edge, say) must not install into one folder together. */
async function takeTurn() {
  let hasSaidSo = false;
  for (;;) {
    try {
      writeFileSync(turnFile, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!isTurnTaken()) {
      rmSync(turnFile, { force: true });
      continue;
    }
    if (!hasSaidSo) process.stderr.write("Waiting for another process that installs packages.\n");
    hasSaidSo = true;
    await sleep(TURN_POLL_MS);
  }
}

/**
 * Runs a command, hands SIGINT and SIGTERM on to it, and gives its exit code (128 + n for signal n).
 * `onStart` gets the child's process id.
 */
export function runChild(command, args, options, onStart = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: projectRoot, ...options });
    if (child.pid !== undefined) onStart(child.pid);
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    const stopForwarding = () => process.off("SIGINT", forward).off("SIGTERM", forward);
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("close", (exitCode, signal) => {
      stopForwarding();
      resolve(signal === null ? exitCode : 128 + osConstants.signals[signal]);
    });
  });
}

async function runNpmCi(development) {
  const scope = development ? [] : ["--omit=dev"];
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...scope];
  const outerNpm = process.env.npm_execpath;
  const isNpm = outerNpm !== undefined && basename(outerNpm) === "npm-cli.js";
  const command = isNpm ? [process.execPath, outerNpm] : ["npm"];
  const stdio = ["ignore", process.stderr, process.stderr];
  return runChild(command[0], [...command.slice(1), ...args], { stdio }, (processId) =>
    writeFileSync(turnFile, `${process.pid} ${processId}`),
  );
}

function refuseOldNode() {
  const wanted = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).engines.node.replace(">=", "");
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  process.stderr.write(`Node ${wanted} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/**
 * Installs what package-lock.json names when node_modules does not have it; ends the process when that fails.
 * `development`: the development packages are needed too (tests, checks, benchmarks).
 */
export async function ensureInstalled({ development }) {
  refuseOldNode();
  if (findReason(development) === undefined) return;
  await takeTurn();
  const removeTurn = () => rmSync(turnFile, { force: true });
  process.once("exit", removeTurn);
  const reason = findReason(development);
  if (reason !== undefined) {
    process.stderr.write(`Installing packages (npm ci): ${reason}.\n`);
    const exitCode = await runNpmCi(development || hasDevelopmentPackages());
    if (exitCode !== 0) {
      process.stderr.write(`npm ci failed with exit code ${exitCode}.\n`);
      process.exit(exitCode);
    }
    process.stderr.write("Packages are installed.\n");
  }
  process.off("exit", removeTurn);
  removeTurn();
}

/** True when the module at `moduleUrl` is what the process was started with. */
export function isStartedFile(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

if (isStartedFile(import.meta.url)) await ensureInstalled({ development: true });
