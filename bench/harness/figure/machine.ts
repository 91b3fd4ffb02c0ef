/** The machine of the numbers: they mean nothing without it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { arch, cpus, loadavg, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { natsServerAvailable } from "../../../test/support/machine/nats-server.ts";

const PACKAGES = ["level", "nats", "hono", "xstate", "nodejs-order-book", "autocannon"];

export interface Machine {
  readonly at: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly natsServer: string;
  /** Of the last minute: above the number of cores something else was at work too. */
  readonly loadAtStart: number;
  readonly commit: string;
  readonly packages: Readonly<Record<string, string>>;
}

const packageSchema = z.object({ version: z.string() });

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    at: new Date().toISOString(),
    cpu: first?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${process.platform} ${arch()} ${release()}`,
    node: process.version,
    natsServer: natsVersion(),
    loadAtStart: loadavg()[0] ?? 0,
    commit: output("git", ["rev-parse", "--short", "HEAD"]),
    packages: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
  };
}

function versionOf(name: string): string {
  const file = fileURLToPath(new URL(`../../../node_modules/${name}/package.json`, import.meta.url));
  return packageSchema.parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

function natsVersion(): string {
  const program = natsServerAvailable();
  return program === undefined ? "none" : output(program, ["--version"]).replace("nats-server: ", "");
}

function output(program: string, given: readonly string[]): string {
  try {
    return execFileSync(program, given, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}
