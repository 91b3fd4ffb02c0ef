/**
 * Owns: a made-up project with this project's scripts in it, to run them as a user does.
 *
 * Nothing is downloaded: `npm ci` is a fake that records its arguments and links this project's packages.
 */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The file in which the fake npm records its calls, one line each. */
const CALLS = "npm-calls.log";

export type Outcome = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

export type MadeProject = {
  readonly root: string;
  /** Runs `node <args>` in the project, with `input` on stdin. */
  readonly run: (args: readonly string[], input?: string) => Promise<Outcome>;
  /** The arguments of each call of npm so far. */
  readonly npmCalls: () => string[];
  readonly remove: () => void;
};

function npmStandIn(npmExitCode: number): string {
  const packages = JSON.stringify(join(projectRoot, "node_modules"));
  return [
    'const fs = require("node:fs");',
    `fs.appendFileSync("${CALLS}", process.argv.slice(2).join(" ") + "\\n");`,
    'console.log("npm speaks");',
    `if (${npmExitCode} !== 0) process.exit(${npmExitCode});`,
    'fs.rmSync("node_modules", { recursive: true, force: true });',
    `fs.symlinkSync(${packages}, "node_modules");`,
  ].join("\n");
}

function writeProgram(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
}

function childEnvironment(root: string): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _outerTest, ...inherited } = process.env;
  return {
    ...inherited,
    PATH: `${join(root, "bin")}${delimiter}${inherited.PATH ?? ""}`,
    npm_execpath: join(root, "npm", "npm-cli.js"),
  };
}

function runNode(root: string, args: readonly string[], input: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: childEnvironment(root) });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      stdout += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      stderr += part;
    });
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
    child.stdin.end(input);
  });
}

/** Makes a project of `files`; `isInstalled`: its packages are present; npm ends with `npmExitCode`. */
export function makeProject(
  files: Readonly<Record<string, string>>,
  { isInstalled = true, npmExitCode = 0 }: { isInstalled?: boolean; npmExitCode?: number } = {},
): MadeProject {
  const root = mkdtempSync(join(tmpdir(), "trading-scripts-"));
  for (const name of [".scripts", "package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(join(projectRoot, name), join(root, name), { recursive: true });
  }
  if (isInstalled) symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "npm"));
  writeFileSync(join(root, "npm", "npm-cli.js"), npmStandIn(npmExitCode));
  writeFileSync(join(root, "npm", "package.json"), "{}");
  for (const name of ["nats-server", "redis-server"]) writeProgram(join(root, "bin"), name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    run: (args, input = "") => runNode(root, args, input),
    npmCalls: () => {
      const path = join(root, CALLS);
      return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
