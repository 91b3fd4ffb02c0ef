/**
 * Measures the project against its floors and its peers: `npm run bench [-- --only <name>,<name>] [--quick] [--against
 * <git revision>]`.
 *
 * Every scenario runs in a process of its own, so that none inherits another's heap, and collects its garbage as the
 * engine does. Results go to `bench/results/` as JSON and SVG, and to the screen as text. Exits 2 if a scenario could
 * not be run. A missed promise is only reported: on a busy machine it proves little. SIGINT and SIGTERM end the
 * scenario with every server and program that it started, and remove its folders.
 *
 * `--record <file of bench/results>` writes the figures of that run into `bench/promises.json` and the table of
 * `bench/README.md`; `--table` only renders the table again. Both measure nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { collectSeldom } from "../src/runtime/gc-flags.ts";
import { renderChart } from "./harness/figure/chart.ts";
import { describeMachine, type Machine } from "./harness/figure/machine.ts";
import {
  parsePromises,
  parseRun,
  recordRun,
  renderPromises,
  renderTable,
  replaceTable,
} from "./harness/figure/promises.ts";
import { describe, isMet } from "./harness/figure/report.ts";
import type { Scenario, ScenarioResult } from "./harness/figure/result.ts";

const RESULTS = fileURLToPath(new URL("./results", import.meta.url));
const PROMISES = fileURLToPath(new URL("./promises.json", import.meta.url));
const README = fileURLToPath(new URL("./README.md", import.meta.url));
const ENTRY = fileURLToPath(import.meta.url);

const scenarios: ReadonlyMap<string, () => Promise<{ readonly scenario: Scenario }>> = new Map([
  ["silent-tick", () => import("./scenario/tick/silent-tick.ts")],
  ["firing-tick", () => import("./scenario/tick/firing-tick.ts")],
  ["trailing", () => import("./scenario/tick/trailing.ts")],
  ["bars", () => import("./scenario/tick/bars.ts")],
  ["trailing-rows", () => import("./scenario/tick/trailing-rows.ts")],
  ["peers", () => import("./scenario/peers.ts")],
  ["tick-path", () => import("./scenario/tick/tick-path.ts")],
  ["tick-to-order", () => import("./scenario/tick/tick-to-order.ts")],
  ["burst", () => import("./scenario/tick/burst.ts")],
  ["commands", () => import("./scenario/commands.ts")],
  ["changes", () => import("./scenario/changes.ts")],
  ["changes-under-load", () => import("./scenario/changes-under-load.ts")],
  ["edge", () => import("./scenario/edge.ts")],
  ["edge-over-nats", () => import("./scenario/edge-over-nats.ts")],
  ["event-streams", () => import("./scenario/event-streams.ts")],
  ["dashboard", () => import("./scenario/dashboard.ts")],
  ["fix", () => import("./scenario/fix.ts")],
  ["million", () => import("./scenario/million.ts")],
  ["replicated", () => import("./scenario/replicated.ts")],
  ["fleet", () => import("./scenario/fleet.ts")],
  ["engines", () => import("./scenario/engines.ts")],
  ["trigger-work", () => import("./scenario/tick/trigger-work.ts")],
]);

interface Stored {
  readonly machine: Machine;
  readonly isQuick: boolean;
  readonly results: Record<string, ScenarioResult>;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    /** The revision of another checkout that is measured next to this one (trigger-work). */
    against: { type: "string" },
    record: { type: "string" },
    table: { type: "boolean", default: false },
    /** Runs one scenario in this process and stores its result: the parent starts its children this way. */
    child: { type: "string" },
    into: { type: "string" },
  },
});

async function main(): Promise<void> {
  if (values.record !== undefined || values.table) return writePromises(values.record);
  mkdirSync(RESULTS, { recursive: true });
  if (values.child !== undefined && values.into !== undefined) await runHere(values.child, values.into);
  else await runAll();
}

/** Writes the table of the recorded figures, after the figures of the run in the file `results`, if there is one. */
function writePromises(results: string | undefined): void {
  const recorded = parsePromises(readFileSync(PROMISES, "utf8"));
  const rows = results === undefined ? recorded : recordRun(recorded, parseRun(readFileSync(results, "utf8")));
  writeFileSync(PROMISES, renderPromises(rows));
  writeFileSync(README, replaceTable(readFileSync(README, "utf8"), renderTable(rows)));
  print(`${PROMISES} and ${README} were written`);
}

async function runHere(name: string, into: string): Promise<void> {
  const load = scenarios.get(name);
  if (load === undefined) throw new Error(`there is no scenario ${name}`);
  collectSeldom();
  const { scenario } = await load();
  const say = (text: string): void => void process.stderr.write(`  ${name}: ${text}\n`);
  writeFileSync(into, JSON.stringify(await scenario({ isQuick: values.quick, against: values.against, say })));
  process.exit(0);
}

async function runAll(): Promise<void> {
  const names = values.only?.split(",") ?? [...scenarios.keys()];
  const unknown = names.find((name) => !scenarios.has(name));
  if (unknown !== undefined)
    throw new Error(`there is no scenario ${unknown}; there are ${[...scenarios.keys()].join(", ")}`);
  const machine = describeMachine();
  print(JSON.stringify(machine, null, 2));
  const stored: Stored = { machine, isQuick: values.quick, results: {} };
  const stamp = machine.at.replaceAll(/[:.]/g, "-");
  let areAllRun = true;
  for (const name of names) {
    const result = await runInChild(name);
    if (result === undefined) {
      areAllRun = false;
      continue;
    }
    stored.results[name] = result;
    print(describe(result));
    writeFileSync(join(RESULTS, `${stamp}.json`), JSON.stringify(stored, null, 2));
    for (const [index, chart] of result.charts.entries()) {
      writeFileSync(join(RESULTS, `${stamp}-${name}-${index + 1}.svg`), renderChart(chart));
    }
  }
  const missed = Object.values(stored.results).flatMap(({ targets }) => targets.filter((target) => !isMet(target)));
  print(`\nstored in ${join(RESULTS, `${stamp}.json`)}; promises missed: ${missed.length}`);
  process.exitCode = areAllRun ? 0 : 2;
}

/** Undefined if the child failed; it has printed the reason. */
async function runInChild(name: string): Promise<ScenarioResult | undefined> {
  const into = join(RESULTS, `.${name}.json`);
  const given = ["--child", name, "--into", into, ...(values.quick ? ["--quick"] : [])];
  if (values.against !== undefined) given.push("--against", values.against);
  const nodeOptions = ["--expose-gc", "--import", "tsx"];
  const folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  const child = spawn(process.execPath, [...nodeOptions, ENTRY, ...given], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder },
    // A process group of its own, so that everything it starts can be ended together.
    detached: true,
  });
  const exited = once(child, "exit");
  const interrupt = async (signal: "SIGINT" | "SIGTERM"): Promise<void> => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const [code] = await exited;
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  rmSync(folder, { recursive: true, force: true });
  if (code === 0) return JSON.parse(readFileSync(into, "utf8")) as ScenarioResult;
  print(`\n${name}: not measured, its process ended with ${code}`);
  return undefined;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
