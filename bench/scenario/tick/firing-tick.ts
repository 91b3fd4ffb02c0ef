/**
 * The cost of a tick by the number of waiting groups: a tick that reaches nothing, and a tick that reaches a single
 * group, until the engine has decided and until the order is durable. In this process, over a real store, one firing
 * tick at a time.
 */
import { performance } from "node:perf_hooks";
import { BareLevel } from "../../harness/bare-level.ts";
import type { Figure, Scenario } from "../../harness/figure/result.ts";
import { median } from "../../harness/figure/statistics.ts";
import { nsPerCall, sleep } from "../../harness/figure/timing.ts";
import { OrderRecorder } from "../../harness/load/order-recorder.ts";
import { symbolOf } from "../../harness/load/owned-group.ts";
import { intakeOf, silentTicks, tickMessage } from "../../harness/load/tick-runner.ts";
import { firingGroup, firingPrice, idleGroup } from "../../harness/load/ticks.ts";
import { createGroups, type OpenedPartition, openPartition } from "../../harness/partition.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const QUICK_SIZES = [1_000, 3_000];
const ROUNDS = 5;
/** With the round that warms up they are fewer than the smallest size. */
const FIRED_A_ROUND = 100;
/** Before the first size: a chart that was stepped only a hundred times is ten times as slow as one in use. */
const FIRED_TO_WARM_UP = 4_000;
const QUICK_FIRED_TO_WARM_UP = 100;
const IN_FLIGHT = 64;

/** One round at one size: medians of its ticks. */
interface Round {
  readonly silentNs: number;
  readonly decidedUs: number;
  readonly durableUs: number;
  readonly bareUs: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const recorder = new OrderRecorder();
  const opened = await openPartition((store) => recorder.around(store));
  const bare = new BareLevel();
  await bare.open();
  const figures: Figure[] = [];
  const lines = {
    silent: [] as [number, number][],
    decided: [] as [number, number][],
    durable: [] as [number, number][],
  };
  const toWarmUp = isQuick ? QUICK_FIRED_TO_WARM_UP : FIRED_TO_WARM_UP;
  await createGroups(opened.partition, toWarmUp, IN_FLIGHT, firingGroup);
  await fireEach(opened, recorder, bare, { first: 0, count: toWarmUp });
  let fired = toWarmUp;
  let idle = toWarmUp + SIZES.length * (ROUNDS + 1) * FIRED_A_ROUND;
  let waiting = 0;
  for (const size of isQuick ? QUICK_SIZES : SIZES) {
    const firing = (ROUNDS + 1) * FIRED_A_ROUND;
    await createGroups(opened.partition, firing, IN_FLIGHT, (index) => firingGroup(fired + index));
    const added = size - waiting - firing;
    await createGroups(opened.partition, added, IN_FLIGHT, (index) => idleGroup(idle + index));
    idle += added;
    const rounds: Round[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const silentNs = nsPerCall(
        silentTicks((tick) => opened.partition.onTick(tick)),
        isQuick ? 10 : 200,
      );
      const fires = await fireEach(opened, recorder, bare, { first: fired, count: FIRED_A_ROUND });
      fired += FIRED_A_ROUND;
      if (round > 0) rounds.push({ silentNs, ...fires });
    }
    waiting = size - firing;
    const [last] = rounds.slice(-1);
    say(`${size} groups: decided in ${last?.decidedUs.toFixed(0)} us, durable in ${last?.durableUs.toFixed(0)} us`);
    const figure = (name: string, unit: string, of: (round: Round) => number): Figure => ({
      name: `${name} at ${size.toLocaleString("en-US")} groups`,
      unit,
      rounds: rounds.map(of),
    });
    const silent = figure("a silent tick", "ns", ({ silentNs }) => silentNs);
    const decided = figure("a firing tick: decided", "us", ({ decidedUs }) => decidedUs);
    const durable = figure("a firing tick: its order durable", "us", ({ durableUs }) => durableUs);
    figures.push(
      silent,
      decided,
      durable,
      figure("bare synced write of the same bytes", "us", ({ bareUs }) => bareUs),
    );
    lines.silent.push([size, median(silent.rounds) / 1_000]);
    lines.decided.push([size, median(decided.rounds)]);
    lines.durable.push([size, median(durable.rounds)]);
  }
  await bare.close();
  await opened.close();
  return {
    title: "A tick by the number of groups that wait, from message bytes on",
    figures,
    targets: [],
    charts: [
      {
        kind: "lines",
        title: "A tick by the number of groups",
        xName: "groups",
        yName: "us",
        lines: Object.entries(lines).map(([name, points]) => ({ name, points })),
      },
    ],
    notes: [
      "groups of three rows over 600 symbols, each made by the engine's own command",
      "firing ticks come one by one, each when the one before is settled: what they wait for is the store, not each other",
    ],
  };
};

/** Fires groups one by one, each once the one before is settled, with a bare write of the same bytes after each. */
async function fireEach(
  { partition }: OpenedPartition,
  recorder: OrderRecorder,
  bare: BareLevel,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<Omit<Round, "silentNs">> {
  const take = intakeOf((tick) => partition.onTick(tick));
  const decidedUs: number[] = [];
  const durableUs: number[] = [];
  const bareUs: number[] = [];
  for (let trigger = first; trigger < first + count; trigger += 1) {
    const message = tickMessage(symbolOf(trigger), firingPrice(trigger));
    const placedBefore = partition.outbox.stats().placedCount;
    const isDurable = recorder.orders(1);
    const startMs = performance.now();
    take(message, Date.now());
    decidedUs.push((performance.now() - startMs) * 1_000);
    await isDurable;
    durableUs.push((performance.now() - startMs) * 1_000);
    while (partition.outbox.stats().placedCount === placedBefore) await sleep(1);
    const bareMs = performance.now();
    await bare.write(recorder.written);
    bareUs.push((performance.now() - bareMs) * 1_000);
  }
  return { decidedUs: median(decidedUs), durableUs: median(durableUs), bareUs: median(bareUs) };
}
