/**
 * The same groups and the same silent ticks for the engine's index and for what others would use in its place.
 */
import { strict as assert } from "node:assert";
import type { LineChart } from "../harness/chart.ts";
import { barsOf } from "../harness/report.ts";
import type { Figure, Scenario, Target } from "../harness/result.ts";
import { median, ratios } from "../harness/statistics.ts";
import { nsPerCall } from "../harness/timing.ts";
import { arrayScan } from "../peer/array-scan.ts";
import { eventEmitter } from "../peer/event-emitter.ts";
import { liveActor } from "../peer/live-actor.ts";
import { orderBook } from "../peer/order-book.ts";
import type { MakePeer, Peer, PeerGroup } from "../peer/peer.ts";
import { priceIndex } from "../peer/price-index.ts";

const SYMBOLS = 600;
const ROUNDS = 5;
const START_PRICE = 10_000;
const TICKS = 1_200;

const peers: readonly { readonly make: MakePeer; readonly groupsMax: number }[] = [
  { make: priceIndex, groupsMax: 1_000_000 },
  { make: arrayScan, groupsMax: 1_000_000 },
  { make: eventEmitter, groupsMax: 1_000_000 },
  { make: orderBook, groupsMax: 100_000 },
  // Four kilobytes each.
  { make: liveActor, groupsMax: 100_000 },
];

export const scenario: Scenario = async ({ isQuick, say }) => {
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  const rounds = new Map<string, Map<number, readonly number[]>>();
  for (const size of sizes) {
    say(`${size} groups`);
    const groups = makeGroups(size);
    const taking = peers.filter(({ groupsMax }) => size <= groupsMax).map(({ make }) => make(groups, START_PRICE));
    for (const [peer, values] of measure(taking, isQuick ? 10 : 150)) {
      const of = rounds.get(peer.name) ?? new Map<number, readonly number[]>();
      rounds.set(peer.name, of.set(size, values));
      assert.equal(peer.firedCount(), 0, `${peer.name} did other work`);
    }
  }
  const compared = isQuick ? 10_000 : 100_000;
  const figures = [...rounds].map(
    ([name, of]): Figure => ({
      name: `${name}, ${compared.toLocaleString("en-US")} groups`,
      unit: "ns",
      rounds: of.get(compared) ?? [],
    }),
  );
  return {
    title: `A silent tick at ${compared.toLocaleString("en-US")} groups of three rows over ${SYMBOLS} symbols, beside peers`,
    figures,
    targets: [timesFaster(figures)],
    charts: [barsOf("A silent tick, the same for all", figures), lines(rounds)],
    notes: [
      "an order book matches orders too; it is here as the nearest thing on npm that holds stop orders",
      "live actors and the order book are left out above 100,000 groups: they take minutes and gigabytes",
    ],
  };
};

/** Nanoseconds a tick of each, all of them once a round, so that what the machine does in a round it does to all. */
function measure(taking: readonly Peer[], atLeastMs: number): Map<Peer, number[]> {
  const runs = taking.map((peer) => ({ peer, run: runnerOf(peer), values: [] as number[] }));
  for (const { run } of runs) nsPerCall(run, atLeastMs);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { run, values } of runs) values.push(nsPerCall(run, atLeastMs));
  }
  return new Map(runs.map(({ peer, values }) => [peer, values]));
}

function runnerOf(peer: Peer): (count: number) => void {
  const symbols = Array.from({ length: TICKS }, (_, index) => `S${index % SYMBOLS}`);
  const prices = Array.from({ length: TICKS }, (_, index) => 9_500 + ((index * 7) % 97) * 5);
  return (count) => {
    for (let done = 0, at = 0; done < count; done += 1) {
      peer.onTick(symbols[at] ?? "", prices[at] ?? 0);
      at = at + 1 === TICKS ? 0 : at + 1;
    }
  };
}

function makeGroups(count: number): PeerGroup[] {
  return Array.from({ length: count }, (_, index) => {
    const step = Math.floor(index / SYMBOLS) % 300;
    return {
      id: index + 1,
      symbol: `S${index % SYMBOLS}`,
      stopLoss: 8_000 - step * 5,
      takeProfits: [11_000 + step * 10, 15_000 + step * 10],
    };
  });
}

function timesFaster(figures: readonly Figure[]): Target {
  const [own, ...others] = figures;
  const book = others.find(({ name }) => name.includes("order-book"));
  return {
    name: "as many ticks as nodejs-order-book in the same time",
    bound: "atLeast",
    limit: 1_000,
    unit: "times",
    rounds: ratios(book?.rounds ?? [], own?.rounds ?? []),
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
