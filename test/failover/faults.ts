/** The faults of a failover run, and how each is healed before the next round. */

import { logName } from "../../engine/cluster/log/stream/jetstream-log.ts";
import { TICK_STREAM } from "../../engine/feed/stream/jetstream.ts";
import type { FailoverWorld } from "../support/world/failover-world.ts";
import { pause, until } from "../support/world/stack.ts";

/** Resolves when engines and servers run as before. */
type Heal = () => Promise<void>;

export interface Fault {
  readonly name: string;
  /** The time for which ticks continue after the fault. */
  readonly tradedMs: number;
  /** The promised longest time without an order, in ms: for half of the rounds, and for each. */
  readonly promised: { readonly half: number | undefined; readonly each: number };
  happen(world: FailoverWorld): Promise<Heal>;
}

const OF_AN_ENGINE = { half: 2_200, each: 3_000 };
const OF_A_HAND_OVER = { half: undefined, each: 300 };
const OF_A_FOLLOWER = { half: undefined, each: 500 };
const OF_A_MACHINE = { half: undefined, each: 10_000 };
/** The time for which an engine writes before it notices that its connections are lost. */
const UNNOTICED_MS = 500;
/** The log of partition 0. */
const LOG = logName(0, 0);
const READY = "the copy of the partition is ready to be led";

export const FAULTS: readonly Fault[] = [
  {
    name: "engine killed",
    tradedMs: 3_500,
    promised: OF_AN_ENGINE,
    happen: async (world) => {
      const leader = await leaderOf(world);
      await world.engine(leader).end("SIGKILL");
      return () => startAgain(world, leader);
    },
  },
  {
    name: "engine frozen",
    tradedMs: 3_500,
    promised: OF_AN_ENGINE,
    happen: async (world) => {
      const leader = await leaderOf(world);
      const { pid } = world.engine(leader);
      const before = readyCount(world, leader);
      process.kill(pid, "SIGSTOP");
      return async () => {
        process.kill(pid, "SIGCONT");
        await untilReady(world, leader, before + 1);
      };
    },
  },
  {
    name: "engine cut off",
    tradedMs: 3_500,
    promised: OF_AN_ENGINE,
    happen: async (world) => {
      const leader = await leaderOf(world);
      const link = world.link(leader);
      const before = readyCount(world, leader);
      link.hold();
      await pause(UNNOTICED_MS);
      link.sever();
      return async () => {
        // Everything that it had written arrives now, long after another engine sold the same rows.
        link.deliver();
        await untilReady(world, leader, before + 1);
      };
    },
  },
  {
    name: "engine ended politely",
    tradedMs: 2_000,
    promised: OF_A_HAND_OVER,
    happen: async (world) => {
      const leader = await leaderOf(world);
      const ended = world.engine(leader).end("SIGTERM");
      return async () => {
        await ended;
        await startAgain(world, leader);
      };
    },
  },
  {
    name: "server killed that follows",
    tradedMs: 2_000,
    promised: OF_A_FOLLOWER,
    happen: async (world) => {
      const leading = [await serverThatLeads(world, LOG), await serverThatLeads(world, TICK_STREAM)];
      const server = world.cluster.servers.find(({ name }) => !leading.includes(name));
      await server?.kill("SIGKILL");
      return async () => {
        await server?.restart();
        await untilWhole(world);
      };
    },
  },
  {
    name: "server killed that leads the ticks",
    tradedMs: 12_000,
    promised: OF_A_MACHINE,
    happen: (world) => killLeaderOf(world, TICK_STREAM),
  },
  {
    name: "server killed that leads the log",
    tradedMs: 12_000,
    promised: OF_A_MACHINE,
    happen: (world) => killLeaderOf(world, LOG),
  },
  {
    name: "both killed that lead",
    tradedMs: 12_000,
    promised: OF_A_MACHINE,
    happen: async (world) => {
      const leader = await leaderOf(world);
      const server = world.cluster.server(await serverThatLeads(world, LOG));
      await Promise.all([world.engine(leader).end("SIGKILL"), server.kill("SIGKILL")]);
      return async () => {
        await server.restart();
        await untilWhole(world);
        await startAgain(world, leader);
      };
    },
  },
];

function leaderOf(world: FailoverWorld): Promise<string> {
  return world.untilLed();
}

async function startAgain(world: FailoverWorld, name: string): Promise<void> {
  await world.startEngine(name);
  await untilReady(world, name, 1);
}

function readyCount(world: FailoverWorld, name: string): number {
  return world.engine(name).output().split(READY).length - 1;
}

async function untilReady(world: FailoverWorld, name: string, count: number): Promise<void> {
  await until(
    async () => readyCount(world, name),
    (found) => found >= count,
  );
}

async function killLeaderOf(world: FailoverWorld, stream: string): Promise<Heal> {
  const server = world.cluster.server(await serverThatLeads(world, stream));
  await server.kill("SIGKILL");
  return async () => {
    await server.restart();
    await untilWhole(world);
  };
}

async function serverThatLeads(world: FailoverWorld, stream: string): Promise<string> {
  return (await clusterOf(world, stream)).leader ?? "";
}

async function clusterOf(world: FailoverWorld, stream: string) {
  const manager = await world.nats.jetstreamManager({ checkAPI: false });
  const { cluster } = await manager.streams.info(stream);
  return { leader: cluster?.leader, replicas: cluster?.replicas ?? [] };
}

async function untilWhole(world: FailoverWorld): Promise<void> {
  for (const stream of [LOG, TICK_STREAM]) {
    await until(
      () => clusterOf(world, stream).catch(() => ({ leader: undefined, replicas: [] })),
      ({ leader, replicas }) =>
        leader !== undefined && replicas.every(({ current, lag }) => current && (lag ?? 0) === 0),
    );
  }
}
