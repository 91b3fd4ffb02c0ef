/**
 * Ticks of symbols whose stop-losses trail.
 *
 * Many groups over `SYMBOLS` symbols, all with a stop-loss that trails, beside as many with a fixed one. Silent ticks lie
 * between the stop-losses and the high, and are timed like those of `silent-tick`. Then the price of a symbol with ten
 * groups, and of one with 1,000, walks upwards: each tick that makes a new high is timed by itself, and what is stepped
 * meanwhile is counted, slowly and ten times as fast. Beside it a plain loop over the rows of such a symbol, which keeps
 * the high of each and looks for one that is to be sold.
 */
import { livePrice } from "../../../src/domain/price/price.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { median } from "../../harness/figure/statistics.ts";
import { nsPerCall, sleep } from "../../harness/figure/timing.ts";
import { type OwnedGroup, SYMBOLS } from "../../harness/load/owned-group.ts";
import { intakeOf, tickMessage } from "../../harness/load/tick-runner.ts";
import { createGroups, openPartition } from "../../harness/partition.ts";

const ROUNDS = 5;
const IN_FLIGHT = 64;
const FIRST_HIGH = 1_000;
/** Under a high at which the tick table has steps of 1. */
const DISTANCE = 100;
const FEW = { symbol: "FEW", groups: 10 };
const MANY = { symbol: "MANY", groups: 1_000 };
/** Ticks between two turns of the loop, in which raises are given. */
const TICKS_A_TURN = 10;

const group = (index: number, symbol: string, trails: boolean): OwnedGroup => ({
  userId: index + 1,
  body: {
    symbol,
    stopLossPrice: 500,
    stopLossQuantity: 10,
    takeProfitItems: [
      { price: 9_000_000, quantity: 5 },
      { price: 9_500_000, quantity: 5 },
    ],
    ...(trails && { stopLossTrailing: { distance: DISTANCE, confirmTicks: 1 } }),
  },
});

async function subjectOf(trails: boolean, others: number) {
  const { partition, close } = await openPartition();
  const symbolAt = (index: number): string => {
    if (index < FEW.groups) return FEW.symbol;
    return index < FEW.groups + MANY.groups ? MANY.symbol : `S${index % SYMBOLS}`;
  };
  await createGroups(partition, FEW.groups + MANY.groups + others, IN_FLIGHT, (index) =>
    group(index, symbolAt(index), trails),
  );
  let stepped = 0;
  const { host } = partition;
  const { deliverTicks } = host;
  host.deliverTicks = (...given) => {
    stepped += 1;
    deliverTicks.apply(host, given);
  };
  const highs = new Map<string, number>();
  const tickOf = (symbol: string) => {
    const high = (highs.get(symbol) ?? FIRST_HIGH) + 1;
    highs.set(symbol, high);
    const price = livePrice(high);
    if (price === undefined) throw new Error(`${high} is a price`);
    return { symbol, price, timeMs: Date.now(), isCaughtUp: false };
  };
  /** Nanoseconds of each of `count` new highs, `perMs` of them a millisecond, and how many groups were stepped. */
  const walk = async (symbol: string, count: number, perMs: number) => {
    const tookNs: number[] = [];
    const steppedBefore = stepped;
    const startMs = performance.now();
    for (let done = 0; done < count; done += 1) {
      const tick = tickOf(symbol);
      const start = process.hrtime.bigint();
      partition.onTick(tick);
      tookNs.push(Number(process.hrtime.bigint() - start));
      const isTurn = done % TICKS_A_TURN === TICKS_A_TURN - 1;
      while (isTurn && performance.now() < startMs + done / perMs) await new Promise(setImmediate);
    }
    return { ns: median(tookNs), stepped: stepped - steppedBefore };
  };
  const take = intakeOf((tick) => partition.onTick(tick));
  const silent = (count: number): void => {
    const nowMs = Date.now();
    const high = highs.get(FEW.symbol) ?? FIRST_HIGH;
    const messages = Array.from({ length: 50 }, (_, index) => tickMessage(FEW.symbol, high - index));
    for (let done = 0; done < count; done += 1) {
      const message = messages[done % messages.length];
      if (message !== undefined) take(message, nowMs);
    }
  };
  const settle = async (): Promise<void> => {
    while (!partition.walk.isIdle || partition.journal.isDirty) await sleep(10);
  };
  return { walk, silent, settle, close };
}

/** What a tick costs that looks at each row of its symbol; nanoseconds. */
function plainLoop(rows: number, atLeastMs: number): number {
  const highs = new Float64Array(rows).fill(FIRST_HIGH);
  let price = FIRST_HIGH;
  let sold = 0;
  const ns = nsPerCall((count) => {
    for (let done = 0; done < count; done += 1) {
      price += 1;
      for (let row = 0; row < rows; row += 1) {
        const high = highs[row] ?? 0;
        if (price > high) highs[row] = price;
        else if (price <= high - DISTANCE) sold += 1;
      }
    }
  }, atLeastMs);
  if (sold > 0) throw new Error("a price that rises sells nothing");
  return ns;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const others = isQuick ? 600 : 100_000;
  say(`makes ${others} groups twice`);
  const trailing = await subjectOf(true, others);
  const fixed = await subjectOf(false, others);
  const atLeastMs = isQuick ? 20 : 400;
  const ticks = isQuick ? 500 : 10_000;
  const names = ["silent", "silentFixed", "few", "many", "plainMany", "slow", "fast"] as const;
  const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    (typeof names)[number],
    number[]
  >;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const silent = nsPerCall(trailing.silent, atLeastMs);
    const silentFixed = nsPerCall(fixed.silent, atLeastMs);
    const few = await trailing.walk(FEW.symbol, ticks, 10);
    await trailing.settle();
    const slow = await trailing.walk(MANY.symbol, ticks / 10, 1);
    await trailing.settle();
    const many = await trailing.walk(MANY.symbol, ticks, 10);
    await trailing.settle();
    const plainMany = plainLoop(MANY.groups, atLeastMs);
    const values = [silent, silentFixed, few.ns, many.ns, plainMany, slow.stepped, many.stepped];
    say(`round ${round}: ${values.map((value) => value.toFixed(0)).join(", ")}`);
    if (round === 0) continue;
    for (const [index, name] of names.entries()) rounds[name].push(values[index] ?? 0);
  }
  await trailing.close();
  await fixed.close();
  const figure = (name: string, unit: string, values: readonly number[]): Figure => ({ name, unit, rounds: values });
  const silent = figure("a silent tick, stop-losses that trail", "ns", rounds.silent);
  const silentFixed = figure("a silent tick, fixed stop-losses", "ns", rounds.silentFixed);
  const few = figure(`a new high of ${FEW.groups} stop-losses, median`, "ns", rounds.few);
  const many = figure(`a new high of ${MANY.groups} stop-losses, median`, "ns", rounds.many);
  const plain = figure(`a tick of a plain loop over ${MANY.groups} rows`, "ns", rounds.plainMany);
  const slow = figure(`groups stepped by ${ticks / 10} new highs of ${MANY.groups} stop-losses`, "", rounds.slow);
  const fast = figure(`groups stepped by ${ticks} new highs in the same time`, "", rounds.fast);
  return {
    title: "Ticks of symbols whose stop-losses trail",
    figures: [silent, silentFixed, few, many, plain, slow, fast],
    targets: [
      againstFloor("a silent tick, against fixed stop-losses", silent, silentFixed, "atMost", 1.15),
      absolute(`a new high of ${FEW.groups} stop-losses`, few, "atMost", 2_000),
      absolute(`a new high of ${MANY.groups} stop-losses`, many, "atMost", 2_000),
      againstFloor("groups stepped by ten times the new highs in the same time", fast, slow, "atMost", 1.5),
    ],
    charts: [barsOf("A tick", [silent, silentFixed, few, many, plain])],
    notes: [
      `both subjects live in one process and take turns, ${ROUNDS} rounds; ${others} more groups on ${SYMBOLS} other symbols`,
      "a step of a group writes its row: how many there are depends on the seconds of the walk",
    ],
  };
};
