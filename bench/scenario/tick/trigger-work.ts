/**
 * The processor time of an engine for a trigger, from the tick to the settled order. It includes all threads, the
 * writes behind the log and the ticks that reach nothing. The baseline is the bare pipeline, which only reads ticks,
 * syncs as many bytes and publishes the order; with `--against <git revision>` another checkout of the project is
 * measured, too. They take turns, under the same ticks. Each round starts all of them again, each over a server and a data
 * folder of its own: two processes of one program differ by more than their rounds do.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { latenciesOf, type Pipeline } from "../../harness/figure/latency.ts";
import { processorMs } from "../../harness/figure/processor.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { sleep } from "../../harness/figure/timing.ts";
import { firingGroup } from "../../harness/load/ticks.ts";
import { type BenchProgram, ROOT, startBenchProgram } from "../../harness/program.ts";
import { World } from "../../harness/world.ts";
import type { BarePipelineOptions } from "../../process/bare-pipeline.ts";

/** How far the medians of two measurements of one program differ. */
const NOISE = 1.1;
const IN_FLIGHT = 128;
const TICKS_PER_SECOND = 10_000;
const TICKS_PER_TRIGGER = 10;
/** Longer than an engine takes to settle its sent orders, and to write the rows that it holds back for a while. */
const SETTLED_MS = 8_000;

export const scenario: Scenario = async ({ isQuick, say, against }) => {
  const [seconds, rounds] = isQuick ? [1, 1] : [5, 5];
  const triggers = (seconds * TICKS_PER_SECOND) / TICKS_PER_TRIGGER;
  const other = against === undefined ? undefined : new Checkout(against);
  const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
  // The first triggers of a process warm it up and are left out.
  const groups = 2 * triggers;
  const contenders: readonly Measured[] = [
    { name: "this checkout", rounds: [], start: () => Contender.engine(ROOT, groups) },
    { name: "bare pipeline", rounds: [], start: () => Contender.barePipeline() },
    ...(other === undefined
      ? []
      : [{ name: `${against}`, rounds: [], start: () => Contender.engine(other.path, groups) }]),
  ];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, rounds: measured, start } of contenders) {
        const contender = await start();
        try {
          await contender.fire(publisher, 0, seconds);
          const microseconds = await contender.fire(publisher, triggers, seconds);
          measured.push(microseconds);
          say(`${name}: ${microseconds.toFixed(0)} us a trigger`);
        } finally {
          await contender.close();
        }
      }
    }
    const figures = contenders.map(({ name, rounds: measured }): Figure => {
      return { name, unit: "us a trigger", rounds: measured };
    });
    const [own, bare, base] = figures;
    if (own === undefined || bare === undefined) throw new Error("an engine and the bare pipeline were measured");
    return {
      title: `Processor time for a trigger, all threads: ${TICKS_PER_TRIGGER} ticks for each, ${triggers} triggers a round`,
      figures,
      targets: [
        againstFloor("against the bare pipeline", own, bare, "atMost", 1.75),
        ...(base === undefined ? [] : [againstFloor(`against ${against}`, own, base, "atMost", NOISE)]),
      ],
      charts: [barsOf("Processor time for a trigger", figures)],
      notes: ["all ran in turns; each round is a new process over a server and a data folder of its own"],
    };
  } finally {
    await publisher.end("SIGKILL");
    other?.remove();
  }
};

interface Measured {
  readonly name: string;
  readonly rounds: number[];
  readonly start: () => Promise<Contender>;
}

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

/** An engine of a checkout with groups that wait to fire, or the bare pipeline. */
class Contender {
  readonly #world: World;
  readonly #pipeline: Pipeline;

  private constructor(world: World, program: BenchProgram) {
    this.#world = world;
    this.#pipeline = { program, bus: world.bus, natsUrl: world.server.url };
  }

  static async engine(root: string, groups: number): Promise<Contender> {
    const world = await World.open();
    const program = await world.startEngine({ root });
    await world.writeSymbols();
    await world.createGroups(groups, IN_FLIGHT, firingGroup);
    await sleep(SETTLED_MS);
    return new Contender(world, program);
  }

  static async barePipeline(): Promise<Contender> {
    const world = await World.open();
    const program = await startBenchProgram({ entry: "bench/process/bare-pipeline.ts" });
    await program.ask({ natsUrl: world.server.url, folder: world.folder } satisfies BarePipelineOptions);
    return new Contender(world, program);
  }

  /** Microseconds of processor time a trigger. */
  async fire(publisher: BenchProgram, firstTrigger: number, seconds: number): Promise<number> {
    const { program } = this.#pipeline;
    const tickCount = seconds * TICKS_PER_SECOND;
    const load = { ticksPerSecond: TICKS_PER_SECOND, tickCount, ticksPerTrigger: TICKS_PER_TRIGGER, firstTrigger };
    // From outside: a question to a working process costs it a timer every millisecond, a quarter of a trigger.
    const beforeMs = processorMs(program.pid);
    await latenciesOf(publisher, this.#pipeline, { kind: "paced", ...load }, false);
    await sleep(SETTLED_MS);
    const spentMs = processorMs(program.pid) - beforeMs;
    return (spentMs * 1_000) / (tickCount / TICKS_PER_TRIGGER);
  }

  async close(): Promise<void> {
    await this.#pipeline.program.end("SIGKILL");
    await this.#world.close();
  }
}
