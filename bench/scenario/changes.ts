/**
 * Groups changed in place, every change durable before it is answered, compared with groups created, in a partition of
 * this process: the cost of a PATCH for the engine behind its bus. Each change moves the stop-loss of a group of its
 * own.
 */
import { COMMANDS } from "../../src/contract/command.ts";
import { barsOf } from "../harness/figure/report.ts";
import type { Figure, Scenario } from "../harness/figure/result.ts";
import { eachInFlight } from "../harness/load/in-flight.ts";
import { creationOf } from "../harness/load/owned-group.ts";
import { idleGroup } from "../harness/load/ticks.ts";
import { openPartition } from "../harness/partition.ts";

const ROUNDS = 5;
const IN_FLIGHT = 64;

interface Made {
  readonly id: number;
  readonly userId: number;
  readonly stopLossPrice: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const groups = isQuick ? 500 : 10_000;
  const { partition, close } = await openPartition();
  const created: number[] = [];
  const changed: number[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const made: Made[] = [];
      const createdRate = await rateOf(groups, async (index) => {
        const group = idleGroup(round * groups + index);
        const reply = await partition.handleCommand(creationOf(group));
        if (!reply.ok) throw new Error(reply.message);
        const { id } = reply.data as { readonly id: number };
        made.push({ id, userId: group.userId, stopLossPrice: group.body.stopLossPrice });
      });
      const changedRate = await rateOf(groups, async (index) => {
        const { id, userId, stopLossPrice } = made[index] ?? { id: 0, userId: 0, stopLossPrice: 0 };
        const body = { id, change: { stopLossPrice: Math.round(stopLossPrice - 1) } };
        const reply = await partition.handleCommand({ type: COMMANDS.changeGroup, userId, requestId: "bench", body });
        if (!reply.ok) throw new Error(reply.message);
      });
      say(`round ${round}: ${createdRate.toFixed(0)} created, ${changedRate.toFixed(0)} changed a second`);
      if (round === 0) continue;
      created.push(createdRate);
      changed.push(changedRate);
    }
  } finally {
    await close();
  }
  const own: Figure = { name: `groups changed, ${IN_FLIGHT} in flight`, unit: "/s", rounds: changed };
  const floor: Figure = { name: `groups created, ${IN_FLIGHT} in flight`, unit: "/s", rounds: created };
  return {
    title: "Durable commands: change a group of three rows, beside its creation",
    figures: [own, floor],
    targets: [],
    charts: [barsOf("Groups a second, durable", [own, floor])],
    notes: ["in one process, without a bus; a change answers with the plan of the group"],
  };
};

/** How many a second, `IN_FLIGHT` at a time. */
async function rateOf(count: number, work: (index: number) => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await eachInFlight(count, IN_FLIGHT, work);
  return (count / (performance.now() - startMs)) * 1_000;
}
