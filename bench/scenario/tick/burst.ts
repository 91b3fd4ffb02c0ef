/**
 * Ten thousand rows that one tick reaches: how long until the last of them is durable, and how long the loop stalls
 * until then. Timed inside one process, since only there the moments of durability are known.
 */
import { BareLevel } from "../../harness/bare-level.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { settledMemory } from "../../harness/figure/timing.ts";
import { fireAll, groupOn } from "../../harness/load/burst.ts";
import { OrderRecorder } from "../../harness/load/order-recorder.ts";
import { createGroups, openPartition } from "../../harness/partition.ts";

const ROUNDS = 5;
const IN_FLIGHT = 64;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const groups = isQuick ? 1_000 : 10_000;
  const recorder = new OrderRecorder();
  const opened = await openPartition((store) => recorder.around(store));
  const bare = new BareLevel();
  await bare.open();
  const durable: number[] = [];
  const settled: number[] = [];
  const blocked: number[] = [];
  const chained: number[] = [];
  const array: number[] = [];
  // The first round warms everything up and is left out.
  for (let round = 0; round <= ROUNDS; round += 1) {
    await createGroups(opened.partition, groups, IN_FLIGHT, groupOn(`F${round}`));
    settledMemory();
    const fired = await fireAll(opened, recorder, groups, `F${round}`);
    const chainedMs = await timed(() => bare.write(fired.written));
    const arrayMs = await timed(() => bare.writeArray(fired.written));
    say(`round ${round}: durable after ${fired.durableMs.toFixed(0)} ms, bare write ${chainedMs.toFixed(0)} ms`);
    if (round === 0) continue;
    durable.push(fired.durableMs);
    settled.push(fired.settledMs);
    blocked.push(fired.blockedMs);
    chained.push(chainedMs);
    array.push(arrayMs);
  }
  await bare.close();
  await opened.close();
  const name = `${groups.toLocaleString("en-US")} triggers on one tick`;
  const all: Figure = { name: `${name}: all durable`, unit: "ms", rounds: durable };
  const end: Figure = { name: `${name}: all sent, answered and settled`, unit: "ms", rounds: settled };
  const loop: Figure = { name: "longest block of the loop until then", unit: "ms", rounds: blocked };
  const floor: Figure = { name: "bare synced write of the same bytes, chained batch", unit: "ms", rounds: chained };
  const plain: Figure = { name: "bare synced write of the same bytes, array batch", unit: "ms", rounds: array };
  return {
    title: `${name}, each of another user`,
    figures: [all, end, loop, floor, plain],
    targets: [
      againstFloor("all durable, against the chained batch", all, floor, "atMost", 3),
      againstFloor("all durable, against the array batch", all, plain, "atMost", 3),
      absolute("longest block of the loop", loop, "atMost", 50),
    ],
    charts: [barsOf(name, [all, floor, plain])],
    notes: [
      "the bare write is one batch of all the pairs that the engine wrote until the last trigger was durable",
      "orders of the first triggers leave while the last ones are still decided: that work is in the time too",
    ],
  };
};

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
