/**
 * Ticks of one symbol on which 1,000 groups have a stop-loss that trails, compared with the same groups with a fixed
 * one.
 *
 * Silent ticks lie between the stop-losses and the high, and are timed like the ticks of `silent-tick`. Each new high
 * raises every stop-loss. They come one at a time, each once no group can be fired by the one before; and all together,
 * until the writes of all raises are on disk. Such a tick moves no fixed stop-loss.
 */
import { livePrice } from "../../../src/domain/price/price.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { nsPerCall, sleep } from "../../harness/figure/timing.ts";
import type { OwnedGroup } from "../../harness/load/owned-group.ts";
import { intakeOf, tickMessage } from "../../harness/load/tick-runner.ts";
import { createGroups, type OpenedPartition, openPartition } from "../../harness/partition.ts";

const GROUPS = 1_000;
const ROUNDS = 5;
const SYMBOL = "S0";
const IN_FLIGHT = 64;
const FIRST_HIGH = 1_000;
/** A raise of a stop-loss by one step of the tick table. */
const STEP = 1;

const group = (index: number, trails: boolean): OwnedGroup => ({
  userId: index + 1,
  body: {
    symbol: SYMBOL,
    stopLossPrice: 500,
    stopLossQuantity: 10,
    takeProfitItems: [
      { price: 900_000, quantity: 5 },
      { price: 950_000, quantity: 5 },
    ],
    ...(trails && { stopLossTrailing: { distance: 100, confirmTicks: 1 } }),
  },
});

async function subjectOf(trails: boolean) {
  const opened = await openPartition();
  const { partition } = opened;
  await createGroups(partition, GROUPS, IN_FLIGHT, (index) => group(index, trails));
  let high = FIRST_HIGH;
  const give = (value: number): void => {
    const price = livePrice(value);
    if (price === undefined) throw new Error(`${value} is a price`);
    partition.onTick({ symbol: SYMBOL, price, timeMs: Date.now(), isCaughtUp: false });
  };
  /** New highs a second; if they come together, with the writes of their raises. */
  const raise = async (count: number, isOneByOne: boolean): Promise<number> => {
    const startMs = performance.now();
    for (let done = 0; done < count; done += 1) {
      high += STEP;
      give(high);
      while (isOneByOne && !isPassed(opened)) await new Promise(setImmediate);
    }
    const passedMs = performance.now() - startMs;
    while (!partition.walk.isIdle || partition.journal.isDirty) await new Promise(setImmediate);
    return (count / (isOneByOne ? passedMs : performance.now() - startMs)) * 1_000;
  };
  const take = intakeOf((tick) => partition.onTick(tick));
  const silent = (count: number): void => {
    const nowMs = Date.now();
    const messages = Array.from({ length: 50 }, (_, index) => tickMessage(SYMBOL, high - index));
    for (let done = 0; done < count; done += 1) {
      const message = messages[done % messages.length];
      if (message !== undefined) take(message, nowMs);
    }
  };
  await raise(3, true);
  return { raise, silent, close: opened.close };
}

/** Whether no group waits for a tick except groups that it only raises. */
function isPassed({ partition }: OpenedPartition): boolean {
  return partition.walk.isCurrent && partition.inbox.isIdle;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  say(`makes ${GROUPS} groups twice`);
  const trailing = await subjectOf(true);
  const fixed = await subjectOf(false);
  const atLeastMs = isQuick ? 20 : 400;
  const highs = isQuick ? 5 : 20;
  const flood = isQuick ? 200 : 10_000;
  const rounds: Record<"silent" | "silentFixed" | "single" | "flood" | "fixed", number[]> = {
    ...{ silent: [], silentFixed: [], single: [], flood: [], fixed: [] },
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const silent = 1e9 / nsPerCall(trailing.silent, atLeastMs);
    const silentFixed = 1e9 / nsPerCall(fixed.silent, atLeastMs);
    const single = await trailing.raise(highs, true);
    const flooded = await trailing.raise(flood, false);
    const unmoved = await fixed.raise(flood, false);
    say(
      `round ${round}: ${[silent, silentFixed, single, flooded, unmoved].map((rate) => rate.toFixed(0)).join(", ")} a second`,
    );
    // No write of a round is left for the next.
    await sleep(isQuick ? 10 : 500);
    if (round === 0) continue;
    rounds.silent.push(silent);
    rounds.silentFixed.push(silentFixed);
    rounds.single.push(single);
    rounds.flood.push(flooded);
    rounds.fixed.push(unmoved);
  }
  await trailing.close();
  await fixed.close();
  const figure = (name: string, values: readonly number[]): Figure => ({ name, unit: "/s", rounds: values });
  const silent = figure(`silent ticks, ${GROUPS} groups that trail`, rounds.silent);
  const silentFixed = figure(`silent ticks, ${GROUPS} groups with a fixed stop-loss`, rounds.silentFixed);
  const single = figure(`new highs one at a time, each raises ${GROUPS} stop-losses`, rounds.single);
  const flooded = figure(`${flood} new highs at once`, rounds.flood);
  const unmoved = figure(`the same ticks, ${GROUPS} groups with a fixed stop-loss`, rounds.fixed);
  return {
    title: "Ticks of a symbol whose stop-losses trail",
    figures: [silent, silentFixed, single, flooded, unmoved],
    targets: [againstFloor("silent ticks, against fixed stop-losses", silent, silentFixed, "atLeast", 0.5)],
    charts: [barsOf("Silent ticks a second", [silent, silentFixed]), barsOf("New highs a second", [flooded, unmoved])],
    notes: [
      `both subjects live in one process and take turns, ${ROUNDS} rounds`,
      "raises are stepped and written in rounds of a second, which the figure of new highs at once contains",
    ],
  };
};
