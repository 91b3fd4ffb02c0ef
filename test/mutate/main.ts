/**
 * Plants faults in a copy of the source, one by one, and reports which check catches them:
 * npm run mutate -- [--only ID] [--part PART] [--jobs N] [--seeds N] [--from K] [--tests-only] [--list]
 *
 * Seeds of the simulation run first, then, if they pass, the tests of the part. Exit code 0: every fault was caught,
 * and in a full run at least `BY_SIMULATION_MIN` faults by the simulation.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Fault } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import { Copy } from "./plant.ts";

const BY_SIMULATION_MIN = 34;
const RUN_MS_MAX = 20 * 60 * 1_000;

interface Finding {
  readonly fault: Fault;
  readonly by: "simulation" | "tests" | "nothing";
  readonly what: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    part: { type: "string", multiple: true },
    jobs: { type: "string", default: "1" },
    seeds: { type: "string", default: "200" },
    from: { type: "string", default: "1" },
    "tests-only": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

function chosen(): readonly Fault[] {
  return FAULTS.filter(
    ({ id, part }) =>
      (values.only === undefined || values.only.some((text) => id.includes(text))) &&
      (values.part === undefined || values.part.includes(part)),
  );
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program of the copy to its end; a program that hangs is ended, and counts as failed. */
function run(folder: string, programArguments: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, programArguments, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
    const timer = setTimeout(() => child.kill("SIGKILL"), RUN_MS_MAX);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

const HELD: Run = { code: 0, output: "" };

function simulate(folder: string): Promise<Run> {
  const seeds = ["--seeds", values.seeds, "--from", values.from];
  return run(folder, ["--import", "tsx", "test/simulation/main.ts", ...seeds]);
}

async function look(folder: string, fault: Fault): Promise<Omit<Finding, "seconds">> {
  const simulated = values["tests-only"] ? HELD : await simulate(folder);
  if (simulated.code !== 0) {
    const said = /^seed \d+: .*$/m.exec(simulated.output)?.[0];
    if (said !== undefined) return { fault, by: "simulation", what: said.replace("Violation: ", "") };
    // A copy that does not even start proves nothing.
    const isBroken = /SyntaxError|ERR_MODULE_NOT_FOUND|Transform failed/.test(simulated.output);
    if (isBroken) return { fault, by: "nothing", what: `it does not run: ${lastLine(simulated.output)}` };
    const thrown = /^.*(?:Error|Failure)\b.*$/m.exec(simulated.output)?.[0] ?? "it never ends";
    return { fault, by: "simulation", what: thrown.trim() };
  }
  const files = fault.tests.flatMap((path) => testFiles(folder, path));
  const tested = await run(folder, ["--import", "tsx", "--test", "--test-reporter=spec", ...files]);
  if (tested.code === 0) return { fault, by: "nothing", what: "" };
  const failed = [...tested.output.matchAll(/^\s*✖ (.+?)(?: \([\d.]+ms\))?$/gm)].map(([, name]) => name ?? "");
  const first = failed.find((name) => !name.endsWith(".test.ts"));
  // A test that could not even start proves nothing.
  return first === undefined
    ? { fault, by: "nothing", what: `the tests do not run: ${lastLine(tested.output)}` }
    : { fault, by: "tests", what: first };
}

/** Returns a test file, or the test files of a folder. */
function testFiles(folder: string, path: string): string[] {
  if (path.endsWith(".test.ts")) return [path];
  return readdirSync(join(folder, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(path, name));
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}

function tell({ fault, by, what, seconds }: Finding): void {
  const caught = by === "nothing" ? "MISSED    " : by.padEnd(10);
  const line = [fault.part.padEnd(9), fault.id.padEnd(60), caught, `${seconds.toFixed(0)} s`.padStart(6), what];
  process.stdout.write(`${line.join("  ").slice(0, 200)}\n`);
}

async function runAll(faults: readonly Fault[]): Promise<readonly Finding[]> {
  const waiting = [...faults];
  const findings: Finding[] = [];
  const work = async (): Promise<void> => {
    const copy = new Copy();
    try {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
        const here = fault;
        const startMs = performance.now();
        const seen = await copy.with(here, () => look(copy.folder, here));
        const finding = { ...seen, seconds: (performance.now() - startMs) / 1_000 };
        findings.push(finding);
        tell(finding);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return findings;
}

/** Throws if the source fails by itself: then every fault would seem to be caught. */
async function tryUnplanted(): Promise<void> {
  const copy = new Copy();
  try {
    const { code, output } = await simulate(copy.folder);
    if (code !== 0) throw new Error(`the simulation does not hold without a fault: ${lastLine(output)}`);
  } finally {
    copy.remove();
  }
}

const faults = chosen();
if (values.list) for (const { part, id, file } of faults) process.stdout.write(`${part.padEnd(9)}  ${id}  (${file})\n`);
else {
  if (!values["tests-only"]) await tryUnplanted();
  const findings = await runAll(faults);
  const count = (by: Finding["by"]): number => findings.filter((finding) => finding.by === by).length;
  const [bySimulation, byTests, missed] = [count("simulation"), count("tests"), count("nothing")];
  process.stdout.write(
    `${findings.length} faults: ${bySimulation} caught by the simulation, ${byTests} by tests, ${missed} missed\n`,
  );
  const isFull = faults.length === FAULTS.length && !values["tests-only"];
  process.exitCode = missed > 0 || (isFull && bySimulation < BY_SIMULATION_MIN) ? 1 : 0;
}
