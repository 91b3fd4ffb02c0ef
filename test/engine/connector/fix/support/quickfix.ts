/**
 * QuickFIX's own example brokers, as Debian ships them: `executor` fills limit orders immediately, `ordermatch` (FIX
 * 4.2) keeps a book and matches. Real processes, their own session layer and store.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { freePort } from "../../../../support/machine/free-ports.ts";
import { suiteThatNeeds } from "../../../../support/machine/installed.ts";

const EXAMPLES = "/usr/share/doc/libquickfix-doc/examples";
const PROGRAMS = {
  executor: `${EXAMPLES}/executor/C++/.libs/executor.gz`,
  ordermatch: `${EXAMPLES}/ordermatch/.libs/ordermatch.gz`,
} as const;

type QuickFixProgram = keyof typeof PROGRAMS;

/**
 * A group of tests that need QuickFIX's brokers (Debian: libquickfix-doc and libquickfix-dev). Without them the group
 * is skipped by its name; under `CI=true` it fails.
 */
export const quickFixSuite = suiteThatNeeds(areThere(Object.values(PROGRAMS)), "libquickfix-doc");

/** The same for programs that are built on QuickFIX's session layer (Debian: libquickfix-dev, g++). */
export const quickFixBuildSuite = suiteThatNeeds(
  areThere(["/usr/include/quickfix/Session.h", "/usr/bin/g++"]),
  "libquickfix-dev",
);

function areThere(paths: readonly string[]): boolean {
  return paths.every((path) => existsSync(path));
}

export class QuickFixBroker {
  readonly port: number;
  readonly #file: string;
  readonly #settings: string;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(port: number, file: string, settings: string) {
    this.port = port;
    this.#file = file;
    this.#settings = settings;
  }

  /** Starts `program` on a free port; its store is in `folder`. */
  static async start(program: QuickFixProgram, folder: string, beginString: string): Promise<QuickFixBroker> {
    const port = await freePort();
    const file = join(folder, program);
    const settings = join(folder, `${program}.cfg`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, gunzipSync(readFileSync(PROGRAMS[program])), { mode: 0o700 });
    await writeFile(settings, settingsOf(port, join(folder, `${program}-store`), beginString));
    const broker = new QuickFixBroker(port, file, settings);
    await broker.restart();
    return broker;
  }

  /** Starts it again on the same store, ending it with SIGKILL before if it still runs. */
  async restart(): Promise<void> {
    await this.stop();
    // ordermatch reads commands and ends with its input.
    this.#child = spawn(this.#file, [this.#settings], { stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString("latin1")));
    }
    await untilListening(this.port);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  }

  /** The messages of its log. */
  get output(): string {
    return this.#output;
  }
}

export function settingsOf(port: number, store: string, beginString: string): string {
  return [
    "[DEFAULT]",
    "ConnectionType=acceptor",
    `SocketAcceptPort=${port}`,
    "SocketReuseAddress=Y",
    "StartTime=00:00:00",
    "EndTime=00:00:00",
    `FileStorePath=${store}`,
    "UseDataDictionary=N",
    "[SESSION]",
    `BeginString=${beginString}`,
    "SenderCompID=DESK",
    "TargetCompID=ME",
    "",
  ].join("\n");
}

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    const socket = connect({ host: "127.0.0.1", port });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nobody listens on ${port}`);
}
