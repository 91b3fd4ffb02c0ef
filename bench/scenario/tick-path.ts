/**
 * How many ticks a second the engine takes from NATS with a million armed rows, beside the same client that takes them
 * and does nothing.
 *
 * A publisher floods the server; the flood ends with one tick that fires one group. The engine is done when the order of
 * that group reaches the brokerage, the bare client when it has counted to the end. The server may keep what a
 * subscriber has not read yet, so that both are measured at the rate of their own.
 */
import { brokerSubject } from "../../src/contract/subject.ts";
import { BROKERAGE } from "../harness/partition.ts";
import { type BenchProgram, startBenchProgram } from "../harness/program.ts";
import { barsOf } from "../harness/report.ts";
import { againstFloor, type Figure, type Scenario } from "../harness/result.ts";
import { firingFrame, firingGroup, idleGroup } from "../harness/ticks.ts";
import { startServer, World } from "../harness/world.ts";
import type { CountedTicks } from "../process/bare-subscriber.ts";
import type { PublisherReport } from "../process/publisher.ts";

const ROUNDS = 7;
const IN_FLIGHT = 128;
const ROWS_PER_GROUP = 3;

interface Taken {
  readonly perSecond: number;
  readonly cpuUsPerTick: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const rows = isQuick ? 30_000 : 1_000_000;
  const ticks = isQuick ? 120_000 : 1_200_000;
  const world = await World.open();
  const bareServer = await startServer();
  try {
    const engine = await world.startEngine();
    await world.writeSymbols();
    const groups = Math.ceil(rows / ROWS_PER_GROUP);
    say(`arms ${rows} rows over NATS`);
    await world.createGroups(groups, IN_FLIGHT, (index) => (index <= ROUNDS ? firingGroup(index) : idleGroup(index)));
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    const subscriber = await startBenchProgram({ entry: "bench/process/bare-subscriber.ts" });
    // All of the firing ticks are of one price.
    await subscriber.ask({ natsUrl: bareServer.url, last: payloadOf(firingFrame(0)) });
    const bare: Taken[] = [];
    const own: Taken[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const last = firingFrame(round);
      const taken = await takeBare(publisher, subscriber, bareServer.url, ticks, last);
      const byEngine = await takeByEngine(world, engine, publisher, ticks, last);
      say(`round ${round}: ${taken.perSecond.toFixed(0)} bare, ${byEngine.perSecond.toFixed(0)} by the engine`);
      if (round === 0) continue;
      bare.push(taken);
      own.push(byEngine);
    }
    const floor = figure("ticks taken by the bare client", "/s", bare, ({ perSecond }) => perSecond);
    const engineRate = figure("ticks taken by the engine", "/s", own, ({ perSecond }) => perSecond);
    return {
      title: `Ticks from NATS, ${rows.toLocaleString("en-US")} armed rows over 600 symbols`,
      figures: [
        engineRate,
        floor,
        figure("processor time of the engine for a tick", "us", own, ({ cpuUsPerTick }) => cpuUsPerTick),
        figure("processor time of the bare client for a tick", "us", bare, ({ cpuUsPerTick }) => cpuUsPerTick),
      ],
      targets: [againstFloor("rate of ticks", engineRate, floor, "atLeast", 0.85)],
      charts: [barsOf("Ticks a second from NATS", [engineRate, floor])],
      notes: [
        `${ticks.toLocaleString("en-US")} ticks a round, one JSON message each; publisher, server and subscriber share the cores`,
      ],
    };
  } finally {
    await world.close();
    await bareServer.stop();
  }
};

async function takeBare(
  publisher: BenchProgram,
  subscriber: BenchProgram,
  natsUrl: string,
  count: number,
  last: Buffer,
): Promise<Taken> {
  const before = await subscriber.probe();
  const counted = subscriber.next<CountedTicks>();
  const { startNs } = await publisher.ask<PublisherReport>({ kind: "flood", natsUrl, count, last });
  const { count: taken } = await counted;
  const tookNs = Number(process.hrtime.bigint() - startNs);
  const after = await subscriber.probe();
  if (taken < count) throw new Error(`the bare client got ${taken} of ${count} ticks`);
  return { perSecond: (count / tookNs) * 1e9, cpuUsPerTick: ((after.cpuMs - before.cpuMs) * 1_000) / count };
}

async function takeByEngine(
  { bus, server }: World,
  engine: BenchProgram,
  publisher: BenchProgram,
  count: number,
  lastFrame: Buffer,
): Promise<Taken> {
  const before = await engine.probe();
  let stop: () => void = () => undefined;
  const ordered = new Promise<bigint>((resolve) => {
    stop = bus.respond(brokerSubject(BROKERAGE, "place"), async () => {
      resolve(process.hrtime.bigint());
      return Buffer.from(
        JSON.stringify({ ok: true, data: { orderNo: `B${lastFrame.toString("base64url")}`, orderStatus: 2 } }),
      );
    });
  });
  const { startNs } = await publisher.ask<PublisherReport>({
    kind: "flood",
    natsUrl: server.url,
    count,
    last: lastFrame,
  });
  const tookNs = Number((await ordered) - startNs);
  const after = await engine.probe();
  stop();
  return { perSecond: (count / tookNs) * 1e9, cpuUsPerTick: ((after.cpuMs - before.cpuMs) * 1_000) / count };
}

function payloadOf(frame: Buffer): Buffer {
  const [, payload = ""] = frame.toString().split("\r\n");
  return Buffer.from(payload);
}

function figure(name: string, unit: string, taken: readonly Taken[], of: (taken: Taken) => number): Figure {
  return { name, unit, rounds: taken.map(of) };
}
