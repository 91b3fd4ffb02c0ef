/**
 * How many ticks a second the engine takes from NATS with a million armed rows. The baselines are clients that take
 * them and do nothing: nats.js, and the engine's own form of the bus over it.
 *
 * A publisher floods the server; the flood ends with one tick that fires one group. The engine is done when the order
 * of that group reaches the brokerage, a bare client when it has counted to the end. The server can store messages that
 * a subscriber has not read yet, so that both are measured at their own rate.
 */
import { brokerSubject } from "../../../src/contract/subject.ts";
import { barsOf } from "../../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../../harness/figure/result.ts";
import { BROKERAGE } from "../../harness/load/owned-group.ts";
import { firingFrame, firingGroup, idleGroup } from "../../harness/load/ticks.ts";
import { type BenchProgram, startBenchProgram } from "../../harness/program.ts";
import { startServer, World } from "../../harness/world.ts";
import type { BareSubscriberOptions, CountedTicks } from "../../process/bare-subscriber.ts";
import type { PublisherReport } from "../../process/publisher.ts";

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
  const ownBusServer = await startServer();
  try {
    const engine = await world.startEngine();
    await world.writeSymbols();
    const groups = Math.ceil(rows / ROWS_PER_GROUP);
    say(`arms ${rows} rows over NATS`);
    await world.createGroups(groups, IN_FLIGHT, (index) => (index <= ROUNDS ? firingGroup(index) : idleGroup(index)));
    const publisher = await startBenchProgram({ entry: "bench/process/publisher.ts" });
    // All of the firing ticks are of one price.
    const last = payloadOf(firingFrame(0));
    const subscribe = async ({ url }: { readonly url: string }, readsInPlace: boolean) => {
      const program = await startBenchProgram({ entry: "bench/process/bare-subscriber.ts" });
      await program.ask({ natsUrl: url, last, readsInPlace } satisfies BareSubscriberOptions);
      return { url, program, taken: [] as Taken[] };
    };
    const plain = await subscribe(bareServer, false);
    const ownBus = await subscribe(ownBusServer, true);
    const own: Taken[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const frame = firingFrame(round);
      const rates: number[] = [];
      for (const { url, program, taken } of [plain, ownBus]) {
        const byBare = await takeBare(publisher, program, url, ticks, frame);
        rates.push(byBare.perSecond);
        if (round > 0) taken.push(byBare);
      }
      const byEngine = await takeByEngine(world, engine, publisher, ticks, frame);
      rates.push(byEngine.perSecond);
      if (round > 0) own.push(byEngine);
      say(`round ${round}: ${rates.map((rate) => rate.toFixed(0)).join(", ")} a second, the engine last`);
    }
    const floor = figure("ticks taken by nats.js", "/s", plain.taken, ({ perSecond }) => perSecond);
    const ownFloor = figure("ticks taken by the engine's bus alone", "/s", ownBus.taken, ({ perSecond }) => perSecond);
    const engineRate = figure("ticks taken by the engine", "/s", own, ({ perSecond }) => perSecond);
    return {
      title: `Ticks from NATS, ${rows.toLocaleString("en-US")} armed rows over 600 symbols`,
      figures: [
        engineRate,
        floor,
        ownFloor,
        figure("processor time of the engine for a tick", "us", own, ({ cpuUsPerTick }) => cpuUsPerTick),
        figure("processor time of nats.js for a tick", "us", plain.taken, ({ cpuUsPerTick }) => cpuUsPerTick),
        figure("processor time of the engine's bus for a tick", "us", ownBus.taken, ({ cpuUsPerTick }) => cpuUsPerTick),
      ],
      targets: [
        againstFloor("rate of ticks, against nats.js", engineRate, floor, "atLeast", 0.85),
        againstFloor("rate of ticks, against the engine's own bus", engineRate, ownFloor, "atLeast", 0.85),
      ],
      charts: [barsOf("Ticks a second from NATS", [engineRate, floor, ownFloor])],
      notes: [
        `${ticks.toLocaleString("en-US")} ticks a round, one JSON message each; publisher, server and subscriber share the cores`,
      ],
    };
  } finally {
    await world.close();
    await bareServer.stop();
    await ownBusServer.stop();
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
