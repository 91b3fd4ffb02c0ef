/**
 * Groups created over the bus, every one durable before it is answered, 64 in flight: as an edge would.
 *
 * Two floors. A bare responder takes the same requests from the same client over the same bus, writes the same pairs in
 * synced batches and answers with the same bytes, but reads and decides nothing. A loop writes the same pairs in synced
 * batches of 64 groups and does nothing else at all.
 */
import { BareLevel, bareCreation } from "../harness/bare-level.ts";
import { barsOf } from "../harness/figure/report.ts";
import { againstFloor, type Figure, type Scenario } from "../harness/figure/result.ts";
import { recordCreation } from "../harness/load/recorded-creation.ts";
import { idleGroup } from "../harness/load/ticks.ts";
import { startBenchProgram } from "../harness/program.ts";
import { requestAll, World } from "../harness/world.ts";
import { BARE_SUBJECT, type BareResponderOptions } from "../process/bare-responder.ts";

const ROUNDS = 5;
const IN_FLIGHT = 64;

export const scenario: Scenario = async ({ isQuick, say }) => {
  const groups = isQuick ? 2_000 : 30_000;
  say("records what the engine writes for a group");
  const { values, reply } = await recordCreation();
  const world = await World.open();
  const bare = new BareLevel();
  await bare.open();
  try {
    await world.startEngine();
    await world.writeSymbols();
    const responder = await startBenchProgram({ entry: "bench/process/bare-responder.ts" });
    await responder.ask({
      natsUrl: world.server.url,
      folder: world.folder,
      values,
      reply,
    } satisfies BareResponderOptions);
    const created: number[] = [];
    const answered: number[] = [];
    const written: number[] = [];
    let from = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const start = from;
      from += groups;
      const engineMs = await world.createGroups(groups, IN_FLIGHT, (index) => idleGroup(start + index));
      const answeredMs = await requestAll(world.bus, BARE_SUBJECT, groups, IN_FLIGHT, idleGroup);
      const startMs = performance.now();
      for (let done = 0; done < groups; done += IN_FLIGHT) {
        const batch = Array.from({ length: IN_FLIGHT }, (_, index) => bareCreation(start + done + index, values));
        await bare.write(batch.flat());
      }
      const bareMs = performance.now() - startMs;
      const rates = [engineMs, answeredMs, bareMs].map((tookMs) => (groups / tookMs) * 1_000);
      say(`round ${round}: ${rates.map((rate) => rate.toFixed(0)).join(", ")} a second`);
      if (round === 0) continue;
      created.push(rates[0] ?? 0);
      answered.push(rates[1] ?? 0);
      written.push(rates[2] ?? 0);
    }
    await responder.end("SIGKILL");
    const own: Figure = { name: `groups created over NATS, ${IN_FLIGHT} in flight`, unit: "/s", rounds: created };
    const bus: Figure = { name: "the same requests, pairs and replies without deciding", unit: "/s", rounds: answered };
    const loop: Figure = { name: `the same pairs in bare batches of ${IN_FLIGHT} groups`, unit: "/s", rounds: written };
    return {
      title: "Durable commands: create a group of three rows",
      figures: [own, bus, loop],
      targets: [
        againstFloor("durable commands, against a bare responder", own, bus, "atLeast", 0.75),
        againstFloor("durable commands, against bare batches without a bus", own, loop, "atLeast", 0.6),
      ],
      charts: [barsOf("Groups a second, durable", [own, bus, loop])],
      notes: ["the client, the NATS server and the engine share the machine's cores; the bare loop has them to itself"],
    };
  } finally {
    await bare.close();
    await world.close();
  }
};
