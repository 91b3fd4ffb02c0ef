/**
 * The processor time of an engine for a trigger, from the tick to the settled order: all threads, what is written behind
 * and what the ticks cost that reach nothing included. With `--against <git revision>` another checkout of the project is
 * measured beside this one, in turns, each over a server and a data folder of its own, under the same ticks.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { latenciesOf } from "../../harness/figure/latency.ts";
import { processorMs } from "../../harness/figure/processor.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { sleep } from "../../harness/figure/timing.ts";
import { firingGroup } from "../../harness/load/ticks.ts";
import { type BenchProgram, ROOT, startBenchProgram } from "../../harness/program.ts";
import { World } from "../../harness/world.ts";

const IN_FLIGHT = 128;
const TICKS_PER_SECOND = 10_000;
const TICKS_PER_TRIGGER = 10;
/** Longer than an engine takes to settle what it sent, and to write what it keeps for a while. */
const SETTLED_MS = 8_000;

export const scenario: Scenario = async ({ isQuick, say, against }) => {
  const [seconds, rounds] = isQuick ? [1, 1] : [5, 5];
  const triggers = (seconds * TICKS_PER_SECOND) / TICKS_PER_TRIGGER;
  const other = against === undefined ? undefined : new Checkout(against);
  const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
  const engines: Engine[] = [];
  try {
    const roots = other === undefined ? [ROOT] : [ROOT, other.path];
    // The first round warms up and is left out.
    for (const root of roots) engines.push(await Engine.open(root, triggers * (rounds + 1)));
    for (let round = 0; round <= rounds; round += 1) {
      for (const engine of engines) {
        const microseconds = await engine.fire(publisher, round * triggers, seconds);
        if (round > 0) engine.rounds.push(microseconds);
        say(`${engine.root}: ${microseconds.toFixed(0)} us a trigger`);
      }
    }
    const [own, base] = engines.map(({ rounds: measured }, index): Figure => {
      return { name: index === 0 ? "this checkout" : `${against}`, unit: "us a trigger", rounds: measured };
    });
    if (own === undefined) throw new Error("an engine was measured");
    const figures = base === undefined ? [own] : [own, base];
    return {
      title: `Processor time for a trigger, all threads: ${TICKS_PER_TRIGGER} ticks for each, ${triggers} triggers a round`,
      figures,
      targets: base === undefined ? [] : [againstFloor(`against ${against}`, own, base, "atMost", 0.5)],
      charts: [barsOf("Processor time for a trigger", figures)],
      notes: ["both ran in turns, each over a server and a data folder of its own"],
    };
  } finally {
    for (const engine of engines) await engine.close();
    await publisher.end("SIGKILL");
    other?.remove();
  }
};

/** A revision of the project in a folder of its own, with the packages of this one. */
class Checkout {
  readonly path = join(mkdtempSync(join(tmpdir(), "trading-checkout-")), "project");

  constructor(revision: string) {
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", this.path, revision], { cwd: ROOT });
    symlinkSync(join(ROOT, "node_modules"), join(this.path, "node_modules"));
  }

  remove(): void {
    execFileSync("git", ["worktree", "remove", "--force", this.path], { cwd: ROOT });
    rmSync(join(this.path, ".."), { recursive: true, force: true });
  }
}

/** An engine of a checkout, with groups that wait to fire. */
class Engine {
  readonly root: string;
  readonly rounds: number[] = [];
  readonly #world: World;
  readonly #program: BenchProgram;

  private constructor(root: string, world: World, program: BenchProgram) {
    this.root = root;
    this.#world = world;
    this.#program = program;
  }

  static async open(root: string, groups: number): Promise<Engine> {
    const world = await World.open();
    const program = await world.startEngine({ root });
    await world.writeSymbols();
    await world.createGroups(groups, IN_FLIGHT, firingGroup);
    await sleep(SETTLED_MS);
    return new Engine(root, world, program);
  }

  /** Microseconds of processor time a trigger. */
  async fire(publisher: BenchProgram, firstTrigger: number, seconds: number): Promise<number> {
    const tickCount = seconds * TICKS_PER_SECOND;
    const load = { ticksPerSecond: TICKS_PER_SECOND, tickCount, ticksPerTrigger: TICKS_PER_TRIGGER, firstTrigger };
    // From outside: what a process is asked while it works costs it a timer every millisecond, a quarter of a trigger.
    const beforeMs = processorMs(this.#program.pid);
    const pipeline = { program: this.#program, bus: this.#world.bus, natsUrl: this.#world.server.url };
    await latenciesOf(publisher, pipeline, { kind: "paced", ...load }, false);
    await sleep(SETTLED_MS);
    const spentMs = processorMs(this.#program.pid) - beforeMs;
    return (spentMs * 1_000) / (tickCount / TICKS_PER_TRIGGER);
  }

  close(): Promise<void> {
    return this.#world.close();
  }
}
