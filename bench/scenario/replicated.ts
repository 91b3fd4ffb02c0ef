/**
 * The cost of three servers that hold the log: tick to order, and ten thousand triggers on one tick, each compared with
 * the single-machine form in the same run and in turns.
 *
 * The three nats-servers sync every acknowledged write, all on this machine's one disk and its cores, which they share
 * with engine, publisher and brokerage: machines of their own pay the network in place of that. Tick to order is
 * measured on the engine's own process. The burst is measured inside one process, since only there the moments of
 * durability are known. The last measurement adds an engine that keeps a copy next to the leader, as every cluster has
 * one, but here on the same two cores.
 */
import { connect, type NatsConnection } from "nats";
import { type Latencies, latenciesOf, percentilesOf } from "../harness/figure/latency.ts";
import { barsOf } from "../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { quantile } from "../harness/figure/statistics.ts";
import { settledMemory } from "../harness/figure/timing.ts";
import { bareAppends } from "../harness/load/bare-append.ts";
import { fireAll, groupOn } from "../harness/load/burst.ts";
import { OrderRecorder } from "../harness/load/order-recorder.ts";
import { firingGroup } from "../harness/load/ticks.ts";
import { createGroups, openPartition } from "../harness/partition.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { openReplicatedFolder } from "../harness/replicated-folder.ts";
import { World } from "../harness/world.ts";

const IN_FLIGHT = 64;
const ADDED_MS_MAX = 2;
const BURST_RATIO_MAX = 1.5;

interface Load {
  readonly ticksPerSecond: number;
  readonly ticksPerTrigger: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** The load of the promise: a trigger at a time. */
const MAIN: Load = { ticksPerSecond: 100, ticksPerTrigger: 1, seconds: 3, rounds: 4 };
/** Servers that sync every message sync every tick, too, which they store for late readers. */
const BUSIER: readonly Load[] = [
  { ticksPerSecond: 1_000, ticksPerTrigger: 10, seconds: 3, rounds: 2 },
  { ticksPerSecond: 10_000, ticksPerTrigger: 10, seconds: 2, rounds: 2 },
];

interface Form {
  readonly name: string;
  readonly world: World;
  readonly engine: BenchProgram;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const loads = [MAIN, ...BUSIER].map((load) => (isQuick ? { ...load, seconds: 1, rounds: 1 } : load));
  const [single, shared] = [await World.open(), await World.open({ isReplicated: true })];
  try {
    // The first round of each load warms everything up; the main one comes again, with a copy.
    const triggers = [...loads, MAIN].reduce((sum, load) => sum + (load.rounds + 1) * triggersOf(load), 0);
    const file = await armed("one machine", single, triggers);
    const servers = await armed("three servers", shared, triggers);
    say(`${triggers} groups are armed in each`);
    const turns = new Turns(await startBenchProgram({ entry: "bench/process/publisher.ts" }), say);
    const measured: Measured[] = [];
    for (const load of loads) measured.push({ load, rounds: await turns.measure([file, servers], load) });
    const alone = appendAlone(await bareAppends({ urls: shared.urls, ...appendsOf(loads[0] ?? MAIN) }));
    say(`an append alone: ${alone.rounds.map((ms) => ms.toFixed(2)).join(", ")} ms`);
    const copy = await shared.startCopy();
    await shared.settledRoles();
    const copied: Form = { ...servers, name: "three servers, and a copy on the same cores" };
    measured.push({ load: MAIN, rounds: await turns.measure([copied], MAIN) });
    for (const program of [copy, file.engine, servers.engine]) await program.end("SIGKILL");
    const added = measured.slice(0, loads.length).map(addedBy);
    const bursts = await measureBursts(shared.urls, isQuick, say);
    const figures = measured.flatMap(({ load, rounds }) =>
      [...rounds].flatMap(([{ name }, latencies]) => figuresOf(`${name}, ${inWords(load)}`, latencies)),
    );
    return {
      title: "A log on three servers beside one in a file: tick to order, from the write, and a burst",
      figures: [...figures, ...added, alone, bursts.file, bursts.servers],
      targets: [
        absolute("tick to order, a trigger at a time, p50 added", added[0] as Figure, "atMost", ADDED_MS_MAX),
        againstFloor("burst, all durable, against one machine", bursts.servers, bursts.file, "atMost", BURST_RATIO_MAX),
      ],
      charts: [barsOf("Tick to order", figures), barsOf("A burst, all durable", [bursts.file, bursts.servers])],
      notes: ["servers, engines, publisher and brokerage share cores and one disk; every order arrived, none twice"],
    };
  } finally {
    await single.close();
    await shared.close();
  }
};

/** The engine of a world, with groups that are to fire. */
async function armed(name: string, world: World, groups: number): Promise<Form> {
  const engine = await world.startEngine();
  await world.writeSymbols();
  await world.createGroups(groups, IN_FLIGHT, firingGroup);
  return { name, world, engine };
}

/** Latencies of each form, round by round. */
interface Measured {
  readonly load: Load;
  readonly rounds: ReadonlyMap<Form, readonly Latencies[]>;
}

/** The difference of the second form's p50 to the first one's, round by round. */
function addedBy({ load, rounds }: Measured): Figure {
  const [first = [], second = []] = rounds.values();
  return {
    name: `p50 added, ${inWords(load)}`,
    unit: "ms",
    rounds: first.map((round, index) => middle(second[index] ?? round) - middle(round)),
  };
}

function appendsOf({ ticksPerSecond, seconds, rounds }: Load) {
  return { perSecond: ticksPerSecond, count: seconds * ticksPerSecond, rounds };
}

/** The servers' part of that, for any writer. */
function appendAlone(rounds: readonly (readonly number[])[]): Figure {
  const middles = rounds.map((took) =>
    quantile(
      took.toSorted((left, right) => left - right),
      0.5,
    ),
  );
  return { name: "an append to three servers alone, right behind a tick, p50", unit: "ms", rounds: middles };
}

function inWords({ ticksPerSecond, ticksPerTrigger }: Load): string {
  return `${ticksPerSecond.toLocaleString("en-US")} ticks/s, ${ticksPerSecond / ticksPerTrigger} triggers/s`;
}

function triggersOf({ ticksPerSecond, ticksPerTrigger, seconds }: Load): number {
  return (seconds * ticksPerSecond) / ticksPerTrigger;
}

/** The forms in turns, each group fired once. */
class Turns {
  readonly #publisher: BenchProgram;
  readonly #say: (text: string) => void;
  readonly #fired = new Map<World, number>();

  constructor(publisher: BenchProgram, say: (text: string) => void) {
    this.#publisher = publisher;
    this.#say = say;
  }

  /** For each form its rounds; one more before them is left out. */
  async measure(forms: readonly Form[], load: Load): Promise<ReadonlyMap<Form, readonly Latencies[]>> {
    const measured = new Map<Form, Latencies[]>(forms.map((form) => [form, []]));
    for (let round = 0; round <= load.rounds; round += 1) {
      for (const form of forms) {
        const latencies = await this.#round(form, load);
        if (round > 0) measured.get(form)?.push(latencies);
        this.#say(`${form.name}, ${inWords(load)}: p50 ${middle(latencies).toFixed(2)} ms`);
      }
    }
    return measured;
  }

  #round({ world, engine: program }: Form, { ticksPerSecond, ticksPerTrigger, seconds }: Load): Promise<Latencies> {
    const firstTrigger = this.#fired.get(world) ?? 0;
    const tickCount = seconds * ticksPerSecond;
    this.#fired.set(world, firstTrigger + tickCount / ticksPerTrigger);
    const plan = { kind: "paced", ticksPerSecond, tickCount, ticksPerTrigger, firstTrigger } as const;
    return latenciesOf(this.#publisher, { program, bus: world.bus, natsUrl: world.server.url }, plan, false);
  }
}

function middle({ fromWritten }: Latencies): number {
  return quantile(fromWritten, 0.5);
}

function figuresOf(name: string, rounds: readonly Latencies[]): Figure[] {
  return percentilesOf(name, rounds, ({ fromWritten }) => fromWritten).slice(0, 2);
}

/** Ten thousand triggers on one tick, over a log in a file and over the servers, in turns. */
async function measureBursts(
  urls: string,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<{ readonly file: Figure; readonly servers: Figure }> {
  const [groups, rounds] = isQuick ? [1_000, 1] : [10_000, 3];
  const connection: NatsConnection = await connect({ servers: urls.split(",") });
  const forms = await Promise.all(
    [undefined, (path: string) => openReplicatedFolder(path, connection)].map(async (openFolder) => {
      const recorder = new OrderRecorder();
      const opened = await openPartition((store) => recorder.around(store), openFolder);
      return { recorder, opened, durable: [] as number[] };
    }),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const { recorder, opened, durable } of forms) {
      await createGroups(opened.partition, groups, IN_FLIGHT, groupOn(`F${round}`));
      settledMemory();
      const { durableMs } = await fireAll(opened, recorder, groups, `F${round}`);
      if (round > 0) durable.push(durableMs);
      say(`burst, round ${round}: ${durableMs.toFixed(0)} ms`);
    }
  }
  for (const { opened } of forms) await opened.close();
  await connection.close();
  const figure = (
    name: string,
    { durable }: { readonly durable: readonly number[] } | undefined = { durable: [] },
  ): Figure => ({
    ...{ name: `${groups} triggers on one tick, all durable: ${name}`, unit: "ms", rounds: durable },
  });
  return { file: figure("one machine", forms[0]), servers: figure("three servers", forms[1]) };
}
