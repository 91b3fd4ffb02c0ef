/**
 * A thousand open streams of events during a thousand triggers a second. Measures their cost for the way of a tick to
 * its order, and how long after a trigger is durable its owner receives the event.
 *
 * Every trigger belongs to a user who follows, each over a stream of their own. The same engine, edge and publisher are
 * measured in turns with the streams open and without them. Rounds are short and many: other load of the machine is
 * then in both sides of a ratio. The first rounds of both kinds are not counted: a process compiles its code in them,
 * an edge for some seconds. An event counts from when its order was durable, so that the brokerage's answer, which the
 * event waits for, is in it.
 */
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import { latenciesOf, type Pipeline } from "../harness/figure/latency.ts";
import { processorMs } from "../harness/figure/processor.ts";
import { barsOf } from "../harness/figure/report.ts";
import { absolute, againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { quantile } from "../harness/figure/statistics.ts";
import { sleep } from "../harness/figure/timing.ts";
import { type Follower, makeFollowers, startEdge } from "../harness/load/followers.ts";
import { SYMBOLS } from "../harness/load/owned-group.ts";
import { firingGroup, triggerOf } from "../harness/load/ticks.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { World } from "../harness/world.ts";
import type { FollowRequest, ToldMoments } from "../process/event-followers.ts";

const STREAMS = 1_000;
const IN_FLIGHT = 64;
const TICKS_PER_SECOND = 10_000;
const TICKS_PER_TRIGGER = 10;
const TRIGGERS_PER_SECOND = TICKS_PER_SECOND / TICKS_PER_TRIGGER;
/** Longer than any event takes, unless it is lost. */
const PATIENCE_MS = 10_000;
/** Of each kind. */
const WARM_UP_ROUNDS = 4;
/** Longer than the remaining work after opening and closing the streams. */
const SETTLED_MS = 1_000;

/** Milliseconds. */
interface Round {
  readonly toOrder: readonly number[];
  /** From durable to the event at its owner; empty without streams. */
  readonly toEvent: readonly number[];
  /** Microseconds of processor time for each trigger, of each process. */
  readonly spent: Spent;
}

type Spent = Readonly<Record<ProcessName, number>>;
type ProcessName = (typeof PROCESSES)[number];
const PROCESSES = ["engine", "edge", "nats", "followers"] as const;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [rounds, seconds, streams] = isQuick ? [1, 1, 100] : [36, 1, STREAMS];
  const warmUps = isQuick ? 1 : WARM_UP_ROUNDS;
  const world = await World.open();
  try {
    const engine = await world.startEngine({ preloads: ["./bench/process/durable-moments.ts"] });
    await world.writeSymbols();
    say(`makes ${streams} users who follow their events`);
    const edge = await startEdge(world.server.url);
    const users = await makeFollowers(world, edge.url, streams);
    const authorizations = users.map(({ authorization }) => authorization);
    const groups = 2 * (warmUps + rounds) * seconds * TRIGGERS_PER_SECOND;
    say(`arms ${groups} groups`);
    await world.createGroups(groups, IN_FLIGHT, (index) => ({ ...firingGroup(index), userId: ownerOf(users, index) }));
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const followers = await startBenchProgram({ entry: "bench/process/event-followers.ts" });
    const orders = await connectNatsBus({ servers: world.server.url, name: "brokerage" });
    const run = new Run({
      pids: { engine: engine.pid, edge: edge.program.pid, nats: world.server.pid, followers: followers.pid },
      pipeline: { program: engine, bus: orders, natsUrl: world.server.url },
      ...{ publisher, followers, seconds },
    });
    const [without, withStreams]: [Round[], Round[]] = [[], []];
    let areOpen = false;
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      // Each kind is first in turn: periodic work of the engine, and its gain with time, then favours neither.
      for (const hasStreams of round % 2 === 0 ? [true, false] : [false, true]) {
        if (areOpen !== hasStreams) {
          await followers.ask(
            hasStreams ? ({ url: edge.url, authorizations } satisfies FollowRequest) : { close: true },
          );
        }
        areOpen = hasStreams;
        await sleep(SETTLED_MS);
        const measured = await run.round(hasStreams);
        if (round > 0) (hasStreams ? withStreams : without).push(measured);
        say(
          `${round > 0 ? `round ${round}` : "warming up"} ${hasStreams ? "with the streams" : "without"}: ${inWords(measured)}`,
        );
      }
    }
    await orders.drain();
    for (const program of [followers, publisher, edge.program]) await program.end("SIGKILL");
    const figure = (name: string, of: readonly Round[], share: number, which: "toOrder" | "toEvent"): Figure => ({
      name,
      unit: "ms",
      rounds: of.map((round) => quantile(round[which], share)),
    });
    const [p50, p50Without] = [
      figure("tick to order with the streams, p50", withStreams, 0.5, "toOrder"),
      figure("tick to order without, p50", without, 0.5, "toOrder"),
    ];
    const [p99, p99Without] = [
      figure("tick to order with the streams, p99", withStreams, 0.99, "toOrder"),
      figure("tick to order without, p99", without, 0.99, "toOrder"),
    ];
    const told = [0.5, 0.99].map((share) =>
      figure(`event at its owner after durable, p${share * 100}`, withStreams, share, "toEvent"),
    );
    const spent = PROCESSES.flatMap((name) =>
      [withStreams, without].map((of): Figure => {
        const which = of === without ? "without" : "with the streams";
        return {
          name: `processor time of ${name}, ${which}`,
          unit: "us a trigger",
          rounds: of.map((round) => round.spent[name]),
        };
      }),
    );
    const latencies = [p50, p50Without, p99, p99Without, ...told];
    const figures = [...latencies, ...spent];
    return {
      title: `${streams.toLocaleString("en-US")} open event streams, ${TRIGGERS_PER_SECOND.toLocaleString("en-US")} triggers a second`,
      figures,
      targets: [
        againstFloor("tick to order p50, with to without", p50, p50Without, "atMost", 1.1),
        absolute("event at its owner after durable, p99", told[1] as Figure, "atMost", 100),
      ],
      charts: [barsOf("Tick to order, and event to its owner", latencies)],
      notes: [
        "every trigger was told to its owner, once",
        `the first ${warmUps} rounds of each kind are not counted`,
        "publisher, nats-server, engine, edge, followers and brokerage share the machine's processors",
      ],
    };
  } finally {
    await world.close();
  }
};

function eachOf(of: (name: ProcessName) => number): Spent {
  return { engine: of("engine"), edge: of("edge"), nats: of("nats"), followers: of("followers") };
}

function inWords({ toOrder, spent }: Round): string {
  const each = PROCESSES.map((name) => `${name} ${spent[name].toFixed(0)}`).join(" ");
  return `${quantile(toOrder, 0.5).toFixed(2)} ms p50 (us a trigger: ${each})`;
}

class Run {
  readonly #pids: Spent;
  readonly #pipeline: Pipeline;
  readonly #publisher: BenchProgram;
  readonly #followers: BenchProgram;
  readonly #seconds: number;
  #firstTrigger = 0;

  constructor(options: {
    readonly pids: Spent;
    readonly pipeline: Pipeline;
    readonly publisher: BenchProgram;
    readonly followers: BenchProgram;
    readonly seconds: number;
  }) {
    this.#pids = options.pids;
    this.#pipeline = options.pipeline;
    this.#publisher = options.publisher;
    this.#followers = options.followers;
    this.#seconds = options.seconds;
  }

  async round(hasStreams: boolean): Promise<Round> {
    const plan = {
      kind: "paced" as const,
      ticksPerSecond: TICKS_PER_SECOND,
      ticksPerTrigger: TICKS_PER_TRIGGER,
      tickCount: this.#seconds * TICKS_PER_SECOND,
      firstTrigger: this.#firstTrigger,
    };
    const count = this.#seconds * TRIGGERS_PER_SECOND;
    this.#firstTrigger += count;
    const before = this.#processorMs();
    const { fromWritten, durableAtNs } = await latenciesOf(this.#publisher, this.#pipeline, plan, true);
    const expected = Array.from({ length: count }, (_, index) => plan.firstTrigger + index);
    const toEvent = hasStreams ? await this.#toEvents(expected, durableAtNs) : [];
    const after = this.#processorMs();
    const spent = eachOf((name) => ((after[name] - before[name]) * 1_000) / count);
    return { toOrder: fromWritten, toEvent, spent };
  }

  #processorMs(): Spent {
    return eachOf((name) => processorMs(this.#pids[name]));
  }

  /** From durable to received, of each trigger. Throws if one is not received, or received twice. */
  async #toEvents(expected: readonly number[], durableAtNs: ReadonlyMap<number, bigint>): Promise<number[]> {
    const told = new Map<number, bigint>();
    for (let waitedMs = 0; told.size < expected.length && waitedMs < PATIENCE_MS; waitedMs += 100) {
      await sleep(100);
      for (const [quantity, atNs] of await this.#followers.ask<ToldMoments>({ take: true })) {
        if (told.has(triggerOf(quantity))) throw new Error(`trigger ${triggerOf(quantity)} was told of twice`);
        told.set(triggerOf(quantity), atNs);
      }
    }
    return expected.map((trigger) => {
      const [toldNs, durableNs] = [told.get(trigger), durableAtNs.get(trigger)];
      if (toldNs === undefined || durableNs === undefined) throw new Error(`trigger ${trigger} was not told of`);
      return Number(toldNs - durableNs) / 1e6;
    });
  }
}

/**
 * The owner of group number `index`. Groups that fire one after the other belong to different users, and no user has
 * two on a symbol. Symbols come again in the same order after as many groups as both counts divide.
 */
function ownerOf(users: readonly Follower[], index: number): number {
  const period = (users.length * SYMBOLS) / greatestDivisor(users.length, SYMBOLS);
  const owner = users[(index + Math.floor(index / period)) % users.length];
  if (owner === undefined) throw new Error("there are users");
  return owner.userId;
}

function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right);
}
