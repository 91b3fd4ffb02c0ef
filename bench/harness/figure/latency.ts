/** From a tick to its order, as the brokerage sees it. */
import type { Bus } from "../../../src/bus/port.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { DurableMoments, DurableRequest } from "../../process/durable-moments.ts";
import type { PublisherReport } from "../../process/publisher.ts";
import { BROKERAGE } from "../load/owned-group.ts";
import { PlacedOrders } from "../load/placed-orders.ts";
import { type PacedPlan, triggerOf } from "../load/ticks.ts";
import type { BenchProgram } from "../program.ts";
import type { Figure } from "./result.ts";
import { quantile } from "./statistics.ts";
import { sleep } from "./timing.ts";

/** Longer than any order takes, unless it is lost. */
const PATIENCE_MS = 20_000;

/** Milliseconds of each firing tick. */
export interface Latencies {
  /** From when the tick was due to its order. */
  readonly fromDue: readonly number[];
  /** From when it was written to its order. */
  readonly fromWritten: readonly number[];
  /** From when it was written until its order was durable; empty if the process did not note that. */
  readonly durable: readonly number[];
  /** When each was durable, by its trigger; of the machine's steady clock. */
  readonly durableAtNs: ReadonlyMap<number, bigint>;
}

/** A pipeline from ticks to orders: its program, and the bus on which its orders come. */
export interface Pipeline {
  readonly program: BenchProgram;
  readonly bus: Bus;
  readonly natsUrl: string;
}

/** Has ticks published by a plan and takes the orders. Throws if one is missing, arrives twice or was not asked for. */
export async function latenciesOf(
  publisher: BenchProgram,
  { program, bus, natsUrl }: Pipeline,
  paced: Omit<PacedPlan, "natsUrl">,
  isDurableNoted: boolean,
): Promise<Latencies> {
  const plan: PacedPlan = { ...paced, natsUrl };
  const triggers = Math.floor(plan.tickCount / plan.ticksPerTrigger);
  const arrivals = new Map<number, bigint>();
  const placed = PlacedOrders.of(bus);
  const stop = bus.respond(brokerSubject(BROKERAGE, "place"), async ({ data }) => {
    const atNs = process.hrtime.bigint();
    const request = JSON.parse(Buffer.from(data).toString()) as PlaceRequest;
    const trigger = triggerOf(request.quantity);
    if (arrivals.has(trigger)) throw new Error(`order ${trigger} came twice`);
    arrivals.set(trigger, atNs);
    return placed.fill(request);
  });
  if (isDurableNoted) await program.ask({ durable: "begin" } satisfies DurableRequest);
  const report = await publisher.ask<PublisherReport>(plan);
  for (let waitedMs = 0; arrivals.size < triggers && waitedMs < PATIENCE_MS; waitedMs += 10) await sleep(10);
  stop();
  if (arrivals.size !== triggers) throw new Error(`${arrivals.size} of ${triggers} orders arrived`);
  const moments = isDurableNoted
    ? await program.ask<DurableMoments>({ durable: "end" } satisfies DurableRequest)
    : undefined;
  const durable = new Map(moments?.map(([quantity, atNs]) => [triggerOf(quantity), atNs]));
  const between = (startNsOf: (index: number) => bigint | undefined, ends: ReadonlyMap<number, bigint>): number[] =>
    Array.from({ length: triggers }, (_, index) => {
      const endNs = ends.get(plan.firstTrigger + index);
      const startNs = startNsOf(index);
      if (endNs === undefined || startNs === undefined) throw new Error(`trigger ${plan.firstTrigger + index} is lost`);
      return Number(endNs - startNs) / 1e6;
    });
  const dueNs = (index: number): bigint => {
    const tick = index * plan.ticksPerTrigger + plan.ticksPerTrigger - 1;
    return report.startNs + BigInt(Math.round((tick * 1e9) / plan.ticksPerSecond));
  };
  const writtenNs = (index: number): bigint | undefined => report.triggersWrittenNs[index];
  return {
    fromDue: between(dueNs, arrivals),
    fromWritten: between(writtenNs, arrivals),
    durable: moments === undefined ? [] : between(writtenNs, durable),
    durableAtNs: durable,
  };
}

export const PERCENTILES = [0.5, 0.99, 0.999];

/** The percentiles of each round. */
export function percentilesOf(
  name: string,
  rounds: readonly Latencies[],
  of: (latencies: Latencies) => readonly number[],
): Figure[] {
  return PERCENTILES.map((share) => ({
    name: `${name}, p${share * 100}`,
    unit: "ms",
    rounds: rounds.map((round) => quantile(of(round), share)),
  }));
}
