/**
 * What the price history costs an engine for each tick: the processor time of all threads, at 10,000 ticks a second over
 * all symbols, none of which reaches a level. The baseline is the same engine without a history. They take turns, each
 * over a server and a data folder of its own.
 */
import { latenciesOf } from "../../harness/figure/latency.ts";
import { processorMs } from "../../harness/figure/processor.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { sleep } from "../../harness/figure/timing.ts";
import { idleGroup } from "../../harness/load/ticks.ts";
import { type BenchProgram, startBenchProgram } from "../../harness/program.ts";
import { World } from "../../harness/world.ts";

const TICKS_PER_SECOND = 10_000;
const GROUPS = 6_000;
const IN_FLIGHT = 128;
/** Longer than the price history keeps a minute in memory before it is written. */
const SETTLED_MS = 3_000;

interface Contender {
  readonly figure: Figure & { readonly rounds: number[] };
  readonly world: World;
  readonly program: BenchProgram;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [seconds, rounds] = isQuick ? [2, 1] : [15, 7];
  const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
  const contenders: Contender[] = [];
  try {
    for (const [name, days] of [
      ["with bars", "30"],
      ["without bars", "0"],
    ] as const) {
      const world = await World.open();
      const program = await world.startEngine({ settings: { BARS_DAYS: days } });
      await world.writeSymbols();
      await world.createGroups(GROUPS, IN_FLIGHT, idleGroup);
      contenders.push({ figure: { name, unit: "us a tick", rounds: [] }, world, program });
    }
    // The first round warms up and is left out.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { figure, world, program } of contenders) {
        const tickCount = seconds * TICKS_PER_SECOND;
        const load = { ticksPerSecond: TICKS_PER_SECOND, tickCount, ticksPerTrigger: tickCount + 1, firstTrigger: 0 };
        const pipeline = { program, bus: world.bus, natsUrl: world.server.url };
        const beforeMs = processorMs(program.pid);
        await latenciesOf(publisher, pipeline, { kind: "paced", ...load }, false);
        await sleep(SETTLED_MS);
        const microseconds = ((processorMs(program.pid) - beforeMs) * 1_000) / tickCount;
        if (round > 0) figure.rounds.push(microseconds);
        say(`${figure.name}: ${microseconds.toFixed(2)} us a tick`);
      }
    }
    const [own, base] = contenders.map(({ figure }) => figure);
    if (own === undefined || base === undefined) throw new Error("two engines were measured");
    return {
      title: `Processor time for a tick that reaches nothing, all threads, at ${TICKS_PER_SECOND} ticks a second`,
      figures: [own, base],
      targets: [againstFloor("with bars against without", own, base, "atMost", 1.03)],
      charts: [barsOf("Processor time for a tick", [own, base])],
      notes: [`600 symbols, ${GROUPS} groups; both ran in turns, each over a server and a data folder of its own`],
    };
  } finally {
    for (const { world, program } of contenders) {
      await program.end("SIGKILL");
      await world.close();
    }
    await publisher.end("SIGKILL");
  }
};
