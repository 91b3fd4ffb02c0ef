// Runs every command block of README.md and docs/ in a fresh clone, as a reader would: node .scripts/release-check.mjs
// The commands of all documents share one shell, so that what the README sets is there for the pages that build on it.
// Needs the port 8080 to be free. Ends what it started.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listDocuments, readBlocks } from "./documents.mjs";
import { isStartedFile, projectRoot, runChild } from "./install.mjs";
import { endWithShell } from "./shell.mjs";

const BLOCK_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 180_000;
const END_WITHIN_MS = 20_000;

/** A shell that blocks are given to one after the other. */
class Shell {
  #child;
  #output = "";
  #count = 0;

  constructor(folder) {
    this.#child = spawn("bash", ["--norc", "--noprofile"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (part) => {
        this.#output += part;
      });
    }
  }

  /** Gives what the block printed and how it ended. */
  async run(code) {
    this.#count += 1;
    this.#output = "";
    const mark = `end-of-block-${this.#count}`;
    this.#child.stdin.write(`${code}\necho "${mark}:$?"\n`);
    const end = new RegExp(`${mark}:(\\d+)\n`);
    for (const startedMs = performance.now(); performance.now() - startedMs < BLOCK_TIMEOUT_MS; await pause(50)) {
      const found = end.exec(this.#output);
      if (found !== null) return { exitCode: Number(found[1]), output: this.#output.slice(0, found.index) };
    }
    return { exitCode: -1, output: `${this.#output}\n(it did not end in time)` };
  }

  close() {
    this.#child.stdin.end();
    this.#child.kill();
  }
}

/** Starts a command that goes on. Resolves once its output holds `until`. */
async function startBackground(folder, command, until) {
  const child = spawn("bash", ["-c", `exec ${command}`], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      output += part;
    });
  }
  const ended = new Promise((resolve) => child.once("close", resolve)).then(() => {
    hasEnded = true;
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await Promise.race([ended, pause(END_WITHIN_MS)]);
    child.kill("SIGKILL");
  };
  for (const startedMs = performance.now(); !hasEnded && performance.now() - startedMs < READY_TIMEOUT_MS; ) {
    if (output.includes(until)) return { stop, fault: undefined };
    await pause(100);
  }
  return { stop, fault: `${command} never printed ${until}:\n${output}` };
}

/** Gives what went wrong with the block, or undefined. */
async function runBlock(block, folder, shell, background) {
  if (block.kind === "unmarked") return "nothing says whether it is to be run";
  if (block.kind === "notRun") return undefined;
  if (block.kind === "background") {
    while (background.length > 0) await background.pop()();
    const { stop, fault } = await startBackground(folder, block.command, block.until);
    background.push(stop);
    return fault;
  }
  const { exitCode, output } = await shell.run(block.code);
  if (exitCode !== 0) return `it ended with ${exitCode}:\n${output}`;
  const missing = block.texts.find((text) => !output.includes(text));
  return missing === undefined ? undefined : `it did not print ${missing}, but:\n${output}`;
}

async function main() {
  endWithShell();
  const folder = mkdtempSync(join(tmpdir(), "trading-release-"));
  const background = [];
  let faultCount = 0;
  const clone = join(folder, "clone");
  if ((await runChild("git", ["clone", "--quiet", projectRoot, clone], { stdio: "inherit" })) !== 0) process.exit(1);
  const shell = new Shell(clone);
  try {
    for (const document of listDocuments(clone)) {
      for (const block of readBlocks(readFileSync(join(clone, document), "utf8"))) {
        const fault = await runBlock(block, clone, shell, background);
        const told = fault === undefined ? (block.kind === "notRun" ? `not run: ${block.reason}` : "ok") : "FAILED";
        process.stdout.write(`${document}:${block.line} ${told}\n`);
        if (fault === undefined) continue;
        faultCount += 1;
        process.stdout.write(`${fault}\n`);
      }
    }
  } finally {
    shell.close();
    while (background.length > 0) await background.pop()();
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(faultCount === 0 ? "every block does what it says\n" : `${faultCount} blocks failed\n`);
  process.exitCode = faultCount === 0 ? 0 : 1;
}

if (isStartedFile(import.meta.url)) await main();
