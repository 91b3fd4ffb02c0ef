/**
 * The cost of a tick, a trigger, a row and a stream, in processor time and memory of each process involved, and the
 * capacity of 3, 30 and 300 machines by a model with those prices.
 *
 * Measured on an engine that leads, a second engine with a copy, the three servers of the log and an edge, all
 * together on this machine. Processor time is counted per process, which waiting for the others does not change by
 * much. The model (bench/model/fleet.ts) excludes network and disk.
 */
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import { ALL_TICKS_SUBJECT } from "../../src/contract/subject.ts";
import { latenciesOf } from "../harness/figure/latency.ts";
import { processorMs } from "../harness/figure/processor.ts";
import type { Figure, Scenario } from "../harness/figure/result.ts";
import { median } from "../harness/figure/statistics.ts";
import { sleep } from "../harness/figure/timing.ts";
import { makeFollowers, startEdge } from "../harness/load/followers.ts";
import { firingGroup, idleGroup } from "../harness/load/ticks.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { startServer, World } from "../harness/world.ts";
import { type Carried, carriedBy, type Fleet, type Prices } from "../model/fleet.ts";
import type { FollowRequest } from "../process/event-followers.ts";

const IN_FLIGHT = 64;
const ROWS_PER_GROUP = 3;
const TICKS_PER_SECOND = 10_000;
const TRIGGERS_PER_SECOND = 500;
const SUBSCRIBERS = 8;
/** The engine writes rows behind the log and settles orders after the last order. */
const SETTLED_AFTER_MS = 2_000;

const MACHINES = [3, 30, 300];
/** Copies of each partition, without its leader: two by default, and the effect of one less. */
const COPIES = [2, 1];
const FLEET = {
  ...{ enginesPerMachine: 4, ticksPerSecond: 10_000 },
  ...{ engineMemoryBytes: 4 * 1024 ** 3, edgeMemoryBytes: 2 * 1024 ** 3 },
};

/** Processor time of each process involved, in ms. */
interface Spent {
  readonly leader: number;
  readonly copy: number;
  readonly servers: number;
}

interface Processes {
  readonly world: World;
  readonly leader: BenchProgram;
  readonly copy: BenchProgram;
  readonly publisher: BenchProgram;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [rounds, seconds, rows, streams] = isQuick ? [1, 1, 3_000, 100] : [3, 3, 150_000, 1_000];
  const world = await World.open({ isReplicated: true });
  try {
    await world.startEngine();
    await world.startCopy();
    const { leader, copy } = await world.settledRoles();
    await world.writeSymbols();
    const firing = (rounds + 1) * seconds * TRIGGERS_PER_SECOND;
    await world.createGroups(firing, IN_FLIGHT, firingGroup);
    await leader.probe();
    const before = leader.memory().anonymousBytes;
    const groups = rows / ROWS_PER_GROUP;
    await world.createGroups(groups, IN_FLIGHT, (index) => idleGroup(firing + index));
    await sleep(SETTLED_AFTER_MS);
    await leader.probe();
    const rowBytes = (leader.memory().anonymousBytes - before) / rows;
    say(`a row of an idle group takes ${rowBytes.toFixed(0)} bytes`);
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const processes = { world, leader, copy, publisher };
    const silent: Spent[] = [];
    const fired: Spent[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const idle = await spentIn(processes, () => sleep(seconds * 1_000 + SETTLED_AFTER_MS));
      const triggers = seconds * TRIGGERS_PER_SECOND;
      const bySilent = less(await spentIn(processes, () => publish(processes, seconds, undefined)), idle);
      const byFiring = less(await spentIn(processes, () => publish(processes, seconds, round * triggers)), idle);
      if (round === 0) continue;
      const tick = each(bySilent, 1_000 / (seconds * TICKS_PER_SECOND));
      silent.push(tick);
      fired.push(less(each(byFiring, 1_000 / triggers), tick));
      say(`round ${round}: ${inWords(silent.at(-1))} us a tick, ${inWords(fired.at(-1))} us a trigger`);
    }
    const deliveryUs = await deliveryPrice(processes, seconds);
    await publisher.end("SIGKILL");
    const streamBytes = await streamPrice(world, streams);
    const single = { deliveryUs, rowBytes, streamBytes };
    const figures = figuresOf(silent, fired, single);
    const prices = pricesOf(silent, fired, single);
    const fleets = MACHINES.flatMap((machines) => COPIES.map((copies) => ({ ...FLEET, machines, copies })));
    return {
      title: "Prices of a tick, a trigger, a row and a stream, and what machines carry by them",
      figures,
      targets: [],
      charts: [],
      notes: [
        `by the model, ${FLEET.enginesPerMachine} engines a machine, ${TICKS_PER_SECOND} ticks a second, loops at most 0.6 busy:`,
        ...fleets.map((fleet) => inALine(fleet, carriedBy(fleet, prices))),
      ],
    };
  } finally {
    await world.close();
  }
};

/** For this long ticks that fire nothing, or fewer that each fire a group, from number `firstTrigger` on. */
async function publish(
  {
    world,
    leader,
    publisher,
  }: Pick<Processes, "leader" | "publisher"> & { readonly world: Pick<World, "bus" | "server"> },
  seconds: number,
  firstTrigger: number | undefined,
): Promise<void> {
  const ticksPerSecond = firstTrigger === undefined ? TICKS_PER_SECOND : TRIGGERS_PER_SECOND;
  const tickCount = seconds * ticksPerSecond;
  const ticksPerTrigger = firstTrigger === undefined ? tickCount + 1 : 1;
  const pipeline = { program: leader, bus: world.bus, natsUrl: world.server.url };
  const plan = { kind: "paced", ticksPerSecond, tickCount, ticksPerTrigger, firstTrigger: firstTrigger ?? 0 } as const;
  await latenciesOf(publisher, pipeline, plan, false);
  await sleep(SETTLED_AFTER_MS);
}

/** The time that a server without streams takes to give a tick to one more subscriber, in microseconds. */
async function deliveryPrice(processes: Processes, seconds: number): Promise<number> {
  const server = await startServer();
  const bus = await connectNatsBus({ servers: server.url, name: "bench" });
  const spend = async (): Promise<number> => {
    const beforeMs = processorMs(server.pid);
    await publish({ ...processes, world: { bus, server } }, seconds, undefined);
    return processorMs(server.pid) - beforeMs;
  };
  const aloneMs = await spend();
  const subscribers = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, () => connectNatsBus({ servers: server.url, name: "subscriber" })),
  );
  for (const subscriber of subscribers) {
    subscriber.subscribe(ALL_TICKS_SUBJECT, () => undefined, { readsInPlace: true });
    await subscriber.flush();
  }
  const addedMs = (await spend()) - aloneMs;
  await Promise.all([bus, ...subscribers].map((one) => one.drain()));
  await server.stop();
  return (addedMs * 1_000) / (SUBSCRIBERS * seconds * TICKS_PER_SECOND);
}

async function spentIn({ world, leader, copy }: Processes, work: () => Promise<unknown>): Promise<Spent> {
  const read = (): Spent => ({
    leader: processorMs(leader.pid),
    copy: processorMs(copy.pid),
    servers: world.serverPids.reduce((sum, pid) => sum + processorMs(pid), 0),
  });
  const before = read();
  await work();
  return less(read(), before);
}

function less(spent: Spent, base: Spent): Spent {
  return { leader: spent.leader - base.leader, copy: spent.copy - base.copy, servers: spent.servers - base.servers };
}

function each({ leader, copy, servers }: Spent, share: number): Spent {
  return { leader: leader * share, copy: copy * share, servers: servers * share };
}

/** Memory that an open stream of events takes at an edge. */
async function streamPrice(world: World, streams: number): Promise<number> {
  const edge = await startEdge(world.server.url);
  const users = await makeFollowers(world, edge.url, streams);
  const followers = await startBenchProgram({ entry: "bench/process/event-followers.ts" });
  await edge.program.probe();
  const before = edge.program.memory().anonymousBytes;
  const authorizations = users.map(({ authorization }) => authorization);
  await followers.ask({ url: edge.url, authorizations } satisfies FollowRequest);
  await edge.program.probe();
  const streamBytes = (edge.program.memory().anonymousBytes - before) / streams;
  for (const program of [followers, edge.program]) await program.end("SIGKILL");
  return streamBytes;
}

const BEARERS = ["leader", "copy", "servers"] as const;

/** Figures that are measured once. */
interface Single {
  readonly deliveryUs: number;
  readonly rowBytes: number;
  readonly streamBytes: number;
}

function figuresOf(silent: readonly Spent[], fired: readonly Spent[], single: Single): Figure[] {
  const times = [
    ["a tick", silent],
    ["a trigger", fired],
  ] as const;
  return [
    ...times.flatMap(([what, rounds]) =>
      BEARERS.map((bearer) => ({
        name: `${what}, at the ${bearer}`,
        unit: "us",
        rounds: rounds.map((one) => one[bearer]),
      })),
    ),
    { name: "a tick to one more engine, at a server", unit: "us", rounds: [single.deliveryUs] },
    { name: "a row of an idle group, at an engine that has it", unit: "bytes", rounds: [single.rowBytes] },
    { name: "an open stream of events, at its edge", unit: "bytes", rounds: [single.streamBytes] },
  ];
}

function pricesOf(silent: readonly Spent[], fired: readonly Spent[], single: Single): Prices {
  const middle = (rounds: readonly Spent[], bearer: keyof Spent): number => median(rounds.map((one) => one[bearer]));
  return {
    tickAtEngineUs: middle(silent, "leader"),
    tickAtServersUs: middle(silent, "servers"),
    deliveryAtServersUs: single.deliveryUs,
    triggerAtLeaderUs: middle(fired, "leader"),
    triggerAtCopyUs: middle(fired, "copy"),
    triggerAtServersUs: middle(fired, "servers"),
    rowBytes: single.rowBytes,
    streamBytes: single.streamBytes,
  };
}

function inWords(spent: Spent | undefined): string {
  return BEARERS.map((bearer) => `${bearer} ${(spent?.[bearer] ?? 0).toFixed(1)}`).join(", ");
}

function inALine({ machines, copies }: Fleet, carried: Carried): string {
  const { engines, triggersPerSecond, rows, streams, tickShare, copyShare, serverProcessors } = carried;
  const million = (count: number): string => `${(count / 1e6).toFixed(1)} million`;
  return [
    `${machines} machines, ${engines} engines, ${copies} of each partition beside its leader:`,
    `${Math.round(triggersPerSecond).toLocaleString("en-US")} triggers/s, ${million(rows)} rows, ${million(streams)} streams;`,
    `ticks ${Math.round(tickShare * 100)} % of a loop, copies ${Math.round(copyShare * 100)} %, servers ${serverProcessors.toFixed(1)} processors`,
  ].join(" ");
}
