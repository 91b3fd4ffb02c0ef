/**
 * Starts real NATS servers for tests: on loopback, on a port the system chose, in a temporary folder.
 * Ends only servers it started, the last of them when the test process exits.
 */
import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { findProgram, suiteThatNeeds } from "./installed.ts";

export interface NatsServerOptions {
  /** Default: false. */
  readonly jetStream?: boolean;
  /** Default: a free one. */
  readonly port?: number;
  /** The folder of JetStream's files. Default: a temporary folder, removed by `stop()`. */
  readonly storeDir?: string;
  /** Further lines for the server's configuration file. */
  readonly configuration?: string;
  /** Default: the installed program. */
  readonly program?: string;
}

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Process id of the running server; changes with `restart()`. */
  readonly pid: number;
  /** Sends the signal; if it ends or stops the server, resolves once the server is gone or paused. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the server again on the same port and store, ending it with SIGKILL before if it still runs. */
  restart(): Promise<void>;
  /** Ends the server and removes its temporary folder. */
  stop(): Promise<void>;
}

/** The port of a server that is started again may belong to an outgoing connection of another process for a moment. */
const RESTART_TRIES_MAX = 20;
const RESTART_PAUSE_MS = 500;

type ServerProcess = ChildProcessByStdio<null, null, Readable>;

const ENDING_SIGNALS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGQUIT"]);

/** The path of the nats-server program, if this machine has one. */
export function natsServerAvailable(): string | undefined {
  return findProgram("nats-server");
}

/** A group of tests that need a NATS server. */
export const natsSuite = suiteThatNeeds(natsServerAvailable() !== undefined, "nats-server");

/** Starts a server and resolves when it accepts connections. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const program = options.program ?? natsServerAvailable();
  assert.ok(program !== undefined, "nats-server not found");
  const folder = mkdtempSync(join(tmpdir(), "nats-server-"));
  const start = (atPort: number): Promise<RunningServer> => launch(program, folder, atPort, options);
  const first = await start(options.port ?? -1);
  const { port } = first;
  let child = first.child;
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    if (ENDING_SIGNALS.has(signal)) await ended;
    while (signal === "SIGSTOP" && !hasEnded(child) && isRunning(child)) await pause(1);
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      assert.ok(child.pid !== undefined);
      return child.pid;
    },
    kill,
    async restart() {
      await kill("SIGKILL");
      for (let tries = 1; ; tries += 1) {
        try {
          child = (await start(port)).child;
          return;
        } catch (error) {
          if (tries >= RESTART_TRIES_MAX) throw error;
          await pause(RESTART_PAUSE_MS);
        }
      }
    },
    async stop() {
      await kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface RunningServer {
  readonly child: ServerProcess;
  readonly port: number;
}

function launch(program: string, folder: string, port: number, options: NatsServerOptions): Promise<RunningServer> {
  const configurationFile = join(folder, "server.conf");
  writeFileSync(configurationFile, options.configuration ?? "");
  const child = spawn(
    program,
    [
      ...["--config", configurationFile, "--addr", "127.0.0.1", "--port", String(port)],
      ...(options.jetStream === true ? ["--jetstream", "--store_dir", options.storeDir ?? join(folder, "store")] : []),
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      if (log.includes("Server is ready")) return;
      log += text;
      const listening = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(log);
      if (listening !== null && log.includes("Server is ready")) resolve({ child, port: Number(listening[1]) });
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`nats-server ended at start:\n${log}`)));
  });
}

function hasEnded(child: ServerProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Returns whether a thread may still run: on a busy machine a signal to stop takes its time. Only Linux shows this. */
function isRunning({ pid }: ServerProcess): boolean {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return false;
  try {
    return readdirSync(folder).some((thread) => !/\) [Tt] /.test(readFileSync(join(folder, thread, "stat"), "utf8")));
  } catch {
    // A thread that has just ended.
    return true;
  }
}
