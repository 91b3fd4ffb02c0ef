/**
 * Tick to order at the brokerage while clients change other groups, compared with the same load of ticks alone.
 *
 * A thousand ticks a second fire one group each. A thousand changes a second move the stop-losses of groups that no tick
 * reaches, and each is durable before it is answered. The brokerage and the client of the changes are this process, which
 * shares the cores with the engine, so that the client's own work is in the ratio.
 */
import type { Bus } from "../../src/bus/port.ts";
import { COMMANDS, replySchema } from "../../src/contract/command.ts";
import { commandSubject } from "../../src/contract/subject.ts";
import { type Latencies, latenciesOf, PERCENTILES, percentilesOf } from "../harness/figure/latency.ts";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { quantile } from "../harness/figure/statistics.ts";
import { sleep } from "../harness/figure/timing.ts";
import { eachInFlight } from "../harness/load/in-flight.ts";
import { creationOf } from "../harness/load/owned-group.ts";
import { firingGroup, idleGroup } from "../harness/load/ticks.ts";
import { startBenchProgram } from "../harness/program.ts";
import { World } from "../harness/world.ts";

const TICKS_PER_SECOND = 10_000;
const TICKS_PER_TRIGGER = 10;
const CHANGES_PER_SECOND = 1_000;
const CHANGED_GROUPS = 2_000;
const IN_FLIGHT = 128;
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 2;
const SETTLED_MS = 2_000;

interface Changed {
  readonly id: number;
  readonly userId: number;
  readonly stopLossPrice: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [rounds, seconds] = isQuick ? [1, 1] : [5, 4];
  const triggersPerRun = (seconds * TICKS_PER_SECOND) / TICKS_PER_TRIGGER;
  const firing = 2 * (1 + rounds) * triggersPerRun;
  const world = await World.open();
  try {
    const engine = await world.startEngine();
    await world.writeSymbols();
    say(`arms ${firing} groups that fire and ${CHANGED_GROUPS} that are changed`);
    await world.createGroups(firing, IN_FLIGHT, firingGroup);
    const groups = await createChanged(world.bus, firing);
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const pipeline = { program: engine, bus: world.bus, natsUrl: world.server.url };
    const paced = { ticksPerSecond: TICKS_PER_SECOND, ticksPerTrigger: TICKS_PER_TRIGGER };
    let firstTrigger = 0;
    const fire = async (): Promise<Latencies> => {
      const plan = { kind: "paced", ...paced, tickCount: seconds * TICKS_PER_SECOND, firstTrigger } as const;
      firstTrigger += triggersPerRun;
      return await latenciesOf(publisher, pipeline, plan, false);
    };
    const measured: { readonly alone: Latencies[]; readonly beside: Latencies[]; readonly rates: number[] } = {
      ...{ alone: [], beside: [], rates: [] },
    };
    for (let round = 0; round <= rounds; round += 1) {
      // Each kind is first in turn: periodic work of the engine then favours neither.
      for (const hasChanges of round % 2 === 0 ? [true, false] : [false, true]) {
        await sleep(isQuick ? 100 : SETTLED_MS);
        const run = fire();
        const rate = hasChanges ? await changeWhile(world.bus, groups, run) : 0;
        const latencies = await run;
        say(`round ${round}, ${rate.toFixed(0)} changes a second: ${inWords(latencies)}`);
        if (round === 0) continue;
        (hasChanges ? measured.beside : measured.alone).push(latencies);
        if (hasChanges) measured.rates.push(rate);
      }
    }
    await publisher.end("SIGKILL");
    const fromDue = ({ fromDue: due }: Latencies): readonly number[] => due;
    const alone = percentilesOf("ticks alone", measured.alone, fromDue);
    const beside = percentilesOf("with changes", measured.beside, fromDue);
    const rate: Figure = { name: "changes, durable", unit: "/s", rounds: measured.rates };
    const p99 = PERCENTILES.indexOf(0.99);
    return {
      title: `Tick to order: ${TICKS_PER_SECOND / TICKS_PER_TRIGGER} triggers and ${CHANGES_PER_SECOND} changes a second`,
      figures: [...beside, ...alone, rate],
      targets: [againstFloor("p99, with changes", beside[p99] as Figure, alone[p99] as Figure, "atMost", 1.2)],
      charts: [barsOf("Tick to order", [...beside, ...alone])],
      notes: [
        `${triggersPerRun} orders a round and side; every order arrived, none twice; from when the tick was due`,
        "changes are sent by the process that is the brokerage, too",
      ],
    };
  } finally {
    await world.close();
  }
};

function inWords({ fromDue }: Latencies): string {
  return `p50 / p99 in ms: ${quantile(fromDue, 0.5).toFixed(2)} / ${quantile(fromDue, 0.99).toFixed(2)}`;
}

/** Makes the groups that are changed, whose numbers follow the firing groups. */
async function createChanged(bus: Bus, firing: number): Promise<readonly Changed[]> {
  const groups: Changed[] = [];
  await eachInFlight(CHANGED_GROUPS, IN_FLIGHT, async (index) => {
    const group = idleGroup(firing + index);
    const { id } = (await request(bus, creationOf(group))) as { readonly id: number };
    groups.push({ id, userId: group.userId, stopLossPrice: group.body.stopLossPrice });
  });
  return groups;
}

/** Changes groups at the rate until `run` has ended; returns how many a second were durable. */
async function changeWhile(bus: Bus, groups: readonly Changed[], run: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = run.finally(() => {
    isOver = true;
  });
  const startMs = performance.now();
  const sent: Promise<unknown>[] = [];
  while (!isOver) {
    const due = ((performance.now() - startMs) * CHANGES_PER_SECOND) / 1_000;
    while (sent.length < due) sent.push(change(bus, groups, sent.length));
    await sleep(PAUSE_MS);
  }
  await Promise.all([ended, ...sent]);
  return (sent.length / (performance.now() - startMs)) * 1_000;
}

/** Each time round the stop-losses are moved to the other one of two prices. */
function change(bus: Bus, groups: readonly Changed[], index: number): Promise<unknown> {
  const group = groups[index % groups.length];
  if (group === undefined) throw new Error("there are groups to change");
  const { id, userId, stopLossPrice } = group;
  const isDown = Math.floor(index / groups.length) % 2 === 0;
  const body = { id, change: { stopLossPrice: isDown ? Math.round(stopLossPrice - 10) : stopLossPrice } };
  return request(bus, { type: COMMANDS.changeGroup, userId, requestId: "bench", body });
}

/** Sends a command and returns its data; rejects if it is refused. */
async function request(bus: Bus, envelope: object): Promise<unknown> {
  const reply = await bus.request(commandSubject(0), Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
  const answer = replySchema.parse(JSON.parse(Buffer.from(reply).toString()));
  if (!answer.ok) throw new Error(answer.message);
  return answer.data;
}
