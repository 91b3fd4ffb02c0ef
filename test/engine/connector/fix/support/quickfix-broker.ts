/**
 * A broker of our own on QuickFIX's session layer (broker.cpp): built once, started as a process, controlled by
 * commands.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../../../support/machine/free-ports.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";
import { settingsOf, untilListening } from "./quickfix.ts";

const SOURCE = fileURLToPath(new URL("./broker.cpp", import.meta.url));

/** Builds the broker into `folder`; takes some seconds. */
export async function buildBroker(folder: string): Promise<string> {
  const program = join(folder, "broker");
  await promisify(execFile)("g++", ["-std=c++14", "-O1", "-w", SOURCE, "-o", program, "-lquickfix", "-lpthread"]);
  return program;
}

/** Whether it books a name that it knows once more. */
export type KnownNames = "accept" | "refuse";

export class QuickFixBroker {
  readonly port: number;
  readonly #program: string;
  readonly #folder: string;
  readonly #knownNames: KnownNames;
  #child: ChildProcess | undefined;
  output = "";

  private constructor(port: number, program: string, folder: string, knownNames: KnownNames) {
    this.port = port;
    this.#program = program;
    this.#folder = folder;
    this.#knownNames = knownNames;
  }

  static async start(program: string, folder: string, knownNames: KnownNames): Promise<QuickFixBroker> {
    const broker = new QuickFixBroker(await freePort(), program, folder, knownNames);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "broker.cfg"), settingsOf(broker.port, join(folder, "store"), "FIX.4.4"));
    await broker.restart();
    return broker;
  }

  /** Starts it on what it kept, ending it with SIGKILL before if it still runs. */
  async restart(): Promise<void> {
    await this.stop();
    const files = [join(this.#folder, "broker.cfg"), join(this.#folder, "book")];
    this.#child = spawn(this.#program, [...files, this.#knownNames], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    await untilListening(this.port);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  }

  /** Resolves once it has ended by itself. */
  async ended(): Promise<void> {
    const child = this.#child;
    await untilTrue(() => child === undefined || child.exitCode !== null || child.signalCode !== null);
  }

  /** Gives a command and waits until the broker follows it: later messages to it find the new state. */
  async tell(command: string): Promise<void> {
    const before = this.output.length;
    this.#child?.stdin?.write(`${command}\n`);
    await untilTrue(() => this.output.includes(`done ${command}\n`, before));
  }

  /** The names that it booked, oldest first. */
  get booked(): string[] {
    const book = join(this.#folder, "book");
    if (!existsSync(book)) return [];
    const lines = readFileSync(book, "utf8").split("\n");
    return lines.slice(0, -1).map((line) => line.split(" ")[0] ?? "");
  }
}
