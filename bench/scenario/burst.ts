/**
 * Ten thousand rows that one tick reaches: how long until the last of them is durable, and how long the loop stands
 * still meanwhile. Timed inside one process, since only there is it known when what became durable.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Store } from "../../engine/ports.ts";
import { COMMANDS } from "../../src/contract/command.ts";
import { livePrice } from "../../src/domain/price.ts";
import { BareLevel, type Operations } from "../harness/bare-level.ts";
import { BROKERAGE, openPartition } from "../harness/partition.ts";
import { barsOf } from "../harness/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../harness/result.ts";
import { settledMemory, sleep } from "../harness/timing.ts";

const ROUNDS = 5;
const IN_FLIGHT = 64;
const OUTBOX_PREFIX = "o/0";
const RESOLUTION_MS = 1;

type OpenedPartition = Awaited<ReturnType<typeof openPartition>>;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const groups = isQuick ? 1_000 : 10_000;
  const recorder = new Recorder();
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
    await createGroups(opened, groups, `F${round}`);
    settledMemory();
    const fired = await fire(opened, recorder, groups, `F${round}`);
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

/** Looks at what passes to the store. */
class Recorder {
  #written: Operations[] = [];
  #orders = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #onWanted: () => void = () => undefined;

  around(store: Store): Store {
    return {
      read: (key) => store.read(key),
      scan: (range) => store.scan(range),
      close: () => store.close(),
      write: async (operations) => {
        await store.write(operations);
        if (this.#orders >= this.#wanted) return;
        this.#written.push(operations);
        for (const { type, key } of operations) if (type === "put" && key.startsWith(OUTBOX_PREFIX)) this.#orders += 1;
        if (this.#orders >= this.#wanted) this.#onWanted();
      },
    };
  }

  /** Resolves once `count` orders are durable. */
  async orders(count: number): Promise<void> {
    this.#written = [];
    this.#orders = 0;
    this.#wanted = count;
    await new Promise<void>((resolve) => {
      this.#onWanted = resolve;
    });
  }

  get written(): Operations {
    return this.#written.flat();
  }
}

async function fire(opened: OpenedPartition, recorder: Recorder, groups: number, symbol: string) {
  const { partition } = opened;
  const price = livePrice(80);
  if (price === undefined) throw new Error("80 is a price");
  const placedBefore = partition.outbox.stats().placedCount;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await sleep(20);
  delay.reset();
  const startMs = performance.now();
  const allDurable = recorder.orders(groups);
  partition.onTick({ symbol, price, timeMs: Date.now(), isCaughtUp: false });
  await allDurable;
  const durableMs = performance.now() - startMs;
  while (partition.outbox.stats().placedCount < placedBefore + groups) await sleep(10);
  const settledMs = performance.now() - startMs;
  // The published events are removed a little later: that must not block either.
  await sleep(1_000);
  delay.disable();
  return { durableMs, settledMs, blockedMs: delay.max / 1e6 - RESOLUTION_MS, written: recorder.written };
}

async function createGroups({ partition }: OpenedPartition, count: number, symbol: string): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const userId = next;
      const reply = await partition.handleCommand({
        type: COMMANDS.createGroup,
        userId,
        requestId: "bench",
        body: {
          brokerageCode: BROKERAGE,
          accountNumber: `A${userId}`,
          symbol,
          stopLossPrice: (9_000 - (userId % 100) * 5) / 100,
          stopLossQuantity: 10,
          takeProfitItems: [
            { price: 110, quantity: 5 },
            { price: 120, quantity: 5 },
          ],
        },
      });
      if (!reply.ok) throw new Error(reply.message);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
