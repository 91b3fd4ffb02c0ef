/**
 * From the moment a tick is due to the arrival of its order at the brokerage, under a steady load of silent ticks, beside
 * a bare pipeline of the same bus, one synced write and one publish.
 *
 * The publisher is a process of its own that never waits; a latency counts from when the tick was due, so that a publisher
 * that came late hides nothing, and once more from when it was written: its timer is late by half a millisecond or more
 * on both sides, which brings their ratio nearer to one. The brokerage is this process: both pipelines send their orders
 * here.
 */
import { connectNatsBus } from "../../src/bus/nats.ts";
import type { Bus } from "../../src/bus/port.ts";
import { brokerSubject } from "../../src/contract/subject.ts";
import { BROKERAGE } from "../harness/partition.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { barsOf } from "../harness/report.ts";
import { againstFloor, type Figure, type Scenario, type Target } from "../harness/result.ts";
import { quantile } from "../harness/statistics.ts";
import { firingGroup, idleGroup, type PacedPlan, triggerOf } from "../harness/ticks.ts";
import { sleep } from "../harness/timing.ts";
import { startServer, World } from "../harness/world.ts";
import type { BarePipelineOptions } from "../process/bare-pipeline.ts";
import type { PublisherReport } from "../process/publisher.ts";

const ROUNDS = 5;
const IN_FLIGHT = 128;
const ROWS_PER_GROUP = 3;
const TICKS_PER_SECOND = 10_000;
const TICKS_PER_TRIGGER = 10;
const PERCENTILES = [0.5, 0.99, 0.999];
/** Longer than any order takes that is not lost. */
const PATIENCE_MS = 20_000;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const rows = isQuick ? 30_000 : 1_000_000;
  const seconds = isQuick ? 1 : 8;
  const triggers = (seconds * TICKS_PER_SECOND) / TICKS_PER_TRIGGER;
  const firing = triggers * (ROUNDS + 1);
  const world = await World.open();
  const bareServer = await startServer();
  const bareBus = await connectNatsBus({ servers: bareServer.url, name: "brokerage" });
  try {
    const engine = await world.startEngine();
    await world.writeSymbols();
    say(`arms ${rows} rows over NATS`);
    const groups = Math.max(firing, Math.ceil(rows / ROWS_PER_GROUP));
    await world.createGroups(groups, IN_FLIGHT, (index) => (index < firing ? firingGroup(index) : idleGroup(index)));
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const bare = await startBenchProgram({ entry: "bench/process/bare-pipeline.ts" });
    await bare.ask({ natsUrl: bareServer.url, folder: world.folder } satisfies BarePipelineOptions);
    const latencies: { readonly bare: Latencies[]; readonly own: Latencies[] } = { bare: [], own: [] };
    await engine.probe();
    for (let round = 0; round <= ROUNDS; round += 1) {
      const plan = {
        kind: "paced",
        ticksPerSecond: TICKS_PER_SECOND,
        tickCount: seconds * TICKS_PER_SECOND,
        ticksPerTrigger: TICKS_PER_TRIGGER,
        firstTrigger: round * triggers,
      } as const;
      const byBare = await latenciesOf(publisher, bareBus, { ...plan, natsUrl: bareServer.url }, triggers);
      const byEngine = await latenciesOf(publisher, world.bus, { ...plan, natsUrl: world.server.url }, triggers);
      const texts = [byBare, byEngine].map(
        ({ fromDue }) => `${quantile(fromDue, 0.5).toFixed(2)} / ${quantile(fromDue, 0.99).toFixed(2)}`,
      );
      say(`round ${round}: p50 / p99 in ms: bare ${texts[0]}, engine ${texts[1]}`);
      if (round === 0) continue;
      latencies.bare.push(byBare);
      latencies.own.push(byEngine);
    }
    const { loopBlockedMsMax } = await engine.probe();
    await bare.end("SIGKILL");
    const figures = (who: string, of: readonly Latencies[]): Figure[] => [
      ...PERCENTILES.map((share) => figureOf(who, share, of, ({ fromDue }) => fromDue)),
      ...PERCENTILES.map((share) => figureOf(`${who}, from the write`, share, of, ({ fromWritten }) => fromWritten)),
    ];
    const own = figures("engine", latencies.own);
    const floor = figures("bare pipeline", latencies.bare);
    const target = (name: string, at: number, limit: number): Target =>
      againstFloor(name, own[at] as Figure, floor[at] as Figure, "atMost", limit);
    return {
      title: `Tick to order at the brokerage: ${TICKS_PER_SECOND.toLocaleString("en-US")} ticks and ${TICKS_PER_SECOND / TICKS_PER_TRIGGER} triggers a second, ${rows.toLocaleString("en-US")} rows`,
      figures: [
        ...own,
        ...floor,
        { name: "longest block of the engine's loop", unit: "ms", rounds: [loopBlockedMsMax] },
      ],
      targets: [
        target("p50", 0, 1.4),
        target("p99", 1, 2),
        target("p50, from the write", PERCENTILES.length, 1.4),
        target("p99, from the write", PERCENTILES.length + 1, 2),
      ],
      charts: [barsOf("Tick to order", [...own, ...floor])],
      notes: [
        `${triggers.toLocaleString("en-US")} orders a round; every order arrived, none twice`,
        "the engine also settles every order that is answered, and tells its owner, while the next ticks come",
      ],
    };
  } finally {
    await world.close();
    await bareBus.drain();
    await bareServer.stop();
  }
};

/** Milliseconds from each firing tick to its order. */
interface Latencies {
  readonly fromDue: readonly number[];
  readonly fromWritten: readonly number[];
}

/** Throws when an order is missing, comes twice or was not asked for. */
async function latenciesOf(publisher: BenchProgram, bus: Bus, plan: PacedPlan, triggers: number): Promise<Latencies> {
  const arrivals = new Map<number, bigint>();
  const stop = bus.respond(brokerSubject(BROKERAGE, "place"), async ({ data }) => {
    const atNs = process.hrtime.bigint();
    const { quantity } = JSON.parse(Buffer.from(data).toString()) as { quantity: number };
    const trigger = triggerOf(quantity);
    if (arrivals.has(trigger)) throw new Error(`order ${trigger} came twice`);
    arrivals.set(trigger, atNs);
    return Buffer.from(JSON.stringify({ ok: true, data: { orderNo: `B${quantity}`, orderStatus: 2 } }));
  });
  const report = await publisher.ask<PublisherReport>(plan);
  for (let waitedMs = 0; arrivals.size < triggers && waitedMs < PATIENCE_MS; waitedMs += 10) await sleep(10);
  stop();
  if (arrivals.size !== triggers) throw new Error(`${arrivals.size} of ${triggers} orders arrived`);
  const since = (startNsOf: (index: number) => bigint | undefined): number[] =>
    Array.from({ length: triggers }, (_, index) => {
      const atNs = arrivals.get(plan.firstTrigger + index);
      const startNs = startNsOf(index);
      if (atNs === undefined || startNs === undefined)
        throw new Error(`order ${plan.firstTrigger + index} did not come`);
      return Number(atNs - startNs) / 1e6;
    });
  const dueNs = (index: number): bigint => {
    const tick = index * plan.ticksPerTrigger + plan.ticksPerTrigger - 1;
    return report.startNs + BigInt(Math.round((tick * 1e9) / plan.ticksPerSecond));
  };
  return { fromDue: since(dueNs), fromWritten: since((index) => report.triggersWrittenNs[index]) };
}

function figureOf(
  who: string,
  share: number,
  rounds: readonly Latencies[],
  of: (latencies: Latencies) => readonly number[],
): Figure {
  return { name: `${who}, p${share * 100}`, unit: "ms", rounds: rounds.map((round) => quantile(of(round), share)) };
}
