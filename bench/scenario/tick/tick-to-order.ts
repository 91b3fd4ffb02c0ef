/**
 * From the moment a tick is due to the arrival of its order at the brokerage, under a steady load of silent ticks. The
 * baseline is a bare pipeline of the same bus, one synced write and one publish.
 *
 * The publisher is a process of its own that never waits. A latency counts from when the tick was due, so that a
 * publisher that came late hides nothing, and once more from when it was written. The publisher's timer is late by half
 * a millisecond or more on both sides, which brings their ratio nearer to one. The brokerage is this process: both
 * pipelines send their orders here. After the promised rate, other rates of ticks follow, with the moment at which an
 * order is durable.
 */
import { connectNatsBus } from "../../../src/bus/nats/bus.ts";
import {
  type Latencies,
  latenciesOf,
  PERCENTILES,
  type Pipeline,
  percentilesOf,
} from "../../harness/figure/latency.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario, type Target } from "../../harness/figure/result.ts";
import { median, quantile } from "../../harness/figure/statistics.ts";
import { firingGroup, idleGroup } from "../../harness/load/ticks.ts";
import { type BenchProgram, startBenchProgram } from "../../harness/program.ts";
import { startServer, World } from "../../harness/world.ts";
import type { BarePipelineOptions } from "../../process/bare-pipeline.ts";

const IN_FLIGHT = 128;
const ROWS_PER_GROUP = 3;
const DURABLE_MOMENTS = "./bench/process/durable-moments.ts";

/** A rate of ticks, one in `ticksPerTrigger` of which reaches a group. */
interface Load {
  readonly ticksPerSecond: number;
  readonly ticksPerTrigger: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** The load of the promise. */
const MAIN: Load = { ticksPerSecond: 10_000, ticksPerTrigger: 10, seconds: 8, rounds: 5 };
const OTHERS: readonly Load[] = [
  { ticksPerSecond: 1_000, ticksPerTrigger: 10, seconds: 4, rounds: 3 },
  { ticksPerSecond: 10_000, ticksPerTrigger: 10, seconds: 4, rounds: 3 },
  { ticksPerSecond: 100_000, ticksPerTrigger: 100, seconds: 4, rounds: 3 },
];

/** The latencies of both pipelines in one round. */
interface Round {
  readonly bare: Latencies;
  readonly own: Latencies;
}

/** The latencies of both pipelines, round by round. */
interface Measured {
  readonly bare: Latencies[];
  readonly own: Latencies[];
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const rows = isQuick ? 30_000 : 1_000_000;
  const [main, ...others] = [MAIN, ...OTHERS].map((load) => (isQuick ? { ...load, seconds: 1, rounds: 1 } : load));
  if (main === undefined) throw new Error("there is a load");
  const firing = triggersOf(main) + [main, ...others].reduce((sum, load) => sum + load.rounds * triggersOf(load), 0);
  const world = await World.open();
  const bareServer = await startServer();
  const bareBus = await connectNatsBus({ servers: bareServer.url, name: "brokerage" });
  try {
    const engine = await world.startEngine({ preloads: [DURABLE_MOMENTS] });
    await world.writeSymbols();
    say(`arms ${rows} rows over NATS`);
    const groups = Math.max(firing, Math.ceil(rows / ROWS_PER_GROUP));
    await world.createGroups(groups, IN_FLIGHT, (index) => (index < firing ? firingGroup(index) : idleGroup(index)));
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const bare = await startBenchProgram({ entry: "bench/process/bare-pipeline.ts", preloads: [DURABLE_MOMENTS] });
    await bare.ask({ natsUrl: bareServer.url, folder: world.folder } satisfies BarePipelineOptions);
    const run = new Run(publisher, {
      bare: { program: bare, bus: bareBus, natsUrl: bareServer.url },
      own: { program: engine, bus: world.bus, natsUrl: world.server.url },
    });
    await engine.probe();
    say(`warms up: ${await run.round(main, false).then(inWords)}`);
    const measured = await run.rounds(main, false, (latencies) => say(inWords(latencies)));
    const { loopBlockedMsMax } = await engine.probe();
    const byRate: { readonly load: Load; readonly measured: Measured }[] = [];
    for (const load of others) {
      byRate.push({ load, measured: await run.rounds(load, true) });
      say(`${load.ticksPerSecond} ticks a second are measured`);
    }
    await bare.end("SIGKILL");
    const own = mainFigures("engine", measured.own);
    const floor = mainFigures("bare pipeline", measured.bare);
    const target = (name: string, at: number, limit: number): Target =>
      againstFloor(name, own[at] as Figure, floor[at] as Figure, "atMost", limit);
    return {
      title: `Tick to order at the brokerage: ${main.ticksPerSecond.toLocaleString("en-US")} ticks and ${main.ticksPerSecond / main.ticksPerTrigger} triggers a second, ${rows.toLocaleString("en-US")} rows`,
      figures: [
        ...own,
        ...floor,
        { name: "longest block of the engine's loop", unit: "ms", rounds: [loopBlockedMsMax] },
        ...byRate.flatMap(({ load, measured: { own: mine } }) => rateFigures("engine", load, mine)),
        ...byRate.flatMap(({ load, measured: { bare: bares } }) => rateFigures("bare pipeline", load, bares)),
      ],
      targets: [
        target("p50", 0, 1.4),
        target("p99", 1, 2),
        target("p50, from the write", PERCENTILES.length, 1.4),
        target("p99, from the write", PERCENTILES.length + 1, 2),
      ],
      charts: [
        barsOf("Tick to order", [...own, ...floor]),
        {
          kind: "lines",
          title: "Tick to order, from the write, by rate",
          xName: "ticks a second",
          yName: "ms",
          lines: PERCENTILES.flatMap((share) => [
            { name: `engine, p${share * 100}`, points: pointsOf(byRate, share, ({ own: mine }) => mine) },
            { name: `bare, p${share * 100}`, points: pointsOf(byRate, share, ({ bare: bares }) => bares) },
          ]),
        },
      ],
      notes: [
        `${triggersOf(main).toLocaleString("en-US")} orders a round; every order arrived, none twice`,
        "the engine also settles every order that is answered, and tells its owner, while the next ticks come",
        "by rate: a thousand triggers a second at most, from the write; that it is noted what is durable is in the time",
      ],
    };
  } finally {
    await world.close();
    await bareBus.drain();
    await bareServer.stop();
  }
};

function triggersOf({ ticksPerSecond, ticksPerTrigger, seconds }: Load): number {
  return (seconds * ticksPerSecond) / ticksPerTrigger;
}

/** Both pipelines in turns, each group fired once. */
class Run {
  readonly #publisher: BenchProgram;
  readonly #pipelines: { readonly bare: Pipeline; readonly own: Pipeline };
  #firstTrigger = 0;

  constructor(publisher: BenchProgram, pipelines: { readonly bare: Pipeline; readonly own: Pipeline }) {
    this.#publisher = publisher;
    this.#pipelines = pipelines;
  }

  async round(load: Load, isDurableNoted: boolean): Promise<Round> {
    const { ticksPerSecond, ticksPerTrigger, seconds } = load;
    const tickCount = seconds * ticksPerSecond;
    const plan = {
      kind: "paced",
      ticksPerSecond,
      tickCount,
      ticksPerTrigger,
      firstTrigger: this.#firstTrigger,
    } as const;
    this.#firstTrigger += triggersOf(load);
    const bare = await latenciesOf(this.#publisher, this.#pipelines.bare, plan, isDurableNoted);
    return { bare, own: await latenciesOf(this.#publisher, this.#pipelines.own, plan, isDurableNoted) };
  }

  async rounds(
    load: Load,
    isDurableNoted: boolean,
    onRound: (round: Round) => void = () => undefined,
  ): Promise<Measured> {
    const measured: Measured = { bare: [], own: [] };
    for (let round = 0; round < load.rounds; round += 1) {
      const latencies = await this.round(load, isDurableNoted);
      onRound(latencies);
      measured.bare.push(latencies.bare);
      measured.own.push(latencies.own);
    }
    return measured;
  }
}

function inWords({ bare, own }: Round): string {
  const [byBare, byEngine] = [bare, own].map(
    ({ fromDue }) => `${quantile(fromDue, 0.5).toFixed(2)} / ${quantile(fromDue, 0.99).toFixed(2)}`,
  );
  return `p50 / p99 in ms: bare ${byBare}, engine ${byEngine}`;
}

/** By percentile: from when a tick was due, then from when it was written. */
function mainFigures(who: string, rounds: readonly Latencies[]): Figure[] {
  return [
    ...percentilesOf(who, rounds, ({ fromDue }) => fromDue),
    ...percentilesOf(`${who}, from the write`, rounds, ({ fromWritten }) => fromWritten),
  ];
}

function rateFigures(who: string, { ticksPerSecond }: Load, rounds: readonly Latencies[]): Figure[] {
  const name = `${who}, ${ticksPerSecond.toLocaleString("en-US")} ticks/s`;
  return [
    ...percentilesOf(`${name}, durable`, rounds, ({ durable }) => durable),
    ...percentilesOf(`${name}, order`, rounds, ({ fromWritten }) => fromWritten),
  ];
}

function pointsOf(
  byRate: readonly { readonly load: Load; readonly measured: Measured }[],
  share: number,
  of: (measured: Measured) => readonly Latencies[],
): [number, number][] {
  return byRate.map(({ load, measured }) => [
    load.ticksPerSecond,
    median(of(measured).map(({ fromWritten }) => quantile(fromWritten, share))),
  ]);
}
