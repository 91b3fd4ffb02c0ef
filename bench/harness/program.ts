/**
 * Programs under measurement, each a process of its own, probed and ended here.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProbeReading } from "../process/probe.ts";

/** The same as in the units of docs/deploy. */
const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Characters. A program logs every trigger. To keep and search all of it would disturb the measurement, because this
 * process also takes the orders in.
 */
const OUTPUT_KEPT = 16_384;

interface ProgramOptions {
  /** Path in the project. */
  readonly entry: string;
  /** The checkout that it is part of; default: this one. */
  readonly root?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A pattern in its output once it can be used; without it the program sends the message "ready". */
  readonly ready?: RegExp;
  readonly readyWithinMs?: number;
  readonly nodeOptions?: readonly string[];
  /** Modules that are loaded before it. */
  readonly preloads?: readonly string[];
}

interface Memory {
  /** All that is resident, in bytes. */
  readonly residentBytes: number;
  /**
   * The part of it that is not backed by a file: heap, buffers, LevelDB's own. The rest are pages of files that it
   * maps.
   */
  readonly anonymousBytes: number;
}

export interface BenchProgram {
  readonly pid: number;
  /** The end of its output. */
  readonly output: () => string;
  /** How long it took from its start until it was ready. */
  readonly readyMs: number;
  probe(): Promise<ProbeReading>;
  memory(): Memory;
  /** Sends a message and waits for the next that comes back. */
  ask<T>(message: object): Promise<T>;
  /** Waits for the next message that comes by itself. */
  next<T>(): Promise<T>;
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Starts a program and waits until it is ready. Rejects with its output if it does not become ready. */
export async function startBenchProgram(options: ProgramOptions): Promise<BenchProgram> {
  const startedMs = performance.now();
  const preloads = ["tsx", "./bench/process/probe.ts", ...(options.preloads ?? [])];
  const root = options.root ?? ROOT;
  const child = fork(join(root, options.entry), [], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...ALLOCATOR, ...options.environment },
    execArgv: [...(options.nodeOptions ?? []), ...preloads.flatMap((module) => ["--import", module])],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    serialization: "advanced",
  });
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  let output = "";
  await waitUntilReady(child, options, (text) => {
    output = (output + text).slice(-OUTPUT_KEPT);
    return output;
  });
  return programOf(child, () => output, performance.now() - startedMs);
}

function waitUntilReady(child: ChildProcess, options: ProgramOptions, add: (text: string) => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill("SIGKILL");
      reject(new Error(`${options.entry} ${why}:\n${add("")}`));
    };
    const timer = setTimeout(() => fail("is not ready in time"), options.readyWithinMs ?? 60_000);
    const finish = (): void => {
      clearTimeout(timer);
      child.off("exit", onExit);
      resolve();
    };
    const onExit = (): void => {
      clearTimeout(timer);
      fail("ended");
    };
    child.once("exit", onExit);
    let isReady = false;
    const onText = (text: Buffer): void => {
      const printed = add(text.toString());
      if (isReady || options.ready?.test(printed) !== true) return;
      isReady = true;
      finish();
    };
    child.stdout?.on("data", onText);
    child.stderr?.on("data", onText);
    if (options.ready === undefined) child.on("message", (message) => message === "ready" && finish());
  });
}

function programOf(child: ChildProcess, output: () => string, readyMs: number): BenchProgram {
  const { pid = 0 } = child;
  const next = async <T>(): Promise<T> => {
    const over = new AbortController();
    const ended = once(child, "exit", over).then(() => {
      throw new Error(`a program ended instead of answering:\n${output()}`);
    });
    const answered = once(child, "message", over);
    try {
      const [answer] = (await Promise.race([answered, ended])) as [T];
      return answer;
    } finally {
      // The promise that was not awaited ends here, and its rejection is ignored.
      for (const pending of [ended, answered]) pending.catch(() => undefined);
      over.abort();
    }
  };
  const ask = <T>(message: object | string): Promise<T> => {
    const answer = next<T>();
    child.send(message);
    return answer;
  };
  return {
    pid,
    output,
    readyMs,
    probe: () => ask<ProbeReading>("probe"),
    memory: () => memoryOf(pid),
    ask,
    next,
    end: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytesOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) * 1_024;
  return { residentBytes: bytesOf("VmRSS"), anonymousBytes: bytesOf("RssAnon") };
}
