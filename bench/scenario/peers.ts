/**
 * The same groups and the same silent ticks for the engine's index and for what others would use in its place.
 */
import type { LineChart } from "../harness/figure/chart.ts";
import { barsOf } from "../harness/figure/report.ts";
import type { Figure, Scenario, Target } from "../harness/figure/result.ts";
import { median, ratios } from "../harness/figure/statistics.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { SYMBOLS } from "../peer/peer.ts";
import type { PeerName, PeerPlan, PeerRun } from "../process/peer.ts";

const ROUNDS = 5;
/** Groups of three rows that make a million. */
const GROUPS_MAX = 333_334;

const peers: readonly { readonly peer: PeerName; readonly groupsMax: number }[] = [
  { peer: "priceIndex", groupsMax: GROUPS_MAX },
  { peer: "arrayScan", groupsMax: GROUPS_MAX },
  { peer: "eventEmitter", groupsMax: GROUPS_MAX },
  { peer: "orderBook", groupsMax: GROUPS_MAX },
  // Four kilobytes each.
  { peer: "liveActor", groupsMax: 100_000 },
];

export const scenario: Scenario = async ({ isQuick, say }) => {
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, GROUPS_MAX];
  const rounds = new Map<string, Map<number, readonly number[]>>();
  for (const size of sizes) {
    say(`${size} groups`);
    const taking = peers.filter(({ groupsMax }) => size <= groupsMax).map(({ peer }) => peer);
    for (const [name, values] of await measure(taking, size, isQuick ? 10 : 150)) {
      const of = rounds.get(name) ?? new Map<number, readonly number[]>();
      rounds.set(name, of.set(size, values));
    }
  }
  const figures = [...rounds].map(([name, of]): Figure => {
    // The largest number that it was measured with.
    const [groups, values] = [...of].at(-1) ?? [0, []];
    return { name: `${name}, ${groups.toLocaleString("en-US")} groups`, unit: "ns", rounds: values };
  });
  return {
    title: `A silent tick over ${SYMBOLS} symbols and groups of three rows, beside peers`,
    figures,
    targets: [timesFaster(figures)],
    charts: [barsOf("A silent tick, each at its largest number of groups", figures), lines(rounds)],
    notes: [
      "each in a process of its own, in turn: one call that all of them share would cost each the others' shapes",
      "an order book matches orders too; it is here as the nearest thing on npm that holds stop orders",
      "live actors are left out above 100,000 groups: they take minutes and gigabytes",
    ],
  };
};

/** Nanoseconds a tick of each, all of them once a round, so that what the machine does in a round it does to all. */
async function measure(taking: readonly PeerName[], groups: number, atLeastMs: number): Promise<Map<string, number[]>> {
  const runs: { readonly program: BenchProgram; readonly name: string; readonly values: number[] }[] = [];
  const programs: BenchProgram[] = [];
  const runOf = (program: BenchProgram): Promise<number> => program.ask<number>({ atLeastMs } satisfies PeerRun);
  try {
    for (const peer of taking) {
      const program = await startBenchProgram({ entry: "bench/process/peer.ts" });
      programs.push(program);
      runs.push({ program, name: await program.ask<string>({ peer, groups } satisfies PeerPlan), values: [] });
    }
    for (const { program } of runs) await runOf(program);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { program, values } of runs) values.push(await runOf(program));
    }
  } finally {
    for (const program of programs) await program.end("SIGKILL");
  }
  return new Map(runs.map(({ name, values }) => [name, values]));
}

function timesFaster(figures: readonly Figure[]): Target {
  const [own, ...others] = figures;
  const book = others.find(({ name }) => name.includes("order-book"));
  if (own === undefined || book === undefined) throw new Error("the price index and the order book were measured");
  return {
    name: "as many ticks as nodejs-order-book in the same time",
    bound: "atLeast",
    limit: 1_000,
    unit: "times",
    rounds: ratios(book.rounds, own.rounds),
    measured: own,
    floor: book,
  };
}

function lines(rounds: ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>): LineChart {
  return {
    kind: "lines",
    title: "A silent tick by number of groups",
    xName: "groups",
    yName: "nanoseconds",
    lines: [...rounds].map(([name, of]) => ({
      name,
      points: [...of].map(([size, values]) => [size, median(values)] as const),
    })),
  };
}
