/**
 * Our own programs as real processes: started, waited for, killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const STOP_AT = new URL("stop-at.ts", import.meta.url).href;
/** A bound for what never comes, not a measure: a busy machine takes its time. */
const START_WITHIN_MS = 120_000;

export interface Program {
  readonly pid: number;
  /** All that it has printed; the whole of it once it has ended. */
  readonly output: () => string;
  /** Sends a signal and waits for the end; gives the exit code, null after a kill. */
  end(signal: "SIGKILL" | "SIGTERM" | "SIGINT"): Promise<number | null>;
  readonly hasEnded: () => boolean;
}

/** The environment of an engine that stops by itself at an instruction, once, when `file` is there (stop-at.ts). */
export function stoppingAt(at: "send" | "commit" | "log", file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=tsx --import=${STOP_AT}`, STOP_AT: at, STOP_FILE: file };
}

/** The content of the file of an engine that stops at `log`: before or after the batch that contains `text` is durable. */
export function stopText(at: "written" | "durable", text: string): string {
  return `${at} ${text}`;
}

/**
 * How node starts `entry`: from the bundle that the test runner made (.scripts/programs.mjs), else from the sources. A
 * preloaded file in TypeScript replaces methods of the program's modules, and a bundle has copies of its own.
 */
function argumentsOf(entry: string, environment: Readonly<Record<string, string>> = {}): string[] {
  const bundle = join(process.env.TEST_PROGRAMS ?? ROOT, entry.replace(/\.ts$/, ".mjs"));
  const needsSources = environment.NODE_OPTIONS?.includes("--import=tsx") ?? false;
  return !needsSources && existsSync(bundle) ? [bundle] : ["--import", "tsx", entry];
}

/** Starts `entry` (a path in the project) and waits until it has printed `ready`. Rejects with its output otherwise. */
export async function startProgram(
  entry: string,
  environment: Readonly<Record<string, string>>,
  ready: RegExp,
  parameters: readonly string[] = [],
): Promise<Program> {
  const child = spawn(process.execPath, [...argumentsOf(entry, environment), ...parameters], {
    cwd: ROOT,
    // Tests run at night and on Sundays, too.
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", CALENDARS: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  // Not "exit": what it printed last may still be on its way then.
  let hasClosed = false;
  child.once("close", () => {
    hasClosed = true;
  });
  const ended = once(child, "close");
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${entry} is not ready:\n${output}`)), START_WITHIN_MS);
    const onData = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!ready.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`${entry} ended:\n${output}`));
    });
  }).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    hasEnded: () => hasClosed,
    end: async (signal) => {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/** Runs `entry` to its end: its exit code (null after a signal) and all that it printed. */
export async function runProgram(
  entry: string,
  environment: Readonly<Record<string, string>>,
  options: { readonly arguments?: readonly string[]; readonly uid?: number } = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [...argumentsOf(entry, environment), ...(options.arguments ?? [])], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.kill("SIGKILL"), START_WITHIN_MS);
  await once(child, "close");
  clearTimeout(timer);
  return { code: child.exitCode, output };
}

/** A folder for one test, and the way to remove it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "trading-api-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
