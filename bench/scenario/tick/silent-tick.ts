/**
 * The cost of a tick that reaches nothing for the engine, and the memory of an armed row.
 *
 * The whole way of a tick inside the engine is timed, from the bytes of the message to the decision that nothing is to
 * be done: reading, judging, the due deadlines, the price index.
 */

import { barsOf } from "../../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { nsPerCall, settledMemory } from "../../harness/figure/timing.ts";
import { SYMBOLS, symbolOf } from "../../harness/load/owned-group.ts";
import { silentTicks } from "../../harness/load/tick-runner.ts";
import { openPartition } from "../../harness/partition.ts";

const SMALL = 10_000;
const LARGE = 4_000_000;
const ROUNDS = 9;

interface Subject {
  readonly run: (count: number) => void;
  readonly indexBytesPerRow: number;
  readonly residentBytesPerRow: number;
  readonly close: () => Promise<void>;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const large = isQuick ? 100_000 : LARGE;
  say(`arms ${SMALL} and ${large} rows`);
  const small = await armedSubject(SMALL);
  const big = await armedSubject(large);
  const atLeastMs = isQuick ? 20 : 400;
  for (const subject of [small, big, small, big]) nsPerCall(subject.run, atLeastMs);
  const smallNs: number[] = [];
  const bigNs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    smallNs.push(nsPerCall(small.run, atLeastMs));
    bigNs.push(nsPerCall(big.run, atLeastMs));
  }
  for (const { close } of [small, big]) await close();
  const few: Figure = { name: `a silent tick at ${SMALL.toLocaleString("en-US")} rows`, unit: "ns", rounds: smallNs };
  const many: Figure = { name: `a silent tick at ${large.toLocaleString("en-US")} rows`, unit: "ns", rounds: bigNs };
  const index: Figure = { name: "a row in the price index", unit: "bytes", rounds: [big.indexBytesPerRow] };
  const resident: Figure = { name: "a row, resident in the process", unit: "bytes", rounds: [big.residentBytesPerRow] };
  return {
    title: "A tick that reaches nothing, from message bytes to the decision; memory of an armed row",
    figures: [few, many, index, resident],
    targets: [
      againstFloor("cost with many rows against cost with few", many, few, "atMost", 1.15),
      absolute("a row in the price index", index, "atMost", 24),
      absolute("a row, resident", resident, "atMost", 32),
    ],
    charts: [barsOf("A silent tick inside the engine", [few, many])],
    notes: [`${SYMBOLS} symbols; both subjects live in one process and take turns, ${ROUNDS} rounds`],
  };
};

async function armedSubject(rows: number): Promise<Subject> {
  const { partition, close } = await openPartition();
  const before = settledMemory();
  for (let row = 0; row < rows; row += 1) {
    const symbol = symbolOf(row);
    const step = Math.floor(row / SYMBOLS) % 900;
    // A third stop-losses, two thirds take-profits, as in a group of three rows.
    const watch = row % 3;
    const level = watch === 0 ? 8_000 - step * 5 : 12_000 + step * 10;
    partition.watchbook.arm(1 + Math.floor(row / 3), { watch, symbol, side: watch === 0 ? "below" : "above", level });
  }
  const after = settledMemory();
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return {
    run: silentTicks((tick) => partition.onTick(tick)),
    indexBytesPerRow: partition.watchbook.prices.bytes / rows,
    residentBytesPerRow: Math.max(after.rss - before.rss, grown) / rows,
    close,
  };
}
